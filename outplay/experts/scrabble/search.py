"""Games of tiles: the best of a few plays by simulated deals, and the exact end once nothing is hidden any more.

The plays of highest static equity (score, and what the kept tiles are worth) are tried on the same random deals of what is not
seen, each followed by the other's answer and one more play (by all plays, when the bag is nearly empty), and those that fall behind
are dropped: the way of Maven (Brian Sheppard 2002) and Quackle. Between two players a lead counts for as much as it helps to win,
and what the other may hold can be inferred from its last play (`inference`): it kept tiles with which that play was about the best.
An empty bag hides nothing, and alpha-beta searches to the end of the game; with one or two tiles in it, the best plays are searched
so for all that these may be, as far as time allows.

The search works on rules that list plays with their worth (`prepare`, `generate`, `swaps`), as those of Scrabble do.

>>> from outplay.game import load
>>> opening = load("scrabble").position("/".join(["15"] * 15) + " AEINRST/ 0/0 0 0")
>>> found = Tiles(opening.game).best(opening, Limits(simulations=24))
>>> opening.play(opening.action_text(found.action)).text().split()[2:4]  # all seven tiles
['66/0', '0']
"""

from __future__ import annotations

import functools
import itertools
import math
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import outplay.games.scrabble
from outplay.engine.memory import load_state
from outplay.engine.pacing import SLOWEST, Pacer, Watch
from outplay.errors import BadValue, Unsuitable, shorten
from outplay.experts.scrabble import search_kernel as kernels
from outplay.experts.scrabble.search_kernel import GREEDY, STATIC, TERMS
from outplay.files import read_arrays
from outplay.game import Position
from outplay.games.scrabble import ACCEPT, CHALLENGE
from outplay.games.scrabble.plays import PLACE
from outplay.values import CHANCE, Action, Choice, Limits, Result, Value

WORKS_ON = ("prepare", "generate", "swaps")
"""Methods of the rules, beyond those of every game, that the kernels call."""
FILE = Path(outplay.games.scrabble.__file__).parent / "leaves.npz"
CANDIDATES, DEALS = 20, 2000
NODES_A_DEAL = 60
"""Positions of an exact end that a deal is worth where both deals and seconds are bounded, as those of a level are."""
BATCH, LONG_BATCH = 12, 3
"""Deals between two looks at which candidates may still be the best; and at the clock, where they are played to the end."""
SIGMAS = 2.2
"""A candidate goes when it is so many times as far behind the best as the deals and its equity leave in doubt."""
LEAST_ERROR = 0.3
"""Points: no fewer deals than show a standard error say that two candidates differ."""
PRIOR = 40
"""Deals that the static equity is worth: around the mean of all candidates a deal's points scatter by sixteen, and what deals say
beside equity in the long run by two and a half."""
LAST_TILES = 14
"""With no more tiles than these in the bag, deals are played to the end of the game: who goes out counts more than what is kept."""
FINALISTS = 3
"""Plays that are compared by exact ends for each tile that the last one in the bag may be."""
LAST_BAG = 2
"""With no more tiles than these in the bag, the finalists' exact ends are tried for all that they may be."""
NOISE, NOISE_A_TILE, TEMPO, ROUGH = 750.0, 93.0, 19.0, 12.0
"""How sure a lead is, in points. Games of static players end off a lead by a variance of so much, and so much more a tile left in
the bag; whoever moves next gains half a turn. Of what good play gives, a deal that was played to the end is so rough a guess."""
IN_BETWEEN = 9
"""Tiles that leave the bag before a deal's last play."""
ALWAYS = 0.1
"""What a point counts where the game is decided, beside one where it is level."""
WITHIN = 100
"""Thousandths of a point below the best play that a player is thought to play."""
LEAVES, FEWEST_LEAVES, TRIES = 400, 10, 3000
"""Inferred leaves for the deals; with fewer than the second number any tiles are dealt; and the racks tried to find them."""
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
                 preendgame: bool = True, inference: bool = False, winning: bool = True, leaves: str = "", seed: int = 0) -> None:
        if not hasattr(game, "rules") or not all(hasattr(game.rules, method) for method in WORKS_ON):
            raise Unsuitable(f"tiles needs rules that list plays with their worth, as scrabble's; {game.name} has none: use engine")
        self.game, self.candidates, self.deals, self.endgame, self.seed = game, candidates, deals, endgame, seed
        self.preendgame, self.inference = preendgame and endgame, inference
        self.winning = winning and game.players == 2
        self.terms = leave_terms(leaves)
        self._source = np.random.default_rng(seed)
        self._lists = self._simulates = self._infers = self._ends = False  # which kernels are there

    def clear(self, seed: int = 0) -> None:
        """Begin another game, with deals of its own."""
        self._source = np.random.default_rng((self.seed, seed))

    def best(self, position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None,
             earlier: Sequence[Position] = ()) -> Result:
        """The last Result of a search."""
        *_, last = self.search(position, limits, stop=stop, earlier=earlier)
        return last

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """A Result each time the deals have doubled, or a depth of the end is searched; the last one is the answer."""
        record = self.game.record(position.state)
        self._lay_out()
        if not record.asked:  # what is left to compile is what this position asks for: a single search needs no end
            self._get_ready_to_simulate(infers=bool(earlier))
            if record.left <= LAST_BAG:
                self._get_ready_to_end()
        limits = limits or Limits()
        if limits.simulations is not None and limits.seconds is not None and limits.nodes is None:
            limits = replace(limits, nodes=NODES_A_DEAL * limits.simulations)
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
            is_bounded = limits.simulations is None or limits.seconds is not None or limits.nodes is not None
            if record.asked:
                yield self._answer(view, record)
            elif record.left == 0 and self._is_open() and self.endgame:
                yield from self._end(view, limits, watch)
            elif record.left <= LAST_BAG and self._is_open() and self.preendgame and is_bounded:
                yield from self._before_the_end(view, limits, watch, self._inferred(view, earlier))
            else:
                for found in self._simulate(view, limits, watch, self._inferred(view, earlier)):
                    yield self._with_the_rest(found, view.player()) if lines > 1 else found

    def _with_the_rest(self, found: Result, seat: int) -> Result:
        """The same with all other plays behind those that were tried, by their static equity."""
        tried = found.each("value")
        rest = tuple(Choice(action, self._value(worth / 1000, seat)) for action, worth in self._listed(STATIC, None)
                     if action not in tried)  # fmt: skip
        choices = (*found.choices, *rest)
        return replace(found, choices=choices, facts={**found.facts, "among": max(4, len(choices) // 2)})

    def _is_open(self) -> bool:
        """Whether nothing is hidden once the bag is empty, and nothing is left to doubt."""
        return self.game.players == 2 and self.game.rules.parameters["challenge"] == "void"

    def get_ready(self, searches: bool = True) -> None:
        """Compile the kernels of a whole game or load them, and make room; without searches, only what lists plays."""
        self._lay_out()
        if searches:
            self._get_ready_to_simulate(infers=True)
            self._get_ready_to_end()

    def rehearse(self, position: Position) -> None:
        """Compile the end, too."""
        self.get_ready()

    def _lay_out(self) -> None:
        if self._lists:
            return
        rules = self.game.rules
        rules.bind()
        self._states, self._out = rules.states(3), rules.room()
        self._values = np.zeros(len(self._out), np.int64)
        load_state(self._states, 0, self.game.start())
        kernels.list_plays(self._states, self._out, self._values, self.terms, STATIC)
        self._lists = True

    def _get_ready_to_simulate(self, infers: bool) -> None:
        none, any_tiles = np.zeros(0, np.int64), np.zeros((0, 27), np.int8)
        if not self._simulates:
            load_state(self._states, 0, self.game.start())
            kernels.simulate(self._states, self._out, self.terms, none, none == 0, any_tiles, np.zeros(2, np.uint64),
                             np.zeros((0, 1), np.int64), 2)
            self._simulates = True
        if infers and not self._infers and self.inference and self._is_open():
            load_state(self._states, 0, self.game.start())
            kernels.infer(self._states, self._out, self.terms, np.zeros(27, np.int64), 0, 0, 0, np.zeros(1, np.uint64), any_tiles)
            self._infers = True

    def _get_ready_to_end(self) -> None:
        if not self._ends and self._is_open():
            kernels.search_end(*self._room_for_the_end(), 1, 0)
            self._ends = True

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
        self._lay_out()
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

    def _inferred(self, view: Position, earlier: Sequence[Position]) -> np.ndarray:
        """What the other may have kept at its last play, a row of counts each; no rows where that cannot be told."""
        seat, leaves = view.player(), np.zeros((LEAVES, 27), np.int8)
        before = next((past for past in reversed(earlier[-4:]) if past.player() == 1 - seat), None) if self._is_open() else None
        if before is None or not self.inference:
            return leaves[:0]
        then, now = self.game.record(before.state), self.game.record(view.state)
        tiles = now.squares[now.squares != then.squares]
        laid = np.bincount(np.where(tiles < 32, tiles, 0), minlength=27).astype(np.int64)
        if not (0 < laid.sum() < then.held[1 - seat] and then.left > 0 and (then.racks[seat] == now.racks[seat]).all()):
            return leaves[:0]
        gain = int(now.scores[1 - seat]) - int(then.scores[1 - seat])
        load_state(self._states, 0, before)
        source = self._source.integers(0, 2**63, 1, np.uint64)
        found = int(kernels.infer(self._states, self._out, self.terms, laid, gain, WITHIN, TRIES, source, leaves))
        load_state(self._states, 0, view)
        return leaves[: found if found >= FEWEST_LEAVES else 0]

    def _simulate(self, view: Position, limits: Limits, watch: Watch, leaves: np.ndarray) -> Iterator[Result]:
        listed, seat = self._listed(STATIC, self.candidates), view.player()
        points: dict[str, Any] = {"exact": False, "unit": "points", "scale": self.game.traits.scale}
        if len(listed) == 1 or listed[0][1] - listed[1][1] > CLEAR:
            yield self._told(listed[0][0], value=self._value(listed[0][1] / 1000, seat), nodes=len(listed), **points)
            return
        actions = np.array([action for action, _ in listed], np.int64)
        deals = Deals(np.array([value for _, value in listed]) / 1000, self._goal(view) if self.winning else None)
        wanted = self.deals if limits.simulations is None else limits.simulations
        plies = self.game.players if int(self._states[0].left) > LAST_TILES else kernels.TO_THE_END
        report = 4 * BATCH
        while deals.is_open.sum() > 1 and deals.done < wanted and not self._is_over(deals, watch):
            batch = min(BATCH if plies < kernels.TO_THE_END else LONG_BATCH, wanted - deals.done)
            if watch.deadline is not None:  # a batch is not looked into: it has to end in time
                left = (watch.deadline - time.perf_counter()) / max(1, int(deals.is_open.sum()) * min(plies, LAST_TILES))
                batch = max(1, min(batch, int(SLOWEST * left)))
            seeds = self._source.integers(0, 2**63, batch + 1, np.uint64)
            values = np.zeros((len(actions), batch), np.int64)
            kernels.simulate(self._states, self._out, self.terms, actions, deals.is_open, leaves, seeds, values, plies)
            deals.add(values / 1000)
            if deals.done >= report and deals.done < wanted and deals.is_open.sum() > 1:
                report = 2 * deals.done
                yield self._simulated(actions, deals, seat, watch, points)
        if deals.done == 0:  # nothing was wanted
            yield self._told(listed[0][0], value=self._value(listed[0][1] / 1000, seat), nodes=len(listed), **points)
            return
        yield self._simulated(actions, deals, seat, watch, points)

    def _is_over(self, deals: Deals, watch: Watch) -> bool:
        """Whether no more deals are played; one is in any case, unless the time is up before it."""
        over = watch.is_over(deals.played)
        return over and (deals.done > 0 or (watch.deadline is not None and time.perf_counter() >= watch.deadline))

    def _goal(self, view: Position) -> tuple[float, float]:
        """Where the lead after a deal is worth most, and how wide around: the middle and the scale of a logistic curve."""
        record, seat = self.game.record(view.state), view.player()
        lead = int(record.scores[seat]) - int(record.scores[1 - seat])
        if record.left <= LAST_TILES:
            return -lead, ROUGH / 1.7
        return TEMPO - lead, math.sqrt(NOISE + NOISE_A_TILE * max(int(record.left) - IN_BETWEEN, 0)) / 1.7

    def _simulated(self, actions: Any, deals: Deals, seat: int, watch: Watch, points: dict[str, Any]) -> Result:
        """The candidates that are still in first, by what their leads are worth."""
        means, worth, choices = deals.means(deals.seen, deals.equity), deals.worth(), []
        for k in sorted(range(len(actions)), key=lambda k: (not deals.is_open[k], -worth[k])):
            run = deals.seen[k][~np.isnan(deals.seen[k])]
            half = 1.96 * float(run.std(ddof=1)) * np.sqrt(len(run)) / (len(run) + PRIOR) if len(run) > 1 else 4000.0
            ends = [means[k] - half, means[k] + half]
            if self.game.players == 2 and seat == 1:
                ends = [-end for end in reversed(ends)]
            action, value = int(actions[k]), self._value(float(means[k]), seat)
            choices.append(Choice(action, value, (float(ends[0]), float(ends[1])), len(run), line=(action,)))
        return self._told(choices[0].action, value=choices[0].value, choices=tuple(choices), nodes=deals.played,
                          seconds=watch.elapsed(), facts={"deals": deals.done}, **points)

    def _before_the_end(self, view: Position, limits: Limits, watch: Watch, leaves: np.ndarray) -> Iterator[Result]:
        """Half of the time for simulated deals; then, best first, the exact ends of plays for all that may be in the bag.

        Who lays as many tiles as the bag holds takes them all, and nothing is hidden any more; other plays are left to the deals. A
        play counts as compared once all its ends are exact; that which wins most often is the best, and of such that with the
        greatest lead.
        """
        half = replace(limits, seconds=None if limits.seconds is None else limits.seconds / 2)
        found = None
        for found in self._simulate(view, half, Watch(half, watch.stop), leaves):
            yield found
        assert found is not None
        seat, room = view.player(), self._room_for_the_end()
        now = self.game.record(view.state)
        unseen, left, ahead = np.array(now.bag), int(now.left), int(now.scores[0]) - int(now.scores[1])
        bags = Counter(itertools.combinations(np.repeat(np.arange(27), unseen), left))  # each as often as it may come
        solved: list[tuple[float, float, Choice]] = []
        nodes = found.nodes
        finalists = [choice for choice in found.choices if _empties(choice.action, left)][:FINALISTS]
        for choice in finalists if found.choices[:1] == tuple(finalists[:1]) else ():
            action: Any = choice.action
            leads: list[float] = []
            for bag in bags:
                record = self.game.record(view.state)
                record.bag[:] = np.bincount(bag, minlength=27)
                record.racks[1 - seat] = unseen - record.bag
                after = Position(self.game, record.tobytes()).result(action)
                *_, end = self._end(after.result(after.sample_chance(0)), Limits(), watch, room)
                nodes += end.nodes
                if not end.exact:
                    break
                leads.append(end.facts["lead"])
                if watch.is_over(nodes):
                    break
            if len(leads) < len(bags):
                break
            ways, sign = list(bags.values()), 1 if seat == 0 else -1
            lead, wins = float(np.average(leads, weights=ways)), float(np.average(np.sign(leads), weights=ways))
            gained = lead - ahead
            solved.append((sign * wins, sign * lead, Choice(action, gained, (gained, gained), len(leads), line=(action,))))
        if len(solved) > 1:
            ranked = [choice for *_, choice in sorted(solved, key=lambda each: each[:2], reverse=True)]
            best, known = ranked[0], {choice.action for choice in ranked}
            rest = [choice for choice in found.choices if choice.action not in known]
            yield self._told(best.action, value=best.value, choices=(*ranked, *rest), nodes=nodes,
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
                seen = nodes + int(told[kernels.NODES])
                if found is not None and watch.is_over(seen):
                    break
                pacer.slice(functools.partial(self._look, room, depth), most=None if watch.nodes is None else watch.nodes - seen)
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


class Deals:
    """What candidates gained in the deals that they have seen, and which may still be the best.

    >>> deals = Deals(np.array([30.0, 29.0, 10.0]), None)
    >>> for _ in range(30):
    ...     deals.add(np.array([[20.0, 40.0, 30.0], [27.0, 48.0, 36.0], [10.0, 11.0, 12.0]]))
    >>> deals.is_open.tolist(), deals.done, deals.played
    ([False, True, False], 90, 114)
    """

    def __init__(self, equity: np.ndarray, goal: tuple[float, float] | None) -> None:
        self.equity, self.goal = equity, goal
        self.is_open = np.ones(len(equity), np.bool_)
        self.seen = np.zeros((len(equity), 0))  # points; nan where a candidate was out already
        self.worths = self.seen  # and what they are worth
        self.done, self.played, self.slope = 0, 0, 1.0

    def add(self, points: np.ndarray) -> None:
        """More deals; candidates that have fallen behind go."""
        points = np.where(self.is_open[:, None], points, np.nan)
        self.seen = np.concatenate([self.seen, points], axis=1)
        self.done += points.shape[1]
        self.played += int(self.is_open.sum()) * points.shape[1]
        if self.goal is None:
            self.worths = self.seen
        else:  # near the goal a point is worth a point, where all is won or lost little more than nothing
            middle, scale = self.goal
            likely = 1 / (1 + np.exp(np.clip((middle - points) / scale, -500, 500)))
            self.worths = np.concatenate([self.worths, 4 * scale * likely + ALWAYS * points], axis=1)
            share = points.shape[1] / self.done
            self.slope += share * (float(np.nanmean(4 * likely * (1 - likely))) + ALWAYS - self.slope)
        if self.done % BATCH:
            return
        means = np.where(self.is_open, self.worth(), -np.inf)
        best = int(np.argmax(means))
        error = (self.worths[best] - self.worths).std(1, ddof=1) / np.sqrt(self.done + PRIOR)
        self.is_open &= ~(means[best] - means > SIGMAS * np.maximum(error, LEAST_ERROR * self.slope))
        self.is_open[best] = True

    def worth(self) -> np.ndarray:
        """What each candidate's leads are worth."""
        return self.means(self.worths, self.equity * self.slope)

    def means(self, seen: np.ndarray, equity: np.ndarray) -> np.ndarray:
        """The mean of each candidate over its deals, drawn a little towards what its equity says beside the others'."""
        deals, means = (~np.isnan(seen)).sum(1), np.nanmean(seen, axis=1)
        expected = equity + (means - equity)[self.is_open].mean()
        return (deals * means + PRIOR * expected) / (deals + PRIOR)


def _empties(action: Any, left: int) -> bool:
    """Whether a play lays so many tiles or more."""
    return action & 3 == PLACE and action >> (11 + 6 * (left - 1)) != 0


__all__ = ["GREEDY", "STATIC", "Tiles", "leave_terms"]
