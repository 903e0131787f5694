"""The studio under load: 100 simulated people play connect four for a minute against the engine, each over a connection of its own.

    python benchmarks/load.py [people] [seconds] [strength] [pause]

A person opens the page and its files, starts a game, looks, moves, waits for the reply (0.2 seconds of search, after a place in
the queue), looks again, thinks for a moment, and begins anew when the game is over. Page time is what everything but a search
takes; the client runs on the same machine and takes its share of it. Fails when anything is answered with an error.

The memory of the server is read all the while, and the curve is shown: it must have a plateau. Nothing that a game leaves behind is
kept beyond the bounds of `outplay/web/limits.py` (positions, trees, tables of the searches that run), so MOST_MEGABYTES holds for
any hour; `load.py 6 1200 engine:time=0.02 0` makes some fifty thousand moves in twenty minutes. A plateau is when the last
third of the curve is at most RISE above the middle third. Told to end (SIGTERM), it ends with the report of what it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MOST_MEGABYTES = 450  # resident, of a studio in which people play connect four
POINTS = 12  # of the curve
RISE = 40.0  # megabytes from the middle third of the curve to the last: less is a plateau
LONG = 600  # seconds from which on there must be a plateau: before, caches fill
MINUTE = 60  # seconds between two lines that tell how it goes


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
        """Read the server's memory every second, where the system tells it, and say every minute how it goes."""
        seconds = 0
        while time.perf_counter() < self.until:
            if (size := resident(self.process)) is not None:
                self.megabytes.append(size)
            await asyncio.sleep(1)
            seconds += 1
            if seconds % MINUTE == 0 and size is not None:
                print(f"  minute {seconds // MINUTE}: {size:.0f} MB, {len(self.replies):,} searches, {self.games:,} games, "
                      f"{len(self.errors)} errors", flush=True)  # fmt: skip

    def end(self) -> None:
        """Everybody leaves after the move."""
        self.until = 0.0


def resident(process: int) -> float | None:
    """Megabytes of a process; None where the system does not tell."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/statm") as facts:
        return int(facts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return None


def at(values: list[float], part: float) -> float:
    """The value below which this part of the sorted ones lies."""
    return values[int(len(values) * part)]


def climb(megabytes: list[float]) -> float:
    """How much higher the last third of a curve lies than its middle third."""
    third = len(megabytes) // 3
    return statistics.mean(megabytes[-third:]) - statistics.mean(megabytes[third : 2 * third]) if third else 0.0


class Served:
    """A studio as a program, on a port of its own; what it says is kept in a file, so that it never waits for a reader."""

    def __init__(self, folder: str) -> None:
        self.words = Path(folder) / "said.txt"
        already = self.words.stat().st_size if self.words.exists() else 0
        with self.words.open("ab") as said:
            command = [sys.executable, "-m", "outplay", "serve", "--port", "0"]
            environment = {**os.environ, "OUTPLAY_DATA": folder}
            self.process = subprocess.Popen(command, env=environment, stderr=said, stdin=subprocess.DEVNULL)
        patient = time.monotonic() + 120
        while not (found := re.search(rb":(\d+)/", self.words.read_bytes()[already:])):
            assert self.process.poll() is None and time.monotonic() < patient, "the studio did not start"
            time.sleep(0.05)
        self.port = int(found[1])

    def trouble(self) -> list[str]:
        """Lines that no studio should say."""
        return [line for line in self.words.read_text(errors="replace").splitlines() if "Traceback" in line or "rror:" in line]

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(20)


def main(people: int = 100, seconds: float = 60.0, strength: str = "engine:time=0.2", pause: float = 1.0) -> dict[str, Any]:
    """Start a studio of its own, send the crowd in, and tell how it went; `pause` stretches the moments in which people think."""
    with tempfile.TemporaryDirectory() as folder:
        server = Served(folder)
        try:
            asyncio.run(warm(server.port, strength))
            begun = time.perf_counter()
            crowd = Crowd(server.port, begun + seconds, strength, pause, server.process.pid)
            asyncio.run(gather(crowd, people))
            seconds = round(time.perf_counter() - begun)
        finally:
            server.close()
        crowd.errors += server.trouble()
    pages = sorted(crowd.pages)
    replies = sorted(crowd.replies)
    row = {
        "people": people, "seconds": seconds, "pages": len(pages), "median_ms": statistics.median(pages) * 1000,
        "p95_ms": at(pages, 0.95) * 1000, "p99_ms": at(pages, 0.99) * 1000, "worst_ms": pages[-1] * 1000,
        "searches": len(replies), "reply_s": statistics.median(replies), "p99_reply_s": at(replies, 0.99),
        "longest_queue": max(crowd.places), "games": crowd.games, "errors": len(crowd.errors),
    }  # fmt: skip
    times = ", ".join(f"{row[f'{part}_ms']:.0f} ms ({words})" for part, words in
                      (("median", "median"), ("p95", "95 %"), ("p99", "99 %"), ("worst", "worst")))  # fmt: skip
    print(f"{people} people for {seconds:g} s: {row['pages']:,} pages, {times}")
    queue = f"a reply after {row['reply_s']:.1f} s (median), {row['p99_reply_s']:.1f} s (99 %)"
    queue += f", up to place {row['longest_queue']} in the queue"
    print(f"{row['searches']:,} searches in {crowd.games} games, {queue}; {row['errors']} errors")
    if crowd.megabytes:
        step = max(1, len(crowd.megabytes) // POINTS)
        print("memory, MB:", *(f"{size:.0f}" for size in crowd.megabytes[::step]), f"(bound {MOST_MEGABYTES})")
        row["megabytes"] = max(crowd.megabytes)
        if max(crowd.megabytes) > MOST_MEGABYTES:
            crowd.errors.append(f"the studio took {max(crowd.megabytes):.0f} MB, more than {MOST_MEGABYTES}")
        row["climb"] = climb(crowd.megabytes)
        print(f"from the middle third to the last: {row['climb']:+.0f} MB (a plateau is less than {RISE:g})")
        if seconds >= LONG and row["climb"] > RISE:
            crowd.errors.append(f"the studio's memory still rises: {row['climb']:.0f} MB")
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
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, crowd.end)
    await asyncio.gather(crowd.weigh(), *(crowd.person(number) for number in range(people)))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*[kind(text) for kind, text in zip((int, float, str, float), given, strict=False)])
