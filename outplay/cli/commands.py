"""Commands from functions: what a parameter is annotated with, an Option or an Argument, becomes that of a Click command.

>>> from typing import Annotated
>>> def greet(name: Annotated[str, Argument(metavar="NAME")], times: Annotated[int, Option("--times", min=1)] = 1) -> None:
...     '''Greet somebody.'''
...     print("hello " * times + name)
>>> run_alone(greet, "you", "--times", "2")
hello hello you
"""

from __future__ import annotations

import inspect
import os
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit as Exit
from click.shell_completion import CompletionItem, get_completion_class

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
KINDS: dict[Any, click.ParamType] = {
    str: click.STRING, int: click.INT, float: click.FLOAT, bool: click.BOOL, Path: click.Path(path_type=Path),
}  # fmt: skip


class Told:
    """What an Option and an Argument tell of a parameter: how help names it, what it is, the least number, words for a shell."""

    def __init__(self, *flags: str, metavar: str | None = None, help: str = "", min: float | None = None,
                 autocompletion: Callable[[str], list[str]] | None = None) -> None:
        self.flags, self.metavar, self.help, self.min, self.autocompletion = flags, metavar, help, min, autocompletion


class Option(Told):
    """A parameter with a name: `--depth`, or `--words/--no-words`."""


class Argument(Told):
    """A parameter by its place."""


@dataclass
class Group:
    """Commands under one name, each a function."""

    help: str

    def __post_init__(self) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}

    def command(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Take a function as a command."""

        def take(function: Callable[..., Any]) -> Callable[..., Any]:
            self.functions[name] = function
            return function

        return take


def command(name: str, of: Callable[..., Any] | Group) -> click.Command:
    """The command that a function is, or the group."""
    if isinstance(of, Group):
        parts = [command(part, function) for part, function in of.functions.items()]
        return click.Group(name, parts, help=of.help, no_args_is_help=True, context_settings=SETTINGS)
    hints = typing.get_type_hints(of, include_extras=True)
    parameters = [_parameter(each, hints[each.name]) for each in inspect.signature(of).parameters.values()]
    return click.Command(name, callback=of, params=parameters, help=inspect.getdoc(of), context_settings=SETTINGS)


def _parameter(parameter: inspect.Parameter, hint: Any) -> click.Parameter:
    kind, told = typing.get_args(hint)[:2]
    kinds = [each for each in typing.get_args(kind) if each is not type(None)] if type(None) in typing.get_args(kind) else [kind]
    is_list = typing.get_origin(kinds[0]) is list
    plain = typing.get_args(kinds[0])[0] if is_list else kinds[0]
    more: dict[str, Any] = {"type": KINDS[plain], "metavar": told.metavar, "required": parameter.default is parameter.empty}
    if told.min is not None:
        more["type"] = (click.IntRange if plain is int else click.FloatRange)(min=told.min)
    if told.autocompletion is not None:
        more["shell_complete"] = lambda context, parameter, begun: [CompletionItem(each) for each in told.autocompletion(begun)]
    if is_list:
        more["callback"] = lambda context, parameter, given: list(given) or None
    elif not more["required"]:
        more["default"] = parameter.default
    if isinstance(told, Argument):
        return click.Argument([parameter.name], **more, help=told.help, nargs=-1 if is_list else 1)
    flag = {"is_flag": True, "type": None} if plain is bool else {}
    names = [parameter.name, *(told.flags or (f"--{parameter.name.replace('_', '-')}",))]
    return click.Option(names, **{**more, **flag}, multiple=is_list, help=told.help, show_default=True)


def run_alone(of: Callable[..., Any], *words: str) -> Any:
    """Run a function as a command of its own."""
    made = command(of.__name__, of)
    with made.make_context(of.__name__, list(words)) as context:
        return made.invoke(context)


def install_completion(group: click.Command, shown: bool = False) -> None:
    """Write the script by which the shell that one uses completes words, and read it in every new one; or only show it."""
    shell = Path(os.environ.get("SHELL", "bash")).name
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"words are completed in bash, zsh and fish, and this is {shell}")
    script = kind(group, {}, "outplay", "_OUTPLAY_COMPLETE").source()
    if shown:
        return click.echo(script)
    home = Path.home()
    place = home / (".config/fish/completions/outplay.fish" if shell == "fish" else f".{shell}_completions/outplay")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script)
    line, start = f"source '{place}'\n", home / f".{shell}rc"
    if shell != "fish" and line not in (start.read_text() if start.exists() else ""):
        with start.open("a") as file:
            file.write(line)
    click.echo(f"{shell} completes the words of outplay from its next start on ({place})")

