"""What the learned strategy of hold'em wins from simple rules, and whether shares that are small are better not played.

    python benchmarks/holdem_rules.py --deals 20000                          # by the learned betting, a minute on one core
    python benchmarks/holdem_rules.py --deals 20000 --least 0.15 0.25 1      # 1: the likeliest action alone (purification)

Each deal is played in both seats and counted out over all that both may do, by how likely it is, so that the cards alone are luck.
The rules see the bucket of their hand, as the strategy does, and bet in its sizes. With `--answers N`, what a local best response
wins in N deals, too: the price of what is told apart less well.
"""

import argparse
from typing import Any

import numpy as np

from outplay.experts.poker.blueprint import FULL, known
from outplay.experts.poker.limit import (
    BUCKETS,
    LEVELS,
    RUNS,
    SPREADS,
    HoldemSolver,
    deal_cards,
    find_buckets,
    payoff,
)
from outplay.experts.poker.local_response import local_best_response
from outplay.games.holdem import CALL, FOLD
from outplay.games.holdem.preflop import EQUITIES, WEIGHTS
from outplay.jit import kernel, random_source

WORTH = (EQUITIES * WEIGHTS).sum(axis=1) / WEIGHTS.sum(axis=1)
BASE = 0.04


@kernel
def meet(deals: Any, player: Any, rounds: Any, child: Any, staked: Any, folded: Any, first: Any, one: Any, other: Any, classes: Any,
         cards: Any, buckets: Any, nodes: Any, weights: Any, source: Any, out: Any) -> None:
    """What `one` gets of each deal on average, from both seats together."""
    for deal in range(deals):
        result = deal_cards(cards, source)
        find_buckets(cards, classes, RUNS, source, buckets)
        total = 0.0
        for me in range(2):
            top, nodes[0], weights[0] = 1, 0, 1.0
            while top > 0:
                top -= 1
                node, weight = nodes[top], weights[top]
                seat = player[node]
                if seat < 0:
                    total += weight * payoff(staked, folded, node, result, me)
                    continue
                row = first[node] + buckets[seat, rounds[node]]
                for action in range(child.shape[1]):
                    share = one[row, action] if seat == me else other[row, action]
                    if child[node, action] >= 0 and share > 0.0:
                        nodes[top], weights[top] = child[node, action], weight * share
                        top += 1
        out[deal] = total


def without(shares, least):
    """The strategy without what it plays more seldom; the likeliest action always stays."""
    likely = shares.astype(np.float32) / FULL
    kept = np.where((likely >= least) | (likely == likely.max(axis=1, keepdims=True)), likely, 0.0)
    if least >= 1:
        kept = np.eye(likely.shape[1], dtype=np.float32)[likely.argmax(axis=1)]
    return kept / np.maximum(kept.sum(axis=1, keepdims=True), 1e-9)


def rules(learned, bets):
    """Simple players: what each does in every row of the strategy."""
    player, rounds, child, staked, _, first = bets
    sizes = np.where(player >= 0, np.array([*BUCKETS, 0, 0])[rounds], 0)
    node = np.repeat(np.arange(len(player)), sizes)
    bucket = np.arange(len(node)) - first[node]
    street, has, me = rounds[node], child[node] >= 0, player[node]
    worth = np.where(street == 0, WORTH[np.minimum(bucket, len(WORTH) - 1)],
                     np.where(street == 3, (bucket + 0.5) / BUCKETS[3], (bucket // SPREADS + 0.5) / LEVELS))  # fmt: skip
    pot, asked = staked[node].sum(axis=1), staked[node, 1 - me] - staked[node, me]
    raises = has[:, 2:]
    near = np.abs(np.where(raises, learned.amounts[node][:, 2:] - pot[:, None], 10**6)).argmin(axis=1) + 2
    dear = (asked > 0) & (worth < asked / (pot + asked)) & has[:, FOLD]
    odds = np.where((worth > 2 / 3) & raises.any(axis=1), near, np.where(dear, FOLD, CALL))
    half = np.where((worth >= 0.5) | (asked == 0) | ~has[:, FOLD], CALL, FOLD)
    only = np.eye(has.shape[1], dtype=np.float32)
    return {"random": (has / has.sum(axis=1, keepdims=True)).astype(np.float32), "pot odds": only[odds],
            "calls the better half": only[half], "always call": only[np.full(len(node), CALL)],
            "always raise": only[np.where(has[:, 2], 2, CALL)],
            "all in": only[has.shape[1] - 1 - has[:, ::-1].argmax(axis=1)]}  # fmt: skip


def told(values):
    """The mean with its 95 % interval."""
    return f"{values.mean():+.1f} ± {1.96 * values.std() / len(values) ** 0.5:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--least", type=float, nargs="*", default=[0.15])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", type=int, default=0)
    asked = parser.parse_args()
    learned = known()
    betting = learned.betting
    bets = tuple(np.ascontiguousarray(each, np.int64) for each in (
        betting.player, betting.round, betting.child, betting.staked, betting.folded, learned.first))  # fmt: skip
    classes, room = learned.classes.astype(np.int64), (np.zeros(9, np.int64), np.zeros((2, 4), np.int64))
    stack = np.zeros(200_000, np.int64), np.zeros(200_000)
    base = without(learned.shares, BASE)

    def won(one, other):
        out = np.zeros(asked.deals)
        meet(asked.deals, *bets, one, other, classes, *room, *stack, random_source(asked.seed), out)
        return 50 * out  # of a hundred hands, two a deal

    print(f"| against | shares from {BASE:g} |" + "".join(f" from {least:g} | gained |" for least in asked.least))
    print("|---|---|" + "---|---|" * len(asked.least))
    for name, rule in {"the strategy itself": base, **rules(learned, bets)}.items():
        before = won(base, rule)
        after = [won(without(learned.shares, least), rule) for least in asked.least]
        print(f"| {name} | {told(before)} |" + "".join(f" {told(each)} | {told(each - before)} |" for each in after), flush=True)
    if asked.answers:
        solver = HoldemSolver(learned.game)
        for least in (BASE, *asked.least):
            solver.sums[:] = without(learned.shares, least).astype(float).ravel()
            mean, error = local_best_response(solver, asked.answers, seed=asked.seed)
            print(f"a local best response wins {mean / 1000:+.2f} ± {1.96 * error / 1000:.2f} big blinds a hand from {least:g} on")


if __name__ == "__main__":
    main()
