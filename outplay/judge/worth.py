"""How good a position is: the one answer of all doors. Proofs come first, estimates are read by the fit of the game.

>>> from outplay.game import load
>>> judge = Judge(load("tic-tac-toe"))
>>> worth = judge.worth(load("tic-tac-toe").start().play("a1 b1"))
>>> worth.proved, worth.share(0), worth.share(1), worth.in_words(0)
(True, 1.0, 0.0, 'a win')

In this order: the end of the game, a draw by repetition, the tables, the one action that is legal (worth what follows it), a solver
where the game has one and the end is near enough, and a search by nodes. Positions that are twins under a symmetry of the game
are looked at as one. Nothing here looks at a clock unless seconds are given, so that one question has one answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from outplay.errors import Unavailable, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.judge.exact import to_the_end
from outplay.judge.shares import Fit, Shares, Unit, drawn_out, unit_of
from outplay.judge.verdicts import INACCURACY, MISTAKE
from outplay.players.algorithms import find_algorithm, is_a_problem, search
from outplay.players.algorithms import solve as solve_position
from outplay.playing import drawn
from outplay.values import UTILITY, Action, Limits, Result

NODES = 200_000
"""Nodes for each position, unless told otherwise."""

PROOF = 50
"""A solver gets so many times the nodes: it looks at them much quicker, and what it finds is certain."""

ROLLS = 40
"""A position that is counted out to the end, with all rolls, in plain Python, counts as so many nodes."""

TEXTBOOK_SHARE, SIMULATION = 100, 60
"""A node of the textbook, in plain Python, counts as so many; a simulated game as so many."""

DEEPER = 4
"""What seems a fault is looked at again with so many times the nodes."""

LONGEST_FORCED = 40
"""So many forced replies are followed."""

SURE = 1e-9

LONGEST_PROVED, END_PROOF = 7, 10
"""An end in sight of so many plies is proved by a search that passes nothing over, of so many times the nodes."""

DRAWS = 16
"""So many draws stand for chance that is not listed."""

FAR_FROM_THE_END = 36
"""More plies than these are left to no solver, in games that tell how many are left."""


ACTIONS = Unit("actions", 1.0, 0.0)
"""What a way to a goal is counted in."""


class Stopped(Unavailable):
    """The judge was stopped before it had an answer."""


@dataclass(frozen=True)
class Worth:
    """What a position is worth, to each seat, in the unit of the game."""

    values: tuple[float, ...]  # in `unit`: whole pawns, discs, men; in games where only the result counts, 1 for a win
    shares: tuple[Shares, ...]
    proved: bool  # nothing but ends of the game stands behind it
    unit: Unit
    decided: bool = False  # the value is one of results (a win, a draw, a mate in sight), not of an evaluation
    action: Action | None = None
    line: tuple[Action, ...] = ()
    distance: int | None = None  # plies to the end, where it is in sight
    depth: int = 0
    nodes: int = 0
    algorithm: str = ""
    mixture: tuple[tuple[Action, float], ...] = ()  # how often each action is played, where a good player mixes

    def share(self, seat: int) -> float:
        """The share of winning of a seat, from 0 to 1."""
        return self.shares[seat].share

    def in_words(self, seat: int) -> str:
        """What it means to a seat."""
        value = self.values[seat]
        if self.decided and (self.unit.utility == 0 or self.unit.name == "games"):
            how = "a win" if value > SURE else "a loss" if value < -SURE else "a draw"
            if len(self.values) == 1:
                how = "solved" if value > 0 else "no way on"
            if abs(value) not in (0.0, 1.0) and abs(value) > SURE:
                return f"{value:+.2g} on average"
            return how if not self.distance or how == "a draw" else f"{how} in {(self.distance + 1) // 2}"
        if abs(value) < SURE:
            return "even"
        return f"{'+' if value > 0 else '−'}{self.unit.words(abs(value))}"


class Judge:
    """Answers how good positions of one game are, and remembers what it was asked."""

    def __init__(
        self,
        game: Any,
        nodes: int = NODES,
        seconds: float | None = None,
        *,
        depth: int | None = None,
        algorithm: str = "",
        tables: str = "",
        proofs: int = PROOF,
        fit: Fit | None = None,
        stop: threading.Event | None = None,
        watch: Callable[[int, int], None] | None = None,
    ) -> None:
        self.game, self.nodes, self.seconds, self.depth, self.proofs = game, nodes, seconds, depth, proofs
        self.stop, self.watch, self.unit = stop, watch, unit_of(game)
        self._fit = fit
        self._kept: dict[Any, Any] = {}  # the engine's table
        self._known: dict[Any, Worth] = {}
        self._exact: dict[Any, Any] = {}  # the table of searches that pass nothing over
        self._smaller: dict[int, Judge] = {}
        self._again: Judge | None = None  # who looks again at what seems a fault
        self._failed = 0  # proofs that came to nothing, one after the other
        self._tables: Any = None
        if tables:
            from outplay.engine.tables.endings import open_tables

            self._tables = open_tables(tables, game)
        self.algorithm = algorithm or estimator(game)
        self.simulates = find_algorithm(self.algorithm, game).makes_simulations()  # a wrong name is told before anything runs

    # ------------------------------------------------ what a position is worth

    @property
    def fit(self) -> Fit:
        """How estimates are read: what comes with the package, or fitted now."""
        if self._fit is None:
            from outplay.judge.calibrating import fit_of

            self._fit = fit_of(self.game, self.stop)
        return self._fit

    def worth(self, position: Position, earlier: Sequence[Position] = ()) -> Worth:
        """What a position is worth to each seat; `earlier` is the game so far, where a repetition is a draw."""
        if self.stop is not None and self.stop.is_set():
            raise Stopped("stopped")
        if position.is_terminal():
            if is_a_problem(self.game):
                there = Shares(1.0, 0.0, 0.0) if position.is_solved() else Shares(0.0, 0.0, 1.0)
                return Worth((0.0 if position.is_solved() else -1e9,), (there,), True, ACTIONS, distance=0)
            return self._settled(position.utilities(), distance=0)
        if earlier and drawn(position, tuple(reversed(earlier))):
            return self._settled(self.game.drawn_utilities(), distance=0)
        twin, symmetry = representative(position)
        key = self._key(twin, earlier)
        if key not in self._known:
            self._known[key] = self._look(twin, earlier if symmetry == 0 else ())
        found = self._known[key]
        return found if symmetry == 0 else turned_back(position, twin, symmetry, found)

    def smaller(self, parts: int) -> Judge:
        """A judge who looks at a position for as much shorter; the same one for the same number of parts."""
        if parts not in self._smaller:
            nodes = max(200, self.nodes // parts)
            same: dict[str, Any] = {"algorithm": self.algorithm, "proofs": self.proofs, "fit": self._fit, "stop": self.stop}
            self._smaller[parts] = Judge(self.game, nodes, self.seconds, **same)
            self._smaller[parts]._is_part = True
        return self._smaller[parts]

    def deeper(self, times: int) -> Judge:
        """A judge with a table of its own and so many times the nodes; the same one each time."""
        if -times not in self._smaller:
            same: dict[str, Any] = {"algorithm": self.algorithm, "proofs": self.proofs, "fit": self._fit, "stop": self.stop}
            self._smaller[-times] = Judge(self.game, self.nodes * times, self.seconds, **same)
        return self._smaller[-times]

    def after(self, position: Position, action: Action, earlier: Sequence[Position] = ()) -> Worth:
        """What a position is worth once an action is played."""
        return self.worth(position.result(action), (*earlier, position))

    def better(self, position: Position, action: Action, earlier: Sequence[Position] = ()) -> tuple[Worth, Worth, Action]:
        """What the position was worth, what it is worth after the action, and the best action: both looked at alike.

        Where the value before is no proof, it is that of the better of two: the action that the search prefers and the one that was
        played, each with what follows it looked at as long.
        """
        mover = position.player()
        later = self.after(position, action, earlier)
        if is_a_problem(self.game):  # what the action itself costs belongs to it
            later = replace(later, values=(later.values[0] - position.cost(action),))
        if len(position.actions()) == 1:
            return replace(later, action=action, line=(action, *later.line)), later, action
        before = self.worth(position, earlier)
        best = before.action
        if best is None or best == action:
            if before.proved or best is None:
                return before, later, action
            return replace(later, action=action, line=(action, *later.line)), later, action
        if before.proved and (later.proved or not before.decided):
            if abs(before.values[mover] - later.values[mover]) < SURE:
                return before, later, action
            return before, later, best
        if before.proved:
            return before, later, best
        other = self.after(position, best, earlier)
        is_twin = representative(position.result(best))[0] == representative(position.result(action))[0]
        if is_twin or not _above(other, later, mover):
            return replace(later, action=action, line=(action, *later.line)), later, action
        return replace(other, action=best, line=(best, *other.line)), later, best

    def sure(self, position: Position, action: Action, earlier: Sequence[Position] = ()) -> tuple[Worth, Worth, Action]:
        """The same as `better`; where the action seems a fault by an estimate, both are looked at again, and that counts.

        The second look is four times as long, with a table of its own: a fault that it does not find is none.
        """
        before, later, best = self.better(position, action, earlier)
        mover = position.player()
        least = MISTAKE if self.game.traits.chance else INACCURACY  # over dice a look costs more, and a deeper one changes less
        if best == action or (before.proved and later.proved) or before.share(mover) - later.share(mover) < least:
            return before, later, best
        if self._again is None:
            same: dict[str, Any] = {"algorithm": self.algorithm, "proofs": 0, "fit": self.fit, "stop": self.stop}
            self._again = Judge(self.game, self.nodes * DEEPER, self.seconds, depth=self.depth, **same)
        if not before.proved:
            before = self._again.after(position, best, earlier)
            before = replace(before, action=best, line=(best, *before.line))
        if not later.proved:
            later = self._again.after(position, action, earlier)
        if _above(before, later, mover):
            return before, later, best
        return replace(later, action=action, line=(action, *later.line)), later, action

    def _key(self, position: Position, earlier: Sequence[Position]) -> Any:
        if not self.game.offers("reversible"):
            return position
        reach = position.reversible()
        return position, reach, sum(past == position for past in earlier[-reach - 1 :])

    def _look(self, position: Position, earlier: Sequence[Position]) -> Worth:
        if self._tables is not None and (told := self._by_tables(position)) is not None:
            return told
        if self._is_to_be_followed(position, earlier):
            only = position.actions()[0]
            self._forced += 1
            try:
                follows = self.after(position, only, earlier)
            finally:
                self._forced -= 1
            distance = None if follows.distance is None else follows.distance + 1
            return replace(follows, action=only, line=(only, *follows.line), distance=distance)
        if (proof := self._proof(position)) is not None:
            return proof
        return self._estimate(position, earlier)

    _forced = 0
    _is_part = False  # of a judge who looks at each roll

    def _is_to_be_followed(self, position: Position, earlier: Sequence[Position]) -> bool:
        """Whether the one action that is legal is followed to what it is worth.

        Whoever looks at each roll looks at no further ones: of players who wait on the bar by turns there would be no end.
        """
        if position.is_chance() or len(position.actions()) != 1 or len(earlier) >= 10_000 or self._forced >= LONGEST_FORCED:
            return False
        return not (self._is_part and position.result(position.actions()[0]).is_chance())

    # ------------------------------------------------ proofs

    def _by_tables(self, position: Position) -> Worth | None:
        found = self._tables.probe(position)
        if found is None:
            return None
        outcome, plies = found
        worth = {"win": 1.0, "draw": 0.0, "loss": -1.0}[outcome]
        mover = position.player()
        best = self._tables.best(position)
        told = self._settled(tuple(worth if seat == mover else -worth for seat in range(self.game.players)), distance=plies)
        return replace(told, action=best, line=() if best is None else (best,), algorithm="tables")

    def _proof(self, position: Position) -> Worth | None:
        """The exact value, where the end seems near enough: after two proofs in a row that came to nothing, none is tried."""
        if not self.proofs or self._failed > 1:
            return None
        if self.game.traits.chance and can_count_to_the_end(position):
            return self._by_every_roll(position)
        if not can_prove(position):
            return None
        nodes = self.nodes * self.proofs if isinstance(self.game, CompiledGame) else self.nodes // TEXTBOOK_SHARE
        if is_a_problem(self.game):
            nodes = self.nodes
        elif plies_left(position) > FAR_FROM_THE_END:
            return None
        try:
            found = solve_position(position, Limits(nodes=nodes, seconds=self.seconds), memory=64, stop=self.stop)
        except (Unavailable, Unsuitable):
            self.check()
            self._failed += 1
            return None
        self._failed = 0
        return self._read(found, position)

    def _by_every_roll(self, position: Position) -> Worth | None:
        """The exact value of a game of chance that is near its end."""
        found = to_the_end(position, max(200, self.nodes // ROLLS), self.stop)
        self.check()
        if found is None:
            self._failed += 1
            return None
        self._failed = 0
        utilities = in_full(found.value, self.game, 1.0)
        line = () if found.action is None else (found.action,)
        return replace(self._settled(utilities), action=found.action, line=line, nodes=found.positions, algorithm="every roll")

    def check(self) -> None:
        """Stop where that was asked for."""
        if self.stop is not None and self.stop.is_set():
            raise Stopped("stopped")

    # ------------------------------------------------ estimates

    def limits(self, nodes: int | None = None) -> Limits:
        """The limits of one search."""
        many = nodes or self.nodes
        if self.simulates:
            return Limits(simulations=max(20, many // SIMULATION), seconds=self.seconds)
        if not isinstance(self.game, CompiledGame):
            many = max(50, many // TEXTBOOK_SHARE)
        return Limits(self.depth, nodes=many, seconds=self.seconds)

    def results(
        self, position: Position, earlier: Sequence[Position] = (), *, lines: int = 1, nodes: int | None = None
    ) -> Iterator[Result]:
        """The Results of the judge's search."""
        watch = self.watch if not isinstance(self.game, CompiledGame) else None
        for each in search(
            position,
            self.algorithm,
            self.limits(nodes),
            lines=lines,
            keep=self._kept,
            stop=self.stop,
            watch=watch,
            earlier=tuple(earlier),
        ):
            self.check()
            yield each

    def _estimate(self, position: Position, earlier: Sequence[Position]) -> Worth:
        last: Result | None = None
        previous: Result | None = None
        for each in self.results(position, earlier):
            previous, last = last, each
        assert last is not None
        if position.is_chance() and last.depth == 0 and not last.exact and not last.algorithm.endswith("mcts"):
            return self._over_rolls(position, earlier)  # the search did not get past the roll
        return self._read(last, position, whole_depth(previous, last))

    def _over_rolls(self, position: Position, earlier: Sequence[Position]) -> Worth:
        """The mean over what chance may bring, each looked at alike; what it brings right after that is drawn once."""
        if position.is_sampled():
            rolls = [(position.sample_chance(number), 1 / DRAWS) for number in range(DRAWS)]
        else:
            rolls = list(position.chances())
        alike = self.smaller(len(rolls))
        found: list[tuple[Worth, float]] = []
        for number, (roll, part) in enumerate(rolls):
            there, past = position.result(roll), (*earlier, position)
            while there.is_chance() and len(past) < len(earlier) + DRAWS:
                there, past = there.result(there.sample_chance(number)), (*past, there)
            if not there.is_chance():
                found.append((alike.worth(there, past), part))
        whole = sum(part for _, part in found)
        found = [(one, part / whole) for one, part in found]
        seats = range(self.game.players)
        values = tuple(sum(part * one.values[seat] for one, part in found) for seat in seats)
        shares = [
            Shares(*(sum(part * getattr(one.shares[seat], name) for one, part in found) for name in ("won", "drawn", "lost")))
            for seat in seats
        ]
        nodes = sum(one.nodes for one, _ in found)
        return Worth(values, tuple(shares), False, self.unit, nodes=nodes, algorithm="every roll")

    def read(self, found: Result, position: Position) -> Worth:
        """A Result as the judge reads it."""
        return self._read(found, position)

    def _read(self, found: Result, position: Position, depth: int | None = None) -> Worth:
        depth = found.depth if depth is None else depth
        known: dict[str, Any] = {
            "action": found.action, "line": found.line, "depth": depth, "nodes": found.nodes, "algorithm": found.algorithm,
            "distance": found.facts.get("distance"),
        }  # fmt: skip
        if is_a_problem(self.game):
            return self._way(found, known)
        utilities = in_full(found.value, self.game, 1.0 if found.exact and found.unit == UTILITY else found.scale)
        if found.exact:
            return replace(self._settled(utilities), **known)
        if known["distance"] is not None:  # a mate that the search has seen
            won = tuple(float((u > 0) - (u < 0)) for u in utilities) if self.unit.utility == 0 else utilities
            return replace(self._settled(won), **known, proved=self._proves_end(position, known["distance"], won))
        self._tempo = self.fit.tempo
        values = self._evened(found, position, depth)
        left = plies_left(position)
        shares = self._shares(values, found, left)
        return Worth(values, shares, False, self.unit, **known)

    def _proves_end(self, position: Position, plies: int, won: Sequence[float]) -> bool:
        """Whether a search that passes nothing over finds the same end within so many plies."""
        if plies > LONGEST_PROVED or not isinstance(self.game, CompiledGame):
            return False
        found = proof_of_end(position, plies, self.nodes * END_PROOF, self._exact, self.stop)
        self.check()
        return found is not None and (found > 0) == (won[0] > 0) and (found < 0) == (won[0] < 0)

    def _way(self, found: Result, known: dict[str, Any]) -> Worth:
        cost = found.facts.get("cost")
        if cost is None:  # no way, or none known yet
            lost = Shares(0.0, 0.0, 1.0) if found.exact else Shares(0.5, 0.0, 0.5)
            return Worth((-1e9 if found.exact else 0.0,), (lost,), found.exact, ACTIONS, False, **known)
        return Worth((-float(cost),), (Shares(1.0, 0.0, 0.0),), found.exact, ACTIONS, False, **known)

    _tempo = 0.0

    def _evened(self, found: Result, position: Position, depth: int) -> tuple[float, ...]:
        """An estimate in whole units for each seat, less what it is too good for whoever moves where the search ended."""
        utilities = in_full(found.value, self.game, found.scale)
        traits = self.game.traits
        if found.unit == UTILITY and self.unit.name == "games":
            return utilities
        factor = traits.scale / self.unit.points
        values = tuple(u * factor for u in utilities)
        if self._tempo and traits.sides == 2 and position.player() >= 0:
            mover = position.player() if depth % 2 == 0 else 1 - position.player()
            values = tuple(v - self._tempo if seat == mover else v + self._tempo for seat, v in enumerate(values))
        return values

    def _shares(self, values: tuple[float, ...], found: Result, left: int) -> tuple[Shares, ...]:
        traits = self.game.traits
        if traits.sides == 2 and traits.sum != "general":
            middle = (traits.total or 0.0) / 2 * (traits.scale / self.unit.points)
            first = self.fit.shares(drawn_out(values[0] - middle, self.unit), left)
            return tuple(
                first if self.game.side(seat) == self.game.side(0) else first.turned() for seat in range(self.game.players)
            )
        low, high = (bound * traits.scale / self.unit.points for bound in traits.bounds)
        shares = [min(1.0, max(0.0, (value - low) / (high - low))) for value in values]
        return tuple(Shares(share, 0.0, 1 - share) for share in shares)

    def _settled(self, utilities: Sequence[float], distance: int | None = None) -> Worth:
        """Results of the game, certain: a result of its own or, over chance, their mean."""
        traits, unit = self.game.traits, self.unit
        if unit.name == "games" or unit.utility == 0:  # what counts is the result
            low, high = traits.bounds
            values = tuple(float(u) for u in utilities)
            if len(utilities) > 2 or low == 0:
                shares = [min(1.0, max(0.0, (u - low) / (high - low))) for u in values]
                told = tuple(Shares(s, 0.0, 1 - s) for s in shares)
            else:
                told = tuple(Shares(max(0.0, u), 1 - abs(u), max(0.0, -u)) for u in values)
            return Worth(values, told, True, unit, True, distance=distance)
        values = tuple(float(u) * unit.utility for u in utilities)
        middle = (traits.total or 0.0) / max(1, traits.sides)
        seen: list[Shares] = []
        for u in utilities:
            over = float(u) - middle
            if traits.chance:  # a mean: read as chances to win where a plain win is 1
                share = (min(1.0, max(-1.0, over)) + 1) / 2
                seen.append(Shares(share, 0.0, 1 - share))
            else:
                seen.append(Shares(float(over > SURE), float(abs(over) <= SURE), float(over < -SURE)))
        return Worth(values, tuple(seen), True, unit, True, distance=distance)


def proof_of_end(
    position: Position, plies: int, nodes: int, keep: dict[Any, Any] | None = None, stop: threading.Event | None = None
) -> float | None:
    """The result for the first player that one side can force within so many plies, by a search that passes nothing over."""
    from outplay.engine import preferences

    options = preferences.alphabeta(position.game).exact()
    found = None
    limits = Limits(depth=plies + 1, nodes=nodes)
    for found in search(position, "engine:pvs", limits, keep=keep, stop=stop, memory=16, options=options):  # noqa: B007
        pass
    if found is None or isinstance(found.value, tuple):
        return None
    distance = found.facts.get("distance")
    if distance is None or distance > plies + 1:
        return None
    return 1.0 if found.value > 0 else -1.0


def _above(one: Worth, other: Worth, seat: int) -> bool:
    """Whether one is better than the other for a seat, by more than nothing."""
    if one.decided == other.decided:
        if abs(one.values[seat] - other.values[seat]) > SURE:
            return one.values[seat] > other.values[seat]
        return False
    return one.share(seat) > other.share(seat) + SURE


def estimator(game: Any) -> str:
    """The search that estimates: what fits the game; simulated games where the rules give no evaluation to be asked."""
    chosen = find_algorithm("auto", game)
    if chosen.name == "engine:pvs" and not game.offers("evaluate"):
        return "engine:mcts"
    return "auto"


def can_count_to_the_end(position: Position) -> bool:
    """Whether a game of two sides and listed chance hides nothing, so that its end can be counted out."""
    traits = position.game.traits
    return traits.information == "perfect" and not traits.sampled and traits.sides == 2 and traits.sum == "zero"


def can_prove(position: Position) -> bool:
    """Whether a solver takes this game: without repetitions, and chance's outcomes listed."""
    game = position.game
    traits = game.traits
    if traits.information == "hidden" or traits.sampled:
        return False
    if is_a_problem(game):
        return not traits.chance
    if traits.sides != 2 or traits.chance:
        return False
    return not game.offers("reversible")


def in_full(value: Any, game: Any, scale: float) -> tuple[float, ...]:
    """What each seat gets, in utilities, out of a value as Results tell it."""
    if isinstance(value, tuple):
        return tuple(float(part) / scale for part in value)
    if game.players == 1:
        return (float(value) / scale,)
    return tuple((float(value) if game.side(seat) == game.side(0) else -float(value)) / scale + 0.0 for seat in range(game.players))


def whole_depth(previous: Result | None, last: Result) -> int:
    """The depth behind the last answer: one more than it says where it stopped within a depth with something better."""
    if previous is not None and previous.depth == last.depth and (previous.value, previous.action) != (last.value, last.action):
        return last.depth + 1
    return last.depth


def plies_left(position: Position) -> int:
    """How many plies the game can still last, 0 where the rules do not tell."""
    game: Any = position.game
    if not isinstance(game, CompiledGame) or not hasattr(game.rules, "plies_left"):
        return 0
    state: Any = position.state
    return int(game.record(state).plies_left())


def representative(position: Position) -> tuple[Position, int]:
    """The same of a position and all its twins, and the symmetry that leads there."""
    game = position.game
    if not game.offers("transform") or game.traits.information == "hidden":
        return position, 0
    rules: Any = getattr(game, "rules", game)
    twins = [position] + [position.transform(symmetry) for symmetry in range(1, int(rules.symmetries))]
    best = min(range(len(twins)), key=lambda k: twins[k].text())
    return twins[best], best


def turned_back(position: Position, twin: Position, symmetry: int, found: Worth) -> Worth:
    """What was found of a twin, with the actions of the position itself."""
    line: list[Action] = []
    here, there = position, twin
    wanted = found.line or (() if found.action is None else (found.action,))
    for action in wanted:
        if here.is_terminal() or here.is_sampled():
            break
        mine = next((each for each in here.actions() if here.transform_action(symmetry, each) == action), None)
        if mine is None:
            break
        line.append(mine)
        here, there = here.result(mine), there.result(action)
    return replace(found, action=line[0] if line else None, line=tuple(line))
