"""How a network comes to ship with Outplay: its file says how it was made, and a match that it must not lose holds it to that.

    python -m outplay.learning.shipping RUN NAME --limits simulations=8 --against engine:mcts,simulations=200 --games 4 --points 4

copies the network of a run into the room of networks and writes the match into `floors.json`; a test plays each of these matches
again. The same seed gives the same games, so that they may be few and fast.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from outplay.arena.match import MOST_PLIES, play_game, points_of, random_opening, usual_plies
from outplay.arena.match import check as ready
from outplay.errors import BadValue, OutplayError, UnknownName
from outplay.files import write_whole
from outplay.game import load
from outplay.players import player
from outplay.players.networks import shipped

ROOM = Path(__file__).parents[1] / "networks"
FLOORS = ROOM / "floors.json"
"""By name: the game, what stands behind the network's name, the opponent, how many games, and the points it must win."""


def floors() -> dict[str, dict[str, Any]]:
    """The floor of each network that ships."""
    found: dict[str, dict[str, Any]] = json.loads(FLOORS.read_text())
    return found


def header(file: Path) -> dict[str, Any]:
    """What a network's file says of itself; its second line, whatever the format."""
    with file.open("rb") as content:
        content.readline()
        found: dict[str, Any] = json.loads(content.readline())
    return found


def points(network: str, floor: dict[str, Any]) -> float:
    """What a network wins in a floor's match: 1 a game, a half for a draw."""
    limits = f",{floor['limits']}" if floor["limits"] else ""
    seats: list[Any] = [player(f"net:{network}{limits}", seed=1), player(floor["against"], seed=2)]
    game, total = load(floor["game"]), 0.0
    ready(game, seats)
    plies = usual_plies(game.start())
    for number in range(floor["games"]):  # the same games for as long as the floor stands
        turn = number % 2
        opening = random_opening(game.start(), plies, 1 + number // 2)
        record = play_game(seats[::-1] if turn else seats, opening, seed=1 + number, most_plies=MOST_PLIES)
        total += points_of(record, turn)
    return total


def ship(run: Path, name: str, floor: dict[str, Any]) -> Path:
    """Copy the network of a run to where those that ship lie, once it holds its floor; the new file."""
    files = [file for file in sorted(run.glob("*.*")) if file.suffix in {each.suffix for each in shipped().values()}]
    if len(files) != 1:
        raise BadValue(f"{run} is no run with a network: expected one file such as network.outplay, got {len(files)}")
    made = header(files[0])
    if not {"recipe", "seconds"} <= made["trained"].keys():
        raise BadValue(f"{files[0]} does not say how it was made: learn it by `outplay learn`")
    floor = {"game": made["game"], **floor}
    found = points(str(files[0]), floor)
    if found < floor["points"]:
        raise BadValue(f"{files[0]} wins {found:g} points of {floor['games']} games, and its floor is {floor['points']:g}")
    there = ROOM / "shipped" / (name + files[0].suffix)
    write_whole(there, files[0].read_bytes())
    write_whole(FLOORS, (json.dumps({**floors(), name: floor}, indent=1, sort_keys=True) + "\n").encode())
    return there


def check(name: str) -> float:
    """The points of a shipped network in its floor's match."""
    if name not in floors():
        raise UnknownName("network with a floor", name, floors())
    return points(name, floors()[name])


def main() -> int:
    """Ship a network."""
    parser = argparse.ArgumentParser(prog="python -m outplay.learning.shipping", description=__doc__.partition("\n")[0])
    parser.add_argument("run", type=Path, help="the folder of the run")
    parser.add_argument("name", help="what it is called from now on: net:NAME")
    parser.add_argument("--against", required=True, help="the opponent of its floor")
    parser.add_argument("--limits", default="", help="what stands behind its name in that match, such as simulations=8")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--points", type=float, required=True, help="that it must win at least")
    given = parser.parse_args()
    try:
        floor = {"limits": given.limits, "against": given.against, "games": given.games, "points": given.points}
        print(ship(given.run, given.name, floor))
    except OutplayError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
