"""Scrabble: how long it takes to list plays, to play games, to search the end; and who beats whom.

    python benchmarks/scrabble.py                  plays, games a second, static against greedy (about a minute)
    python benchmarks/scrabble.py --ends 40        endings with an empty bag
    python benchmarks/scrabble.py --same 100       every play of every position of 100 games against a slow and obvious generator
    python benchmarks/scrabble.py --package 50     and against the package `scrabble` from PyPI (pip install scrabble)
    python benchmarks/scrabble.py --late 200       whether leads that count for as much as they help to win (`winning`) do win more
    python benchmarks/scrabble.py --inferred 30    what it is worth to infer the tiles that the other kept
    python benchmarks/scrabble.py --pairs 250 --cores 8 --out games.jsonl
                                                   simulation against static: 500 games, each deal twice with seats changed
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.engine.memory import load_state
from outplay.experts.scrabble import search as tiles
from outplay.experts.scrabble import search_kernel as kernels
from outplay.experts.scrabble.leaves import rack_count
from outplay.game import load
from outplay.jit import random_source
from outplay.players import player

GAME = load("scrabble")
RULES = GAME.rules


def room():
    RULES.bind()
    states = RULES.states(3)
    states[:1].view(np.uint8)[:] = np.frombuffer(GAME.initial(), np.uint8)
    return states, RULES.room()


def native_games(kinds, games, seed=1):
    """Final scores by kind of player, seats changed after each game; turns and processor seconds."""
    states, out = room()
    scores, turns, none = np.zeros((games, 2), np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    terms, seats = tiles.leave_terms(), np.array(kinds)
    kernels.play_games(states, 1, out, terms, seats, random_source(seed), scores, turns, none, none.copy())
    turns[0] = 0
    begun = time.process_time()
    kernels.play_games(states, games, out, terms, seats, random_source(seed), scores, turns, none, none.copy())
    seconds = time.process_time() - begun
    for game in range(games):
        if game % 2:
            scores[game] = scores[game][::-1]
    return scores, int(turns[0]), seconds


def listing(games=30):
    """Milliseconds of the processor to list all plays of a rack with equities, by number of blanks, in static players' games."""
    states, out = room()
    values, terms = np.zeros(len(out), np.int64), tiles.leave_terms()
    taken: dict[int, list[float]] = {0: [], 1: [], 2: []}
    static = player("tiles:static")
    source = random.Random(1)
    for _ in range(games):
        position = GAME.start()
        while not position.is_terminal():
            if position.is_chance():
                position = position.result(position.sample_chance(source.getrandbits(40)))
                continue
            states[:1].view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)
            best = math.inf
            for _ in range(3):
                begun = time.process_time()
                kernels.list_plays(states, out, values, terms, tiles.STATIC)
                best = min(best, time.process_time() - begun)
            taken[int(states[0].racks[int(states[0].turn), 0])].append(1000 * best)
            position = position.result(static.choose(position))
    return taken


def endings(count, seconds=10.0):
    """How long the exact search takes where the bag has just become empty."""
    static, solver = player("tiles:static"), player(f"tiles:simulation,time={seconds}")
    source, done = random.Random(2), []
    while len(done) < count:
        position = GAME.start()
        while not position.is_terminal():
            if position.is_chance():
                position = position.result(position.sample_chance(source.getrandbits(40)))
            elif GAME.record(position.state).left == 0:
                solver.choose(position)
                done.append((solver.last.seconds, solver.last.exact))
                break
            else:
                position = position.result(static.choose(position))
    return done


def pair(number, first, second, seed):
    """One deal twice with seats changed: the first player's leads."""
    row = []
    for swap in range(2):
        players = [_player(name) for name in ((first, second) if swap == 0 else (second, first))]
        source = random.Random(f"{seed}/{number}")
        position = GAME.start()
        for each in players:
            each.begin(position, seed=2 * number + swap)
        while not position.is_terminal():
            if position.is_chance():
                action = position.sample_chance(source.getrandbits(40))
            else:
                action = players[position.player()].choose(position.observe(position.player()))
            position = position.result(action)
            for seat, each in enumerate(players):
                each.follow(None, position.observe(seat))
        scores = GAME.record(position.state).scores
        row.append((int(scores[0]) - int(scores[1])) * (1 if swap == 0 else -1))
    return row


_player = functools.cache(player)


def pairs(count, first, second, seed=0, out=None, cores=1):
    """Each deal twice with seats changed: the first player's leads, a pair a row. A file keeps them, to go on from there."""
    kept = out.read_text().splitlines() if out is not None and out.exists() else []
    leads = {number: row for number, row in map(json.loads, kept) if number < count}
    opening = GAME.start()
    while opening.is_chance():
        opening = opening.result(opening.sample_chance(1))
    for name in (first, second):  # compiled here once, for all processes
        player(name).choose(opening)
    with ProcessPoolExecutor(cores) as pool:
        running = {pool.submit(pair, number, first, second, seed): number for number in range(count) if number not in leads}
        for finished in as_completed(running):
            leads[running[finished]] = finished.result()
            if out is not None:
                with out.open("a") as file:
                    print(json.dumps((running[finished], finished.result())), file=file)
            if len(leads) % 10 == 0:
                print(told(np.array(list(leads.values()))), flush=True)
    return np.array(list(leads.values()))


@functools.cache
def _oracle():
    from tests.games.scrabble_oracle import Oracle

    return Oracle()


def in_squares(position, listed):
    """Our plays as {placed tiles: points}, as the slow generator says them."""
    board, found = GAME.record(position.state).squares, {}
    for action, value in listed:
        if action & 3 != 1:
            continue
        row, column = divmod(action >> 3 & 255, 15)
        packed, placed = action >> 11, set()
        while packed:
            if board[(row + 1) * 16 + column + 1] == 0:
                placed.add(((row, column), chr(64 + (packed & 63))))
                packed >>= 6
            row, column = (row + 1, column) if action >> 2 & 1 else (row, column + 1)
        key = frozenset(placed)
        assert key not in found, (position.text(), action)
        found[key] = value // 1000
    return found


def same_in_game(number):
    """Every position of a game against the slow generator: how many positions, how many with blanks, plays, and those that differ.

    Odd games are random ones in which the longer of two plays is taken, even ones are played by static equity.
    """
    search, source = tiles.Tiles(GAME), random.Random(number)
    position, seen = GAME.start(), [0, 0, 0, []]
    while not position.is_terminal():
        if position.is_chance():
            position = position.result(position.sample_chance(source.getrandbits(40)))
            continue
        text = position.text()
        blanks = text.split(" ")[1].split("/")[position.player()].count("?")
        listed = search.listed(position, tiles.GREEDY)
        if blanks < 2 or len(listed) < 40_000:  # with two blanks the slow one takes minutes where much is open
            seen[0] += 1
            seen[1] += blanks > 0
            slow, ours = _oracle().plays(text), in_squares(position, listed)
            seen[2] += len(slow)
            if slow != ours:
                seen[3].append(text)
        if number % 2:
            plays = [action for action, _ in listed if action & 3 == 1] or [action for action, _ in listed]
            position = position.result(max(source.choice(plays), source.choice(plays)))
        else:
            position = position.result(search.listed(position, tiles.STATIC, 1)[0][0])
    return seen


def same(games, cores, first=0):
    """Whether all plays and their scores are those of the slow generator, over the positions of so many games."""
    tiles.Tiles(GAME).get_ready()
    _oracle()
    total, begun = [0, 0, 0], time.perf_counter()
    with ProcessPoolExecutor(cores) as pool:
        for finished in as_completed([pool.submit(same_in_game, number) for number in range(first, first + games)]):
            *counts, wrong = finished.result()
            total = [a + b for a, b in zip(total, counts, strict=True)]
            print(f"{total[0]:,} positions ({total[1]:,} with blanks), {total[2]:,} plays: "
                  f"{f'DIFFERENT in {wrong}' if wrong else 'all the same'}, {time.perf_counter() - begun:.0f} s", flush=True)


def by_package(position):
    """All plays without blanks by the rules of the package `scrabble` (MIT, from PyPI), as {placed tiles: points}.

    It has no generator, but a best move: every arrangement of the rack at every square in both directions, by its own tests of
    legality, words and points. So are they tried here, and all kept that pass. Two premium squares of its board lie a little off
    (M4 for M3, M12 for O12: against the board's symmetry), and are put right.
    """
    from itertools import permutations

    from tests.games.scrabble_oracle import tiles_on

    here = str(Path(__file__).resolve().parent)
    sys.path[:] = [folder for folder in sys.path if folder != here]  # this file has the package's name
    from scrabble import config, helpers, main

    config.ENGLISH_DICTIONARY_SET = {word.lower() for word in _oracle().known}
    rows, racks, _, _, turn = position.text().split(" ")[:5]
    game = main.ScrabbleGame(2)
    board = game.board.board_square_dict
    board["m", 4].word_multiplier, board["m", 3].word_multiplier = 1, 2
    board["m", 12].letter_multiplier, board["o", 12].letter_multiplier = 1, 2
    for (r, c), symbol in tiles_on(rows).items():
        square = board[chr(97 + c), r + 1]
        square.tile, square.letter_multiplier, square.word_multiplier = main.ScrabbleTile(symbol), 1, 1
        game.move_number = 2
    rack, found = racks.split("/")[int(turn)], {}
    for length in range(1, len(rack) + 1):
        for letters in sorted(set(permutations(rack, length))):
            for start in board:
                for down in (True, False):
                    spots = []
                    at = start
                    while len(spots) < length and not helpers.location_is_out_of_bounds(at):
                        if not board[at].tile:
                            spots.append(at)
                        at = helpers.get_next_location_function(True, down)(at)
                    tiles_there = {(main.ScrabbleTile(letter), spot) for letter, spot in zip(letters, spots, strict=False)}
                    if len(spots) < length or not helpers.move_is_legal(game.board, game.move_number, tiles_there):
                        continue
                    for tile, spot in tiles_there:
                        board[spot].tile = tile
                    if helpers.all_created_words_are_english(game.board, spots) and any(helpers.get_word_set(game.board, spots)):
                        key = frozenset(((row - 1, ord(column) - 97), tile.letter) for tile, (column, row) in tiles_there)
                        found[key] = helpers.score_move(tiles_there, game.board)
                    for spot in spots:
                        board[spot].tile = None
    return found


def same_as_package(count, seed=0):
    """Positions of random games, the rack cut down to four tiles without blanks: our plays and scores beside the package's."""
    search, source, seen, plays, begun = tiles.Tiles(GAME), random.Random(seed), 0, 0, time.perf_counter()
    while seen < count:
        position = GAME.start()
        while not position.is_terminal() and seen < count:
            if position.is_chance():
                position = position.result(position.sample_chance(source.getrandbits(40)))
                continue
            fields = position.text().split(" ")
            racks = fields[1].split("/")
            mine = racks[position.player()].replace("?", "")
            if source.random() < 0.3 and not any(symbol.islower() for symbol in fields[0]) and len(mine) >= 4:
                racks[position.player()] = "".join(source.sample(mine, 4))
                fields[1] = "/".join(racks)
                cut = GAME.position(" ".join(fields))
                theirs, ours = by_package(cut), in_squares(cut, search.listed(cut, tiles.GREEDY))
                seen, plays = seen + 1, plays + len(theirs)
                print(f"{seen} positions, {plays:,} plays: {'the same' if theirs == ours else f'DIFFERENT in {cut.text()}'}, "
                      f"{time.perf_counter() - begun:.0f} s", flush=True)
            position = position.result(search.listed(position, tiles.STATIC, 1)[0][0])


def late(count, deals=400, seed=0):
    """Late choices by what leads are worth beside choices by points: how often they differ, wins and points that they are apart.

    The same deals, played to the end by static players, serve both ways; choices made on one half are judged on the other.
    """
    search, source, static = tiles.Tiles(GAME), random.Random(seed), player("tiles:static")
    search.get_ready()
    rows = []
    while len(rows) < count:
        position = GAME.start()
        while not position.is_terminal() and len(rows) < count:
            if position.is_chance():
                position = position.result(position.sample_chance(source.getrandbits(40)))
                continue
            view, seat = position.observe(position.player()), position.player()
            record = GAME.record(view.state)
            lead = int(record.scores[seat]) - int(record.scores[1 - seat])
            if 0 < record.left <= tiles.LAST_TILES and abs(lead) <= 80:
                listed = search.listed(view, tiles.STATIC, tiles.CANDIDATES)
                actions, equity = (np.array(column, np.int64) for column in zip(*listed, strict=True))
                values = np.zeros((len(actions), deals), np.int64)
                seeds = np.random.default_rng((seed, len(rows))).integers(0, 2**63, deals + 1, np.uint64)
                kernels.simulate(search._states, search._out, search.terms, actions, np.ones(len(actions), np.bool_),
                                 np.zeros((0, 27), np.int8), seeds, values, kernels.TO_THE_END)
                rows.append(apart(equity / 1000, values / 1000, lead, search._goal(view)))
                if len(rows) % 20 == 0 or len(rows) == count:
                    differ, wins, points = np.mean(rows, 0)
                    _, wins_half, points_half = 1.96 * np.std(rows, 0) / math.sqrt(len(rows))
                    print(f"{len(rows)} positions with 1 to {tiles.LAST_TILES} tiles in the bag: {differ:.1%} of choices differ, "
                          f"win {wins:+.2%} ± {wins_half:.2%} and gain {points:+.2f} ± {points_half:.2f} points", flush=True)
            position = position.result(static.choose(position))


def apart(equity, points, lead, goal):
    """Choices by worth and by points on either half of some deals: whether they differ; wins and points apart on the other half."""
    halves, found = np.split(points, 2, axis=1), []
    for chosen, judged in (halves, halves[::-1]):
        picks = []
        for each in (goal, None):
            deals = tiles.Deals(equity, each)
            deals.add(chosen)
            picks.append(int(np.argmax(np.where(deals.is_open, deals.worth(), -np.inf))))
        ends = lead + judged[picks]
        won = ((ends > 0) + 0.5 * (ends == 0)).mean(1)
        found.append((picks[0] != picks[1], won[0] - won[1], ends[0].mean() - ends[1].mean()))
    return np.mean(found, 0)


def inferred(count, deals=160, seed=0):
    """Choices on any deals and on deals of inferred leaves in games of static players: what both gain over the static choice.

    Choices made on one half of the deals are judged on the other half of the inferred ones, since the other does play so.
    """
    search, source, rows, seen = tiles.Tiles(GAME, inference=True), random.Random(seed), [], []
    search.get_ready()
    position, past = GAME.start(), [[], []]
    while len(rows) < 2 * count:
        if position.is_terminal():
            position, past = GAME.start(), [[], []]
        for seat in range(2):
            past[seat] = [*past[seat][-7:], position.observe(seat)]
        if position.is_chance():
            position = position.result(position.sample_chance(source.getrandbits(40)))
            continue
        view = past[position.player()][-1]
        listed = search.listed(view, tiles.STATIC, tiles.CANDIDATES)
        load_state(search._states, 0, view)
        leaves = search._inferred(view, past[position.player()][:-1])
        if len(leaves) and len(listed) > 1 and source.random() < 0.4:
            actions, equity = (np.array(column, np.int64) for column in zip(*listed, strict=True))
            points = []
            for held in (leaves[:0], leaves):
                values = np.zeros((len(actions), deals), np.int64)
                seeds = np.random.default_rng((seed, len(rows))).integers(0, 2**63, deals + 1, np.uint64)
                kernels.simulate(search._states, search._out, search.terms, actions, np.ones(len(actions), np.bool_), held, seeds,
                                 values, 2)
                points.append(np.split(values / 1000, 2, axis=1))
            apart = [(second - first).mean(1) for first, second in zip(*points, strict=True)]
            seen.append(np.mean((apart[0] - apart[0].mean()) * (apart[1] - apart[1].mean())))
            for half in range(2):
                gains = []
                for chosen in (points[0][half], points[1][half]):
                    run = tiles.Deals(equity / 1000, None)
                    run.add(chosen)
                    judged = points[1][1 - half].mean(1)
                    gains.append(judged[int(np.argmax(run.worth()))] - judged[0])
                rows.append(gains)
            if len(rows) % 20 == 0 or len(rows) == 2 * count:
                means, more = np.mean(rows, 0), np.diff(rows, axis=1)
                print(f"{len(rows) // 2} positions: any deals gain {means[0]:+.2f}, inferred ones {means[1]:+.2f} points a move "
                      f"(more by {more.mean():.2f} ± {1.96 * more.std() / math.sqrt(len(rows)):.2f}); what candidates are worth "
                      f"changes by {math.sqrt(max(np.mean(seen), 0)):.1f} points", flush=True)
        position = position.result(listed[0][0])


def told(leads):
    """Wins (draws half) and mean lead with their 95 % intervals, which respect that games come in pairs."""
    won = ((leads > 0) + 0.5 * (leads == 0)).mean(1)
    half = 1.96 / math.sqrt(len(leads))
    return (f"{leads.size} games: {won.mean():.1%} ± {half * won.std():.1%}, "
            f"lead {leads.mean():+.1f} ± {half * leads.mean(1).std():.1f}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--ends", type=int, default=0)
    options.add_argument("--late", type=int, default=0, help="late positions in which choices by worth and by points are compared")
    options.add_argument("--inferred", type=int, default=0, help="positions in which deals of inferred leaves are compared")
    options.add_argument("--pairs", type=int, default=0)
    options.add_argument("--first", default="tiles:simulation,time=1,inference=yes")
    options.add_argument("--second", default="tiles:static")
    options.add_argument("--out", type=Path, help="where the games of --pairs are kept")
    options.add_argument("--cores", type=int, default=1, help="processes of --pairs and --same")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--same", type=int, default=0, help="games whose positions are compared with the slow generator")
    options.add_argument("--package", type=int, default=0, help="positions compared with the package `scrabble`")
    given = options.parse_args()
    if given.package:
        same_as_package(given.package, given.seed)
        return
    if given.same:
        same(given.same, given.cores, given.seed)
        return
    if given.late:
        late(given.late, seed=given.seed)
        return
    if given.inferred:
        inferred(given.inferred, seed=given.seed)
        return
    if given.ends:
        done = endings(given.ends)
        taken = sorted(seconds for seconds, _ in done)
        print(f"{len(done)} endings: median {taken[len(taken) // 2]:.2f} s, exact {sum(exact for _, exact in done)} of {len(done)}")
        return
    if given.pairs:
        leads = pairs(given.pairs, given.first, given.second, given.seed, given.out, given.cores)
        print(f"{given.first} against {given.second}, {told(leads)}")
        return
    print(f"racks of seven {rack_count(7):,}, leaves {rack_count(6, smaller=True):,}")
    for blanks, taken in listing().items():
        if taken:
            print(f"all plays, {blanks} blanks: median {np.median(taken):.3f} ms, most {max(taken):.2f} ms, {len(taken)} racks")
    for name, kinds in (("greedy", [tiles.GREEDY]), ("static", [tiles.STATIC])):
        best = max(given.games / 10 / native_games(kinds, given.games // 10, seed)[2] for seed in range(10))
        scores, turns, seconds = native_games(kinds, given.games)
        print(f"{name}: mean score {scores.mean():.1f}, {turns / given.games:.1f} turns, {given.games / seconds:.0f} games/s "
              f"(best tenth {best:.0f})")
    scores, _, _ = native_games([tiles.STATIC, tiles.GREEDY], 2 * given.games)
    wins = np.mean((scores[:, 0] > scores[:, 1]) + 0.5 * (scores[:, 0] == scores[:, 1]))
    half = 1.96 * math.sqrt(wins * (1 - wins) / 2 / given.games)
    print(f"static against greedy, {2 * given.games} games: {wins:.1%} ± {half:.1%}, "
          f"{scores[:, 0].mean():.1f} to {scores[:, 1].mean():.1f}")


if __name__ == "__main__":
    main()
