"""How much the network's moves cost, as bgsage judges them: `python benchmarks/backgammon_errors.py [--cube]`.

bgsage (PyPI, Mark Higgins) is a strong program that we did not write. The network plays games against itself; of every position
with a choice bgsage says what each move is worth, without a cube, and the difference between its best move and the network's is the
error. Printed are the mean error in thousandths of a point and how often both choose the same.
"""

import argparse
import json
import time

import numpy as np

from outplay.game import load
from outplay.players import player


def board_of(state, seat):
    """The checkers as bgsage counts them from one side: 1 to 24 its own less the other's, 25 its bar, 0 the other's bar."""
    board = [0] * 26
    for point in range(1, 25):
        board[point] += int(state.checkers[seat, point])
        board[25 - point] -= int(state.checkers[1 - seat, point])
    board[25], board[0] = int(state.checkers[seat, 25]), int(state.checkers[1 - seat, 25])
    return board


def kind_of(state, seat, ply):
    """What players would call a position, in a few words."""
    mine, other = (np.asarray(state["checkers"][side]).astype(int) for side in (seat, 1 - seat))
    rear, others_rear = (int(np.flatnonzero(side).max()) for side in (mine, other))
    if rear + others_rear <= 25:
        return "race" if rear > 6 else "bear-off"
    if ply < 6:
        return "opening"
    if mine[25] or other[25]:
        return "on the bar"
    if rear <= 6 or others_rear <= 6:
        return "bear-off against contact"
    back = [int((side[19:25] >= 2).sum()) for side in (mine, other)]
    if max(back) >= 2:
        return "back game"
    if back == [0, 0]:
        return "no anchor"
    return "anchor on both sides" if min(back) else "anchor on one side"


def cube_errors(asked, bgsage):
    """The same for the cube in the middle: offer or roll, take or drop; games go on by the network as if undoubled."""
    judge = bgsage.BgBotAnalyzer(eval_level=asked.level, cubeful=True, parallel_threads=1)
    game, source = load("backgammon:cube=yes"), np.random.default_rng(asked.seed)
    chooser = player(asked.player, seed=asked.seed)
    doubles, takes, offers, begun = [], [], 0, time.perf_counter()
    position = game.start()
    while len(doubles) < asked.positions:
        if position.is_terminal():
            position = game.start()
        if position.player() < 0:
            outcomes = position.chances()
            position = position.result(outcomes[source.choice(len(outcomes), p=[share for _, share in outcomes])][0])
            continue
        words = [position.action_text(action) for action in position.actions()]
        if "double" in words:
            state = np.frombuffer(position.state, game.rules.layout)[0]
            found = judge.cube_action(board_of(state, position.player()), jacoby=False, beaver=False)
            offered = min(found.equity_dt, found.equity_dp)
            doubled = position.action_text(chooser.choose(position)) == "double"
            doubles.append(max(found.equity_nd, offered) - (offered if doubled else found.equity_nd))
            offers += doubled
            if abs(found.equity_dt - found.equity_dp) < 0.6:  # else nobody doubts whether to take
                after = position.play("double")
                taken = after.action_text(chooser.choose(after)) == "take"
                takes.append((found.equity_dt if taken else found.equity_dp) - offered)
            position = position.play("roll")
        else:
            position = position.result(chooser.choose(position))
    doubles, takes = np.array(doubles) * 1000, np.array(takes) * 1000
    print(json.dumps({"player": asked.player, "judge": f"bgsage {asked.level}", "offers or rolls": len(doubles), "offered": offers,
                      "mean error (mpoints)": round(float(doubles.mean()), 2), "right": round(float((doubles < 1e-6).mean()), 3),
                      "takes or drops": len(takes), "their mean error": round(float(takes.mean()), 2),
                      "their right": round(float((takes < 1e-6).mean()), 3),
                      "seconds": round(time.perf_counter() - begun)}))  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--player", default="net:backgammon")
    parser.add_argument("--level", default="1ply", help="bgsage's: 1ply, 2ply, 3ply")
    parser.add_argument("--cube", action="store_true", help="doubles and takes instead of moves")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    import bgsage

    if asked.cube:
        cube_errors(asked, bgsage)
        return
    judge = bgsage.BgBotAnalyzer(eval_level=asked.level, cubeful=False, parallel_threads=1)
    game, source = load("backgammon"), np.random.default_rng(asked.seed)
    chooser = player(asked.player, seed=asked.seed)
    errors, kinds, unknown, begun = [], [], 0, time.perf_counter()
    position, ply = game.start(), 0
    while len(errors) < asked.positions:
        if position.is_terminal():
            position, ply = game.start(), 0
        if position.player() < 0:
            outcomes = position.chances()
            pick = source.choice(len(outcomes), p=[probability for _, probability in outcomes])
            position = position.result(outcomes[pick][0])
            continue
        action = chooser.choose(position)
        after = position.result(action)
        if len(position.actions()) > 1:
            state = np.frombuffer(position.state, game.rules.layout)[0]
            seat = position.player()
            judged = judge.checker_play(board_of(state, seat), int(state.high), int(state.low)).moves
            worth = {tuple(move.board): move.cubeless_equity for move in judged}
            made = tuple(board_of(np.frombuffer(after.state, game.rules.layout)[0], seat))
            if made in worth:
                errors.append(max(worth.values()) - worth[made])
                kinds.append(kind_of(state, seat, ply))
            else:
                unknown += 1
        position, ply = after, ply + 1
    errors = np.array(errors) * 1000
    print(json.dumps({"player": asked.player, "judge": f"bgsage {asked.level}", "positions": len(errors), "not found": unknown,
                      "mean error (mpoints)": round(float(errors.mean()), 2),
                      "95 %": round(1.96 * float(errors.std()) / len(errors) ** 0.5, 2),
                      "same choice": round(float((errors == 0).mean()), 3),
                      "seconds": round(time.perf_counter() - begun)}))  # fmt: skip
    for kind in sorted(set(kinds)):  # where it goes wrong
        some = errors[np.array(kinds) == kind]
        print(json.dumps({"kind": kind, "positions": len(some), "mean error (mpoints)": round(float(some.mean()), 2),
                          "share of all errors": round(float(some.sum() / max(errors.sum(), 1e-9)), 3)}))  # fmt: skip


if __name__ == "__main__":
    main()
