"""What `htp-host run` does with arrays: reads inputs, runs an entry of a package through the C interface, shows what came out."""

from __future__ import annotations

import ast
import errno
import json
import math
import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from htp.checked import held_against_source
from htp.dims import gives, measured
from htp.entry import Parameter, Signature, number_for
from htp.errors import Diagnosed, HtpError, Refused
from htp.layouts import array as laid_out
from htp.native import Package, Routine, bind
from htp.recorded import arrays_of_run, inputs_of
from htp.tensors import ParameterType
from htp.values import Value


def run(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        with bind(request["package"], profile=request["profile"] or None, plugin_path=request["plugin_path"]) as package:
            return _run_each(package, request) if os.path.isdir(request["inputs"]) else _run(package, request)
    except Diagnosed as error:
        return _response("", {}, [plain(diagnostic) for diagnostic in error.diagnostics])
    except Refused as error:
        return _response("", {}, [error.diagnostic()])


def _run_each(package: Package, request: dict[str, Any]) -> str:
    """A call for each .npz file of a folder, by their names; its outputs are written when it has ended. The first that fails is the last."""
    folder = Path(request["inputs"])
    files = sorted(folder.glob("*.npz"))
    if not files:
        raise Refused("run.no-calls", folder)
    for option in ("record", "trace"):
        if request[option]:
            raise Refused("run.one-call", f"--{option}", folder, len(files))
    if request["outputs"]:
        try:
            os.makedirs(request["outputs"], exist_ok=True)
        except OSError as error:
            raise Refused("io.unwritable", request["outputs"], error.strerror) from None
    text, result, differs = "", {"calls": list[dict[str, Any]]()}, list[str]()
    for file in files:
        outputs = os.path.join(request["outputs"], file.name) if request["outputs"] else ""
        answer = json.loads(_run(package, {**request, "inputs": str(file), "outputs": outputs}))
        text += f"{file.name}\n" + "".join(f"  {line}\n" for line in answer["text"].splitlines())
        result["calls"].append({"inputs": file.name, **answer["result"]})
        differs += [f"{file.name}: {one}" for one in answer["differs"]]
    return _response(text, result, [], differs=differs)


def _run(package: Package, request: dict[str, Any]) -> str:
    routine = routine_of(package, request["entry"])
    given = read_arrays(request["inputs"]) if request["inputs"] else {}
    events: list[dict[str, Any]] = []
    seconds: float | None = None
    try:
        unknown = sorted(set(given) - {parameter.name for parameter in routine.parameters})
        if unknown:
            raise Refused("run.unknown-input", request["inputs"], unknown[0], routine.name, hint=_shown(routine))
        given |= scalars_of(routine, request["args"])
        sizes = sizes_of(routine, given, request)
        check_memory(routine, sizes)
        generator = np.random.default_rng(request["seed"])
        arrays = {parameter.name: array_for(parameter, given, sizes, generator, bool(request["inputs"])) for parameter in routine.parameters}
        for parameter, array in zip(routine.parameters, routine.arrays(**arrays)):
            if parameter.direction == "Out":  # poison shows what is not written, as the interpreter does
                dtype = parameter.type.dtype
                array[...] = dtype.encode(np.full(array.shape, dtype.poison, dtype.element))
        before = {name: np.array(array) for name, array in arrays.items()} if request["check"] else {}
        recorded = {name: np.array(array) for name, array in arrays.items()} if request["record"] else {}
        if request["record"]:
            write_arrays(request["record"], arrays_of_run(Path(request["package"]), routine, recorded, None))
        if request["trace"]:
            events = routine.traced(**arrays)
        else:
            (seconds,) = routine.timed(1, **arrays)
        agreed, differs = held_against_source(Path(request["package"]), package.modules, routine, before, arrays) if request["check"] else ("", [])
    except (Diagnosed, Refused):
        raise
    except HtpError as error:
        raise Refused("run.bad-arguments", routine.name, error, hint=_shown(routine)) from None
    outputs = {parameter.name: arrays[parameter.name] for parameter in routine.parameters if parameter.direction != "In"}
    if request["record"]:
        write_arrays(request["record"], arrays_of_run(Path(request["package"]), routine, recorded, arrays))
    if request["outputs"]:
        write_arrays(request["outputs"], outputs)
    if request["trace"]:
        _write_trace(request["trace"], events)
    text = "".join(f"{p.name}: {summary(arrays[p.name], p.type.dtype)}\n" for p in routine.parameters if p.name in outputs)
    text += f"took {shown_time(seconds)}\n" if seconds is not None else ""
    text += agreed
    result: dict[str, Any] = {
        "entry": routine.name,
        "sizes": sizes,
        "outputs": {name: {"dtype": str(array.dtype), "shape": list(array.shape)} for name, array in outputs.items()},
    }
    if seconds is not None:
        result["seconds"] = seconds
    if request["check"]:
        result["agrees"] = not differs
    return _response(text, result, [], differs=differs)


def routine_of(package: Package, entry: str) -> Routine:
    """The entry of that name, or the only one."""
    if entry:
        if entry not in package.routines:
            raise Refused("bind.unknown-entry", entry, hint=f"it has {', '.join(package.routines)}")
        return package.routines[entry]
    if len(package.routines) != 1:
        raise Refused("run.which-entry", ", ".join(package.routines))
    return next(iter(package.routines.values()))


def read_arrays(path: str) -> dict[str, Any]:
    """The arrays that an entry is called with, by name."""
    return inputs_of(read_archive(path))


def read_archive(path: str) -> dict[str, Any]:
    """All arrays of an .npz file."""
    try:
        with open(path, "rb") as file:
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise Refused("run.not-npz", path, "it is a single array (.npy)")
            return {name: np.asarray(archive[name], order="C") for name in archive.files}
    except Refused:
        raise
    except OSError as error:
        raise Refused("io.unreadable", path, error.strerror or error) from None
    except Exception as error:  # a damaged file makes NumPy, zipfile and tokenize raise anything
        raise Refused("run.not-npz", path, error) from None


def write_arrays(path: str, outputs: Mapping[str, Any]) -> None:
    """As an .npz file, whole or not at all."""

    def write(file: IO[bytes]) -> None:  # as np.savez does, which leaves an open archive behind when the disk is full
        write_array: Any = np.lib.format.write_array  # which NumPy leaves untyped
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in outputs.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    write_array(member, np.asanyarray(array), allow_pickle=False)

    replace_output(path, write)


def replace_file(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """All of the new file, or the old one as it was. What is no file (`/dev/stdout`) or in a folder of others is written as it is. Raises OSError."""
    whole = Path(os.path.realpath(path))
    try:
        if (whole.exists() and not whole.is_file()) or not os.access(whole.parent, os.W_OK):
            with open(whole, "wb") as file:
                write(file)
            return
        mode = whole.stat().st_mode & 0o7777 if whole.exists() else None
        if mode is not None and not os.access(whole, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with tempfile.NamedTemporaryFile(dir=whole.parent, prefix=f".{whole.name}.", delete=False) as part:
            try:
                write(part)
                part.flush()
                os.chmod(part.name, _new_mode() if mode is None else mode)
                os.replace(part.name, whole)
            except BaseException:
                os.unlink(part.name)
                raise
    except Exception as error:  # of a full disk zipfile's own complaint may stand before the cause
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, OSError):
            cause = cause.__context__
        if cause is None:
            raise
        raise cause from None


def replace_output(path: str, write: Callable[[IO[bytes]], object]) -> None:
    try:
        replace_file(path, write)
    except OSError as error:
        raise Refused("io.unwritable", path, error.strerror, hint="the entry has run; give a file in a folder that exists and may be written") from None


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _by_numbers(name: str) -> list[str | int]:
    """`core 2` comes before `core 10`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", name)]


def _write_trace(path: str, events: list[dict[str, Any]]) -> None:
    """Chrome trace events; Perfetto opens them."""
    tracks = sorted({event["track"] for event in events}, key=_by_numbers)
    rows = {track: k + 1 for k, track in enumerate(tracks)}
    trace = [
        {"name": event["name"], "ph": "X", "ts": event["begin_us"], "dur": event["duration_us"], "pid": 1, "tid": rows[event["track"]]}
        | ({"args": {"file": event["file"], "line": event["line"]}} if "line" in event else {})
        for event in events
    ]
    names = [
        {"name": name, "ph": "M", "pid": 1, "tid": k + 1, "args": {said: value}}
        for k, track in enumerate(tracks)
        for name, said, value in (("thread_name", "name", track), ("thread_sort_index", "sort_index", k + 1))
    ]
    replace_output(path, lambda file: file.write((json.dumps({"traceEvents": names + trace}) + "\n").encode()))


def sizes_of(routine: Signature, given: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, int]:
    """Each dimension's size: as the inputs have it, as --dim says, or 64."""
    sizes: dict[str, int] = {}
    for parameter in routine.parameters:
        array = given.get(parameter.name)
        if array is not None and array.ndim == len(parameter.type.extents):
            for extent, size in zip(parameter.type.extents, array.shape):
                of = gives(extent)
                if of is not None:
                    sizes.setdefault(of[0], max(int(size) - of[2], 0) // of[1])
    known = {of[0] for parameter in routine.parameters for extent in parameter.type.extents if (of := gives(extent))}
    for name, size in request["dims"].items():
        if name not in known:
            raise Refused("run.unknown-dim", routine.name, name, hint=f"it has {', '.join(sorted(known))}" if known else "leave `--dim` out: its sizes were given when it was compiled")
        if sizes.setdefault(name, size) != size:
            raise Refused("run.dim-differs", name, size, sizes[name])
    return {name: sizes.get(name, 64) for name in sorted(known)}


def _shape(parameter: Parameter, sizes: dict[str, int]) -> tuple[int, ...]:
    shape = tuple(measured(extent, sizes) for extent in parameter.type.extents)
    for extent, size in zip(parameter.type.extents, shape):
        if size < 0:
            chosen = ", ".join(f"{name}={value}" for name, value in sizes.items())
            raise Refused("run.negative-extent", chosen, parameter.name, repr(extent), size)
    return shape


def scalars_of(routine: Signature, args: Mapping[str, str]) -> dict[str, Any]:
    """What --arg says of scalar parameters."""
    kinds = {parameter.name: parameter.type for parameter in routine.parameters if parameter.type.is_scalar}
    given: dict[str, Any] = {}
    for name, text in args.items():
        if name not in kinds:
            raise Refused("run.unknown-scalar", routine.name, name, hint=f"it has {', '.join(kinds)}" if kinds else "leave `--arg` out: its parameters are arrays")
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            value = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(text)
        if not isinstance(value, (bool, int, float)):
            raise Refused("run.bad-scalar", name, text, repr(kinds[name]))
        try:
            given[name] = number_for(Parameter(name, ParameterType("In", kinds[name])), value)
        except HtpError as error:
            raise Refused("run.bad-arguments", routine.name, error, hint=_shown(routine)) from None
    return given


def check_memory(routine: Signature, sizes: dict[str, int]) -> None:
    needed = sum(math.prod(_shape(parameter, sizes)) * parameter.type.dtype.storage.itemsize for parameter in routine.parameters)
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > there:
        chosen = ", ".join(f"{name}={size}" for name, size in sizes.items())
        hint = "give smaller sizes: `--dim NAME=SIZE`" if chosen else "compile it for smaller sizes: its extents are constants"
        raise Refused("run.too-large", chosen or f"`{routine.name}`", f"{needed / 2**30:.6g}", f"{there / 2**30:.6g}", hint=hint)


def array_for(parameter: Parameter, given: dict[str, Any], sizes: dict[str, int], generator: np.random.Generator, from_file: bool) -> Any:
    """The array of a parameter, which lies as its type says."""
    array = _given_or_made(parameter, given, sizes, generator, from_file)
    layout = parameter.type.layout
    return array if layout is None or array.shape != _shape(parameter, sizes) else laid_out(array, layout)


def _given_or_made(parameter: Parameter, given: dict[str, Any], sizes: dict[str, int], generator: np.random.Generator, from_file: bool) -> Any:
    if parameter.name in given:
        return given[parameter.name]
    if from_file and parameter.direction != "Out":
        raise Refused("run.missing-input", parameter.name)
    shape, dtype = _shape(parameter, sizes), parameter.type.dtype
    if parameter.direction == "Out":
        return np.empty(shape, dtype.storage)
    if dtype.element.kind == "f":
        return np.asarray(dtype.encode(dtype.convert(np.asarray(generator.standard_normal(shape)))))
    return np.asarray(generator.integers(0, 2 if dtype.element.kind == "b" else 100, shape)).astype(dtype.storage)


def summary(array: Any, dtype: type[Value]) -> str:
    shape = "x".join(map(str, array.shape)) or "scalar"
    if array.size == 0:
        return f"{dtype.name} {shape}, empty"
    wide = dtype.decode(array).astype(np.float64)
    head = ", ".join(f"{value:.6g}" for value in wide.reshape(-1)[:4])
    more = ", …" if array.size > 4 else ""
    with np.errstate(all="ignore"):  # infinities have a mean too
        return f"{dtype.name} {shape}, min {wide.min():.6g}, max {wide.max():.6g}, mean {wide.mean():.6g}: [{head}{more}]"


def shown_time(seconds: float) -> str:
    """In four digits, with its unit."""
    unit, name = next(((unit, name) for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")) if seconds >= unit), (1e-9, "ns"))
    return f"{seconds / unit:.4g} {name}"


def _shown(routine: Signature) -> str:
    return f"the entry is {routine.name}({', '.join(f'{p.name}: {p.annotation!r}' for p in routine.parameters)})"


def plain(diagnostic: Any) -> dict[str, Any]:
    """A diagnostic as the C interface gave it, without what belongs to its first rendering."""
    return {key: diagnostic[key] for key in ("code", "severity", "fault", "message", "place", "labels", "notes", "hints") if key in diagnostic}


def _response(text: str, result: dict[str, Any], diagnostics: list[dict[str, Any]], differs: Sequence[str] = ()) -> str:
    return json.dumps({"text": text, "result": result, "diagnostics": diagnostics, "differs": list(differs)})
