"""Monopoly measured: where throws end, how strong the players are, which streets pay back first, random games a second.

    python benchmarks/monopoly.py                        # all of it, in a small way
    python benchmarks/monopoly.py movement 100000000     # simulated throws against the exact chain
    python benchmarks/monopoly.py players 1000 --cores 8 --out games.jsonl
                                                         # games among four players, each level's win rate with its interval
    python benchmarks/monopoly.py ahead 2000             # one look ahead against three rules of thumb, with and without trades
    python benchmarks/monopoly.py streets                # throws of the others until a street has earned its price
    python benchmarks/monopoly.py speed 100000           # random games a second of processor time, one core
    python benchmarks/monopoly.py plies 10000            # what a random game is made of
"""

import argparse
import json
import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from outplay.arena.match import match
from outplay.engine.memory import load_state
from outplay.engine.montecarlo.playouts import playouts
from outplay.game import load
from outplay.games.monopoly import board, notation
from outplay.games.monopoly.movement import long_run, walked
from outplay.games.monopoly.notation import ACCEPT, ANSWER, REFUSE
from outplay.jit import i64, kernel, random_source
from outplay.players import player
from outplay.values import CHANCE

LEVELS = ("random", "thumb", "engine:maxn,depth=1", "engine:mcts,simulations=1000,c=0.1")
TABLE = "monopoly:horizon=60"
"""The game of the match: playouts are cut after sixty plies and judged by net worth and rents."""

KINDS = ("ACCEPT", "BID", "BUILD", "BUY", "CARD", "DECLINE", "DICE", "DONE", "DRAWN", "MORTGAGE", "OFFER", "PASS", "PAY", "REDEEM",
         "REFUSE", "SELL", "SELL_SET", "TRY")  # fmt: skip
"""Kinds of actions, by their names in the notation."""

BLIND, RATIONAL, KNOWN = range(3)
"""How `look_ahead` takes offers."""


def movement(throws: int = 10_000_000) -> None:
    for name, stays, second in (("leaving jail at once", False, False), ("staying in", True, False),
                                ("staying in, a double out of jail throws again", True, True)):  # fmt: skip
        game = load("monopoly:players=2,auctions=no,jail_double=" + ("yes" if second else "no"))
        seen, exact = walked(game, throws, stays=stays, seed=1), long_run(stays=stays, second_throw=second)
        worst = max(exact, key=lambda where: abs(exact[where] - seen[where]))
        print(f"{name}: {throws:,} throws, jail {100 * seen['jail']:.3f} % (exact {100 * exact['jail']:.3f}), third red street "
              f"{100 * seen[24]:.3f} % ({100 * exact[24]:.3f}), start {100 * seen[0]:.3f} % ({100 * exact[0]:.3f}); farthest off: "
              f"{worst} by {100 * abs(exact[worst] - seen[worst]):.4f} points", flush=True)  # fmt: skip


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, wins / games
    middle, reach = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - reach) / (1 + z * z / games), (middle + reach) / (1 + z * z / games)


def four_games(number: int) -> list[dict[str, tuple[float, float]]]:
    """Games of the four levels, each once on every seat: by level, its share of the win and of all wealth."""
    rows = []
    for record in match(load(TABLE), [player(level) for level in LEVELS], games=4, opening_plies=0, seed=1000 + number):
        utilities = record.outcome.utilities
        best = max(utilities)
        rows.append({level: ((utilities[seat] == best) / utilities.count(best), utilities[seat])
                     for seat, level in enumerate(record.players)})  # fmt: skip
    return rows


def players(games: int = 40, cores: int = 1, out: Path | None = None) -> None:
    """The four against each other; a file keeps the games, to go on from there."""
    rows: list[dict[str, tuple[float, float]]] = []
    done = set()
    for line in out.read_text().splitlines() if out is not None and out.exists() else []:
        kept = json.loads(line)
        done.add(kept["number"])
        rows += kept["games"]
    for level in LEVELS:  # compiled here once, for all processes
        player(level).choose(load(TABLE).start().play("x51"))
    started = time.perf_counter()
    tell(rows, started)
    with ProcessPoolExecutor(cores) as pool:
        running = {pool.submit(four_games, number): number for number in range(games // 4) if number not in done}
        for finished in as_completed(running):
            rows += finished.result()
            if out is not None:
                with out.open("a") as file:
                    print(json.dumps({"number": running[finished], "games": finished.result()}), file=file)
            if len(rows) % 20 == 0:
                tell(rows, started)
    tell(rows, started)


def tell(rows: list[dict[str, tuple[float, float]]], started: float) -> None:
    """Each level's wins with their interval."""
    if not rows:
        return
    print(f"{len(rows)} games, {time.perf_counter() - started:.0f} s", flush=True)
    for level in LEVELS:
        wins, shares = (sum(row[level][k] for row in rows) for k in range(2))
        low, high = wilson(wins, len(rows))
        print(f"  {level:36} wins {100 * wins / len(rows):5.1f} % ({100 * low:.1f} to {100 * high:.1f}), "
              f"mean share of all wealth {100 * shares / len(rows):.1f} %", flush=True)  # fmt: skip


@kernel
def look_ahead(states, out, model, weights, games, source, wins):
    """Games of one who takes the action of the highest evaluation, in turn on every seat, against the rule of thumb.

    An offer is judged as it stands (BLIND), after the answer of one who takes what raises its own evaluation (RATIONAL), or after
    that of the rule of thumb (KNOWN).
    """
    seats = len(states[0].cash)
    for game in range(games):
        states[1] = states[0]
        state, me = states[1], game % seats
        while not state.is_terminal():
            if state.player() == CHANCE:
                state.play(state.draw(source))
                continue
            if state.player() != me:
                state.play(state.choose(out[1], source))
                continue
            count, best, choice = state.actions(out[0]), -1.0, out[0, 0]
            for k in range(count if count > 1 else 0):
                states[2] = states[1]
                after = states[2]
                after.play(out[0, k])
                if after.phase == ANSWER and model == KNOWN:
                    after.play(after.choose(out[1], source))
                elif after.phase == ANSWER and model == RATIONAL:
                    other = after.player()
                    states[3] = states[2]
                    states[3].play(ACCEPT << 16)
                    accepts = states[3].evaluate(other, weights) > after.evaluate(other, weights)
                    after.play(ACCEPT << 16 if accepts else REFUSE << 16)
                value = 10_000.0 * after.utility(me) if after.is_terminal() else after.evaluate(me, weights)
                if value > best:
                    best, choice = value, out[0, k]
            state.play(choice)
        wins[game] = 1
        for seat in range(seats):
            if seat != me and state.utility(seat) > state.utility(me):
                wins[game] = 0


def ahead(games: int = 1000) -> None:
    for name, models in (("monopoly:offers=0", {"": BLIND}),
                         ("monopoly", {"offers as they stand": BLIND, "answers that raise the other's own share": RATIONAL,
                                       "answers by rule of thumb": KNOWN})):  # fmt: skip
        game = load(name)
        states, out = game.rules.states(4), game.rules.room(2, game.rules.most_actions)
        load_state(states, 0, game.start())
        for words, model in models.items():
            wins = np.zeros(games, np.int64)
            look_ahead(states, out, model, game.rules.weights, games, random_source(1), wins)
            low, high = wilson(wins.sum(), games)
            print(f"{name}: one look ahead against three rules of thumb{', ' * bool(words)}{words}: {games} games, wins "
                  f"{100 * wins.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})", flush=True)  # fmt: skip


def streets() -> None:
    landing = long_run()
    print("set            houses  cost  rent a throw  throws until it has paid")
    rows = []
    for group in range(board.STATIONS):
        for level in range(6):
            cost = rent = 0.0
            for space in board.IN_GROUP[group]:
                at = board.PROPERTY_AT[space]
                cost += board.PRICE[at] + level * board.HOUSE[at]
                rent += landing[space] * board.RENT[at, level] * (2 if level == 0 else 1)
            rows.append((cost / rent, board.GROUPS[group], level, cost, rent))
    stations = board.IN_GROUP[board.STATIONS]
    rent = 200 * sum(landing[space] for space in stations)
    rows.append((800 / rent, "four stations", 0, 800.0, rent))
    for throws, name, level, cost, rent in sorted(rows):
        print(f"{name:14} {'hotel' if level == 5 else level:>6} {cost:6.0f} {rent:12.2f} {throws:12.0f}")


def speed(games: int = 20_000) -> None:
    for name in ("monopoly", "monopoly:players=2", "monopoly:turns=100", "monopoly:policy=light"):
        start = load(name).start()
        playouts(start, 1)
        began = time.process_time()
        played = playouts(start, games, seed=1)
        seconds = time.process_time() - began
        print(f"{name:24} {games / seconds:10,.0f} games/s of processor time, {played.moves / games:.0f} plies a game, "
              f"{1e9 * seconds / played.moves:.0f} ns a ply", flush=True)  # fmt: skip


@kernel
def count_plies(states, out, games, source, counts):
    """Random games: how often each kind of action is taken."""
    for _ in range(games):
        states[1] = states[0]
        state = states[1]
        while not state.is_terminal():
            action = state.draw(source) if state.player() == CHANCE else state.choose(out, source)
            counts[i64(action) >> 16] += 1
            state.play(action)


def plies(games: int = 2000) -> None:
    """What a game is made of: the reason for its length."""
    game = load("monopoly")
    states, out, counts = game.rules.states(2), game.rules.room(), np.zeros(64, np.int64)
    load_state(states, 0, game.start())
    count_plies(states, out, games, random_source(1), counts)
    kinds = {getattr(notation, name): name.lower().replace("_", "-") for name in KINDS}
    print(f"{counts.sum() / games:.0f} plies a game: " + ", ".join(
        f"{counts[kind] / games:.1f} {kinds[kind]}" for kind in np.argsort(-counts) if counts[kind]), flush=True)  # fmt: skip


PARTS = {"movement": movement, "players": players, "ahead": ahead, "streets": streets, "speed": speed, "plies": plies}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("part", nargs="?", choices=PARTS)
    options.add_argument("number", nargs="?", type=int, help="throws or games")
    options.add_argument("--cores", type=int, default=1, help="processes of players")
    options.add_argument("--out", type=Path, help="where the games of players are kept, to go on from there")
    given = options.parse_args()
    for part in [given.part] if given.part else list(PARTS):
        more = {"cores": given.cores, "out": given.out} if part == "players" else {}
        PARTS[part](*([given.number] if given.number else []), **more)


if __name__ == "__main__":
    main()
