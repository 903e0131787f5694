"""Regret minimization, side by side with OpenSpiel's C++ on one core, and how soon an equilibrium is near.

    python benchmarks/regret.py             # everything
    python benchmarks/regret.py speed reach values
    python benchmarks/regret.py public      # the public tree, vectors of hands, beside the flat tree of the same game
    python benchmarks/regret.py threads     # the same work on one thread and on two, four and so on, by the clock on the wall
    python benchmarks/regret.py turn        # the same for the public tree of a turn of limit hold'em with all its rivers

Speeds are in the thread's own processor time, best of several turns, the two programs taking turns.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.cards import cards
from outplay.engine.regret.equilibrium import RegretSolver, evaluate, uniform_shares
from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.sampling import SampledSolver
from outplay.engine.regret.tree import build, public_roots
from outplay.experts.poker.limit import HoldemSolver
from outplay.experts.poker.rest import Rest
from outplay.game import load

try:
    import pyspiel
except ImportError:
    pyspiel = None

TURNS = 5
GAMES = (
    ("kuhn poker", "kuhn_poker", 20_000, 2_000),
    ("leduc poker", "leduc_poker", 2_000, 20),
    ("liar's dice", "liars_dice", 60, 2),
)


def speed_of(run, count):
    started = time.thread_time()
    run(count)
    return count / (time.thread_time() - started)


def speed():
    """Iterations of plain CFR a second, alternating updates on both sides."""
    print(f"{'CFR iterations a second':28}{'Outplay':>12}{'OpenSpiel C++':>15}{'ratio':>8}")
    for name, theirs, many, few in GAMES:
        solver = RegretSolver(load(name), "cfr")
        solver.advance(1)
        other = pyspiel.CFRSolver(pyspiel.load_game(theirs)) if pyspiel else None

        def evolve(count, other=other):
            for _ in range(count):
                other.evaluate_and_update_policy()

        mine = their = 0.0
        for _ in range(TURNS):
            mine = max(mine, speed_of(solver.advance, many))
            if other is not None:
                their = max(their, speed_of(evolve, few))
        print(f"{name:28}{mine:12,.0f}{their:15,.1f}{mine / their if their else 0:8,.0f}", flush=True)


def reach():
    """Seconds until the average strategy of Leduc poker is exploitable by less than 1e-4, and less than 1e-5."""
    game = load("leduc poker")
    tree = build(game)
    for algorithm in ("cfr+", "discounted"):
        for target in (1e-4, 1e-5):
            solver = RegretSolver(game, algorithm, tree=tree)
            started = time.thread_time()
            report = solver.run(200_000, target=target)
            print(f"leduc poker, {algorithm}: exploitability {report.exploitability:.2e} after {report.iterations:,} iterations, "
                  f"{time.thread_time() - started:.2f} s; value {report.value:.9f}", flush=True)


def values():
    """What is known of the small games."""
    for name in ("kuhn poker", "leduc poker", "liar's dice", "goofspiel", "goofspiel:cards=5,order=descending"):
        game = load(name)
        tree = build(game)
        worth, best = evaluate(tree, uniform_shares(tree))
        started = time.perf_counter()
        report = RegretSolver(game, "cfr+", tree=tree).run(2000, seconds=20.0)
        print(f"{name:36} {tree.information_sets:>8,} information sets, {tree.nodes:>9,} nodes; "
              f"uniform NashConv {sum(best) - sum(worth):.6f}; "
              f"value {report.value:+.6f}, exploitability {report.exploitability:.1e} after {report.iterations} iterations "
              f"({time.perf_counter() - started:.1f} s)", flush=True)


def public():
    """Iterations of CFR+ a second over vectors of hands and over the flat tree, in turns; and how long each takes to be built."""
    print(f"{'cfr+ iterations a second':28}{'public':>12}{'flat':>12}{'ratio':>8}{'states':>9}{'hands':>7}{'nodes':>12}   built, s")
    for name, many in (("kuhn poker", 20_000), ("leduc poker", 2_000), ("liar's dice", 60), ("liar's dice:dice=2,faces=3", 60),
                       ("push or fold", 400)):
        game = load(name)
        PublicSolver(game).advance(1), RegretSolver(game).advance(1)  # compile
        started = time.thread_time()
        vectors = PublicSolver(game)
        between = time.thread_time()
        flat = RegretSolver(game)
        built = between - started, time.thread_time() - between
        mine = other = 0.0
        for _ in range(TURNS):
            mine, other = max(mine, speed_of(vectors.advance, many)), max(other, speed_of(flat.advance, many))
        print(f"{name:28}{mine:12,.0f}{other:12,.0f}{mine / other:8,.2f}{vectors.tree.nodes:9,}{vectors.tree.hands:7}"
              f"{flat.tree.nodes:12,}   {built[0]:.2f} and {built[1]:.2f}", flush=True)


def threads():
    """Iterations a second by the clock on the wall, for as many threads as there are cores."""
    cores = len(os.sched_getaffinity(0))
    ending = load("blind tic-tac-toe")
    roots = public_roots(ending.start().play("b2 a1 a3 c1 c1 b1 b3"), 3000)
    late = build(ending, roots, recall=True)
    trees = (("liar's dice", build(load("liar's dice"))), ("blind tic-tac-toe, from the 7th action", late))
    numbers = [1 << k for k in range(5) if 1 << k <= cores]
    for name, tree in trees:
        told = f"cfr+ on {name}, {tree.ends:,} ends"
        known = []
        for number in numbers:
            solver = RegretSolver(tree.game, "cfr+", tree=tree, threads=number)
            solver.advance(2)
            known.append(max(_by_the_wall(solver.advance, 10) for _ in range(TURNS)))
        print(f"{told:64}" + "".join(f"{each / known[0]:8.2f}" for each in known) + f"   of {known[0]:,.1f} a second", flush=True)
    for name in ("leduc poker", "liar's dice:dice=2,faces=4"):
        known = []
        for number in numbers:
            solver = SampledSolver(load(name), "external", seed=1, threads=number)
            solver.advance(2000)
            known.append(max(_by_the_wall(solver.advance, 4000) for _ in range(TURNS)))
        told = f"external sampling on {name}"
        print(f"{told:64}" + "".join(f"{each / known[0]:8.2f}" for each in known) + f"   of {known[0]:,.1f} a second", flush=True)
    print("threads:".ljust(64) + "".join(f"{number:8}" for number in numbers))


def turn():
    """The public tree of a turn of limit hold'em on one thread and on more, in turns; what they learn is the same to the bit."""
    cores = len(os.sched_getaffinity(0))
    rest = Rest(HoldemSolver(load("hold'em:kind=limit")), (1, 1, 1, 1), cards("2h7s9dJh"))
    solvers = {number: PublicSolver(rest.solver.game, "cfr+", tree=rest.tree, threads=number)
               for number in (1, 2, 4, 8) if number <= cores}
    for solver in solvers.values():
        solver.advance(1)
    known = dict.fromkeys(solvers, 0.0)
    for _ in range(TURNS):
        for number, solver in solvers.items():
            known[number] = max(known[number], _by_the_wall(solver.advance, 2))
    assert all((solver.sums == solvers[1].sums).all() for solver in solvers.values())
    print(f"cfr+ on a turn of limit hold'em, {rest.tree.nodes:,} public states, {rest.tree.hands:,} hands: "
          + ", ".join(f"{known[number] / known[1]:.2f} on {number}" for number in solvers) + f" of {known[1]:.1f} a second",
          flush=True)


def _by_the_wall(run, count):
    started = time.perf_counter()
    run(count)
    return count / (time.perf_counter() - started)


def main():
    wanted = sys.argv[1:] or ["speed", "reach", "values"]
    for part in wanted:
        {"speed": speed, "reach": reach, "values": values, "public": public, "threads": threads, "turn": turn}[part]()


if __name__ == "__main__":
    main()
