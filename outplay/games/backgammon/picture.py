"""Backgammon's board as a picture, and where a turn is clicked."""

import numpy as np

from outplay.games.backgammon.boards import BAR, MOST_TURNS, MOVE, OFF, SYMBOLS
from outplay.games.backgammon.notation import moves_of
from outplay.picture import Points


def touches_of(state, action):
    """Where a turn is clicked: from and to of one checker after another; words about the cube are no places."""
    if state.phase != MOVE:
        return ()
    turn = int(state.turn)

    def spot(point):
        if point in (OFF, BAR):
            return ("off" if point == OFF else "bar"), turn
        return 25 - point if turn else point  # counted from the first player's side

    return tuple(spot(point) for move in moves_of(state, action) for point in move)


def board_picture(state):
    """The board from the first player's side: stacks on the points, the bar, the trays, the dice and the cube."""

    def stack(point):
        for player, at in ((0, point), (1, 25 - point)):
            if held := int(state.checkers[player, at]):
                return player, held
        return None, 0

    listed = np.zeros(MOST_TURNS, np.int32)
    touches = {action: touches_of(state, action) for action in listed[: state.actions(listed)].tolist()}
    dice = (int(state.high), int(state.low)) if state.high else ()
    owner = int(state.owner) if hasattr(state, "owner") else -1
    words = f", dice {dice[0]} and {dice[1]}" if dice else ""
    cube = f", cube {1 << int(state.cube)}" if state.cube else ""
    return Points(
        points=tuple(stack(point) for point in range(1, 25)),
        bar=tuple(int(state.checkers[player, BAR]) for player in range(2)),
        off=tuple(int(state.checkers[player, OFF]) for player in range(2)),
        dice=dice * (2 if dice and dice[0] == dice[1] else 1),
        cube=(1 << int(state.cube)) if state.cube else 0,
        cube_owner=owner if owner in (0, 1) and state.cube else None,
        touches=touches,
        caption=f"{SYMBOLS[int(state.turn)]} to play{words}{cube}",
    )
