"""Monte Carlo, measured in one run: against OpenSpiel's C++ where it is installed, and against ourselves.

    python benchmarks/montecarlo.py                 # everything
    python benchmarks/montecarlo.py playouts pgx mcts compile

Speeds are of one thread and in its own processor time, best of several turns, the two programs taking turns. pgx, where it is
installed, plays whole batches at once and takes all cores; its best batch counts, by the clock on the wall.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.engine.montecarlo.mcts import MonteCarlo
from outplay.engine.montecarlo.playouts import playouts
from outplay.game import load
from outplay.values import Limits

try:
    import pyspiel
except ImportError:
    pyspiel = None

TURNS = 9
PLAYOUTS = (
    ("tic-tac-toe", "tic_tac_toe", 300_000, 40_000, 10),
    ("connect four", "connect_four", 200_000, 8_000, 40),
    ("go:size=9,policy=light", "go(board_size=9)", 6_000, 600, 10),
    ("backgammon", "backgammon", 1_500, 100, 10),
)
SEARCHES = (
    ("tic-tac-toe", "tic_tac_toe", 100_000, 5),
    ("connect four", "connect_four", 50_000, 20),
    ("go:size=9,policy=light", "go(board_size=9)", 6_000, 10),
)


def speed(run, count):
    started = time.thread_time()
    run(count)
    return count / (time.thread_time() - started)


def spiel_state(name):
    """A state of OpenSpiel's at which a player is to move, and its game."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return game, state


def spiel_rollouts(name):
    game, state = spiel_state(name)

    def run(count):
        pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(count, 1), 2.0, 1, 10, False, 1, False).mcts_search(state)

    return run


def spiel_search(name):
    game, state = spiel_state(name)

    def run(count):
        pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, count, 1000, False, 1, False).mcts_search(state)

    return run


def compare(title, unit, ours, ours_count, theirs, theirs_count, wanted):
    ours(max(10, ours_count // 10))
    mine = their = 0.0
    for _ in range(TURNS):
        mine = max(mine, speed(ours, ours_count))
        if theirs:
            their = max(their, speed(theirs, theirs_count))
    ratio = f"{mine / their:7.1f} times OpenSpiel's {their:,.0f} (wanted: {wanted})" if their else "OpenSpiel is not installed"
    print(f"{title:28} {mine:14,.0f} {unit}  {ratio}", flush=True)


def measure_playouts():
    for name, other, count, other_count, wanted in PLAYOUTS:
        position = load(name).start()
        compare(
            f"random games, {name}",
            "games/s",
            lambda n, position=position: playouts(position, n),
            count,
            spiel_rollouts(other) if pyspiel else None,
            other_count,
            wanted,
        )


PGX = (
    ("tic-tac-toe", "tic_tac_toe", 200, (512, 4096, 16384)),
    ("connect four", "connect_four", 200, (512, 4096, 16384)),
    ("go:size=9,policy=light", "go_9x9", 200, (16, 64, 256)),
    ("backgammon", "backgammon", 300, (16, 64, 256)),
)
"""Our name, theirs, moves of each batch, batches."""


def pgx_games(name, batch, steps):
    """Random games a second of one batch: finished ones begin anew, and those that end are counted."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    environment = pgx.make(name)
    step, begin = jax.vmap(auto_reset(environment.step, environment.init)), jax.vmap(environment.init)

    def move(carry, key):
        state, ended = carry
        draw, roll = jax.random.split(key)
        action = jax.random.categorical(draw, jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf), axis=-1)
        state = step(state, action, jax.random.split(roll, batch))
        return (state, ended + state.terminated.sum()), None

    @jax.jit
    def run(state, key):
        return jax.lax.scan(move, (state, 0), jax.random.split(key, steps))[0]

    state, _ = run(begin(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1))  # compiles, and gets under way
    jax.block_until_ready(state)
    started = time.perf_counter()
    _, ended = run(state, jax.random.PRNGKey(2))
    return int(ended) / (time.perf_counter() - started)


def measure_pgx():
    try:
        import pgx  # noqa: F401  (its absence is the point)
    except ImportError:
        print("pgx is not installed: left out", flush=True)
        return
    counts = {name: count for name, _, count, _, _ in PLAYOUTS}
    for name, other, steps, batches in PGX:
        position = load(name).start()
        playouts(position, 10)
        mine = max(speed(lambda n, position=position: playouts(position, n), counts[name]) for _ in range(TURNS))
        found = {batch: pgx_games(other, batch, steps) for batch in batches}
        best = max(found, key=found.get)
        print(f"random games, {name:22} {mine:14,.0f} games/s  {mine / found[best]:7.1f} times pgx's {found[best]:,.0f} "
              f"(best batch: {best})", flush=True)


def measure_mcts():
    for name, other, count, wanted in SEARCHES:
        position = load(name).start()
        search = MonteCarlo(position.game, solver=False, rave=0, exploration=1.4, expand=1)

        def run(n, search=search, position=position):
            search.clear()
            search.best(position, Limits(simulations=n))

        compare(f"tree search, {name}", "simulations/s", run, count, spiel_search(other) if pyspiel else None, count, wanted)


def measure_compile():
    code = (
        "import sys, time; from outplay.game import load; from outplay.engine.{module} import {name}; "
        "p = load(sys.argv[1]).start(); t = time.thread_time(); {call}; print(time.thread_time() - t)"
    )
    for name in ("tic-tac-toe", "connect four", "backgammon", "go:size=9"):
        row = []
        for module, function, call in (("playouts", "playouts", "playouts(p, 1)"), ("mcts", "mcts", "mcts(p, simulations=2)")):
            with tempfile.TemporaryDirectory() as cache:
                done = subprocess.run(
                    [sys.executable, "-c", code.format(module=module, name=function, call=call), name],
                    env={**os.environ, "OUTPLAY_CACHE": cache},
                    capture_output=True,
                    text=True,
                    check=True,
                )
            row.append(f"{module} {float(done.stdout):.1f} s")
        print(f"compiled cold, {name:14} {', '.join(row)} of processor time (wanted: under 10)", flush=True)


def main(wanted):
    for name, measure in (
        ("playouts", measure_playouts),
        ("pgx", measure_pgx),
        ("mcts", measure_mcts),
        ("compile", measure_compile),
    ):
        if not wanted or name in wanted:
            measure()


if __name__ == "__main__":
    main(sys.argv[1:])
