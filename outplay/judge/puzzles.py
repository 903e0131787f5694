"""Puzzles: positions with one best action, proved, cut from anybody's games or from games of our own.

A puzzle's position has an action that alone wins or alone holds: by a solver, tables or every line to the end, or, where only an
estimate knows, by a margin that holds at ten times the nodes. Its rating is the strength of the weakest level of the ladder that
finds it every time it is asked. The tempting wrong tries come with their refutations.

>>> from outplay.game import load
>>> found = list(cut(load("tic-tac-toe").start(), ["a1", "b2", "c3", "a2"], nodes=2000))
>>> [(each.position, each.solution[0], each.kind) for each in found][-1:]
[('.../.../x.. o', 'b2', 'save the draw')]
>>> check(found[0])
''
"""

from __future__ import annotations

import functools
import json
import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from outplay import extras
from outplay.errors import BadNotation, BadValue, OutplayError
from outplay.files import write_whole
from outplay.game import Position, known_game
from outplay.judge.claims import features
from outplay.judge.hidden import HiddenJudge, Weighed
from outplay.judge.review import replayed, texts
from outplay.judge.shares import Unit
from outplay.judge.worth import SIMULATION, SURE, Judge, Worth, can_prove, proof_of_end
from outplay.players.algorithms import search
from outplay.players.levels import level
from outplay.playing import chance_source, drawn
from outplay.values import Action, Limits, Result

NODES = 20_000
PROOF = 10
"""What an estimate says has to hold at so many times the nodes."""

GAP = 0.25
"""So much of the share of winning the best action must be ahead of all others where only an estimate knows."""

GAP_OF_A_ROLL = 0.06
"""The same where there are dice: no single roll decides as much."""

GAP_OF_A_VIEW = 0.02
"""The same where something is hidden, and the best action is surely better: by intervals, over all that may be."""

KEPT = 0.75
"""And so much of that at ten times the nodes."""

LADDER = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400)
TRIES = 3
"""A level solves a puzzle when it finds the action in all of so many tries."""

SOON, MATE_NODES = 4, 500_000
"""A win by force is a puzzle where no other action wins within as many plies; proved for so many after the action."""

EASIEST, PATIENCE = 0.4, 2
"""No more than this share of the puzzles is found by the weakest level, unless so many times the wanted ones are found."""

MOST_WRONG = 3
MOST_ACTIONS = 60
LINE = 9


@dataclass(frozen=True)
class Puzzle:
    """One position with one best action."""

    game: str
    position: str
    solution: tuple[str, ...]  # the best action, and what comes of it
    kind: str
    rating: int
    proved_by: str
    wrong: tuple[tuple[str, str], ...] = ()  # tempting tries, each with its refutation
    gap: float = 0.0  # in shares: how far the next best is behind, 1 and 0.5 where results are proved


# ---------------------------------------------------------------- made


def cut(start: Position, actions: Sequence[str], nodes: int = NODES, *, judge: Judge | None = None) -> Iterator[Puzzle]:
    """The puzzles of one game, the last one first."""
    judge = judge or Judge(start.game, nodes)
    positions, _ = replayed(start, actions)
    for ply in reversed(range(len(positions))):
        judge.check()
        found = puzzle(positions[ply], judge, positions[:ply])
        if found is not None:
            yield found


def puzzle(position: Position, judge: Judge, earlier: Sequence[Position] = ()) -> Puzzle | None:
    """The puzzle that a position is, None where it is none."""
    game = position.game
    if position.is_terminal() or position.is_chance() or game.traits.sides != 2 or game.traits.sum == "general":
        return None
    if game.traits.information == "hidden":
        return _of_a_view(position, judge)
    if not 1 < len(position.actions()) <= MOST_ACTIONS:
        return None
    mover = position.player()
    before = judge.worth(position, earlier)
    best = before.action
    if best is None or (before.proved and _rank(before, mover) == 0) or before.share(mover) < 0.3:
        return None
    if game.offers("reversible") and any(past == position for past in earlier):
        return None  # the past would have a say
    found = _proved_one(position, best, judge) if before.proved else _estimated_one(position, best, judge)
    if found is None:
        return None
    worths, proof, gap = found
    after = worths[best]
    others = sorted((action for action in worths if action != best), key=lambda action: -tempting(position, action))
    wrong = tuple((position.action_text(action), _refutation(position, action, worths[action])) for action in others[:MOST_WRONG])
    line = texts(position, (best, *after.line), LINE)
    made = Puzzle(game.name, position.text(), line, kind_of(position, best, worths, judge), 0, proof, wrong, round(gap, 3))
    return replace(made, rating=rate(position, best, judge))


def _of_a_view(position: Position, judge: Judge) -> Puzzle | None:
    """The puzzle of somebody who does not see all: the one action that is surely better than every other, by what can be seen."""
    mover, game = position.player(), position.game
    view = position.observe(mover)
    if len(view.actions()) < 2:
        return None
    told = HiddenJudge(judge).each(position)
    if told is None or not _stands_out(told):
        return None
    kind = own_kind(view, told.best)
    if kind is None:
        return None
    if extras.of(game).weigh:  # by few deals so far
        again = HiddenJudge(judge.deeper(PROOF)).each(position)
        if again is None or again.best != told.best or not _stands_out(again):
            return None
        told = again
    unit = Unit(told.unit, 1.0, 0.0)
    others = sorted((one for one in told.values if one != told.best), key=lambda one: -told.values[one])
    wrong = tuple(
        (view.action_text(one), f"{unit.words(told.values[told.best] - told.values[one])} worse") for one in others[:MOST_WRONG]
    )
    made = Puzzle(game.name, view.text(), (view.action_text(told.best),), kind, 0, told.by, wrong, round(_ahead(told), 3))
    return replace(made, rating=rate(view, told.best, judge))


def _ahead(told: Weighed) -> float:
    """By how much of the share of winning the best action is ahead of all others."""
    return told.shares[told.best] - max(share for one, share in told.shares.items() if one != told.best)


def _stands_out(told: Weighed) -> bool:
    """Whether every other action is surely worse, and by enough."""
    return len(told.worse) == len(told.values) - 1 and _ahead(told) >= GAP_OF_A_VIEW


def own_kind(view: Position, best: Action) -> str | None:
    """The game's own name for what has to be found; None where the game names some and this is none of them."""
    known = extras.of(view.game)
    if not known.puzzle:
        return "only move"
    told: str = known.fetch(known.puzzle)(view, best)
    return told or None


def _rank(worth: Worth, seat: int) -> int:
    value = worth.values[seat]
    return 2 if value > SURE else 0 if value < -SURE else 1


def _proved_one(position: Position, best: Action, judge: Judge) -> tuple[dict[Action, Worth], str, float] | None:
    """Every action's proved worth, where the best one alone has its result, or alone its value by a stake's margin."""
    mover = position.player()
    worths: dict[Action, Worth] = {}
    mine = judge.after(position, best)
    if not mine.proved:
        return None
    if is_mate(judge, mine, mover):
        if any(wins_as_soon(position, action, mine, mover) for action in position.actions() if action != best):
            return None
        worths = {action: judge.after(position, action) for action in position.actions()}
        return worths, "every line to the end", max(0.0, _gap(worths, best, mover))
    for action in position.actions():
        worths[action] = judge.after(position, action)
        if not worths[action].proved:
            if judge.game.traits.chance or can_prove(position) or not _is_far(judge, position, mine, worths[action], action, mover):
                return None
        elif action != best and is_as_good(judge, worths[action], mine, mover):
            return None
    behind = max(worths[action].share(mover) for action in worths if action != best)
    whole = all(each.proved for each in worths.values())
    return worths, "every line to the end" if whole else f"{judge.nodes * PROOF:,} nodes", mine.share(mover) - behind


def is_mate(judge: Judge, mine: Worth, seat: int) -> bool:
    """Whether an action wins by force within a few moves, where the engine counts them."""
    has_distances = judge.unit.utility == 0 and judge.game.offers("evaluate") and not judge.game.traits.chance
    return mine.proved and has_distances and _rank(mine, seat) == 2 and mine.distance is not None and mine.distance <= SOON


def wins_as_soon(position: Position, action: Action, mine: Worth, seat: int) -> bool:
    """Whether another action wins as soon, by a search that passes nothing over."""
    after = position.result(action)
    if after.is_terminal():
        return after.utility(seat) > 0
    found = proof_of_end(after, mine.distance or 0, MATE_NODES) if mine.distance else None
    return found is not None and (found > 0) == (seat == 0)


def is_as_good(judge: Judge, other: Worth, mine: Worth, seat: int) -> bool:
    """Whether another action has the same proved result, and no worse a value than by the margin."""
    return _rank(other, seat) >= _rank(mine, seat) and other.values[seat] >= mine.values[seat] - least_margin(judge)


def _is_far(judge: Judge, position: Position, mine: Worth, other: Worth, action: Action, mover: int) -> bool:
    """Whether an estimate beside a proof is far enough behind it, at ten times the nodes as well."""
    least = least_gap(judge)
    if mine.share(mover) - other.share(mover) < least:
        return False
    return mine.share(mover) - judge.deeper(PROOF).after(position, action).share(mover) >= least * KEPT


def least_gap(judge: Judge) -> float:
    """By how much of the share of winning an estimate has to be ahead of all others."""
    return GAP_OF_A_ROLL if judge.game.traits.chance else GAP


def least_margin(judge: Judge) -> float:
    """By how much, in the unit, one action must be ahead of another with the same result; infinite where only the result counts."""
    if judge.unit.name == "games" or judge.unit.utility == 0:
        return math.inf
    return 2.0 if not judge.game.traits.chance else 0.1


def _estimated_one(position: Position, best: Action, judge: Judge) -> tuple[dict[Action, Worth], str, float] | None:
    """Every action's worth, where the best one is far ahead at these nodes and at ten times as many."""
    mover = position.player()
    found = None
    for found in judge.results(position, lines=2):  # noqa: B007  the last one counts
        pass
    second = None if found is None else next((one for one in found.choices if one.action != best and one.value is not None), None)
    if found is not None and second is not None and not judge.game.traits.chance:
        known = {} if second.distance is None else {"distance": second.distance}
        told: Any = second.value
        read = judge.read(replace(found, value=told, exact=second.proved, choices=(), facts=known), position)
        if judge.worth(position).share(mover) - read.share(mover) < least_gap(judge):
            return None
    worths = _far_behind(position, best, judge, least_gap(judge))
    if worths is None:
        return None
    gap, deeper = _gap(worths, best, mover), judge.deeper(PROOF)
    again = _far_behind(position, best, deeper, max(least_gap(judge), gap) * KEPT)
    if again is None:
        return None
    return again, f"{deeper.nodes:,} nodes", min(gap, _gap(again, best, mover))


def _far_behind(position: Position, best: Action, judge: Judge, least: float) -> dict[Action, Worth] | None:
    """Every action's worth, where all but the best one are so far behind it: those that look best are looked at first."""
    mover = position.player()
    worths = {best: judge.after(position, best)}
    mine = worths[best].share(mover)
    for action in sorted((each for each in position.actions() if each != best), key=lambda each: -tempting(position, each)):
        worths[action] = judge.after(position, action)
        if mine - worths[action].share(mover) < least:
            return None
    return worths


def _gap(worths: dict[Action, Worth], best: Action, mover: int) -> float:
    return worths[best].share(mover) - max(worths[action].share(mover) for action in worths if action != best)


def _refutation(position: Position, action: Action, worth: Worth) -> str:
    """What comes of a wrong try."""
    after = position.result(action)
    line = texts(after, worth.line, 4) if not after.is_terminal() else ()
    told = worth.in_words(position.player())
    return f"{' '.join(line)} ({told})" if line else told


def tempting(position: Position, action: Action) -> float:
    """How much an action looks like the right one: the game's own order, or EVAL of what it leads to."""
    game = position.game
    if game.offers("evaluate"):
        after = position.result(action)
        if not after.is_terminal():
            return float(after.evaluate(position.player()))
    return float(position.order(action)) if game.offers("order") else 0.0


def kind_of(position: Position, best: Action, worths: dict[Action, Worth], judge: Judge) -> str:
    """What sort of puzzle it is."""
    mover, mine = position.player(), worths[best]
    is_result = judge.unit.name == "games" or judge.unit.utility == 0
    if mine.proved and is_result and _rank(mine, mover) == 2:
        if mine.distance is not None and judge.game.offers("evaluate"):
            moves = mine.distance // 2 + 1
            return "win at once" if moves == 1 else f"win in {moves}"
        if position.result(best).is_terminal():
            return "win at once"
        return "the only win"
    if mine.proved and _rank(mine, mover) == 1:
        return "save the draw"
    if mine.proved and not judge.game.traits.chance:
        return "the most of the ending"
    if judge.game.traits.chance:
        return "best play of the roll"
    gained = _gained(position, best, mine)
    return "only move" if not gained else "win material" if gained == "material" else f"win material: {gained}"


def _gained(position: Position, best: Action, mine: Worth) -> str:
    """The feature of the evaluation that the solution's line wins most of, where that is a clear gain."""
    game = position.game
    stake = float(getattr(getattr(game, "rules", None), "stake", 0) or 0)
    if not stake or not game.offers("evaluate"):
        return ""
    mover, end = position.player(), position.result(best)
    for action in mine.line[:6]:
        if end.is_terminal() or action not in end.actions():
            break
        end = end.result(action)
    if end.is_terminal():
        return ""
    here, there = features(position, mover), features(end, mover)
    gain = {name: there.get(name, 0.0) - here.get(name, 0.0) for name in here if not name.startswith("weight ")}
    most = max(gain, key=lambda name: gain[name], default="")
    return most if most and gain[most] >= 0.8 * stake else ""


def rate(position: Position, best: Action, judge: Judge) -> int:
    """The weakest level of the ladder that finds the action in each of three tries; the top and two hundred where none does."""
    for rating in LADDER:
        player = level(rating)
        nodes = min(player.nodes or judge.nodes, judge.nodes)
        last = _searched(judge, position, (), nodes)
        if all(player.choose(position, last, random.Random(number)) == best for number in range(TRIES)):
            return rating
    return LADDER[-1] + 200


def _searched(judge: Judge, position: Position, past: Sequence[Position], nodes: int) -> Result:
    """What a search of so many nodes finds, with a table of its own: of what the mover sees."""
    if position.game.traits.information == "hidden":
        limits = Limits(simulations=max(20, nodes // SIMULATION))
        results = search(position.observe(position.player()), "auto", limits, lines=4, seed=1, stop=judge.stop)
    else:
        fresh = Judge(judge.game, nodes, proofs=0, fit=judge.fit, stop=judge.stop)
        results = fresh.results(position, past, lines=4)
    last: Result | None = None
    for last in results:  # noqa: B007  the last one counts
        judge.check()
    assert last is not None
    return last


def own_games(game: Any, count: int, seed: int = 0, nodes: int = 3000, stop: threading.Event | None = None) -> Iterator[list[str]]:
    """The moves of games between players of mixed strength."""
    from outplay.judge.calibrating import MOST_PLIES, OPENING

    judge, hides = Judge(game, nodes, proofs=0, stop=stop), game.traits.information == "hidden"
    for number in range(count):
        source = random.Random(seed * 1_000_003 + number)
        players = [level(source.choice((700, 1000, 1300, 1600))) for _ in range(game.players)]
        position = game.start()
        past: list[Position] = []
        told: list[str] = []
        while not position.is_terminal() and len(told) < MOST_PLIES and not drawn(position, past[::-1]):
            judge.check()
            if position.is_chance():
                action = position.sample_chance(chance_source(seed + number, len(told)))
            elif len(position.actions()) == 1 or (len(past) < OPENING and not extras.of(game).weigh):
                action = source.choice(position.actions())
            else:
                player = players[position.player()]
                many = min(player.nodes or nodes, nodes)
                if hides:
                    action = player.choose(position.observe(position.player()), _searched(judge, position, past, many), source)
                else:
                    last = None
                    for last in judge.results(position, past, lines=4, nodes=many):  # noqa: B007  the last one counts
                        pass
                    assert last is not None
                    action = player.choose(position, last, source)
            told.append(position.action_text(action))
            past.append(position)
            position = position.result(action)
        yield told


def make(
    game: Any,
    games: Iterator[tuple[Position, list[str]]],
    wanted: int,
    nodes: int = NODES,
    *,
    stop: threading.Event | None = None,
    told: Callable[[int, int], None] | None = None,
    most_a_game: int = 4,
    kept: Callable[[list[Puzzle]], None] | None = None,
    known: Sequence[Puzzle] = (),
) -> list[Puzzle]:
    """So many puzzles, at most a few of one game, none twice or known already; `kept` is given all whenever there is one more."""
    found: dict[str, Puzzle] = {}
    old = {(each.game, each.position) for each in known}
    most_easy = math.ceil(EASIEST * wanted)

    def chosen() -> list[Puzzle]:
        easy = [each for each in found.values() if each.rating == LADDER[0]]
        others = [each for each in found.values() if each.rating != LADDER[0]]
        room = most_easy if len(found) < PATIENCE * wanted else max(most_easy, wanted - len(others))
        return others[:wanted] + easy[: min(room, wanted - len(others[:wanted]))]

    def ordered() -> list[Puzzle]:
        return sorted(chosen(), key=by_rating)

    for number, (start, actions) in enumerate(games):
        taken = 0
        judge = Judge(game, nodes, stop=stop)
        for each in cut(start, actions, judge=judge):
            if each.position not in found and (each.game, each.position) not in old:
                found[each.position] = each
                taken += 1
                if kept is not None:
                    kept(ordered())
            if told is not None:
                told(number, len(chosen()))
            if taken >= most_a_game or len(chosen()) >= wanted:
                break
        if told is not None:
            told(number + 1, len(chosen()))
        if len(chosen()) >= wanted:
            break
    if (rest := wanted - len(chosen())) > 0:  # of few games even the easy ones are welcome
        few = {each.position for each in chosen()}
        return sorted([*chosen(), *[each for each in found.values() if each.position not in few][:rest]], key=by_rating)
    return ordered()


def by_rating(puzzle: Puzzle) -> tuple[int, str]:
    """The easy ones first."""
    return puzzle.rating, puzzle.position


# ---------------------------------------------------------------- checked


def check(puzzle: Puzzle, nodes: int = NODES) -> str:
    """What is wrong with a puzzle, proved all anew; nothing where it holds."""
    try:
        position = known_game(puzzle.game).position(puzzle.position)
        best = position.parse_action(puzzle.solution[0])
        position.play(list(puzzle.solution))
    except (OutplayError, IndexError) as problem:
        return f"{puzzle.position}: {problem}"
    if position.game.traits.information == "hidden":
        return _check_of_a_view(puzzle, position, best, Judge(position.game, nodes * PROOF))
    judge, mover = Judge(position.game, nodes * PROOF), position.player()
    mine = judge.after(position, best)
    for action in position.actions():
        if action == best:
            continue
        text = position.action_text(action)
        if is_mate(judge, mine, mover):
            if wins_as_soon(position, action, mine, mover):
                return f"{puzzle.position}: {text} wins as soon as {puzzle.solution[0]}"
            continue
        other = judge.after(position, action)
        if mine.proved and other.proved:
            if is_as_good(judge, other, mine, mover):
                return f"{puzzle.position}: {text} is as good as {puzzle.solution[0]}"
        elif mine.share(mover) - other.share(mover) < least_gap(judge) * KEPT * KEPT:
            return f"{puzzle.position}: {text} is too close to {puzzle.solution[0]}"
    return ""


def _check_of_a_view(puzzle: Puzzle, view: Position, best: Action, judge: Judge) -> str:
    told = HiddenJudge(judge).each(view)
    if told is None:
        return f"{puzzle.position}: nothing can be told of it"
    if told.best != best:
        return f"{puzzle.position}: {view.action_text(told.best)} is better than {puzzle.solution[0]}"
    unsure = next((one for one in told.values if one != best and one not in told.worse), None)
    return "" if unsure is None else f"{puzzle.position}: {view.action_text(unsure)} is too close to {puzzle.solution[0]}"


# ---------------------------------------------------------------- files


def write(path: Path, puzzles: Sequence[Puzzle]) -> None:
    """Puzzles into a file, one a line."""
    rows = ",\n".join(json.dumps(asdict(each), ensure_ascii=False) for each in puzzles)
    write_whole(path, '{"puzzles": [\n' + rows + "\n]}\n")


def _puzzle(row: dict[str, Any]) -> Puzzle:
    wrong = tuple((str(action), str(refutation)) for action, refutation in row.get("wrong", ()))
    texts = {name: str(row.get(name, "")) for name in ("game", "position", "kind", "proved_by")}
    return Puzzle(
        solution=tuple(map(str, row["solution"])), rating=int(row["rating"]), wrong=wrong, gap=float(row.get("gap", 0)), **texts
    )


def read(path: Path) -> list[Puzzle]:
    """Puzzles out of a file."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))["puzzles"]
        return [_puzzle(row) for row in kept]
    except OSError as problem:
        raise BadValue(f"cannot read {path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation(f"{path} holds no puzzles: outplay puzzles GAME --out FILE writes some") from None


SHIPPED = Path(__file__).with_name("shipped")


def shipped(family: str) -> list[Puzzle]:
    """The puzzles that come with the package for a game; none where there are none."""
    path = SHIPPED / f"{family.replace(' ', '-')}.json"
    return read(path) if path.exists() else []


@functools.cache
def families() -> list[str]:
    """The games with puzzles that come with the package."""
    if not SHIPPED.is_dir():
        return []
    return sorted(known_game(first.game).family for path in SHIPPED.glob("*.json") for first in read(path)[:1])
