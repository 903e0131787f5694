"""Exercises that are drawn anew each time, with the textbook's algorithms as their oracle and a hint for each kind of mistake.

An exercise is a function of a source of random numbers, so a topic, its number and a seed name it: the studio, the command line and
a printed sheet make the same one.

>>> asked = draw("minimax", 0, seed=4)
>>> check(asked, asked.answer).is_right, check(asked, "a lot").hint
(True, "expected a number, got 'a lot'")
"""

from __future__ import annotations

import functools
import math
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import load
from outplay.textbook import run
from outplay.values import Result
from outplay.views.traces import Tree


@dataclass(frozen=True)
class Exercise:
    """A question with its answer, what wrong answers tell, and the reason."""

    question: str
    answer: str  # as one would write it: a number, one of the choices, or the names of leaves with commas between
    solution: str  # told after the answer, or after the second wrong one
    hint: str  # for a mistake of no known kind
    choices: tuple[str, ...] = ()
    mistakes: Mapping[str, str] = field(default_factory=dict)  # a wrong answer, and the hint that fits it
    tree: str = ""  # drawn beside the question
    algorithm: str = ""  # steps through that tree in the solution
    table: tuple[tuple[str, ...], ...] = ()  # beside the question; the first row says what the columns are
    picks: bool = False  # leaves of the tree are to be chosen
    tolerance: float = 0.0  # how far from the answer a number may lie


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and a hint where it is not."""

    is_right: bool
    hint: str = ""


Kind = Callable[[random.Random], Exercise]

KINDS: dict[str, list[Kind]] = {}
"""By topic: functions that draw an exercise."""


def exercise(*topics: str) -> Callable[[Kind], Kind]:
    """Marks a function as one that draws exercises for these topics of the course."""

    def mark(kind: Kind) -> Kind:
        for topic in topics:
            KINDS.setdefault(topic, []).append(kind)
        return kind

    return mark


@functools.cache
def _all() -> dict[str, list[Kind]]:
    from outplay.lessons import exercises_sums, exercises_systems, exercises_trees  # noqa: F401  their functions mark themselves

    return KINDS


def topics() -> tuple[str, ...]:
    """The topics that have exercises."""
    return tuple(_all())


def many(topic: str) -> int:
    """How many kinds of exercises a topic has."""
    return len(_kinds(topic))


def _kinds(topic: str) -> list[Kind]:
    known = _all()
    if topic not in known:
        raise UnknownName("topic with exercises", topic, known)
    return known[topic]


def draw(topic: str, number: int, seed: int) -> Exercise:
    """The exercise of a topic with this number, from 0, as this seed makes it."""
    kinds = _kinds(topic)
    if not 0 <= number < len(kinds):
        raise BadValue(f"{topic} has exercises 0 to {len(kinds) - 1}, got {number}")
    made = kinds[number](random.Random(f"{topic} {number} {seed}"))
    wrong = {said: hint for said, hint in made.mistakes.items() if not check(made, said).is_right}  # a mistake may hit by chance
    return replace(made, mistakes=wrong)


def check(asked: Exercise, given: str) -> Verdict:
    """Whether an answer is right; else a hint by the kind of mistake.

    >>> sum_of_two = Exercise("3 + 4?", "7", "Three and four are seven.", "Count on.", mistakes={"12": "That is the product."})
    >>> check(sum_of_two, " 7.0 "), check(sum_of_two, "12").hint, check(sum_of_two, "8").hint
    (Verdict(is_right=True, hint=''), 'That is the product.', 'Count on.')
    """
    said = " ".join(given.split())
    if asked.picks:
        chosen, right = _names(said), _names(asked.answer)
        if chosen == right:
            return Verdict(True)
        if chosen and chosen < right:
            return Verdict(False, "All that you chose are skipped, and there are more.")
        if chosen > right:
            return Verdict(False, "Too many: at least one of these is looked at. " + asked.hint)
        return Verdict(False, asked.hint)
    if asked.choices:
        if said == asked.answer:
            return Verdict(True)
        return Verdict(False, asked.mistakes.get(said, asked.hint))
    number = _number(said)
    if number is None:
        return Verdict(False, f"expected a number, got {shorten(said)!r}")
    if abs(number - float(asked.answer)) <= asked.tolerance + 1e-9:
        return Verdict(True)
    for wrong, hint in asked.mistakes.items():
        if abs(number - float(wrong)) <= asked.tolerance + 1e-9:
            return Verdict(False, hint)
    return Verdict(False, asked.hint)


def _names(text: str) -> set[str]:
    return {" ".join(name.split()) for name in text.split(",") if name.strip()}


def _number(text: str) -> float | None:
    """A number as people write it: 1,000 or 0.5 or 0,5 or 3/4 or 10^6."""
    text = text.replace("−", "-").replace(" ", "").rstrip("%")
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    text = text.replace(",", ".")
    if found := re.fullmatch(r"(-?[\d.]{1,9})/([\d.]{1,9})", text):
        above, below = (_number(part) for part in found.groups())
        return None if above is None or not below else above / below
    if found := re.fullmatch(r"(\d{1,4})\^(\d{1,2})", text):
        return float(int(found[1]) ** int(found[2]))
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def searched(tree: str, algorithm: str) -> tuple[Result, Tree]:
    """What an algorithm of the textbook finds in a tree, with every step."""
    name, _, options = algorithm.partition(":")
    given: dict[str, Any] = {key: float(value) for key, _, value in (part.partition("=") for part in options.split(",") if part)}
    root = load("tree", tree=tree).start()
    result = run(name, root, trace=True, **given)
    return result, Tree(result.trace, root)


def plain(number: float) -> str:
    """A number as it is written: no decimals where there are none.

    >>> plain(3.0), plain(2.50), plain(1 / 3)
    ('3', '2.5', '0.3333')
    """
    return f"{round(number, 4):g}"


def mixed(source: random.Random, *choices: str) -> tuple[str, ...]:
    """Answers to choose from, each once, in a drawn order."""
    once = list(dict.fromkeys(choices))
    source.shuffle(once)
    return tuple(once)
