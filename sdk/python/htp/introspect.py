"""The language as data, for tools and agents: what intrinsics there are, what each takes, and whether a program is accepted.

>>> [operation.name for operation in operations() if operation.rule == "reduction"]
>>> operation("matmul").schema()
>>> validate(source)                     # a list of diagnostics: empty when all is well
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from htp import native
from htp.errors import CompileError, HtpError
from htp.values import DTYPES

Paths = Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Parameter:
    """A parameter of an intrinsic; `default` is Python text, and None where there is none."""

    name: str
    annotation: str
    default: str | None
    keyword_only: bool


@dataclass(frozen=True)
class Operation:
    """An intrinsic. `name` is the compiler's ("tile.exp"), `python` where it is imported from ("htp_tile.exp")."""

    name: str
    python: str
    plugin: str
    signature: str
    parameters: tuple[Parameter, ...]
    result: str
    rule: str
    effects: str
    spaces: str
    cost: str
    operator: str | None
    doc: str
    backends: tuple[str, ...]

    def schema(self) -> dict[str, Any]:
        """The arguments as a JSON Schema: compile-time values by their types, what the program computes as Python text."""
        properties = {parameter.name.lstrip("*"): _schema(parameter) for parameter in self.parameters}
        required = [p.name for p in self.parameters if p.default is None and not p.name.startswith("*")]
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name,
            "description": self.doc,
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }


def operations(*, profile: str | os.PathLike[str] | None = None, plugin_path: Paths = ()) -> list[Operation]:
    """Every intrinsic of the plugins that are found: by the profile, in `plugin_path`, beside HTP."""
    return [_operation(described) for described in native.operations(profile=profile, plugin_path=plugin_path)]


def operation(name: str, *, profile: str | os.PathLike[str] | None = None, plugin_path: Paths = ()) -> Operation:
    """One intrinsic, by its name ("tile.exp"), its Python name ("htp_tile.exp") or the last word of these: the first that has it, what programs
    are written with before the words of targets, as `htp-host ops show` has it."""
    known = operations(profile=profile, plugin_path=plugin_path)
    found = [one for one in known if name in (one.name, one.python)] or [one for one in known if one.name.endswith("." + name)]
    if not found:
        raise HtpError(f"there is no intrinsic `{name}`: htp.introspect.operations() lists them")
    return found[0]


def validate(
    source: str, *, profile: str | os.PathLike[str], entry: str | None = None, plugin_path: Paths = ()
) -> list[dict[str, Any]]:
    """What the compiler says of a program given as text: diagnostics as in `CompileError.diagnostics`. None is an error when it is accepted.

    The program is compiled to its end, and nothing of it is kept. Places name the file `program.py`.
    """
    with tempfile.TemporaryDirectory(prefix="htp") as folder:
        program = Path(folder) / "program.py"
        program.write_text(source, encoding="utf-8")
        try:
            _, said = native.compiled(program, profile=profile, out=Path(folder) / "package", entry=entry, plugin_path=plugin_path)
        except CompileError as error:
            said = [dict(diagnostic) for diagnostic in error.diagnostics]
        return [_without(str(folder) + os.sep, diagnostic) for diagnostic in said]


def _operation(described: dict[str, Any]) -> Operation:
    parameters = tuple(Parameter(**parameter) for parameter in described["parameters"])
    fields: dict[str, Any] = {**described, "parameters": parameters, "backends": tuple(described["backends"])}
    return Operation(**fields)


def _schema(parameter: Parameter) -> dict[str, Any]:
    words = {word.strip() for word in parameter.annotation.split("|")}
    kind: dict[str, Any]
    if any(word.startswith("type[") or word == "type" for word in words):
        kind = {"enum": [dtype.name for dtype in DTYPES]}
    elif words == {"int"}:
        kind = {"type": "integer"}
    elif words == {"int", "tuple[int, ...]"}:
        kind = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}, "minItems": 1}]}
    elif words == {"float"}:
        kind = {"type": "number"}
    elif words == {"str"}:
        kind = {"type": "string"}
    else:
        kind = {"type": "string", "description": f"Python text: {parameter.annotation}"}
    if parameter.name.startswith("*"):
        kind = {"type": "array", "items": kind}
    if parameter.default is not None:
        kind = {**kind, "default": parameter.default}
    return kind


def _without(folder: str, value: Any) -> Any:
    """The diagnostic with paths beneath the folder as they are within it."""
    if isinstance(value, dict):
        return {key: _without(folder, one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without(folder, one) for one in value]
    return value.replace(folder, "") if isinstance(value, str) else value
