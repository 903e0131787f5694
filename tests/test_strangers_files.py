"""A file that somebody sends names a program as its game: whatever reads it, the program never runs.

The files are written by the package's own writers for a game that comes with it, and the name of the game is then replaced; the
readers are found by walking the package, and the commands by walking the command line. A new reader is tried without a word here.
"""

import contextlib
import importlib.util
import inspect
import io
import json
import pkgutil
import re
from pathlib import Path

import pytest

import outplay
from outplay.arena.match import save
from outplay.books import openings
from outplay.cli.app import app, run
from outplay.errors import OutplayError
from outplay.formats import games as formats
from outplay.game import load
from outplay.players import Play
from outplay.players.networks import shipped
from outplay.values import Policy
from outplay.workshop.queue import Queue

READS = re.compile(r"(read|load|open|merge|review|game_of|from_|parse)")
PLACES = {"text", "path", "file", "files", "folder", "lines", "name"}
DANGEROUS = {"load", "from_name", "load_game"}  # what a person opens by hand: these do run a file, and are meant to


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """A program that leaves a mark when it runs, and files of all kinds that name it as their game."""
    folder = tmp_path_factory.mktemp("strangers")
    program, mark = folder / "evil.py", folder / "ran"
    program.write_text(f"open({str(mark)!r}, 'a').write('ran')\n")
    play = Play("tic-tac-toe")
    for text in ("b2", "a1", "b1", "a2", "b3"):
        play.push(text)
    save(play.record, folder / "records.jsonl")
    begun = load("tic-tac-toe").start()
    for name, lines in (("game.json", ()), ("lines.json", (("b2",),))):
        (folder / name).write_text(formats.write("tic-tac-toe", begun, ("b2", "a1"), ("human", "human"), None, lines)[0])
    openings.build("tic-tac-toe", [play.record]).save(folder / "book.txt")
    Policy.of(begun.game, {begun.text(): {"b2": 1.0}}).save(folder / "policy.json")
    for path in folder.glob("[!e]*.*"):
        text = path.read_text()
        assert "tic-tac-toe" in text
        path.write_text(text.replace("tic-tac-toe", str(program)))
    for each in shipped().values():
        data = each.read_bytes()
        assert b'"game": "' in data[:2000]
        (folder / each.name).write_bytes(re.sub(rb'"game": "[^"]*"', b'"game": "%s"' % str(program).encode(), data, count=1))
    return folder, mark


def readers():
    """Every public function and class method of the package that by its name and its first argument reads a text or a file."""
    for module in pkgutil.walk_packages(outplay.__path__, "outplay."):
        if re.search(r"^outplay\.(__main__|games|(textbook|compiling|csp|views)\b.*)$", module.name):
            continue
        source = Path(importlib.util.find_spec(module.name).origin).read_text()
        if not re.search(rf"def {READS.pattern}\w*\((cls, )?({'|'.join(PLACES)})\b", source):
            continue  # nothing to import it for
        try:
            found = importlib.import_module(module.name)
        except ImportError:
            continue  # an extra that is not installed
        for name, thing in vars(found).items():
            if getattr(thing, "__module__", None) != module.name or name.startswith("_"):
                continue
            methods = vars(thing).items() if inspect.isclass(thing) else [(name, thing)]
            for method, function in methods:
                function = getattr(thing, method) if isinstance(function, classmethod | staticmethod) else function
                if not inspect.ismethod(function) if inspect.isclass(thing) else method in DANGEROUS:
                    continue
                with contextlib.suppress(TypeError, ValueError):
                    first = next(iter(inspect.signature(function).parameters.values()), None)
                    if READS.match(method) and first is not None and first.name in PLACES:
                        yield f"{module.name}.{method}", function, first


def test_no_reader_of_the_package_runs_what_a_file_names(evil):
    folder, mark = evil
    tried = []
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in sorted(folder.iterdir())
             if path.suffix != ".py" and path != mark}
    lines = {path: text.splitlines() for path, text in texts.items()}
    for name, function, first in readers():
        rest = [parameter for parameter in inspect.signature(function).parameters.values()
                if parameter.default is inspect.Parameter.empty and parameter is not first and parameter.kind < 2]
        more = [load("tic-tac-toe") if each.name == "game" else 1 for each in rest]
        for path, text in texts.items():
            given = {"text": text, "lines": lines[path], "files": [path], "name": text[:2000]}.get(first.name, path)
            with contextlib.suppress(Exception, SystemExit), contextlib.redirect_stdout(io.StringIO()):
                function(given, *more)
            assert not mark.exists(), (name, path.name)
        tried.append(name)
    assert {"outplay.formats.games.read", "outplay.arena.match.read", "outplay.books.openings.open_book"} <= set(tried)


def commands(command, words=()):
    """Every command of the command line."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    for name in command.list_commands(None):
        yield from commands(command.get_command(None, name), (*words, name))


def test_no_command_runs_what_a_file_names(evil, monkeypatch):
    folder, mark = evil
    monkeypatch.chdir(folder)
    tried = []
    for words, command in commands(app):
        arguments = [each for each in command.params if each.param_type_name == "argument"]
        if not arguments or "FILE" not in (arguments[0].metavar or "") or words in (("serve",), ("convert",)):
            continue  # `serve` takes programs by hand
        for path in ("game.json", "lines.json", "records.jsonl", "book.txt", "policy.json"):
            with contextlib.suppress(Exception, SystemExit), contextlib.redirect_stdout(io.StringIO()), \
                    contextlib.redirect_stderr(io.StringIO()):
                command.main([path], standalone_mode=False, prog_name="outplay")
            assert not mark.exists(), (words, path)
        tried.append(words)
    assert {("review",), ("book", "dump"), ("book", "merge"), ("book", "build")} <= set(tried)


def test_a_ladder_and_a_queue_start_no_program_and_read_no_rules(evil, tmp_path, capsys):
    folder, mark = evil
    program = f"program:touch {mark}"
    ladder = tmp_path / "ladder.json"
    ladder.write_text(json.dumps({"game": "nim", "players": ["random", program], "met": [[0, 1, 5, 10]]}))
    run(["rate", "nim", "random:seed=2", "--ladder", str(ladder), "--games", "2"])
    capsys.readouterr()
    Queue(tmp_path / "queue").add("nim", "random", "random")
    (test,) = (tmp_path / "queue").glob("*.json")
    begun = json.loads(test.read_text())
    for wrong in ({"game": str(folder / "evil.py")}, {"first": program}, {"second": f"python:{folder}/evil.py"}):
        test.write_text(json.dumps({**begun, **wrong}))
        assert run(["arena", "queue", str(tmp_path / "queue")]) == 2
        assert "test 1 names the" in capsys.readouterr().err
    assert not mark.exists()


def test_the_studio_runs_nothing_and_tells_nothing_of_files(evil, tmp_path):
    testclient = pytest.importorskip("starlette.testclient")
    from outplay.web import explorer
    from outplay.web.app import create_app

    folder, mark = evil
    (tmp_path / "there.py").write_text("")
    with testclient.TestClient(create_app(tmp_path / "studio.sqlite"), base_url="http://localhost") as studio:
        for path in ("game.json", "lines.json"):
            answer = studio.post("/api/files", json={"text": (folder / path).read_text()})
            assert answer.status_code == 422 and not mark.exists()
        texts = (f'{{"game": "{tmp_path}/{name}.py", "actions": [], "lines": [["a"]]}}' for name in ("there", "away"))
        there, away = (studio.post("/api/files", json={"text": text}).text for text in texts)
        assert there.replace("there", "away") == away  # whether a file is there is nobody's business
        wrong = ('"start": 5', '"start": ["x"]', '"actions": 7', '"actions": [["a1"]]', '"lines": 3', '"players": {"a": 1}',
                 '"players": ' + str(["human"] * 9).replace("'", '"'), '"start": "' + "x" * 20_001 + '"',
                 '"actions": ' + str(["a1"] * 2001).replace("'", '"'))  # fmt: skip
        for each in wrong:
            assert studio.post("/api/files", json={"text": '{"game": "tic-tac-toe", ' + each + "}"}).status_code == 422, each
    with pytest.raises(OutplayError):
        explorer.name_books([folder / "book.txt"])
    assert not mark.exists()


def test_the_program_would_run_if_it_were_opened_by_hand(evil):
    """What the others see nothing of is there to be seen: this test comes last."""
    folder, mark = evil
    with pytest.raises(OutplayError):
        load(str(folder / "evil.py"))
    assert mark.exists()
    mark.unlink()
