"""What went wrong in an author's rules, in the author's terms: file, line, method, expression, cause, and what to write instead.

Numba's own complaint runs over sixty lines; somewhere in it stand the author's file and line, and a phrase that tells the cause.
"""

from __future__ import annotations

import linecache
import os
import re
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from outplay.errors import OutplayError, RulesError, shorten

WORDS = "a word without a sign (u64) and a plain number make a fraction: write u64(1) for 1, u64(1) << u64(n) for 1 << n"
SEVERAL = "one number fits here, and several came"
CAUSES: tuple[tuple[str, str], ...] = (
    (r"NRT required",
     "a list, a set, an array or a text is made here, and compiled rules make nothing new: use out[], a field or a tuple"),
    (r"name '(\w+)' is not defined|NameError: .*?'(\w+)'",
     "the name {0} is not defined"),
    (r"Untyped global name '(\w+)'.*?<class '(\w+)'>",
     "{0}, a {1}, cannot be read by compiled rules: use numbers, tuples, NumPy arrays or functions above the class"),
    (r"nknown attribute '(\w+)' of type (?:unaligned )?[Rr]ecord",
     "self.{0} is neither a field nor a method nor a constant of the class that compiled rules can hold (numbers, tuples, arrays)"),
    (r"nknown attribute '(\w+)'",
     "compiled rules know no .{0} here"),
    (r"make_function|closure",
     "no lambda, comprehension or inner function can be compiled: write a loop, or a function above the class"),
    (r"(?:and_|or_|xor|iand|ior|ixor|lshift|rshift|invert|mod|floordiv)>\) found for signature:\s*>*\s*\w*\(?.*?float64", WORDS),
    (r"getitem>\) found for signature:\s*>*\s*getitem\(Tuple\(",
     "a tuple of unlike parts cannot be indexed by a variable: make all parts alike (rows of equal length), or use a NumPy array"),
    (r"Can't infer type of variable|Cannot infer the type of variable",
     "what this variable holds cannot be told: set it on every way"),
    (r"is given (.*?), together neither",
     "this variable is given {0}: use a second name"),
    (r"[Cc]annot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'",
     "{2} is {0} at one place and {1} at another: use one type, such as i64(...)"),
    (r"[Cc]annot unify (.+?) and (.+?)[,.\s]",
     "{0} at one place and {1} at another: use one type, such as i64(...)"),
    (r"recursion",
     "a function that comes back to itself cannot be compiled: write a loop"),
    (r"got an unexpected keyword argument|some keyword arguments",
     "methods are called without keywords in compiled rules"),
    (r"too many positional arguments|missing a required argument|Invalid use of|requires \d+ positional",
     "wrong number of arguments"),
    (r"[Uu]nsupported opcode|UnsupportedBytecode|not supported|[Uu]nsupported",
     "this cannot be compiled"),
    (r"Cannot cast|can't convert|No conversion from (\S+) to (\S+)",
     "a value of another type is wanted here"),
    (r"No implementation of function Function\((.+?)\) found for signature:\s*>*\s*(.+?)\s*\n",
     "compiled rules cannot do {1}"),
)
"""Phrases of Numba's and what they mean; the first that is found counts."""
PLAIN_CAUSES: tuple[tuple[str, str], ...] = (
    (r"ufunc '(\w+)' not supported for the input types",
     "words without a sign (u64) and numbers with one do not mix: write u64(1) << u64(n) for 1 << n"),
    (r"setting an array element with a sequence|not '(?:tuple|list)'$", SEVERAL),
)
HERE = str(Path(__file__).parent.parent) + os.sep


class Mistake(RulesError):
    """A mistake in an author's rules, told with file and line."""


def place(file: str, line: int, method: str, source: str) -> str:
    """Where something stands in an author's file."""
    with_folder = os.path.relpath(file) if os.path.isabs(file) and os.path.exists(file) else file
    shown = min(with_folder, file, key=len)
    return f"{shown}:{line}" + (f", in {method}" if method else "") + (f": `{shorten(source, 100)}`" if source else "")


def game_of(arguments: Iterable[Any]) -> Any:
    """The rules class whose states are among a kernel's arguments, or None."""
    for each in arguments:
        kind = getattr(getattr(each, "dtype", None), "type", None)
        if hasattr(kind, "compiled_methods"):
            return kind
        if isinstance(each, tuple):
            found = game_of(each)
            if found is not None:
                return found
    return None


def explained(problem: Exception, kernel: Callable, arguments: Iterable[Any]) -> Exception:
    """Numba's complaint in one line for the author of the rules; the complaint itself where no author is to blame."""
    rules = game_of(arguments)
    if rules is None or isinstance(problem, OutplayError):
        return problem
    frames = traceback.extract_tb(problem.__traceback__)[1:]
    while_compiling = any(f"{os.sep}numba{os.sep}" in frame.filename for frame in frames)
    if frames and not while_compiling:  # the kernel ran uncompiled
        return blamed(problem, rules) or problem
    text = _uncoloured(str(problem))
    files = {function.__code__.co_filename for function in _functions(rules) if not _is_machinery(function.__code__.co_filename)}
    name = rules.definition.name
    found = [(match[1] or match[3], int(match[2] or match[4]))
             for match in re.finditer(r'File "([^"\n]+)", line (\d+)|\bat (\S[^\n(]*?) \((\d+)\)', text)]
    for file, line in reversed(found):
        known = next((each for each in files if each == file or os.path.realpath(each) == os.path.realpath(file)), None)
        if known:
            where = place(known, line, _method_at(rules, known, line), linecache.getline(known, line).strip())
            return Mistake(f"{name}: {where}: {_cause(text)}")
    if not files or all(file.startswith(HERE) for file in files):
        return problem  # our own game, our own fault
    file = min(files)
    if not while_compiling:
        return Mistake(f"{name}: {os.path.relpath(file)}: the compiled rules raised {type(problem).__name__}: {shorten(text, 160)}")
    line = min(each.__code__.co_firstlineno for each in _functions(rules) if each.__code__.co_filename == file)
    return Mistake(f"{name}: {place(file, line, '', '')}: the rules do not compile in {kernel.__name__}: {_cause(text)}; "
                   "look at what the methods return")


def _functions(rules: Any) -> list[Any]:
    from outplay.compiling.fingerprints import reached

    return [each for each in reached(*rules.compiled_methods.values())[0] if hasattr(each, "__code__")]


def _is_machinery(file: str) -> bool:
    return file.startswith("<") or (file.startswith(HERE) and not file.startswith(HERE + "games" + os.sep))


def _uncoloured(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _cause(text: str) -> str:
    """The cause that a complaint tells."""
    for phrase, meaning in CAUSES:
        match = re.search(phrase, text)
        if match:
            return meaning.format(*(part for part in match.groups() if part is not None))
    told = (line.strip(" >") for line in text.splitlines() if not line.startswith(("Failed in", "During")))
    return shorten(next((line for line in told if line), "it does not compile"), 160)


def _method_at(rules: Any, file: str, line: int) -> str:
    """The method or helper that a line of a file belongs to."""
    begun = [(each.__code__.co_firstlineno, each.__name__) for each in _functions(rules)
             if each.__code__.co_filename == file and each.__code__.co_firstlineno <= line]
    return max(begun)[1] if begun else ""


# ---------------------------------------------------------------- rules that run in plain Python


class running:
    """While rules run: an exception names the author's line, and in plain Python words of 64 bits wrap around in silence."""

    __slots__ = ("_quiet", "_rules")

    def __init__(self, rules: Any, compiled: bool = False) -> None:
        self._rules = rules
        self._quiet = None if compiled else np.errstate(over="ignore")

    def __enter__(self) -> None:
        if self._quiet is not None:
            self._quiet.__enter__()

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        if self._quiet is not None:
            self._quiet.__exit__(kind, problem, trace)
        if isinstance(problem, Exception) and not isinstance(problem, OutplayError):
            told = blamed(problem, self._rules)
            if told is not None:
                raise told from problem


def blamed(problem: Exception, rules: Any) -> Mistake | None:
    """An exception of the rules in one line, or None where none of the author's lines had a part in it."""
    methods = {*(each for each in vars(rules).values() if hasattr(each, "__code__")), *_functions(rules)}
    files = {each.__code__.co_filename for each in methods if not _is_machinery(each.__code__.co_filename)}
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if frame.filename in files:
            said = " ".join(str(problem).split())
            why = next((meaning for phrase, meaning in PLAIN_CAUSES if re.search(phrase, said)), "")
            what = f"{type(problem).__name__}: {shorten(said, 160)}" + (f" ({why})" if why else "")
            where = place(frame.filename, frame.lineno or 0, frame.name, (frame.line or "").strip())
            return Mistake(f"{rules.definition.name}: {where}: {what}")
    return None
