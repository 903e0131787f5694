"""Commands that look without thinking: `games`, `show`, `check`. None of them needs the compiler."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from outplay.cli.commands import Argument, Option
from outplay.cli.common import (
    ActionsText,
    AsJson,
    GameName,
    PositionText,
    console,
    outcome_in_words,
    player_name,
    position_of,
    print_json,
    print_table,
)
from outplay.errors import BadValue
from outplay.files import write_whole

MOST_LISTED, SAMPLE = 300, 12
"""Actions of a position that `show` lists, and how many it names of more than that."""


def games(
    game: Annotated[str | None, Argument(metavar="[GAME]", help="One of them, such as go: what its parameters are for.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games that come with Outplay, with their traits; or what the parameters of one of them are for."""
    from outplay.game import game_names, load

    if game is not None:
        return _one_game(game, as_json)
    listed: list[dict[str, Any]] = []
    for name in game_names():
        each = load(name)
        summary = (each.__doc__ or "").strip().splitlines()
        listed.append({
            "name": name,
            "players": each.traits.players,
            "chance": each.traits.chance,
            "information": each.traits.information,
            "sum": each.traits.sum,
            "parameters": _parameters(each),
            "summary": summary[0] if summary else "",
        })
    if as_json:
        print_json({"games": listed})
        return
    rows = []
    for row in listed:
        parameters = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
        chance = "yes" if row["chance"] else "no"
        rows.append((row["name"], str(row["players"]), chance, row["information"], row["sum"], parameters))
    print_table(("game", "players", "chance", "information", "sum", "parameters"), rows)


def _parameters(game: Any) -> dict[str, Any]:
    """The parameters of a game with their defaults: from the decorator, or from a plain class's constructor."""
    rules = getattr(game, "rules", None)
    if rules is not None:
        return dict(rules.definition.defaults)
    import inspect

    found = inspect.signature(type(game)).parameters.values()
    return {p.name: p.default for p in found if p.default is not p.empty and isinstance(p.default, int | float | str)}


def _one_game(name: str, as_json: bool) -> None:
    """A game's parameters: the default, what may be chosen, what it is for."""
    from outplay.game.card import options
    from outplay.game.loading import load
    from outplay.rules import describe_range

    game = load(name)
    told, rules = options(game), getattr(game, "rules", None)
    ranges = rules.definition.ranges if rules is not None else {}
    rows = [
        {"name": key, "default": default, "range": describe_range(ranges[key]) if key in ranges else "", "help": told.get(key, "")}
        for key, default in _parameters(game).items()
    ]
    if as_json:
        print_json({"game": game.name, "parameters": rows})
    elif not rows:
        console().print(f"{game.name} has no parameters; outplay rules {name.replace(' ', '-')} tells its rules", markup=False)
    else:
        print_table(("parameter", "default", "may be", "what for"),
                    [(row["name"], str(row["default"]), row["range"], row["help"]) for row in rows])  # fmt: skip


def rules(game: GameName, as_json: AsJson = False) -> None:
    """Tell the rules of a game: what one wants, how one moves, what is special, and its start as a picture."""
    from rich.table import Table
    from rich.text import Text

    from outplay.game.card import card
    from outplay.game.loading import load

    loaded = load(game)
    told = card(loaded)
    if as_json:
        print_json({"game": told.name, "summary": told.summary, "lines": dict(told.lines), "more": list(told.more),
                    "facts": dict(told.facts), "options": dict(told.options)})  # fmt: skip
        return
    screen = console()
    screen.print(f"{told.name[:1].upper()}{told.name[1:]}", style="bold", markup=False)
    screen.print(told.summary, markup=False)
    for lines in (told.lines, told.facts, told.options):
        if lines:
            screen.print()
            grid = Table.grid(padding=(0, 2, 0, 0))
            for heading, text in lines:
                grid.add_row(Text(heading, style="bold"), Text(text))
            screen.print(grid)
    for each in told.more:
        screen.print()
        screen.print(each, markup=False)
    if (picture := loaded.start().picture()) is not None:
        from outplay.views import text as as_text

        screen.print()
        screen.print(as_text.board(picture, markup=screen.is_terminal), markup=screen.is_terminal)


def show(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    out: Annotated[Path | None, Option("--out", metavar="FILE.svg", help="Write the board as an SVG picture.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a position: its board, who is to move and what may be done."""
    shown = position_of(game, position, actions)
    listed = shown.actions()
    is_long = len(listed) > MOST_LISTED and not shown.is_chance()
    if is_long and not as_json:
        listed = tuple(listed[number * len(listed) // SAMPLE] for number in range(SAMPLE))
    texts = [shown.action_text(action) for action in listed]
    from outplay.views.plain import picture_of

    picture = picture_of(shown)
    if out is not None:
        _write_svg(out, shown, picture)
    if as_json:
        answer = {
            "game": shown.game.name,
            "position": shown.text(),
            "player": shown.player(),
            "actions": texts,
            "terminal": shown.is_terminal(),
            "utilities": list(shown.utilities()) if shown.is_terminal() else None,
        }
        if shown.is_chance() and not shown.is_sampled():
            answer["chances"] = [probability for _, probability in shown.chances()]
        if out is not None:
            answer["out"] = str(out)
        print_json(answer)
        return
    screen = console()
    if picture is not None:
        from outplay.views import text

        screen.print(text.board(picture, markup=screen.is_terminal), markup=screen.is_terminal)
        screen.print()
    screen.print(f"position  {shown.text()}", markup=False)
    if shown.is_terminal():
        screen.print(f"result    {outcome_in_words(shown)}")
        return
    screen.print(f"to move   {player_name(shown)}")
    if shown.is_sampled():
        texts = ["(drawn, too many to list)"]
    elif shown.is_chance():
        texts = [f"{name} ({probability:.4g})" for name, (_, probability) in zip(texts, shown.chances(), strict=True)]
    if is_long:
        screen.print(f"actions   {len(shown.actions()):,}, among them {' '.join(texts)} (--json lists all)", markup=False)
        return
    screen.print("actions   " + " ".join(texts), markup=False)


def _write_svg(out: Path, shown: Any, picture: Any) -> None:
    from outplay.views import svg

    if out.suffix.lower() != ".svg":
        raise BadValue(f"--out writes an SVG picture: expected a name that ends in .svg, got {str(out)!r}")
    if picture is None:
        raise BadValue(f"{shown.game.name} has no board to draw: its rules lack a picture(self)")
    write_whole(out, svg.board(picture, title=f"{shown.game.name}: {shown.text()}"))
