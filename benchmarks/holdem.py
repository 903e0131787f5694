"""What a player of hold'em wins: chips a hundred hands, each deal from every seat, the luck of all-ins taken off.

    python benchmarks/holdem.py --workers 8 --deals 2000                       # `auto` against all of them
    python benchmarks/holdem.py --player ranges --rival "always call" --deals 400
    python benchmarks/holdem.py --game "hold'em:seats=4" --deals 300

Where somebody is all in before the river, the mean over random boards takes the place of the one that came. The rivals: `random`;
`always call`; `always raise` (the smallest raise); `pot odds`, who compares the price with its equity against any hand and
raises with two thirds; `calls the better half` (and folds the rest); and our own. Every player has `--time` seconds for an
action, at most.
"""

import argparse
import json
import math
import multiprocessing
import random
import statistics
import time

from outplay.experts.poker.limit import hand_equity
from outplay.experts.poker.session import without_luck
from outplay.game import load
from outplay.games.holdem import CALL, FOLD, RAISE
from outplay.games.holdem.preflop import EQUITIES, WEIGHTS
from outplay.games.holdem.ranges import class_of_hand
from outplay.players import player
from outplay.players.base import Player
from outplay.playing import Play
from outplay.values import Limits

WORTH = (EQUITIES * WEIGHTS).sum(axis=1) / WEIGHTS.sum(axis=1)


class Simple(Player):
    """A player by one rule."""

    def __init__(self, name):
        self.name = name

    def pick(self, view, limits):
        """Its action."""
        legal = view.actions()
        raises = sorted(action for action in legal if action > CALL)
        if self.name == "always call":
            return CALL
        if self.name == "always raise":
            return raises[0] if raises else CALL
        record = view.game.record(view.state)
        hole = tuple(int(card) - 1 for card in record.hands[view.player()])
        board = tuple(int(card) - 1 for card in record.board if card)
        equity = hand_equity(hole, board, runs=240)[0] if board else WORTH[class_of_hand((max(hole), min(hole)))]
        call, pot = float(record.asked() - record.bets[view.player()]), float(sum(record.staked))
        if self.name == "calls the better half":
            return CALL if equity >= 0.5 or not call else FOLD
        if equity > 2 / 3 and raises:
            near = min(raises, key=lambda action: abs(action - RAISE - pot))
            return near
        return FOLD if call and equity < call / (pot + call) else CALL


RIVALS = ("random", "always call", "always raise", "pot odds", "calls the better half", "engine:ismcts", "ranges")
RULES = ("always call", "always raise", "pot odds", "calls the better half")


def named(text, seed):
    return Simple(text) if text in RULES else player(text, seed=seed)


def deals(piece):
    """What the player wins of some deals, a hand: with luck and without."""
    game, mine, other, first, count, seconds, until = piece
    if time.time() > until:
        return mine, other, []
    loaded, got = load(game), []
    seats = loaded.players
    table = [named(mine, 1), *(named(other, 2 + number) for number in range(seats - 1))]
    for each in table:
        each.get_ready(loaded.start())
    for deal in range(first, first + count):
        if time.time() > until:
            break
        sums = [0.0, 0.0]
        for turn in range(seats):
            seated = [table[(seat - turn) % seats] for seat in range(seats)]
            play = Play(loaded, seated, seed=deal, limits=Limits(seconds=seconds))
            play.finished()
            sums[0] += play.outcome.utilities[turn] / seats
            sums[1] += without_luck(play)[turn] / seats
        got.append(sums)
    return mine, other, got


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="hold'em")
    parser.add_argument("--player", default="auto")
    parser.add_argument("--rival", action="append", default=[])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--time", type=float, default=0.05)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--wall", type=float, default=math.inf, help="seconds after which all ends")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    until, size = time.time() + asked.wall, 10
    pieces = [(asked.game, asked.player, rival, first, size, asked.time, until)
              for first in range(asked.first, asked.first + asked.deals, size)
              for rival in asked.rival or RIVALS if rival != asked.player]
    random.Random(1).shuffle(pieces)
    found = {}
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        for _, other, got in pool.imap_unordered(deals, pieces):
            found.setdefault(other, []).extend(got)
    seats = load(asked.game).players
    print(f"| `{asked.player}` against | seats | hands | chips a hundred hands | without the luck of all-ins |")
    print("|---|---|---|---|---|")
    for rival in asked.rival or RIVALS:
        got = found.get(rival, [])
        if len(got) < 2:
            continue
        told = [f"{100 * statistics.fmean(each):+.0f} ± {196 * statistics.stdev(each) / math.sqrt(len(each)):.0f}"
                for each in zip(*got, strict=True)]
        print(f"| `{rival}` | {seats} | {seats * len(got):,} | {told[0]} | {told[1]} |", flush=True)
        if asked.json:
            print(json.dumps({"rival": rival, "deals": len(got), "told": told}))


if __name__ == "__main__":
    main()
