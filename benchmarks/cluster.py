"""What handing out a piece of work costs on a cluster of Ray: `python benchmarks/cluster.py [--nodes 4]`.

Pieces that do nothing, then pieces of a tenth of a second, over nodes that all lie on this machine. The first shows how many pieces
a second one driver can hand out, which bounds how many cores it can keep busy.
"""

import argparse
import time

from outplay.arena.cluster import spread


def nothing(number):
    return number


def a_tenth(number):
    time.sleep(0.1)
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 2, 4])
    asked = parser.parse_args()
    import ray
    from ray.cluster_utils import Cluster

    print(f"{'nodes':>6} {'empty pieces/s':>15} {'pieces of 0.1 s, of what is possible':>38}")
    for nodes in asked.nodes:
        machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        for _ in range(nodes - 1):
            machines.add_node(num_cpus=1)
        ray.init(address=machines.address, log_to_driver=False, logging_level="error")
        list(spread(nothing, ((number,) for number in range(8 * nodes))))  # starts the workers
        begun = time.perf_counter()
        list(spread(nothing, ((number,) for number in range(200))))
        empty = 200 / (time.perf_counter() - begun)
        begun = time.perf_counter()
        list(spread(a_tenth, ((number,) for number in range(20 * nodes))))
        share = 2.0 / (time.perf_counter() - begun)
        print(f"{nodes:6} {empty:15,.0f} {share:38.0%}", flush=True)
        ray.shutdown()
        machines.shutdown()


if __name__ == "__main__":
    main()
