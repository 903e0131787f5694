"""A class that takes part live: `python benchmarks/live.py [STUDENTS] [ROUNDS]`.

So many browsers, as far as requests go, join a studio on this computer, in a process of their own: each waits for the question,
reads it, answers, and waits for the results. Printed are the errors, and the median and the 99th percentile of what a student
waits: to join, from the teacher's click to the question on the screen, for the answer to be taken, from the click to the results.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from typing import Any

TREE = "[[[3,12],[8,2]],[[4,6],[14,5]],[[2,7],[1,9]]]"


class Browser:
    """One connection that is kept open, as a browser keeps it."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """One question, one answer; a connection that was closed meanwhile is opened anew, once."""
        for fresh in (False, True):
            if fresh or not hasattr(self, "_writer") or self._writer.is_closing():
                self._reader, self._writer = await asyncio.open_connection(self.host, self.port)
            data = json.dumps(body).encode()
            head = (f"POST {path} HTTP/1.1", f"host: {self.host}:{self.port}", "content-type: application/json",
                    "accept-encoding: gzip", f"content-length: {len(data)}", "", "")  # fmt: skip
            self._writer.write("\r\n".join(head).encode() + data)
            try:
                lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                self._writer.close()
                continue
            headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in lines[1:])}
            found = await self._reader.readexactly(int(headers["content-length"]))
            answer = json.loads(gzip.decompress(found) if headers.get("content-encoding") == "gzip" else found)
            if " 200 " not in lines[0]:
                raise OSError(f"{lines[0]}: {answer}")
            return dict(answer)
        raise OSError("no answer")


async def student(host: str, port: int, code: str, number: int, told: list[Any]) -> None:
    """One student, to the end of the class."""
    browser, dice = Browser(host, port), random.Random(number)
    try:
        await asyncio.sleep(dice.random() * 2)  # nobody types a code in the same instant
        begun = time.time()
        me = await browser.post("/api/join", {"code": code})
        told.append(("join", begun, time.time()))
        turn = 0
        while True:
            news = await browser.post("/api/follow", {"token": me["token"], "turn": turn})
            if news.get("same"):
                continue
            turn = news["turn"]
            told.append((f"{news['phase']} {news['number']}", 0.0, time.time()))
            if news["phase"] == "over":
                return
            if news["phase"] == "asking":
                await asyncio.sleep(dice.random() * 2)  # to think, two seconds at most
                begun = time.time()
                choice = dice.choice(news["question"]["options"])["key"]
                await browser.post("/api/answer", {"token": me["token"], "round": news["number"], "key": choice})
                told.append(("answer", begun, time.time()))
    except (OSError, ValueError, KeyError) as problem:
        told.append((f"error: {problem}", 0.0, time.time()))


async def clients(host: str, port: int, code: str, count: int) -> list[Any]:
    told: list[Any] = []
    await asyncio.gather(*(student(host, port, code, number, told) for number in range(count)))
    return told


def main(count: int = 100, rounds: int = 10) -> None:
    served = subprocess.Popen([sys.executable, "-m", "outplay", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
    assert served.stderr is not None
    try:
        studio = next(line for line in served.stderr if "http://" in line).partition("http://")[2].split("/")[0]

        def ask(path: str, body: dict[str, Any] | None = None) -> Any:
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(f"http://{studio}{path}", data, {"content-type": "application/json"})
            return [json.loads(line) for line in urllib.request.urlopen(request).read().decode().splitlines()][-1]

        opened = ask("/api/class", {})
        host, _, port = opened["address"].partition("//")[2].rstrip("/").partition(":")
        program = f"import sys, json, asyncio; sys.path.insert(0, {sys.path[0]!r}); import live\n" \
                  f"json.dump(asyncio.run(live.clients({host!r}, {port}, {opened['code']!r}, {count})), sys.stdout)"  # fmt: skip
        crowd = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        while ask("/api/class")["joined"] < count and crowd.poll() is None:
            time.sleep(0.1)
        tree = ask("/api/trees", {"game": "tree", "parameters": {"tree": TREE}, "algorithm": "alphabeta"})["tree"]["address"]
        clicks: dict[str, float] = {}
        for number in range(1, rounds + 1):
            clicks[f"asking {number}"] = time.time()
            if number % 2:
                ask("/api/class/predict", {"tree": tree, "tick": 2 * number, "about": "node"} if number % 4 == 1
                    else {"tree": tree, "tick": 5, "about": "cut"})  # fmt: skip
            else:
                ask("/api/class/vote", {"game": "chess"})
            until = time.monotonic() + 20
            while ask("/api/class")["answered"] < count and time.monotonic() < until:
                time.sleep(0.25)
            clicks[f"told {number}"] = time.time()
            ask("/api/class/tell", {})
            time.sleep(0.5)
        ask("/api/class/close", {})
        told = json.loads(crowd.communicate(timeout=60)[0])
    finally:
        served.terminate()
    errors = [what for what, _, _ in told if what.startswith("error")]
    print(f"{count} students, {rounds} rounds: {len(errors)} errors{': ' + errors[0] if errors else ''}")
    waits: dict[str, list[float]] = {"to join": [], "for the question": [], "for the answer to be taken": [], "for the results": []}
    names = {"join": "to join", "answer": "for the answer to be taken", "asking": "for the question", "told": "for the results"}
    for what, begun, over in told:
        name = names.get(what.split()[0])
        if name:
            waits[name].append(1000 * (over - (begun or clicks[what])))
    for name, found in waits.items():
        most, middle = sorted(found)[int(0.99 * len(found))], statistics.median(found)
        print(f"{name}: {len(found)} times, median {middle:.0f} ms, p99 {most:.0f} ms, longest {max(found):.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
