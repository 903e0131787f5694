"""Pac-Man looking ahead: expectimax where the ghosts wander, minimax where they hunt, with a cut-off."""

import random
from collections.abc import Callable
from dataclasses import replace
from statistics import mean

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, expects, names, once_each, visits_of
from outplay.classroom.problems import Node, Problem
from outplay.game import Position, load
from outplay.games.pacman import MAZES
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.minimax import minimax
from outplay.values import CHANCE

PAGE = """# Pac-Man looks ahead

A move costs Pac-Man 1, food brings 10, the last food 500, and a ghost's touch costs 500. Pac-Man (MAX) moves, then each ghost in
its turn. Look `depth` turns ahead, where a turn is a move of Pac-Man or of one ghost:

    VALUE(s, d) = UTILITY(s)                            if the game is over
                  EVAL(s)                               if d = 0
                  max over actions of VALUE(.., d - 1)  if Pac-Man is to move
                  min over actions of VALUE(.., d - 1)  if a ghost is to move that hunts: game.player(state) is 1
                  sum of P(move) * VALUE(.., d - 1)     if a ghost is to move that wanders: game.player(state) is -1

`pac_man(game, state, depth)` returns `(value, action)`: of equal actions the first, and None where Pac-Man does not choose. Two
ghosts move one
after the other. `game.evaluate(state)` is EVAL; ask it at the cut-off only, and go into each state once. `outplay play pac-man`
shows the game.
"""

STUDENT = '''"""A Pac-Man that looks ahead."""


def pac_man(game, state, depth):
    """The value of a state for Pac-Man when looking `depth` turns ahead, and the best action, as a pair.

    game.player(state)           0: Pac-Man, 1: a ghost that hunts, -1: a ghost that wanders
    game.actions(state), game.result(state, action), game.is_terminal(state), game.utility(state), game.evaluate(state)
    game.chances(state)          [(outcome, probability), ...]; an outcome is handed to game.result like an action
    """
    raise NotImplementedError
'''

REFERENCE = '''"""A Pac-Man that looks ahead."""


def pac_man(game, state, depth):
    """The value of a state for Pac-Man when looking `depth` turns ahead, and the best action."""
    if game.is_terminal(state):
        return game.utility(state), None
    if depth == 0:
        return game.evaluate(state), None
    player = game.player(state)
    if player == -1:
        moves = [(share, pac_man(game, game.result(state, move), depth - 1)[0]) for move, share in game.chances(state)]
        return sum(share * value for share, value in moves), None
    best, chosen = None, None
    for action in game.actions(state):
        value, _ = pac_man(game, game.result(state, action), depth - 1)
        if best is None or (value > best if player == 0 else value < best):
            best, chosen = value, action
    return best, chosen
'''

MOST_STATES = 300
CAUGHT_BELOW = -300.0
"""A score that only a ghost's touch makes."""


def ahead(position: Position, depth: int) -> Problem:
    """The next turns from a position, as a tree; a state at the cut-off has an evaluation and offers nothing."""
    nodes: list[Node] = []

    def grow(here: Position, left: int) -> int:
        number = len(nodes)
        nodes.append(Node(here.player()))
        if here.is_terminal():
            score = here.utility(0)
            nodes[number] = Node(here.player(), utilities=(score, -score))
        elif left == 0:
            nodes[number] = Node(here.player(), evaluation=float(here.evaluate(0)))
        else:
            ways = here.chances() if here.player() == CHANCE else [(action, 0.0) for action in here.actions()]
            words = tuple(here.action_text(action) for action, _ in ways)
            children = tuple(grow(here.result(action), left - 1) for action, _ in ways)
            shares = tuple(share for _, share in ways) if here.player() == CHANCE else ()
            nodes[number] = Node(here.player(), children, words, shares, evaluation=float(here.evaluate(0)))
        return number

    grow(position, depth)
    return Problem(tuple(nodes), 2, "Pac-Man's next turns", bounds=(-2000.0, 2000.0))


def is_cut(node: Node) -> bool:
    """Whether the search stops at this state, and the game does not."""
    return not node.is_terminal and not node.children


def worth(problem: Problem, ghosts: Callable[[list[float]], float], state: int = 0) -> float:
    """What a state is worth where the ghosts' turns are worth what is said of their moves."""
    node = problem.nodes[state]
    if not node.children:
        return node.utilities[0] if node.is_terminal else node.evaluation
    return (max if node.player == 0 else ghosts)([worth(problem, ghosts, child) for child in node.children])


def is_fit(problem: Problem, group: str) -> bool:
    """Whether a piece of a game asks what its group is for: the ghosts matter, or they do not and the game ends by the clock."""
    stops = [node for node in problem.nodes if not node.children]
    low, high = worth(problem, min), worth(problem, max)
    if group == "end":
        best = sorted(worth(problem, min, child) for child in problem.nodes[0].children)
        is_clear = len(best) > 1 and best[-2] < best[-1]  # rounding decides no action
        return all(node.is_terminal for node in stops) and low == high > CAUGHT_BELOW and is_clear
    if any(node.is_terminal and node.utilities[0] > CAUGHT_BELOW for node in stops):
        return False
    return low < worth(problem, mean) < high


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group: a position after random moves in a maze, from which Pac-Man is to move."""
    source = random.Random(f"pac-man {group} {seed} {size}")
    while True:
        maze = source.choice(list(MAZES))
        ghosts = "well" if group == "hunt" else "random"
        limit = source.randint(2, 6) if group == "end" else 40
        position = load("pac-man", maze=maze, ghosts=ghosts, limit=limit, compiled=False).start()
        turns = maze_turns(maze)
        rounds = limit - 1 if group == "end" else source.randint(0, 8)
        for _ in range(turns * rounds):
            if not position.is_terminal():
                moves = position.chances() if position.player() == CHANCE else [(action, 1.0) for action in position.actions()]
                position = position.result(source.choice([action for action, _ in moves]))
        if position.is_terminal():
            continue
        depth = turns if group == "end" else min(size, 3) + 1
        problem = ahead(position, depth)
        if 3 < len(problem.nodes) <= MOST_STATES and is_fit(problem, group):
            break
    # What stands at the cut-off is worth its evaluation: for the textbook it is an end.
    ended = (replace(node, utilities=(node.evaluation, -node.evaluation)) if is_cut(node) else node for node in problem.nodes)
    cut = replace(problem, nodes=tuple(ended))
    result = (minimax if group == "hunt" else expectiminimax)(cut.start(), trace=True)
    expected = {"value": result.value, "action": result.action, "visits": visits_of(cut, result),
                "cut": [number for number, node in enumerate(problem.nodes) if is_cut(node)]}  # fmt: skip
    return Case("pac_man", problem, (depth,), expected, f"pac_man at {position.text()!r}, ghosts={ghosts}, depth {depth}")


def maze_turns(maze: str) -> int:
    """Turns of a round: Pac-Man's and each ghost's."""
    return 1 + MAZES[maze].count("G")


def cut_off(case: Case, answer: Answer) -> str:
    """Whether EVAL was asked of the states at the cut-off, and of no others."""
    wanted, came = set(case.expected["cut"]), set(answer.asked("evaluate"))
    if wanted == came:
        return ""
    more, missing = names(case, sorted(came - wanted)) or "none", names(case, sorted(wanted - came)) or "none"
    return f"EVAL: {len(wanted)} states at the cut-off, asked of {len(came)}: too many are {more}, left out {missing}"


ASSIGNMENT = Assignment(
    "pac-man",
    "Pac-Man looks ahead",
    "games of chance",
    "expectimax and minimax in one game, with several opponents in a row and a cut-off",
    PAGE,
    STUDENT,
    REFERENCE,
    {
        "wander": "positions in which the ghosts wander",
        "hunt": "positions in which the ghosts hunt",
        "end": "last moves, with the ghosts out of reach",
    },
    draw,
    (
        Line("ghosts that wander", 30, ("wander",), expects("value", 0, "the value")),
        Line("ghosts that hunt", 25, ("hunt",), expects("value", 0, "the value")),
        Line("the action", 15, ("end",), expects("action", 1, "the action")),
        Line("an end is worth its score", 10, ("end",), expects("value", 0, "the value")),
        Line("EVAL only at the cut-off", 10, ("hunt",), cut_off),
        Line("each state once", 10, ("wander",), once_each),
    ),
    {
        "ghosts that wander": ("return sum(share * value for share, value in moves), None",
                               "return min(value for share, value in moves), None"),
        "ghosts that hunt": ("if player == 0 else value < best", "if player == 0 else value > best"),
        "the action": ("return best, chosen", "return best, action + '?'"),
        "an end is worth its score": ("        return game.utility(state), None",
                                      "        score = game.utility(state)\n        return score + (score > -300), None"),
        "EVAL only at the cut-off": ("    best, chosen = None, None", "    best, chosen = game.evaluate(state) and None, None"),
        "each state once": ("    player = game.player(state)\n", "    player = game.player(state)\n    game.actions(state)\n"),
    },
)  # fmt: skip
