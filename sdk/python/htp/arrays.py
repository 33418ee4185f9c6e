"""Arguments as NumPy arrays of the same memory: of NumPy, by DLPack, by `__array_interface__`, by the buffer protocol."""

from __future__ import annotations

import ctypes
import sys
from math import prod
from typing import Any, Final

import numpy as np

from htp.errors import HtpError

DLPACK_FLOATS: Final = {4: "bf16", 10: "f8e4m3", 12: "f8e5m2"}
"""DLPack's codes of what NumPy has not; such an element is held as its bits."""
_KINDS: Final = {0: "i", 1: "u", 2: "f", 6: "b", **{code: "u" for code in DLPACK_FLOATS}}
_MEMORY: Final = (1, 3, 11)
"""Devices whose arrays lie in this machine's memory: the CPU, and what CUDA and ROCm pinned there."""


class Device(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    """DLPack's view of an array; the array must outlive it."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def array_of(name: str, given: object) -> tuple[Any, str | None] | None:
    """The memory of an argument as an array, and the name of a dtype that NumPy has not; nothing of what is no array.

    What is written there is written where the argument keeps it, and refused where it may not be.
    """
    if isinstance(given, np.ma.MaskedArray):
        raise HtpError(f"`{name}` is a masked array, and a call has no masks: give `{name}.filled(…)`, or `{name}.data`")
    if isinstance(given, np.ndarray):
        return given, None
    if hasattr(given, "__dlpack__"):
        return _by_dlpack(name, given)
    if isinstance(given, (str, bytes, bytearray)):
        return None
    if hasattr(given, "__array_interface__"):
        try:
            return np.asarray(given), None
        except Exception as error:  # what it says of its memory is nonsense
            raise HtpError(f"`{name}` has an `__array_interface__` that is none: {error}") from None
    buffer: Any = given
    try:
        return np.asarray(memoryview(buffer)), None
    except (TypeError, ValueError):
        return None


class _Memory:
    """Memory that somebody else keeps; `owner` has it live as long as an array of it."""

    def __init__(self, owner: object, address: int, typestr: str, shape: tuple[int, ...], strides: tuple[int, ...] | None) -> None:
        self.owner = owner
        self.__array_interface__ = {"data": (address, False), "typestr": typestr, "shape": shape, "strides": strides, "version": 3}


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p


def _by_dlpack(name: str, given: Any) -> tuple[Any, str | None]:
    try:
        device = given.__dlpack_device__() if hasattr(given, "__dlpack_device__") else (1, 0)
        kind = int(device[0])
        capsule = given.__dlpack__() if kind in _MEMORY else None  # unread, it gives the memory back itself when it goes
        address = _pointer(capsule, b"dltensor") if kind in _MEMORY else None
    except Exception as error:  # of another library: a tensor with a gradient, a sparse one
        if "bool" in str(getattr(given, "dtype", "")) and hasattr(given, "numpy"):  # which DLPack has not of old
            return np.asarray(given.numpy()), None
        raise HtpError(f"`{name}` is not given as DLPack: {error}") from None
    if address is None:
        raise HtpError(f"`{name}` lies on a device (DLPack's type {kind}), and the package runs in this machine's memory: copy it there")
    tensor = ctypes.cast(address, ctypes.POINTER(DLTensor)).contents
    code, bits, lanes = tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes
    if code not in _KINDS or bits % 8 or lanes != 1:
        raise HtpError(f"`{name}` has elements that HTP has not (DLPack's code {code}, {bits} bits, {lanes} lanes)")
    size = bits // 8
    letter = "b" if code == 1 and size == 1 and str(getattr(given, "dtype", "")).endswith("bool") else _KINDS[code]
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    strides = tuple(tensor.strides[k] * size for k in range(tensor.ndim)) if tensor.strides else None
    if prod(shape) == 0:
        return np.empty(shape, f"{letter}{size}"), DLPACK_FLOATS.get(code)
    memory = _Memory((given, capsule), (tensor.data or 0) + tensor.byte_offset, f"{'|' if size == 1 else '<'}{letter}{size}", shape, strides)
    try:
        return np.asarray(memory), DLPACK_FLOATS.get(code)
    except Exception as error:
        raise HtpError(f"`{name}` is not given as DLPack: {error}") from None


def meets_itself(array: Any) -> bool:
    """Whether elements of an array share memory, as those of a broadcast one do; so it is taken for where that is costly to tell."""
    steps = sorted((abs(stride), extent) for stride, extent in zip(array.strides, array.shape) if extent > 1)
    reach = array.itemsize
    for step, extent in steps:
        if step < reach:
            break
        reach += step * (extent - 1)
    else:
        return False
    if array.size == 0 or steps[0][0] < array.itemsize:
        return bool(array.size)
    if array.size > 1 << 20:
        return True
    at = np.zeros((), np.int64)
    for step, extent in steps:
        at = np.add.outer(at, np.arange(extent, dtype=np.int64) * step)
    return bool((np.diff(np.sort(at, axis=None)) < array.itemsize).any())


def like(given: object, array: Any, dtype: str) -> Any:
    """An array that was made, as the library of an argument has arrays: a tensor for who gave tensors."""
    module = type(given).__module__.partition(".")[0]
    if module == "torch" and "torch" in sys.modules:
        torch: Any = sys.modules["torch"]
        if dtype == "bf16":
            return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
        try:
            return torch.from_numpy(array)
        except TypeError:  # of a dtype that it has not
            return array
    return array
