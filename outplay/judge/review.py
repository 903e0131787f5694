"""A game looked over: for each move the better one, what it gave away, what it is called; luck beside skill; accuracy.

The positions are looked at from the last one back to the first with one table, so that what is found late in the game is known to
all that comes before it, and by nodes, so that the same game has the same review on any machine.

>>> from outplay.game import load
>>> told = review(load("tic-tac-toe").start(), ["a1", "b1", "a2", "c2"])
>>> [(move.action, move.loss, move.verdict, move.best) for move in told.moves[:2]]  # only the centre holds against a corner
[('a1', 0.0, 'best', 'a1'), ('b1', 1.0, 'blunder', 'b2')]
>>> told.accuracy[1] < told.accuracy[0] == 100.0, told.moves[1].before, told.moves[1].after
(True, 0.5, 0.0)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outplay.errors import BadValue, OutplayError
from outplay.game import Position
from outplay.judge.hidden import HiddenJudge
from outplay.judge.verdicts import FAULTS, accuracy, verdict
from outplay.judge.worth import LONGEST_PROVED, SURE, Judge, Worth, in_full, representative
from outplay.players.algorithms import is_a_problem
from outplay.values import Action


@dataclass(frozen=True)
class Move:
    """One move of a game, judged."""

    ply: int
    player: int
    action: str
    best: str
    loss: float  # in the unit, 0 or more
    unit: str
    before: float  # the mover's share of winning, had it played the best action
    after: float  # and with what it played
    given: float  # how much of that share it gave away, 0 or more
    value: float  # of the position after it, the first player's; the mover's among more than two and where something is hidden
    first: float  # the first player's share of winning after it
    worth: str  # what the position after it is worth to the mover, in words
    verdict: str
    proved: bool  # nothing was estimated: neither what the position was worth nor what it is
    line: tuple[str, ...]  # what would have come after the best action, itself first
    words: str = ""  # why
    claims: tuple[dict[str, Any], ...] = ()

    def fields(self) -> dict[str, Any]:
        """All of it for JSON."""
        return vars(self) | {"line": list(self.line), "claims": list(self.claims), "word": self.verdict}


@dataclass(frozen=True)
class Luck:
    """What chance brought, in the unit: to the player whom it served, more than the average of all it might have."""

    ply: int
    player: int
    action: str
    luck: float
    unit: str
    words: str = ""  # of a roll that changed much
    claims: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Review:
    """A game, judged."""

    game: str
    moves: tuple[Move, ...]
    accuracy: dict[int, float | None]
    luck: tuple[Luck, ...] = ()
    nodes: int = 0
    facts: dict[str, Any] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {
            "game": self.game, "moves": [move.fields() for move in self.moves],
            "accuracy": {str(seat): value for seat, value in self.accuracy.items()},
            "luck": [vars(each) for each in self.luck], "nodes": self.nodes,
        }  # fmt: skip


def can_review(position: Position) -> str:
    """Why a game cannot be looked over, or nothing."""
    traits = position.game.traits
    if traits.sum == "general" and traits.players > 1:
        return f"{position.game.name}: what the players win must add up to a constant"
    return ""


def review(start: Position, actions: Sequence[str], *, words: bool = False, **options: Any) -> Review:
    """Judge every move of a game; `options` are the judge's: nodes, seconds, tables, stop."""
    judge = Judge(start.game, **options)
    found = list(steps(start, actions, judge, words=words))
    return gathered(start.game, found, judge)


def gathered(game: Any, found: Sequence[Move | Luck], judge: Judge | None = None) -> Review:
    """The review that moves and luck make, in whatever order they came."""
    moves = tuple(sorted((each for each in found if isinstance(each, Move)), key=lambda one: one.ply))
    luck = tuple(sorted((each for each in found if isinstance(each, Luck)), key=lambda one: one.ply))
    exact = {
        seat: accuracy(one.given for one in moves if one.player == seat and one.verdict != "forced") for seat in range(game.players)
    }
    return Review(game.name, moves, exact, luck, 0 if judge is None else judge.nodes)


def steps(start: Position, actions: Sequence[str], judge: Judge, *, words: bool = False) -> Iterator[Move | Luck]:
    """The moves judged one by one, the last one first."""
    if problem := can_review(start):
        raise BadValue(problem)
    positions, played = replayed(start, actions)
    hides = start.game.traits.information == "hidden"
    hidden = HiddenJudge(judge) if hides else None
    for ply in reversed(range(len(played))):
        position, action, earlier = positions[ply], played[ply], positions[:ply]
        if position.is_chance():
            if not hides and not start.game.traits.sampled and (luck := _luck(judge, ply, positions, action)) is not None:
                yield _told(judge, luck, position, action) if words else luck
            continue
        judged = _hidden(hidden, ply, position, action) if hidden is not None else _open(judge, ply, position, action, earlier)
        if words and judged is not None:
            judged = _explained(judge, judged, position, action, earlier)
        if judged is not None:
            yield judged


def replayed(start: Position, actions: Sequence[str]) -> tuple[list[Position], list[Action]]:
    """The positions of a game, the start first, and the actions between them."""
    positions, played = [start], []
    for text in actions:
        played.append(positions[-1].parse_action(text))
        positions.append(positions[-1].result(played[-1]))
    return positions, played


def _open(judge: Judge, ply: int, position: Position, action: Action, earlier: Sequence[Position]) -> Move:
    mover = position.player()
    before, later, best = judge.sure(position, action, earlier)
    is_best = best == action
    loss = given = 0.0
    if not is_best:
        given = max(0.0, before.share(mover) - later.share(mover))
        loss = lost(before, later, mover)
    proved = before.proved and later.proved
    gap = None
    if is_best and len(position.actions()) > 1:
        gap = gap_to_second(judge, position, action, later, earlier)
    hastens = not is_best and not before.decided and later.proved and later.decided and later.values[mover] < -SURE
    hastens = hastens and later.distance is not None and 0 < later.distance <= LONGEST_PROVED
    word = verdict(given, loss, proved=proved, choices=len(position.actions()), is_best=is_best, gap=gap, hastens=hastens)
    return _move(ply, position, action, best, before, later, loss, given, word, proved, judge)


def lost(before: Worth, later: Worth, mover: int) -> float:
    """What was given away in the unit; where a result stands beside an estimate and both are not in one unit, twice the share."""
    same = before.decided == later.decided or (before.unit.utility != 0 and before.unit.name != "games")
    if same:
        return max(0.0, before.values[mover] - later.values[mover])
    return max(0.0, 2 * (before.share(mover) - later.share(mover)))


def unit_of_loss(before: Worth, later: Worth) -> str:
    """What a loss is counted in: results of the game (a win 1, a loss -1) where one of the two is a result."""
    if before.unit.name == "games" or (before.unit.utility == 0 and (before.decided or later.decided)):
        return "games"
    return before.unit.name


def gap_to_second(
    judge: Judge, position: Position, best: Action, worth: Worth, earlier: Sequence[Position], most: int = 12
) -> float | None:
    """What the second best action would give away, in shares; a proved loss of any size counts as a mistake. None: not known."""
    mover = position.player()
    others = [action for action in position.actions() if action != best]
    if worth.proved and worth.nodes * len(others) <= judge.nodes and len(others) <= most:
        told = [judge.after(position, action, earlier) for action in others]
        if all(each.proved for each in told):
            if any(each.values[mover] > worth.values[mover] - SURE for each in told):
                return 0.0
            return max(0.1, min(worth.share(mover) - each.share(mover) for each in told))
    if is_a_problem(judge.game) or judge.game.traits.chance:
        return None
    found = None
    try:
        for found in judge.results(position, earlier, lines=2, nodes=judge.nodes):  # noqa: B007  the last one counts
            pass
    except OutplayError:
        return None
    second = next((one for one in found.choices if one.action != best and one.value is not None), None) if found else None
    if found is None or second is None:
        return None
    if representative(position.result(second.action))[0] == representative(position.result(best))[0]:
        return 0.0
    value = second.value
    assert value is not None
    known = {} if second.distance is None else {"distance": second.distance}
    read = judge.read(replace(found, value=value, action=second.action, exact=second.proved, choices=(), facts=known), position)
    return max(0.0, worth.share(mover) - read.share(mover))


def _hidden(hidden: HiddenJudge, ply: int, position: Position, action: Action) -> Move | None:
    mover = position.player()
    told = hidden.better(position, action)
    if told is None:
        return None
    before, later, best, sure = told
    if not sure:  # the two cannot be told apart: nothing is said of the difference
        before = later
    given = max(0.0, before.share(mover) - later.share(mover)) if best != action and sure else 0.0
    loss = max(0.0, before.values[mover] - later.values[mover]) if best != action and sure else 0.0
    proved = before.proved and later.proved
    is_best = loss == 0.0 and (best == action or proved)
    word = verdict(given, loss, proved=proved, choices=len(position.actions()), is_best=is_best)
    return _move(
        ply, position.observe(mover), action, action if is_best else best, before, later, loss, given, word, proved, hidden.judge
    )


def _move(
    ply: int,
    position: Position,
    action: Action,
    best: Action,
    before: Worth,
    later: Worth,
    loss: float,
    given: float,
    word: str,
    proved: bool,
    judge: Judge,
) -> Move:
    mover, game = position.player(), position.game
    hides = game.traits.information == "hidden"
    seat = mover if game.players > 2 or hides else 0
    return Move(
        ply, mover, position.action_text(action), position.action_text(best), round(loss, 6), unit_of_loss(before, later),
        round(max(before.share(mover), later.share(mover)) if loss == 0 else before.share(mover), 6), round(later.share(mover), 6),
        round(given, 6), round(later.values[seat], 6), round(later.share(0), 6), later.in_words(mover), word, proved,
        texts(position, before.line if before.line[:1] == (best,) else (best,)),
    )  # fmt: skip


def texts(position: Position, line: Sequence[Action], most: int = 8) -> tuple[str, ...]:
    """A line in the game's notation, as far as it can be played."""
    told: list[str] = []
    for action in line[:most]:
        if position.is_terminal() or action not in position.actions():
            break
        told.append(position.action_text(action))
        position = position.result(action)
        if position.game.traits.information == "hidden":
            break
    return tuple(told)


def _luck(judge: Judge, ply: int, positions: Sequence[Position], action: Action) -> Luck | None:
    """What chance brought, to the player who moves next (at the end, to the first one)."""
    position, after = positions[ply], positions[ply + 1]
    outcomes = position.chances()
    if len(outcomes) == 1:
        return None
    alike = judge.smaller(len(outcomes))  # each outcome is looked at as long as the one that came
    worths = {outcome: alike.worth(position.result(outcome)) for outcome, _ in outcomes}
    later = worths[action]
    if len({each.decided for each in worths.values()}) > 1 and later.unit.utility == 0:
        return None
    seat = after.player() if not after.is_terminal() and after.player() >= 0 else 0
    mean = sum(p * worths[outcome].values[seat] for outcome, p in outcomes)
    return Luck(ply, seat, position.action_text(action), round(later.values[seat] - mean, 4), later.unit.name)


def _told(judge: Judge, luck: Luck, position: Position, outcome: Action) -> Luck:
    """The same with words, where the roll changed much."""
    from outplay.judge.claims import of_luck

    claim = of_luck(judge, position, outcome, luck.player)
    return luck if claim is None else replace(luck, words=claim.text, claims=(claim.fields(),))


def _explained(judge: Judge, judged: Move, position: Position, action: Action, earlier: Sequence[Position]) -> Move:
    """The same with the reasons, where there is something to say."""
    if judged.verdict not in (*FAULTS, "only move"):
        return judged
    from outplay.judge.claims import reasons

    try:
        claims = reasons(judge, position, action, judged, earlier)
    except OutplayError:
        judge.check()
        claims = []
    return replace(judged, words=" ".join(each.text for each in claims), claims=tuple(each.fields() for each in claims))


__all__ = ["Luck", "Move", "Review", "can_review", "in_full", "review", "steps"]
