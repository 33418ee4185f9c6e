"""Whether this machine has a device of OpenCL: asked of the library itself, as the binding does."""

from __future__ import annotations

import ctypes


def missing() -> str:
    """What is not there; empty where packages for OpenCL run."""
    try:
        library = ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return "libOpenCL.so.1 (Debian: `ocl-icd-libopencl1`)"
    count = ctypes.c_uint(0)
    if library.clGetPlatformIDs(0, None, ctypes.byref(count)) != 0 or count.value == 0:
        return "a driver of OpenCL (Debian: `pocl-opencl-icd`)"
    return ""
