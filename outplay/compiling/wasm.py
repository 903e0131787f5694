"""Kernels as WebAssembly: the same functions, compiled by the same passes, for a browser.

    made = module([("count", perft_kernel, arguments), ...])      # made.code runs wherever WebAssembly does

A kernel is lowered for the types of its arguments as for this processor, and taken before LLVM has optimised it for any. It then
gets another target, LLVM's own optimising for that, and a linker. What a kernel reads as a table becomes data of the module.

The entry of a kernel is ``name(address) -> status``: at the address lies a word of eight bytes for each of Numba's flattened
arguments (an array of n dimensions is 5 + 2n of them: meminfo, parent, items, bytes of an item, address, shape, strides), behind
them the room for what the kernel returns. So the caller writes words, and needs no wrapper for each signature.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.compiling.dispatch import register_for
from outplay.compiling.kernels import Kernel
from outplay.compiling.marks import lock
from outplay.compiling.passes import passes_in_use, pipeline, prove_passes, quickly
from outplay.compiling.problems import explained
from outplay.compiling.tables import content
from outplay.errors import OutplayError

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK = 1 << 20  # bytes
PREFIX = "outplay_entry_"  # of exported names: a kernel named `log` must not stand in for the library's


class Entry(NamedTuple):
    """How a kernel is called: what stands in each word, where what it returns begins, and the type of that."""

    slots: tuple[tuple[str, Any], ...]  # ("zero", 0), ("int", value), ("float", value) or ("array", number of the array)
    result: int
    returns: str


class Module(NamedTuple):
    """A module of WebAssembly, its entries by name, and the arrays that they were lowered for."""

    code: bytes
    entries: dict[str, Entry]
    arrays: list[np.ndarray]
    imports: tuple[str, ...]

    def number(self, array: np.ndarray) -> int:
        """The number of an array; arrays that share their first byte and length are one."""
        return _number(self.arrays, array)


def module(kernels: list[tuple[str, Kernel, tuple]], *, simd: bool = False) -> Module:
    """Kernels, each with the arguments that it is to be called with, as one module."""
    from llvmlite import binding as llvm

    linker()  # what is missing is told before the compiler has run for seconds
    prove_passes()
    if passes_in_use() != "own":
        raise OutplayError("WebAssembly needs Outplay's own passes (OUTPLAY_PASSES=own), and a version of Numba that they know")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES + ",+simd128" * simd, opt=3, reloc="static", codemodel="default")  # fmt: skip
    layout, whole = str(machine.target_data), None
    arrays: list[np.ndarray] = []
    entries: dict[str, Entry] = {}
    for name, kernel, arguments in kernels:
        text, function_name, returns = lowered(kernel, arguments)
        part = llvm.parse_assembly(_with_tables(_retargeted(text, layout)))
        for each in (*part.functions, *part.global_variables):  # all else goes: Python's wrappers, and what they call
            if not each.is_declaration and each.name != function_name:
                each.linkage = "internal"
        slots = tuple(_slots(arguments, arrays))
        part.link_in(llvm.parse_assembly(_entry(name, part.get_function(function_name), len(slots), layout)))
        part.get_function(function_name).linkage = "internal"
        entries[name] = Entry(slots, 8 * len(slots), returns)
        if whole is None:
            whole = part
        else:
            whole.link_in(part)
    assert whole is not None, "a module without kernels"
    whole.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = simd
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(whole, builder)
    code = _linked(machine.emit_object(whole), [name for name, _, _ in kernels])
    return Module(code, entries, arrays, tuple(imports_of(code)))


def lowered(kernel: Kernel, arguments: tuple) -> tuple[str, str, str]:
    """A kernel for these arguments as LLVM's code for no machine yet, the name of its function, and the type of what it returns."""
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock, lock:  # in this order, as everywhere
        register_for("cpu")
        shape = {"error_model": "numpy", "nogil": True, "_nrt": False}
        dispatcher = numba.njit(**shape, pipeline_class=pipeline(only_lowered=True))(kernel.python)
        signature = tuple(numba.typeof(each) for each in arguments)
        try:
            quickly(dispatcher.compile)(signature)
        except Exception as problem:
            told = explained(problem, kernel.python, arguments)
            if told is problem:
                raise
            raise told from problem
        found = dispatcher.overloads[signature]
        found.library.finalize()
        text = str(found.library._final_module)
    if ".dynamic." in text or re.search(r"inttoptr \(i64 \d{9,}", text):
        raise OutplayError(
            f"{kernel.python.__name__} holds an address of this process, such as that of a frozen array of more than a "
            "megabyte: make it a table"
        )
    return text, found.fndesc.llvm_func_name, str(found.signature.return_type)


def _retargeted(text: str, layout: str) -> str:
    """Another target, and none of what its linker does not know."""
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.M)
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', text, flags=re.M)
    text = re.sub(r"= (internal|private) constant", r"= \1 unnamed_addr constant", text)  # equal arrays may become one
    return re.sub(r"= common( local_unnamed_addr)? global", r"= internal\1 global", text)


def _with_tables(text: str) -> str:
    """Tables, whose addresses this process knows, as data of the module."""

    def define(match: re.Match) -> str:
        numbers = content(match[1])
        return f'@{match[1]} = internal constant [{len(numbers)} x i8] c"\\{numbers.hex(chr(92))}", align 64'

    return re.sub(r"^@(outplay_table_\w+) = external (?:constant|global) .*$", define, text, flags=re.M)


def _number(arrays: list[np.ndarray], array: np.ndarray) -> int:
    for number, known in enumerate(arrays):
        if known is array or (known.ctypes.data == array.ctypes.data and known.nbytes == array.nbytes > 0):
            return number
    arrays.append(array)
    return len(arrays) - 1


def _slots(value: Any, arrays: list[np.ndarray]) -> list[tuple[str, Any]]:
    """What stands in the words of an argument: tuples taken apart, arrays as Numba does."""
    if isinstance(value, tuple):
        return [slot for part in value for slot in _slots(part, arrays)]
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous or value.size <= 1, "an array with gaps"
        words = (*value.shape, *value.strides)
        return [("zero", 0), ("zero", 0), ("int", value.size), ("int", value.dtype.itemsize),
                ("array", _number(arrays, value)), *(("int", word) for word in words)]  # fmt: skip
    if value is None:
        return [("zero", 0)]
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return [("int", int(value))]
    if isinstance(value, (float, np.floating)):
        return [("float", float(value) if math.isfinite(value) else str(float(value)))]  # JSON has no infinity
    raise OutplayError(f"an argument of {type(value).__name__} cannot be handed to WebAssembly")


def _entry(name: str, function: Any, slots: int, layout: str) -> str:
    """The code of ``name(address) -> status``: every argument from its word."""
    kinds = [str(each.type) for each in function.arguments]
    assert len(kinds) - 2 == slots, f"{name}: {len(kinds) - 2} arguments, {slots} words"
    lines = [f"  %a0 = getelementptr i8, ptr %at, i32 {8 * slots}", "  %a1 = alloca ptr"]  # the result; a problem that nobody reads
    for at, kind in enumerate(kinds[2:], 2):
        lines += [f"  %p{at} = getelementptr i8, ptr %at, i32 {8 * (at - 2)}", f"  %a{at} = load {kind}, ptr %p{at}"]
    passed = ", ".join(f"{kind} %a{at}" for at, kind in enumerate(kinds))
    body = "\n".join(lines)
    return (f'target triple = "{TRIPLE}"\ntarget datalayout = "{layout}"\ndeclare i32 @"{function.name}"({", ".join(kinds)})\n'
            f"define i32 @{PREFIX}{name}(ptr %at) {{\n{body}\n  %status = call i32 @\"{function.name}\"({passed})\n"
            "  ret i32 %status\n}\n")  # fmt: skip


@functools.cache
def linker() -> tuple[str, ...]:
    """The command of a linker for WebAssembly: the one that comes with the package ziglang, else the system's."""
    if importlib.util.find_spec("ziglang") is not None:
        return sys.executable, "-m", "ziglang", "wasm-ld"
    for name in ("wasm-ld", *(f"wasm-ld-{version}" for version in range(30, 13, -1))):
        if found := shutil.which(name):
            return (found,)
    raise OutplayError("a page needs a linker for WebAssembly: pip install 'outplay[wasm]', or install the system's package lld")


def _linked(built: bytes, names: list[str]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "kernels.o", Path(folder) / "kernels.wasm"
        given.write_bytes(built)
        command = [*linker(), "--no-entry", "--allow-undefined", "--strip-all", "--gc-sections", "-z", f"stack-size={STACK}",
                   "--export=__heap_base", "--export=__stack_pointer", *(f"--export={PREFIX}{name}" for name in names),
                   "-o", str(made), str(given)]  # fmt: skip
        told = subprocess.run(command, capture_output=True, text=True)
        if told.returncode:
            raise OutplayError(f"the linker for WebAssembly failed: {' '.join(told.stderr.split())[:300]}")
        return made.read_bytes()


def imports_of(code: bytes) -> list[str]:
    """The names of the functions that a module wants from outside, read from its second section."""

    def number(at: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            byte = code[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at

    at, found = 8, []
    while at < len(code):
        section, (size, at) = code[at], number(at + 1)
        end = at + size
        if section == 2:
            count, at = number(at)
            for _ in range(count):
                words = []
                for _ in range(2):
                    length, at = number(at)
                    words.append(code[at : at + length].decode())
                    at += length
                kind, at = code[at], at + 1
                assert kind == 0, f"an import of kind {kind}: only functions are expected"
                _, at = number(at)
                found.append(words[1])
        at = end
    return found


_PROVE = """
const [code, words, at] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const it = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, "base64")), {env: {}}).exports;
const view = new BigInt64Array(it.memory.buffer), base = (Number(it.__heap_base.value) + 63) & ~63;
words.forEach((word, k) => { view[base / 8 + 64 + k] = BigInt(word === "data" ? base : word); });
for (let k = 0; k < 50; k++) view[base / 8 + k] = BigInt(k);
const status = it.outplay_entry_walk(base + 512);
const after = Array.from(view.slice(base / 8, base / 8 + 50), Number);
console.log(JSON.stringify([status, Number(view[base / 8 + 64 + at / 8]), ...after]));
"""


def proved() -> bool:
    """Whether a kernel of five lines computes in WebAssembly what Python computes; asks node, and is True where there is none."""
    import base64
    import json

    node = shutil.which("node")
    if node is None:
        return True
    here = np.arange(50)
    made = module([("walk", Kernel(_walk), (np.arange(50),))])
    entry = made.entries["walk"]
    words = ["data" if kind == "array" else value for kind, value in entry.slots]
    given = json.dumps([base64.b64encode(made.code).decode(), words, entry.result])
    told = subprocess.run([node, "-e", _PROVE], input=given, capture_output=True, text=True, timeout=60)
    return told.returncode == 0 and json.loads(told.stdout) == [0, _walk(here), *here.tolist()]


def _walk(numbers: Any) -> Any:
    total, limit = 0, 40
    for i in range(len(numbers)):
        number = numbers[i] * 3 + 1 if numbers[i] < limit else numbers[i] - limit
        if number > 9:
            limit = limit - 1
        numbers[i] = number
        total += number * i
    return total
