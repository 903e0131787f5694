"""A game of the student's own, held to the promises that every search relies on."""

import random
from typing import Any

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, same

PLIES = 200
"""How long a game may last."""

PAGE = f"""# A game of your own

Write a game for two, in plain Python: a class `OwnGame` with the lectures' functions on states, and a notation. Which game is up
to you. What
counts are the promises that every search relies on; games with drawn moves see whether yours keeps them:

- **legal actions**: a state that is no end has a player, 0 or 1, and at least one action; none is listed twice; somewhere there
  is a choice;
- **looking changes nothing**: `result` returns another state and leaves its own as it is, so that asked again all is as before;
- **ends**: a game is over after at most {PLIES} actions, and an end offers none;
- **zero sum**: at an end what one player wins the other loses;
- **notation**: `text` writes a state, and `parse` reads it back: the same player, actions and text.

To play it against Outplay, write `from outplay.game import Game` and `class Playable(OwnGame, Game): name = "own"` in a file that
imports yours: `outplay play FILE.py` takes it. `outplay check FILE.py` holds it to more (what `parse` says of a text that is no
state).
"""

WALK = '''

def walk(numbers):
    """A game with drawn moves, as the marks see it: leave this as it is."""
    game, rows = OwnGame(), []
    state = game.initial()
    for number in [*numbers, 0]:
        actions, over = list(game.actions(state)), bool(game.is_terminal(state))
        row = {"player": game.player(state), "over": over, "actions": [str(action) for action in actions]}
        before = repr(state), row["player"], actions, over
        after = [] if over else [game.result(state, action) for action in actions]
        again = repr(state), game.player(state), list(game.actions(state)), bool(game.is_terminal(state))
        row["unchanged"] = again == before
        try:
            row["wrote"] = [game.text(state), game.player(state), [str(action) for action in game.actions(state)]]
            there = game.parse(row["wrote"][0])
            row["read"] = [game.text(there), game.player(there), [str(action) for action in game.actions(there)]]
        except Exception as problem:
            row["unread"] = repr(problem)
        if over:
            row["utilities"] = [game.utility(state, 0), game.utility(state, 1)]
        rows.append(row)
        if over or not actions:
            break
        state = after[number % len(actions)]
    return rows
'''

STUDENT = (
    '''"""A game of my own."""


class OwnGame:
    """Say here how it goes."""

    def initial(self):
        """The first state: something that does not change, such as a tuple."""
        raise NotImplementedError

    def player(self, state):
        """Who is to move: 0 or 1."""
        raise NotImplementedError

    def actions(self, state):
        """What may be done, as a list; nothing at an end."""
        raise NotImplementedError

    def result(self, state, action):
        """The state after an action."""
        raise NotImplementedError

    def is_terminal(self, state):
        """Whether the game is over."""
        raise NotImplementedError

    def utility(self, state, player):
        """What an end is worth to a player."""
        raise NotImplementedError

    def text(self, state):
        """A state in one line."""
        raise NotImplementedError

    def parse(self, text):
        """The state that a line tells."""
        raise NotImplementedError
'''
    + WALK
)

REFERENCE = (
    '''"""Take one to three of fifteen coins; whoever takes the last one wins."""


class OwnGame:
    """A state is how many coins there are, and who is to move."""

    def __init__(self):
        self.turn = 0

    def initial(self):
        return (15, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [count for count in (1, 2, 3) if count <= state[0]]

    def result(self, state, action):
        coins, self.turn = state[0] - action, 1 - state[1]
        return (coins, self.turn)

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1

    def text(self, state):
        return f"{state[0]} {state[1]}"

    def parse(self, text):
        coins, turn = text.split()
        return (int(coins), int(turn))
'''
    + WALK
)


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group: the moves of a game."""
    source = random.Random(f"own game {group} {seed} {size}")
    return Case("walk", None, ([source.randrange(1 << 16) for _ in range(PLIES)],), words=f"a game with moves drawn by {seed}")


def _rows(answer: Answer) -> list[dict[str, Any]]:
    found = answer.value
    if not isinstance(found, list) or not found:
        raise ValueError(found)
    return found


def _after(number: int) -> str:
    return f"after {number} actions" if number else "at the start"


def legal_actions(case: Case, answer: Answer) -> str:
    """Whether each state has a player and actions, none of them twice, and there is a choice somewhere."""
    rows = _rows(answer)
    for number, row in enumerate(rows):
        actions = row["actions"]
        if row["over"]:
            continue
        if not any(same(row["player"], seat) for seat in (0, 1)):
            return f"{_after(number)}: expected player 0 or 1, got {row['player']!r}"
        if not actions:
            return f"{_after(number)}: there is no action, and the game is not over"
        twice = sorted({action for action in actions if actions.count(action) > 1})
        if twice:
            return f"{_after(number)}: listed twice: {', '.join(twice)[:80]}"
    return "" if any(len(row["actions"]) > 1 for row in rows) else "nobody ever has a choice"


def changes_nothing(case: Case, answer: Answer) -> str:
    """Whether a state is the same after its actions were tried."""
    for number, row in enumerate(_rows(answer)):
        if row["unchanged"] is not True:
            return f"{_after(number)}: the state, its player or its actions are others once result(state, action) was asked"
    return ""


def ends(case: Case, answer: Answer) -> str:
    """Whether the game ends, and an end offers nothing."""
    rows = _rows(answer)
    if not rows[-1]["over"]:
        return f"not over after {len(rows) - 1} actions"
    return f"an end offers actions: {', '.join(rows[-1]['actions'])[:80]}" if rows[-1]["actions"] else ""


def zero_sum(case: Case, answer: Answer) -> str:
    """Whether one player wins what the other loses."""
    row = _rows(answer)[-1]
    if not row["over"]:
        return "no end was reached"
    one, other = row["utilities"]
    return "" if same(one, -other) else f"at the end utilities of {one!r} and {other!r}, whose sum is not 0"


def notation(case: Case, answer: Answer) -> str:
    """Whether a state that was written can be read back."""
    for number, row in enumerate(_rows(answer)):
        if "unread" in row:
            return f"{_after(number)}: {row['unread'][:120]}"
        wrote, read = row["wrote"], row["read"]
        if not isinstance(wrote[0], str) or read != wrote:
            return f"{_after(number)}: the text is {wrote[0]!r} of player {wrote[1]!r}; read back {read[0]!r} of player {read[1]!r}"
    return ""


ASSIGNMENT = Assignment(
    "own-game",
    "A game of your own",
    "adversarial search",
    "what a game is: states, actions, results, ends, utilities, and a notation",
    PAGE,
    STUDENT,
    REFERENCE,
    {"drawn": "games with drawn moves"},
    draw,
    (
        Line("legal actions", 25, ("drawn",), legal_actions),
        Line("looking changes nothing", 20, ("drawn",), changes_nothing),
        Line("ends", 20, ("drawn",), ends),
        Line("zero sum", 15, ("drawn",), zero_sum),
        Line("notation", 20, ("drawn",), notation),
    ),
    {
        "legal actions": ("for count in (1, 2, 3)", "for count in (1, 1, 2, 3)"),
        "looking changes nothing": ("        return state[1]\n", "        return self.turn\n"),
        "ends": ("if count <= state[0]]", "if count <= state[0]] or [1]"),
        "zero sum": ("return -1 if", "return 0 if"),
        "notation": ("return (int(coins), int(turn))", "return (int(coins), 0)"),
    },
    ending=WALK,
)
