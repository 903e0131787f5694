"""A class that takes part live: one question at a time, an answer from each student, and what came of it. Nothing here is kept.

>>> lesson = Lesson("KRTMB")
>>> ada = lesson.join("krtmb")
>>> lesson.ask(Question("vote", "The best move?", (Option("a", "to the left"), Option("b", "to the right"))))
>>> lesson.answer(ada.token, 1, "b")
>>> lesson.tell(("b",))
>>> lesson.rounds[0].counts(), lesson.phase
({'a': 0, 'b': 1}, 'told')
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from outplay.errors import BadValue, OutplayError, Unavailable, shorten
from outplay.files import cell
from outplay.web.boards import clean

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Of a code: no vowels, so that it spells nothing, and nothing that is read for a figure."""
CODE = 5
MOST_STUDENTS = 400
MOST_ROUNDS = 200
AWAY_SECONDS = 40.0
"""Without a word for so long, somebody is no longer here: a browser asks anew every 25 seconds."""
COLOURS = ("amber", "ash", "azure", "bronze", "coral", "copper", "crimson", "golden", "green", "indigo", "ivory", "jade", "lilac",
           "maroon", "mint", "ochre", "pearl", "plum", "rose", "ruby", "scarlet", "silver", "teal", "violet")  # fmt: skip
ANIMALS = ("badger", "crane", "dormouse", "eagle", "fox", "gecko", "heron", "ibex", "jackdaw", "kestrel", "lynx", "marten", "newt",
           "otter", "puffin", "quail", "raven", "stoat", "toad", "urchin", "viper", "wren", "yak", "zander")  # fmt: skip


class Stranger(OutplayError):
    """Somebody who has not joined, or whose code is not this class's."""


@dataclass(frozen=True)
class Option:
    """One answer that may be given; a move has the places where it is touched on the board."""

    key: str
    words: str
    touches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """What all are asked: a `cut` or a `node` of a search's tree, or a `vote` on a move; `right` where it is known already."""

    kind: str
    text: str
    options: tuple[Option, ...]
    right: tuple[str, ...] = ()
    picture: str = ""
    """The tree as SVG."""
    after: str = ""
    """The tree one step on."""
    board: dict[str, Any] | None = None
    about: str = ""
    """What it is about, for who reads the results later."""


@dataclass
class Round:
    """A question with its answers so far, by student."""

    question: Question
    right: tuple[str, ...] = ()
    said: str = ""
    answers: dict[str, str] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """How many gave each answer."""
        found = dict.fromkeys((option.key for option in self.question.options), 0)
        for key in self.answers.values():
            found[key] += 1
        return found


@dataclass
class Student:
    """Somebody who has joined: a name that was drawn, and a secret that their browser keeps."""

    name: str
    token: str
    seen: float = 0.0


class Lesson:
    """One class: who is there, and its rounds. Everything may be called from any thread; `wake` is told of what students see."""

    def __init__(self, code: str | None = None) -> None:
        self.code = code or "".join(secrets.choice(LETTERS) for _ in range(CODE))
        self.phase = "waiting"  # then asking, told, waiting again ..., and over
        self.turn = 1  # grows with everything that students are to see
        self.rounds: list[Round] = []
        self.students: dict[str, Student] = {}
        self.wake: Callable[[], None] = lambda: None
        self._lock = threading.RLock()
        self._names = [f"{colour} {animal}" for colour, animal in itertools.product(COLOURS, ANIMALS)]
        secrets.SystemRandom().shuffle(self._names)
        self._spoken: tuple[int, bytes, bytes] = (0, b"", b"")

    # ---------------------------------------------------------------- students

    def join(self, code: str) -> Student:
        """A new student, by the code."""
        with self._lock:
            self._need_open()
            if not secrets.compare_digest(code.strip().upper().encode("utf-8", "replace"), self.code.encode()):
                raise Stranger(f"the code of this class is another, got {shorten(code, 20)!r}")
            if len(self.students) >= MOST_STUDENTS:
                raise Unavailable(f"{MOST_STUDENTS} have joined already, and no more fit")
            student = Student(self._names[len(self.students)], secrets.token_urlsafe(12), time.monotonic())
            self.students[student.token] = student
            return student

    def student(self, token: str) -> Student:
        """Who has this secret."""
        with self._lock:
            found = self.students.get(token)
            if found is None:
                raise Stranger("this browser has not joined the class: type the code")
            found.seen = time.monotonic()
            return found

    def answer(self, token: str, number: int, key: str) -> None:
        """A student's answer; the last one counts, until the results are shown."""
        with self._lock:
            self.student(token)
            if self.phase != "asking" or number != len(self.rounds):
                raise BadValue("this question is closed")
            one = self.rounds[-1]
            if key not in {option.key for option in one.question.options}:
                raise BadValue(f"there is no answer {shorten(key, 40)!r} to this question")
            one.answers[token] = key

    def spoken(self) -> tuple[bytes, bytes]:
        """What every student sees now, as JSON and the same packed: made once for all of them."""
        with self._lock:
            if self._spoken[0] != self.turn:
                plain = json.dumps(clean(self._shown()), ensure_ascii=False).encode()
                self._spoken = self.turn, plain, gzip.compress(plain, 6, mtime=0)
            return self._spoken[1:]

    def _shown(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"turn": self.turn, "phase": self.phase, "number": len(self.rounds)}
        if self.phase in ("asking", "told"):
            one = self.rounds[-1]
            question = one.question
            shown["question"] = {"kind": question.kind, "text": question.text, "board": question.board,
                                 "picture": question.after if self.phase == "told" and question.after else question.picture,
                                 "options": [{"key": each.key, "words": each.words, "touches": list(each.touches)}
                                             for each in question.options]}  # fmt: skip
            if self.phase == "told":
                shown |= {"counts": one.counts(), "right": list(one.right), "said": one.said, "answers": len(one.answers)}
        return shown

    # ---------------------------------------------------------------- the teacher

    def ask(self, question: Question) -> None:
        """Put a question to all."""
        if len(question.options) < 2:
            raise BadValue(f"a question needs two answers at least, got {len(question.options)}")
        with self._lock:
            self._need_open()
            if len(self.rounds) >= MOST_ROUNDS:
                raise BadValue(f"a class has {MOST_ROUNDS} questions at most: close it and open another")
            if self.phase == "asking":
                raise BadValue("a question is open: show its results first")
            self.rounds.append(Round(question, question.right))
            self._change("asking")

    def tell(self, right: Sequence[str] = (), said: str = "") -> None:
        """Show the results; `right` are the best moves of a vote, where somebody knows them."""
        with self._lock:
            self._need_open()
            if self.phase not in ("asking", "told"):
                raise BadValue("no question is open")
            one = self.rounds[-1]
            known = {option.key for option in one.question.options}
            if unknown := [key for key in right if key not in known]:
                raise BadValue(f"there is no answer {shorten(unknown[0], 40)!r} to this question")
            one.right = one.question.right or tuple(right)
            one.said = said
            self._change("told")

    def rest(self) -> None:
        """Take the question from the students' screens."""
        with self._lock:
            self._need_open()
            if self.phase == "asking" and not self.rounds[-1].answers:
                self.rounds.pop()  # taken back before anybody answered
            self._change("waiting")

    def close(self) -> None:
        """The class is over: the students are told, and nothing of it stays here."""
        with self._lock:
            if self.phase == "over":
                return
            self.rounds.clear()
            self._change("over")

    def _need_open(self) -> None:
        if self.phase == "over":
            raise BadValue("this class is over")

    def _change(self, phase: str) -> None:
        self.phase = phase
        self.turn += 1
        self.wake()

    def status(self) -> dict[str, Any]:
        """What the teacher sees; how the answers are spread only once they are shown."""
        with self._lock:
            now = time.monotonic()
            told: dict[str, Any] = {
                "code": self.code, "phase": self.phase, "turn": self.turn, "number": len(self.rounds),
                "joined": len(self.students),
                "here": sum(now - student.seen < AWAY_SECONDS for student in self.students.values()),
                "answered": len(self.rounds[-1].answers) if self.rounds else 0,
            }  # fmt: skip
            if self.phase in ("asking", "told"):
                shown = self._shown()
                told |= {key: value for key, value in shown.items() if key not in ("turn", "phase", "number", "question")}
                told["question"] = {key: shown["question"][key] for key in ("kind", "text", "options")}  # its picture is there
            return told

    def notes(self) -> dict[str, Any]:
        """All rounds with the answers by drawn name: what a teacher may take along."""
        with self._lock:
            names = {token: student.name for token, student in self.students.items()}
            return {"students": sorted(names.values()), "rounds": [
                {"number": number, "question": one.question.text, "about": one.question.about,
                 "options": [{"answer": option.words, "given": one.counts()[option.key], "right": option.key in one.right}
                             for option in one.question.options],
                 "answers": {names[token]: words[key] for token, key in one.answers.items()}}
                for number, one in enumerate(self.rounds, start=1)
                for words in [{option.key: option.words for option in one.question.options}]
            ]}  # fmt: skip


def as_csv(notes: dict[str, Any]) -> str:
    """Rounds as a table: a row for each answer that somebody could give."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["round", "about", "question", "answer", "given", "right"])
    for one in notes["rounds"]:
        for option in one["options"]:
            texts = [one["about"], one["question"], option["answer"]]
            writer.writerow([one["number"], *map(cell, texts), option["given"], "yes" if option["right"] else ""])
    return out.getvalue()


