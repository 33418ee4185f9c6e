"""The compiler from Python: libhtp.so, called in this process with the interpreter that runs (R18)."""

from __future__ import annotations

import ast
import ctypes
import functools
import json
import operator
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from htp.arrays import DLPACK_FLOATS, DataType, Device, DLTensor
from htp.dims import Computed, Dim
from htp.entry import Parameter, Signature, one_or_all
from htp.errors import CompileError, Diagnosed, HtpError, PackageError, RunError
from htp.layouts import Layout, layout, strided
from htp.layouts.arrays import array as laid_out
from htp.layouts.arrays import steps as layout_steps
from htp.layouts.memory import Bound
from htp.shown import Stages, stages_of
from htp.sources import program_of
from htp.tensors import ParameterType, ShapedType, scalar
from htp.values import DTYPES, Value


def compile_program(
    program: Any = None,
    *,
    target: str | None = None,
    profile: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    entry: str | None = None,
    set: Mapping[str, object] | None = None,
    plugin_path: Sequence[str | os.PathLike[str]] = (),
    stages: Literal["changed", "last"] | None = None,
) -> Path:
    """Compiles a program, a path or an entry such as a kernel, and gives the package's folder.

    `target` stands for the profile of that name that comes with HTP; without either, and without a profile that names a program, it is "cpu". Without
    `out` the package lies in the content cache, where the same program gives the same folder. Without `entry` and `stages` the profile's are
    taken. `set` gives module constants other values, and dims their sizes. The package keeps a stage for each pass that changed the program, or with
    `stages="last"` only the first and the last. Raises CompileError with the diagnostics when the program is refused.
    """
    if target is not None and profile is not None:
        raise HtpError("give `target`, or a `profile`, which names one")
    if isinstance(program, Signature):
        return program_of(program).compiled(target=target, profile=profile, out=out, set=set, plugin_path=plugin_path, stages=stages)
    chosen = profile if profile is not None else target or "cpu"
    return compiled(program, profile=chosen, out=out, entry=entry, set=set, plugin_path=plugin_path, stages=stages)[0]


def compiled(
    program: str | os.PathLike[str] | None = None,
    *,
    profile: str | os.PathLike[str],
    out: str | os.PathLike[str] | None,
    entry: str | None = None,
    set: Mapping[str, object] | None = None,
    plugin_path: Sequence[str | os.PathLike[str]] = (),
    stages: Literal["changed", "last"] | None = None,
    only_entry: bool = False,
) -> tuple[Path, list[dict[str, Any]]]:
    """The same, with what was said though it was accepted: warnings and notes. With `only_entry` the rest of the file may be any Python."""
    request = _asked(program, profile, out or "", entry, set, plugin_path)
    request["only_entry"] = only_entry
    if out is None:
        request["keep"] = True
    if stages is not None:
        request["stages"] = stages
    response = _Call()
    _answer(_library().htp_api_compile(_request(request), response), response, CompileError)
    return Path(str(response.json.get("package", out))), response.json.get("diagnostics", [])


def estimated(
    program: str | os.PathLike[str],
    *,
    profile: str | os.PathLike[str],
    entry: str,
    set: Mapping[str, object],
    sizes: Mapping[str, int],
    plugin_path: Sequence[str | os.PathLike[str]] = (),
) -> tuple[str, float]:
    """The target's cost model, and the seconds that it gives a call of the entry at these sizes. Writes nothing; ("", 0.0) without a model."""
    request: dict[str, object] = {**_asked(program, profile, "", entry, set, plugin_path), "sizes": dict(sizes)}
    response = _Call()
    _answer(_library().htp_api_compile(_request(request), response), response, CompileError)
    found = response.json["estimate"]
    return str(found["by"]), float(found["seconds"])


def _asked(
    program: str | os.PathLike[str] | None,
    profile: str | os.PathLike[str],
    out: str | os.PathLike[str],
    entry: str | None,
    set: Mapping[str, object] | None,
    plugin_path: Sequence[str | os.PathLike[str]],
) -> dict[str, object]:
    """What is asked of the compiler."""
    request: dict[str, object] = {
        "profile": os.fspath(profile),
        "out": os.fspath(out),
        "set": {name: str(value) for name, value in (set or {}).items()},
        "plugin_path": [os.fspath(folder) for folder in plugin_path],
    }
    if program is not None:
        request["program"] = os.fspath(program)
    if entry is not None:
        request["entry"] = entry
    return request


def bind(
    package: str | os.PathLike[str],
    *,
    profile: str | os.PathLike[str] | None = None,
    plugin_path: Sequence[str | os.PathLike[str]] = (),
    copy: bool = False,
) -> Package:
    """Opens a package: its entries become functions of arrays, of NumPy and of what gives its memory by DLPack, by `__array_interface__` or as a buffer.

    The plugin that runs packages of its contract is looked for as in a compile: by the profile, in `plugin_path`, beside HTP.
    With `copy` an array that lies otherwise than its type says is copied before a call, and back after it; else it is refused.
    Raises PackageError with the diagnostics when there is none or the package is not whole.
    """
    handle = ctypes.c_void_p()
    response = _Call()
    request: dict[str, object] = {"package": os.fspath(package), "plugin_path": [os.fspath(folder) for folder in plugin_path]}
    if profile is not None:
        request["profile"] = os.fspath(profile)
    _answer(_library().htp_api_open(_request(request), ctypes.byref(handle), response), response, PackageError)
    return Package(handle, response.json, Path(package), copy)


def operations(
    *, profile: str | os.PathLike[str] | None = None, plugin_path: Sequence[str | os.PathLike[str]] = ()
) -> list[dict[str, Any]]:
    """The intrinsics of the plugins that are found, each as `htp-host --json ops` describes it."""
    request: dict[str, object] = {"plugin_path": [os.fspath(folder) for folder in plugin_path]}
    if profile is not None:
        request["profile"] = os.fspath(profile)
    response = _Call()
    call = _library().htp_api_operations
    call.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    _answer(call(_request(request), response), response, CompileError)
    found: list[dict[str, Any]] = response.json["intrinsics"]
    return found


def roof(size: int) -> dict[str, float]:
    """What one core of this machine does in a second, measured now: `flops` of f32, and bytes of a memory of `size` bytes that it can `read` and `copy`."""
    response = _Call()
    call = _library().htp_api_roof
    call.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    _answer(call(_request({"bytes": size}), response), response, RunError)
    return {name: float(response.json[name]) for name in ("flops", "read", "copy")}


def layout_operation(request: Mapping[str, object]) -> dict[str, Any]:
    """What the layout algebra answers. Raises HtpError with its reason."""
    response = _Call()
    call = _library().htp_api_layout
    call.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    status = call(_request(request), response)
    response.read()
    if status != 0:
        raise HtpError(str(response.json.get("refused", f"libhtp failed with status {status}")))
    return response.json


class Package:
    """An opened package. `package.entry_name(x, y)` runs an entry; `package(x, y)` its only one."""

    def __init__(self, handle: ctypes.c_void_p, opened: Mapping[str, Any], folder: Path = Path(), copy: bool = False) -> None:
        self._handle: ctypes.c_void_p | None = handle
        self.folder = folder
        self.copy = copy
        self.modules: list[str] = opened["modules"]
        """The folders with the Python packages of what made the package."""
        self.routines = {entry["name"]: Routine(self, entry) for entry in opened["entries"]}

    def __getattr__(self, name: str) -> Routine:
        routines: dict[str, Routine] = self.__dict__.get("routines", {})
        if name not in routines:
            raise AttributeError(f"the package has no entry `{name}`: it has {', '.join(routines)}")
        return routines[name]

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if len(self.routines) != 1:
            raise HtpError(f"the package has several entries, call one by its name: {', '.join(self.routines)}")
        return next(iter(self.routines.values()))(*arguments, **named)

    def stages(self) -> Stages:
        """The program after each pass that changed it, first as it was written: each is Python that runs."""
        return stages_of(self.folder)

    def __repr__(self) -> str:
        return f"<htp.Package of {', '.join(map(repr, self.routines.values()))}>"

    def close(self) -> None:
        """Releases what the package holds; its entries cannot be called any more."""
        if self._handle is not None:
            _library().htp_api_close(self._handle)
            self._handle = None

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except (AttributeError, TypeError):  # the interpreter is going away
            pass


class Routine(Signature):
    """An entry of an opened package, called with NumPy arrays that lie as its types say, which it reads and writes in place."""

    def __init__(self, package: Package, entry: Mapping[str, Any]) -> None:
        parameters = tuple(
            Parameter(parameter["name"], ParameterType(_direction(parameter["direction"]), _type(parameter["type"])))
            for parameter in entry["parameters"]
        )
        super().__init__(entry["name"], parameters)
        self._package = package

        self._function: Any = None
        """The way for what surely fits: checks and call in one, of libhtp."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Outputs that are not given are made, and are what the call gives."""
        return (self._function or self.function())(*arguments, **named)

    def function(self) -> Any:
        """What a call goes to, made when first asked for: that builds the package."""
        if self._function is None:
            if self._package._handle is None:
                raise HtpError(f"`{self.name}` belongs to a package that is closed")
            parts: list[Any] = [self._any, _fault, np.empty, tuple(parameter.type.dtype.storage for parameter in self.parameters), HtpError]
            parts.append(tuple(sys.intern(parameter.name) for parameter in self.parameters))
            make = getattr(_library(), "htp_api_function", None)
            if make is not None:
                made, response = len(parts), _Call()
                make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.py_object, ctypes.c_void_p]
                status = make(self._package._handle, _request({"entry": self.name}), parts, response)
                _answer(status, response, PackageError)
                self._function = parts[made] if len(parts) > made else None
            if self._function is None:
                self._function = self._any
        return self._function

    def _any(self, *arguments: Any, **named: Any) -> Any:
        """A call of whatever arguments."""
        made: tuple[Any, ...] = ()
        if len(arguments) + len(named) < len(self.parameters) and (completed := self.completed(*arguments, **named)):
            named, made = completed
            arguments = ()
        self._run(self.arrays(*arguments, **named), trace=False)
        return one_or_all(made)

    def traced(self, *arguments: Any, **named: Any) -> list[dict[str, Any]]:
        """A call that tells what took how long: events with name, track, begin_us, duration_us, and file and line of what is known."""
        return self._run(self.arrays(*arguments, **named), trace=True)

    def timed(self, runs: int, *arguments: Any, **named: Any) -> list[float]:
        """So many calls one after the other on the same arrays: the seconds of each, without what Python adds to a call."""
        seconds: list[float] = self._call(self.arrays(*arguments, **named), {"times": runs})["seconds"]
        return seconds

    def _run(self, arrays: list[Any], *, trace: bool) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = self._call(arrays, {"trace": trace}).get("events", [])
        return events

    def _call(self, arrays: list[Any], how: Mapping[str, object]) -> dict[str, Any]:
        if self._package._handle is None:
            raise HtpError(f"`{self.name}` belongs to a package that is closed")
        given = arrays
        if self._package.copy:
            arrays = [_lying(parameter, array) for parameter, array in zip(self.parameters, given)]
        for parameter, array in zip(self.parameters, arrays):
            if any(stride % array.itemsize for stride in array.strides):  # DLPack counts elements; else the host looks
                raise HtpError(f"`{parameter.name}` has strides that are no whole elements: give `numpy.ascontiguousarray({parameter.name})`")
        tensors = [_tensor_over(array, parameter.type.dtype) for parameter, array in zip(self.parameters, arrays)]
        pointers = (ctypes.POINTER(DLTensor) * len(tensors))(*(ctypes.pointer(tensor) for tensor in tensors))
        request = _request({"entry": self.name, "arguments": [parameter.name for parameter in self.parameters], **how})
        response = _Call()
        _answer(_library().htp_api_run(self._package._handle, request, pointers, len(tensors), response), response, RunError)
        for parameter, array, copy in zip(self.parameters, given, arrays):
            if copy is not array and parameter.direction != "In":
                array[...] = copy
        return response.json


def _lying(parameter: Parameter, array: Any) -> Any:
    """The array where it lies as its type says; else a copy that does."""
    layout = parameter.type.layout
    if array.ndim != len(parameter.type.extents) or isinstance(layout, Bound):
        return array
    if layout is None:
        return array if array.flags.c_contiguous and array.flags.aligned else np.array(array, order="C")
    try:
        wanted = layout_steps(layout, array.shape)
    except HtpError:  # the host says what does not fit
        return array
    steps = tuple(stride // array.itemsize for stride in array.strides)
    same = all(extent == 1 or own == step for extent, own, step in zip(array.shape, steps, wanted))
    return array if same and array.flags.aligned else laid_out(array, layout)


# ── signatures of a package, as its manifest spells them ────────────────────────────────────────────────────────────────────


def _direction(word: str) -> str:
    return {"in": "In", "out": "Out", "inout": "InOut", "value": "In"}.get(word.lower(), word)


def _type(text: str) -> ShapedType:
    """A type such as "Tensor[f32, M, N]", in or without its direction, or of a scalar "f32" or "int"."""
    node: ast.expr = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.Subscript):
        dtypes: dict[str, object] = {known.name: known for known in DTYPES}
        kind = scalar(int if _last(node) == "int" else dtypes.get(_last(node)))
        if kind is not None:
            return kind.type
    while isinstance(node, ast.Subscript) and _last(node.value) in ("In", "Out", "InOut"):
        node = node.slice
    if not isinstance(node, ast.Subscript):
        raise HtpError(f"the package has a parameter of the unknown type {text}")
    dtype, *extents = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    by_name = {known.name: known for known in DTYPES}
    if _last(dtype) not in by_name:
        raise HtpError(f"the package has a parameter of the unknown type {text}")
    # A layout or a space is a call; what runs a package needs the shape, and where arrays lie.
    shape = tuple(_extent(extent) for extent in extents if not isinstance(extent, ast.Call))
    layouts = [_layout(extent) for extent in extents if isinstance(extent, ast.Call) and ast.unparse(extent.func) in ("htp.layout", "htp.layouts.strided")]
    return ShapedType(_last(node.value), by_name[_last(dtype)], shape, layouts[0] if layouts else None)


def _layout(call: ast.Call) -> Layout:
    """`htp.layout(…)`, of literals, or `htp.layouts.strided((M, N), (S0, 1))` with dims."""
    if ast.unparse(call.func) == "htp.layouts.strided":
        said: list[list[Any]] = [[_extent(one) for one in of.elts] if isinstance(of, ast.Tuple) else [] for of in call.args]
        return strided(said[0], said[1])
    named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg}
    return layout(*map(ast.literal_eval, call.args), **named)


_OPERATORS = {
    ast.Add: (operator.add, "+"), ast.Sub: (operator.sub, "-"), ast.Mult: (operator.mul, "*"),
    ast.FloorDiv: (operator.floordiv, "//"), ast.Mod: (operator.mod, "%"),
}  # fmt: skip


def _extent(node: ast.expr) -> int | Dim | Computed:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return Computed(*_OPERATORS[type(node.op)], _extent(node.left), _extent(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Computed(operator.neg, "-", _extent(node.operand))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else Dim(_last(node))


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ast.unparse(node)


# ── the C interface, sdk/include/htp/capi.h ─────────────────────────────────────────────────────────────────────────────────


_CPU: Final = 1
_CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
_FLOATS: Final = {name: code for code, name in DLPACK_FLOATS.items()}


def _tensor_over(array: Any, dtype: type[Value]) -> DLTensor:
    """DLPack's view of an array, which must outlive it."""
    size = array.itemsize
    extents = (ctypes.c_int64 * array.ndim)(*array.shape)
    strides = (ctypes.c_int64 * array.ndim)(*(stride // size for stride in array.strides))
    code = _FLOATS.get(dtype.name) or _CODES[dtype.storage.kind]
    return DLTensor(array.ctypes.data, Device(_CPU, 0), array.ndim, DataType(code, size * 8, 1), extents, strides, 0)


class _Call:
    """Where one call leaves its response; passed as its `char **`."""

    def __init__(self) -> None:
        self._text = ctypes.c_void_p()
        self._as_parameter_ = ctypes.byref(self._text)
        self.json: dict[str, Any] = {}

    def read(self) -> None:
        """Takes the response over and frees the library's copy."""
        if self._text:
            try:
                self.json = json.loads(ctypes.string_at(self._text.value or 0))
            finally:
                _library().htp_api_free(self._text)
                self._text.value = None


def _request(request: Mapping[str, object]) -> bytes:
    return json.dumps(request).encode()


def _answer(status: int, response: _Call, kind: type[Diagnosed]) -> None:
    response.read()
    if status != 0:
        raise _error(kind, response.json, status)


def _error(kind: type[Diagnosed], said: Mapping[str, Any], status: int) -> Diagnosed:
    rendered = said.get("rendered") or f"libhtp failed with status {status}"
    return kind(_OPTION.sub(_argument, rendered), said.get("diagnostics", []))


def _fault(response: str) -> None:
    """Raises what a direct call met."""
    raise _error(RunError, json.loads(response), 1)


_ARGUMENTS: Final = {"--plugin-path": 'plugin_path=["{}"]', "--plugins": 'profile="{}"', "--entry": 'entry="{}"', "--set": "{}=…"}
_OPTION: Final = re.compile(f"`({'|'.join(_ARGUMENTS)}) ([^` ]+)`")


def _argument(option: re.Match[str]) -> str:
    """An option that a hint tells to give, as the argument it is in Python."""
    return f"`{_ARGUMENTS[option[1]].format(option[2])}`"


@functools.cache
def _library() -> Any:
    library = ctypes.PyDLL(None)  # htp-host has the functions itself
    if not hasattr(library, "htp_api_open"):
        library = ctypes.PyDLL(str(_library_path()))
    call = ctypes.c_void_p
    library.htp_api_compile.argtypes = [ctypes.c_char_p, call]
    library.htp_api_open.argtypes = [ctypes.c_char_p, call, call]
    library.htp_api_run.argtypes = [ctypes.c_void_p, ctypes.c_char_p, call, ctypes.c_uint, call]
    library.htp_api_close.argtypes = [ctypes.c_void_p]
    library.htp_api_close.restype = None
    library.htp_api_free.argtypes = [ctypes.c_void_p]
    library.htp_api_free.restype = None
    return library


def _library_path() -> Path:
    """$HTP_LIBRARY. Else beside this package, in its prefix or build folder. Else, for the source tree, in a build folder: that
    of the plugins' modules on `sys.path`, build/release, any other. Never of a build with sanitizers, which a plain Python cannot load.
    """
    told = os.environ.get("HTP_LIBRARY")
    if told is not None:
        if not Path(told).is_file():
            raise HtpError(f"HTP_LIBRARY names {told}, which is not a file")
        return Path(told)
    above = Path(__file__).resolve().parents[1:5]
    found = [library for folder in above for place in ("lib/libhtp.so", "lib/*/libhtp.so") for library in sorted(folder.glob(place))]
    builds = [Path(folder).resolve().parents[2] for folder in sys.path if Path(folder).match("plugins/*/python")]
    builds += [folder / "build/release" for folder in above] + [build for folder in above for build in sorted(folder.glob("build/*"))]
    found += [library for build in builds if (library := build / "lib/libhtp.so").is_file()]
    for library in found:
        if not _sanitized(library.parent.parent):
            return library
    useless = "".join(f"; {library} is built with sanitizers" for library in dict.fromkeys(found))
    raise HtpError(
        f"libhtp.so is not found beside {Path(__file__).parent}, in the build that PYTHONPATH has plugins of, or in build/*{useless}: "
        "build HTP with scripts/demo, or set HTP_LIBRARY to its path"
    )


def _sanitized(build: Path) -> bool:
    cache = build / "CMakeCache.txt"
    setting = re.search(r"^HTP_SANITIZE:\w+=(.*)$", cache.read_text(), re.MULTILINE) if cache.is_file() else None
    return setting is not None and setting[1].upper() not in ("", "0", "OFF", "NO", "FALSE")
