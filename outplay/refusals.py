"""What is refused of an author's class before it becomes a game: a line each, with remedy, file and line where it can be.

Near misses of the names of `outplay.contract`, methods with other arguments, methods and attributes that are of no use without each
other, and fields whose types cannot be kept.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import inspect
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

from outplay import jit, syntax
from outplay.compiling.problems import place
from outplay.contract import ATTRIBUTES, GIVEN, METHODS, OPTIONAL, PYTHON_ONLY, REQUIRED, Derived
from outplay.errors import RulesError


def check_names(name: str, functions: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """Refuse what is likely a misspelt name of the contract: near to one, and used by nothing in the class."""
    for needed in REQUIRED:
        if needed not in functions:
            raise RulesError(f"{name}: the class lacks the method {needed}(self, ...)" + _hint(needed, functions))
    for taken in functions.keys() & GIVEN:
        raise RulesError(f"{name}: every game is given a method {taken!r}; call yours something else")
    known = {*REQUIRED, *OPTIONAL, *PYTHON_ONLY}
    used = {each for function in functions.values() for each in _names_in(function.__code__)}
    for key, value in body.items():
        if key.startswith("__") or key in used or key in known or key in ATTRIBUTES:
            continue
        near = difflib.get_close_matches(key, known if callable(value) else [*ATTRIBUTES], n=1, cutoff=0.85)
        if near and near[0] not in body and not hasattr(value, "is_uncompiled"):
            kind = "method" if callable(value) else "attribute"
            raise RulesError(f"{name}: no {kind} of the contract is called {key!r}, and nothing in the class uses it: "
                             f"did you mean {near[0]!r}?")


def _hint(needed: str, functions: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(needed, [key for key in functions if key not in OPTIONAL], n=1, cutoff=0.7)
    return f": did you mean it by {near[0]!r}?" if near else ""


def _names_in(code: Any) -> set[str]:
    """All names that a function's code mentions, its inner functions included."""
    return set(code.co_names).union(*(_names_in(each) for each in code.co_consts if inspect.iscode(each)))


def check_arguments(name: str, functions: Mapping[str, Any]) -> None:
    """Refuse methods of the contract that take other arguments."""
    for key in METHODS.keys() & functions.keys():
        wanted = METHODS[key].arguments
        if functions[key].__code__.co_argcount != 1 + len(wanted):
            raise RulesError(f"{name}: {key} is a method of the contract and takes {len(wanted)} arguments: {METHODS[key].told}")


def check_facets(name: str, functions: Mapping[str, Any], fields: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """Methods and attributes that are of no use without each other."""
    if "player" not in functions and "turn" not in fields and body.get("players", 2) > 1:
        raise RulesError(f"{name}: give the class a field `turn` or a method `player(self)` to say who is to move")
    if ("observe" in functions) != ("deal" in functions):
        raise RulesError(f"{name}: `observe` and `deal` belong together: what a seat sees, and what it may not see")
    if ("hold" in functions) != bool(body.get("private_hands")):
        raise RulesError(f"{name}: `hold` and `private_hands` (how many a seat can hold) belong together")
    if "hold" in functions and ("observe" not in functions or body.get("players", 2) != 2):
        raise RulesError(f"{name}: `hold` is for two seats of which each hides a hand: it needs `observe` and `deal`")
    if "hand_rank" in functions and ("hold" not in functions or not len(body.get("private_cards", ()))):
        raise RulesError(f"{name}: `hand_rank` needs `hold` and `private_cards`, the cards of each hand")
    if "transform_action" in functions and "transform" not in functions:
        raise RulesError(f"{name}: `transform_action` needs `transform(self, symmetry)`, which changes the position likewise")
    if ("transform" in functions) != (body.get("symmetries", 1) > 1):
        raise RulesError(f"{name}: `transform` and `symmetries` (their number, the identity included) belong together")
    if "planes" in functions and not body.get("plane_shape"):
        raise RulesError(f"{name}: `planes` needs `plane_shape`, such as (4, 9, 9)")
    if body.get("draw_after") is not None and "reversible" not in functions:
        raise RulesError(f"{name}: `draw_after` counts what `reversible(self)` returns, and the class lacks that method")
    names = body.get("seat_names", ())
    if names and len(names) != body.get("players", 2):
        raise RulesError(f"{name}: seat_names has {len(names)} names for {body.get('players', 2)} players")


def sides_of(name: str, body: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Which seats play together, if they share out all of them."""
    players, sides = body.get("players", 2), tuple(tuple(side) for side in body.get("sides", ()))
    if sides and sorted(seat for side in sides for seat in side) != [*range(players)]:
        raise RulesError(f"{name}: sides must share out the seats 0 to {players - 1}, such as ((0, 2), (1, 3)), got {sides}")
    return sides


def weights_of(name: str, weights: Any) -> np.ndarray:
    """The weights of a class as an array; lists and tuples of numbers will do."""
    try:
        array = np.asarray(weights)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "iufb" or array.ndim == 0:
        raise RulesError(f"{name}: weights must be numbers in a list, a tuple or an array, got {weights!r}")
    return array if array.size else np.zeros(1)


def fields_of(name: str, ancestry: list[type], parameters: Mapping[str, Any],
              base: type) -> tuple[dict[str, tuple], frozenset[str]]:
    """The fields of a class and of what it inherits from, and which of them are derived."""
    fields: dict[str, tuple] = {}
    derived = set()
    for cls in ancestry:
        module = sys.modules.get(cls.__module__)
        scope = {**vars(jit), "Derived": Derived, **(vars(module) if module else {}), **parameters}
        for field, kind in inspect.get_annotations(cls).items():
            if isinstance(kind, str):  # the author's file has `from __future__ import annotations`
                try:
                    kind = eval(kind, scope)
                except NameError as problem:
                    why = (f"has a type that cannot be read ({problem}): it is a text, as the file has "
                           "`from __future__ import annotations`; without that line it is none")
                    raise _field_refused(name, cls, field, why) from None
            if isinstance(kind, Derived):
                derived.add(field)
                kind = kind.spec
            if any(field in vars(each) for each in ancestry):  # plain Python would read that, and compiled code the field
                raise _field_refused(name, cls, field, f"cannot have a value in the class: set self.{field} in start(self)")
            fields[field] = _checked_field(name, cls, field, kind, base)
    if not fields:
        raise RulesError(f"{name}: the class needs at least one typed field, such as `turn: i8`")
    return fields, frozenset(derived)


def _field_refused(name: str, cls: type, field: str, why: str) -> RulesError:
    """What is wrong with a field, and where it stands, if the source can be had."""
    where = ""
    with contextlib.suppress(OSError, TypeError, SyntaxError):
        with syntax.alone:
            lines, first = inspect.getsourcelines(cls)
        for node in ast.walk(syntax.parse(textwrap.dedent("".join(lines)))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == field:
                text = lines[node.lineno - 1].strip()
                where = place(inspect.getsourcefile(cls) or "", first + node.lineno - 1, "", text) + ": "
    return RulesError(f"{name}: {where}field {field!r} {why}")


def _checked_field(name: str, cls: type, field: str, kind: Any, base: type) -> tuple:
    spec = kind if isinstance(kind, tuple) else (kind,)
    try:
        letter = np.dtype(spec[0]).kind
    except TypeError:
        letter = "O"
    if letter == "b":
        spec = np.uint8, *spec[1:]  # one byte, 0 or 1: Numba's records know no arrays of bool
    if letter not in "iufb":
        raise _field_refused(name, cls, field, f"needs a number type such as i8, u64 or Array[i8, 9], got {kind!r}")
    if len(spec) > 1:
        shape = tuple(size for axis in spec[1] for size in (axis if isinstance(axis, tuple) else (axis,)))
        if not all(isinstance(size, int | np.integer) and size > 0 for size in shape):
            wanted = f"needs a shape of whole numbers from 1, such as Array[i8, 6, 6], got {shape}"
            raise _field_refused(name, cls, field, wanted)
        spec = spec[0], tuple(int(size) for size in shape)
    if field in (*REQUIRED, *OPTIONAL, *ATTRIBUTES):
        raise _field_refused(name, cls, field, "cannot have that name, which the contract uses: choose another")
    if hasattr(base, field):
        raise _field_refused(name, cls, field, "cannot have that name, which NumPy's records use: choose another")
    return spec
