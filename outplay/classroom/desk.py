"""The process in which a submission is asked, by the standard library alone: it is handed to Python as text, in a box without
Outplay.

Lines of JSON come in and go out. The game that a student's function gets is a window to the grader: what a state offers, and what a
leaf is worth, is asked there and noted there. So nothing is here that a submission could look up or patch to its advantage.
"""

from __future__ import annotations

import json
import os
import random
import sys
import traceback
from typing import Any


class OutOfTime(Exception):
    """The time for a search is up: raised by the game when it is asked once too often."""


class Game:
    """The lectures' questions. A state is a number; an action is a short text."""

    OutOfTime = OutOfTime

    def __init__(self, ask: Any, root: Any) -> None:
        self._ask = ask
        self._known: dict[Any, Any] = {}
        self._note(root)

    def _note(self, facts: Any) -> Any:
        self._known[facts["state"]] = facts
        return facts["state"]

    def _look(self, question: Any, state: Any) -> Any:
        found = self._ask({"ask": question, "state": state})
        if isinstance(found, dict) and "out_of_time" in found:
            raise OutOfTime("the time is up")
        if isinstance(found, dict) and "refused" in found:
            raise ValueError(found["refused"])
        return found

    def _of(self, state: Any) -> Any:
        if state not in self._known:
            raise ValueError(f"{state!r} is no state that result() has given")
        return self._known[state]

    def player(self, state: Any) -> Any:
        """PLAYER(s): 0 is MAX, 1 is MIN, 2 and more are further players; -1 at a chance node."""
        return self._of(state)["player"]

    def is_terminal(self, state: Any) -> Any:
        """TERMINAL-TEST(s)."""
        return self._of(state)["terminal"]

    def _open(self, state: Any) -> Any:
        self._of(state)
        return [(action, self._note(child), more) for action, child, more in self._look("actions", state)]

    def actions(self, state: Any) -> Any:
        """ACTIONS(s), in the order in which they are to be tried."""
        found = self._open(state)
        self._known[state]["children"] = {action: child for action, child, _ in found}
        self._known[state]["more"] = {action: more for action, _, more in found}
        return [action for action, _, _ in found]

    def result(self, state: Any, action: Any) -> Any:
        """RESULT(s, a)."""
        children = self._of(state).get("children")
        if children is None:
            self.actions(state)
            children = self._known[state]["children"]
        if action not in children:
            raise ValueError(f"{action!r} is no action here: there are {list(children)}")
        return children[action]

    def chances(self, state: Any) -> Any:
        """The outcomes of a chance node with their probabilities."""
        self.actions(state)
        return list(self._known[state]["more"].items())

    def cost(self, state: Any, action: Any) -> Any:
        """What an action costs on the way to the goal."""
        if "more" not in self._of(state):
            self.actions(state)
        return self._known[state]["more"][action]

    def utility(self, state: Any, player: Any = 0) -> Any:
        """UTILITY(s, p) of a finished game."""
        return self._look("utility", state)[player]

    def utilities(self, state: Any) -> Any:
        """What a finished game is worth to each player."""
        return tuple(self._look("utility", state))

    def evaluate(self, state: Any) -> Any:
        """EVAL(s), for MAX."""
        return self._look("evaluate", state)

    def estimate(self, state: Any) -> Any:
        """What the rest of the way costs at least: an admissible heuristic."""
        return self._look("estimate", state)

    def playout(self, state: Any) -> Any:
        """Play a game to its end from here, and say what it was worth to each player."""
        return tuple(self._look("playout", state))

    def information(self, state: Any) -> Any:
        """What the player to move knows: the same for states that it cannot tell apart."""
        return self._look("information", state)


def plain(value: Any, depth: Any = 0) -> Any:
    """A value as JSON has it; what JSON lacks is told by its repr."""
    if value is None or isinstance(value, (bool, int, str)):
        return value if not isinstance(value, str) else value[:10_000]
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else {"odd": repr(value)}
    if isinstance(value, (list, tuple)) and depth < 6:
        return [plain(each, depth + 1) for each in value[:10_000]]
    if isinstance(value, dict) and depth < 6:
        return {str(key): plain(each, depth + 1) for key, each in list(value.items())[:10_000]}
    return {"odd": repr(value)[:200]}


def where(problem: Any, path: Any) -> Any:
    """An exception in one line, with the line of the submission."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
    said = " ".join(str(problem).split())[:200]
    return f"{type(problem).__name__}: {said}" + (f" (line {lines[-1]})" if lines else "")


def main(path: Any) -> None:
    """Serve one submission."""
    source = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)

    def say(what: Any) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    def ask(what: Any) -> Any:
        say(what)
        return json.loads(source.readline() or "{}")

    names: dict[str, Any] = {"__name__": "submission", "__file__": path}
    sys.path.insert(0, os.path.dirname(path))
    sys.setrecursionlimit(3000)
    for line in source:
        order = json.loads(line)
        random.seed(0)
        try:
            if "begin" in order:
                say({"done": True})
                continue
            if "load" in order:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                exec(compile(text, path, "exec"), names)
                say({"done": sorted(name for name in names if callable(names[name]))})
                continue
            function = names.get(order["call"])
            if not callable(function):
                say({"failed": f"there is no function {order['call']}", "kind": "missing"})
                continue
            more = [Game(ask, order["root"]), order["root"]["state"]] if order.get("root") else []
            value = plain(function(*more, *order["args"]))
        except BaseException as problem:
            say({"failed": where(problem, path), "kind": type(problem).__name__})
        else:
            say({"done": value})
