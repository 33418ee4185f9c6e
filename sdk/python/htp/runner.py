"""What `htp-host run` does with arrays: reads inputs, runs an entry of a package through the C interface, shows what came out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from htp.dims import Dim, size_of
from htp.entry import Parameter
from htp.errors import CompileError, HtpError
from htp.native import Package, Routine, bind


def run(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        with bind(request["package"], profile=request["profile"] or None, plugin_path=request["plugin_path"]) as package:
            return _run(package, request)
    except CompileError as error:
        return _response("", {}, [_plain(diagnostic) for diagnostic in error.diagnostics])
    except HtpError as error:
        return _response("", {}, [{"code": "run.bad-arguments", "severity": "error", "message": str(error)}])


def _run(package: Package, request: dict[str, Any]) -> str:
    routine = _routine(package, request["entry"])
    given = _read(request["inputs"]) if request["inputs"] else {}
    unknown = sorted(set(given) - {parameter.name for parameter in routine.parameters})
    if unknown:
        raise HtpError(f"`{request['inputs']}` has `{unknown[0]}`, and `{routine.name}` has {_names(routine.parameters)}")
    sizes = _sizes(routine, given, request)
    generator = np.random.default_rng(request["seed"])
    arrays = {parameter.name: _array(parameter, given, sizes, generator, bool(request["inputs"])) for parameter in routine.parameters}
    events: list[dict[str, Any]] = []
    if request["trace"]:
        events = routine.traced(**arrays)
    else:
        routine(**arrays)
    outputs = {parameter.name: arrays[parameter.name] for parameter in routine.parameters if parameter.direction != "In"}
    if request["outputs"]:
        _write(request["outputs"], outputs)
    if request["trace"]:
        _write_trace(request["trace"], events)
    text = "".join(f"{name}: {_summary(array)}\n" for name, array in outputs.items())
    result = {
        "schema": "htp.run/1",
        "entry": routine.name,
        "sizes": sizes,
        "outputs": {name: {"dtype": str(array.dtype), "shape": list(array.shape)} for name, array in outputs.items()},
    }
    return _response(text, result, [])


def _routine(package: Package, entry: str) -> Routine:
    if entry:
        if entry not in package.routines:
            raise HtpError(f"the package has no entry `{entry}`: it has {', '.join(package.routines)}")
        return package.routines[entry]
    if len(package.routines) != 1:
        raise HtpError(f"the package has several entries, name one with --entry: {', '.join(package.routines)}")
    return next(iter(package.routines.values()))


def _read(path: str) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: np.ascontiguousarray(archive[name]) for name in archive.files}
    except (OSError, ValueError) as error:
        raise HtpError(f"cannot read `{path}` as arrays (.npz): {error}") from None


def _write(path: str, outputs: dict[str, Any]) -> None:
    try:
        with open(path, "wb") as file:
            np.savez(file, **outputs)
    except OSError as error:
        raise HtpError(f"cannot write `{path}`: {error.strerror}") from None


def _write_trace(path: str, events: list[dict[str, Any]]) -> None:
    """Chrome trace events; Perfetto opens them."""
    tracks = sorted({event["track"] for event in events})
    trace = [
        {"name": event["name"], "ph": "X", "ts": event["begin_us"], "dur": event["duration_us"], "pid": 1, "tid": tracks.index(event["track"]) + 1}
        for event in events
    ]
    names = [{"name": "thread_name", "ph": "M", "pid": 1, "tid": k + 1, "args": {"name": track}} for k, track in enumerate(tracks)]
    try:
        Path(path).write_text(json.dumps({"traceEvents": names + trace}) + "\n")
    except OSError as error:
        raise HtpError(f"cannot write `{path}`: {error.strerror}") from None


def _sizes(routine: Routine, given: dict[str, Any], request: dict[str, Any]) -> dict[str, int]:
    """Each dimension's size: as the inputs have it, as --dim says, or 64."""
    sizes: dict[str, int] = {}
    for parameter in routine.parameters:
        array = given.get(parameter.name)
        if array is not None and array.ndim == len(parameter.type.extents):
            for extent, size in zip(parameter.type.extents, array.shape):
                if isinstance(extent, Dim):
                    sizes.setdefault(extent.name, int(size))
    known = {extent.name for parameter in routine.parameters for extent in parameter.type.extents if isinstance(extent, Dim)}
    for name, size in request["dims"].items():
        if name not in known:
            raise HtpError(f"`{routine.name}` has no dimension `{name}`: it has {', '.join(sorted(known)) or 'none'}")
        if sizes.setdefault(name, size) != size:
            raise HtpError(f"`--dim {name}={size}`, but the inputs have {sizes[name]}")
    return {name: sizes.get(name, 64) for name in sorted(known)}


def _array(parameter: Parameter, given: dict[str, Any], sizes: dict[str, int], generator: np.random.Generator, from_file: bool) -> Any:
    if parameter.name in given:
        return given[parameter.name]
    if from_file and parameter.direction != "Out":
        raise HtpError(f"the inputs have no `{parameter.name}`")
    shape = tuple(sizes[extent.name] if isinstance(extent, Dim) else size_of(extent) for extent in parameter.type.extents)
    dtype = parameter.type.dtype
    if parameter.direction == "Out":
        return np.zeros(shape, dtype.storage)
    if dtype.element.kind == "f":
        return dtype.encode(dtype.convert(generator.standard_normal(shape)))
    return generator.integers(0, 2 if dtype.element.kind == "b" else 100, shape).astype(dtype.storage)


def _summary(array: Any) -> str:
    shape = "x".join(map(str, array.shape)) or "scalar"
    if array.size == 0:
        return f"{array.dtype} {shape}, empty"
    wide = array.astype(np.float64)
    head = ", ".join(f"{value:.6g}" for value in wide.reshape(-1)[:4])
    more = ", …" if array.size > 4 else ""
    return f"{array.dtype} {shape}, min {wide.min():.6g}, max {wide.max():.6g}, mean {wide.mean():.6g}: [{head}{more}]"


def _names(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(parameter.name for parameter in parameters)


def _plain(diagnostic: Any) -> dict[str, Any]:
    """A diagnostic as the C interface gave it, without what belongs to its first rendering."""
    return {key: diagnostic[key] for key in ("code", "severity", "message", "notes", "hints") if key in diagnostic}


def _response(text: str, result: dict[str, Any], diagnostics: list[dict[str, Any]]) -> str:
    return json.dumps({"text": text, "result": result, "diagnostics": diagnostics})
