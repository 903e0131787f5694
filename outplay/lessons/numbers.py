"""The numbers of the course's pages, each table made by a function here: `outplay lectures NAME` prints them.

>>> chinook().words.split(":")[0]
'Together 443,748,401,247'
"""

from __future__ import annotations

import json
import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from outplay.errors import UnknownName
from outplay.game import load
from outplay.lessons import rolls
from outplay.lessons.exercises_trees import written
from outplay.lessons.measures import (
    chess,
    company,
    deals,
    flips,
    forced,
    isolation,
    million,
    replacement,
    rote,
    samuel,
    second,
    strength,
)
from outplay.lessons.table import Table, Tell, quietly
from outplay.textbook import run
from outplay.textbook.best_response import best_response, others
from outplay.textbook.information import Node, Strategy, Tree
from outplay.textbook.meta import best_leaves, pearl_branching, random_leaves
from outplay.values import Limits


def chinook(tell: Tell = quietly) -> Table:
    """Checkers positions of up to eight pieces: the 443,748,401,247 of Chinook's tables, counted."""
    choose, counts = math.comb, []
    for pieces in range(1, 9):
        counts.append(
            sum(
                choose(4, back)
                * choose(24, men - back)
                * choose(28 - (men - back), others)
                * choose(32 - men - others, kings)
                * choose(32 - men - others - kings, pieces - men - others - kings)
                for men in range(pieces + 1)
                for others in range(pieces + 1 - men)
                for kings in range(pieces + 1 - men - others)
                for back in range(min(4, men) + 1)
            )
        )
    words = (
        f"Together {sum(counts):,}: men anywhere but on the row where they are crowned, kings "
        "anywhere, positions of one colour alone among them; who is to move is not counted."
    )
    return Table(
        "Positions of checkers by the number of pieces",
        ("pieces", "positions"),
        tuple((str(n), f"{count:,}") for n, count in enumerate(counts, 1)),
        words,
    )


def backgammon(tell: Tell = quietly) -> Table:
    """How many ways there are to play a 1-1: a position with very many."""
    found = rolls.plays(rolls.MOST_PLAYS)
    position = load("backgammon").position(rolls.position_id(rolls.MOST_PLAYS))
    legal = len(position.play("11").actions())
    where = ", ".join(str(point) for point in range(24, 0, -1) if rolls.MOST_PLAYS[point])
    rows = (
        ("boards that 1-1 leads to", f"{len(found):,}"),
        ("actions, by the rules of our game", f"{legal:,}"),
        ("orders in which the four steps can be made", f"{sum(found.values()):,}"),
        ("boards, at most, for any fifteen checkers", f"{math.comb(18, 4):,}"),
    )
    return Table(
        "The most ways to play a 1-1",
        ("", "number"),
        rows,
        f"One checker on each of the points {where}; the other side has one left, on the bar ({position.text()}). So 6,000 boards there "
        "are never; orders there may be many more.",
    )


def mean_leaves(branching: int, plies: int, model: str, seeds: Sequence[int]) -> float:
    """The leaves that alpha-beta reads of uniform trees in random order, on average."""
    trees = (load("uniform tree", branching=branching, depth=plies, leaves=model, seed=seed).start() for seed in seeds)
    return statistics.fmean(run("alphabeta", tree).leaves for tree in trees)


SHAPES = ((2, 8), (3, 6), (4, 5), (6, 4), (8, 4), (16, 3))


def order(tell: Tell = quietly, shapes: Sequence[tuple[int, int]] = SHAPES) -> Table:
    """The exponent of alpha-beta by the order and the model of the leaves: b^(m/2), b^(3m/4), b^m, and what is counted."""
    rows = []
    for branching, plies in shapes:
        tell(f"b = {branching}, m = {plies}")
        independent, graded = (mean_leaves(branching, plies, model, range(8)) for model in ("independent", "graded"))
        exponent = [math.log(leaves, branching) / plies for leaves in (best_leaves(branching, plies), independent, graded)]
        rows.append(
            (
                str(branching),
                str(plies),
                f"{best_leaves(branching, plies):,}",
                f"{graded:,.0f}",
                f"{independent:,.0f}",
                f"{random_leaves(branching, plies):,.0f}",
                f"{branching**plies:,}",
                *(f"{each:.2f}" for each in exponent),
                f"{math.log(pearl_branching(branching), branching):.2f}",
            )
        )
    return Table(
        "Leaves that alpha-beta reads, means over eight trees, and the exponent: leaves = b^(exponent · m)",
        (
            "b",
            "m",
            "best order",
            "graded",
            "independent",
            "b^(3m/4)",
            "worst",
            "exponent best",
            "independent",
            "graded",
            "Pearl's limit",
        ),
        tuple(rows),
        "Pearl's limit is the exponent of independent leaves where the depth has no end; shallow trees read more." + (_chess_order() if shapes is SHAPES else ""),
    )


def _chess_order() -> str:
    """The exponent in chess, where one order of play is like another and yet nothing is independent."""
    at = load("chess").start()
    whole, read = (run(name, at, depth=3).leaves for name in ("h-minimax", "h-alphabeta"))
    return (f" Chess, three plies from the start, moves as the rules list them: {read:,} of {whole:,} leaves, "
            f"exponent {math.log(read) / math.log(whole):.2f}.")


def half(tell: Tell = quietly, widths: Sequence[int] = (4, 8, 16)) -> Table:
    """The lecture's assumption that the minimum is found after b/2 expansions, and what a cut really takes."""
    rows = []
    for branching in widths:
        tell(f"b = {branching}")
        seen: list[int] = []
        for seed in range(12):
            result = run("alphabeta", load("uniform tree", branching=branching, depth=3, seed=seed).start(), trace=True)
            seen += [branching - len(step.skipped) for step in result.trace if step.event == "cut"]
        place = (branching + 1) / 2
        rows.append((str(branching), f"{place:.1f}", f"{statistics.fmean(seen):.1f}"))
    return Table(
        "After how many actions a node is left",
        ("b", "where its best action lies, on average", "actions until a cut, measured"),
        tuple(rows),
        "The best of b actions in random order lies at place (b+1)/2 on average; a cut needs only one that is good enough.",
    )


def opponents(tell: Tell = quietly) -> Table:
    """A search for a tree in which a weaker MIN costs MAX something, which there is not; and what minimax leaves on the table."""
    source = random.Random(0)
    worse, left = 0, {p: 0.0 for p in (1.0, 0.9, 0.7, 0.5)}
    trees = 400
    for _ in range(trees):
        leaves = source.sample(range(100), 9)
        tree = [leaves[3 * k : 3 * k + 3] for k in range(3)]
        value = max(map(min, tree))
        chosen = tree[[min(part) for part in tree].index(value)]
        worse += any(leaf < value for leaf in chosen)
        for p in left:
            worth = [p * min(part) + (1 - p) * (sum(part) - min(part)) / 2 for part in tree]
            left[p] += (max(worth) - worth[tree.index(chosen)]) / trees
    assert run("minimax", load("tree", tree=written(tree)).start()).value == value
    rows = tuple((f"{p:g}", f"{lost:.1f}") for p, lost in left.items())
    return Table(
        f"What minimax leaves on the table, of 100 points, in {trees} random trees, by how often MIN finds its best answer",
        ("p", "points left"),
        rows,
        f"Trees in which an answer of MIN's cost MAX anything: {worse}.",
    )


def general(tell: Tell = quietly) -> Table:
    """The lectures' claim that the utility selected at the root tends to be reasonable for all: random general-sum trees."""
    source = random.Random(0)
    rows = []
    for depth in (2, 4, 6):
        better, gain, trees = 0, 0.0, 300
        for _ in range(trees):
            leaves = [(source.random(), source.random()) for _ in range(2**depth)]
            level = leaves
            for ply in range(depth - 1, -1, -1):
                level = [max(level[k : k + 2], key=lambda pair: pair[ply % 2]) for k in range(0, len(level), 2)]
            found = level[0]
            better += any(a > found[0] and b > found[1] for a, b in leaves)
            gain += sum(found) / 2
        rows.append((str(depth), f"{gain / trees:.2f}", f"{100 * better / trees:.0f} %"))
    return Table(
        "Two players, each for itself, in random trees with two actions a node",
        ("plies", "mean utility", "both could have more"),
        tuple(rows),
        "A utility is drawn between 0 and 1, so 0.5 is what chance would bring.",
    )


def sizes(tell: Tell = quietly) -> Table:
    """How large games are, beside what the Universe could count: powers of ten."""
    known = (
        ("tic-tac-toe", 3, 5.4),
        ("isolation 5 x 5, as 8^25", 0, 22.6),
        ("connect four", 12.7, 21),
        ("checkers", 20.7, 31),
        ("Othello", 28, 58),
        ("chess", 44.7, 123),
        ("backgammon", 20, 144),
        ("Go 19 x 19", 170, 360),
    )
    chess = 100 * math.log10(35)
    rows = [(name, f"10^{states:g}" if states else "", f"10^{tree:g}") for name, states, tree in known]
    rows.append(("the lectures' chess, 35^100", "", f"10^{chess:.0f}"))
    rows.append(("moves the Universe could have computed: 10^8 a second, 10^78 atoms, 10^18 s", "", "10^104"))
    return Table(
        "Sizes of games: positions, and lines of play",
        ("game", "positions", "lines"),
        tuple(rows),
        "Connect four's and checkers' positions are counted, the others estimated (Allis 1994; Tromp; Schaeffer).",
    )


def bns(tell: Tell = quietly, shapes: Sequence[tuple[int, int]] = ((3, 6), (4, 4)),
        values: Sequence[int] = (2, 10, 100, 1000, 100_000)) -> Table:
    """Best Node Search on random trees, by how many values a leaf can take: its claim to be the most efficient there."""
    rows = []
    for branching, plies in shapes:
        for most in values:
            tell(f"b = {branching}, m = {plies}, {most} values")
            trees = [load("tree", tree=written(drawn(branching, plies, most, random.Random(seed)))).start() for seed in range(8)]
            read = (statistics.fmean(run(name, tree).leaves for tree in trees) for name in ("alphabeta", "mtdf", "bns"))
            rows.append((f"b = {branching}, m = {plies}", f"{most:,}", *(f"{leaves:.0f}" for leaves in read)))
    return Table(
        "Leaves read, means over eight random trees",
        ("tree", "values of a leaf", "alpha-beta", "MTD(f)", "Best Node Search"),
        tuple(rows),
    )


def drawn(branching: int, plies: int, most: int, source: random.Random) -> Any:
    """A tree of nested lists with leaves below `most`."""
    return [drawn(branching, plies - 1, most, source) for _ in range(branching)] if plies else source.randrange(most)


CARDS = ("kuhn poker", "leduc poker", "liar's dice:faces=2", "liar's dice:faces=3", "goofspiel:cards=3")


def asterisk(tell: Tell = quietly, games: Sequence[str] = CARDS) -> Table:
    """The special case with the asterisk: how often an action is best in every deal and yet wrong, counted over small games."""
    rows = []
    for written_game in games:
        game = load(written_game)
        tell(written_game)
        tree = Tree(game.start(), "the asterisk", limits=Limits(nodes=20_000))
        strategy = run("sequence-form", game.start(), limits=Limits(nodes=20_000)).facts["strategy"]
        counts = [0, 0, 0]
        for player in range(tree.players):
            for verdict in _verdicts(tree, strategy, player):
                counts[0] += 1
                counts[1] += verdict is not None
                counts[2] += verdict is False
        rows.append((written_game, *(f"{count:,}" for count in counts)))
    return Table(
        "Is an action that is best in every deal the right one?",
        ("game", "information sets", "one is best in every deal", "and it is wrong"),
        tuple(rows),
        "Information sets with a choice that an equilibrium's other player may lead to. Best in every deal: none is better with open "
        "cards from there on, and in some deal it is better than another. Wrong: against that equilibrium something else brings more; "
        "another equilibrium of the same game may count a little differently.",
    )


def _verdicts(tree: Tree, strategy: Strategy, player: int) -> Iterator[bool | None]:
    """Of each information set that may be reached: whether what is best in every deal is right, None where nothing is."""
    _, answer = best_response(tree, strategy, player)
    opened, played = _open_cards(tree), tree.values({**strategy, **answer})
    reach, sign = tree.reaches(strategy), 1 if player == 0 else -1
    for key, here in tree.sets.items():
        weights = [others(reach[node], player) for node in here.nodes]
        if key[0] != player or len(here.actions) < 2 or not any(weights):
            continue
        deals = [[sign * opened[child] for child in node.children] for node in here.nodes]
        always = [k for k in range(len(here.actions)) if all(deal[k] >= max(deal) - 1e-9 for deal in deals)]
        if not always or all(max(deal) - min(deal) < 1e-9 for deal in deals):
            yield None
            continue
        gains = [
            sum(weight * played[node.children[k]][player] for weight, node in zip(weights, here.nodes, strict=True))
            for k in range(len(here.actions))
        ]
        yield max(gains[k] for k in always) > max(gains) - 1e-7 * sum(weights)


def _open_cards(tree: Tree) -> dict[Node, float]:
    """What every node is worth to the first player once all cards lie open."""
    worth: dict[Node, float] = {}
    for node in reversed(tree.nodes):  # children before parents
        below = [worth[child] for child in node.children]
        if node.utilities:
            worth[node] = node.utilities[0]
        elif node.key is None:
            worth[node] = sum(share * value for share, value in zip(node.odds, below, strict=True))
        else:
            worth[node] = max(below) if node.key[0] == 0 else min(below)
    return worth


def sliding(tell: Tell = quietly, bounds: Sequence[int] = (10, 12, 15, 20, 40, 100)) -> Table:
    """The bound that slides at a chance node, and how the cuts vanish as the bounds of the utilities go apart."""
    source = random.Random(0)

    def grown() -> Any:
        """MAX throws one of four dice; at each of its six sides MIN has three leaves."""
        return [{"chance": [["1/6", {"min": [source.randrange(11) for _ in range(3)]}] for _ in range(6)]} for _ in range(4)]

    trees = [load("tree", tree=json.dumps({"max": grown()})).start() for _ in range(20)]
    whole = statistics.fmean(run("expectiminimax", tree).leaves for tree in trees)
    rows = []
    for most in bounds:
        tell(f"bounds 0 and {most}")
        runs = [[run(name, tree, bounds=(0.0, most), trace=True) for tree in trees] for name in ("star1", "star2")]
        skipped = [
            statistics.fmean(sum(len(step.skipped) for step in found.trace if "whatever the rest" in step.reason) for found in each)
            for each in runs
        ]
        read = [statistics.fmean(found.leaves for found in each) for each in runs]
        rows.append((f"0 to {most}", f"{whole:.0f}", *(f"{cell:.1f}" for pair in zip(read, skipped, strict=True) for cell in pair)))
    return Table(
        "Twenty random trees (MAX 4 actions, a die, MIN 3 actions), by what is known of the utilities",
        ("utilities lie in", "leaves", "read by Star1", "outcomes skipped", "read by Star2", "outcomes skipped"),
        tuple(rows),
        "The leaves are 0 to 10 in every row: only what the search is told of them differs. Star1 skips a node's other outcomes once even the "
        "greatest utility in all of them could not lift the mean to alpha, which far bounds never show. Star2 looks at one answer of MIN's "
        "at each outcome first: that is a bound of its own, however far the others are.",
    )


def gradient(tell: Tell = quietly) -> Table:
    """Where states are numbers and no neighbours can be listed: steps against the slope, by where they begin and how long they are."""
    rows = []
    for start in (-1.0, 0.2, 0.3, 2.5):
        row = []
        for length in (0.02, 0.1, 0.3):
            at, steps = start, 0
            while abs(_slope(at)) > 1e-6 and steps < 1000 and abs(at) < 100:
                at, steps = at - length * _slope(at), steps + 1
            row.append(f"{at:.2f} in {steps} steps" if abs(_slope(at)) <= 1e-6 else "never rests" if abs(at) < 100 else "flies off")
        rows.append((f"{start:g}", *row))
    return Table(
        "Down x⁴/4 - 2x² + x by steps of the length times the slope x³ - 4x + 1",
        ("from", "0.02", "0.1", "0.3"),
        tuple(rows),
        "There are two hollows, the deeper one on the left: -2.11, where the height is -6.06, and 1.86, where it is -2.07. The hill between "
        "them is at 0.25, and which side of it one begins on decides. Steps that are too long jump across the hollow.",
    )


def _slope(x: float) -> float:
    return x**3 - 4 * x + 1


TABLES: dict[str, Callable[..., Table]] = {
    each.__name__: each
    for each in (chinook, backgammon, order, half, flips, second, million, isolation, company, opponents, general, sizes, strength, chess,
                 bns, deals, asterisk, sliding, forced, replacement, samuel, rote, gradient)
}
"""Every table by its name."""


def table(name: str, tell: Tell = quietly) -> Table:
    """The table of that name."""
    known(name)
    return TABLES[name](tell)


def known(name: str) -> None:
    """Refuse a name that no table has."""
    if name not in TABLES:
        raise UnknownName("table", name, TABLES)


def about(name: str) -> str:
    """What a table tells, in a line."""
    return (TABLES[name].__doc__ or "").partition("\n")[0]
