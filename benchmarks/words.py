"""Reasons held to the truth: `python benchmarks/words.py CLAIMS [GAME ...] [from=SEED] [seconds=S]` draws so many claims over many
games and proves each anew.

The claims come from games of mixed strength, found with few nodes. Each is proved again from its predicate alone, with a table of
its own and ten times the nodes that proved it first; what is solved is solved again. Printed: claims by game and kind, those that
turned out false, and how many of the mistakes and blunders got a reason: any, and one that is more than a number. Those without are
listed. Several runs with seeds far apart count together.
"""

from __future__ import annotations

import collections
import random
import sys
import time

from outplay.errors import OutplayError
from outplay.game import load
from outplay.judge.claims import DEEPER, Claim, prove, why
from outplay.judge.review import Move, steps
from outplay.judge.worth import Judge
from outplay.players.levels import level
from outplay.playing import drawn

GAMES = {
    "tic-tac-toe": 2000, "connect four": 4000, "connect four:width=5,height=4": 4000, "isolation:width=4,height=4": 4000,
    "isolation:width=5,height=5": 4000, "othello": 6000, "othello:size=6": 6000, "chess": 8000, "checkers": 6000, "nim": 2000,
    "kuhn poker": 1000, "leduc poker": 1000, "backgammon": 1000, "pac-man": 2000, "go:size=5": 6000,
}  # fmt: skip
"""Each game with the nodes of its first look."""

WEAK = (600, 900, 1200, 1500)
MOST_PLIES = 120

NUMBERS = ("units", "weighed", "average")
"""Kinds that say how much an action costs, and not why."""


def mixed(name: str, seed: int) -> list[str]:
    """The moves of a game between players of mixed strength."""
    game, source = load(name), random.Random(seed)
    position, past, texts = game.start(), [], []
    players = [level(source.choice(WEAK)) for _ in range(game.players)]
    judge = Judge(game, 1500)
    while not position.is_terminal() and len(texts) < MOST_PLIES and not drawn(position, past[::-1]):
        if position.is_chance():
            action = position.sample_chance(source.randrange(1 << 30))
        elif len(position.actions()) == 1 or game.traits.information == "hidden" or len(texts) < 2:
            action = source.choice(position.actions())
        else:
            player = players[position.player()]
            *_, found = judge.results(position, past, lines=4, nodes=min(player.nodes or 1500, 1500))
            action = player.choose(position, found, source)
        texts.append(position.action_text(action))
        past.append(position)
        position = position.result(action)
    return texts


def main(wanted: int, only: list[str], seed: int = 0, seconds: float = float("inf")) -> int:
    drawn_kinds: dict[tuple[str, str], int] = collections.Counter()
    false: list[str] = []
    # of each game: faults, those with any claim, those with more than a number, claims proved again, seconds
    by_game: dict[str, list[float]] = {name: [0, 0, 0, 0, 0.0] for name in only or GAMES}
    faults = told = count = 0
    begun = time.perf_counter()
    games = only or list(GAMES)
    while count < wanted and time.perf_counter() - begun < seconds:
        name = games[seed % len(games)]
        nodes = GAMES[name]
        game = load(name)
        texts = mixed(name, seed)
        source, row, since = random.Random(seed), by_game[name], time.process_time()
        seed += 1
        judge = Judge(game, nodes)
        positions = [game.start()]
        for text in texts:
            positions.append(positions[-1].play([text]))
        moves = [one for one in steps(game.start(), texts, judge, words=True) if isinstance(one, Move)]
        per_game = max(4, wanted // (4 * len(games)))
        found: list[tuple[int, Claim]] = []
        for move in moves:
            if move.verdict in ("mistake", "blunder"):
                says = any(each["kind"] not in NUMBERS for each in move.claims)
                faults, told = faults + 1, told + says
                row[:3] = row[0] + 1, row[1] + bool(move.claims), row[2] + says
                if not says:
                    here = f"{name} {positions[move.ply].text()} {move.action} for {move.best}"
                    print(f"BARE {here}: {move.words or move.given}", flush=True)
            found += [(move.ply, Claim(each["kind"], each["text"], tuple(each["line"]), each["proved_by"], each["predicate"]))
                      for each in move.claims]
        for ply in source.sample(range(len(texts)), min(4, len(texts))):  # and of what was well played
            here = positions[ply]
            if here.is_chance() or here.is_terminal():
                continue
            try:
                found += [(ply, claim) for claim in why(here, judge=judge, earlier=positions[:ply])]
            except OutplayError:
                continue
        for ply, claim in source.sample(found, min(per_game, len(found))):
            count, row[3] = count + 1, row[3] + 1
            drawn_kinds[name, claim.kind] += 1
            if not prove(positions[ply], claim, 10 * DEEPER * nodes, positions[:ply], fit=judge.fit):
                false.append(f"{name} {positions[ply].text()} {claim.kind}: {claim.text} {claim.predicate}")
                print("FALSE", false[-1], flush=True)
            if count >= wanted:
                break
        row[4] += time.process_time() - since
        taken = time.perf_counter() - begun
        print(f"{name}: {count} claims, {len(false)} false; {told} of {faults} faults have a reason; {taken:.0f} s",
              file=sys.stderr, flush=True)
    for (name, kind), number in sorted(drawn_kinds.items()):
        print(f"{name:32} {kind:12} {number}")
    for name, (some, any_claim, reason, claims, spent) in by_game.items():
        told_of = f"{some:.0f} faults, {any_claim:.0f} with a claim, {reason:.0f} with a reason"
        print(f"{name:32} {told_of}; {claims:.0f} claims in {spent:.0f} s")
    print(f"{count} claims, {len(false)} false; {told} of {faults} mistakes and blunders got a reason")
    return bool(false)


if __name__ == "__main__":
    named = dict(word.split("=", 1) for word in sys.argv[1:] if word.startswith(("from=", "seconds=")))
    wanted, *only = [word for word in sys.argv[1:] if not word.startswith(("from=", "seconds="))] or ["200"]
    sys.exit(main(int(wanted), only, int(named.get("from", 0)), float(named.get("seconds", "inf"))))
