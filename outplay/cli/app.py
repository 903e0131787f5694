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
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core

import outplay
from outplay.cli.main import INTERRUPTED
from outplay.errors import OutplayError, nearest, shorten

UsageError: Any = typer.BadParameter.__mro__[1]  # Typer may carry its own copy of Click, so its class is reached from here

PANELS = {
    "Play": {
        "play": "play.play", "serve": "serve.serve", "match": "match.match", "review": "review.review", "players": "lists.players",
    },
    "Search": {
        "best": "think.best", "solve": "think.solve", "compare": "think.compare", "explain": "explain.explain",
        "evaluate": "evaluate.evaluate", "algorithms": "lists.algorithms", "csp": "csp.csp",
    },
    "Look at games": {
        "games": "look.games", "show": "look.show", "perft": "count.perft", "playouts": "playouts.playouts",
        "check": "upkeep.check",
    },
    "Cards, words and what is hidden": {
        "equilibrium": "equilibrium.equilibrium", "exploit": "equilibrium.exploit", "equity": "equity.equity", "dd": "dd.dd",
        "words": "words.words",
    },
    "Learn and prepare": {
        "learn": "learn.learn", "tune": "chess.tune", "book": "chess.book", "tables": "tables.tables", "warm": "upkeep.warm",
    },
    "Protocols": {"uci": "uci.uci", "gtp": "gtp.gtp", "hub": "hub.hub", "nboard": "nboard.nboard"},
    "This machine": {"doctor": "lists.doctor", "bench": "bench.bench"},
}  # fmt: skip
"""Every command under the heading of the help, and the function, or the group of further commands, that it is."""

COMMANDS = {name: place for panel in PANELS.values() for name, place in panel.items()}

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"]}


def first_words(module: str, name: str) -> str:
    """What a command says of itself, read from its file: importing all of them would import the compiler."""
    text = (Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    said = re.search(rf'^def {name}\(.*?\n    """(.*?)(?:\n\n|""")', text, re.DOTALL | re.MULTILINE)
    said = said or re.search(rf'^{name} = typer\.Typer\(.*?help="(.*?)"', text, re.DOTALL | re.MULTILINE)
    return " ".join(said[1].split()) if said else ""


class Plain:
    """Reads what is plain to see of an option's value; for the rest it makes way for Typer's own reader.

    Newer versions of Typer ask Pydantic even for a text or for what is not given, and importing Pydantic takes longer than
    everything else of a command's start but NumPy and Numba.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter, in the way of Typer's `RuntimeParam`."""
        described = param.type_descriptor
        told = described.parameter_info
        is_free = all(getattr(told, name, None) is None for name in ("min", "max", "parser", "click_type"))
        if not (param.multiple or param.nargs != 1):
            if value is None:
                return None
            if is_free and type(value) is described.annotation and type(value) in (str, int, float, bool):
                return value
            if is_free and described.annotation is int and re.fullmatch(r"-?[0-9]{1,18}", str(value)):
                return int(value)
            if is_free and described.annotation is float and re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", str(value)):
                return float(value)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


class PlainlyRead:
    """A command, or a group, whose parameters get the plain reader; older versions of Typer never ask it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters and the option of help."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # of the Typer class beside this one
        for each in parameters:
            if getattr(each, "_runtime_param", ()) is None:
                each._runtime_param = Plain()
        return parameters


class Command(PlainlyRead, typer.core.TyperCommand):
    """One command."""


class Commands(PlainlyRead, typer.core.TyperGroup):
    """The group of all commands, each imported when it is asked for."""

    is_listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, name: str) -> Any:
        """A command by its name; while help lists them, its line alone."""
        if name not in COMMANDS:
            return None
        module, _, function = COMMANDS[name].partition(".")
        if self.is_listing:
            panel = next(title for title, names in PANELS.items() if name in names)
            return typer.core.TyperCommand(name, help=first_words(module, function), rich_help_panel=panel)
        found = getattr(importlib.import_module(f"outplay.cli.{module}"), function)
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings=SETTINGS)
            alone.command(name, cls=Command)(found)
            found = alone
        command = typer.main.get_command(found)
        command.name = name
        return command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help text, without importing the commands."""
        self.is_listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self.is_listing = False

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Completion of a command's name, without importing the commands."""
        self.is_listing = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self.is_listing = False


app = typer.Typer(
    name="outplay",
    cls=Commands,
    help="Play, solve and explain games. Every command takes --help, --json for scripts, and --debug for tracebacks.",
    add_completion=True,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings=SETTINGS,
)

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


def _version(wanted: bool) -> None:
    if wanted:
        print(f"outplay {outplay.__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")]


@app.callback()
def _options(context: typer.Context, version: Version = False) -> None:
    if context.invoked_subcommand is None:
        print(FIRST_STEPS)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; whatever goes wrong is told in one line on standard error."""
    debug = "--debug" in arguments or bool(os.environ.get("OUTPLAY_TRACEBACK"))  # every command takes it, at any place
    arguments = [argument for argument in arguments if argument != "--debug"]
    warnings.simplefilter("ignore", SyntaxWarning)  # of a text that somebody typed: the answer says what is wrong with it
    try:
        status = typer.main.get_command(app)(args=list(arguments), prog_name="outplay", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except UsageError as problem:
        return _fail(usage(problem, arguments), 2)
    except OutplayError as problem:
        if debug:  # with what Numba or the rules said in their own words
            traceback.print_exception(problem)
        return _fail(str(problem), 2)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
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


def usage(problem: Any, arguments: Sequence[str]) -> str:
    """A wrong use of the command line in one line, with the nearest right word."""
    said = " ".join(problem.format_message().split())
    context = problem.ctx
    where = context.command_path if context is not None else "outplay"
    command = re.match(r"No such command ['\"](.+?)['\"]\.", said)
    if command:
        known = context.command.list_commands(context)
        near = nearest(command[1], known)
        told = f"unknown command {shorten(command[1])!r}: "
        return told + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
    option = getattr(problem, "option_name", None)
    if option and said.startswith("No such option"):
        known = [name for parameter in context.command.params for name in parameter.opts if name.startswith("-")]
        near = nearest(option, known)
        told = f"unknown option {shorten(option)!r} of {where}: "
        return told + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
    extra = re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", said)
    if extra:
        return f"unexpected {shorten(extra[1])!r} after {where}: a name with spaces needs quotes or hyphens, as in connect-four"
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
