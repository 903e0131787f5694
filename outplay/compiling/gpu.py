"""Kernels for GPUs: all that is known of numba-cuda (the extra `cuda`) stands here.

    @gpu_kernel
    def double(numbers):
        at = cuda.grid(1)
        if at < len(numbers):
            numbers[at] *= 2

    there = cuda.to_device(numbers)
    double[blocks, threads](there)

`cuda` is numba-cuda's module, imported when first used, or Numba's simulator, which runs kernels as plain Python. A kernel is
compiled at its first launch, and anew in each process.

>>> available() in (True, False)
True
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compiling.dispatch import record_type, register_for
from outplay.compiling.marks import lock
from outplay.compiling.tables import on_device
from outplay.errors import Unavailable

MOST_CONSTANT = 64
"""Bytes of an array that may be one of a kernel's constants: threads that read several places of it take turns, one place after the
other, while a larger one is read as any memory. On an H200, chess plays 3.6 times as many random games so, monopoly 1.4 times."""


def _module() -> Any:
    with lock:
        if not hasattr(np, "row_stack"):  # NumPy 2.5 dropped the name, which numba-cuda still imports
            np.row_stack = np.vstack  # noqa: NPY201  (that is the point)
        try:
            from numba import cuda
        except ImportError:
            raise Unavailable("no GPU support here: install it with `pip install outplay[cuda]`, or use --device cpu") from None
        if not is_simulated():
            from numba.cuda.dispatcher import config

            config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a few games need few blocks
        return cuda


class _Later:
    def __getattr__(self, name: str) -> Any:
        return getattr(_module(), name)


cuda: Any = _Later()
"""The module `numba.cuda`, for kernels and for those who launch them."""


def is_simulated() -> bool:
    """Whether kernels run in Numba's simulator, as plain Python (NUMBA_ENABLE_CUDASIM=1)."""
    from numba.core import config

    return bool(config.ENABLE_CUDASIM)


def available() -> bool:
    """Whether numba-cuda is installed and finds a GPU (or runs in its simulator)."""
    try:
        return bool(cuda.is_available())
    except Exception:  # whatever a broken driver raises, the answer is no
        return False


def require() -> None:
    """Say in one clear line that this machine has no GPU, where it has none."""
    _module()
    if not available():
        raise Unavailable("no CUDA device found on this machine: use --device cpu")


def processors() -> int:
    """How many multiprocessors the GPU has."""
    return 1 if is_simulated() else int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def layout_of(rules: Any) -> Any:
    """What `cuda.local.array` takes for states of these rules, whose methods kernels know from now on."""
    rules.bind()
    return rules.layout if is_simulated() else record_type(rules.layout)


def gpu_kernel(function: Any, **options: Any) -> GpuKernel:
    """Make a function that reads the global `cuda` of this module a kernel; options are those of `cuda.jit`."""
    return GpuKernel(function, options)


class GpuKernel:
    """A kernel, compiled for the types that it is launched with: `kernel[blocks, threads](*arrays)`."""

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        self.python, self._options = function, options

    def __getitem__(self, shape: tuple[int, int]) -> Callable:
        return self._compiled[shape]

    @functools.cached_property
    def _compiled(self) -> Any:
        require()
        if is_simulated():
            return cuda.jit(_with_module(self.python))
        dispatcher = cuda.jit(**self._options)(_with_module(self.python))
        dispatcher.compile = _as_ours(dispatcher.compile)
        return dispatcher

    def to_ptx(self, kinds: tuple[Any, ...], chip: tuple[int, int] = (9, 0)) -> str:
        """The code for arguments of these types, which needs CUDA's compiler but no GPU."""
        return str(_as_ours(cuda.compile_ptx)(_with_module(self.python), kinds, cc=chip)[0])


def _with_module(function: Callable) -> Callable:
    """The function, reading the module itself: the compiler, and the simulator which swaps it, look for that among its globals."""
    names = {name: _module() if value is cuda else value for name, value in function.__globals__.items()}
    made = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    return functools.update_wrapper(made, function)


def _as_ours(compile_for: Callable) -> Callable:
    """Compile with all helpers and methods known, and with large arrays in the memory of the GPU."""

    def run(*args: Any, **options: Any) -> Any:
        with lock:
            register_for("cuda")
        with _large_arrays_in_memory():
            return compile_for(*args, **options)

    return run


@contextlib.contextmanager
def _large_arrays_in_memory() -> Iterator[None]:
    """While a kernel of ours is compiled, a module's large arrays are sent to the GPU once, and the code holds their address.

    Numba would make constants of them all (the attacks of chess's pieces); no other thread compiles meanwhile.
    """
    from llvmlite import ir
    from numba.core.compiler_lock import global_compiler_lock
    from numba.cuda import types as kinds
    from numba.cuda.target import CUDATargetContext

    def make_constant_array(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        if array.nbytes <= MOST_CONSTANT or not array.flags.c_contiguous:
            return usual(context, builder, kind, array)
        pointer = on_device(builder, (array.dtype.str, array.tobytes()), lambda: array, ir)
        made, word = context.make_array(kind)(context, builder), context.get_value_type(kinds.intp)
        context.populate_array(made, data=builder.bitcast(pointer, made.data.type), shape=[word(each) for each in array.shape],
                               strides=[word(each) for each in array.strides], itemsize=word(array.itemsize), meminfo=None)
        return made._getvalue()

    with global_compiler_lock:
        usual = CUDATargetContext.make_constant_array
        CUDATargetContext.make_constant_array = make_constant_array
        try:
            yield
        finally:
            CUDATargetContext.make_constant_array = usual
