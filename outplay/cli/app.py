"""The command line wired together: its commands, and every error as one line and an exit status.

Status 0 means done, 2 that the request was wrong, 130 that Ctrl-C stopped it, and 1 that Outplay itself failed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

import outplay
from outplay.cli import chess, count, csp, equilibrium, equity, explain, gtp, look, match, play, playouts, serve, think, uci, upkeep
from outplay.cli.main import INTERRUPTED
from outplay.errors import OutplayError, nearest, shorten

UsageError: Any = typer.BadParameter.__mro__[1]  # Typer may carry its own copy of Click, so its class is reached from here

app = typer.Typer(
    name="outplay",
    help="Play, solve and explain games. Every command takes --help, and --json for scripts.",
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"outplay {outplay.__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")]


@app.callback()
def _options(version: Version = False) -> None:
    pass


COMMANDS = (
    look.games, look.show, play.play, think.best, think.solve, think.compare, explain.explain, match.match, count.perft,
    playouts.playouts, csp.csp, uci.uci, gtp.gtp, serve.serve, upkeep.warm, upkeep.bench, upkeep.check, chess.tune,
    equilibrium.equilibrium, equilibrium.exploit, equity.equity,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)
app.add_typer(chess.book, name="book")
app.add_typer(chess.tables, name="tables")


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; whatever goes wrong is told in one line on standard error."""
    try:
        status = typer.main.get_command(app)(args=list(arguments), prog_name="outplay", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except UsageError as problem:
        if type(problem).__name__ == "NoArgsIsHelpError":  # `outplay` alone: the help is its message
            print(problem.format_message())
            return 0
        return _fail(usage(problem, arguments), 2)
    except OutplayError as problem:
        return _fail(str(problem), 2)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as leaving:  # Click leaves like this when such a reader goes, having wrapped the stream
        return 0 if type(sys.stdout).__name__ == "PacifyFlushWrapper" else int(leaving.code or 0)
    except Exception as problem:
        if os.environ.get("OUTPLAY_TRACEBACK"):
            raise
        said = shorten(" ".join(str(problem).split()), 200)
        return _fail(f"internal error: {type(problem).__name__}: {said} (OUTPLAY_TRACEBACK=1 shows where)", 1)


def _fail(message: str, status: int) -> int:
    print(" ".join(message.split()), file=sys.stderr)
    return status


def usage(problem: Any, arguments: Sequence[str]) -> str:
    """A wrong use of the command line in one line, with the nearest right word."""
    said = " ".join(problem.format_message().split())
    context = problem.ctx
    where = context.command_path if context is not None else "outplay"
    command = re.match(r"No such command ['\"](.+?)['\"]\.", said)
    if command:
        known = list(context.command.commands)
        near = nearest(command[1], known)
        return f"unknown command {command[1]!r}: " + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
    option = getattr(problem, "option_name", None)
    if option and said.startswith("No such option"):
        known = [name for parameter in context.command.params for name in parameter.opts if name.startswith("-")]
        near = nearest(option, known)
        return f"unknown option {option!r} of {where}: " + (f"did you mean {near!r}?" if near else f"known are {', '.join(known)}")
    extra = re.match(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", said)
    if extra:
        return f"unexpected {extra[1]!r} after {where}: a name with spaces needs quotes or hyphens, as in connect-four"
    parameter = getattr(problem, "param", None)
    if type(problem).__name__ == "MissingParameter" and parameter is not None:
        name = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.name.upper()
        return f"missing {name}: {where} needs it, and {where} --help lists what it takes"
    invalid = re.match(r"Invalid value for '?(--?\w+|\w+)'?: (.*)", said)
    if invalid:
        kind = next((words for word, words in KINDS.items() if word in invalid[2]), None)
        if kind:
            return f"{invalid[1]} must be {kind}, got {_given(invalid[1], arguments)!r}"
    return f"{where}: {said}"


KINDS = {"integer": "a whole number", "float": "a number", "number": "a number"}


def _given(option: str, arguments: Sequence[str]) -> str:
    """What was given for an option."""
    for number, argument in enumerate(arguments):
        if argument == option and number + 1 < len(arguments):
            return arguments[number + 1]
        if argument.startswith(option + "="):
            return argument[len(option) + 1 :]
    return "something else"
