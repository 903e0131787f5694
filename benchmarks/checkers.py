"""Checkers, measured in one run: moves counted, random games beside OpenSpiel's, endgame tables.

    python benchmarks/checkers.py speed              # counting and random games, OpenSpiel's C++ in turns with ours
    python benchmarks/checkers.py tables 4           # all tables to so many men in a new folder: seconds, bytes, bits a position
    python benchmarks/checkers.py deck FOLDER 7 3000 312   # games from the deck, both colours, against rapid-draughts to depth 7
    python benchmarks/checkers.py table FILE         # adds up what `deck ... out=FILE` kept

For the deck, run `npm install rapid-draughts` in the folder before; ours looks at so many nodes (3000) a move. With `out=FILE` each
game is kept as a line of JSON and not played again; `part=3/12` plays every twelfth game, so that a dozen processes share a match.

OpenSpiel plays a multiple jump as several moves and ends a game after 40 moves without a capture, where ours is one move and 80
plies without a capture or a man's move; so games are compared, not moves.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.montecarlo import compare, pyspiel, spiel_rollouts
from outplay.engine import Engine
from outplay.engine.montecarlo.playouts import playouts
from outplay.engine.perft import perft
from outplay.engine.tables import retrograde
from outplay.experts.checkers import pdn
from outplay.game import load
from outplay.playing import Play
from outplay.values import Limits


def measure_speed():
    """Counting, and random games in turns with OpenSpiel's."""
    for name, depth in (("checkers", 10), ("checkers:variant=international", 8)):
        perft(load(name).start(), 2)  # compiles
        started = time.process_time()
        count, _ = perft(load(name).start(), depth)
        print(f"{name}: {count:,} at depth {depth}, {count / (time.process_time() - started) / 1e6:.0f} M/s", flush=True)
    position = load("checkers").start()
    theirs = spiel_rollouts("checkers") if pyspiel else None
    compare("random games", "games/s", lambda n: playouts(position, n), 20_000, theirs, 500, 20)
    played = playouts(position, 5000)
    print(f"{played.moves / played.games:.1f} moves a game")


def measure_tables(men=4):
    """All tables to so many men."""
    retrograde.build(load("checkers"), 2)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        wall, own = time.perf_counter(), time.process_time()
        tables = retrograde.build(load("checkers"), men, folder)
        wall, own = time.perf_counter() - wall, time.process_time() - own
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        positions = sum(tables.facts(each.name)["positions"] for each in tables.slices)
    print(f"{men} men: {positions:,} positions, {wall:.1f} s, {own:.1f} s of processor time, {size:,} bytes, "
          f"{8 * size / positions:.2f} bits a position with plies")


RAPID = """
import { EnglishDraughts as Draughts, EnglishDraughtsComputerFactory as Factory } from 'rapid-draughts/english';
import { createInterface } from 'readline';
const computer = Factory.alphaBeta({ maxDepth: Number(process.argv[2]) });
const named = (move) => [move.origin, move.destination, ...[...move.captures].sort((a, b) => a - b)].map((at) => at + 1).join(' ');
let game = Draughts.setup();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'new') game = Draughts.setup();
  else if (line === 'go') {
    const move = await computer(game);
    console.log(named(move));
  } else game.move(game.moves.find((move) => named(move) === line));
}
"""  # numbers there begin with 0


def measure_deck(folder, depth=7, nodes=3000, games=312, part="0/1", out=""):
    """Openings of the three-move deck, each with both colours, against rapid-draughts' alpha-beta at a fixed depth."""
    script = Path(folder) / "outplay-bridge.mjs"
    script.write_text(RAPID)
    program = subprocess.Popen(["node", script.name, str(depth)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)

    def tell(line):
        program.stdin.write(line + "\n")
        program.stdin.flush()

    def named(position, action):
        start, end, taken = position.game.record(position.state).words().parts(action, position.player())
        return " ".join(map(str, [start, end, *sorted(taken)]))

    ours, limits = Engine(load("checkers"), memory=32), Limits(nodes=nodes)
    points, counts = 0.0, [0, 0, 0]
    which, parts = map(int, part.split("/"))
    done = {each["game"] for each in kept(out)} if out and Path(out).exists() else set()
    for played, number in enumerate((each for each in range(which, games, parts) if each not in done), 1):
        opening, seat = pdn.deck()[number // 2 * 156 // max(1, games // 2) % 156], number % 2
        ours.clear()
        tell("new")
        play = Play("checkers", ["human", "human"])
        for move in opening:
            tell(named(play.position, play.position.parse_action(move)))
            play.push(move)
        while play.outcome is None and len(play.plies) < 300:
            position = play.position
            if position.player() == seat:
                action = ours.best(position, limits, earlier=play.positions).action
                tell(named(position, action))
            else:
                tell("go")
                wanted = program.stdout.readline().strip()
                action = next(each for each in position.actions() if named(position, each) == wanted)
                tell(wanted)
            play.push(action)
        won = play.outcome.utilities[seat] if play.outcome else 0.0
        counts[0 if won > 0 else 1 if won == 0 else 2] += 1
        points += (won + 1) / 2
        if out:
            with Path(out).open("a") as file:
                file.write(json.dumps({"game": number, "opening": " ".join(opening), "won": won, "plies": len(play.plies)}) + "\n")
        print(f"{points:g} of {played}: {counts[0]} won, {counts[1]} drawn, {counts[2]} lost", flush=True)
    program.kill()


def kept(file):
    """The games in a file."""
    return [json.loads(line) for line in Path(file).read_text().splitlines()]


def add_up(file):
    """The result of a match that was kept in a file."""
    results = [each["won"] for each in {each["game"]: each for each in kept(file)}.values()]
    won, lost = sum(each > 0 for each in results), sum(each < 0 for each in results)
    print(f"{len(results)} games: {won} won, {len(results) - won - lost} drawn, {lost} lost")


def main():
    """All of it, in short."""
    measure_speed()
    measure_tables(3)


if __name__ == "__main__":
    words = sys.argv[1:] or ["speed"]
    if words[0] == "speed":
        measure_speed()
    elif words[0] == "tables":
        measure_tables(int(words[1]) if len(words) > 1 else 4)
    elif words[0] == "deck" and len(words) > 1:
        measure_deck(words[1], *(int(word) for word in words[2:] if "=" not in word),
                     **{word.partition("=")[0]: word.partition("=")[2] for word in words[2:] if "=" in word})
    elif words[0] == "table" and len(words) == 2:
        add_up(words[1])
    else:
        sys.exit(__doc__)
