"""Is `auto` the strongest that we have? It meets each of our other players and searches, in every game, at equal time.

    python benchmarks/defaults.py --out defaults.jsonl                  # a tenth of a second a move; goes on where it was
    python benchmarks/defaults.py --out defaults.jsonl --time 1 --game go --game chess
    python benchmarks/defaults.py --out defaults.jsonl --workers 16 --wall 230 --least 3    # many pairs at once
    python benchmarks/defaults.py --out defaults.jsonl --table          # only the table, as docs/players.md has it

Each opening, and each deal or throw of the dice, is played once from every seat (partners sit together), so that most of the
luck is taken off. Both sides think in one process, one move after the other, and their seconds are seconds of this process's
processor time, so that what else the machine does takes nothing from either; the file keeps what each has used. A pair ends
when the 95 % interval of what `auto` gets no longer holds the even score, or after `--games`. Where chips or points of any size
are played for, what counts is the mean utility, else the points: 1 for a win, a half for a draw. In games for one, each takes
the same problems alone, and what counts is its utility less the other's.
"""

import argparse
import json
import math
import multiprocessing
import statistics
import time
from pathlib import Path

time.perf_counter = time.process_time  # all searches look at this clock
from outplay import extras  # noqa: E402
from outplay.arena.match import check, play_game, points_of, random_opening, usual_plies  # noqa: E402
from outplay.errors import OutplayError  # noqa: E402
from outplay.game import load  # noqa: E402
from outplay.players import player  # noqa: E402
from outplay.players.algorithms import algorithms, as_meant, choose  # noqa: E402
from outplay.players.base import Player  # noqa: E402
from outplay.players.networks import options_for  # noqa: E402
from outplay.players.networks import shipped as networks  # noqa: E402
from outplay.playing import settle  # noqa: E402
from outplay.values import Limits  # noqa: E402

GAMES = ("tic-tac-toe", "nim", "tree", "uniform tree", "rock-paper-scissors", "kuhn poker", "leduc poker", "liar's dice",
         "goofspiel", "push or fold", "blind tic-tac-toe", "connect four", "isolation", "pac-man", "backgammon", "othello",
         "scrabble", "hold'em", "go", "checkers", "chess", "battleships", "bridge", "monopoly", "grid", "vacuum world",
         "pocket cube", "peg solitaire", "fifteen puzzle")  # fmt: skip
POINTS_OF_ANY_SIZE = {"kuhn poker", "leduc poker", "push or fold", "hold'em", "bridge", "uniform tree", "tree", "pac-man"}
FEW = {"monopoly": "monopoly:turns=30"}
"""Games that would take hours: shorter ones stand in."""
TEXTBOOK = ("mcts", "iterative-deepening")
"""What stands for the textbook: its other searches are the engine's, slower."""
LAST = ("engine:alphabeta", "engine:bns", "engine:minimax", "engine:dfpn", "engine:star1", "engine:expectiminimax",
        "engine:expectimax", "engine:opponent", "engine:paranoid")  # fmt: skip
"""Kin of searches that are met before them."""


class Watched(Player):
    """A player with the processor time that it took."""

    def __init__(self, one, seconds):
        self.one, self.name, self.limits, self.spent, self.moves = one, one.name, Limits(seconds=seconds), 0.0, 0
        self.turn = 0

    def begin(self, view, *, seed=0):
        """Another game; who mixes draws anew from every seat, so that a deal is not played twice in the same way."""
        self.one.begin(view, seed=97 * seed + self.turn)

    def follow(self, action, view):
        """What was played."""
        self.one.follow(action, view)

    def choose(self, position, limits=None):
        """Its action in the time."""
        begun = time.process_time()
        try:
            return self.one.choose(position, self.limits)
        finally:
            self.spent += time.process_time() - begun
            self.moves += 1


def rivals(game):
    """Everybody of ours who can play a game, by the text that names each; who plays as `auto` does is left out."""
    found = []
    if game.offers("choose"):
        found.append("thumb")
    found += [name for name in extras.of(game).players if name not in as_meant("auto", game)]
    if "tiles" in found:
        found += ["tiles:static", "tiles:greedy"]
    for name in networks():
        try:
            options_for(name, game)
        except OutplayError:
            continue
        of_a_game = name.partition("-")[0] == game.family.partition(" ")[0]  # the shipped are named after their games
        if of_a_game and as_meant("auto", game) != f"net:{name}" and networks()[name].suffix != ".nnue":
            found.append(f"net:{name}")
    if game.traits.information == "hidden" and game.players == 2:
        found.append("resolve")
    own = choose(game)[0]
    fits = [name for name, each in algorithms().items() if each.why_not(game) is None]
    through_own = as_meant("auto", game) == "auto"
    first = [name for name in fits if name.startswith("engine:") and name not in LAST and not (through_own and name == own)]
    textbook = [name for name in TEXTBOOK if name in fits]
    return [*found, *first, *textbook, "random", *(name for name in LAST if name in fits and name != own)]


def interval(game, values):
    """The mean of what `auto` got and how far its 95 % interval reaches; even is a half for points, nought for utilities."""
    if game.family in POINTS_OF_ANY_SIZE or game.players == 1:
        seen = list(values)
        if len(seen) < 2:
            return 0.0, math.inf
        return statistics.fmean(seen), 1.96 * statistics.stdev(seen) / math.sqrt(len(seen))
    seen = [*values, 0.0, 1.0]  # one game won and one lost beside them: four games won are no certainty
    return (statistics.fmean(values) if values else 0.5), 1.96 * statistics.stdev(seen) / math.sqrt(len(seen))


def is_enough(game, values, most):
    """Whether the games tell, or are as many as may be."""
    mean, error = interval(game, values)
    if game.players == 1:
        return len(values) >= min(most, 6)
    if game.family in POINTS_OF_ANY_SIZE:
        return len(values) >= 40 * most or (len(values) >= 2 * most and abs(mean) > error)
    return len(values) >= most or (len(values) >= 4 and abs(statistics.fmean([*values, 0.0, 1.0]) - 0.5) > error)


def seats_of(game, turn):
    """Where `auto` sits: partners together, and over the turns every side once."""
    sides = game.traits.sides
    return [seat for seat in range(game.players) if seat % sides == turn]


def one_opening(game, mine, other, number, plies, most_plies=2000):
    """One opening from every side: what `auto` got each time."""
    got = []
    if game.players == 1:
        start = settle(random_opening(game.start(), 2 * number, number), number)
        values = [play_game([one], start, seed=number, most_plies=200).outcome.utilities[0] for one in (mine, other)]
        return [values[0] - values[1]]
    opening = random_opening(game.start(), plies, number)
    for turn in range(game.traits.sides):
        seats, mine.turn, other.turn = seats_of(game, turn), turn, turn
        seated = [mine if seat in seats else other for seat in range(game.players)]
        record = play_game(seated, opening, seed=number, most_plies=most_plies)
        got.append(record.outcome.utilities[seats[0]] if game.family in POINTS_OF_ANY_SIZE else points_of(record, seats[0]))
    return [sum(got) / len(got)] if game.family in POINTS_OF_ANY_SIZE else got  # a deal from both sides is one value


def read(path):
    """What was played: by game, rival and seconds."""
    found = {}
    if path.is_file():
        for line in path.read_text().splitlines():
            row = json.loads(line)
            found[row["game"], row["rival"], row["seconds"]] = row
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("defaults.jsonl"))
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--game", action="append", default=[])
    parser.add_argument("--rival", action="append", default=[])
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--first", type=int, default=0, help="the number of the first opening, where several play one pair")
    parser.add_argument("--budget", type=float, default=240.0, help="seconds of processor time for a pair, at most")
    parser.add_argument("--kin", choices=("yes", "no"), default="yes", help="whether to meet the kin of searches that are met")
    parser.add_argument("--least", type=int, default=0, help="only the so many rivals a game that came nearest, at any time")
    parser.add_argument("--workers", type=int, default=1, help="pairs that are played at once, each in a process of its own")
    parser.add_argument("--wall", type=float, default=math.inf, help="seconds after which all ends")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.table:
        return table(read(asked.out))
    until, rows = time.time() + asked.wall, read(asked.out)
    todo = pairs(asked, rows)
    budget = 8.0 if asked.workers > 1 else asked.budget
    with multiprocessing.get_context("spawn").Pool(asked.workers, maxtasksperchild=12) as pool:
        while todo and time.time() < until:  # everybody for a short time first, then for longer
            pieces = [(name, rival, asked.time, rows.get((load(FEW.get(name, name)).name, rival, asked.time), {}), asked.games,
                       budget, until, asked.out, asked.first) for name, rival in todo]
            told = pool.imap_unordered(meet, pieces)
            for _ in pieces:
                try:
                    row = told.next(max(0.1, until - time.time()) if math.isfinite(until) else None)
                except multiprocessing.TimeoutError:
                    return None  # the opening that is begun and not done by then is lost
                except Exception as problem:  # of one pair: told, and the others go on
                    print(f"a pair broke off: {problem!r}", flush=True)
                    continue
                if row is not None:
                    write(asked.out, **row)
            rows, budget = read(asked.out), min(3 * budget, asked.budget)
            todo = [] if budget == asked.budget and asked.workers == 1 else [each for each in todo if goes_on(each, asked, rows)]
    return None


def pairs(asked, rows):
    """Who is to be met in which game: one rival of each game after the other, kin of searches last."""
    found = []
    for number, name in enumerate(asked.game or GAMES):
        game = load(FEW.get(name, name))
        names = asked.rival or rivals(game)
        if asked.least:
            met = {rival: interval(game, row["values"]) for (played, rival, _), row in rows.items()
                   if played == game.name and "values" in row}  # fmt: skip
            names = sorted(met, key=lambda rival: met[rival][0] + met[rival][1] / 2)[: asked.least]
        found += [(rival in LAST, place, number, name, rival) for place, rival in enumerate(names)
                  if asked.kin == "yes" or rival not in LAST]
    return [(name, rival) for *_, name, rival in sorted(found)]


def goes_on(pair, asked, rows):
    """Whether more games of a pair would tell."""
    game = load(FEW.get(pair[0], pair[0]))
    row = rows.get((game.name, pair[1], asked.time), {})
    return not row.get("failed") and not is_enough(game, row.get("values", []), asked.games)


def meet(piece):
    """`auto` against one rival, as long as it takes, gone on with from what was played: the row for the file."""
    name, rival, seconds, row, games, budget, end, out, begin = piece
    game = load(FEW.get(name, name))
    values, number = list(row.get("values", [])), row.get("openings", begin)
    if row.get("failed") or is_enough(game, values, games) or time.time() > end:
        return None
    mine = player("auto")
    try:
        check(game, [mine])
        other = player(rival)
        check(game, [other])
    except OutplayError as problem:
        return {"game": game.name, "rival": rival, "seconds": seconds, "failed": str(problem)[:200]}
    plies = 0 if game.traits.information == "hidden" or game.traits.chance else usual_plies(game.start())
    one, two = Watched(mine, seconds), Watched(other, seconds)
    until, spent, moves = time.process_time() + budget, row.get("spent", [0.0, 0.0]), row.get("moves", [0, 0])
    auto, fresh, written = choose(game)[1], True, time.time()

    def told():
        return {"game": game.name, "auto": auto, "rival": rival, "seconds": seconds, "openings": number, "values": values,
                "spent": [round(spent[0] + one.spent, 3), round(spent[1] + two.spent, 3)],
                "moves": [moves[0] + one.moves, moves[1] + two.moves]}  # fmt: skip

    while fresh or (not is_enough(game, values, games) and time.process_time() < until and time.time() < end):
        fresh = False
        values += one_opening(game, one, two, number, plies)
        number += 1
        if time.time() > written + 5:  # what ends from outside finds it
            write(out, **told())
            written = time.time()
    mean, error = interval(game, values)
    print(f"{game.name:<22} {seconds:g} s  {rival:<30} {mean:+.3f} ± {error:.3f}  ({len(values)}) {told()['spent']}", flush=True)
    return told()


def write(path, **row):
    """Append a line; of a pair, the last one counts."""
    with path.open("a") as out:
        out.write(json.dumps(row) + "\n")


def table(rows):
    """The table: for each game and time whom `auto` met, the least of its scores, and how often it was behind."""
    print("| game | seconds | rivals | games | least | against |\n|---|---|---|---|---|---|")
    for name in GAMES:
        game = load(FEW.get(name, name))
        for seconds in sorted({row[2] for row in rows if row[0] == game.name}):
            met = [(*interval(game, row["values"]), rival, len(row["values"])) for (played, rival, within), row in rows.items()
                   if played == game.name and within == seconds and "values" in row]
            if not met:
                continue
            least = min(met, key=lambda each: each[0] + each[1] / 2)
            even = 0.0 if game.family in POINTS_OF_ANY_SIZE or game.players == 1 else 0.5
            said = f"{least[0]:+.2f} ± {least[1]:.2f}" if even == 0.0 else f"{100 * least[0]:.0f} % ± {100 * least[1]:.0f}"
            behind = "" if least[0] + least[1] >= even else " **behind**"
            print(f"| {name} | {seconds:g} | {len(met)} | {sum(each[3] for each in met)} | {said}{behind} | `{least[2]}` |")


if __name__ == "__main__":
    main()
