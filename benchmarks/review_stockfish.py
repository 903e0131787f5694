"""Our blunders against Stockfish's: `python benchmarks/review_stockfish.py GAMES OUR_NODES ITS_NODES [FILE]`.

The games are of our own at club level; a blunder is a move that gives away 20 points of the share of winning or more, ours as
`outplay review` says. What Stockfish finds is read as a share twice: by people's games, as lichess reads its centipawns
(1 / (1 + e^(-0.368 pawns)), from games of people of 2300), and by its own (UCI_ShowWDL: won and half of drawn), which is of games
among programs that hardly ever slip: there a pawn ahead is half a game already.
Printed for each: of its blunders how many we call one (and how many at least a mistake), and of ours how many are its; then the
same where moves within five points of the line count for neither, since there a hair decides what a move is called.
What Stockfish said is kept in FILE, a game a line, and not asked again.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outplay.game import Position, load
from outplay.judge.review import review
from outplay.judge.worth import Judge
from outplay.players.levels import level
from outplay.playing import drawn

STOCKFISH = "/usr/games/stockfish"
BLUNDER, HAIR = 0.20, 0.05


class Stockfish:
    """The program, asked for one position at a time."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.program = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci\nsetoption name Hash value 64\nsetoption name UCI_ShowWDL value true\nisready")
        self.wait("readyok")

    def say(self, text: str) -> None:
        """Send a line."""
        assert self.program.stdin is not None
        self.program.stdin.write(text + "\n")
        self.program.stdin.flush()

    def wait(self, word: str) -> str:
        """The last score before the line that begins with a word."""
        assert self.program.stdout is not None
        score = ""
        for line in self.program.stdout:
            if " score " in line:
                score = line
            if line.startswith(word):
                return score
        raise SystemExit("Stockfish has gone")

    def share(self, moves: list[str], position: Position) -> tuple[float, float]:
        """The share of winning of the player to move, and the score in pawns; a mate counts as a hundred."""
        if position.is_terminal():
            result = position.utility(position.player()) if position.player() >= 0 else 0.0
            return (result + 1) / 2, 100.0 * result
        self.say("position startpos moves " + " ".join(moves))
        self.say(f"go nodes {self.nodes}")
        words = self.wait("bestmove").split()
        at, score = words.index("wdl"), words.index("score")
        won, drawn_ones, _ = (int(word) / 1000 for word in words[at + 1 : at + 4])
        amount = int(words[score + 2])
        pawns = amount / 100 if words[score + 1] == "cp" else math.copysign(100.0, amount)
        return won + drawn_ones / 2, pawns


def club_game(seed: int) -> list[str]:
    """The moves of one game of our own at club level."""
    game, source = load("chess"), random.Random(seed)
    judge, position, past, told = Judge(game, 20_000, proofs=0), game.start(), [], []
    players = [level(source.choice((1300, 1500, 1700))) for _ in range(2)]
    while not position.is_terminal() and len(told) < 160 and not drawn(position, past[::-1]):
        *_, found = judge.results(position, past, lines=4, nodes=min(players[position.player()].nodes or 20_000, 20_000))
        action = source.choice(position.actions()) if len(told) < 2 else players[position.player()].choose(position, found, source)
        told.append(position.action_text(action))
        past.append(position)
        position = position.result(action)
    return told


def judged_by_it(games: int, its: int, kept: Path | None) -> Iterator[dict[str, Any]]:
    """The games with Stockfish's shares of whoever is to move, out of the file as far as they are in it."""
    known: list[dict[str, Any]] = []
    if kept is not None and kept.exists():
        known = [row for line in kept.read_text().splitlines() if (row := json.loads(line))["nodes"] == its]
    yield from known[:games]
    program = Stockfish(its) if len(known) < games else None
    for seed in range(len(known), games):
        assert program is not None
        moves, position = club_game(seed), load("chess").start()
        found = [program.share([], position)]
        for number, text in enumerate(moves):
            position = position.play([text])
            found.append(program.share(moves[: number + 1], position))
        shares, pawns = [round(share, 4) for share, _ in found], [each for _, each in found]
        row = {"seed": seed, "nodes": its, "moves": moves, "shares": shares, "pawns": pawns}
        if kept is not None:
            with kept.open("a") as file:
                file.write(json.dumps(row) + "\n")
        yield row


def by_people(pawns: float) -> float:
    """The share of winning of people of 2300, as lichess reads it."""
    return 1 / (1 + math.exp(-0.368208 * pawns))


def main(games: int, ours: int, its: int, kept: Path | None = None) -> None:
    """Both judges on the same games."""
    begun = time.perf_counter()
    rows: dict[str, list[tuple[float, float, str]]] = {"people's games": [], "its own games": []}
    # of each move what it gave away, by Stockfish and by us, and what we call it
    for row in judged_by_it(games, its, kept):
        if not ours:  # only Stockfish is asked
            taken = time.perf_counter() - begun
            print(f"game {row['seed'] + 1}: {len(row['moves'])} moves, {taken:.0f} s", file=sys.stderr, flush=True)
            continue
        read = {"people's games": [by_people(each) for each in row["pawns"]], "its own games": row["shares"]}
        for move in review(load("chess").start(), row["moves"], nodes=ours).moves:
            for name, shares in read.items():
                given = shares[move.ply] - (1 - shares[move.ply + 1])
                rows[name].append((given, move.given, move.verdict))
            shares = read["people's games"]
            given = shares[move.ply] - (1 - shares[move.ply + 1])
            if (given >= BLUNDER) != (move.verdict == "blunder"):
                print(
                    f"  game {row['seed']} ply {move.ply + 1} {move.action}: Stockfish {100 * given:.0f} points "
                    f"({shares[move.ply]:.2f} to {1 - shares[move.ply + 1]:.2f}), ours {100 * move.given:.0f} "
                    f"({move.before:.2f} to {move.after:.2f}), better {move.best}",
                    file=sys.stderr,
                )
        words = told(rows["people's games"])
        print(f"game {row['seed'] + 1}: {words}; {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    for name, seen in rows.items():
        if seen:
            print(f"Stockfish's values as shares of {name}: {games} games, {len(seen)} moves; its {its:,} nodes, ours {ours:,}")
            print(told(seen))
            clear = [each for each in seen if not any(abs(one - BLUNDER) < HAIR for one in each[:2])]
            print(f"but for moves within {100 * HAIR:.0f} points of the line: {told(clear)}")


def told(rows: list[tuple[float, float, str]]) -> str:
    """How far the two agree."""
    its = [word for given, _, word in rows if given >= BLUNDER]
    ours = [given for given, _, word in rows if word == "blunder"]
    both, near = its.count("blunder"), its.count("blunder") + its.count("mistake")
    return (
        f"of its {len(its)} blunders we call {both} one ({100 * both / max(1, len(its)):.0f} %), {near} at least a mistake; "
        f"of our {len(ours)} {both} are its ({100 * both / max(1, len(ours)):.0f} %)"
    )


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:4]]
    main(*(asked + [10, 200_000, 200_000][len(asked) :]), *map(Path, sys.argv[4:5]))
