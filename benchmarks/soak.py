"""An hour of play and faults against the studio on loopback, with a report: `make soak`, or `python benchmarks/soak.py 60`.

    python benchmarks/soak.py [seconds] [people] [seed]

People play connect four against the engine, each over a connection of its own. Meanwhile something goes wrong every few seconds:
the server is killed and started anew, another program locks the file of saved games, hundreds of connections say nothing or half a
request, readers leave in the middle of a search, garbage comes. It fails when an acknowledged move is lost, when anything is
answered with 500, when nobody is served for long after a fault (on a busy machine, what the studio and its people wait for a
processor that others have is counted apart), when the server says that something went wrong in it, or when its memory has no
bound. Told to end (SIGTERM), it ends with the report of what it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import fuzz
from host import waited
from load import MINUTE, MOST_MEGABYTES, Connection, Served, resident, warm

PLAYERS = ["human", "engine:time=0.05"]
MOST_SILENCE = 10.0  # seconds until somebody is served again after a fault
MOST_WAIT = 120.0  # seconds for one answer, a place in the queue included
LOST = (OSError, asyncio.IncompleteReadError, ValueError, IndexError)  # what a client meets when its server dies


class Soak:
    """The studio, the people at it, and what they met."""

    def __init__(self, folder: str, seconds: float, seed: int) -> None:
        self.folder, self.source = folder, random.Random(seed)
        self.acknowledged: dict[str, int] = {}  # plies of each game, as the server last confirmed them
        self.faults: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.megabytes: list[float] = []
        self.longest, self.longest_own = 0.0, 0.0
        self.start()
        asyncio.run(warm(self.port, PLAYERS[1]))  # nobody waits for the compiler
        self.set_watch()
        self.until = self.served + seconds

    @property
    def running(self) -> bool:
        """Whether there is time left and nothing has gone wrong beyond repair."""
        return time.perf_counter() < self.until and len(self.wrong) < 10

    def start(self) -> None:
        """Start the studio on a port of its own, on the same saved games."""
        self.server = Served(self.folder)
        self.port = self.server.port

    def set_watch(self) -> None:
        """From now on somebody should be served."""
        self.served, self.starved = time.perf_counter(), (waited(self.server.process.pid), waited(os.getpid()))

    def stop_watch(self) -> None:
        """Somebody is served: after how long, and how much of it was the studio's own doing."""
        before, starved = self.served, self.starved
        self.set_watch()
        silence, others = self.served - before, max(now - then for now, then in zip(self.starved, starved, strict=True))
        self.longest, self.longest_own = max(self.longest, silence), max(self.longest_own, silence - max(0.0, others))

    async def ask(self, connection: Connection, path: str, body: Any = None) -> Any:
        """One answer, in JSON's terms; None where it was refused, which is told apart from what must not be."""
        try:
            status, content = await asyncio.wait_for(connection.ask(path, body), MOST_WAIT)
        except TimeoutError:
            self.wrong.append(f"{path}: no answer in {MOST_WAIT:g} s")
            raise OSError("no answer") from None
        self.stop_watch()
        self.met[str(status)] += 1
        if status >= 500 and status != 503:
            self.wrong.append(f"{path}: {status} {content[:200]!r}")
        return json.loads(content.splitlines()[-1]) if status == 200 else None

    async def person(self, number: int) -> None:
        """One person, who goes on in the same game after whatever happens."""
        source = random.Random(number)
        address = None
        while self.running:
            connection = Connection(self.port)
            try:
                while self.running:
                    address = await self.turn(connection, address, source)
                    await asyncio.sleep(source.uniform(0.05, 0.3))
            except LOST:
                self.met["lost connections"] += 1
                await asyncio.sleep(0.3)
            finally:
                connection.close()

    async def turn(self, connection: Connection, address: str | None, source: random.Random) -> str | None:
        """A move and the reply to it, or a new game; the game's address while it lasts."""
        if address is None:
            record = await self.ask(connection, "/api/records", {"game": "connect four", "players": PLAYERS})
            if record is None:
                return None
            self.acknowledged[record["address"]] = record["plies"]
            return str(record["address"])
        path = f"/api/records/{address}"
        record = await self.ask(connection, path)
        if record is None or record["plies"] < self.acknowledged[address]:
            self.wrong.append(f"{address}: {record and record['plies']} plies, {self.acknowledged[address]} were confirmed")
            return None
        if record["terminal"]:
            self.met["games"] += 1
            return None
        if record["person"]:
            body = {"action": source.choice(record["legal"])["text"], "plies": record["plies"]}
            record = await self.ask(connection, path + "/moves", body)
        elif source.random() < 0.05:  # leaves in the middle of a search
            connection.port, lost = self.port, asyncio.create_task(connection.ask(path + "/reply", {"plies": record["plies"]}))
            await asyncio.sleep(0.02)
            lost.cancel()
            connection.close()
            raise OSError("left")
        else:
            record = (await self.ask(connection, path + "/reply", {"plies": record["plies"]}) or {}).get("record")
        if record:
            self.acknowledged[address] = record["plies"]
            self.met["moves"] += 1
        return address

    # ------------------------------------------------------------ faults

    async def kill(self) -> None:
        """The server dies without a warning."""
        self.server.process.kill()
        self.server.process.wait()
        await asyncio.to_thread(self.start)
        self.set_watch()  # a start takes what it takes

    async def lock(self) -> None:
        """Another program holds the file of saved games for a while."""
        base = sqlite3.connect(Path(self.folder) / "studio.sqlite", isolation_level=None)
        with contextlib.closing(base) as other, contextlib.suppress(sqlite3.OperationalError):
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(self.source.uniform(0.5, 3.0))
            other.execute("ROLLBACK")

    async def silence(self) -> None:
        """Hundreds connect and say nothing, or half a request."""
        opened = []
        with contextlib.suppress(OSError):
            for number in range(400):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                opened.append(writer)
                if number % 2:
                    writer.write(b"POST /api/think HTTP/1.1\r\nHost: loc")
        await asyncio.sleep(self.source.uniform(0.5, 3.0))
        for writer in opened:
            writer.close()

    async def garbage(self) -> None:
        """Bytes that are no HTTP, and requests that are no requests."""
        for _ in range(30):
            with contextlib.suppress(*LOST):
                connection = Connection(self.port)
                path, bodies = self.source.choice([item for item in fuzz.BODIES.items() if item[1] and "{" not in item[0]])
                body = {**self.source.choice(bodies), "seconds": 0.1} if "think" in path else self.source.choice(bodies)
                status, content = await asyncio.wait_for(connection.ask(path, fuzz.shaken(body, self.source)), 15)
                if status >= 500 and status != 503:
                    self.wrong.append(f"{path} {body}: {status} {content[:200]!r}")
                connection.close()
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(self.source.randbytes(self.source.randint(1, 500)))
                writer.close()

    async def trouble(self, pause: float) -> None:
        """One fault after the other, and a look at the memory."""
        faults: list[Callable[[], Awaitable[None]]] = [self.lock, self.silence, self.garbage, self.kill]
        while self.running:
            for _ in range(max(1, int(pause))):
                await asyncio.sleep(1)
                if (size := resident(self.server.process.pid)) is not None:
                    self.megabytes.append(size)
            fault = faults[sum(self.faults.values()) % len(faults)]
            self.faults[fault.__name__] += 1
            await fault()

    async def tell(self) -> None:
        """Say every minute how it goes."""
        begun = time.perf_counter()
        while self.running:
            for _ in range(MINUTE):
                await asyncio.sleep(1 if self.running else 0)
            minutes = (time.perf_counter() - begun) / 60
            print(f"  minute {minutes:.1f}: {self.met['moves']:,} moves, {len(self.acknowledged):,} games, "
                  f"{sum(self.faults.values())} faults, {self.megabytes[-1] if self.megabytes else 0:.0f} MB, "
                  f"longest wait {self.longest:.1f} s, {len(self.wrong)} wrong", flush=True)  # fmt: skip

    def end(self) -> None:
        """Everybody leaves after the move."""
        self.until = 0.0

    async def whole(self, people: int, pause: float) -> None:
        """Everything at once."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.end)
        await asyncio.gather(self.trouble(pause), self.tell(), *(self.person(number) for number in range(people)))


def main(seconds: float = 60.0, people: int = 12, seed: int = 1) -> dict[str, Any]:
    """Play, break, and tell how it went."""
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(folder, seconds, seed)
        try:
            asyncio.run(soak.whole(people, max(3.0, seconds / 200)))
        finally:
            soak.server.close()
        soak.wrong += [f"the studio said: {line}" for line in soak.server.trouble()]
        with contextlib.closing(sqlite3.connect(Path(folder) / "studio.sqlite")) as base:
            kept = dict(base.execute("SELECT address, plies FROM records").fetchall())
    soak.wrong += [f"{address}: {kept.get(address)} plies are kept, {plies} were confirmed"
                   for address, plies in soak.acknowledged.items() if kept.get(address, -1) < plies]  # fmt: skip
    most = max(soak.megabytes, default=0.0)
    if most > MOST_MEGABYTES:
        soak.wrong.append(f"the studio took {most:.0f} MB, more than {MOST_MEGABYTES}")
    if soak.longest_own > MOST_SILENCE:
        soak.wrong.append(f"nobody was served for {soak.longest_own:.1f} s, not counting what others took of the processors")
    kept_all = f"{soak.met['moves']:,} moves in {len(soak.acknowledged):,} games, all kept"
    print(f"{seconds:g} s, {people} people:", f"{len(soak.wrong)} things went wrong" if soak.wrong else kept_all)
    print("faults:", ", ".join(f"{count} x {name}" for name, count in soak.faults.items()))
    print("met:", ", ".join(f"{count:,} x {name}" for name, count in sorted(soak.met.items())))
    own = f"{soak.longest_own:.1f} s without waits for a processor"
    print(f"longest wait for anybody: {soak.longest:.1f} s, {own}; memory up to {most:.0f} MB (bound {MOST_MEGABYTES})")
    for wrong in soak.wrong[:20]:
        print(" ", wrong)
    if soak.wrong:
        raise SystemExit(1)
    return {"moves": soak.met["moves"], "games": len(soak.acknowledged), "faults": dict(soak.faults), "megabytes": most}


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*[kind(text) for kind, text in zip((float, int, int), given, strict=False)])  # type: ignore[arg-type]  # types are callable
