"""Chess measured: perft beside Stockfish, time to depth, what each switch of the search brings, known answers, games.

    python benchmarks/chess.py perft --threads 2
    python benchmarks/chess.py depth
    python benchmarks/chess.py switches --depth 9
    python benchmarks/chess.py effects --games 100 --nodes 2000
    python benchmarks/chess.py weights other.py --games 100 --nodes 2000
    python benchmarks/chess.py match "uci:gnuchessu" --games 20 --time 0.1
    python benchmarks/chess.py positions benchmarks/data/win_at_chess.epd --seconds 5
    python benchmarks/chess.py mates --seconds 5
    python benchmarks/chess.py robust --games 1000 --seconds 0.05 --opponent uci:gnuchessu
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from pathlib import Path

from outplay.engine import Engine, Options
from outplay.engine.perft import perft
from outplay.errors import BadValue, OutplayError
from outplay.game import load
from outplay.games.chess.notation import draw_claim, read_san
from outplay.players.external import external, find_program
from outplay.values import Limits

GAME = load("chess", compiled=True)

PERFT = (
    ("start", "startpos", 6, 119_060_324),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 5, 193_690_690),
    ("pins", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 7, 178_633_661),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 5, 15_833_292),
    ("castling", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 5, 89_941_194),
)

OPENINGS = """
e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6
e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3
e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6
e4 e6 d4 d5 Nc3 Bb4
e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5
e4 d5 exd5 Qxd5 Nc3 Qa5
e4 g6 d4 Bg7 Nc3 d6
d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7
d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4
d4 d5 c4 dxc4 Nf3 Nf6 e3 e6
d4 Nf6 c4 g6 Nc3 Bg7 e4 d6
d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O
d4 Nf6 c4 e6 Nf3 b6 g3 Bb7
d4 f5 g3 Nf6 Bg2 e6
d4 Nf6 c4 c5 d5 e6 Nc3 exd5 cxd5 d6
c4 e5 Nc3 Nf6 Nf3 Nc6
Nf3 d5 g3 Nf6 Bg2 c6
e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4
e4 e5 Nc3 Nf6 f4 d5
""".strip().splitlines()

MIDDLE_GAMES = (
    "startpos",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/1PN2N2/PB2BPPP/R2QK2R w KQ - 0 9",
    "r2q1rk1/1b2bppp/p1np1n2/1p2p3/4P3/1BN1BN2/PPP1QPPP/2KR3R w - - 0 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/5pk1/1p1p2p1/p1pP3p/P1P1P2P/1P3KP1/8/8 w - - 0 40",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r2k1/p4pp1/1p2r2p/2p5/2P1R3/1P4P1/P4P1P/4R1K1 w - - 0 28",
)


def measure_perft(threads: int) -> None:
    """Ours and Stockfish's counting speed, side by side in processor time of one thread; then ours over several threads."""
    perft(GAME.start(), 2)
    print(f"{'position':12} {'depth':>5} {'nodes':>12} {'ours':>12} {'Stockfish':>12} {'ratio':>6}")
    for name, fen, depth, expected in PERFT:
        ours, theirs = [], []
        for _ in range(3):
            started = time.process_time()
            nodes, _ = perft(GAME.position(fen), depth)
            ours.append(time.process_time() - started)
            theirs.append(stockfish_perft(fen, depth))
        mark = "" if nodes == expected else f"  WRONG, expected {expected}"
        speeds = [nodes / min(times) / 1e6 for times in (ours, theirs)]
        ratio = speeds[0] / speeds[1]
        print(f"{name:12} {depth:5} {nodes:12} {speeds[0]:9.0f} M/s {speeds[1]:9.0f} M/s {ratio:6.2f}{mark}", flush=True)
    if threads > 1:
        name, fen, depth, expected = PERFT[1]
        times = {crew: [] for crew in range(1, threads + 1)}
        for _ in range(3):  # in turn, so that other programs disturb all alike
            for crew, seconds in times.items():
                nodes, spent = perft(GAME.position(fen), depth, threads=crew)
                seconds.append(spent)
                assert nodes == expected, f"{crew} threads counted {nodes}, expected {expected}"
        for crew, seconds in times.items():
            speed, gain = expected / min(seconds) / 1e6, min(times[1]) / min(seconds)
            print(f"{name}, depth {depth}, {crew} threads: {speed:.0f} M/s of wall time, {gain:.2f} times one thread")


def stockfish_perft(fen: str, depth: int) -> float:
    """Processor seconds of Stockfish's own perft."""
    program = subprocess.Popen([find_program("stockfish")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdin and program.stdout

    def say(line: str, until: str) -> None:
        program.stdin.write(line + "\n")
        program.stdin.flush()
        while until not in program.stdout.readline():
            pass

    def used() -> float:
        fields = Path(f"/proc/{program.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    say("isready", "readyok")
    before = used()
    where = "startpos" if fen == "startpos" else f"fen {fen}"
    say(f"position {where}\ngo perft {depth}", "Nodes searched")
    spent = used() - before
    program.communicate("quit\n")
    return spent


def measure_depth(deepest: int) -> None:
    """Processor seconds to each depth from the start position."""
    engine = Engine(GAME, memory=128)
    engine.best(GAME.start(), Limits(depth=2))
    engine.clear()
    started = time.process_time()
    for result in engine.search(GAME.start(), Limits(depth=deepest)):
        spent = time.process_time() - started
        speed = result.nodes / max(spent, 1e-3) / 1e6
        print(f"depth {result.depth:2}  {result.nodes:11} nodes  {spent:7.2f} s  {speed:5.2f} M/s  value {result.value:.0f}")


def nodes_to_depth(options: Options, depth: int) -> tuple[int, float]:
    """Nodes and processor seconds over the middle games."""
    engine, nodes, started = Engine(GAME, memory=64, options=options), 0, time.process_time()
    for fen in MIDDLE_GAMES:
        engine.clear()
        nodes += engine.best(GAME.position(fen), Limits(depth=depth)).nodes
    return nodes, time.process_time() - started


def measure_switches(depth: int) -> None:
    """What each switch brings in nodes to a depth, one left out at a time."""
    Engine(GAME, memory=1).best(GAME.start(), Limits(depth=2))
    full, spent = nodes_to_depth(Options.playing(), depth)
    print(f"{'everything on':28} {full:12} nodes {spent:7.2f} s")
    changes = {"table": False, "game_order": False, "killers": False, "history": False, "replies": False, "aspiration": 0,
               "null_move": False, "reductions": False, "futility": 0, "singular": 0, "quiescence": False}
    for name, value in changes.items():
        nodes, spent = nodes_to_depth(Options.playing(**{name: value}), depth)
        print(f"without {name:20} {nodes:12} nodes {spent:7.2f} s  {nodes / full:5.2f} times")


class Ours:
    """Our engine in this process."""

    def __init__(self, options: Options | None = None, weights=None) -> None:
        self.engine = Engine(GAME, memory=64, options=options, weights=weights)

    def new_game(self) -> None:
        """Forget the last game."""
        self.engine.clear()

    def move(self, positions, seconds: float):
        """An action for the last position, after the earlier ones."""
        return self.engine.best(positions[-1], Limits(seconds=seconds), earlier=positions[:-1]).action


class Theirs:
    """Another program."""

    def __init__(self, name: str) -> None:
        self.player = external(name)

    def new_game(self) -> None:
        """Forget the last game."""
        self.player._last = None

    def move(self, positions, seconds: float):
        """An action for the last position, after the earlier ones."""
        return self.player.choose(positions[-1], Limits(seconds=seconds))


def play_game(white, black, opening: str, seconds: float) -> tuple[float, str, int, list[float]]:
    """One game: what White got (1, 0.5, 0), why it ended, its plies, and the longest thought of each side."""
    positions = [GAME.start()]
    for san in opening.split():
        state = GAME.record(positions[-1].state)
        positions.append(positions[-1].result(read_san(state, san, positions[-1].actions())))
    sides, longest = (white, black), [0.0, 0.0]
    for side in sides:
        side.new_game()
    while True:
        position = positions[-1]
        if position.is_terminal():
            utility = position.utility(0)
            return (utility + 1) / 2, "mate" if utility else "draw", len(positions) - 1, longest
        claim = draw_claim([GAME.record(p.state) for p in positions[-101:]])
        if claim:
            return 0.5, claim, len(positions) - 1, longest
        if len(positions) > 400:
            return 0.5, "400 plies", len(positions) - 1, longest
        mover = position.player()
        started = time.perf_counter()
        try:
            action = sides[mover].move(positions, seconds)
            positions.append(position.result(action))
        except OutplayError as problem:
            return float(mover), f"forfeit: {problem}", len(positions) - 1, longest
        longest[mover] = max(longest[mover], time.perf_counter() - started)


def elo(score: float, games: int) -> str:
    """A score as a rating difference with its 95 % interval."""
    def of(share: float) -> float:
        share = min(max(share, 0.5 / games), 1 - 0.5 / games)
        return -400 * math.log10(1 / share - 1)
    error = 1.96 * math.sqrt(max(score * (1 - score), 0.25 / games) / games)
    return f"{of(score):+.0f} ({of(score - error):+.0f} to {of(score + error):+.0f})"


def measure_match(first, second, games: int, seconds: float, label: str = "") -> float:
    """Games in pairs with both colours from each opening; prints as it goes."""
    points, longest, reasons = 0.0, [0.0, 0.0], {}
    for number in range(games):
        opening = OPENINGS[number // 2 % len(OPENINGS)]
        swap = number % 2
        result, why, _, times = play_game(*((second, first) if swap else (first, second)), opening, seconds)
        mine = 1 - result if swap else result
        points += mine
        longest = [max(longest[0], times[swap]), max(longest[1], times[1 - swap])]
        reasons[why.split(":")[0]] = reasons.get(why.split(":")[0], 0) + 1
        if why.startswith("forfeit"):
            print(why, file=sys.stderr)
        share = points / (number + 1)
        print(f"\r{label} {number + 1}/{games}  {points:g} points, {100 * share:.1f} %  elo {elo(share, number + 1)}"
              f"  longest {longest[0]:.3f} {longest[1]:.3f} s  {reasons}   ", end="", flush=True)
    print()
    return points / games


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="depth", choices=["perft", "depth", "switches", "match", "positions", "mates",
                                                                     "gather", "robust", "effects", "weights"])
    parser.add_argument("subject", nargs="?", help="a file of positions, or a player")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", "--time", type=float, help="a move or position (0.1 in matches, 5 for positions, 0.05 robust)")
    parser.add_argument("--nodes", type=int, help="a position, instead of seconds")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--most", type=int, default=10_000, help="positions of a file")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--opponent", action="append", default=[], help="robust: uci:PROGRAM,Option=value; again for more")
    parser.add_argument("--margin", type=float, default=0.05, help="robust: seconds over a move's time that count as an overstep")
    parser.add_argument("--parallel", type=int, default=2, help="robust: games at once")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        run(given)
    except OutplayError as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit("\nstopped")


def run(given: argparse.Namespace) -> None:
    """One of the measures."""
    if given.what == "perft":
        measure_perft(given.threads)
    elif given.what == "depth":
        measure_depth(given.depth)
    elif given.what == "switches":
        measure_switches(given.depth)
    elif given.what == "match":
        measure_match(Ours(), Theirs(given.subject), given.games, given.seconds or 0.1, given.subject)
    elif given.what == "effects":
        from chess_effects import measure_effects

        measure_effects(given.games, given.nodes or 2000, given.subject)
    elif given.what == "weights":
        from chess_effects import measure_weights

        measure_weights(given.subject, given.games, given.nodes or 2000)
    elif given.what == "robust":
        from chess_robust import measure_robust

        measure_robust(given.games, given.seconds or 0.05, given.margin, given.opponent, given.parallel, given.json)
    elif given.what == "gather":
        from chess_positions import gather_mates

        gather_mates(given.games, 30)
    else:
        from chess_positions import MATES, measure_positions

        path = Path(given.subject or (MATES if given.what == "mates" else MATES.with_name("win_at_chess.epd")))
        if not path.is_file():
            raise BadValue(f"expected a file of positions (EPD), got {str(path)!r}")
        limits = Limits(nodes=given.nodes) if given.nodes else Limits(seconds=given.seconds or 5.0)
        measure_positions(path, limits, given.most, given.threads, given.json)


if __name__ == "__main__":
    main()
