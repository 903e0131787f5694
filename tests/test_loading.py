"""Games from an author's own file: read anew after an edit, with their neighbours, one of several, and what goes wrong there."""

import os
import re
import sys
from pathlib import Path

import pytest

from outplay import best
from outplay.conformance import check_game
from outplay.errors import BadValue, RulesError, UnknownName
from outplay.files import own_module, read_module
from outplay.game import known_game, load
from outplay.views.plain import picture_of

FILE = '''
from outplay.jit import i8
from outplay.rules import game
{imports}

@game("{name}")
class Countdown:
    """Take one at a time; whoever takes the last one wins."""
    left: i8
    turn: i8
    def start(self):
        self.left = {left}
    def actions(self, out):
        out[0] = 1
        return 1 if self.left > 0 else 0
    def play(self, action):
        self.left -= 1
        self.turn = 1 - self.turn
    def utility(self, seat):
        return -1 if seat == self.turn else 1
{more}
'''


def write(path, name="countdown", left="3", imports="", more=""):
    path.write_text(FILE.format(name=name, left=left, imports=imports, more=more))
    return str(path)


def test_a_file_is_read_again_after_an_edit(tmp_path):
    path = write(tmp_path / "own.py")
    first = load(path)
    assert load(path) is first and first.start().text() == "left=3;turn=0"
    write(tmp_path / "own.py", left="5")
    assert load(path).start().text() == "left=5;turn=0"
    assert first.start().text() == "left=3;turn=0"


def test_own_files_are_read_as_they_stand_not_as_python_keeps_them_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "own.py"
    for value in (1, 2):
        file.write_text(f"VALUE = {value}\n")
        os.utime(file, (1_000_000_000, 1_000_000_000))  # an edit of the same length, in the same second
        module = own_module("own_file", file)
        read_module(module)
        assert value == module.VALUE


@pytest.mark.parametrize("neighbour", ["sizes.py", "parts/__init__.py", "parts/sizes.py"])
def test_a_game_is_read_again_after_an_edit_of_equal_length_in_a_neighbour_in_the_same_moment(tmp_path, monkeypatch, neighbour):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/__init__.py").touch()
    module = neighbour.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    path = write(tmp_path / "own.py", left="SIZE", imports=f"from {module} import SIZE")
    for size in (4, 5):
        (tmp_path / neighbour).write_text(f"SIZE = {size}\n")
        os.utime(tmp_path / neighbour, (1_000_000_000, 1_000_000_000))
        assert load(path).start().text() == f"left={size};turn=0"
    assert not list(tmp_path.rglob("__pycache__"))


def test_a_game_without_a_picture_shows_its_own_fields_and_no_others(tmp_path):
    position = load(write(tmp_path / "own.py")).start()
    assert picture_of(position).rows == ("left", "turn")


def test_a_mistake_is_seen_in_the_text_that_was_saved_last(tmp_path):
    path = write(tmp_path / "own.py")
    good = (tmp_path / "own.py").read_text()
    load(path)
    for left in ("3", "4"):
        (tmp_path / "own.py").write_text(good.replace("1 - self.turn", "1 - selfie.turn"))
        with pytest.raises(RulesError, match=r"own\.py:18, in play: `selfie`: the name 'selfie' is not defined"):
            load(path)
        write(tmp_path / "own.py", left=left)
        assert load(path).start().text() == f"left={left};turn=0"


def test_a_file_imports_its_neighbours_and_sees_their_edits(tmp_path):
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "heaps.py").write_text(f"LEFT = {number}")
        path = write(folder / "own.py", left="LEFT", imports="from heaps import LEFT")
        assert load(path).start().text() == f"left={number};turn=0"
    (tmp_path / "2" / "heaps.py").write_text("LEFT = 77")
    assert load(str(tmp_path / "2" / "own.py")).start().text() == "left=77;turn=0"
    assert load(str(tmp_path / "1" / "own.py")).start().text() == "left=1;turn=0"


def test_a_file_may_have_the_name_of_a_module(tmp_path):
    path = write(tmp_path / "random.py")
    assert load(path).start().play("1 1").text() == "left=1;turn=0"


def test_one_of_several_games_is_chosen_by_its_name(tmp_path):
    path = tmp_path / "two.py"
    path.write_text(FILE.format(name="one", left="1", imports="", more="") + FILE.format(name="two", left="2", imports="", more="")
                    .replace("class Countdown", "class Second"))
    with pytest.raises(BadValue, match=r"has 2 games: say which, as .*two.py:game=one \(there are one, two\)"):
        load(str(path))
    assert load(f"{path}:game=two").start().text() == "left=2;turn=0"
    with pytest.raises(UnknownName, match="did you mean 'two'"):
        load(f"{path}:game=tow")


def test_a_position_of_a_file_shows_how_to_get_it_again(tmp_path):
    path = write(tmp_path / "own.py")
    position = load(path).start().play("1")
    assert eval(repr(position)) == position


def test_a_game_built_on_another(tmp_path):
    longer = '''
@game("longer")
class Longer(Countdown):
    """The same with more."""
    def start(self):
        self.left = 9
'''
    path = write(tmp_path / "own.py", more=longer)
    assert load(f"{path}:game=longer").start().play("1").text() == "left=8;turn=1"
    assert load(f"{path}:game=countdown").start().text() == "left=3;turn=0"


def test_an_error_in_the_file_names_its_line(tmp_path):
    path = write(tmp_path / "own.py", more="    surprise = 1 / 0")
    with pytest.raises(RulesError, match=r"own.py: line 21: ZeroDivisionError"):
        load(path)
    (tmp_path / "many.py").write_text("from outplay.jit import i8\n\nfield = i8[9]\n")
    with pytest.raises(RulesError, match=r"many.py: line 3: a field of several numbers is written Array\[i8, 9\]"):
        load(str(tmp_path / "many.py"))
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(RulesError, match="no game found"):
        load(str(tmp_path / "empty.py"))


SIZED = '''
from outplay.jit import Array, i8
from outplay.rules import game

@game("sized", size=range(1, 6))
def sized(size=3):
    cells = size * size
    class Sized:
        board: Array[i8, {shape}]
        turn: i8
        def actions(self, out):
            count = 0
            for cell in range(cells):
                if self.board[cell] == 0:
                    out[count] = cell
                    count += 1
            return count
        def play(self, action):
            self.board[action] = 1
            self.turn = 1 - self.turn
        def utility(self, seat):
            return -1 if seat == self.turn else 1
    return Sized
'''


def test_the_type_of_a_field_may_have_a_parameter(tmp_path):
    path = tmp_path / "sized.py"
    path.write_text(SIZED.format(shape="cells"))
    assert len(load(f"{path}:size=4").start().actions()) == 16
    path.write_text("from __future__ import annotations\n" + SIZED.format(shape="size * size"))  # its types are texts
    assert len(load(f"{path}:size=2").start().actions()) == 4
    path.write_text("from __future__ import annotations\n" + SIZED.format(shape="cells") + "\n")
    with pytest.raises(RulesError, match=r"'cells' is not defined.*without that line"):
        load(f"{path}:size=2")


def test_data_name_only_games_that_the_person_has_opened(tmp_path):
    path = write(tmp_path / "mine.py", name="mine of the test")
    with pytest.raises(BadValue, match="rules are read only from files that you name yourself"):
        known_game(path)
    with pytest.raises(UnknownName):
        known_game("mine of the test")
    assert load(path).family == "mine of the test"
    assert known_game("mine of the test").start() == load(path).start()
    assert known_game(path).name == "mine of the test"
    assert known_game("scrabble:lexicon=enable,rack=6").name == "scrabble:rack=6"
    words = tmp_path / "words.txt"
    words.write_text("CAT CATS")
    with pytest.raises(BadValue, match="only those that you name yourself are read"):
        known_game(f"scrabble:lexicon={words}")
    assert load(f"scrabble:lexicon={words}").name == known_game(f"scrabble:lexicon={words}").name


def test_the_guides_file_with_a_parameter_in_a_field_is_a_game(tmp_path):
    guide = (Path(__file__).parents[1] / "docs" / "writing-a-game.md").read_text()
    code = next(block for block in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "size * size]" in block)
    path = tmp_path / "last_stone.py"
    path.write_text(code)
    start = load(f"{path}:size=2").start()
    assert [len(start.play(text).actions()) for text in ("0", "1")] == [1, 1]  # on four cells the opposite one is left
    assert check_game(load(str(path)), games=20, seconds=1.0).games
    assert best(load(f"{path}:size=3").start(), "alphabeta").value == 1.0
