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

from htp.dims import Computed, Dim
from htp.entry import Parameter, Signature
from htp.errors import CompileError, HtpError
from htp.layouts import Layout, layout, strided
from htp.tensors import ParameterType, ShapedType, scalar
from htp.values import DTYPES, Value, bf16, f8e4m3, f8e5m2


def compile_program(
    program: str | os.PathLike[str] | None = None,
    *,
    profile: str | os.PathLike[str],
    out: str | os.PathLike[str],
    entry: str | None = None,
    set: Mapping[str, object] | None = None,
    plugin_path: Sequence[str | os.PathLike[str]] = (),
    stages: Literal["changed", "last"] | None = None,
) -> Path:
    """Compiles a program by a profile into the package folder `out`, and gives that folder.

    Without `program`, `entry` and `stages` the profile's are taken. `set` gives module constants other values. The package keeps a stage for each
    pass that changed the program, or with `stages="last"` only the first and the last. Raises CompileError with the diagnostics when the program
    is refused.
    """
    return compiled(program, profile=profile, out=out, entry=entry, set=set, plugin_path=plugin_path, stages=stages)[0]


def compiled(
    program: str | os.PathLike[str] | None = None,
    *,
    profile: str | os.PathLike[str],
    out: str | os.PathLike[str],
    entry: str | None = None,
    set: Mapping[str, object] | None = None,
    plugin_path: Sequence[str | os.PathLike[str]] = (),
    stages: Literal["changed", "last"] | None = None,
) -> tuple[Path, list[dict[str, Any]]]:
    """The same, with what was said though it was accepted: warnings and notes."""
    request = _asked(program, profile, out, entry, set, plugin_path)
    if stages is not None:
        request["stages"] = stages
    response = _Call()
    _answer(_library().htp_api_compile(_request(request), response), response)
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
    _answer(_library().htp_api_compile(_request(request), response), response)
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
) -> Package:
    """Opens a package: its entries become functions of NumPy arrays.

    The plugin that runs packages of its contract is looked for as in a compile: by the profile, in `plugin_path`, beside HTP.
    Raises CompileError with the diagnostics when there is none or the package is not whole.
    """
    handle = ctypes.c_void_p()
    response = _Call()
    request: dict[str, object] = {"package": os.fspath(package), "plugin_path": [os.fspath(folder) for folder in plugin_path]}
    if profile is not None:
        request["profile"] = os.fspath(profile)
    _answer(_library().htp_api_open(_request(request), ctypes.byref(handle), response), response)
    return Package(handle, response.json)


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
    _answer(call(_request(request), response), response)
    found: list[dict[str, Any]] = response.json["intrinsics"]
    return found


def roof(size: int) -> dict[str, float]:
    """What one core of this machine does in a second, measured now: `flops` of f32, and bytes of a memory of `size` bytes that it can `read` and `copy`."""
    response = _Call()
    call = _library().htp_api_roof
    call.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    _answer(call(_request({"bytes": size}), response), response)
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

    def __init__(self, handle: ctypes.c_void_p, opened: Mapping[str, Any]) -> None:
        self._handle: ctypes.c_void_p | None = handle
        self.modules: list[str] = opened["modules"]
        """The folders with the Python packages of what made the package."""
        self.routines = {entry["name"]: Routine(self, entry) for entry in opened["entries"]}

    def __getattr__(self, name: str) -> Routine:
        routines: dict[str, Routine] = self.__dict__.get("routines", {})
        if name not in routines:
            raise AttributeError(f"the package has no entry `{name}`: it has {', '.join(routines)}")
        return routines[name]

    def __call__(self, *arguments: Any, **named: Any) -> None:
        if len(self.routines) != 1:
            raise HtpError(f"the package has several entries, call one by its name: {', '.join(self.routines)}")
        next(iter(self.routines.values()))(*arguments, **named)

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

    def __call__(self, *arguments: Any, **named: Any) -> None:
        self._run(self.arrays(*arguments, **named), trace=False)

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
        for parameter, array in zip(self.parameters, arrays):
            if any(stride % array.itemsize for stride in array.strides):  # DLPack counts elements; else the host looks
                raise HtpError(f"`{parameter.name}` has strides that are no whole elements: give `numpy.ascontiguousarray({parameter.name})`")
        tensors = [_DLTensor.over(array, parameter.type.dtype) for parameter, array in zip(self.parameters, arrays)]
        pointers = (ctypes.POINTER(_DLTensor) * len(tensors))(*(ctypes.pointer(tensor) for tensor in tensors))
        request = _request({"entry": self.name, "arguments": [parameter.name for parameter in self.parameters], **how})
        response = _Call()
        _answer(_library().htp_api_run(self._package._handle, request, pointers, len(tensors), response), response)
        return response.json


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


class _Device(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


_CPU: Final = 1
_CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
_FLOATS: Final[dict[type[Value], int]] = {bf16: 4, f8e4m3: 10, f8e5m2: 12}
"""DLPack's codes of what NumPy has not."""


class _DLTensor(ctypes.Structure):
    """DLPack's view of an array; the array must outlive it."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]

    @classmethod
    def over(cls, array: Any, dtype: type[Value]) -> _DLTensor:
        size = array.itemsize
        extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(stride // size for stride in array.strides))
        code = _FLOATS.get(dtype) or _CODES[dtype.storage.kind]
        return cls(array.ctypes.data, _Device(_CPU, 0), array.ndim, _DataType(code, size * 8, 1), extents, strides, 0)


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


def _answer(status: int, response: _Call) -> None:
    response.read()
    if status != 0:
        rendered = response.json.get("rendered") or f"libhtp failed with status {status}"
        raise CompileError(_OPTION.sub(_argument, rendered), response.json.get("diagnostics", []))


_ARGUMENTS: Final = {"--plugin-path": 'plugin_path=["{}"]', "--plugins": 'profile="{}"', "--entry": 'entry="{}"'}
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
