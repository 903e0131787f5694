"""Games from an author's own file: read anew after an edit, with their neighbours, one of several, and what goes wrong there."""

import pytest

from outplay.errors import BadValue, RulesError, UnknownName
from outplay.game import load
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
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(RulesError, match="no game found"):
        load(str(tmp_path / "empty.py"))
