"""Arrays of a GPU that every library takes without a copy: DLPack and the CUDA array interface over Numba's device arrays.

Numba's own arrays know the CUDA array interface alone, which JAX does not read. What DLPack asks for is a C structure (pointer,
shape, strides, type, device; version 0 of github.com/dmlc/dlpack) in a capsule, and a function that lets go of it, both made here
by ctypes.

>>> import numpy as np
>>> numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
>>> class Lent:
...     def __dlpack_device__(self): return (CPU, 0)
...     def __dlpack__(self, **asked): return capsule(numbers.ctypes.data, numbers.shape, numbers.dtype, CPU, self)
>>> np.from_dlpack(Lent())[1, 2]
np.float32(5.0)
"""

from __future__ import annotations

import ctypes
import itertools
import math
from typing import Any

import numpy as np

from outplay.compiling.gpu import cuda

CPU, CUDA = 1, 2  # DLDeviceType
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLDataTypeCode of NumPy's kinds."""


class Device(ctypes.Structure):
    """DLDevice."""

    _fields_ = (("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32))


class DataType(ctypes.Structure):
    """DLDataType."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = (("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", DataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64))


class Managed(ctypes.Structure):
    """DLManagedTensor."""


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = (("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", DELETER))

_lent: dict[int, tuple[Any, ...]] = {}  # by number: what must live until the borrower lets go
_numbers = itertools.count(1)


@DELETER
def _let_go(managed: Any) -> None:
    _lent.pop(int(managed.contents.manager), None)


DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p)
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_char_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, DESTRUCTOR)
NAME = b"dltensor"  # a borrower renames the capsule and calls the deleter itself


@DESTRUCTOR
def _nobody_took_it(capsule: Any) -> None:
    if _is_valid(capsule, NAME):
        _let_go(ctypes.cast(_pointer_of(capsule, NAME), ctypes.POINTER(Managed)))


def capsule(pointer: int, shape: tuple[int, ...], dtype: np.dtype, device: int, owner: Any) -> Any:
    """A DLPack capsule of a contiguous array; `owner` lives until the borrower lets go."""
    dtype = np.dtype(dtype)
    axes = ctypes.c_int64 * len(shape)
    sizes, steps = axes(*shape), axes(*(math.prod(shape[axis + 1 :]) for axis in range(len(shape))))
    number = next(_numbers)
    tensor = Tensor(pointer, Device(device, 0), len(shape), DataType(CODES[dtype.kind], 8 * dtype.itemsize, 1), sizes, steps, 0)
    managed = Managed(tensor, number, _let_go)
    _lent[number] = (managed, sizes, steps, owner)
    return _new_capsule(ctypes.addressof(managed), NAME, _nobody_took_it)


class DeviceArray:
    """An array in a GPU's memory: `array` is Numba's; `torch.from_dlpack` and `jax.dlpack.from_dlpack` share it."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """Its size along each axis."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype:
        """What its entries are."""
        return np.dtype(self.array.dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.array.__cuda_array_interface__

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0

    def __dlpack__(self, **asked: Any) -> Any:
        """The capsule, once the GPU has done all that was asked of it: whatever stream the borrower reads on, the data is there."""
        cuda.synchronize()
        return capsule(int(self.array.__cuda_array_interface__["data"][0]), self.shape, self.dtype, CUDA, self)

    def copy_to_host(self) -> np.ndarray:
        """A copy in the processor's memory."""
        return self.array.copy_to_host()

    def __len__(self) -> int:
        return len(self.array)

    def __repr__(self) -> str:
        return f"<{'x'.join(map(str, self.shape))} {self.dtype} on a GPU>"
