"""GNU Backgammon's position ID and match ID, and turns as players write them."""

import base64
import itertools
import re
from collections import Counter

import numpy as np

from outplay.errors import BadValue
from outplay.games.backgammon.boards import (
    ANSWER,
    BAR,
    CHECKERS,
    MOST_TURNS,
    MOVE,
    NO_GAME,
    OFF,
    OFFER,
    OPENING,
    OVER,
    OVER_BY_DROP,
    OVER_BY_MOVES,
    PLAYING,
    REVERSED,
    ROLL,
)


def valid_score(text):
    """The points of both players, such as 2-0."""
    if not re.fullmatch(r"\d{1,2}-\d{1,2}", text):
        raise BadValue(f"backgammon: score must be the points of both players, such as 2-0, got {text!r}")
    return text


def to_base64(bits, characters):
    """A list of bits, the lowest bit of each byte first, in base 64."""
    data = bytearray(-(-len(bits) // 8))
    for index, bit in enumerate(bits):
        data[index // 8] |= bit << index % 8
    return base64.b64encode(bytes(data)).decode().rstrip("=")[:characters]


def from_base64(text, characters):
    """The bits of a text in base 64."""
    if len(text) != characters or not re.fullmatch(r"[A-Za-z0-9+/]*", text):
        raise ValueError(f"expected {characters} characters of base 64, got {text!r}")
    data = base64.b64decode(text + "=" * (-len(text) % 4))
    return [byte >> k & 1 for byte in data for k in range(8)]


def position_id(state):
    """GNU Backgammon's position ID: for each player, the one to roll last, a one for each checker and a nought after each point."""
    bits = []
    on_roll = int(state.turn)
    for player in (1 - on_roll, on_roll):
        for point in range(1, 26):
            bits += [1] * int(state.checkers[player, point]) + [0]
    return to_base64((bits + [0] * 80)[:80], 14)


def match_id(state, match, have, crawford):
    """GNU Backgammon's match ID: cube, owner, dice, score and what is going on."""
    phase, turn = int(state.phase), int(state.turn)
    on_roll = 1 - turn if phase == ANSWER else turn
    going = NO_GAME if phase == OPENING else PLAYING if phase != OVER else OVER_BY_MOVES
    if phase == OVER and max(int(state.checkers[player, OFF]) for player in range(2)) < CHECKERS:
        going = OVER_BY_DROP
    fields = [
        (int(state.cube), 4), (int(state.owner) if state.owner >= 0 else 3, 2), (on_roll, 1), (int(crawford), 1),
        (going, 3), (turn, 1), (int(phase == ANSWER), 1), (0, 2),
        (int(state.high), 3), (int(state.low), 3), (match, 15), (have[0], 15), (have[1], 15),
        (1, 1),  # without Jacoby's rule: gammons always count
    ]  # fmt: skip
    return to_base64([value >> k & 1 for value, width in fields for k in range(width)], 12)


def read_position(state, text, match, have, crawford):
    """Fill a state from a position ID, alone or with a match ID behind a colon."""
    board, _, rest = text.strip().partition(":")
    rest, _, rolls = rest.partition(":")
    if rolls not in ("", "rolls"):
        raise ValueError(f"expected ':rolls' or nothing behind the match ID, got {rolls!r}")
    turn, phase, high, low = 0, ROLL, 0, 0
    state.owner = -1
    if rest:
        bits = from_base64(rest, 12)
        values = []
        for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15):
            values.append(sum(bit << k for k, bit in enumerate(bits[:width])))
            bits = bits[width:]
        cube, owner, _, is_crawford, going, turn, offered, _, high, low, length, first, second = values
        if (length, (first, second), bool(is_crawford)) != (match, have, crawford):
            said = f"match={length}, score={first}-{second}, crawford={bool(is_crawford)}"
            raise ValueError(f"the match ID says {said}: load that game")
        state.cube, state.owner = cube, -1 if owner == 3 else owner
        high, low = max(high, low), min(high, low)
        phase = OPENING if going == NO_GAME else ANSWER if offered else MOVE if high else ROLL
        phase = OVER if going in (OVER_BY_MOVES, OVER_BY_DROP) else phase
    bits = from_base64(board, 14)
    at = 0
    for player in (1 - turn, turn):
        for point in range(1, 26):
            while at < 80 and bits[at]:
                state.checkers[player, point] += 1
                at += 1
            at += 1
    for player in range(2):
        state.checkers[player, OFF] = CHECKERS - int(state.checkers[player].sum())
    state.turn, state.high, state.low = turn, high, low
    winner = next((player for player in range(2) if state.checkers[player, OFF] == CHECKERS), None)
    state.phase = phase
    if winner is not None:
        state.finish(winner, state.lost_by(1 - winner) << int(state.cube))
    elif phase == OVER:  # the player to answer dropped the cube
        state.finish(1 - turn, 1 << int(state.cube))
    elif phase == ROLL and not rolls and state.may_double():
        state.phase = OFFER


def moves_of(state, action):
    """The moves of a turn, one checker after another: pairs of the points that it leaves and reaches."""
    high, low = int(state.high), int(state.low)
    dice = [low, high] if action & REVERSED else [high, low]
    sources = [action >> 5 * k & 31 for k in range(4) if action >> 5 * k & 31]
    return [(source, max(source - dice[k % 2], OFF)) for k, source in enumerate(sources)]


def turn_text(state, action):
    """A turn as players write it: 13/11, bar/22*, 6/off, with + between the checkers."""
    board = state.copy()
    words = []
    for source, target in moves_of(state, action):
        hit = target > 0 and board.checkers[1 - int(state.turn), 25 - target] == 1
        board.step(source, source - target)
        words.append(f"{'bar' if source == BAR else source}/{'off' if target == 0 else target}{'*' if hit else ''}")
    return "+".join(words)


def parse_turn(state, text):
    """The action that a turn in another spelling means: 24/21 for 24/22/21, (2) for twice, any order, with or without stars.

    One checker moved by both dice may hit on one way and not on the other: then the stars, or the stops, say which.
    """
    wanted = final_board(state, text)
    out = np.zeros(MOST_TURNS, np.int32)
    found = []
    for action in out[: state.actions(out)].tolist():
        board = state.checkers[int(state.turn)].astype(int).tolist()
        for source, target in moves_of(state, action):
            board[source] -= 1
            board[target] += 1
        if board == wanted:
            found.append(action)
    if not found:
        raise ValueError(text)
    legs = legs_of(text)

    def likeness(action):
        said = Counter(turn_text(state, action).split("+"))
        return (said & legs).total(), sum(leg.count("*") for leg in said) == text.count("*")

    return max(found, key=likeness)


def legs_of(text):
    """Each move of one checker from stop to stop, with its star: 13/8*/3(2) is twice 13/8* and twice 8/3."""
    legs = Counter()
    for word in re.split(r"[+\s;]+", text.strip().lower()):
        path, _, times = word.partition("(")
        stops = [{"25": "bar", "0": "off"}.get(stop, stop) for stop in path.split("/")]
        for first, last in itertools.pairwise(stops):
            legs[f"{first.rstrip('*')}/{last}"] += int(times.rstrip(")*") or 1)
    return legs


def final_board(state, text):
    """Where the mover's checkers stand after a turn."""
    board = state.checkers[int(state.turn)].astype(int).tolist()
    for word in re.split(r"[+\s;]+", text.strip().lower().replace("*", "")):
        found = re.fullmatch(r"(bar|\d{1,2})((?:/(?:off|\d{1,2}))+)(?:\((\d)\))?", word)
        if not found:
            raise ValueError(text)
        stops = [found[1], *found[2].strip("/").split("/")]
        first, last = (int({"bar": "25", "off": "0"}.get(stop, stop)) for stop in (stops[0], stops[-1]))
        if max(first, last) >= len(board):
            raise ValueError(text)
        board[first] -= int(found[3] or 1)
        board[last] += int(found[3] or 1)
    return board
