"""The plumbing of kernels for GPUs, checked without one: in the simulator, and read to PTX where numba-cuda is installed."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from outplay.compiling import gpu
from outplay.errors import Unavailable
from outplay.jit import UNCOMPILED, kernel

ADDRESS = 0x7F0012345600


def without_a_gpu():
    """Let code be made where there is no GPU: arrays seem to lie at ADDRESS, and the chip is that of an H200."""
    import numba.cuda
    import numba.cuda.dispatcher

    class Device:
        compute_capability = (9, 0)

    class Memory:
        __cuda_array_interface__ = {"data": (ADDRESS, True)}  # noqa: RUF012

    numba.cuda.to_device = lambda array: Memory
    numba.cuda.dispatcher.get_current_device = lambda: Device


def run(code, **environment):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=900, cwd=Path(__file__).parents[2])
    if "libnvvm" in done.stderr or "nvrtc" in done.stderr:
        pytest.skip("CUDA's own compiler is not installed")
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


needs_numba_cuda = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed")


@kernel
def doubled(numbers):
    total = 0.0
    for number in numbers:
        total += 2 * number
    return total


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled here")
def test_a_kernel_compiles_while_one_for_another_target_does():
    """Numba hands options down to what is compiled meanwhile; numba-cuda's ways with fractions are no value of Numba's."""
    from numba.core.target_extension import target_override
    from numba.core.targetconfig import ConfigStack, Option, TargetConfig

    class Foreign(TargetConfig):
        fastmath = Option(type=lambda value: value, default=object(), doc="")

    with ConfigStack().enter(Foreign()), target_override("cuda"):
        assert doubled(np.arange(4.0)) == 12.0


IN_THE_SIMULATOR = """
import numpy as np
from outplay.compiling.gpu import cuda, gpu_kernel, processors

@gpu_kernel
def double(numbers):
    at = cuda.grid(1)
    if at < len(numbers):
        numbers[at] *= 2

there = cuda.to_device(np.arange(5))
double[2, 3](there)
print(*there.copy_to_host(), processors())
"""


def test_a_kernel_runs_in_the_simulator():
    assert run(IN_THE_SIMULATOR, NUMBA_ENABLE_CUDASIM="1") == ["0", "2", "4", "6", "8", "1"]


EQUITY = """
import numba.cuda.types as types
from outplay.experts.poker.equity_cuda import _sampler
from tests.compiling.test_gpu import ADDRESS, without_a_gpu
without_a_gpu()
words, word, whole = types.uint64[::1], types.uint64, types.int64
text = _sampler(2).to_ptx((words, words, types.int64[::1], word, word, whole, whole, word, types.float64[:, ::1]))
print("entry" in text, str(ADDRESS) in text)
"""
LARGE = """
import numpy as np, numba.cuda.types as types
from numba.cuda.target import CUDATargetContext
from outplay.compiling.gpu import MOST_CONSTANT, cuda, gpu_kernel
from tests.compiling.test_gpu import ADDRESS, without_a_gpu
without_a_gpu()
small, large = (np.arange(MOST_CONSTANT // 8 + more) for more in (0, 1))
usual = CUDATargetContext.make_constant_array
for numbers in small, large:
    def read(out):
        out[0] = numbers[out[1]]
    text = gpu_kernel(read).to_ptx((types.int64[::1],))
    print(str(ADDRESS) in text, ".const" in text)
print(CUDATargetContext.make_constant_array is usual)
"""


@needs_numba_cuda
def test_a_table_that_a_kernel_of_the_processor_makes_serves_a_kernel_for_a_gpu(tmp_path):
    assert run(EQUITY, NUMBA_ENABLE_CUDASIM="0", OUTPLAY_CACHE=str(tmp_path)) == ["True", "True"]


@needs_numba_cuda
def test_large_arrays_lie_in_the_memory_of_the_gpu_and_numba_is_left_as_it_was():
    assert run(LARGE, NUMBA_ENABLE_CUDASIM="0") == ["False", "True", "True", "False", "True"]


@pytest.mark.skipif(gpu.available(), reason="this machine has a GPU")
def test_without_a_gpu_one_clear_line_says_what_to_do():
    with pytest.raises(Unavailable, match=r"--device cpu$"):
        gpu.require()
