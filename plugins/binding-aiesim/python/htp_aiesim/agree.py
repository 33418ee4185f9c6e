"""Whether functions in C++ gave what their Python bodies give, call by call: `python3 -m htp_aiesim.agree`.

Standard input is a line of JSON, {"program", "path", "functions"}, and then of each call what it was given and what it gave, as it lay in
memory. Standard output is JSON: {} when all is alike, else what the first difference is, or {"failed"}.
"""

from __future__ import annotations

import json
import sys
import types
from typing import Any

import htp
import numpy as np
from htp.bounds import differences, error_bound


class Bytes:
    """What is left of the input."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def array(self, dtype: np.dtype[Any], extents: list[int]) -> np.ndarray[Any, Any]:
        """The next elements; of no extents one."""
        count = int(np.prod(extents, dtype=np.int64))
        found = np.frombuffer(self.data, dtype, count, self.at).reshape(extents)
        self.at += found.nbytes
        return found


def compare(function: Any, described: dict[str, Any], left: Bytes) -> dict[str, Any]:
    """The first difference of one call, or nothing."""
    given: list[Any] = []
    for argument in described["arguments"]:
        if argument["number"]:
            value = float(left.array(np.dtype(np.float64), []))
            given.append(int(value) if argument["dtype"] == "i32" else value)
            continue
        dtype = getattr(htp, argument["dtype"])
        given.append(dtype.of(dtype.decode(left.array(dtype.storage, argument["extents"])), 0))
    made = function(*given[: described["parameters"]])
    results = made if isinstance(made, tuple) else (made,)
    for argument in described["arguments"]:
        number: int = argument["result"]
        if number < 0:
            continue
        expected, dtype = results[number], type(results[number])
        gave = left.array(dtype.storage, argument["extents"])
        gives = dtype.encode(np.asarray(expected.data, dtype.element).reshape(gave.shape))
        for place in differences(gave, gives, dtype, expected.depth)[:1]:
            where, values = place.split(": ", 1)
            there, here = values.split(", expected ")
            bound = error_bound(dtype, expected.depth)
            of = f"{where} of result {number + 1}" if len(results) > 1 else where
            return {"place": of, "there": there, "here": here, "bound": f"{bound:.2g}" if bound else ""}
    return {}


def main() -> None:
    """Compares what stands on standard input."""
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    request = json.loads(head)
    left = Bytes(data)
    answer: dict[str, Any] = {}
    number = 0
    try:
        module = types.ModuleType("program")
        exec(compile(request["program"], request["path"], "exec"), module.__dict__)
        with np.errstate(all="ignore"):
            for number, described in enumerate(request["functions"]):
                for call in range(described["calls"]):
                    if difference := compare(getattr(module, described["name"]), described, left):
                        answer = {"function": number, "call": call + 1, **difference}
                        break
                if answer:
                    break
    except Exception as error:  # whatever a body does
        answer = {"function": number, "failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
