"""One live function as JavaScript: its names, its statements, its expressions.

What a name outside the function stands for is the script's business (`translate.Script`), which asks for functions one by one.
"""

from __future__ import annotations

import ast
import builtins
import functools
import json
import linecache
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outplay import syntax
from outplay.errors import OutplayError

if TYPE_CHECKING:
    from outplay.pages.translate import Script



def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


RESERVED = words(
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false "
    "finally for function if implements import in instanceof interface let new null package private protected public return "
    "static super switch this throw true try typeof var void while with yield undefined NaN Infinity Object Array Map Set "
    "String Number BigInt Math"
)

BUILTINS = words(
    "abs all any bin bool callable chr dict divmod enumerate filter float format frozenset getattr hasattr hash hex id int "
    "isinstance issubclass iter len list map max min next object ord pow print range repr reversed round set setattr slice "
    "sorted str sum tuple type zip bytes bytearray Exception ValueError KeyError IndexError TypeError AttributeError "
    "StopIteration RuntimeError OverflowError ZeroDivisionError LookupError ArithmeticError AssertionError "
    "NotImplementedError"
)

class Untranslatable(OutplayError):
    """Code that a page cannot have, with its file and line."""


@functools.cache
def _tree(file: str) -> ast.Module:
    return syntax.parse("".join(linecache.getlines(file)), file)  # nothing of what was never in a file


@functools.cache
def _functions(file: str) -> dict[tuple[int, str], list[Any]]:
    """The functions of a file by their first line and name."""
    found: dict[tuple[int, str], list[Any]] = {}
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found.setdefault((first, node.name), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault((node.lineno, "<lambda>"), []).append(node)
    return found


def where(function: Any) -> str:
    """A function's file and line."""
    code = function.__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def safe(name: str) -> str:
    """A name that JavaScript takes."""
    return f"{name}$" if name in RESERVED else name


class Scope:
    """The names that one function, or one comprehension in it, has of its own."""

    def __init__(self, names: set[str], outer: Scope | None) -> None:
        self.names, self.outer = names, outer

    def has(self, name: str) -> bool:
        """Whether a name is one of JavaScript's variables here."""
        return name in self.names or (self.outer is not None and self.outer.has(name))


def _targets(node: Any) -> Iterator[str]:
    """The names that an assignment's left side gives."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, (ast.Tuple, ast.List)):
        for each in node.elts:
            yield from _targets(each)
    elif isinstance(node, ast.Starred):
        yield from _targets(node.value)


def _assigned(body: list[Any]) -> set[str]:
    """The names that a function's statements assign, without those of functions and comprehensions inside."""
    found: set[str] = set()
    kept: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            for part in ast.walk(node):
                if isinstance(part, ast.NamedExpr):
                    found.add(part.target.id)
            walk(node.generators[0].iter)
            return
        if isinstance(node, (ast.Assign,)):
            for target in node.targets:
                found.update(_targets(target))
        elif isinstance(node, (ast.AugAssign, ast.For)) or (isinstance(node, ast.AnnAssign) and node.value is not None):
            found.update(_targets(node.target))
        elif isinstance(node, ast.NamedExpr):
            found.add(node.target.id)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            found.update(_targets(node.optional_vars))
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, (ast.Nonlocal, ast.Global)):
            kept.update(node.names)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            found.add(node.name)
        for child in ast.iter_child_nodes(node):
            walk(child)

    for statement in body:
        walk(statement)
    return found - kept


BINARY = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow_",
    ast.LShift: "shl",
    ast.RShift: "shr",
    ast.BitOr: "or_",
    ast.BitAnd: "and_",
    ast.BitXor: "xor",
    ast.MatMult: "",
}
COMPARED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


class Body:
    """One live function on its way into JavaScript."""

    def __init__(self, script: Script, function: types.FunctionType) -> None:
        self.script, self.function = script, function
        code = function.__code__
        self.file = code.co_filename
        found = _functions(self.file).get((code.co_firstlineno, code.co_name), [])
        if len(found) > 1 and code.co_name == "<lambda>":
            found = [node for node in found if [each.arg for each in node.args.args] == list(code.co_varnames[: code.co_argcount])][
                :1
            ]
        if not found:
            raise Untranslatable(f"{where(function)}: the source of {function.__qualname__} cannot be found, and a page needs it")
        self.node = found[0]
        self.outside = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        self.temporaries: list[set[str]] = []
        self.scope: Scope | None = None
        self.generators: list[bool] = []
        self.classes: list[Any] = []

    def refuse(self, node: Any, what: str) -> Untranslatable:
        """The one line for what has no counterpart."""
        return Untranslatable(f"{Path(self.file).name}:{getattr(node, 'lineno', 0)}: a page cannot have {what}")

    def declared(self, name: str) -> str:
        """The function with its name, hoisted."""
        return self.made(self.node, name, self.function.__defaults__, self.function.__kwdefaults__)

    def made(self, node: Any, name: str, defaults: Any = None, kwdefaults: Any = None) -> str:
        """A function, a nested one, or a lambda."""
        arguments = node.args
        plain = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        only = [each.arg for each in arguments.kwonlyargs]
        names = {*plain, *only, *(each.arg for each in (arguments.vararg, arguments.kwarg) if each)}
        body = node.body if isinstance(node.body, list) else [ast.Return(node.body, lineno=node.lineno, col_offset=0)]
        here = _assigned(body)
        live = name != "" and node is self.node
        # Defaults are worked out where the function is made.
        told: dict[str, str] = {}
        if live:
            for each, value in zip(plain[len(plain) - len(defaults or ()) :], defaults or (), strict=True):
                told[each] = self.script.value(value, self._at(node))
            for each, value in (kwdefaults or {}).items():
                told[each] = self.script.value(value, self._at(node))
        else:
            given = arguments.defaults
            for each, value in zip(plain[len(plain) - len(given) :], given, strict=True):
                told[each] = self.expression(value)
            for each, value in zip(only, arguments.kw_defaults, strict=True):
                if value is not None:
                    told[each] = self.expression(value)
        outer = self.scope
        self.scope = Scope(names | here, outer)
        self.temporaries.append(set())
        is_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in _own(body))
        self.generators.append(is_generator)
        lines = self.block(body)
        temporaries = self.temporaries.pop()
        self.generators.pop()
        self.scope = outer
        declared = sorted(safe(each) for each in (here - names)) + sorted(temporaries)
        head = f"let {', '.join(declared)};\n" if declared else ""
        star = "*" if is_generator else ""
        signature = json.dumps(
            [plain, only, arguments.vararg.arg if arguments.vararg else None, arguments.kwarg.arg if arguments.kwarg else None]
        )
        simple = not only and not arguments.vararg and not arguments.kwarg
        if live:
            lazily = "".join(f"if ({safe(k)} === undefined) {safe(k)} = {v};\n" for k, v in told.items())
            own = name
        else:
            own = f"$d{len(self.temporaries)}_{node.lineno}_{node.col_offset}"
            lazily = "".join(f"if ({safe(k)} === undefined) {safe(k)} = {own}[{n}];\n" for n, k in enumerate(told))
        if simple:
            head = lazily + head
            text = f"{{\n{head}{lines}}}"
            made = f"function{star} {name}({', '.join(map(safe, plain))}) {text}"
        else:
            taken = [
                *plain,
                *([arguments.vararg.arg] if arguments.vararg else []),
                *only,
                *([arguments.kwarg.arg] if arguments.kwarg else []),
            ]
            made = (
                f"function{star} {name}(...$all) {{\nlet [{', '.join(map(safe, taken))}] = $.bind({signature}, $all);\n"
                f"{lazily}{head}{lines}}}"
            )
        if live:
            return f"{made}\n{name}.sig = {signature};"
        wrapped = f"$.fn({signature}, {made})"
        if told:
            wrapped = f"(({own}) => {wrapped})([{', '.join(told.values())}])"
        return wrapped

    def _at(self, node: Any) -> str:
        return f"{Path(self.file).name}:{getattr(node, 'lineno', 0)}"

    # ---------------------------------------------------------------- statements

    def block(self, body: list[Any]) -> str:
        """Statements one after the other."""
        return "".join(self.statement(each) + "\n" for each in body)

    def temporary(self) -> str:
        """A fresh variable of the function around."""
        name = f"$t{sum(map(len, self.temporaries))}"
        self.temporaries[-1].add(name)
        return name

    def statement(self, node: Any) -> str:
        """One statement."""
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            raise self.refuse(node, f"the statement {type(node).__name__.lower()}")
        return str(method(node))

    def _expr(self, node: Any) -> str:
        if isinstance(node.value, ast.Constant):
            return ""
        if isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            return self._yielded(node.value) + ";"
        return self.expression(node.value) + ";"

    def _return(self, node: Any) -> str:
        return f"return {self.expression(node.value) if node.value else 'null'};"

    def _pass(self, node: Any) -> str:
        return ""

    def _break(self, node: Any) -> str:
        return "break;" if not self._loops[-1] else f"{{ {self._loops[-1]} = false; break; }}"

    def _continue(self, node: Any) -> str:
        return "continue;"

    _loops: tuple[str, ...] = ("",)

    def _if(self, node: Any) -> str:
        test = self.test(node.test)
        told = f"if ({test}) {{\n{self.block(node.body)}}}"
        return told + (f" else {{\n{self.block(node.orelse)}}}" if node.orelse else "")

    def _while(self, node: Any) -> str:
        return self._loop(node, f"while ({self.test(node.test)}) {{\n", "")

    def _for(self, node: Any) -> str:
        item = self.temporary()
        # JavaScript's own loop variable: functions made inside see the last value, as Python's do.
        return self._loop(node, f"for ({item} of $.iter({self.expression(node.iter)})) {{\n{self.assign(node.target, item)}\n", "")

    def _loop(self, node: Any, head: str, tail: str) -> str:
        before = self._loops
        whole = self.temporary() if node.orelse else ""
        self._loops = (*before, whole)
        body = self.block(node.body)
        self._loops = before
        told = f"{head}{body}{tail}}}"
        return f"{whole} = true;\n{told}\nif ({whole}) {{\n{self.block(node.orelse)}}}" if whole else told

    def _assign(self, node: Any) -> str:
        if len(node.targets) == 1:
            return self.assign(node.targets[0], self.expression(node.value))
        item = self.temporary()
        return f"{item} = {self.expression(node.value)};\n" + "\n".join(self.assign(each, item) for each in node.targets)

    def _annassign(self, node: Any) -> str:
        return self.assign(node.target, self.expression(node.value)) if node.value is not None else ""

    def _augassign(self, node: Any) -> str:
        operation = BINARY[type(node.op)]
        value = self.expression(node.value)
        if isinstance(node.target, ast.Name):
            return f"{safe(node.target.id)} = $.i{operation}({self.expression(node.target)}, {value});"
        holder = self.temporary()
        if isinstance(node.target, ast.Attribute):
            self.script.ask(node.target.attr)
            key = json.dumps(node.target.attr)
            return f"{holder} = {self.expression(node.target.value)}; {holder}[{key}] = $.i{operation}({holder}[{key}], {value});"
        index = self.temporary()
        return (
            f"{holder} = {self.expression(node.target.value)}; {index} = {self.expression(node.target.slice)}; "
            f"$.setitem({holder}, {index}, $.i{operation}($.getitem({holder}, {index}), {value}));"
        )

    def assign(self, target: Any, value: str) -> str:
        """A value given to a name, a place, or several."""
        if isinstance(target, ast.Name):
            return f"{safe(target.id)} = {value};"
        if isinstance(target, ast.Attribute):
            self.script.ask(target.attr)
            return f"{self.expression(target.value)}[{json.dumps(target.attr)}] = {value};"
        if isinstance(target, ast.Subscript):
            return f"$.setitem({self.expression(target.value)}, {self.expression(target.slice)}, {value});"
        if isinstance(target, (ast.Tuple, ast.List)):
            item = self.temporary()
            star = next((n for n, each in enumerate(target.elts) if isinstance(each, ast.Starred)), -1)
            lines = [f"{item} = $.unpack({value}, {len(target.elts)}, {star});"]
            for number, each in enumerate(target.elts):
                lines.append(self.assign(each.value if isinstance(each, ast.Starred) else each, f"{item}[{number}]"))
            return "\n".join(lines)
        raise self.refuse(target, "such an assignment")

    def _functiondef(self, node: Any) -> str:
        if node.decorator_list:
            raise self.refuse(node, "a decorator inside a function")
        return f"{safe(node.name)} = {self.made(node, '')};"

    def _nonlocal(self, node: Any) -> str:
        return ""

    def _delete(self, node: Any) -> str:
        lines = []
        for target in node.targets:
            if not isinstance(target, ast.Subscript):
                raise self.refuse(node, "del of anything but an item")
            lines.append(f"$.delitem({self.expression(target.value)}, {self.expression(target.slice)});")
        return "\n".join(lines)

    def _assert(self, node: Any) -> str:
        message = self.expression(node.msg) if node.msg else '""'
        return f"if (!({self.test(node.test)})) throw $.AssertionError({message});"

    def _raise(self, node: Any) -> str:
        if node.exc is None:
            return "throw $e;"
        return f"throw $.raised({self.expression(node.exc)});"

    def _try(self, node: Any) -> str:
        told = f"try {{\n{self.block(node.body)}"
        done = self.temporary() if node.orelse else ""
        if done:
            told = f"{done} = false;\n{told}{done} = true;\n"
        told += "}"
        if node.handlers:
            told += " catch ($e) {\n$e = $.caught($e);\n"
            for number, handler in enumerate(node.handlers):
                test = "true" if handler.type is None else f"$.isinstance($e, {self.expression(handler.type)})"
                named = f"{safe(handler.name)} = $e;\n" if handler.name else ""
                told += f"{'else ' if number else ''}if ({test}) {{\n{named}{self.block(handler.body)}}}\n"
            told += "else throw $e;\n}"
        rest = f"\nif ({done}) {{\n{self.block(node.orelse)}}}" if done else ""
        if node.finalbody:
            told += f" finally {{\n{self.block(node.finalbody)}}}"
        return told + rest

    def _with(self, node: Any) -> str:
        opened = []
        for item in node.items:
            call = item.context_expr
            name = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
            if name.endswith("errstate"):
                continue
            if name.endswith("suppress"):
                kinds = ", ".join(map(self.expression, call.args))
                opened.append(("try {\n", f"}} catch ($e) {{ if (!$.isinstance($.caught($e), $.tuple_([{kinds}]))) throw $e; }}\n"))
                continue
            raise self.refuse(node, f"with {ast.unparse(call)}")
        return "".join(head for head, _ in opened) + self.block(node.body) + "".join(tail for _, tail in reversed(opened))

    def _import(self, node: Any) -> str:
        raise self.refuse(node, "an import inside a function")

    def _importfrom(self, node: Any) -> str:
        import importlib

        home = importlib.import_module(node.module)
        lines = []
        for each in node.names:
            name = each.asname or each.name
            assert self.scope is not None
            self.scope.names.add(name)
            lines.append(f"var {safe(name)} = {self.script.value(getattr(home, each.name), self._at(node))};")
        return "\n".join(lines)

    def _match(self, node: Any) -> str:
        subject = self.temporary()
        told = f"{subject} = {self.expression(node.subject)};\n"
        for number, case in enumerate(node.cases):
            test = self._pattern(case.pattern, subject)
            if case.guard is not None:
                test = f"({test}) && ({self.test(case.guard)})"
            told += f"{'else ' if number else ''}if ({test}) {{\n{self.block(case.body)}}}\n"
        return told

    def _pattern(self, pattern: Any, subject: str) -> str:
        if isinstance(pattern, ast.MatchValue):
            return f"$.eq({subject}, {self.expression(pattern.value)})"
        if isinstance(pattern, ast.MatchSingleton):
            return f"{subject} === {self.script.value(pattern.value)}"
        if isinstance(pattern, ast.MatchOr):
            return " || ".join(f"({self._pattern(each, subject)})" for each in pattern.patterns)
        if isinstance(pattern, ast.MatchAs):
            inner = self._pattern(pattern.pattern, subject) if pattern.pattern is not None else "true"
            return f"({inner}) && (({safe(pattern.name)} = {subject}), true)" if pattern.name else inner
        if isinstance(pattern, ast.MatchSequence) and not any(isinstance(each, ast.MatchStar) for each in pattern.patterns):
            parts = [f"$.isinstance({subject}, $.tuple_([$.tuple, $.list])) && $.len({subject}) === {len(pattern.patterns)}n"]
            for number, each in enumerate(pattern.patterns):
                item = self.temporary()
                parts.append(f"(({item} = $.getitem({subject}, {number}n)), true) && ({self._pattern(each, item)})")
            return " && ".join(parts)
        raise self.refuse(pattern, "such a case pattern")

    # ---------------------------------------------------------------- expressions

    def expression(self, node: Any) -> str:
        """One expression."""
        method = getattr(self, "_e_" + type(node).__name__.lower(), None)
        if method is None:
            raise self.refuse(node, f"the expression {type(node).__name__}")
        return str(method(node))

    def test(self, node: Any) -> str:
        """An expression as a condition."""
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            told = self.expression(node)
            return told
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + sign.join(self.test(each) for each in node.values) + ")"
        return f"$.truth({self.expression(node)})"

    def _e_constant(self, node: Any) -> str:
        return self.script.value(node.value, self._at(node))

    def _e_name(self, node: Any) -> str:
        if self.scope is not None and self.scope.has(node.id):
            return safe(node.id)
        return self.script.value(self.live(node), self._at(node))

    def live(self, node: Any) -> Any:
        """The live value of a name from outside."""
        if node.id in self.outside:
            try:
                return self.outside[node.id].cell_contents
            except ValueError:
                raise self.refuse(node, f"{node.id}, which has no value yet") from None
        if node.id in self.function.__globals__:
            return self.function.__globals__[node.id]
        if hasattr(builtins, node.id):
            value = getattr(builtins, node.id)
            if node.id in BUILTINS:
                return value
            raise self.refuse(node, f"Python's {node.id}")
        raise self.refuse(node, f"the name {node.id}, which is not defined")

    def _static(self, node: Any) -> Any:
        """The live value of `module.name`, where a name stands for a module; else Ellipsis."""
        if isinstance(node, ast.Name) and not (self.scope is not None and self.scope.has(node.id)):
            try:
                return self.live(node)
            except Untranslatable:
                return Ellipsis
        if isinstance(node, ast.Attribute):
            owner = self._static(node.value)
            if isinstance(owner, types.ModuleType):
                return getattr(owner, node.attr, Ellipsis)
        return Ellipsis

    def _e_attribute(self, node: Any) -> str:
        owner = self._static(node.value)
        if isinstance(owner, types.ModuleType):
            found = getattr(owner, node.attr, Ellipsis)
            if found is Ellipsis:
                raise self.refuse(node, f"{owner.__name__}.{node.attr}, which there is not")
            if isinstance(found, types.ModuleType):
                raise self.refuse(node, f"the module {found.__name__} as a value")
            return self._checked(node, found, f"{owner.__name__}.{node.attr}")
        self._asked(node)
        return f"$.get({self.expression(node.value)}, {json.dumps(node.attr)})"

    def _asked(self, node: Any) -> None:
        """An attribute is used: of the class itself where a method uses it of its first argument, else of whatever has it."""
        owner = self.script.owners.get(id(self.function))
        first = self.node.args.args[:1]
        if owner is not None and first and isinstance(node.value, ast.Name) and node.value.id == first[0].arg:
            self.script.require(owner, node.attr)
        self.script.ask(node.attr)

    def _checked(self, node: Any, found: Any, name: str) -> str:
        try:
            return self.script.value(found, self._at(node))
        except Untranslatable as problem:
            if Path(self.file).name in str(problem).split(":")[0] or ".py:" in str(problem):
                raise
            raise self.refuse(node, name) from None

    def _e_subscript(self, node: Any) -> str:
        return f"$.getitem({self.expression(node.value)}, {self.expression(node.slice)})"

    def _e_slice(self, node: Any) -> str:
        parts = ["null" if each is None else self.expression(each) for each in (node.lower, node.upper, node.step)]
        return f"new $.Slice({', '.join(parts)})"

    def _e_starred(self, node: Any) -> str:
        return f"...$.iter({self.expression(node.value)})"

    def _e_tuple(self, node: Any) -> str:
        return f"$.tuple_([{', '.join(map(self.expression, node.elts))}])"

    def _e_list(self, node: Any) -> str:
        return f"[{', '.join(map(self.expression, node.elts))}]"

    def _e_set(self, node: Any) -> str:
        return f"$.set([{', '.join(map(self.expression, node.elts))}])"

    def _e_dict(self, node: Any) -> str:
        parts = []
        for key, value in zip(node.keys, node.values, strict=True):
            parts.append(f"...$.pairs({self.expression(value)})" if key is None
                         else f"[{self.expression(key)}, {self.expression(value)}]")  # fmt: skip
        return f"$.dict([{', '.join(parts)}])"

    def _e_binop(self, node: Any) -> str:
        name = BINARY[type(node.op)]
        if not name:
            raise self.refuse(node, "the operator @")
        return f"$.{name}({self.expression(node.left)}, {self.expression(node.right)})"

    def _e_unaryop(self, node: Any) -> str:
        if isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}" if not isinstance(node.operand, ast.Compare) else f"!({self.test(node.operand)})"
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self.script.value(-node.operand.value)  # type: ignore[operator]  # a number stands there
        name = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}[type(node.op)]
        return f"$.{name}({self.expression(node.operand)})"

    def _e_boolop(self, node: Any) -> str:
        *first, last = node.values
        told = self.expression(last)
        for each in reversed(first):
            item = self.temporary()
            test = f"$.truth({item} = {self.expression(each)})"
            told = f"({test} ? {told} : {item})" if isinstance(node.op, ast.And) else f"({test} ? {item} : {told})"
        return told

    def _e_compare(self, node: Any) -> str:
        left = self.expression(node.left)
        parts = []
        for number, (operation, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            told = self.expression(right)
            if number < len(node.ops) - 1:
                item = self.temporary()
                told = f"({item} = {told})"
            else:
                item = ""
            if type(operation) in COMPARED:
                parts.append(f"$.{COMPARED[type(operation)]}({left}, {told})")
            elif isinstance(operation, (ast.In, ast.NotIn)):
                parts.append(f"{'!' if isinstance(operation, ast.NotIn) else ''}$.contains({told}, {left})")
            else:
                parts.append(f"{'!' if isinstance(operation, ast.IsNot) else ''}$.is({left}, {told})")
            left = item
        return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"

    def _e_ifexp(self, node: Any) -> str:
        return f"({self.test(node.test)} ? {self.expression(node.body)} : {self.expression(node.orelse)})"

    def _e_namedexpr(self, node: Any) -> str:
        return f"({safe(node.target.id)} = {self.expression(node.value)})"

    def _e_lambda(self, node: Any) -> str:
        return self.made(node, "")

    def _e_joinedstr(self, node: Any) -> str:
        return f"$.join([{', '.join(map(self.expression, node.values))}])" if node.values else '""'

    def _e_formattedvalue(self, node: Any) -> str:
        spec = self.expression(node.format_spec) if node.format_spec is not None else '""'
        kind = {-1: "", 115: "s", 114: "r", 97: "r"}[node.conversion]
        return f"$.fmt({self.expression(node.value)}, {spec}, {json.dumps(kind)})"

    def _e_call(self, node: Any) -> str:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            raise self.refuse(node, "super() other than super().method(...)")
        if (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Call)
            and isinstance(node.func.value.func, ast.Name)
            and node.func.value.func.id == "super"
        ):
            self.script.ask(node.func.attr)
            owner = self.script.value(self.outside["__class__"].cell_contents, self._at(node))
            self_name = safe(self.node.args.args[0].arg)
            function = f"$.above({owner}, {self_name}, {json.dumps(node.func.attr)})"
            return self._called(function, node)
        if isinstance(node.func, ast.Name) and node.func.id in ("cast",) and len(node.args) == 2:
            return self.expression(node.args[1])
        if isinstance(node.func, ast.Attribute) and not isinstance(self._static(node.func.value), types.ModuleType):
            self._asked(node.func)
            if not node.keywords:
                arguments = ", ".join(
                    [self.expression(node.func.value), json.dumps(node.func.attr), *map(self.expression, node.args)]
                )
                return f"$.m({arguments})"
        return self._called(self.expression(node.func), node)

    def _called(self, function: str, node: Any) -> str:
        arguments = ", ".join(map(self.expression, node.args))
        if not node.keywords:
            return f"{function}({arguments})" if re.fullmatch(r"[$\w.]+", function) else f"$.run({function}, [{arguments}])"
        keys = []
        for each in node.keywords:
            keys.append(f"...$.object({self.expression(each.value)})" if each.arg is None
                        else f"{json.dumps(each.arg)}: {self.expression(each.value)}")  # fmt: skip
        return f"$.call({function}, [{arguments}], {{{', '.join(keys)}}})"

    def _comprehended(self, node: Any, head: str, inner: Any, tail: str, star: str = "") -> str:
        first = self.expression(node.generators[0].iter)
        names: set[str] = set()
        for each in node.generators:
            names.update(_targets(each.target))
        outer = self.scope
        self.scope = Scope(names, outer)
        self.temporaries.append(set())
        lines, closing = "", ""
        for number, each in enumerate(node.generators):
            source = "$source" if number == 0 else f"$.iter({self.expression(each.iter)})"
            item = f"$i{number}"
            own = sorted({safe(name) for name in _targets(each.target)})
            lines += (
                f"for (const {item} of {source}) {{ let {', '.join(own)};\n{self.assign(each.target, item)}\n"
                if own
                else f"for (const {item} of {source}) {{\n"
            )
            closing += "}"
            for test in each.ifs:
                lines += f"if (!({self.test(test)})) continue;\n"
        body = inner()
        temporaries = self.temporaries.pop()
        self.scope = outer
        declared = f"let {', '.join(sorted(temporaries))};\n" if temporaries else ""
        return f"(function{star}($source) {{\n{declared}{head}{lines}{body}\n{closing}{tail} }})($.iter({first}))"

    def _e_listcomp(self, node: Any) -> str:
        return self._comprehended(node, "const $r = [];\n", lambda: f"$r.push({self.expression(node.elt)});", "\nreturn $r;")

    def _e_setcomp(self, node: Any) -> str:
        return self._comprehended(node, "const $r = $.set([]);\n", lambda: f"$r.add({self.expression(node.elt)});", "\nreturn $r;")

    def _e_dictcomp(self, node: Any) -> str:
        return self._comprehended(
            node,
            "const $r = $.dict([]);\n",
            lambda: f"$r.set({self.expression(node.key)}, {self.expression(node.value)});",
            "\nreturn $r;",
        )

    def _e_generatorexp(self, node: Any) -> str:
        return self._comprehended(node, "", lambda: f"yield {self.expression(node.elt)};", "", "*")

    def _yielded(self, node: Any) -> str:
        if isinstance(node, ast.YieldFrom):
            return f"yield* $.iter({self.expression(node.value)})"
        return f"yield {self.expression(node.value) if node.value else 'null'}"

    def _e_yield(self, node: Any) -> str:
        return f"({self._yielded(node)})"

    _e_yieldfrom = _e_yield


def _own(body: list[Any]) -> Iterator[Any]:
    """The nodes of statements, without those of functions inside."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)):
            yield from _own(list(ast.iter_child_nodes(node)))
