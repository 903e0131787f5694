"""A player of hold'em that thinks in ranges: what may the others hold, given what they did, and what is each action worth then?

Every hand that another seat may hold has a weight. Each of that seat's actions multiplies the weights by how likely a sensible
player takes it with such a hand (Bayes): strong hands bet and raise, weak ones fold to a price. The worth of an action follows from
the equity against these weights over random boards, from the pot, and from how much of a range would fold to a raise. How often the
others really fold and raise is counted from hand to hand, so that bluffs die out against who never folds, and raises of who
always raises are believed no more. Any number of seats, limit and no limit.

>>> from outplay.game import load
>>> from outplay.players import player
>>> kings = load("hold'em").start().play("7s 2d Kh Kd")            # the button is first to act before the flop
>>> view = kings.observe(kings.player())
>>> view.action_text(player("ranges:boards=40").choose(view))[0]   # kings are raised
'r'
"""

from __future__ import annotations

import functools
import math
import random
from typing import Any

import numpy as np

from outplay.errors import Unsuitable
from outplay.game import Position
from outplay.games.holdem import CALL, FOLD, RAISE
from outplay.games.holdem.evaluator import strengths
from outplay.games.holdem.preflop import EQUITIES, WEIGHTS
from outplay.games.holdem.ranges import CLASS_OF_HAND, HANDS
from outplay.names import Option
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Result

ALL = np.array(HANDS, np.int64)
HOLDS = np.zeros((len(ALL), 52), bool)
HOLDS[np.arange(len(ALL))[:, None], ALL] = True
SHOWN = (0, 3, 4, 5)
DOUBT = 0.25
"""The part of every action that is believed to say nothing about the hand."""
PRIOR = 4.0
"""Actions of each kind that are believed to have been as expected before any was seen."""
HEAT = 0.02
"""How near, in pots, the worth of an action must be to the best for it to be played now and then."""


@functools.cache
def before_the_flop() -> np.ndarray:
    """How good each hand is before the flop: the share of hands that win less against any other."""
    mean = (EQUITIES * WEIGHTS).sum(axis=1) / WEIGHTS.sum(axis=1)
    return _shares(mean[CLASS_OF_HAND][None, :])[0]


def _shares(values: np.ndarray) -> np.ndarray:
    """For each row the share of all entries that an entry beats, ties counting half."""
    found = np.empty(values.shape)
    for row, each in enumerate(values):
        order = np.sort(each)
        found[row] = (np.searchsorted(order, each, "left") + np.searchsorted(order, each, "right")) / (2 * len(each))
    return found


def _step(value: Any, middle: float, width: float) -> Any:
    return 1 / (1 + np.exp(-np.clip((value - middle) / width, -40, 40)))


def folds(share: np.ndarray, price: float) -> np.ndarray:
    """How likely hands of these strengths fold to a price: chips to call as a part of the pot with them."""
    return 1 - _step(share, 0.1 + 1.1 * price, 0.07)


def raises(share: np.ndarray, price: float) -> np.ndarray:
    """How likely they raise, or bet where the price is nothing."""
    return 0.1 + 0.6 * _step(share, 0.72, 0.06) if price == 0 else 0.04 + 0.5 * _step(share, 0.86 + 0.1 * price, 0.04)


class Ranges(Player):
    """Takes the action of most worth against what the others may hold."""

    name = "ranges"
    thinks_in_seconds = is_rehearsed = True
    OPTIONS = (
        Option("seed", "whole", 0, "where random numbers begin"),
        Option("boards", "whole", 120, "random boards that equities are averaged over", least=10, most=5000),
    )

    def __init__(self, *, seed: int = 0, boards: int = 120) -> None:
        self._seed, self.boards = seed, boards
        self._source = random.Random(seed)
        self._rows: np.random.Generator = np.random.default_rng(seed)
        self._latest: Position | None = None
        self._me = -1
        self._known: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}
        self.seen = {"folds": 0.0, "raises": 0.0}
        self.meant = {"folds": 0.0, "raises": 0.0}

    def get_ready(self, position: Position) -> None:
        """Refuse other games."""
        if position.game.family != "hold'em":
            raise Unsuitable(f"the player ranges plays hold'em; this is {position.game.name}: use auto")

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another hand: other cards, and what the others did in the last one is remembered."""
        if self._latest is not None:
            self._learn(self._latest)
        self._latest = None
        self._source = random.Random(f"{self._seed}/{seed}")
        self._rows = np.random.default_rng([self._seed, seed % 2**63])
        self._known = {}

    def follow(self, action: Action | None, view: Position) -> None:
        """Remember the hand."""
        self._latest = view

    # ---------------------------------------------------------------- what hands are worth

    def _boards(self, board: tuple[int, ...], mine: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """How strong each hand is on these cards, as the share of hands it beats, and the strengths on each random board."""
        found = self._known.get(board)
        if found is None:
            free = np.array([card for card in range(52) if card not in (*board, *mine)])
            count = self.boards if len(board) < 5 else 1
            more = np.array([self._rows.permutation(free)[: 5 - len(board)] for _ in range(count)]).reshape(count, -1)
            whole = np.concatenate([np.tile(np.array(board, np.int64), (count, 1)), more], axis=1).astype(np.int64)
            sevens = np.concatenate([np.repeat(whole, len(ALL), axis=0), np.tile(ALL, (count, 1))], axis=1)
            values = strengths(sevens).reshape(count, len(ALL)).astype(np.int64)
            taken = HOLDS[:, whole].any(axis=2).T  # hands that a card of the board makes impossible
            values[taken] = -1
            if board:
                share = np.where(taken, 0, _shares(values)).sum(axis=0) / np.maximum((~taken).sum(axis=0), 1)
            else:
                share = before_the_flop()
            found = self._known[board] = share, values
        return found

    def _beats(self, board: tuple[int, ...], mine: tuple[int, ...]) -> np.ndarray:
        """Of the pot, how much my hand wins against each other hand, on average over the boards."""
        _, values = self._boards(board, mine)
        number = max(mine) * (max(mine) - 1) // 2 + min(mine)
        own = values[:, [number]]
        counted = (values >= 0) & (own >= 0)
        won = ((own > values) + 0.5 * (own == values)) * counted
        return np.asarray(won.sum(axis=0) / np.maximum(counted.sum(axis=0), 1))

    # ---------------------------------------------------------------- what the others may hold

    def _replayed(self, view: Position, me: int, mine: tuple[int, ...]) -> tuple[np.ndarray, Any]:
        """The weight of each hand of each seat after all its actions, and the record as it stands."""
        record = view.game.record(view.state)
        seats = len(record.hands)
        board = tuple(int(card) - 1 for card in record.board if card)
        possible = ~HOLDS[:, list(mine) + list(board)].any(axis=1)
        weights = np.tile(possible.astype(float), (seats, 1))
        for seat, street, action, price, legal, _ in _actions(view):
            if seat == me:
                continue
            share, _ = self._boards(board[: SHOWN[street]], mine)
            weights[seat] *= self._likely(share, action, price, legal)
            weights[seat] /= max(weights[seat].sum(), 1e-300)
        return weights, record

    def _likely(self, share: np.ndarray, action: int, price: float, legal: int) -> np.ndarray:
        """How likely a seat takes an action with each hand."""
        up, down = self._raises(share, price), self._folds(share, price)
        kind = down if action == FOLD else up if action > CALL else np.maximum(1 - up - down, 0.02)
        doubt = min(0.95, DOUBT * max(1.0, self._ratio("raises") ** 2)) if action > CALL else DOUBT
        return (1 - doubt) * kind + doubt / max(legal, 1)

    def _ratio(self, kind: str) -> float:
        return (self.seen[kind] + PRIOR) / (self.meant[kind] + PRIOR)

    def _folds(self, share: np.ndarray, price: float) -> np.ndarray:
        return np.clip(folds(share, price) * min(self._ratio("folds"), 1.3), 0, 0.98) if price > 0 else np.zeros_like(share)

    def _raises(self, share: np.ndarray, price: float) -> np.ndarray:
        return np.clip(raises(share, price) * min(self._ratio("raises"), 3.0), 0, 0.95)

    def _learn(self, view: Position) -> None:
        """Count how often the others folded and raised, beside how often that was to be expected of any hand."""
        share = before_the_flop()
        for seat, _, action, price, _, can_raise in _actions(view):
            if seat == self._me:
                continue
            if price > 0:
                self.meant["folds"] += float(folds(share, price).mean())
                self.seen["folds"] += action == FOLD
            if can_raise:
                self.meant["raises"] += float(raises(share, price).mean())
                self.seen["raises"] += action > CALL

    # ---------------------------------------------------------------- the decision

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """The action of most worth; others that are worth nearly as much now and then."""
        self.get_ready(view)
        self._me = view.player()
        worths = self.worths(view)
        best = max(worths.values())
        pot = max(1.0, self._pot)
        shares = {action: math.exp((worth - best) / (HEAT * pot)) for action, worth in worths.items()}
        total = sum(shares.values())
        action = self._source.choices(list(shares), list(shares.values()))[0]
        told = sorted(worths, key=lambda each: -worths[each])
        sign = -1 if view.player() == 1 and view.game.players == 2 else 1  # values of two are the first seat's
        choices = tuple(Choice(each, sign * worths[each], share=shares[each] / total) for each in told)
        self.last = Result(action, sign * worths[action], (action,), algorithm="ranges", exact=False, unit="chips",
                           choices=choices)  # fmt: skip
        return action

    _pot = 0.0

    def worths(self, view: Position) -> dict[Action, float]:
        """What each action is worth in chips from here on, to fold being worth nothing."""
        me = view.player()
        record = view.game.record(view.state)
        mine = tuple(int(card) - 1 for card in record.hands[me])
        board = tuple(int(card) - 1 for card in record.board if card)
        weights, record = self._replayed(view, me, mine)
        share, _ = self._boards(board, mine)
        beats = self._beats(board, mine)
        others = [seat for seat in range(len(record.hands)) if seat != me and not (int(record.folded) >> seat) & 1]
        pot = self._pot = float(sum(int(each) for each in record.staked))
        asked, bet = float(record.asked()), float(record.bets[me])
        call = min(asked - bet, float(record.stacks[me]))
        found: dict[Action, float] = {}
        for action in view.actions():
            if action == FOLD:
                found[action] = 0.0
            elif action == CALL:
                found[action] = _equity(weights[others], beats) * (pot + call) - call
            else:
                found[action] = self._worth_of_raise(float(action - RAISE) - bet, call, pot, weights, others, share, beats, record)
        return found

    def _worth_of_raise(self, cost: float, call: float, pot: float, weights: np.ndarray, others: list[int], share: np.ndarray,
                        beats: np.ndarray, record: Any) -> float:
        """All fold, and the pot is mine; or those go on whose hands are worth the price."""
        more = cost - call
        all_fold, kept, fractions = 1.0, [], []
        for seat in others:
            pays = min(more, float(record.stacks[seat]))
            down = self._folds(share, pays / (pot + cost + pays)) if pays > 0 else np.zeros_like(share)
            mass = weights[seat].sum()
            folded = float((weights[seat] * down).sum() / mass) if mass > 0 else 0.0
            all_fold *= folded
            fractions.append(1 - folded)
            kept.append(weights[seat] * (1 - down))
        callers = sum(fractions) / max(1e-9, 1 - all_fold)  # on average, where there is one at least
        equity = float(np.mean([_equity(each[None, :], beats) for each in kept])) ** max(1.0, callers)
        paid = min(more, max((float(record.stacks[seat]) for seat in others), default=0.0))
        return all_fold * pot + (1 - all_fold) * (equity * (pot + call + paid + callers * paid) - call - paid)


def _equity(weights: np.ndarray, beats: np.ndarray) -> float:
    """What I win of the pot against all these ranges: the product over seats, as if they did not share a deck."""
    found = 1.0
    for each in weights:
        mass = each.sum()
        found *= float((each * beats).sum() / mass) if mass > 0 else 0.5
    return found


def dealt_again(record: Any) -> Any:
    """The same hand before its first action, with cards that do not matter."""
    again = np.zeros(1, type(record).layout)[0]
    again.stacks[:] = record.stacks + record.staked
    again.post()
    again.hands[:] = 1
    again.board[:] = 1
    return again


def _actions(view: Position) -> list[tuple[int, int, int, float, int, bool]]:
    """Every action of the betting: seat, round, action, the price it faced, how many kinds there were, whether raising was one."""
    record, rules = view.game.record(view.state), view.game.rules
    again = dealt_again(record)
    told = []
    out = np.zeros(int(rules.most_actions) + 1, np.int64)
    for number in range(int(record.made)):
        action = int(record.log[number]) - 1
        seat, call = int(again.turn), float(again.asked()) - float(again.bets[again.turn])
        pot = float(sum(int(each) for each in again.staked))
        count = int(again.actions(out))
        can_raise = bool((out[:count] > CALL).any())
        kinds = int(call > 0) + 1 + int(can_raise)
        told.append((seat, min(3, int(again.street)), action, call / (pot + call) if call > 0 else 0.0, kinds, can_raise))
        again.play(action)
    return told
