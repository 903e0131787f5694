"""Python functions as JavaScript: how a game's pictures, notation and words get into a page without being written twice.

    script = Script()
    name = script.value(function)     # a live function, with all that it reaches
    script.text()                     # JavaScript that needs `python.js`, the runtime

What is translated is alive: a name that a function has from outside is looked up in its closure and its module, and becomes
another translated function or class where that is code, and a constant where it is data. So a game made from parameters needs none
in the page, and only what is reached gets there. Whole numbers are BigInts, fractions are numbers, words of 64 bits wrap around as
NumPy's do; tuples, dicts and sets are the runtime's. What has no counterpart is refused, with its file and line.

>>> script = Script()
>>> def double(number): return 2 * number + len("ab")
>>> name = script.value(double)
>>> "$.add($.mul(2n, number), $.len(\\"ab\\"))" in script.text()
True
"""

from __future__ import annotations

import builtins
import dataclasses
import enum
import functools
import json
import math
import re
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from outplay.compiling.tables import Table
from outplay.pages.body import BUILTINS, Body, Untranslatable, safe, words

MODULES: dict[str, frozenset[str]] = {
    "math": words(
        "sin cos tan atan2 sqrt floor ceil hypot dist log log2 exp isfinite isnan comb prod gcd copysign fabs isclose "
        "isqrt"
    ),
    "itertools": words(
        "pairwise product chain combinations permutations accumulate count islice repeat zip_longest cycle "
        "takewhile dropwhile groupby starmap"
    ),
    "functools": words("reduce partial"),
    "textwrap": words("wrap"),
    "html": words("escape"),
    "dataclasses": words("replace fields"),
    "collections": words("Counter defaultdict deque OrderedDict"),
    "operator": words("itemgetter attrgetter add mul sub"),
    "contextlib": words("suppress nullcontext"),
    "re": words("compile match fullmatch search findall finditer split sub escape"),
    "numpy": words(
        "zeros ones full array asarray arange flatnonzero nonzero int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
        "float32 float64 bool_ sum any all ravel errstate where argmax argmin ndarray integer floating max min abs "
        "array_equal count_nonzero prod sqrt log exp cumsum floor maximum minimum sort argsort unique concatenate "
        "empty zeros_like"
    ),
    "copy": words("copy deepcopy"),
    "types": words("SimpleNamespace"),
    "base64": words("b64encode b64decode"),
    "string": words(""),
    "typing": words("cast"),
    "random": words(""),
}  # fmt: skip
"""What the runtime has of other modules; data of theirs may always be used."""

ABSTRACT = {"Mapping", "MutableMapping", "Sequence", "Iterable", "Iterator", "Hashable", "Callable", "Collection", "Set", "Sized"}


OWN = {
    "player",
    "is_terminal",
    "is_drawn",
    "utility",
    "actions",
    "count_actions",
    "chances",
    "play",
    "observe",
    "key",
    "reversible",
    "room",
    "states",
    "bind",
    "draw",
    "deal",
    "layout",
    "dtype",
    "traits",
}
"""What a record does by the compiled rules, or not at all."""


class Script:
    """JavaScript that grows with every live value that is asked for."""

    def __init__(self, native: Mapping[Any, str] | None = None) -> None:
        self.native = dict(native or {})  # what the page has of its own, such as the compiled rules: live function -> expression
        self.names: dict[int, str] = {}
        self.count = 0
        self.kept: list[Any] = []  # what is named stays alive, so that no other gets its id
        self.hoisted: list[str] = []
        self.constants: list[str] = []
        self.classes: list[tuple[type, str]] = []
        self.asked: set[str] = set()  # attribute names that translated code uses
        self.given: dict[str, set[str]] = {}  # and what each class has of them already
        self.texts: dict[str, str] = {}
        self.strict: set[tuple[str, str]] = set()  # attributes that must be told, of which class
        self.owners: dict[int, type] = {}

    # ---------------------------------------------------------------- live values

    def value(self, value: Any, at: str = "") -> str:
        """An expression for a live value."""
        if value is None or value is NotImplemented:
            return "null"
        if value is Ellipsis:
            return "undefined"
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, enum.Enum):
            return f"{self.value(type(value))}.{safe(value.name)}"
        if isinstance(value, np.uint64):
            return f"$.word({int(value)}n)"
        if isinstance(value, (int, np.integer)):
            return f"{int(value)}n" if int(value) >= 0 else f"(-{-int(value)}n)"
        if isinstance(value, (float, np.floating)):
            return (
                repr(float(value))
                if math.isfinite(value)
                else {"inf": "Infinity", "-inf": "(-Infinity)"}.get(str(float(value)), "NaN")
            )
        if isinstance(value, str):
            return self.string(value)
        if type(value) is tuple and not value:
            return "$.tuple_([])"
        known = self.names.get(id(value))
        if known is not None:
            return known
        return self._new(value, at)

    def string(self, value: str) -> str:
        """A text, once."""
        told = json.dumps(str(value)).replace("</", "<\\/")
        if len(told) < 30:
            return told
        if told not in self.texts:
            self.texts[told] = f"s{len(self.texts)}"
        return self.texts[told]

    def _name(self, value: Any) -> str:
        name = f"g{self.count}"
        self.count += 1
        self.names[id(value)] = name
        self.kept.append(value)
        return name

    def _constant(self, value: Any, expression: str) -> str:
        name = self._name(value)
        self.constants.append(f"const {name} = {expression};")
        return name

    def _new(self, value: Any, at: str) -> str:
        try:
            if value in self.native:
                return self.native[value]
        except TypeError:
            pass
        builtin = self._builtin(value)
        if builtin:
            return builtin
        if isinstance(value, functools.partial):
            parts = ", ".join(self.value(each, at) for each in value.args)
            kw = ", ".join(f"{safe(k)}: {self.value(v, at)}" for k, v in value.keywords.items())
            return self._constant(
                value, f"$.call($.functools.partial, [{', '.join(filter(None, [self.value(value.func, at), parts]))}], {{{kw}}})"
            )
        if isinstance(value, types.MethodType):
            return f"$.get({self.value(value.__self__, at)}, {json.dumps(value.__name__)})" if self.ask(value.__name__) else ""
        inner = getattr(value, "python", None)  # a kernel stays callable
        if isinstance(inner, types.FunctionType):
            return self.value(inner, at)
        if hasattr(value, "__wrapped__") and not isinstance(value, (types.FunctionType, type)):  # functools.cache
            return self.value(value.__wrapped__, at)
        if isinstance(value, types.FunctionType):
            if value.__module__ and value.__module__.partition(".")[0] in sys.stdlib_module_names | {"numpy", "numba"}:
                raise Untranslatable(f"{at}: a page cannot have {value.__module__}.{value.__qualname__}")
            return self._function(value)
        if isinstance(value, (staticmethod, classmethod)):
            return self.value(value.__func__, at)
        if isinstance(value, type):
            return self._class(value, at)
        if isinstance(value, types.ModuleType):
            raise Untranslatable(f"{at}: a page cannot have the module {value.__name__} as a value")
        return self._data(value, at)

    def _builtin(self, value: Any) -> str:
        name = getattr(value, "__name__", "")
        if name in BUILTINS and getattr(builtins, name, None) is value:
            return f"$.{safe(name)}"
        module = getattr(value, "__module__", "") or ""
        root = module.partition(".")[0]
        if isinstance(value, type) and module == "collections.abc" and name in ABSTRACT:
            return f"$.abc.{name}"
        if isinstance(value, np.ufunc):
            root = "numpy"
        for home in {root, "re" if root == "re" else root}:
            listed = MODULES.get(home, frozenset())
            if name in listed and getattr(sys.modules.get(home), name, None) is value:
                return f"$.{home}.{name}"
        if isinstance(value, type) and value in (np.bool_,):
            return "$.numpy.bool_"
        return ""

    def _data(self, value: Any, at: str) -> str:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            parts = ", ".join(self._part(each, at) for each in value)
            return self._constant(value, f"{self.value(type(value), at)}({parts})")
        if isinstance(value, tuple):
            return self._constant(value, f"$.tuple_([{', '.join(self.value(each, at) for each in value)}])")
        if isinstance(value, list):
            name = self._name(value)
            self.constants.append(f"const {name} = [];")
            self.constants.append(f"{name}.push({', '.join(self.value(each, at) for each in value)});" if value else "")
            return name
        if isinstance(value, (set, frozenset)):
            try:
                value_sorted = sorted(value)
            except TypeError:
                value_sorted = sorted(value, key=repr)
            return self._constant(value, f"$.set([{', '.join(self.value(each, at) for each in value_sorted)}])")
        if isinstance(value, (dict, types.MappingProxyType)):
            name = self._name(value)
            self.constants.append(f"const {name} = $.dict([]);")
            pairs = [(self.value(k, at), self.value(v, at)) for k, v in value.items()]
            self.constants += [f"{name}.set({k}, {v});" for k, v in pairs]
            return name
        if isinstance(value, range):
            return self._constant(value, f"$.range({value.start}n, {value.stop}n, {value.step}n)")
        if isinstance(value, (Table, np.ndarray)):
            return self._constant(value, self._array(np.asarray(value), at))
        if isinstance(value, re.Pattern):
            return self._constant(value, f"$.re.compile({json.dumps(value.pattern)}, {value.flags & ~re.UNICODE.value}n)")
        if isinstance(value, bytes):
            return self._constant(value, f"$.bytes({json.dumps(list(value))})")
        if isinstance(value, np.dtype):
            return self._constant(value, f"$.numpy.dtype({json.dumps(value.str)})")
        if isinstance(value, types.SimpleNamespace):
            name = self._name(value)
            self.constants.append(f"const {name} = {{}};")
            self.later(name, vars(value), at)
            return name
        if isinstance(value, Path):
            raise Untranslatable(f"{at}: a page cannot read files")
        if isinstance(value, BaseException) or type(value).__module__ in ("builtins", "_thread", "threading"):
            raise Untranslatable(f"{at}: a page cannot have a value such as {str(value)[:60]!r} ({type(value).__name__})")
        kind = self.value(type(value), at)
        name = self._name(value)
        fields = dict(getattr(value, "__dict__", {})) or {
            n: getattr(value, n) for n in getattr(type(value), "__slots__", ()) if hasattr(value, n)
        }
        cached = {n for n, v in vars(type(value)).items() if isinstance(v, functools.cached_property)}
        self.constants.append(f"const {name} = $.bare({kind});")
        self.later(name, {n: v for n, v in fields.items() if n not in cached}, at)
        return name

    def _part(self, value: Any, at: str) -> str:
        """A field of a tuple; a function that cannot be told is refused when it is called."""
        before = self._mark()
        try:
            return self.value(value, at)
        except Untranslatable as problem:
            if not callable(value):
                raise
            self._back(before)
            return f"(() => $.refused({json.dumps(str(problem))}))"

    def later(self, name: str, fields: Mapping[str, Any], at: str) -> None:
        """The fields of an object, once its name is known: they may lead back to it."""
        for field, each in fields.items():
            before = self._mark()
            try:
                told = f"{name}[{json.dumps(field)}] = {self.value(each, at)};"
            except Untranslatable as problem:  # refused when it is used
                self._back(before)
                told = f"$.withheld({name}, {json.dumps(field)}, {json.dumps(str(problem))});"
            self.constants.append(told)

    def _mark(self) -> tuple:
        return (
            len(self.hoisted),
            len(self.constants),
            len(self.names),
            len(self.classes),
            set(self.asked),
            {name: set(given) for name, given in self.given.items()},
        )

    def _back(self, before: tuple) -> None:
        """Forget what was made since a mark."""
        del self.hoisted[before[0] :], self.constants[before[1] :], self.classes[before[3] :]
        for known in list(self.names)[before[2] :]:
            del self.names[known]
        self.asked, self.given = before[4], before[5]

    def _array(self, array: np.ndarray, at: str) -> str:
        if array.dtype.names or array.dtype.kind not in "iufb":
            raise Untranslatable(f"{at}: a page cannot have an array of {array.dtype}")
        if array.nbytes > 4 << 20:
            return (
                f"$.absent({json.dumps(f'{at}: pictures and notation in a page cannot have an array of {array.nbytes >> 20} MB')})"
            )
        flat = array.ravel().tolist()
        if array.dtype.kind == "f":
            told = json.dumps([each if math.isfinite(each) else str(each) for each in flat])
        elif array.dtype.itemsize == 8 and any(abs(each) > 2**53 for each in flat):
            told = json.dumps([str(each) for each in flat])
        else:
            told = json.dumps([int(each) for each in flat], separators=(",", ":"))
        return f"$.numpy.constant({json.dumps(array.dtype.str[1:])}, {json.dumps(list(array.shape))}, {told})"

    # ---------------------------------------------------------------- functions and classes

    def _function(self, function: types.FunctionType) -> str:
        name = self._name(function)
        place = len(self.hoisted)
        self.hoisted.append("")
        self.hoisted[place] = Body(self, function).declared(name)
        return name

    def _class(self, cls: type, at: str) -> str:
        if cls.__module__ == "builtins" or not any(isinstance(each, (types.FunctionType, property, staticmethod, classmethod)) or
                                                   dataclasses.is_dataclass(cls) or issubclass(cls, (Exception, enum.Enum, tuple))
                                                   for each in (*vars(cls).values(), None)):  # fmt: skip
            raise Untranslatable(f"{at}: a page cannot have {cls.__module__}.{cls.__qualname__}")
        if cls.__module__.partition(".")[0] in sys.stdlib_module_names | {"numpy", "numba"}:
            raise Untranslatable(f"{at}: a page cannot have {cls.__module__}.{cls.__qualname__}")
        bases = [
            self.value(base, at)
            for base in cls.__bases__
            if base not in (object, np.record, enum.Enum, enum.IntEnum, enum.StrEnum, int, str) and base.__name__ != "Generic"
        ]
        name = self._name(cls)
        more: dict[str, str] = {}
        if issubclass(cls, np.record) and isinstance(getattr(cls, "layout", None), np.dtype):
            fields = json.dumps(record_fields(vars(cls)["layout"]))
            self.constants.append(f"const {name} = record({json.dumps(cls.__name__)}, [{', '.join(bases)}], {fields});")
            return self._known(cls, name)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            bases = []
            more["named"] = self._fields(
                [(field, vars(cls)["_field_defaults"].get(field, dataclasses.MISSING), None) for field in cls._fields], at
            )
        elif dataclasses.is_dataclass(cls):
            more["data"] = self._fields([(f.name, f.default, f.default_factory) for f in dataclasses.fields(cls) if f.init], at)
        elif issubclass(cls, enum.Enum):
            told = ", ".join(f"[{json.dumps(each.name)}, {self.value(each.value, at)}]" for each in cls)
            more["members"] = f"[{told}]"
        told = ", ".join(f"{k}: {v}" for k, v in more.items())
        self.constants.append(f"const {name} = $.class_({json.dumps(cls.__name__)}, [{', '.join(bases)}], {{{told}}});")
        return self._known(cls, name)

    def _known(self, cls: type, name: str) -> str:
        """A class that stands in the page now: it gets its members as they are asked for."""
        self.classes.append((cls, name))
        self.given[name] = set()
        for attribute in vars(cls):
            if attribute in (
                "__init__",
                "__iter__",
                "__len__",
                "__getitem__",
                "__contains__",
                "__eq__",
                "__str__",
                "__repr__",
                "__bool__",
                "__call__",
                "__post_init__",
                "__new__",
                "__hash__",
                "__add__",
                "__lt__",
                "__enter__",
                "__exit__",
            ):
                self._member(cls, name, attribute)
        for attribute in sorted(self.asked):
            self._member(cls, name, attribute)
        return name

    def _fields(self, fields: list[tuple[str, Any, Any]], at: str) -> str:
        told = []
        for field, default, factory in fields:
            if factory is not None and factory is not dataclasses.MISSING:
                told.append(f"[{json.dumps(field)}, null, {self.value(factory, at)}]")
            elif default is dataclasses.MISSING:
                told.append(f"[{json.dumps(field)}]")
            else:
                told.append(f"[{json.dumps(field)}, {self.value(default, at)}]")
        return f"[{', '.join(told)}]"

    def ask(self, attribute: str) -> bool:
        """Translated code uses an attribute of this name: every class in the page gets its own of it."""
        if attribute not in self.asked:
            self.asked.add(attribute)
            for cls, name in list(self.classes):
                self._member(cls, name, attribute)
        return True

    def _member(self, cls: type, name: str, attribute: str) -> None:
        if attribute not in vars(cls) or attribute in self.given[name]:
            return
        member = vars(cls)[attribute]
        if attribute in OWN and issubclass(cls, np.record):
            return
        is_made = dataclasses.is_dataclass(cls) and attribute in ("__init__", "__eq__", "__repr__", "__hash__") and isinstance(
            member, types.FunctionType) and Path(member.__code__.co_filename).name in ("<string>", "dataclasses.py")  # fmt: skip
        if is_made or type(member).__name__ in ("member_descriptor", "getset_descriptor", "_tuplegetter"):
            return
        if issubclass(cls, enum.Enum) and attribute in cls.__members__:
            return
        if (
            issubclass(cls, tuple)
            and hasattr(cls, "_fields")
            and attribute in ("__new__", "__repr__", "__getnewargs__", "_make", "_replace", "_asdict")
        ):
            return
        self.given[name].add(attribute)
        if (name, attribute) in self.strict:
            self._emit(cls, name, attribute, member)
            return
        # Asked for by its name alone, perhaps of another class: what cannot be told is refused when it is used.
        before = self._mark()
        try:
            self._emit(cls, name, attribute, member)
        except Untranslatable as problem:
            self._back(before)
            self.constants.append(f"$.method_({name}, {json.dumps(attribute)}, () => $.refused({json.dumps(str(problem))}));")

    def require(self, cls: type, attribute: str) -> None:
        """A class's own code uses this attribute of it: it must be told."""
        name = self.names.get(id(cls), "")
        for known, its in list(self.classes):
            if attribute in vars(known) and (known is cls or issubclass(cls, known) or issubclass(known, cls)):
                self.strict.add((its, attribute))
        if name or attribute:
            self.ask(attribute)

    def _emit(self, cls: type, name: str, attribute: str, member: Any) -> None:
        key = json.dumps(attribute)
        at = f"{cls.__name__}.{attribute}"
        if isinstance(member, property):
            self.constants.append(f"$.property_({name}, {key}, () => {self._own(member.fget, cls)});")
        elif isinstance(member, functools.cached_property):
            self.constants.append(f"$.property_({name}, {key}, () => {self._own(member.func, cls)});")
        elif isinstance(member, staticmethod):
            self.constants.append(f"$.static_({name}, {key}, () => {self.value(member.__func__, at)});")
        elif isinstance(member, classmethod):
            self.constants.append(f"$.classmethod_({name}, {key}, () => {self.value(member.__func__, at)});")
        elif isinstance(member, types.FunctionType) or isinstance(getattr(member, "__wrapped__", None), types.FunctionType):
            self.constants.append(f"$.method_({name}, {key}, () => {self._own(getattr(member, '__wrapped__', member), cls)});")
        elif isinstance(getattr(member, "python", None), types.FunctionType):
            self.constants.append(f"$.method_({name}, {key}, () => {self._own(member.python, cls)});")
        else:
            told = self.value(member, at)
            self.constants.append(f"$.static_({name}, {key}, () => {told});")

    def _own(self, function: Any, cls: type) -> str:
        """A method, whose first argument is of a class that is known."""
        self.owners.setdefault(id(function), cls)
        return self.value(function)

    def text(self) -> str:
        """All of it: texts, functions, then constants in the order in which they were needed."""
        texts = "".join(f"const {name} = {told};\n" for told, name in self.texts.items())
        return texts + "\n".join(self.hoisted) + "\n" + "\n".join(filter(None, self.constants)) + "\n"


def record_fields(kind: np.dtype) -> list[list[Any]]:
    """Name, type, shape and offset of all fields of a record, but for the mark of its rules."""
    told = []
    for name in (kind.names or ())[:-1]:
        part, offset = dict(kind.fields or {})[name][:2]
        base, shape = part.subdtype or (part, ())
        told.append([name, base.str[1:], list(shape), int(offset)])
    return told
