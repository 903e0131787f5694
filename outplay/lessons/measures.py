"""The tables that our engine makes for the course: depth and strength, what nodes buy, who wins isolation, Samuel's learner.

>>> isolation(boards=[(3, 2)]).rows[0][:3]
('3 x 2', 'the second player', '6')
"""

from __future__ import annotations

import math
import random
import statistics
import threading
from collections.abc import Sequence
from typing import Any

from outplay.arena.elo import Tally, elo
from outplay.arena.match import random_opening, tournament
from outplay.engine.alphabeta.solve import solve
from outplay.game import Game, Position, load
from outplay.lessons import samuel as learner
from outplay.lessons.table import Table, Tell, quietly
from outplay.players import player
from outplay.players.algorithms import best
from outplay.players.searcher import Searcher
from outplay.textbook import run
from outplay.values import Limits, Record


def _positions(name: str, number: int, opening: int, played: int = 0) -> list[Position]:
    """Different positions after plies at random, and then plies by a search of depth 2, so that they are such as occur.

    Those are left out where the game is over or nothing is to be chosen.
    """
    found: dict[str, Position] = {}
    source = random.Random(1)
    while len(found) < number:
        at = load(name).start()
        for ply in range(opening + played):
            if not at.is_terminal():
                at = at.result(source.choice(at.actions()) if ply < opening else best(at, "engine:pvs", Limits(depth=2)).action)
        if not at.is_terminal() and len(at.actions()) > 1:
            found[at.text()] = at
    return list(found.values())


def flips(tell: Tell = quietly, games: Sequence[str] = ("chess", "othello", "isolation"), deepest: int = 7, number: int = 200) -> Table:
    """How often the best action changes when a search goes one ply deeper."""
    rows, search = [], "engine:pvs,null_move=no,reductions=no,futility=0,probcut=0"
    for name in games:
        tell(f"{name}, positions")
        positions = _positions(name, number, 4, 6)
        before: list[Any] = [None] * len(positions)
        changed = []
        for depth in range(1, deepest + 1):
            tell(f"{name}, depth {depth}")
            now = [best(position, search, Limits(depth=depth)).action for position in positions]
            changed.append(sum(a != b for a, b in zip(before, now, strict=True)))
            before = now
        rows.append((name, *(f"{100 * count / len(positions):.0f} %" for count in changed[1:])))
    return Table(
        f"How often one ply more changes the move, at full width, in {number} positions after four random plies and six of play at depth 2",
        ("game", *(f"{d} to {d + 1}" for d in range(1, deepest))),
        tuple(rows),
        "Each figure is uncertain by some six points (95 %).",
    )


def second(tell: Tell = quietly, measured: bool = True) -> Table:
    """How large a tree a second buys: nodes a second then and now, and what depth they mean."""
    rates, words = {"the lecture's program": 1e4, "Logistello, 1997": 160_000.0, "Deep Blue, 1997": 126e6,
                    "a billion, as the notes assume": 1e9}, ""  # fmt: skip
    if measured:
        tell("our engine at full width, one second")
        at, full = load("chess").start(), "engine:pvs,null_move=no,reductions=no,futility=0,quiescence=no"
        best(at, full, Limits(depth=2))  # whatever has to be compiled
        ours = best(at, full, Limits(seconds=1.0))
        tell("the textbook, one second")
        plain = run("iterative-deepening", at, limits=Limits(seconds=1.0))
        rates |= {"our textbook, in Python": plain.nodes / plain.seconds, "our engine, this machine": ours.nodes / ours.seconds}
        words = (f"Our engine's second at full width reached depth {ours.depth}, with {ours.nodes:,} nodes; the textbook's {plain.depth}, "
                 f"with {plain.nodes:,}. Speeds are this machine's, measured now.")
    rows = []
    for name, rate in sorted(rates.items(), key=lambda one: one[1]):
        depth = [math.log(rate * 100, 35) / exponent for exponent in (1, 0.75, 0.5)]
        rows.append((name, f"{rate:,.0f}", *(f"{each:.1f}" for each in depth)))
    return Table("Nodes a second, and the plies of chess (b = 35) that 100 seconds buy",
                 ("", "nodes a second", "minimax", "alpha-beta, random order", "best order"), tuple(rows), words)


BOARDS = tuple((width, height) for width in range(2, 6) for height in range(1, width + 1))


def isolation(tell: Tell = quietly, boards: Sequence[tuple[int, int]] = BOARDS) -> Table:
    """Queens' isolation solved on every board up to 5 x 5: who wins, and after how many plies at best play."""
    rows = []
    for width, height in boards:
        game = load("isolation", width=width, height=height)
        tell(f"{width} x {height}")
        is_large = width * height > 16
        found = solve(game.start(), distance=not is_large)
        winner = "the first player" if found.value == 1 else "the second player"
        plies = solve(game.start(), distance=True).facts["distance"] if is_large else len(found.line)  # who wins takes far fewer nodes
        rows.append((f"{width} x {height}", winner, f"{plies}", f"{found.nodes:,}", f"10^{width * height * math.log10(8):.1f}"))
    return Table(
        "Who wins queens' isolation",
        ("board", "wins", "plies", "nodes", "8 to the power of its cells"),
        tuple(rows),
        "The last column is the lecture's estimate of a full tree.",
    )


CONNECT = "connect four:width=6,height=5"


def strength(tell: Tell = quietly, game: str = CONNECT, depths: Sequence[int] = range(2, 9), games: int = 40) -> Table:
    """Depth and strength: each depth of the engine against the one before, as Elo."""
    played: Game = load(game)
    detail = []
    for depth in depths:
        tell(f"depth {depth} against {depth - 1}")
        names = [f"engine:alphabeta,depth={depth}", f"engine:alphabeta,depth={depth - 1}"]
        seats = [player(name) for name in names]
        openings = [random_opening(played.start(), 4, depth + each) for each in range(-(-games // 2))]
        records = tournament(played, seats, games=games, openings=openings, stop=threading.Event())
        detail.append(f"{depth} " + "".join(_letter(record, names[0]) for record in records))
    return strength_of(game, detail)


def _letter(record: Record, name: str) -> str:
    assert record.outcome is not None
    winner = record.outcome.winner
    return "=" if winner is None else "1" if record.players[winner] == name else "0"


def strength_of(game: str, detail: Sequence[str]) -> Table:
    """The table of depth and strength of games that were played: by depth, how each ended for the deeper player."""
    rows, total, error = [], 0.0, 0.0
    for line in detail:
        depth, _, ended = line.partition(" ")
        found = Tally(ended.count("1"), ended.count("="), ended.count("0"))
        difference, own = elo(found).difference, _error(found)
        error, total = math.hypot(error, own), total + difference
        score = f"{found.wins} : {found.losses}, {found.draws} drawn"
        rows.append((depth, str(len(ended)), score, f"{round(difference):+d} ± {1.96 * own:.0f}", f"{round(total):+d} ± {1.96 * error:.0f}"))
    return Table(f"{game}: depth d against d - 1, from openings of four random plies, each with both colours",
                 ("depth", "games", "won : lost", "Elo", "sum"), tuple(rows),
                 "Intervals are 95 %, by the spread of single games; that of the sum takes the rows as independent.", tuple(detail))


def _error(found: Tally) -> float:
    """The standard error of an Elo difference, by the variance of a game's score; half a game each way, so that it is finite."""
    games = found.wins + found.draws + found.losses + 1
    share = (found.wins + found.draws / 2 + 0.5) / games
    variance = (found.wins + found.draws / 4 + 0.5) / games - share**2
    return 400 / math.log(10) * math.sqrt(variance / games) / (share * (1 - share))


def chess(tell: Tell = quietly, depths: Sequence[int] = range(2, 13), games: tuple[int, int] = (40, 20)) -> Table:
    """Depth and strength in chess, depth 1 to 12: takes some twenty minutes of a quiet processor core."""
    shallow, deep = [depth for depth in depths if depth <= 8], [depth for depth in depths if depth > 8]
    parts = [strength(tell, "chess", some, many) for some, many in zip((shallow, deep), games, strict=True)]
    return strength_of("chess", parts[0].detail + parts[1].detail)


def deals(tell: Tell = quietly, leads: int = 24, judges: int = 100) -> Table:
    """GIB's hundred deals against ten and a thousand: how often the opening lead is the best one, and what it costs when not."""
    game = load("bridge", phase="play", contract="1NT", ranks=6)
    source, detail = random.Random(1), []
    right, lost = {10: 0, 100: 0, 1000: 0}, {10: 0.0, 100: 0.0, 1000: 0.0}
    for number in range(leads):
        tell(f"lead {number + 1} of {leads}")
        at = game.start()
        while at.is_chance():
            at = at.result(at.sample_chance(source.getrandbits(31)))
        sign = 1 if at.player() % 2 == 0 else -1  # values are North's and South's
        view, means = at.observe(at.player()), []
        for seed in range(100 + judges if judges else 10):  # ten deals each; what comes after the first hundred of them is the judge
            found = best(view, f"double-dummy:deals=10,time=60,seed={seed}", Limits(seconds=60))
            means.append({one.action: sign * float(one.value) for one in found.choices})  # type: ignore[arg-type]
        worth, took = _mean(means[100:] or means), []
        for count in right:
            chosen = max(said := _mean(means[: count // 10]), key=lambda card: said[card])
            took.append(at.action_text(chosen))
            right[count] += worth[chosen] >= max(worth.values()) - 1e-9
            lost[count] += (max(worth.values()) - worth[chosen]) / leads
        detail.append(" ".join(took))
    rows = tuple((f"{count:,}", f"{right[count]} of {leads}", f"{lost[count]:.1f}") for count in right)
    return Table("Opening leads with six cards a hand, against 1NT, by the number of deals",
                 ("deals", "the best card", "points lost a lead"), rows,
                 "The best card is that of another thousand deals. Each deal is solved with open cards.", tuple(detail))


def _mean(found: list[dict[Any, float]]) -> dict[Any, float]:
    return {card: statistics.fmean(each[card] for each in found) for card in found[0]}


CHECKS = "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1"


def forced(tell: Tell = quietly, depths: Sequence[int] = (4, 6, 8, 12, 16, 18)) -> Table:
    """Deep Blue's forced lines of up to 40 plies: how far below its depth a search with extensions looks."""
    at, rows, line = load("chess").position(CHECKS), [], ""
    for depth in depths:
        tell(f"depth {depth}")
        cells = []
        for name in ("engine:pvs,singular=50,null_move=no,reductions=no,futility=0", "engine:pvs"):
            if depth > 8 and "null_move" in name:
                cells += ["–", "–"]
                continue
            found = best(at, name, Limits(depth=depth))
            cells += [str(found.facts["selective_depth"]), f"{found.nodes:,}"]
            line = f"{len(found.line)} plies"
        rows.append((str(depth), *cells))
    return Table(
        "Depth, and the longest line that was looked at",
        ("depth", "full width, singular extensions", "nodes", "with guesses", "nodes"),
        tuple(rows),
        f"A rook ending with knights ({CHECKS}); checks, single answers and captures go on below the depth. "
        f"The line of best play that the last search gives has {line}.",
    )


def replacement(tell: Tell = quietly, powers: Sequence[int] = (8, 10, 12, 14, 16, 18)) -> Table:
    """Which to keep and which to discard: policies of the transposition table by its size, in a search and over a whole game."""
    rows = []
    for power in powers:
        tell(f"{2**power:,} entries")
        once = [_keeping(policy, power, 13, plies=1) for policy in POLICIES[:2]]
        game = [_keeping(policy, power, 10, plies=24) for policy in POLICIES]
        rows.append((f"{2**power:,}", *(f"{count:,}" for count in once + game)))
    without = _keeping("always", 0, 13, plies=1)
    return Table(
        "Nodes of alpha-beta on connect four, by what a full table keeps: one search of 13 plies, and a game of 24 searches of 10 plies",
        ("entries", "search: the newest", "the deeper", "game: the newest", "the deeper", "the deeper, older first"),
        tuple(rows),
        f"Without a table the search takes {without:,} nodes. In one search all entries are equally old; over a game the table is kept "
        "from move to move, and older-first gives up first what an earlier move left behind.",
    )


POLICIES = ("always", "deeper", "older-first")


def _keeping(policy: str, power: int, depth: int, plies: int) -> int:
    """The nodes of so many searches in a row, each from the position after the move of the one before, with one table."""
    at, nodes, table = load("connect four").start(), 0, f"entries={2**power},replacement={policy}" if power else "table=no"
    thinker = Searcher(f"engine:alphabeta,{table}", Limits(depth=depth))
    thinker.begin(at)
    for _ in range(plies):
        if at.is_terminal():
            break
        action = thinker.choose(at)
        nodes += thinker.last.nodes if thinker.last else 0
        at = at.result(action)
        thinker.follow(action, at)
    return nodes


def company(tell: Tell = quietly, boards: Sequence[tuple[int, int]] = ((2, 2), (3, 2), (3, 3), (4, 3))) -> Table:
    """Isolation with three players, and with moves that go astray one time in five: who wins, by search to the end."""
    rows = []
    for width, height in boards:
        tell(f"{width} x {height}")
        three = best(load("isolation", width=width, height=height, players=3).start(), "engine:maxn", Limits(depth=25))
        sloppy = load("isolation", width=width, height=height, sloppy=0.2).start() if width * height <= 9 else None
        alone = "–"
        if sloppy is not None:
            value = float(best(sloppy, "engine:star2", Limits(depth=25)).value)  # type: ignore[arg-type]
            seat = "first" if value > 0 else "second"
            alone = f"the {seat} player, " + ("for certain" if abs(value) > 1 - 1e-9 else f"{50 + 50 * abs(value):.1f} %")
        assert isinstance(three.value, tuple)
        rows.append((f"{width} x {height}", f"the {('first', 'second', 'third')[three.value.index(max(three.value))]} of three", alone))
    return Table("Who wins isolation in company: three players by max^n, two with sloppy=0.2 by Star2",
                 ("board", "three players", "sloppy moves, two players"), tuple(rows),
                 "With two players and exact moves the second wins on all of these but 3 x 3. Where max^n may choose between equal "
                 "vectors it takes the first, which may decide who of the others wins.")


def million(tell: Tell = quietly, most: int = 1_000_000, ways: int = 5, positions: int = 8) -> Table:
    """The lecture's 10^6 nodes a move: the depth that they really reach in chess, beside log 35 of it."""
    plain = "null_move=no,reductions=no,futility=0,quiescence=no"
    rows, searches = [], (
        ("minimax", "engine:minimax"), ("alpha-beta, without a table", f"engine:alphabeta,{plain},table=no"),
        ("alpha-beta with a table, full width", f"engine:pvs,{plain}"),
        ("with quiescence, full width", "engine:pvs,null_move=no,reductions=no,futility=0"), ("with guesses", "engine:pvs"),
    )  # fmt: skip
    for name, search in searches[:ways]:
        tell(name)
        depths = [best(at, search, Limits(nodes=most)).depth for at in _positions("chess", positions, 8)]
        rows.append((name, f"{statistics.fmean(depths):.1f}", str(min(depths)), str(max(depths))))
    thought = [math.log(most, 35) / exponent for exponent in (1, 0.75, 0.5)]
    return Table(f"Depth reached with {most:,} nodes, in {positions} positions of chess after eight random plies", ("search", "mean", "least", "most"),
                 tuple(rows), f"The formula with b = 35: {thought[0]:.1f} by minimax, {thought[1]:.1f} in random order, {thought[2]:.1f} in the "
                 "best order.")


def samuel(tell: Tell = quietly, games: int = 60, duels: int = 40) -> Table:
    """Samuel's checkers player (1959): weights learned by games against its former self, and what they are worth."""
    game = load("checkers")
    learned = learner.generalize(game, games=games, tell=tell)
    start, rows = learner.beginning(game, learner.PIECES), []
    for number, weights in learned.history:
        if number in (games // 6, games // 3, games):
            tell(f"what was learned in {number} games, against the beginning")
            won, lost, drawn = learner.duel(game, weights, start, duels)
            rows.append((str(number), f"{won} : {lost}, {drawn} even", str(elo(Tally(won, drawn, lost)))))
    names = evaluation_names(game)
    shown = sorted(range(learned.known, len(names)), key=lambda k: -abs(learned.weights[k]))
    told = ", ".join(f"{names[k]} {learned.weights[k]:+.0f}" for k in shown[:6])
    return Table(f"Checkers: weights after so many games against those of the beginning, {duels} games, three plies ahead",
                 ("games learned from", "won : lost", "Elo"), tuple(rows),
                 f"A man is 100, a king 150, all else began at 0. Learned most: {told}. Took its former self's place {learned.replaced} times. "
                 f"Games are broken off after {learner.JUDGED} plies and judged by our engine, ten plies ahead.")


def rote(tell: Tell = quietly, width: int = 4, height: int = 3, stages: Sequence[int] = (0, 50, 200, 800), duels: int = 50) -> Table:
    """Samuel's other way, by rote: a player of isolation that remembers what positions turned out to be worth."""
    game, memory, done, rows = load("isolation", width=width, height=height), learner.Memory(), 0, []
    for games in stages:
        tell(f"{games} games")
        learner.by_rote(game, games - done, memory, seed=done)
        done = games
        first, second = learner.rote_duel(game, memory, duels)
        rows.append((str(games), f"{len(memory.worth):,}", f"{first} of {duels}", f"{second} of {duels}"))
    return Table(f"Isolation {width} x {height}: two plies ahead with a memory, against the same without",
                 ("games", "positions remembered", "won moving first", "won moving second"), tuple(rows),
                 "A position two plies away that was met before counts with what it turned out to be worth, so that two plies see further.")


def evaluation_names(game: Game) -> tuple[str, ...]:
    """The names of the features of a game's evaluation."""
    from outplay import evaluations

    return tuple(evaluations.of(game).names)
