"""The match that the arena opens with: a round robin at connect four, played once and kept with the studio.

    python benchmarks/arena_example.py        # writes outplay/web/static/arena.json
"""

import json
import threading
from pathlib import Path

from outplay.game import load
from outplay.web import arenas

PLAYERS = ["engine:level=club", "mcts:simulations=200", "engine:level=beginner", "random"]


def main() -> None:
    """Play all games, then write them."""
    arena = {"game": "connect four", "players": PLAYERS, "pairs": 2, "most_plies": 400, "results": []}
    game = load(arena["game"], compiled=True)
    for number, each in enumerate(arenas.games_of(arena), start=1):
        result = arenas.play_one(game, arena, each.seats, each.opening, lambda told: None, threading.Event())
        arena["results"].append(result)
        print(number, result["names"], result["points"], result["plies"], flush=True)
    target = Path(arenas.__file__).parent / "static" / "arena.json"
    target.write_text(json.dumps(arena, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
