"""Othello, measured in one run: the problems of the FFO, random games and searches beside OpenSpiel's, games with other programs.

    python benchmarks/othello.py ffo                 # problems 20 to 39; `ffo 40 44` for others
    python benchmarks/othello.py speed               # random games and Monte Carlo searches, OpenSpiel's C++ in turns with ours
    python benchmarks/othello.py match 100 1         # so many games against rust-reversi's alpha-beta, so many seconds a move
    python benchmarks/othello.py thunder 100 1       # the same against its Thunder search; `mcts 100 1` its Monte Carlo search
    python benchmarks/othello.py rhino 100 1 5       # the same against gtp-rhino at a level, which takes its own time
    python benchmarks/othello.py small               # 4x4 and 6x6 from the start (6x6 takes a minute or two)
    python benchmarks/othello.py oracle 20000        # moves and boards beside rust-reversi's and OpenSpiel's

A node is a position that was looked at, those of the last few cells included. Seconds are the process's own. Matches take options:
`player=engine:pvs,probcut=0` for another player of ours, `part=3/12` for every twelfth game only (so that a dozen processes share a
match), `first=16` to begin with that game (and its opening), and `out=FILE`, which gets a line of JSON for each game: games that it
has are not played again, one that was broken off goes on at its last move, and `table FILE...` adds up.
"""

import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.montecarlo import compare, pyspiel, spiel_rollouts, spiel_search
from outplay.engine.alphabeta.solve import solve
from outplay.engine.montecarlo.mcts import MonteCarlo
from outplay.engine.montecarlo.playouts import playouts
from outplay.files import write_whole
from outplay.game import load
from outplay.players import player as named_player
from outplay.players.external import external
from outplay.values import Limits

PROBLEMS = Path(__file__).parent / "data/othello-ffo.obf"
MEMORY = 256  # MB
PATIENCE = 1200.0  # seconds: gtp-rhino searches to the depth of its level, however long that takes


def problems():
    """Number, position and the score of every move."""
    for number, line in enumerate(PROBLEMS.read_text().splitlines(), 20):
        text, *moves = line.strip().rstrip(";").split(";")
        yield number, text, {move.split(":")[0].strip().lower(): int(move.split(":")[1]) for move in moves}


def measure_ffo(first=20, last=39):
    game = load("othello")
    solve(game.start(), Limits(nodes=10), memory=1)  # compiles
    print("problem  empty  value  known  move   M nodes  seconds  M nodes/s")
    nodes = seconds = wrong = 0
    for number, text, scores in problems():
        if first <= number <= last:
            position = game.position(text)
            started = time.process_time()
            found = solve(position, memory=MEMORY)
            took = time.process_time() - started
            value = round(found.value * (1 if position.player() == 0 else -1))
            move = position.action_text(found.action)
            right = value == max(scores.values()) == scores[move]
            wrong += not right
            nodes, seconds = nodes + found.nodes, seconds + took
            print(f"{number:7} {text.count('-'):6} {value:+6} {max(scores.values()):+6}  {move:4} {found.nodes / 1e6:9.2f} "
                  f"{took:8.2f} {found.nodes / took / 1e6:9.1f} {'' if right else 'WRONG'}", flush=True)
    print(f"together {nodes / 1e6:.1f} M nodes in {seconds:.1f} s, {nodes / seconds / 1e6:.1f} M nodes/s, {wrong} wrong")


def measure_speed():
    position = load("othello").start()
    theirs = spiel_rollouts("othello") if pyspiel else None
    compare("random games", "games/s", lambda n: playouts(position, n), 20_000, theirs, 1_000, 40)
    search = MonteCarlo(position.game)

    def ours(count):
        search.best(position, Limits(simulations=count))

    compare("MCTS", "simulations/s", ours, 10_000, spiel_search("othello") if pyspiel else None, 1_000, 20)


def measure_small():
    for size in (4, 6):
        found = solve(load("othello", size=size).start(), memory=1024)
        print(f"{size}x{size}: {found.value:+g} for black, {found.nodes:,} nodes, {found.seconds:.1f} s", flush=True)


def measure_oracle(count=20_000):
    """Random games played side by side; every position's moves, board, passes and end must agree."""
    import rust_reversi

    game, source = load("othello"), random.Random(1)
    theirs = pyspiel.load_game("othello") if pyspiel else None
    seen = games = 0
    while seen < count:
        position, games = game.start(), games + 1
        state = theirs.new_initial_state() if theirs else None
        while not position.is_terminal():
            actions = list(position.actions())
            board = rust_reversi.Board()
            turn = rust_reversi.Turn.BLACK if position.player() == 0 else rust_reversi.Turn.WHITE
            board.set_board_str(position.text()[:-2], turn)
            legal = board.get_legal_moves_vec()
            assert sorted(legal) == ([] if actions == [64] else sorted(actions)), position.text()
            assert bool(board.is_pass()) == (actions == [64]), position.text()
            if state is not None:
                assert state.legal_actions() == sorted(actions) and state.current_player() == position.player(), position.text()
            action = source.choice(actions)
            position = position.result(action)
            if state is not None:
                state.apply_action(action)
                cells = "".join(cell for cell in str(state) if cell in "xo-")[-64:]
                assert cells.upper() == position.text()[:-2], position.text()
            seen += 1
        if state is not None:
            assert state.is_terminal() and (state.returns()[0] > 0) == (position.utility(0) > 0)
    print(f"{seen:,} positions of {games:,} random games: no difference to rust-reversi" + (" and OpenSpiel" if theirs else ""))


# ---------------------------------------------------------------- matches


def reversi_player(seconds, kind="alpha-beta"):
    """A search of rust-reversi, the alpha-beta with its best evaluation, as a function of a position."""
    import rust_reversi as other

    quarter = [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, -1, -1], [5, -2, -1, -1]]  # the usual table of cells
    half = [row + row[::-1] for row in quarter]
    if kind == "alpha-beta":
        search = other.AlphaBetaSearch(other.MatrixEvaluator(half + half[::-1]), 20, 1 << 10)
    elif kind == "thunder":
        search = other.ThunderSearch(other.WinrateEvaluator(), 1_000_000, 0.1)
    else:
        search = other.MctsSearch(1_000_000, 1.0, 10)

    def choose(position):
        if position.actions() == (64,):
            return 64
        board = other.Board()
        board.set_board_str(position.text()[:-2], other.Turn.BLACK if position.player() == 0 else other.Turn.WHITE)
        return search.get_move_with_timeout(board, int(1000 * seconds))

    return choose


def rhino_player(level):
    program = external(f"gtp:gtp-rhino --level {level}")

    def choose(position):
        return program.pick(position, Limits(seconds=PATIENCE))

    return choose


def play_match(name, theirs, games, seconds, player="auto", part="0/1", first="0", out=""):
    ours = named_player(f"{player}{',' if ':' in player else ':'}time={seconds:g}")
    which, parts = map(int, part.split("/"))
    kept = [json.loads(line) for line in Path(out).read_text().splitlines()] if out and Path(out).exists() else []
    done = {each["game"] for each in kept}
    ours.choose(openings(0))  # compiles
    points = discs = 0.0
    wanted = range(int(first) + which, int(first) + int(games), parts)
    for count, number in enumerate((each for each in wanted if each not in done), 1):
        position, slowest, spent, moves = openings(number // 2), [0.0, 0.0], [0.0, 0.0], [0, 0]  # two games from each opening
        played = ""
        broken_off = Path(f"{out}.{number}")
        if out and broken_off.exists():
            text, slowest, spent, moves, *played = json.loads(broken_off.read_text())
            played = "".join(played)
            position = position.game.position(text)
        ours.begin(position)
        while not position.is_terminal():
            mine, started = position.player() == number % 2, time.perf_counter()
            action = ours.choose(position) if mine else theirs(position)
            took = time.perf_counter() - started
            played += position.action_text(action)
            position = position.result(action)
            slowest[mine], spent[mine], moves[mine] = max(slowest[mine], took), spent[mine] + took, moves[mine] + 1
            if out:
                write_whole(broken_off, json.dumps([position.text(), slowest, spent, moves, played]))
        won = position.utility(number % 2)
        points += 1.0 if won > 0 else 0.5 if won == 0 else 0.0
        discs += won
        if out:
            with Path(out).open("a") as file:
                file.write(json.dumps({"game": number, "name": name, "player": player, "discs": won,
                                       "slowest": round(slowest[1], 2), "their_slowest": round(slowest[0], 2),
                                       "mean": round(spent[1] / moves[1], 2), "their_mean": round(spent[0] / moves[0], 2),
                                       "moves": played}) + "\n")
            broken_off.unlink()
        print(f"{name}: {points:g} of {count} games, {discs / count:+.1f} discs a game", flush=True)


def openings(seed, plies=8):
    """The position after random moves."""
    draw, position = random.Random(seed), load("othello").start()
    for _ in range(plies):
        position = position.result(draw.choice(position.actions()))
    return position


def add_up(*files):
    """The results of matches that were kept in files."""
    for file in files:
        kept = [json.loads(line) for line in Path(file).read_text().splitlines()]
        discs = [each["discs"] for each in {each["game"]: each for each in kept}.values()]
        points = sum(1.0 if each > 0 else 0.5 if each == 0 else 0.0 for each in discs)
        print(f"{file}: {kept[0]['player']} against {kept[0]['name']}: {points:g} of {len(discs)} "
              f"({100 * points / len(discs):.1f} %), {sum(discs) / len(discs):+.1f} discs a game, slowest move "
              f"{max(each['slowest'] for each in kept)} s, theirs {max(each['their_slowest'] for each in kept)} s")
        timed = [each["their_mean"] for each in kept if "their_mean" in each]
        if timed:
            print(f"{' ' * len(file)}  they took {sum(timed) / len(timed):.2f} s a move")


def measure_match(games=100, seconds=1.0, **options):
    play_match("rust-reversi's alpha-beta", reversi_player(seconds), games, seconds, **options)


def measure_thunder(games=100, seconds=1.0, **options):
    play_match("rust-reversi's Thunder search", reversi_player(seconds, "thunder"), games, seconds, **options)


def measure_mcts(games=100, seconds=1.0, **options):
    play_match("rust-reversi's Monte Carlo search", reversi_player(seconds, "mcts"), games, seconds, **options)


def measure_rhino(games=100, seconds=1.0, level=5, **options):
    play_match(f"gtp-rhino at level {level:g}", rhino_player(int(level)), games, seconds, **options)


MEASURES = {"ffo": measure_ffo, "speed": measure_speed, "small": measure_small, "oracle": measure_oracle, "match": measure_match,
            "thunder": measure_thunder, "mcts": measure_mcts, "rhino": measure_rhino}  # fmt: skip


def main():
    wanted, *words = sys.argv[1:] or ["ffo"]
    if wanted == "table":
        add_up(*words)
    elif wanted in MEASURES:
        MEASURES[wanted](*(float(word) for word in words if "=" not in word),
                         **{word.partition("=")[0]: word.partition("=")[2] for word in words if "=" in word})  # fmt: skip
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
