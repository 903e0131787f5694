"""The studio under load: 100 simulated people play connect four for a minute against the engine, each over a connection of its own.

    python benchmarks/load.py [people] [seconds] [strength] [pause]

A person opens the page and its files, starts a game, looks, moves, waits for the reply (0.2 seconds of search, after a place in
the queue), looks again, thinks for a moment, and begins anew when the game is over. Page time is what everything but a search
takes; the client runs on the same machine and takes its share of it. Fails when anything is answered with an error.

The memory of the server is read all the while, and the curve is shown: it must have a plateau. Nothing that a game leaves behind is
kept beyond the bounds of `outplay/web/limits.py` (positions, trees, tables of the searches that run), so MOST_MEGABYTES holds for
any hour; `load.py 6 1200 engine:time=0.02 0` makes some fifty thousand moves in twenty minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

MOST_MEGABYTES = 450  # resident, of a studio in which people play connect four
POINTS = 12  # of the curve


class Connection:
    """One person's keep-alive connection, as bare as HTTP allows, so that the client costs little."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, body: Any = None) -> tuple[int, bytes]:
        """Status and body of one answer; streams are read to their end."""
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n" if body is not None else "\r\n"
        self.writer.write(head.encode() + content)
        await self.writer.drain()
        headers = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(headers.split()[1])
        if length := re.search(r"content-length: (\d+)", headers):
            return status, await self.reader.readexactly(int(length[1]))
        parts = []
        while size := int((await self.reader.readline()).strip() or b"0", 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return status, b"".join(parts)

    def close(self) -> None:
        """Hang up."""
        if self.writer is not None:
            self.writer.close()


class Crowd:
    """What all people together met."""

    def __init__(self, port: int, until: float, strength: str, pause: float, process: int) -> None:
        self.port, self.until, self.strength, self.pause, self.process = port, until, strength, pause, process
        self.megabytes: list[float] = []
        self.pages: list[float] = []
        self.replies: list[float] = []
        self.places: list[int] = []
        self.errors: list[str] = []
        self.games = 0

    async def page(self, connection: Connection, path: str, body: Any = None) -> Any:
        """One request that is no search, timed."""
        begun = time.perf_counter()
        status, content = await connection.ask(path, body)
        self.pages.append(time.perf_counter() - begun)
        if status != 200:
            self.errors.append(f"{path}: {status} {content[:100]!r}")
            raise RuntimeError
        return content

    async def person(self, number: int) -> None:
        """One person, from opening the page to leaving it."""
        source = random.Random(number)
        connection = Connection(self.port)
        await asyncio.sleep(source.random() * 3)
        try:
            for path in ("/play", "/static/studio.css", "/static/studio.js", "/static/play.js", "/api/games"):
                await self.page(connection, path)
            while time.perf_counter() < self.until:
                body = {"game": "connect four", "players": ["human", self.strength]}
                record = json.loads(await self.page(connection, "/api/records", body))
                self.games += 1
                while not record["terminal"] and time.perf_counter() < self.until:
                    record = await self.turn(connection, record, source)
        except RuntimeError:
            pass
        except (OSError, asyncio.IncompleteReadError, ValueError) as problem:
            self.errors.append(f"person {number}: {type(problem).__name__} {problem}")
        finally:
            connection.close()

    async def turn(self, connection: Connection, record: dict[str, Any], source: random.Random) -> dict[str, Any]:
        """A move, the reply to it, and a look at the board."""
        path = f"/api/records/{record['address']}"
        action = source.choice(record["legal"])["text"]
        record = json.loads(await self.page(connection, path + "/moves", {"action": action, "plies": record["plies"]}))
        if not record["terminal"]:
            begun = time.perf_counter()
            status, content = await connection.ask(path + "/reply", {"plies": record["plies"]})
            messages = [json.loads(line) for line in content.splitlines()]
            if status != 200 or "record" not in messages[-1]:
                self.errors.append(f"reply: {status} {content[-100:]!r}")
                raise RuntimeError
            self.replies.append(time.perf_counter() - begun)
            self.places.append(messages[0]["queued"])
            record = json.loads(await self.page(connection, path))
        await asyncio.sleep(source.uniform(0.3, 1.5) * self.pause)
        return record


    async def weigh(self) -> None:
        """Read the server's memory every second, where the system tells it."""
        while time.perf_counter() < self.until:
            with contextlib.suppress(OSError), open(f"/proc/{self.process}/statm") as facts:
                self.megabytes.append(int(facts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20)
            await asyncio.sleep(1)


def main(people: int = 100, seconds: float = 60.0, strength: str = "engine:time=0.2", pause: float = 1.0) -> dict[str, Any]:
    """Start a studio of its own, send the crowd in, and tell how it went; `pause` stretches the moments in which people think."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "outplay", "serve", "--port", "0"]
        server = subprocess.Popen(command, env={**os.environ, "OUTPLAY_DATA": folder}, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            found = re.search(r":(\d+)/", server.stderr.readline())
            assert found, "the studio did not start"
            port = int(found[1])
            asyncio.run(warm(port, strength))
            crowd = Crowd(port, time.perf_counter() + seconds, strength, pause, server.pid)
            asyncio.run(gather(crowd, people))
        finally:
            server.terminate()
            server.wait(20)
    pages = sorted(crowd.pages)
    row = {
        "people": people, "seconds": seconds, "pages": len(pages), "median_ms": statistics.median(pages) * 1000,
        "p95_ms": pages[int(len(pages) * 0.95)] * 1000, "worst_ms": pages[-1] * 1000, "searches": len(crowd.replies),
        "reply_s": statistics.median(crowd.replies), "longest_queue": max(crowd.places), "games": crowd.games,
        "errors": len(crowd.errors),
    }  # fmt: skip
    times = f"{row['median_ms']:.0f} ms (median), {row['p95_ms']:.0f} ms (95 %), {row['worst_ms']:.0f} ms (worst)"
    print(f"{people} people for {seconds:g} s: {row['pages']:,} pages, {times}")
    queue = f"a reply after {row['reply_s']:.1f} s (median), up to place {row['longest_queue']} in the queue"
    print(f"{row['searches']:,} searches in {crowd.games} games, {queue}; {row['errors']} errors")
    if crowd.megabytes:
        step = max(1, len(crowd.megabytes) // POINTS)
        print("memory, MB:", *(f"{size:.0f}" for size in crowd.megabytes[::step]), f"(bound {MOST_MEGABYTES})")
        row["megabytes"] = max(crowd.megabytes)
        if max(crowd.megabytes) > MOST_MEGABYTES:
            crowd.errors.append(f"the studio took {max(crowd.megabytes):.0f} MB, more than {MOST_MEGABYTES}")
    for problem in crowd.errors[:5]:
        print(problem)
    if crowd.errors:
        raise SystemExit(1)
    return row


async def warm(port: int, strength: str) -> None:
    """One search before the crowd comes, so that nobody waits for the compiler."""
    connection = Connection(port)
    _, content = await connection.ask("/api/records", {"game": "connect four", "players": [strength, "human"]})
    await connection.ask(f"/api/records/{json.loads(content)['address']}/reply", {"plies": 0})
    connection.close()


async def gather(crowd: Crowd, people: int) -> None:
    """All people at once."""
    await asyncio.gather(crowd.weigh(), *(crowd.person(number) for number in range(people)))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*[kind(text) for kind, text in zip((int, float, str, float), given, strict=False)])
