"""Commands that say what there is: `algorithms`, `players`, `doctor`."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import outplay
from outplay.cli import commands
from outplay.cli.common import AsJson, console, print_json, print_table
from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import game_names, load
from outplay.names import Option, plain
from outplay.players import OWN
from outplay.players.algorithms import COMMON, Algorithm, choose
from outplay.players.algorithms import algorithms as all_algorithms
from outplay.players.networks import shipped
from outplay.players.presets import presets

AlgorithmArgument = Annotated[str | None, commands.Argument(metavar="[ALGORITHM]", help="One search and all that can be set.")]
ForGame = Annotated[str | None, commands.Option("--game", metavar="GAME", help="Only the searches that take this game.")]


def algorithms(name: AlgorithmArgument = None, game: ForGame = None, as_json: AsJson = False) -> None:
    """List every search with its options, their ranges, and the games it takes."""
    chosen = list(all_algorithms().values())
    if name is not None:
        wanted = plain(name.removeprefix("textbook:"))
        chosen = [one for one in chosen if plain(one.name) == wanted] or [one for one in chosen if plain(one.short) == wanted]
        if not chosen:
            raise UnknownName("algorithm", name, all_algorithms())
    if game is not None:
        loaded = load(game)
        chosen = [one for one in chosen if one.why_not(loaded) is None]
    listed = [_described(one) for one in chosen]
    if as_json:
        answer: dict[str, Any] = {"algorithms": listed, "common": [_option(option) for option in COMMON]}
        if game is not None:
            answer["auto"], answer["why"] = choose(load(game))
        print_json(answer)
        return
    if name is not None:
        for one in listed:
            _show(one)
        return
    print_table(("algorithm", "what it does", "options"),
                [(one["name"], one["description"], " ".join(option["name"] for option in one["options"]) or "-") for one in listed])
    print()
    print("every search also takes " + ", ".join(option.name for option in COMMON))
    print("net:FILE searches with a network's judgement; by name there are " + ", ".join(shipped()))
    if game is not None:
        chosen_name, why = choose(load(game))
        print(f"auto takes {chosen_name}: {why}")
    else:
        print("outplay algorithms NAME shows what each option may be; outplay algorithms --game GAME which searches take a game")


def _described(one: Algorithm) -> dict[str, Any]:
    taken = [name for name in game_names() if one.why_not(load(name)) is None]
    return {"name": one.name, "description": one.description, "options": [_option(option) for option in one.options],
            "games": taken}  # fmt: skip


def _option(option: Option) -> dict[str, Any]:
    default = option.default if isinstance(option.default, int | float | str | bool | None) else None
    found = {"name": option.name, "range": option.range_in_words(), "default": default, "help": option.help}
    return {**found, "also": option.also} if option.also else found


def _show(one: dict[str, Any]) -> None:
    print(f"{one['name']}: {one['description']}")
    print("games: " + (", ".join(one["games"]) or "none of those that come with Outplay; games of your own may"))
    rows = []
    for option in one["options"]:
        name = option["name"] + (f" ({option['also']})" if "also" in option else "")
        default = {True: "yes", False: "no", None: "-"}.get(option["default"], str(option["default"]))
        rows.append((name, option["range"], default, option["help"]))
    if rows:
        print_table(("option", "what it may be", "default", "what it does"), rows)


KINDS = (
    ("human", "a person at the keyboard", ""),
    ("random", "any action", "seed"),
    ("auto", "the search that fits the game, one second a move", "depth, time, nodes, simulations, level, book, tables"),
    ("engine", "the engine's search that fits the game", "the same, and all that can be set of it"),
    ("engine:NAME", "one search of the engine, such as engine:pvs or engine:mcts", "outplay algorithms NAME"),
    ("NAME", "one algorithm of the textbook, such as alphabeta or mcts", "outplay algorithms NAME"),
    ("uci:PROGRAM", "a chess program that speaks UCI", "time, depth, nodes, options of the program"),
    ("xboard:PROGRAM", "a chess program that speaks the xboard protocol", "time, depth"),
    ("gtp:PROGRAM", "a program that speaks GTP, for Go or Othello", "time"),
    ("nboard:PROGRAM", "an Othello program that speaks NBoard's protocol", "time, depth"),
    ("hub:PROGRAM", "a draughts program that speaks the Hub protocol", "time, depth, nodes"),
    ("gnubg", "GNU Backgammon", "ply"),
    ("program:COMMAND", "any program that speaks Outplay's lines of text", "time, memory, processor, processes, sandbox"),
    ("python:FILE.py:NAME", "a class or function in a Python file, a process of its own", "the same, and depth for an evaluation"),
    ("net:NAME", "a network that learned the game: " + ", ".join(shipped()) + ", or a file", "time, simulations, depth"),
    ("policy:FILE", "a saved strategy, drawn from its shares", "seed"),
)


TEMPLATES = {"python": "py", "javascript": "js", "c": "c", "shell": "sh"}
What = Annotated[str | None, commands.Argument(metavar="[new", help="Write a template of a player.")]
Language = Annotated[str | None, commands.Argument(metavar="LANGUAGE]", help="python, javascript, c or shell.")]
TemplateOut = Annotated[Path | None, commands.Option("--out", metavar="FILE", help="Where the template goes.")]


def new_player(what: str, language: str | None, out: Path | None) -> None:
    """Write a template of a player that anybody can bring."""
    from importlib.resources import files

    from outplay.files import write_whole

    if what != "new":
        raise UnknownName("action of outplay players", what, ["new"])
    if language not in TEMPLATES:
        raise UnknownName("language", language or "", TEMPLATES)
    ending = TEMPLATES[language]
    path = out or Path(f"player.{ending}")
    if path.exists():
        raise BadValue(f"{path} is there already: give another --out")
    template = files("outplay.players") / "templates" / f"player.{language}"
    write_whole(path, template.read_text("utf-8").replace("FILE", str(path)))
    by = "node" if ending == "js" else "sh"
    tried = {"python": f"python:{path}", "c": "program:./mine"}.get(language, f"program:{by} {path}")
    first = f"compile it (cc -O2 -o mine {shlex.quote(str(path))}), then " if ending == "c" else ""
    print(f'wrote {path}; {first}try: outplay match tic-tac-toe "{tried}" random --time 1')


def players(what: What = None, language: Language = None, out: TemplateOut = None, as_json: AsJson = False) -> None:
    """List the kinds of players that match, play and the studio seat; `players new LANGUAGE` begins one of your own."""
    if what is not None:
        return new_player(what, language, out)
    if as_json:
        rows = [{"player": name, "description": words, "options": options} for name, words, options in KINDS]
        named = [{"player": one.name, "text": one.text, "game": one.game, "description": one.words} for one in presets().values()]
        print_json({"players": rows, "presets": named, "options": [_option(option) for option in (*COMMON, *OWN)]})
        return
    print_table(("player", "who it is", "options"), KINDS)
    print()
    print_table(("named player", "game", "written out", "who it was"),
                [(one.name, one.game or "any that fits", one.text, one.words) for one in presets().values()])
    print()
    print_table(("option", "what it may be", "what it does"),
                [(option.name, option.range_in_words(), option.help) for option in (*COMMON, *OWN)])
    print("written as NAME:key=value,key=value: outplay match nim engine:depth=4 mcts:simulations=200,c=1.0 --games 10")


PROGRAMS = {"bwrap": "boxes around the classroom's submissions and Python players",
            "stockfish": "uci players", "gnugo": "gtp players", "gnubg": "the player gnubg", "chromium": "tests of the studio"}
PACKAGES = {"numpy": True, "numba": True, "rich": True, "click": True, "fastapi": False, "uvicorn": False, "cachetools": False,
            "ortools": False, "numba-cuda": False, "pandas": False}  # fmt: skip


def doctor(as_json: AsJson = False) -> None:
    """Look at this machine: what Outplay needs, what it could use, and what is missing."""
    from outplay.compiling.gpu import available
    from outplay.jit import cache_folder

    findings: list[dict[str, Any]] = []

    def note(what: str, found: str, ok: bool, advice: str = "") -> None:
        findings.append({"what": what, "found": found, "ok": ok, "advice": "" if ok else advice})

    note("outplay", outplay.__version__, True)
    note("python", platform.python_version(), sys.version_info >= (3, 11), "Outplay needs Python 3.11 or later")
    for package, needed in PACKAGES.items():
        try:
            version = importlib.metadata.version(package)
            importlib.import_module(package.replace("-", "_"))
            note(package, version, True)
        except importlib.metadata.PackageNotFoundError:
            note(package, "missing", not needed, f"pip install {package}")
        except Exception as problem:  # whatever a package raises that is not whole
            said = shorten(" ".join(f"{type(problem).__name__}: {problem}".split()), 120)
            note(package, f"{version}, but it cannot be imported: {said}", False, f"pip install --force-reinstall {package}")
    folder = cache_folder()
    writable = os.access(folder, os.W_OK) if folder.exists() else os.access(folder.parent, os.W_OK)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.exists() else 0
    note("compiled code", f"{folder} ({size / 2**20:.0f} MB)", writable, "the folder cannot be written: every start compiles anew")
    note("cores", str(os.cpu_count() or 1), True)
    try:
        gpu = available()
    except Exception as problem:  # a driver may fail in any way
        note("gpu", f"{type(problem).__name__}", True)
    else:
        note("gpu", "found" if gpu else "none: searches and games run on the processor", True)
    for program, purpose in PROGRAMS.items():
        path = shutil.which(program) or shutil.which(program, path="/usr/games:/usr/local/bin:/usr/bin")
        note(program, path or f"not found (for {purpose})", True)
    healthy = all(finding["ok"] for finding in findings)
    if as_json:
        print_json({"ok": healthy, "findings": findings})
    else:
        rows = [("ok" if f["ok"] else "!!", f["what"], ": ".join(filter(None, (f["found"], f["advice"])))) for f in findings]
        print_table(("", "what", "found"), rows)
        console().print("all is well" if healthy else "something is missing", markup=False)
    if not healthy:
        raise commands.Exit(2)
