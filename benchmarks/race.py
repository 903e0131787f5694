"""How many games a race of variants takes, and tests of each challenger against the champion, among simulated players.

    python benchmarks/race.py [--trials 20] [--variants 8]

Strengths are drawn with a spread of 15 Elo, four games of ten are drawn. Both look for a difference of 10 Elo with a risk of 5 %. A
choice is right where no variant is better by more than these 10 Elo.
"""

from __future__ import annotations

import argparse
import json
import random


def main() -> None:
    """Print the games of both, and how often each chose well."""
    from outplay.workshop.race import simulate, simulate_tests

    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--trials", type=int, default=20)
    words.add_argument("--variants", type=int, default=8)
    words.add_argument("--json", action="store_true")
    asked = words.parse_args()
    games, right = {"race": 0, "tests": 0}, {"race": 0, "tests": 0}
    for trial in range(asked.trials):
        source = random.Random(trial)
        elos = [0.0, *(source.gauss(0, 15) for _ in range(asked.variants - 1))]
        for name, found in (("race", simulate(elos, seed=trial)), ("tests", simulate_tests(elos, seed=trial))):
            games[name] += found.games
            right[name] += max(elos) - elos[found.winner] <= 10
    facts = {"trials": asked.trials, "variants": asked.variants, "race_games": games["race"] // asked.trials,
             "test_games": games["tests"] // asked.trials, "saved_percent": round(100 * (1 - games["race"] / games["tests"]), 1),
             "race_right": right["race"] / asked.trials, "tests_right": right["tests"] / asked.trials}
    print(json.dumps(facts) if asked.json else "\n".join(f"{name:<16} {value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
