#!/usr/bin/python3
"""What a call of a compiled entry costs beside what it computes: six NumPy arrays of 16 elements, by every way there is; and threads.

    PYTHONPATH=… bench/calls/calls.py [--json]

`copy` computes next to nothing, so the time is the call's. Each figure is the median of batches of a millisecond; batches of all ways take turns.
"""

import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import htp
import numpy as np

PROGRAM = """
import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, tiles

N = htp.dim("N")


@kernel
def five(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: In[Tensor[f32, N]], d: In[Tensor[f32, N]], e: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 16):
        y[i] = a[i] + b[i] + c[i] + d[i] + e[i]


@kernel
def heavy(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 1024):
        v = exp(x[i])
        for _ in range(20):
            v = exp(v * 0.001)
        y[i] = v
"""


def ways(five: Any, arrays: list[Any]) -> dict[str, Callable[[], object]]:
    kernel, *given = five, *arrays
    jitted, package = kernel.compile("cpu"), kernel.compile("cpu").package
    function, routine = package.routines["five"].function(), package.routines["five"]
    inputs = given[:-1]
    jitted(*given)
    return {
        "the native function": lambda: function(*given),
        "package.five(…)": lambda: package.five(*given),
        "jit": lambda: jitted(*given),
        "jit, y = five(…)": lambda: jitted(*inputs),
        "jit, by name": lambda: jitted(*inputs, y=given[5]),
        "the way for whatever arguments": lambda: routine._any(*given),
        "a Python function of six": lambda: _nothing(*given),
        "numpy.add of two": lambda: np.add(given[0], given[1], given[5]),
    }


def _nothing(a: object, b: object, c: object, d: object, e: object, f: object) -> None:
    return None


def timed(calls: dict[str, Callable[[], object]], seconds: float = 4.0) -> dict[str, float]:
    """Seconds of a call."""
    clock = time.perf_counter
    runs = {}
    for name, call in calls.items():
        call()
        begin, count = clock(), 0
        while clock() - begin < 0.001:
            call()
            count += 1
        runs[name] = max(1, count)
    found: dict[str, list[float]] = {name: [] for name in calls}
    end = clock() + seconds
    while clock() < end:
        for name, call in calls.items():
            each = range(runs[name])
            begin = clock()
            for _ in each:
                call()
            found[name].append((clock() - begin) / runs[name])
    return {name: statistics.median(times) for name, times in found.items()}


def scaling(heavy: Any, most: int = 8) -> dict[int, float]:
    """Calls a second of one package from so many threads."""
    compiled = heavy.compile("cpu")
    compiled(np.zeros(4096, np.float32))
    rates = {}
    for count in (1, 2, 4, most):
        done = [0] * count
        end = time.perf_counter() + 1.0

        def work(k: int) -> None:
            x, y = np.zeros(4096, np.float32), np.empty(4096, np.float32)
            while time.perf_counter() < end:
                compiled(x, y)
                done[k] += 1

        threads = [threading.Thread(target=work, args=(k,)) for k in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rates[count] = float(sum(done))
    return rates


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls.py"
        path.write_text(PROGRAM)
        space: dict[str, Any] = {"__file__": str(path)}
        exec(compile(PROGRAM, str(path), "exec"), space)
        arrays = [np.ones(16, np.float32) for _ in range(6)]
        times = timed(ways(space["five"], arrays))
        rates = scaling(space["heavy"])
    if "--json" in sys.argv:
        print(json.dumps({"seconds": times, "calls a second by threads": rates}, indent=2))
        return
    for name, seconds in times.items():
        print(f"{seconds * 1e6:8.2f} µs  {name}")
    for count, rate in rates.items():
        print(f"{rate:8.0f} calls a second from {count} thread{'s' if count > 1 else ''}: {rate / rates[1]:.2f} times one")


if __name__ == "__main__":
    main()
