"""Chess positions with known answers: how many the engine solves, how soon, and how mates of 2 to 4 moves were gathered.

    python benchmarks/chess.py positions benchmarks/data/win_at_chess.epd --seconds 5
    python benchmarks/chess.py mates --seconds 5
    python benchmarks/chess.py gather --games 200

A file holds one EPD a line (Steven Edwards, 1994): four fields of a FEN, then `bm` (best moves), `am` (moves to avoid), `dm` (mate
in so many moves) and `id`. A position is solved when the move played at the end is one of `bm` and none of `am`; with `dm`, when
the engine says that very distance. The time to solution is that of the first depth from which the answer stayed right.
"""

from __future__ import annotations

import json
import random
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from outplay.engine import Engine
from outplay.game import load
from outplay.games.chess.notation import read_move, write_san
from outplay.players.external import find_program
from outplay.values import Limits

GAME = load("chess", compiled=True)
MATES = Path(__file__).parent / "data" / "mates.epd"


@dataclass(frozen=True)
class Puzzle:
    """A position and its answer."""

    name: str
    position: object
    best: frozenset[int]
    avoid: frozenset[int]
    mate: int | None


def read_epd(path: str | Path) -> list[Puzzle]:
    """The positions of a file that have an answer."""
    puzzles = []
    for line in Path(path).read_text().splitlines():
        fields = line.split()
        if line.startswith("#") or len(fields) < 5:
            continue
        operations = {}
        for operation in " ".join(fields[4:]).split(";"):
            words = shlex.split(operation)
            if words:
                operations[words[0]] = words[1:]
        if not operations.keys() & {"bm", "am", "dm"}:
            continue
        position = GAME.position(" ".join(fields[:4]))
        state, actions = GAME.record(position.state), position.actions()
        best, avoid = (frozenset(read_move(state, text, actions) for text in operations.get(name, ())) for name in ("bm", "am"))
        mate = int(operations["dm"][0]) if "dm" in operations else None
        puzzles.append(Puzzle(" ".join(operations.get("id", [f"line {len(puzzles) + 1}"])), position, best, avoid, mate))
    return puzzles


def is_right(puzzle: Puzzle, result) -> bool:
    """Whether a result answers a puzzle."""
    if puzzle.mate is not None:
        winner = 1 if puzzle.position.player() == 0 else -1
        return result.value * winner > 0 and result.facts.get("distance") == 2 * puzzle.mate - 1
    return (not puzzle.best or result.action in puzzle.best) and result.action not in puzzle.avoid


def solve(engine: Engine, puzzle: Puzzle, limits: Limits):
    """The last result, and when the answer became right to stay (None: it is not right)."""
    engine.clear()
    since = result = None
    for result in engine.search(puzzle.position, limits):
        if not is_right(puzzle, result):
            since = None
        elif since is None:
            since = result
        if puzzle.mate is not None and since is not None:
            break  # no search finds a shorter mate than the shortest
    return result, since


def measure_positions(path: str | Path, limits: Limits, most: int, threads: int, as_json: bool) -> None:
    """Solve the positions of a file and say how many, each with its time to solution."""
    puzzles = read_epd(path)[:most]
    engine, rows = Engine(GAME, memory=64, threads=threads), []
    engine.best(GAME.start(), Limits(depth=2))
    for number, puzzle in enumerate(puzzles, 1):
        result, since = solve(engine, puzzle, limits)
        played = "none" if result.action is None else write_san(GAME.record(puzzle.position.state), result.action)
        rows.append({"id": puzzle.name, "solved": since is not None, "seconds": since and round(since.seconds, 3),
                     "nodes": since and since.nodes, "depth": result.depth, "played": played})
        solved = sum(row["solved"] for row in rows)
        if since is None and not as_json:
            print(f"\rmissed {puzzle.name}: played {played} at depth {result.depth} in {puzzle.position.text()}", flush=True)
        print(f"\r{number}/{len(puzzles)}  {solved} solved ({100 * solved / number:.1f} %)  ", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    solved = [row for row in rows if row["solved"]]
    if as_json:
        print(json.dumps({"file": str(path), "solved": len(solved), "total": len(rows), "threads": threads, "positions": rows}))
        return
    for name in ("seconds", "nodes"):
        times = sorted(row[name] for row in solved)
        if times:
            print(f"{name} to solution: median {times[len(times) // 2]:g}, nine of ten within {times[9 * len(times) // 10]:g}")
    print(f"{len(solved)} of {len(rows)} solved ({100 * len(solved) / max(len(rows), 1):.1f} %), {limits}, {threads} threads")


def gather_mates(games: int, each: int) -> None:
    """Play the engine against itself at 2000 nodes a move, keep positions before a mate in 2 to 4, each confirmed by Stockfish."""
    engine, source = Engine(GAME, memory=16), random.Random(20)
    found: dict[int, list[str]] = {2: [], 3: [], 4: []}
    seen = set()
    for number in range(games):
        position, engine_moves = GAME.start(), 0
        engine.clear()
        while not position.is_terminal() and engine_moves < 150:
            # Now and then a random move: mates are there to be seen and not yet played for.
            if source.random() < 0.25 or engine_moves < 6:
                position = position.result(source.choice(position.actions()))
                engine_moves += 1
                continue
            result = engine.best(position, Limits(nodes=2000))
            engine_moves += 1
            distance = result.facts.get("distance")
            moves = distance is not None and distance % 2 == 1 and (distance + 1) // 2
            if moves in found and len(found[moves]) < each and position.text() not in seen:
                seen.add(position.text())
                exact, first = shortest_mate(position.text())
                if exact in found and len(found[exact]) < each:
                    fen = " ".join(position.text().split()[:4])
                    found[exact].append(f'{fen} dm {exact}; id "mate {exact}.{len(found[exact]) + 1:02}"; c0 "{first}";')
                    break  # one position of a game
            position = position.result(result.action)
        counts = {moves: len(lines) for moves, lines in found.items()}
        print(f"\r{number + 1}/{games} games, found {counts}  ", end="", flush=True, file=sys.stderr)
        if all(len(lines) >= each for lines in found.values()):
            break
    print(file=sys.stderr)
    head = "# Mates in 2 to 4 moves (dm) from the engine's games against itself, confirmed by Stockfish; c0 is a first move.\n"
    MATES.write_text(head + "".join(line + "\n" for lines in found.values() for line in lines))


def shortest_mate(fen: str) -> tuple[int | None, str]:
    """The least number of moves to mate up to 4 as Stockfish's own mate search finds it, and its first move."""
    moves, first = confirmed_mate(fen, 4)
    while moves is not None and moves > 1:
        shorter, other = confirmed_mate(fen, moves - 1)
        if shorter is None:
            break
        moves, first = shorter, other
    return moves, first


def confirmed_mate(fen: str, most: int) -> tuple[int | None, str]:
    """A mate in at most so many moves that Stockfish finds, if it does, and its first move."""
    program = subprocess.Popen([find_program("stockfish")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdin and program.stdout
    program.stdin.write(f"position fen {fen}\ngo mate {most} nodes 1000000\n")
    program.stdin.flush()
    score, told = None, ""
    while not told.startswith("bestmove"):
        told = program.stdout.readline()
        words = told.split()
        if "score" in words:
            score = int(words[words.index("mate") + 1]) if "mate" in words else None
    program.communicate("quit\n")
    return (score, told.split()[1]) if score is not None and 0 < score <= most else (None, "")
