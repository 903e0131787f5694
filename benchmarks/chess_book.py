"""The opening book of chess that comes with the package: games of the engine against itself from every opening that has a name.

The names and their moves are those of the studio (outplay/web/openings.py). A game begins at the usual start, follows one of them
and goes on with searches of a few thousand nodes, other ones for each side and game; the book counts them as `outplay book build`
counts any games.

    python benchmarks/chess_book.py --each 6 --out outplay/books/chess.txt
"""

import argparse
import random
import time
from dataclasses import replace
from pathlib import Path

from outplay.books import openings
from outplay.experts.chess.studio import NAMES
from outplay.game import load
from outplay.players import Searcher
from outplay.playing import Play
from outplay.values import Limits

PLIES, LEAST_NODES, MOST_NODES = 14, 2500, 9000


def main() -> None:
    """Play, and write the book after each round, so that it can be stopped at any time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=6, help="games from each opening")
    parser.add_argument("--out", type=Path, default=Path("chess-book.txt"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=60.0)
    asked = parser.parse_args()
    game, source, begun = load("chess", compiled=True), random.Random(asked.seed), time.monotonic()
    lines = [words.split() for words in NAMES]
    records = []
    for number in range(asked.each):
        for line in lines:
            start = game.start()
            actions, position = [], start
            for word in line:
                action = position.parse_action(word)
                actions.append(position.action_text(action))
                position = position.result(action)
            players = [Searcher("engine", Limits(nodes=source.randrange(LEAST_NODES, MOST_NODES), depth=40), memory=16)
                       for _ in range(2)]  # fmt: skip
            played = Play(game, players, start=position, seed=source.getrandbits(32), most_plies=300).finished()
            if played.outcome is None:
                continue
            records.append(replace(played, start=start.text(), actions=(*actions, *played.actions)))
            if time.monotonic() - begun > 60 * asked.minutes:
                break
        made = openings.build("chess", records, plies=PLIES)
        made.save(asked.out)
        print(f"round {number + 1}: {len(records)} games, {len(made)} entries, {time.monotonic() - begun:.0f} s", flush=True)
        if time.monotonic() - begun > 60 * asked.minutes:
            return


if __name__ == "__main__":
    main()
