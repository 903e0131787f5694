"""Every game of OpenSpiel as an Outplay game: `python benchmarks/spiel.py [NAME...]`.

Each is loaded as `spiel:NAME`, a random game is played to its end (or PLIES plies) and read back from its text, and Monte Carlo
tree search chooses a move at the first decision. A process of its own for each, so that one that hangs or ends the process is
told like any other. The page on adapters lists what comes out.
"""

import json
import subprocess
import sys
import time

PLIES, SIMULATIONS, SECONDS = 300, 20, 90
WRAPPED = {  # games that are made of another game
    "add_noise": "add_noise(epsilon=1.0,game=kuhn_poker(),seed=1)",
    "cached_tree": "cached_tree(game=tic_tac_toe())",
    "coop_to_1p": "coop_to_1p(game=tiny_hanabi())",
    "misere": "misere(game=tic_tac_toe())",
    "normal_form_extensive_game": "normal_form_extensive_game(game=kuhn_poker())",
    "repeated_game": "repeated_game(num_repetitions=3,stage_game=matrix_pd())",
    "restricted_nash_response": "restricted_nash_response(game=kuhn_poker())",
    "start_at": "start_at(history=0;1,game=tic_tac_toe())",
    "turn_based_simultaneous_game": "turn_based_simultaneous_game(game=matrix_pd())",
    "zerosum": "zerosum(game=matrix_pd())",
}


def one(name):
    """What comes of one game, in this process."""
    import random

    import outplay
    from outplay.values import Limits

    found = {"name": name}
    game = outplay.load(f"spiel:{WRAPPED.get(name, name)}")
    source = random.Random(1)
    position, first, plies = game.start(), None, 0
    while not position.is_terminal() and plies < PLIES:
        if position.is_chance():
            actions, weights = zip(*position.chances(), strict=True)
            action = source.choices(actions, weights)[0]
        else:
            first = first or position
            action = source.choice(list(position.actions()))
        position, plies = position.result(action), plies + 1
    found["plies"], found["ended"] = plies, position.is_terminal()
    assert game.position(position.text()) == position, "the text does not lead back"
    if position.is_terminal():
        assert len(position.utilities()) == game.players
    if first is not None:
        try:
            result = outplay.best(first, "mcts", limits=Limits(simulations=SIMULATIONS, seconds=20.0))
            found["search"] = result.facts.get("simulations", SIMULATIONS)
            assert result.action in list(first.actions()), "the move is not legal"
        except outplay.errors.OutplayError as problem:
            found["search refused"] = str(problem)
    return found


def main():
    if sys.argv[1:2] == ["--one"]:
        print("\n" + json.dumps(one(sys.argv[2])))
        return
    import pyspiel

    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    names = sys.argv[1:] or sorted(kinds)
    rows = []
    for name in names:
        begun = time.perf_counter()
        try:
            done = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True, timeout=SECONDS)
            last = (done.stdout.strip().splitlines() or [""])[-1]
            wrong = (done.stderr.strip().splitlines() or [f"the process ended with {done.returncode}"])[-1]
            row = json.loads(last) if done.returncode == 0 else {"name": name, "refused": wrong[:200]}
        except subprocess.TimeoutExpired:
            row = {"name": name, "refused": f"took longer than {SECONDS} s"}
        row["seconds"] = round(time.perf_counter() - begun, 1)
        rows.append(row)
        print(json.dumps(row), flush=True)
    loaded = [row for row in rows if "refused" not in row]
    searched = [row for row in loaded if "search" in row]
    print(json.dumps({"games": len(rows), "played": len(loaded), "searched": len(searched)}))


if __name__ == "__main__":
    main()
