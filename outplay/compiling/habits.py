"""Habits of a Python programmer that cannot be compiled, told when a class is made a game: file, line, expression, what instead.

`look` reads the methods that will be compiled and the functions that they call. What it refuses could never compile; what is only
likely to fail is left to Numba, whose complaint `problems` translates. `constants_of` and `static_methods_of` make two habits work.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import linecache
import math
import random
import types as pytypes
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from outplay import syntax
from outplay.compiling.fingerprints import is_ours, reached
from outplay.compiling.marks import UNCOMPILED, helpers, inlined
from outplay.compiling.problems import Mistake, place
from outplay.compiling.tables import Table

NOTHING_NEW = "and compiled rules make nothing new"
STATEMENTS: dict[type, str] = {
    ast.ListComp: f"a comprehension makes a list, {NOTHING_NEW}: write a for loop that fills out[] or counts",
    ast.SetComp: f"a comprehension makes a set, {NOTHING_NEW}: write a for loop that sets the bits of a u64 or a field",
    ast.DictComp: f"a comprehension makes a dictionary, {NOTHING_NEW}: put a tuple or a NumPy array above the class",
    ast.GeneratorExp: "a generator cannot be compiled: write a for loop, which is as fast",
    ast.Lambda: "a lambda cannot be compiled: write a function above the class",
    ast.FunctionDef: "a function inside a method cannot be compiled: put it above the class",
    ast.ClassDef: "a class inside a method cannot be compiled: put it above",
    ast.Dict: f"a dictionary is made here, {NOTHING_NEW}: put a tuple or a NumPy array above the class and index it",
    ast.Set: f"a set is made here, {NOTHING_NEW}: use the bits of a u64, or compare with a tuple: x in (1, 2)",
    ast.Try: "exceptions cannot be caught in compiled rules: test for the case with `if` before it arises",
    ast.JoinedStr: "texts cannot be made in compiled rules: do it in text, action_text or picture, which are never compiled",
    ast.Yield: "a generator cannot be compiled: fill out[] and return how many",
    ast.YieldFrom: "a generator cannot be compiled: fill out[] and return how many",
    ast.With: "`with` cannot be compiled",
    ast.Global: "compiled rules cannot change a global: keep what changes in a field",
    ast.Nonlocal: "compiled rules cannot change a variable outside: keep what changes in a field",
    ast.Import: "an import inside a method cannot be compiled: put it at the top of the file",
    ast.ImportFrom: "an import inside a method cannot be compiled: put it at the top of the file",
    ast.Await: "`await` cannot be compiled",
}
LIST = f"a list is made here, {NOTHING_NEW}: write to out[] or to a field, or use a tuple"
TEXT = "texts cannot be made in compiled rules: do it in text, action_text or picture, which are never compiled"
CALLS = {
    "print": "print cannot run in compiled rules: take it out, or mark the method @uncompiled (from outplay.rules)",
    "input": "rules cannot ask anybody: what happens is in the action and the state",
    "open": "rules cannot read files: load data with `table` (from outplay.jit) or into a constant above the class",
    "list": LIST, "sorted": f"sorted makes a list, {NOTHING_NEW}: write a loop",
    "dict": STATEMENTS[ast.Dict], "set": STATEMENTS[ast.Set], "frozenset": STATEMENTS[ast.Set],
    "reversed": "reversed cannot be compiled: use range(n - 1, -1, -1)",
    "map": "map cannot be compiled: write a for loop", "filter": "filter cannot be compiled: write a for loop",
    "str": TEXT, "repr": TEXT, "format": TEXT, "ascii": TEXT, "ord": TEXT, "chr": TEXT,
    "super": "super() cannot be compiled: give the method of the parent another name and call self.that_name()",
    "getattr": "attributes cannot be looked up by text in compiled rules",
    **{name: f"{name} cannot be compiled" for name in ("eval", "exec", "vars", "globals", "setattr")},
}
ALLOCATING = {
    "zeros", "ones", "empty", "full", "array", "asarray", "arange", "linspace", "zeros_like", "ones_like", "empty_like",
    "full_like", "copy", "argwhere", "nonzero", "flatnonzero", "where", "concatenate", "stack", "vstack", "hstack", "unique",
    "sort", "argsort",
    "flip", "fliplr", "flipud", "rot90", "roll", "repeat", "tile", "eye", "outer", "convolve", "cumsum", "diff", "pad", "append",
    "delete", "insert", "bincount", "array_equal", "isin", "indices", "meshgrid", "ndindex", "ndenumerate",
}
MAKES_ARRAY = f"this makes an array, {NOTHING_NEW}: loop over the cells, or keep the room in a field"
METHODS = {
    "copy": f"copy() makes an array, {NOTHING_NEW}: loop over the cells, or keep the room in a field",
    "tolist": LIST, "flatten": MAKES_ARRAY,
    "astype": f"astype makes an array, {NOTHING_NEW}: convert single numbers, such as i64(x)",
    "nonzero": MAKES_ARRAY, "append": "there are no lists in compiled rules: write out[count] = action and count += 1",
    "format": TEXT, "join": TEXT, "split": TEXT, "items": STATEMENTS[ast.Dict], "keys": STATEMENTS[ast.Dict],
}
REDUCTIONS = {"any", "all", "sum", "max", "min", "argmax", "argmin", "nonzero", "mean", "prod"}
ANSWERS = {"actions": "how many actions there are", "utility": "what the game is worth to the seat", "player": "whose move it is",
           "chances": "how many outcomes there are", "evaluate": "a number of points", "order": "a whole number",
           "is_terminal": "True or False", "key": "a u64", "choose": "an action", "cost": "a whole number",
           "estimate": "a whole number"}


# ---------------------------------------------------------------- what can be made to work


def prepare(game: str, methods: dict[str, Callable], body: Mapping[str, Any],
            roots: Iterable[str]) -> tuple[dict[str, Callable], dict[str, Any]]:
    """All methods that may be compiled, static ones among them, and the constants that they read through self; or a refusal.

    Kernels call the methods named by `roots`; the others only count where one of these leads to them.
    """
    methods = {**methods, **static_methods_of(body)}
    look(game, methods, body, roots)
    return methods, constants_of(body, methods)


def constants_of(body: Mapping[str, Any], methods: Mapping[str, Callable]) -> dict[str, Any]:
    """The class attributes that methods read through self, as compiled code can hold them."""
    used = {name for method in methods.values() for name in _names(method.__code__)}
    found = {}
    for key in sorted(used & body.keys()):
        value = body[key]
        if isinstance(value, list):
            value = np.array(value) if value and _is_rectangular(value) else tuple(value)
        if isinstance(value, bool | int | float | np.generic | tuple | np.ndarray | Table):
            found[key] = value
    return found


def _is_rectangular(value: list) -> bool:
    try:
        return np.array(value).dtype.kind in "iufb"
    except ValueError:
        return False


def static_methods_of(body: Mapping[str, Any]) -> dict[str, Callable]:
    """Static methods as methods: compiled code calls them by self."""
    found = {}
    for name, value in body.items():
        if isinstance(value, staticmethod) and inspect.isfunction(value.__func__):
            function = value.__func__
            names = function.__code__.co_varnames[: function.__code__.co_argcount]
            scope: dict[str, Any] = {"_function": function, "__name__": function.__module__}
            exec(f"def {name}({', '.join(['self', *names])}):\n    return _function({', '.join(names)})", scope)
            found[name] = scope[name]
    return found


def help_along(methods: list[Callable]) -> None:
    """Let compiled code call every function of the author's that the methods reach, marked @inlined or not."""
    known = {function for function, _ in helpers} | set(methods)
    for function in reached(*methods)[0]:
        if function not in known and is_ours(function.__module__) and not function.__module__.startswith("outplay.compiling"):
            inlined(function)


# ---------------------------------------------------------------- what cannot


def look(game: str, methods: Mapping[str, Callable], body: Mapping[str, Any], roots: Iterable[str]) -> None:
    """Refuse, in one line, what can never compile in a class's methods of these names and in what they call."""
    if UNCOMPILED:
        return
    waiting = [methods[root] for root in roots if is_authors(methods.get(root))]
    calls: dict[Callable, list[tuple[Callable, ast.AST]]] = {}
    while waiting:
        function = waiting.pop()
        if function in calls:
            continue
        calls[function] = []
        tree = tree_of(function)
        if tree is None:
            inner: Any = function.__globals__.get("_function")  # a static method
            waiting += [inner] if is_authors(inner) else []
            if "print" in function.__code__.co_names and "print" not in function.__globals__:
                raise Mistake(f"{game}: in {function.__name__}: {CALLS['print']}")
            continue
        reader = _Look(game, function, methods, body)
        reader.visit_body(tree)
        if reader.name in ANSWERS and not _answers(tree):
            _refuse(game, function, tree, f"it must return {ANSWERS[reader.name]}, and returns nothing")
        calls[function] = [*_calls(function, tree, methods)]
        waiting += [each for each, _ in calls[function] if is_authors(each)]
    _refuse_recursion(game, calls)


def is_authors(function: Any) -> bool:
    """Whether a function is an author's, outside of this package (whose own games a test looks at)."""
    return inspect.isfunction(function) and is_ours(function.__module__) and not f"{function.__module__}.".startswith("outplay.")


def tree_of(function: Callable) -> ast.FunctionDef | None:
    """The syntax tree of a function, where its source can be had."""
    code = function.__code__
    for node in ast.walk(_file(code.co_filename, tuple(linecache.getlines(code.co_filename)))):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


@functools.lru_cache(maxsize=32)
def _file(name: str, lines: tuple[str, ...]) -> ast.AST:
    try:
        return syntax.parse("".join(lines))
    except SyntaxError:
        return ast.Module([], [])


def _names(code: Any) -> set[str]:
    return set(code.co_names).union(*(_names(each) for each in code.co_consts if inspect.iscode(each)))


def _answers(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Raise) or (isinstance(node, ast.Return) and node.value is not None) for node in ast.walk(tree))


def _refuse(game: str, function: Callable, node: Any, why: str) -> None:
    file = function.__code__.co_filename
    raise Mistake(f"{game}: {place(file, node.lineno, function.__name__, _source(file, node))}: {why}")


def _source(file: str, node: Any) -> str:
    """The text of an expression, or the line where it is longer than one."""
    lines = linecache.getlines(file)
    text = ast.get_source_segment("".join(lines), node) if getattr(node, "end_lineno", 0) == node.lineno else None
    return text if text and len(text) <= 80 else lines[node.lineno - 1].strip()


class _Look(ast.NodeVisitor):
    """One function, read for what cannot be compiled."""

    def __init__(self, game: str, function: Callable, methods: Mapping[str, Callable], body: Mapping[str, Any]) -> None:
        self.game, self.function, self.methods, self.body = game, function, methods, body
        self.scope = {**vars(builtins), **function.__globals__, **inspect.getclosurevars(function).nonlocals}
        self.name = next((name for name, each in methods.items() if each is function), "")  # in the contract
        self.me = function.__code__.co_varnames[0] if self.name else ""

    def visit_body(self, tree: ast.FunctionDef) -> None:
        """Look at all statements of the function."""
        for each in tree.body:
            self.visit(each)

    def visit(self, node: ast.AST) -> None:
        """Refuse a kind of statement, or look further into it."""
        if type(node) in STATEMENTS:
            self.refuse(node, STATEMENTS[type(node)])
        if type(node).__name__ == "TryStar":
            self.refuse(node, STATEMENTS[ast.Try])
        super().visit(node)

    def refuse(self, node: ast.AST, why: str) -> None:
        """Tell the author."""
        _refuse(self.game, self.function, node, why)

    def visit_For(self, node: ast.For) -> None:
        """A list that is only run through is none."""
        self.visit(node.target)
        for each in node.iter.elts if isinstance(node.iter, ast.List) else [node.iter]:
            self.visit(each)
        for statement in [*node.body, *node.orelse]:
            self.visit(statement)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A list or set that is only looked into is none either."""
        self.visit(node.left)
        for kind, each in zip(node.ops, node.comparators, strict=True):
            inside = isinstance(kind, ast.In | ast.NotIn) and isinstance(each, ast.List)
            for part in each.elts if inside else [each]:  # type: ignore[attr-defined]  # a list, where `inside`
                self.visit(part)

    def visit_List(self, node: ast.List) -> None:
        """Any other list."""
        if isinstance(node.ctx, ast.Load):
            self.refuse(node, LIST)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        """None where a number is wanted."""
        nothing = isinstance(node.value, ast.Constant) and node.value.value is None
        if nothing and self.name in ANSWERS:
            self.refuse(node, f"it must return {ANSWERS[self.name]}, not None")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """self.name, where name is a property or the like."""
        if isinstance(node.value, ast.Name) and node.value.id == self.me and self.me:
            value = self.body.get(node.attr)
            if isinstance(value, property | functools.cached_property):
                self.refuse(node, f"a property cannot be compiled: make it a method and call {self.me}.{node.attr}()")
            if isinstance(value, classmethod):
                self.refuse(node, "a class method cannot be compiled: make it a static method or a function above the class")
            if isinstance(value, dict | set | frozenset | str):
                kind = type(value).__name__
                self.refuse(node, f"a {kind} cannot be read by compiled rules: make it a tuple or a NumPy array")
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """A global that compiled code cannot read."""
        local = node.id in self.function.__code__.co_varnames or node.id in self.function.__code__.co_cellvars
        if isinstance(node.ctx, ast.Load) and not local:
            if node.id not in self.scope:
                self.refuse(node, f"the name {node.id!r} is not defined")
            value = self.scope[node.id]
            if isinstance(value, dict | set | frozenset):
                self.refuse(node, f"a {type(value).__name__} cannot be read by compiled rules: make it a tuple or a NumPy array")

    def visit_Call(self, node: ast.Call) -> None:
        """Calls that make something new, or of what compiled code does not know."""
        called = node.func
        if isinstance(called, ast.Name):
            target = self.scope.get(called.id)
            if called.id in CALLS and target is getattr(builtins, called.id, None):
                self.refuse(node, CALLS[called.id])
            texts = [each for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if target in (int, float) and texts:
                self.refuse(node, "texts cannot be read in compiled rules: write the number itself")
            if target in (max, min) and node.keywords:
                self.refuse(node, f"{called.id} with key or default cannot be compiled: write a for loop that keeps the best")
            if target in (enumerate, zip) and node.keywords:
                self.refuse(node, f"{called.id} takes no keyword in compiled rules")
        elif isinstance(called, ast.Attribute):
            owner = self._module(called.value)
            if owner is np and called.attr in ALLOCATING:
                self.refuse(node, MAKES_ARRAY)
            if owner is random or owner is np.random:
                self.refuse(node, "rules cannot roll dice by themselves: list the outcomes in `chances`, or take them from "
                                  "the `source` that `draw`, `deal` and `choose` are given, as below(source, n)")
            if owner is not None and owner.__name__ in ("time", "os", "sys", "datetime", "itertools", "collections", "re", "json"):
                self.refuse(node, f"the module {owner.__name__} cannot be used in compiled rules")
            if owner is None and called.attr in METHODS and not self._is_method(called):
                self.refuse(node, METHODS[called.attr])
            if called.attr in REDUCTIONS and isinstance(called.value, ast.Compare | ast.BinOp | ast.BoolOp | ast.UnaryOp):
                self.refuse(node, MAKES_ARRAY)
            if self._is_method(called) and node.keywords:
                self.refuse(node, "methods are called without keywords in compiled rules: give the arguments by their places")
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            self.refuse(node, "compiled rules spell out the arguments of a call: no * and **")
        self.generic_visit(node)

    def _is_method(self, called: ast.Attribute) -> bool:
        return bool(self.me) and isinstance(called.value, ast.Name) and called.value.id == self.me and called.attr in self.methods

    def _module(self, node: ast.AST) -> Any:
        """The module that an expression names, or None."""
        if isinstance(node, ast.Name):
            value = self.scope.get(node.id)
        elif isinstance(node, ast.Attribute):
            value = getattr(self._module(node.value), node.attr, None)
        else:
            return None
        return value if isinstance(value, pytypes.ModuleType) and value is not math else None


def _calls(function: Callable, tree: ast.AST, methods: Mapping[str, Callable]) -> Iterator[tuple[Callable, ast.AST]]:
    """What a function calls of the author's own, and where."""
    scope = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    me = function.__code__.co_varnames[:1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and inspect.isfunction(scope.get(called.id)):
                yield scope[called.id], node
            elif isinstance(called, ast.Attribute) and called.attr in methods and getattr(called.value, "id", "") in me:
                yield methods[called.attr], node


def _refuse_recursion(game: str, calls: Mapping[Callable, list[tuple[Callable, ast.AST]]]) -> None:
    def leads_back(start: Callable, at: Callable, seen: set[Callable]) -> bool:
        for called, _ in calls.get(at, ()):
            if called is start:
                return True
            if called not in seen:
                seen.add(called)
                if leads_back(start, called, seen):
                    return True
        return False

    for function, called in calls.items():
        for target, node in called:
            if target is function or leads_back(function, target, {target}):
                _refuse(game, function, node, "a function that comes back to itself cannot be compiled: write a loop, with a field "
                                              "or the bits of a u64 for what is still to do")
