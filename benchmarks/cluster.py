"""What handing out a piece of work costs on a cluster of Ray: `python benchmarks/cluster.py [--nodes 1 2 4 8]`.

Pieces that do nothing show how many a second one driver can hand out, which bounds how many cores it can keep busy. Pieces that
sleep for a tenth of a second and for a second stand for work on machines of their own: nodes with one core each, all of which lie
on this machine. Last a real match at home, on one node and on two, whose games must be the same.
"""

import argparse
import json
import os
import time

from outplay.arena.cluster import spread

NAMES = ("engine:depth=7", "engine:depth=6")


def nothing(number):
    return number


def nap(seconds, number):
    time.sleep(seconds)
    return number


def seconds_of(work, pieces):
    begun = time.perf_counter()
    found = list(spread(work, pieces))
    return time.perf_counter() - begun, found


def games_of(records):
    return [(record.start, record.actions, record.players, record.outcome) for record in records]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 2, 4, 8])
    parser.add_argument("--games", type=int, default=20, help="games of the real match; 0: none")
    asked = parser.parse_args()
    import ray
    from ray.cluster_utils import Cluster

    from outplay.arena import cluster
    from outplay.arena.match import match
    from outplay.game import load
    from outplay.players import player

    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Ray {ray.__version__}, {time.strftime('%d %B %Y')}")
    game, home, home_seconds = load("connect four"), None, 0.0
    if asked.games:
        list(match(game, [player(name) for name in NAMES], games=1))  # compiles
        begun = time.perf_counter()
        home = games_of(match(game, [player(name, seed=number) for number, name in enumerate(NAMES)], games=asked.games))
        home_seconds = time.perf_counter() - begun
    for nodes in asked.nodes:
        machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        for _ in range(nodes - 1):
            machines.add_node(num_cpus=1)
        ray.init(address=machines.address, log_to_driver=False, logging_level="error")
        row = {"nodes": nodes}
        row["start"] = round(seconds_of(nap, ((0.5, number) for number in range(2 * nodes)))[0], 1)  # starts the workers
        row["empty pieces a second"] = round(300 / seconds_of(nothing, ((number,) for number in range(300)))[0])
        for length, each in ((0.1, 20), (1.0, 6)):
            spent, found = seconds_of(nap, ((length, number) for number in range(each * nodes)))
            assert found == list(range(each * nodes))
            row[f"share at {length} s"] = round(length * each / spent, 3)
        if asked.games and nodes <= 2:
            list(cluster.tournament(game, NAMES, games=2 * nodes))  # the workers load their kernels
            begun = time.perf_counter()
            away = games_of(cluster.tournament(game, NAMES, games=asked.games))
            spent = time.perf_counter() - begun
            row["match"] = {"seconds": round(spent, 2), "at home": round(home_seconds, 2), "same games": away == home}
        print(json.dumps(row), flush=True)
        ray.shutdown()
        machines.shutdown()


if __name__ == "__main__":
    main()
