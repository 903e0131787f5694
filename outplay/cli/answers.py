"""How a Result is told: as fields for JSON, and in words for people.

>>> from outplay.game import load
>>> from outplay.values import Result
>>> start = load("tic-tac-toe").position("xx./oo./... x")
>>> win = Result(action=2, value=1.0, line=(2,), depth=1, nodes=2)
>>> value_in_words(win, start)
'+1: win for Crosses'
>>> fields(win, start, "minimax")["action"]
'c3'
>>> value_in_words(Result(None, -4.8e-16, exact=False), load("backgammon").start())
'0: nothing decided this far ahead'
>>> value_in_words(Result(None, -10.0), load("othello").start())
'-10 discs for Black'
"""

from __future__ import annotations

from typing import Any

from outplay.cli.common import action_texts, seats
from outplay.game import Position
from outplay.judge.shares import unit_of
from outplay.values import UTILITY, Result
from outplay.views import results

ROUNDING = 1e-12
"""A value nearer to zero than this is zero: an average over chance that comes out even leaves some of its last digits."""


def fields(result: Result, position: Position, algorithm: str) -> dict[str, Any]:
    """A Result for JSON; actions and lines are in the game's notation."""
    told = results.fields(result, position, algorithm)
    return {
        "game": position.game.name,
        "position": position.text(),
        "player": position.player(),
        **told,
        "values": _values(told["value"], position.game.players),
        "choices": choices(result, position),
        "selective_depth": result.facts.get("selective_depth", result.depth),
        **{key: result.facts[key] for key in ("cost", "bound") if key in result.facts},
        **({"plan": str(result.facts["plan"])} if result.facts.get("plan") else {}),
    }


def _values(value: Any, players: int) -> list[Any]:
    """The value of each player."""
    return list(value) if isinstance(value, tuple) else [value] if players == 1 else [value, None if value is None else -value]


def choices(result: Result, position: Position) -> list[dict[str, Any]]:
    """What a Result knows of each action, for JSON, the best first; values are those of the Result itself."""
    return [
        {
            "action": position.action_text(one.action),
            "value": one.value,
            "interval": one.interval,
            "visits": one.visits,
            "share": one.share,
            "proved": one.proved,
            "line": action_texts(position, one.line),
        }
        for one in result.choices
    ]


def value_in_words(result: Result, position: Position) -> str:
    """What a value means to whom."""
    if "cost" in result.facts or "plan" in result.facts:
        return _way_in_words(result)
    value = result.value
    if value != value:
        return "no value given"
    estimate = "" if result.exact else " (an estimate)"
    if isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, tuple):
        parts = (f"{number(part)} for {seat}" for seat, part in zip(seats(position.game), value, strict=True))
        unit = getattr(position.game, "pays", "") if result.unit == UTILITY else result.unit
        return ", ".join(parts) + (f", {unit}" if unit else "") + estimate
    pays = getattr(position.game, "pays", "")
    if position.game.players == 1:
        unit = f" {pays or result.unit}" if pays or result.unit != UTILITY else ""
        return f"{value:g}{unit}{estimate}"
    least, most = position.game.traits.bounds
    share = value / result.scale
    soon = f" in {plies(result.facts['distance'])}" if result.facts.get("distance") else ""
    if (least, most) == (-1.0, 1.0) and abs(share) == 1.0 and (result.exact or soon):  # a mean of 1 is no proof, a mate in sight is
        return f"{'+1' if share > 0 else '-1'}: win for {seats(position.game)[0 if share > 0 else 1]}{soon}"
    if result.exact and abs(value) < ROUNDING:
        return "0: a draw" if (least, most) == (-1.0, 1.0) else "0: even"
    if abs(value) < ROUNDING:
        return "0: nothing decided this far ahead"
    unit = f" {pays}" if pays and result.scale == 1.0 else "" if result.unit == UTILITY else f" {result.unit}"
    if result.unit == UTILITY and (paid := unit_of(position.game)).utility == 1 and paid.name not in ("points", "games"):
        unit = " " + paid.words(value).partition(" ")[2]  # the game pays what its evaluation counts hundredths of
    between = ", from -1 to 1" if not unit and (least, most) == (-1.0, 1.0) else ""
    return f"{number(value)}{unit} for {seats(position.game)[0]}{between}{estimate}"


def _way_in_words(result: Result) -> str:
    """What a search for a way found."""
    if result.facts.get("plan"):
        return f"a plan that always works, of {in_actions(result.depth)} at most"
    if result.facts.get("cost") is not None:
        cost = result.facts["cost"]
        return f"solved in {in_actions(len(result.line))}" + (f", cost {cost:g}" if cost != len(result.line) else "")
    if result.exact:
        return "there is no way to the goal"
    return "not solved yet" + (f": a way costs at least {result.facts['bound']:g}" if "bound" in result.facts else "")


def in_actions(count: int) -> str:
    """A number of actions, in words."""
    return "1 action" if count == 1 else f"{count} actions"


def number(value: float) -> str:
    """A signed number without trailing zeros."""
    return "0" if abs(value) < ROUNDING else f"{value:+.6g}"


def line_in_words(result: Result, position: Position) -> str:
    """The expected play, and whether it ends the game."""
    texts = action_texts(position, result.line)
    if not texts:
        return "-"
    for action in result.line:
        position = position.result(action)
    ending = f"  (the game ends in {plies(len(texts))})" if position.is_terminal() else ""
    return " ".join(texts) + ending


def plies(count: int) -> str:
    """A number of plies, in words."""
    return "1 ply" if count == 1 else f"{count} plies"
