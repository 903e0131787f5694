"""The command line wired together: its commands, and every error as one line and an exit status.

Status 0 means done, 2 that the request was wrong, 130 that Ctrl-C stopped it, and 1 that Outplay itself failed.

A command's module is imported when that command runs: help and completion know them all from the table here and
from the first words of their files, so that `outplay --help` never waits for the compiler.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, shell_complete

import outplay
from outplay import extras
from outplay.cli import commands
from outplay.cli.main import INTERRUPTED
from outplay.errors import OutplayError, nearest, shorten

PANELS = {
    "Play": {
        "play": "play.play", "serve": "serve.serve", "match": "match.match", "review": "review.review",
        "why": "why.why", "puzzles": "puzzles.puzzles", "calibrate": "calibrate.calibrate",
        "ladder": "ladder.ladder", "rate": "ladder.rate", "arena": "arena.arena", "players": "lists.players",
    },
    "Search": {
        "best": "think.best", "solve": "think.solve", "compare": "think.compare", "explain": "explain.explain",
        "evaluate": "evaluate.evaluate", "algorithms": "lists.algorithms", "csp": "csp.csp",
    },
    "Look at games": {
        "games": "look.games", "rules": "look.rules", "show": "look.show", "perft": "count.perft", "playouts": "playouts.playouts",
        "check": "upkeep.check", "weigh": "workshop.weigh", "balance": "workshop.balance",
    },
    "Cards, words and what is hidden": {
        "equilibrium": "equilibrium.equilibrium", "exploit": "equilibrium.exploit",
        **{name: f"{each.home}{place.replace(':', '.')}" for each in extras.every() for name, place in each.commands.items()},
    },
    "Learn and prepare": {
        "learn": "learn.learn", "tune": "tune.tune", "book": "book.book", "tables": "tables.tables", "warm": "upkeep.warm",
    },
    "Share": {"export": "export.export"},
    "The lectures": {"lectures": "lessons.lectures", "exercises": "lessons.exercises"},
    "Teach": {"classroom": "classroom.classroom"},
    "Protocols": {
        "uci": "protocols.uci.uci", "gtp": "protocols.gtp.gtp", "hub": "protocols.hub.hub", "nboard": "protocols.nboard.nboard",
        "mcp": "mcp.mcp",
    },
    "This machine": {"doctor": "lists.doctor", "bench": "bench.bench"},
}  # fmt: skip
"""Every command under the heading of the help, and the function, or the group of further commands, that it is."""

COMMANDS = {name: place for panel in PANELS.values() for name, place in panel.items()}

def first_words(module: str, name: str) -> str:
    """What a command says of itself, read from its file: importing all of them would import the compiler."""
    place = (module.removeprefix("outplay.") if module.startswith("outplay.") else f"cli.{module}").replace(".", "/")
    text = (Path(outplay.__file__).parent / f"{place}.py").read_text(encoding="utf-8")
    said = re.search(rf'^def {name}\(.*?\n    """(.*?)(?:\n\n|""")', text, re.DOTALL | re.MULTILINE)
    said = said or re.search(rf'^{name} = Group\(.*?help="(.*?)"', text, re.DOTALL | re.MULTILINE)
    return " ".join(said[1].split()) if said else ""


class Commands(click.Group):
    """The group of all commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """A command by its name."""
        if name not in COMMANDS:
            return None
        module, _, function = COMMANDS[name].rpartition(".")
        place = module if module.startswith("outplay.") else f"outplay.cli.{module}"
        return commands.command(name, getattr(importlib.import_module(place), function))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under their headings, without importing them."""
        for title, names in PANELS.items():
            with formatter.section(title):
                formatter.write_dl([(name, first_words(*place.rpartition(".")[::2])) for name, place in names.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completion of a command's name, without importing the commands."""
        found = [CompletionItem(name) for name in COMMANDS if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


FIRST_STEPS = """Outplay plays, solves and explains games. To begin:

  outplay play connect-four            a game in the terminal
  outplay serve                        the studio in the browser: play, watch searches think, learn
  outplay best chess --time 5          the best move of a position
  outplay solve tic-tac-toe            what a game is worth
  outplay explain tic-tac-toe --position "xox/.o./o.x x" --out tree.html
                                       every step of a search, as a page
  outplay match go:size=9 engine:mcts engine:mcts,c=0.5 --games 4
                                       which of two players is stronger

outplay games lists the games, outplay algorithms the searches, outplay players who can play,
outplay --help all commands, outplay doctor what this machine lacks."""


def _told(tell: Callable[[], None]) -> Any:
    """What an option does that tells something and ends."""

    def tell_it(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
        if wanted:
            tell()
            context.exit()

    return {"is_flag": True, "expose_value": False, "is_eager": True, "callback": tell_it}


def _first_steps() -> None:
    if click.get_current_context().invoked_subcommand is None:
        print(FIRST_STEPS)


app: click.Group = Commands(
    "outplay",
    callback=_first_steps,
    invoke_without_command=True,
    context_settings=commands.SETTINGS,
    help="Play, solve and explain games. Every command takes --help, --json for scripts, and --debug for tracebacks.",
    params=[
        click.Option(["--version"], **_told(lambda: print(f"outplay {outplay.__version__}")), help="Print the version."),
        click.Option(["--install-completion"], **_told(lambda: commands.install_completion(app)),
                     help="Complete words in the shell that you use."),
        click.Option(["--show-completion"], **_told(lambda: commands.install_completion(app, shown=True)),
                     help="Show what completes them, to put it in place yourself."),
    ],
)  # fmt: skip


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; whatever goes wrong is told in one line on standard error."""
    debug = "--debug" in arguments or bool(os.environ.get("OUTPLAY_TRACEBACK"))  # every command takes it, at any place
    arguments = [argument for argument in arguments if argument != "--debug"]
    warnings.simplefilter("ignore", SyntaxWarning)  # of a text that somebody typed: the answer says what is wrong with it
    try:
        if asked := os.environ.get("_OUTPLAY_COMPLETE"):
            return shell_complete(app, {}, "outplay", "_OUTPLAY_COMPLETE", asked)
        with app.make_context("outplay", list(arguments)) as context:
            app.invoke(context)
        sys.stdout.flush()
        return 0
    except commands.Exit as leaving:
        return _stopped() if leaving.exit_code == INTERRUPTED else leaving.exit_code
    except click.UsageError as problem:
        return _fail(usage(problem, arguments), 2)
    except OutplayError as problem:
        if debug:  # with what Numba or the rules said in their own words
            traceback.print_exception(problem)
        return _fail(str(problem), 2)
    except KeyboardInterrupt:
        return _stopped()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        return _unheard()
    except SystemExit as leaving:  # Click and rich leave like this when such a reader goes
        return _unheard() if _is_unheard() else int(leaving.code or 0)
    except RecursionError:
        return _fail("that is nested too deeply to be read", 2)
    except OSError as problem:  # a file or a machine that does not do what was asked
        if debug:
            raise
        where = f"{shorten(str(problem.filename), 200)}: " if problem.filename else ""
        return _fail(f"{where}{problem.strerror or problem}", 2)
    except MemoryError:
        return _fail("that needs more memory than there is", 2)
    except Exception as problem:
        if debug:
            raise
        said = shorten(" ".join(str(problem).split()), 200)
        return _fail(f"internal error: {type(problem).__name__}: {said} (--debug shows where)", 1)


def _stopped() -> int:
    """After Ctrl-C: where it found the program, if that was in an author's own rules, which may loop for ever."""
    from outplay.cli.interrupts import Interrupts

    where, Interrupts.where = Interrupts.where, ""
    return _fail(f"stopped in {where}", INTERRUPTED) if where else INTERRUPTED


def _is_unheard() -> bool:
    """Whether nobody reads standard output any more."""
    if type(sys.stdout).__name__ == "PacifyFlushWrapper":
        return True
    try:
        sys.stdout.flush()
    except (BrokenPipeError, ValueError):
        return True
    return False


def _unheard() -> int:
    """Leave quietly: what is still in the buffers goes nowhere."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _fail(message: str, status: int) -> int:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody may listen there, either
        print(" ".join(message.split()), file=sys.stderr)
    return status


MEANT = {"hint": "best", "move": "best", "analyse": "review", "analyze": "review", "studio": "serve", "tournament": "match",
         "elo": "rate", "list": "games"}  # fmt: skip
"""Commands by other words for what they do."""


def usage(problem: Any, arguments: Sequence[str]) -> str:
    """A wrong use of the command line in one line, with the nearest right word."""
    said = " ".join(problem.format_message().split())
    context = problem.ctx
    where = context.command_path if context is not None else "outplay"
    command = re.match(r"No such command ['\"](.+?)['\"]\.", said)
    if command:
        known = context.command.list_commands(context)
        near = MEANT.get(command[1].lower()) or nearest(command[1], known)
        told = f"unknown command {shorten(command[1])!r}: "
        return told + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
    option = getattr(problem, "option_name", None)
    if option and said.startswith("No such option"):
        known = [name for each in context.command.get_params(context) for name in each.opts if name.startswith("-")]
        near = nearest(option, known)
        told = f"unknown option {shorten(option)!r} of {where}: "
        return told + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
    extra = re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", said)
    if extra:
        told = f"unexpected {shorten(extra[1])!r} after {where}: a name with spaces needs quotes or hyphens, as in connect-four"
        rivals = context is not None and any("--against" in each.opts for each in context.command.get_params(context))
        return told + ("; --against says who sits opposite" if rivals else "")
    parameter = getattr(problem, "param", None)
    if type(problem).__name__ == "MissingParameter" and parameter is not None:
        name = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.name.upper()
        return f"missing {name}: {where} needs it, and {where} --help lists what it takes"
    invalid = re.match(r"Invalid value for '?(--?\w+|\w+)'?: (.*)", said)
    if invalid:
        kind = next((words for word, words in KINDS.items() if word in invalid[2]), None)
        if kind:
            return f"{invalid[1]} must be {kind}, got {shorten(_given(invalid[1], arguments))!r}"
    return f"{where}: {shorten(said, 300)}"


KINDS = {"integer": "a whole number", "float": "a number", "number": "a number"}


def _given(option: str, arguments: Sequence[str]) -> str:
    """What was given for an option."""
    for number, argument in enumerate(arguments):
        if argument == option and number + 1 < len(arguments):
            return arguments[number + 1]
        if argument.startswith(option + "="):
            return argument[len(option) + 1 :]
    return "something else"
