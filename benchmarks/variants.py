"""What a studio's memory does when somebody searches many variants of games, each of which has to be compiled.

    python benchmarks/variants.py [COUNT] [--fresh] [--skip N]
    python benchmarks/variants.py --games               every game that comes with Outplay instead, each once

Starts `outplay serve` on a loopback port, asks `POST /api/think` for COUNT (300) variants of isolation, connect four, Go and others
with the engine, and prints the server's memory (its own, and with the process that compiles for it) every ten. `--fresh` uses an
empty cache; `--skip` leaves the first N out, so that several processes may compile a part each before all are asked of one studio.
"""

import argparse
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from outplay.game import game_names


def variants():
    """Names of games with parameters, no two alike."""
    sizes = [(width, height) for width in range(3, 9) for height in range(3, 9)]
    isolation = (f"isolation:width={w},height={h},moves={move},players={n}" for n in (2, 3) for move in ("queen", "knight")
                 for w, h in sizes if w * h <= 49)  # fmt: skip
    four = (f"connect four:width={w},height={h},line={line}" for line in (3, 4, 5, 6) for w, h in sizes if w * (h + 1) <= 63)
    go = (f"go:size={n},suicide={suicide}" for suicide in (False, True) for n in range(3, 10))
    return itertools.chain(isolation, four, go)


def memory(process):
    """Megabytes of a process, and of it with its children."""

    def resident(number):
        try:
            return int(Path(f"/proc/{number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        except OSError:
            return 0.0

    children = [child for task in Path(f"/proc/{process}/task").iterdir() for child in (task / "children").read_text().split()]
    return resident(process), resident(process) + sum(map(resident, children))


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=300)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--games", action="store_true")
    asked = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "OUTPLAY_DATA": folder, **({"OUTPLAY_CACHE": f"{folder}/cache"} if asked.fresh else {})}
        server = subprocess.Popen([sys.executable, "-m", "outplay", "serve", "--port", str(port)], env=environment,
                                  stdout=subprocess.DEVNULL)  # fmt: skip
        try:
            for _ in range(200):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=60).read()
                    break
                except OSError:
                    time.sleep(0.2)
            print("begun: {:.0f} MB, with children {:.0f}".format(*memory(server.pid)), flush=True)
            refused = 0
            names = game_names() if asked.games else itertools.islice(variants(), asked.skip, asked.skip + asked.count)
            for done, name in enumerate(names, start=1):
                body = json.dumps({"game": name, "algorithm": "auto" if asked.games else "engine", "seconds": 0.05}).encode()
                request = urllib.request.Request(f"http://127.0.0.1:{port}/api/think", body, {"content-type": "application/json"})
                try:
                    told = urllib.request.urlopen(request, timeout=300).read().splitlines()
                    refused += "error" in json.loads(told[-1])
                except urllib.error.HTTPError as problem:
                    print(name, problem.read().decode())
                    refused += 1
                if done % 10 == 0 or asked.games:
                    own, both = memory(server.pid)
                    print(f"{done}, the last {name}, {refused} refused: {own:.0f} MB, with children {both:.0f}", flush=True)
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
