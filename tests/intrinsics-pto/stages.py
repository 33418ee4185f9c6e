"""Stages written by hand, one instruction after the other, that run under plain Python and as a package."""

from __future__ import annotations

import os
import runpy
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import htp
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "manifests/a2a3sim.yaml"
WIDTH = 256
"""As many columns as a result has at most."""
BYTES = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "f16": 2, "bf16": 2, "i64": 8, "u64": 8}


def size(dtype: str) -> int:
    """Bytes of an element."""
    return BYTES.get(dtype, 4)


def host(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["HTP_HOST"], *map(str, arguments)], capture_output=True, text=True)


class Stage:
    """A kernel as `a2a3.allocate_buffers` leaves one: tiles have places, and instructions come one by one."""

    def __init__(self, kind: str = "aiv") -> None:
        self.kind = kind
        self.tables: dict[str, tuple[str, Any, str]] = {}
        """Parameters of their own: dtype, array, and whether they are also written."""
        self.loaded: dict[tuple[str, int], list[Any]] = {}
        """By dtype and dimensions, what tiles are loaded from: one parameter each, one array below the other."""
        self.rows: dict[tuple[str, int], int] = {}
        """By dtype and dimensions, how many rows are written so far."""
        self.body: list[str] = []
        self.labels: list[tuple[str, tuple[str, int], int, int, int]] = []
        self.at: dict[str, int] = {}
        self.groups: list[int] = []
        """Where what uses memories anew begins."""
        self.names = 0

    def say(self, line: str) -> None:
        self.body.append(line)

    def fresh(self) -> None:
        """What follows may use all memories again."""
        self.at = {}
        self.groups.append(len(self.body))

    def tile(self, dtype: str, rows: int, columns: int, valid: tuple[int, int] | None = None, space: str = "ub", at: int | None = None, **keywords: str) -> str:
        self.names += 1
        name = f"t{self.names}"
        place = self.at.get(space, 0) if at is None else at
        bytes_of = rows * columns // 8 if dtype == "bool_" else rows * columns * size(dtype)
        if at is None:
            self.at[space] = place + (bytes_of + 31) // 32 * 32
        r, c = valid or (rows, columns)
        more = "".join(f", {key}={value!r}" for key, value in {**({"space": space} if space != "ub" else {}), **keywords}.items())
        self.say(f"{name} = pto.tile({dtype}, {rows}, {columns}, valid=({r}, {c}), at={place}{more})")
        return name

    def place_of(self, tile: str) -> int:
        (line,) = (one for one in self.body if one.startswith(f"{tile} = "))
        return int(line.partition("at=")[2].partition(")")[0].partition(",")[0])

    def table(self, dtype: str, data: Any, direction: str = "In") -> str:
        """A parameter with an array in it."""
        for name, (of, array, way) in self.tables.items():
            if array is data and of == dtype and way == direction:
                return name
        name = f"table{len(self.tables)}"
        self.tables[name] = (dtype, data, direction)
        return name

    def place(self, dtype: str, data: Any) -> tuple[str, str]:
        """The parameter that an array is put into, and the index of it there."""
        arrays = self.loaded.setdefault((dtype, data.ndim), [])
        first = 0
        for array in arrays:
            if array is data:
                break
            first += len(array)
        else:
            arrays.append(data)
        index = f"slice({first}, {first + len(data)})"
        return f"x_{dtype}_{data.ndim}", index + (f", slice(0, {data.shape[1]})" if data.ndim == 2 else "")

    def load(self, dtype: str, data: Any, room: tuple[int, int] | None = None, space: str = "ub", **keywords: str) -> str:
        """A tile with an array in it; of one dimension a column."""
        name, index = self.place(dtype, data)
        step = 32 // size(dtype)
        up = lambda n: (n + step - 1) // step * step
        if data.ndim == 1:
            tile = self.tile(dtype, up(len(data)), 1, (len(data), 1))
        else:
            tile = self.tile(dtype, *(room or (data.shape[0], up(data.shape[1]))), data.shape, space, **keywords)
        self.say(f"pto.tload({tile}, {name}, {index})")
        return tile

    def store(self, label: str, dtype: str, tile: str, rows: int, columns: int, word: str = "tstore", more: str = "") -> None:
        """A result; of no columns a column."""
        key = (dtype, 2 if columns else 1)
        first = self.rows.get(key, 0)
        self.rows[key] = first + rows
        index = f"slice({first}, {first + rows})" + (f", slice(0, {columns})" if columns else "")
        self.say(f"pto.{word}(z_{dtype}_{key[1]}, {tile}{more}, {index})")
        self.labels.append((label, key, first, rows, columns))

    def parameters(self) -> dict[str, tuple[str, Any, str]]:
        """By name: dtype, array, and whether it is also written."""
        made = dict(self.tables)
        for (dtype, rank), arrays in self.loaded.items():
            if rank == 1:
                made[f"x_{dtype}_1"] = (dtype, np.concatenate(arrays), "In")
                continue
            width = max(array.shape[1] for array in arrays)
            made[f"x_{dtype}_2"] = (dtype, np.concatenate([np.pad(array, ((0, 0), (0, width - array.shape[1]))) for array in arrays]), "In")
        for (dtype, rank), rows in self.rows.items():
            made[f"z_{dtype}_{rank}"] = (dtype, np.zeros((rows, WIDTH) if rank == 2 else rows, getattr(htp, dtype).storage), "InOut")
        return made

    def text(self, after: str) -> str:
        signature = [f"{name}: {way}[Tensor[{', '.join([dtype, *map(str, np.shape(data))])}]]" for name, (dtype, data, way) in self.parameters().items()]
        lines = [
            "import htp",
            f"htp.stage(number=5, after='{after}', holds=['A2a3.Placed'], then=['a2a3.drop_unused_ints', 'a2a3.cluster_loads', 'a2a3.insert_flags', 'a2a3.drop_redundant_flags'], entry='program', target='a2a3')",
            "from htp import In, InOut, Out, bf16, bool_, f16, f32, i8, i16, i32, i64, u8, u16, u32, u64",
            "from htp_tile import Tensor, kernel",
            "import htp_pto as pto",
            "",
            "",
            "@kernel",
            f"def program({', '.join(signature)}) -> None:",
            f"    with pto.one_by_one({repr(self.kind) if self.kind != 'aiv' else ''}):",
        ]
        return "\n".join([*lines, *(f"        {line}" for line in self.body)]) + "\n"

    def arrays(self) -> dict[str, Any]:
        """Fresh ones."""
        return {name: np.array(data) for name, (_, data, _) in self.parameters().items()}

    def compile(self, folder: Path) -> subprocess.CompletedProcess[str]:
        stage = folder / "stage"
        stage.mkdir()
        (stage / "program.py").write_text(self.text("a2a3.allocate_buffers"))
        return host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", folder / "package")

    def parts(self) -> list[Stage]:
        """Stages of what uses memories anew each, over the same parameters."""
        made = []
        for first, end in zip(self.groups, [*self.groups[1:], len(self.body)]):
            part = Stage(self.kind)
            part.tables, part.loaded, part.rows, part.body = self.tables, self.loaded, self.rows, self.body[first:end]
            made.append(part)
        return made

    def python(self) -> dict[str, Any]:
        """What plain Python makes of it; there is one core at a time."""
        with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
            (Path(folder) / "program.py").write_text(self.text("a2a3.allocate_buffers"))
            made = self.arrays()
            runpy.run_path(f"{folder}/program.py")["program"](*made.values())
        return made

    def package(self) -> dict[str, Any]:
        """What the package makes of it."""
        plugins = Path(os.environ["HTP_HOST"]).parents[1] / "plugins"
        with tempfile.TemporaryDirectory() as folder:
            done = self.compile(Path(folder))
            assert done.returncode == 0, done.stderr
            made = self.arrays()
            with htp.bind(Path(folder) / "package", plugin_path=[plugins]) as opened:
                (routine,) = opened.routines.values()
                routine(*made.values())
        return made

    def differences(self, python: dict[str, Any], simulated: dict[str, Any], close: dict[str, float]) -> list[str]:
        """Of each result that both make otherwise: its label, and where. `close`: by label how far apart they may be, relative to what they are."""
        told = []
        for label, (dtype, rank), first, rows, columns in self.labels:
            kind, part = getattr(htp, dtype), (slice(first, first + rows), slice(0, columns))[:rank]
            a, b = (np.asarray(kind.decode(made[f"z_{dtype}_{rank}"][part])) for made in (python, simulated))
            told += self.told(label, a, b, close)
        for name, (_, _, way) in self.tables.items():
            if way == "InOut":
                told += self.told(name, python[name], simulated[name], close)
        return told

    @staticmethod
    def told(label: str, a: Any, b: Any, close: dict[str, float]) -> list[str]:
        with np.errstate(invalid="ignore"):
            wrong = ~((a == b) | ((a != a) & (b != b)))
            bound = close.get(label.partition(" ")[0], 0.0)
            if bound:
                wrong &= ~(np.abs(a.astype(np.float64) - b.astype(np.float64)) <= bound * np.maximum(np.abs(a.astype(np.float64)), 1e-30))
        if not wrong.any():
            return []
        at = tuple(int(k[0]) for k in np.nonzero(wrong))
        return [f"{label}: {int(wrong.sum())} elements, at {at} {a[at]} and {b[at]}"]
