"""Games of tiles: the best of a few plays by simulated deals, and the exact end once nothing is hidden any more.

The plays of highest static equity (score, and what the kept tiles are worth) are tried on the same random deals of what is not
seen, each followed by the other's answer and one more play (by all plays, when the bag is nearly empty), and those that fall behind
are dropped: the way of Maven (Brian Sheppard 2002) and Quackle. Between two players an empty bag hides nothing, and alpha-beta
searches to the end of the game; with a single tile in it, the best plays are searched so for each tile that it may be.

The search works on rules that list plays with their worth (`prepare`, `generate`, `swaps`), as those of Scrabble do.

>>> from outplay.game import load
>>> opening = load("scrabble").position("/".join(["15"] * 15) + " AEINRST/ 0/0 0 0")
>>> found = Tiles(opening.game).best(opening, Limits(simulations=24))
>>> opening.play(opening.action_text(found.action)).text().split()[2:4]  # all seven tiles
['66/0', '0']
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import outplay.games.scrabble
from outplay.engine import tiles_kernel as kernels
from outplay.engine.memory import load_state
from outplay.engine.pacing import Pacer, Watch
from outplay.engine.tiles_kernel import GREEDY, STATIC, TERMS
from outplay.errors import BadValue, Unsuitable, shorten
from outplay.files import read_arrays
from outplay.game import Position
from outplay.games.scrabble import ACCEPT, CHALLENGE
from outplay.games.scrabble.plays import PLACE
from outplay.values import CHANCE, Action, Choice, Limits, Result, Value

WORKS_ON = ("prepare", "generate", "swaps")
"""Methods of the rules, beyond those of every game, that the kernels call."""
FILE = Path(outplay.games.scrabble.__file__).parent / "leaves.npz"
CANDIDATES, DEALS = 12, 2000
BATCH = 12
"""Deals between two looks at which candidates may still be the best."""
SIGMAS = 2.2
"""A candidate goes when it is so many standard errors of the difference behind the best."""
LEAST_ERROR = 0.3
"""Points: no fewer deals than show a standard error say that two candidates differ."""
PRIOR = 45
"""Deals that the static equity is worth: a deal's points scatter by about thirty, what equity says of two plays by four or five."""
LAST_TILES = 7
"""With no more tiles than these in the bag, deals are played to the end of the game: who goes out counts more than what is kept."""
FINALISTS = 3
"""Plays that are compared by exact ends for each tile that the last one in the bag may be."""
CLEAR = 40_000
"""Thousandths of a point by which the best candidate's equity must lead to need no simulation."""
ENTRIES = 20
"""The end's table has two to the power of so many entries."""
DEEPEST_PLIES = kernels.DEEPEST - 1


@functools.cache
def leave_terms(file: str = "") -> np.ndarray:
    """The terms of leaves that were learned, in thousandths of a point."""
    found = np.zeros(TERMS, np.int64)
    kept = read_arrays(file or FILE)
    try:
        found[kept["index"].astype(np.int64)] = kept["value"].astype(np.int64) * 10
    except (KeyError, ValueError, IndexError, TypeError):
        raise BadValue(f"{shorten(str(file), 200)!r} holds no terms of leaves") from None
    return found


class Tiles:
    """The search for one game; every search of it draws other deals."""

    def __init__(self, game: Any, *, candidates: int = CANDIDATES, deals: int = DEALS, endgame: bool = True,
                 preendgame: bool = True, leaves: str = "", seed: int = 0) -> None:
        if not hasattr(game, "rules") or not all(hasattr(game.rules, method) for method in WORKS_ON):
            raise Unsuitable(f"tiles needs rules that list plays with their worth, as scrabble's; {game.name} has none: use engine")
        self.game, self.candidates, self.deals, self.endgame, self.seed = game, candidates, deals, endgame, seed
        self.preendgame = preendgame and endgame
        self.terms = leave_terms(leaves)
        self._source = np.random.default_rng(seed)
        self._is_ready = False

    def clear(self, seed: int = 0) -> None:
        """Begin another game, with deals of its own."""
        self._source = np.random.default_rng((self.seed, seed))

    def best(self, position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None) -> Result:
        """The last Result of a search."""
        *_, last = self.search(position, limits, stop=stop)
        return last

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """A Result each time the deals have doubled, or a depth of the end is searched; the last one is the answer."""
        self.get_ready()
        limits = limits or Limits()
        watch = Watch(limits, stop)
        if position.is_terminal():
            values = position.utilities()
            yield Result(None, values[0] if len(values) == 2 else values, algorithm="tiles")
        elif position.player() == CHANCE:
            yield Result(None, self._value(0.0, 0), algorithm="tiles", exact=False)
        else:
            view = position.observe(position.player())
            record = self.game.record(view.state)
            load_state(self._states, 0, view)
            if record.asked:
                yield self._answer(view, record)
            elif record.left == 0 and self._is_open() and self.endgame:
                yield from self._end(view, limits, watch)
            elif record.left == 1 and self._is_open() and self.preendgame and limits.simulations is None:
                yield from self._before_the_end(view, limits, watch)
            else:
                yield from self._simulate(view, limits, watch)

    def _is_open(self) -> bool:
        """Whether nothing is hidden once the bag is empty, and nothing is left to doubt."""
        return self.game.players == 2 and self.game.rules.parameters["challenge"] == "void"

    def get_ready(self) -> None:
        """Compile the kernels or load them, and make room."""
        if self._is_ready:
            return
        rules = self.game.rules
        rules.bind()
        self._states, self._out = rules.states(3), rules.room()
        self._values = np.zeros(len(self._out), np.int64)
        load_state(self._states, 0, self.game.start())
        none = np.zeros(0, np.int64)
        kernels.list_plays(self._states, self._out, self._values, self.terms, STATIC)
        kernels.simulate(self._states, self._out, self.terms, none, none == 0, np.zeros(2, np.uint64),
                         np.zeros((0, 1), np.int64), 2)
        if self._is_open():
            kernels.search_end(*self._room_for_the_end(), 1, 0)
        self._is_ready = True

    def _room_for_the_end(self) -> tuple[Any, ...]:
        rules, rows = self.game.rules, kernels.DEEPEST + 1
        states, rooms = rules.states(rows), rules.room(rows, rules.most_actions)
        values, bounds = np.zeros(rooms.shape, np.int64), np.zeros(rooms.shape, np.int64)
        frames = np.zeros((rows + 1, kernels.FIELDS), np.int64)
        table = np.zeros(1 << ENTRIES, np.uint64), np.zeros((1 << ENTRIES, 4), np.int64)
        outs, marks = np.zeros(kernels.OUTS, np.int64), np.zeros((kernels.OUTS + 1, kernels.WORDS), np.int64)
        return states, rooms, values, bounds, frames, *table, self.terms, outs, marks, np.zeros(kernels.PLACES, np.int64)

    def listed(self, position: Position, kind: int = STATIC, most: int | None = None) -> list[tuple[int, int]]:
        """Actions with their static equity (of the greedy: score) in thousandths, best first."""
        self.get_ready()
        load_state(self._states, 0, position)
        return self._listed(kind, most)

    def _listed(self, kind: int, most: int | None) -> list[tuple[int, int]]:
        count = int(kernels.list_plays(self._states, self._out, self._values, self.terms, kind))
        best = np.lexsort((self._out[:count], -self._values[:count]))[:most]
        return [(int(self._out[k]), int(self._values[k])) for k in best]

    def _value(self, lead: float, seat: int) -> Value:
        """A seat's lead as Results tell it: what one gains the others lose."""
        players = self.game.players
        if players == 2:
            return lead if seat == 0 else -lead
        return tuple(lead if each == seat else -lead / (players - 1) for each in range(players))

    def _told(self, action: Action, **more: Any) -> Result:
        return Result(action, line=(action,), algorithm="tiles", **more)

    def _answer(self, view: Position, record: Any) -> Result:
        """Doubt exactly what is wrong: all see the board and know the list."""
        play = int(record.laid[0]) | int(record.laid[1]) << 30
        return self._told(ACCEPT if record.is_right(play) else CHALLENGE, value=self._value(0.0, 0), exact=False)

    def _simulate(self, view: Position, limits: Limits, watch: Watch) -> Iterator[Result]:
        listed, seat = self._listed(STATIC, self.candidates), view.player()
        points: dict[str, Any] = {"exact": False, "unit": "points", "scale": self.game.traits.scale}
        if len(listed) == 1 or listed[0][1] - listed[1][1] > CLEAR:
            yield self._told(listed[0][0], value=self._value(listed[0][1] / 1000, seat), nodes=len(listed), **points)
            return
        actions = np.array([action for action, _ in listed], np.int64)
        equity = np.array([value for _, value in listed]) / 1000
        is_open = np.ones(len(actions), np.bool_)
        seen = np.zeros((len(actions), 0))
        wanted = self.deals if limits.simulations is None else limits.simulations
        plies = self.game.players if int(self._states[0].left) > LAST_TILES else kernels.TO_THE_END
        done, report = 0, 4 * BATCH
        while is_open.sum() > 1 and done < wanted and (done == 0 or not watch.is_over(int((~np.isnan(seen)).sum()))):
            batch = min(BATCH, wanted - done)
            seeds = self._source.integers(0, 2**63, batch + 1, np.uint64)
            values = np.zeros((len(actions), batch), np.int64)
            kernels.simulate(self._states, self._out, self.terms, actions, is_open, seeds, values, plies)
            seen = np.concatenate([seen, np.where(is_open[:, None], values / 1000, np.nan)], axis=1)
            done += batch
            if done >= 4:
                means = np.where(is_open, self._weighed(seen, equity, is_open), -np.inf)
                best = int(np.argmax(means))
                error = (seen[best] - seen).std(1, ddof=1) * np.sqrt(done) / (done + PRIOR)
                is_open &= ~(means[best] - means > SIGMAS * np.maximum(error, LEAST_ERROR))
                is_open[best] = True
            if done >= report and done < wanted and is_open.sum() > 1:
                report = 2 * done
                yield self._simulated(actions, equity, is_open, seen, seat, watch, points)
        if done == 0:  # nothing was wanted
            yield self._told(listed[0][0], value=self._value(listed[0][1] / 1000, seat), nodes=len(listed), **points)
            return
        yield self._simulated(actions, equity, is_open, seen, seat, watch, points)

    def _weighed(self, seen: Any, equity: Any, is_open: Any) -> Any:
        """The mean lead of each candidate over its deals, drawn a little towards what its equity says beside the others'."""
        deals, means = (~np.isnan(seen)).sum(1), np.nanmean(seen, axis=1)
        expected = equity + (means - equity)[is_open].mean()
        return (deals * means + PRIOR * expected) / (deals + PRIOR)

    def _simulated(self, actions: Any, equity: Any, is_open: Any, seen: Any, seat: int, watch: Watch,
                   points: dict[str, Any]) -> Result:
        """The candidates that are still in first, by their mean lead."""
        means = self._weighed(seen, equity, is_open)
        choices = []
        for k in sorted(range(len(actions)), key=lambda k: (not is_open[k], -means[k])):
            run = seen[k][~np.isnan(seen[k])]
            half = 1.96 * float(run.std(ddof=1)) * np.sqrt(len(run)) / (len(run) + PRIOR) if len(run) > 1 else 4000.0
            ends = [means[k] - half, means[k] + half]
            if self.game.players == 2 and seat == 1:
                ends = [-end for end in reversed(ends)]
            action, value = int(actions[k]), self._value(float(means[k]), seat)
            choices.append(Choice(action, value, (float(ends[0]), float(ends[1])), len(run), line=(action,)))
        return self._told(choices[0].action, value=choices[0].value, choices=tuple(choices), nodes=int((~np.isnan(seen)).sum()),
                          seconds=watch.elapsed(), facts={"deals": seen.shape[1]}, **points)

    def _before_the_end(self, view: Position, limits: Limits, watch: Watch) -> Iterator[Result]:
        """Half of the time for simulated deals; then, best first, the exact ends of plays for each tile that may be in the bag.

        Who lays tiles takes the last one, and nothing is hidden any more. A play counts as compared once all its ends are exact.
        """
        half = replace(limits, seconds=None if limits.seconds is None else limits.seconds / 2)
        found = None
        for found in self._simulate(view, half, Watch(half, watch.stop)):
            yield found
        assert found is not None
        seat, room = view.player(), self._room_for_the_end()
        now = self.game.record(view.state)
        unseen, scores = np.array(now.bag), [int(score) for score in now.scores]
        solved: list[tuple[float, Choice]] = []
        nodes = found.nodes
        for choice in found.choices[:FINALISTS]:
            action: Any = choice.action
            leads, weights = [], []
            for kind in np.flatnonzero(unseen) if action & 3 == PLACE else ():
                record = self.game.record(view.state)
                weights.append(int(unseen[kind]))
                record.racks[1 - seat] = unseen
                record.racks[1 - seat][kind] -= 1
                record.bag[:] = 0
                record.bag[kind] = 1
                after = Position(self.game, record.tobytes()).result(action)
                *_, end = self._end(after.result(after.sample_chance(0)), Limits(nodes=limits.nodes), watch, room)
                nodes += end.nodes
                if not end.exact:
                    break
                leads.append(end.facts["lead"])
            if not leads or len(leads) < np.count_nonzero(unseen):
                break
            lead = float(np.average(leads, weights=weights)) - (scores[0] - scores[1])
            solved.append((lead, Choice(choice.action, lead, (lead, lead), len(leads), line=(choice.action,))))
        if len(solved) > 1:
            best, *others = [choice for _, choice in sorted(solved, key=lambda each: each[0], reverse=seat == 0)]
            yield self._told(best.action, value=best.value, choices=(best, *others, *found.choices[len(solved):]), nodes=nodes,
                             seconds=watch.elapsed(), facts={**found.facts, "solved": len(solved)}, exact=False, unit="points",
                             scale=self.game.traits.scale)

    def _end(self, view: Position, limits: Limits, watch: Watch, room: tuple[Any, ...] | None = None) -> Iterator[Result]:
        """Deeper and deeper until nothing is cut off, or with what the last whole depth found when a limit comes first."""
        room = room or self._room_for_the_end()
        load_state(room[0], 0, view.deal(view.player(), 0))  # with an empty bag the other rack is known
        told, pacer, nodes = room[-1], Pacer(watch, first=200, fewest=20), 0
        found = None
        for depth in range(1, (limits.depth or DEEPEST_PLIES) + 1):
            told[:] = 0
            while not told[kernels.IS_DONE]:
                if found is not None and watch.is_over(nodes + int(told[kernels.NODES])):
                    break
                pacer.slice(functools.partial(self._look, room, depth))
            nodes += int(told[kernels.NODES])
            if not told[kernels.IS_DONE]:
                break
            exact, lead = not told[kernels.IS_CUT], int(told[kernels.LEAD]) / 1000
            common: dict[str, Any] = {"depth": depth, "nodes": nodes, "seconds": watch.elapsed(), "facts": {"lead": lead}}
            if exact:  # the greatest lead is also the best result
                found = self._told(int(told[kernels.BEST_ACTION]), value=float(np.sign(lead)), **common)
            else:
                found = self._told(int(told[kernels.BEST_ACTION]), value=lead, exact=False, unit="points",
                                   scale=self.game.traits.scale, **common)
            yield found
            if exact:
                break

    def _look(self, room: tuple[Any, ...], depth: int, size: int) -> None:
        """So many nodes more."""
        kernels.search_end(*room, depth, int(room[-1][kernels.NODES]) + size)


__all__ = ["GREEDY", "STATIC", "Tiles", "leave_terms"]
