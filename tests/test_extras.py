"""What one game alone has is found by the game: ours and an author's file alike."""

import subprocess
import sys
from pathlib import Path

import pytest

import outplay
from outplay import extras
from outplay.cli.app import run
from outplay.errors import BadValue, RulesError, UnknownName, Unsuitable
from outplay.formats import games as formats

EXAMPLE = Path(__file__).parents[1] / "examples" / "matches.py"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_matches.py"
    path.write_text(EXAMPLE.read_text())
    yield path
    extras._OPENED.pop("my matches", None)


def test_an_authors_player_has_a_name(file, capsys):
    game = outplay.load(str(file))
    player = outplay.player("careful:otherwise=2")
    assert player.choose(game.start()) == 2 and player.plays == "my matches" and player.name == "careful:otherwise=2"
    assert outplay.player("greedy").choose(game.start()) == 3
    assert outplay.tally(outplay.match(game, ["careful", "random"], games=40), "careful").wins >= 35
    with pytest.raises(UnknownName, match="unknown option of player careful 'othewise': did you mean 'otherwise'"):
        outplay.player("careful:othewise=1")
    with pytest.raises(BadValue, match="otherwise"):
        outplay.player("careful:otherwise=x")
    with pytest.raises(Unsuitable, match="careful plays my matches, not tic-tac-toe"):
        outplay.player("careful").choose(outplay.load("tic-tac-toe").start())
    assert run(["match", str(file), "careful", "random", "--games", "2", "--json"]) == 0
    assert '"careful"' in capsys.readouterr().out


def test_an_authors_search_is_one_of_the_engines(file):
    begun = outplay.load(str(file)).start()
    assert outplay.best(begun.play("2")).algorithm == "careful"  # who plays it by default
    found = outplay.best(begun.play("2"), "engine")
    assert (found.algorithm, found.action, found.exact) == ("engine:by-four", 2, True)
    assert outplay.best(begun.play("2"), "engine:by-four").action == outplay.best(begun.play("2"), "alphabeta").action
    with pytest.raises(Unsuitable, match="by-four"):
        outplay.best(outplay.load("tic-tac-toe").start(), "engine:by-four")


def test_an_authors_format_is_read_and_written(file, tmp_path, capsys):
    game = outplay.load(str(file))
    text, ending = formats.write("my matches", game.start(), ("3", "1"), ("a", "b"), None)
    assert (text, ending) == ("matches: 3 1\n", "matches")
    assert formats.read(text).actions == ("3", "1")
    played = tmp_path / "games.matches"
    assert run(["match", str(file), "careful", "random", "--games", "2", "--export", str(played)]) == 0
    assert played.read_text().startswith("matches: ")
    (tmp_path / "one.matches").write_text(played.read_text().splitlines()[0] + "\n")
    capsys.readouterr()
    assert run(["review", str(tmp_path / "one.matches"), "--game", str(file), "--json"]) == 0
    assert '"moves"' in capsys.readouterr().out


def test_mistakes_in_extras_are_named(file):
    text = file.read_text()
    file.write_text(text.replace('Extras(\n    "my matches"', 'Extras(\n    "matches"'))
    with pytest.raises(RulesError, match="names no game of this file: expected 'my matches'"):
        outplay.load(str(file))
    file.write_text(text.replace('":Careful"', '":Carful"') + "# edited\n")
    outplay.load(str(file))
    with pytest.raises(RulesError, match="extras of my matches: nothing is at ':Carful'"):
        outplay.player("careful")


def test_every_entry_of_ours_is_there():
    for each in extras.every():
        for kind in ("players", "programs", "searches", "formats", "equilibria", "recipes", "commands"):
            for place in getattr(each, kind).values():
                assert each.fetch(place) is not None
        for kind in ("books", "tables", "strategies", "chart", "tuner", "fitting", "deck", "teams", "table", "endings", "studio",
                     "judge"):  # fmt: skip
            if getattr(each, kind):
                assert each.fetch(getattr(each, kind)) is not None
        for name, (text, words) in each.presets.items():
            assert name and text and words
        assert all(outplay.player(text) and name and about for text, name, about in each.named)


def test_finding_extras_imports_no_compiler():
    code = "import sys\nfrom outplay import extras\nlist(extras.every())\nprint('numba' in sys.modules, 'numpy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]
