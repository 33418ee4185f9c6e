"""Every instruction of the table, in every dtype that it takes: plain Python and the emitted kernel on the simulator make the same of it."""

from __future__ import annotations

import inspect
import re
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, get_args

import htp
import numpy as np
from htp.intrinsics import INTRINSICS
from htp_pto.dtypes import CONVERSIONS

from stages import ROOT, Stage, size

ROWS, COLUMNS, ROOM = 9, 50, 64
VECTOR = ("f32", "f16", "i32", "i16", "u32", "u16", "bf16", "i8", "u8")
CLOSE = {"texp": 4e-7, "tlog": 4e-7, "trsqrt": 2e-7, "tpow": 2e-5, "tpows": 2e-5, "trowexpandexpdif": 4e-7, "tcolexpandexpdif": 4e-7, "trowsum": 2e-6, "tcolsum": 2e-6, "trowprod": 2e-6, "tcolprod": 2e-6}
"""How far two libraries' functions may be apart, and sums in another order; half precision rounds that away, or to the next number."""
BESIDE = {"tile", "gm", "value", "set_flag", "wait_flag", "pipe_barrier", "drain"}
"""Words that compute nothing."""


def dtypes(word: str) -> dict[str, tuple[str, ...]]:
    """By operand, the dtypes that the table lets it have; of `Element` all that are moved."""
    found = {}
    for name, parameter in inspect.signature(INTRINSICS[f"pto.{word}"].function, eval_str=True).parameters.items():
        parts = [part for part in (parameter.annotation, *get_args(parameter.annotation)) if isinstance(part, TypeVar | type)]
        words = [dtype.name for part in parts for dtype in (part.__constraints__ if isinstance(part, TypeVar) else (part,)) if hasattr(dtype, "name")]
        found[name] = tuple(one for one in words if one in VECTOR or one == "bool_")
    return found


def words(*rules: str) -> list[str]:
    return [name[4:] for name, one in INTRINSICS.items() if name.startswith("pto.") and one.rule in rules]


class Data:
    """Operands of a dtype, with what is special about it."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)

    def of(self, dtype: str, shape: Any, low: int = -100, high: int = 100) -> Any:
        kind = getattr(htp, dtype)
        if dtype[0] in "iu":
            info = np.iinfo(kind.storage)
            drawn = self.draw.integers(max(low, info.min), min(high, info.max) + 1, shape).astype(kind.storage)
            if drawn.ndim == 2 and low == -100:
                drawn[0, :3] = [info.min, info.max, 0]
            return drawn
        drawn = self.draw.standard_normal(shape).astype(np.float32) * 3
        return kind.encode(drawn.astype(kind.element))

    def exact(self, dtype: str, shape: Any) -> Any:
        """What adds up to the same in any order."""
        kind = getattr(htp, dtype)
        return kind.encode((self.draw.integers(-16, 17, shape) / (1 if dtype[0] == "i" else 8)).astype(kind.element))

    def special(self, dtype: str, shape: Any) -> Any:
        made = self.of(dtype, shape)
        if dtype[0] not in "iu":
            kind = getattr(htp, dtype)
            made[0, :6] = kind.encode(np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5], kind.element))
        return made


def vector(dtype: str) -> Stage:
    """Every instruction of the vector unit that takes this dtype first."""
    s, data = Stage(), Data(VECTOR.index(dtype))
    step = 32 // size(dtype)
    room = max(ROOM, step)
    a, b = data.special(dtype, (ROWS, COLUMNS)), data.of(dtype, (ROWS, COLUMNS))
    column, row = data.of(dtype, (ROWS,)), data.of(dtype, (1, COLUMNS))
    whole = dtype[0] in "iu"

    def takes(word: str, operand: int = 1) -> bool:
        by_operand = list(dtypes(word).values())
        return dtype in by_operand[operand]

    def new(of: str = dtype, rows: int = ROWS, columns: int = COLUMNS, width: int = room) -> str:
        return s.tile(of, rows, width, (rows, columns))

    def load(array: Any, of: str = dtype) -> str:
        rows, columns = array.shape if array.ndim == 2 else (0, 0)
        return s.load(of, array, (rows, room) if columns == COLUMNS else None)

    for word in words("binary", "part", "fused"):
        if not takes(word):
            continue
        s.fresh()
        second = data.of(dtype, (ROWS, COLUMNS), 0, 8 * size(dtype) - 1) if word in ("tshl", "tshr") else data.of(dtype, (ROWS, COLUMNS), -3, 9) if word == "tpow" else b
        if word == "tpow" and not whole:
            second = data.of(dtype, (ROWS, COLUMNS))
            second[:, ::3] = np.rint(second[:, ::3])
        d, x, y = new(), load(a), s.load(dtype, data.of(dtype, (7, 33)), (ROWS, room)) if word.startswith("tpart") else load(second)
        if word in words("fused"):
            s.say(f"pto.tmov({d}, {y})")
        work = ""
        if "work" in dtypes(word):
            made = s.tile("u8", ROWS + 1, 32) if word == "tprelu" else s.tile(dtype, 1, 72) if word == "trem" else new()
            work = f", {made}"
        s.say(f"pto.{word}({d}, {x}, 0.5)" if word == "taxpy" else f"pto.{word}({d}, {x}, {y}{work})")
        s.store(f"{word} {dtype}", dtype, d, ROWS, COLUMNS)
    for word in words("scalar"):
        if not takes(word):
            continue
        for number in ("3", "-2", "0") if word not in ("tshls", "tshrs") and dtype[0] != "u" else ("3",):
            s.fresh()
            d, x = new(), load(a)
            value = number if whole else f"{number}.25"
            if word == "trems":
                d, x = s.tile(dtype, ROWS, ROOM, (ROWS, COLUMNS)), load(b)
            work = f", {new() if word != 'trems' else s.tile(dtype, 1, ROOM)}" if "work" in dtypes(word) else ""
            s.say(f"pto.{word}({d}, {x}, {value}{work})")
            s.store(f"{word} {dtype} {value}", dtype, d, ROWS, COLUMNS)
    if takes("tdivs") and not whole:
        s.fresh()
        d, x = new(), load(a)
        s.say(f"pto.tdivs({d}, 3.0, {x})")
        s.store(f"tdivs {dtype} turned", dtype, d, ROWS, COLUMNS)
    for word in words("unary"):
        if takes(word):
            s.fresh()
            d, x = new(), load(a)
            s.say(f"pto.{word}({d}, {x})")
            s.store(f"{word} {dtype}", dtype, d, ROWS, COLUMNS)
    for word in words("rows"):
        if takes(word):
            s.fresh()
            x, result = load(b), "i32" if word.startswith("trowarg") else dtype
            d, work = s.tile(result, 16, 1, (ROWS, 1)), new()
            s.say(f"pto.{word}({d}, {x}, {work})")
            s.store(f"{word} {dtype}", result, d, ROWS, 0)
    for word in words("columns"):
        if takes(word):
            s.fresh()
            x, d = load(b), new(rows=1)
            s.say(f"pto.{word}({d}, {x})")
            s.store(f"{word} {dtype}", dtype, d, 1, COLUMNS)
    for word in words("spread"):
        if takes(word):
            s.fresh()
            x, part, d = load(a), load(column if word.startswith("trow") else row), new()
            s.say(f"pto.{word}({d}, {part})" if word.endswith("expand") else f"pto.{word}({d}, {x}, {part})")
            s.store(f"{word} {dtype}", dtype, d, ROWS, COLUMNS)
    s.fresh()
    d, x = new(), load(b)
    s.say(f"pto.texpands({d}, 7)")
    s.store(f"texpands {dtype}", dtype, d, ROWS, COLUMNS)
    if dtype in ("f16", "f32", "i16", "i32"):
        s.say(f"pto.tmov({d}, {x})")
        s.store(f"tmov {dtype}", dtype, d, ROWS, COLUMNS)
    s.fresh()
    x, tall = load(b), (COLUMNS + step - 1) // step * step
    d, work = (s.tile(dtype, tall, max(16, step), (COLUMNS, ROWS)) for _ in range(2))
    s.say(f"pto.ttrans({d}, {x}, {work})")
    s.store(f"ttrans {dtype}", dtype, d, COLUMNS, ROWS)
    s.fresh()
    d, x = s.tile(dtype, ROWS, 2 * room, (ROWS, 2 * COLUMNS)), load(b)
    s.say(f"pto.tconcat({d}, {x}, {load(a)})")
    s.store(f"tconcat {dtype}", dtype, d, ROWS, 2 * COLUMNS)
    if dtype in dtypes("tci")["target"]:
        s.fresh()
        d = new(rows=1)
        s.say(f"pto.tci({d}, 5)")
        s.store(f"tci {dtype}", dtype, d, 1, COLUMNS)
    if dtype in dtypes("ttri")["target"]:
        for diagonal, side in ((2, "lower"), (-1, "upper")):
            s.fresh()
            d = new()
            s.say(f"pto.ttri({d}, {diagonal}, {side!r})")
            s.store(f"ttri {dtype} {side}", dtype, d, ROWS, COLUMNS)
    comparisons(s, data, dtype, a, b, new, load)
    moves(s, data, dtype, b, room, new, load)
    return s


def comparisons(s: Stage, data: Data, dtype: str, a: Any, b: Any, new: Any, load: Any) -> None:
    """Masks, and what is chosen by them."""
    near = a.copy()
    near[2:5] = b[2:5]
    if dtype in dtypes("tcmp")["a"]:
        for mode in ("EQ",) if dtype == "i32" else ("EQ", "NE", "LT", "LE", "GT", "GE"):
            s.fresh()
            x, y, d, work = load(near), load(b), new(), s.tile("u8", 1, 32)
            m, n = (s.tile("bool_", ROWS, 256, (ROWS, COLUMNS)) for _ in range(2))
            s.say(f"pto.tcmp({m}, {x}, {y}, {mode!r})")
            s.say(f"pto.tsel({d}, {m}, {x}, {y}, {work})")
            s.store(f"tcmp {dtype} {mode}", dtype, d, ROWS, COLUMNS)
            s.say(f"pto.tcmps({n}, {x}, 1, {mode!r})")
            s.say(f"pto.tsels({d}, {n}, {x}, {work}, 9)")
            s.store(f"tcmps {dtype} {mode}", dtype, d, ROWS, COLUMNS)
            for word in ("tand", "tor", "tnot"):
                k = s.tile("bool_", ROWS, 256, (ROWS, COLUMNS))
                s.say(f"pto.{word}({k}, {m})" if word == "tnot" else f"pto.{word}({k}, {m}, {n})")
                s.say(f"pto.tsel({d}, {k}, {x}, {y}, {work})")
                s.store(f"{word} bool_ of {dtype} {mode}", dtype, d, ROWS, COLUMNS)
    if dtype in dtypes("tsel")["target"] and dtype not in dtypes("tcmp")["a"]:
        s.fresh()
        x, y, d, work, f = load(a), load(b), new(), s.tile("u8", 1, 32), s.load("f32", data.of("f32", (ROWS, COLUMNS)), (ROWS, ROOM))
        m = s.tile("bool_", ROWS, 256, (ROWS, COLUMNS))
        s.say(f"pto.tcmps({m}, {f}, 0.0, 'GT')")
        s.say(f"pto.tsel({d}, {m}, {x}, {y}, {work})")
        s.store(f"tsel {dtype}", dtype, d, ROWS, COLUMNS)
        s.say(f"pto.tsels({d}, {m}, {x}, {work}, 9)")
        s.store(f"tsels {dtype}", dtype, d, ROWS, COLUMNS)


def moves(s: Stage, data: Data, dtype: str, b: Any, room: int, new: Any, load: Any) -> None:
    """What puts elements elsewhere."""
    wide = {1: "i16", 2: "i16", 4: "i32"}[size(dtype)]
    if dtype in dtypes("tgather")["target"]:
        for index in dtypes("tgather")["index"]:
            s.fresh()
            x, places = load(b), data.of(index, (ROWS, COLUMNS), 0, ROWS - 1)
            places = (places * room + data.of(index, (ROWS, COLUMNS), 0, COLUMNS - 1)).astype(places.dtype)
            at, d, work = s.load(index, places, (ROWS, ROOM)), new(), s.tile(index, ROWS, ROOM, (ROWS, COLUMNS))
            s.say(f"pto.tgather({d}, {x}, {at}, {work})")
            s.store(f"tgather {dtype} {index}", dtype, d, ROWS, COLUMNS)
        for pattern, part in (("P0101", 2), ("P1010", 2), ("P0001", 4), ("P0010", 4), ("P0100", 4), ("P1000", 4)):
            s.fresh()
            x = s.load(dtype, data.of(dtype, (ROWS, 128)))
            d = s.tile(dtype, ROWS, 128 // part)
            s.say(f"pto.tgather({d}, {x}, {pattern!r})")
            s.store(f"tgather {dtype} {pattern}", dtype, d, ROWS, 128 // part)
    for pattern, part in (("P0101", 2), ("P1010", 2), ("P0001", 4), ("P1000", 4)):
        s.fresh()
        x, d = s.load(dtype, data.of(dtype, (ROWS, 32))), s.tile(dtype, ROWS, 32 * part)
        s.say(f"pto.tscatter({d}, {x}, {pattern!r})")
        s.store(f"tscatter {dtype} {pattern}", dtype, d, ROWS, 32 * part)
    for index in (wide, "u" + wide[1:]):
        s.fresh()
        x, d = load(b), new()
        places = data.draw.permutation(ROWS * room)[: ROWS * COLUMNS].reshape(ROWS, COLUMNS)
        places[3] = places[4]
        at = s.load(index, places.astype(getattr(htp, index).storage), (ROWS, ROOM))
        s.say(f"pto.tscatter({d}, {x}, {at})")
        s.store(f"tscatter {dtype} {index}", dtype, d, ROWS, COLUMNS)
    s.fresh()
    columns = 256 // size(dtype)
    x, d = s.load(dtype, data.of(dtype, (ROWS, 2 * columns))), s.tile(dtype, ROWS, columns)
    at = s.load("u32", (data.draw.integers(0, 16 * ROWS, (ROWS, 8)) * 32).astype(np.uint32))
    s.say(f"pto.tgatherb({d}, {x}, {at})")
    s.store(f"tgatherb {dtype}", dtype, d, ROWS, columns)
    for pad in ("zero", "max", "min"):
        for word in ("tfillpad", "tfillpad_expand", "tfillpad_inplace"):
            s.fresh()
            x = s.load(dtype, data.of(dtype, (7, 33)), (ROWS, room))
            wider = room * 2 if word == "tfillpad_expand" else room
            d = s.tile(dtype, ROWS, wider, (ROWS, COLUMNS), pad=pad, at=s.place_of(x) if word == "tfillpad_inplace" else None)
            if word == "tfillpad_inplace":  # declared before what is loaded
                s.body[-1], s.body[-2] = s.body[-2], s.body[-1]
            s.say(f"pto.{word}({d}, {x})")
            s.store(f"{word} {dtype} {pad}", dtype, d, ROWS, COLUMNS)
    table, scattered = (data.of(dtype, (40, COLUMNS)) for _ in range(2))
    for index in dtypes("mgather")["index"]:
        s.fresh()
        at = s.load(index, data.of(index, (1, ROWS), 0, 39))
        d, x = new(), load(b)
        s.say(f"pto.mgather({d}, {s.table(dtype, table)}, {at})")
        s.store(f"mgather {dtype} {index}", dtype, d, ROWS, COLUMNS)
        s.say(f"pto.mscatter({s.table(dtype, scattered, 'InOut')}, {x}, {at})")
    s.fresh()
    near, d = new(), new()
    name, index = s.place(dtype, b)
    s.say(f"pto.tprefetch({near}, {name}, {index})")
    s.say(f"pto.tload({d}, {name}, {index})")
    s.store(f"tprefetch {dtype}", dtype, d, ROWS, COLUMNS)


def conversions(sources: str) -> Stage:
    """From these dtypes to all that they are converted to."""
    s, data = Stage(), Data(77)
    exact = {"f16 f32", "bf16 f32", "i16 f32", "i8 f16", "u8 f16", "i32 i16", "i32 i64", "i64 i32"}
    pairs = []
    for a in sources.split():
        for b in CONVERSIONS[a].split():
            whole = a[0] not in "iu" and b[0] in "iu"
            pairs += [(a, b, mode) for mode in (("RINT", "TRUNC", "FLOOR", "CEIL") if whole else ("NONE",) if f"{a} {b}" in exact else ("RINT",))]
    for a, b, mode in pairs:
        s.fresh()
        x, d = s.load(a, data.special(a, (ROWS, COLUMNS)), (ROWS, ROOM)), s.tile(b, ROWS, ROOM, (ROWS, COLUMNS))
        s.say(f"pto.tcvt({d}, {x}, {mode!r})")
        s.store(f"tcvt {a} to {b} {mode}", b, d, ROWS, COLUMNS)
    return s


def sorts() -> Stage:
    """Pairs, sorted and merged."""
    s, data = Stage(), Data(78)
    s.fresh()
    x, pairs_tile, merged = s.load("f16", data.of("f16", (1, 64))), s.tile("f16", 1, 256), s.tile("f16", 1, 256)
    places, values = s.tile("u32", 1, 64), s.tile("f16", 1, 64)
    s.say(f"pto.tci({places}, 0)")
    s.say(f"pto.tsort32({pairs_tile}, {x}, {places})")
    s.say(f"pto.tmrgsort({merged}, {pairs_tile}, 64)")
    s.say(f"pto.tgather({values}, {merged}, 'P0001')")
    s.store("tmrgsort f16", "f16", values, 1, 64)
    s.fresh()
    x, pairs_tile, merged = s.load("f32", data.of("f32", (1, 128))), s.tile("f32", 1, 256), s.tile("f32", 1, 256)
    places = s.tile("u32", 1, 128)
    values, order = s.tile("f32", 1, 128), s.tile("u32", 1, 128)
    s.say(f"pto.tci({places}, 0)")
    s.say(f"pto.tsort32({pairs_tile}, {x}, {places})")
    s.say(f"pto.tmrgsort({merged}, {pairs_tile}, 64)")
    s.say(f"pto.tgather({values}, {merged}, 'P0101')")
    s.say(f"pto.tgather({order}, {merged}, 'P1010')")
    s.store("tmrgsort f32", "f32", values, 1, 128)
    s.store("tsort32 f32", "u32", order, 1, 128)
    return s


def cube(dtype: str) -> Stage:
    """Every product of a dtype, with what leads to it and away from it."""
    s, data = Stage("aic"), Data(100 + size(dtype))
    m, k, n = 20, 96, 40
    up = lambda x: (x + 31) // 32 * 32
    wide = "i32" if dtype == "i8" else "f32"
    x, y, one, bias = (data.exact(of, shape) for of, shape in ((dtype, (m, k)), (dtype, (k, n)), (dtype, (1, k)), (wide, (1, n))))
    scales = (np.float32(2.0) ** data.draw.integers(-12, -6, (1, n))).astype(np.float32).view(np.uint32).astype(np.uint64)
    signed = scales | np.uint64(1 << 46) | (data.draw.integers(0, 9, (1, n)).astype(np.uint64) << np.uint64(37))

    def operands(row: bool = False) -> tuple[str, str]:
        s.fresh()
        right_mat = s.load(dtype, y, (up(k), up(n)), "mat")
        right = s.tile(dtype, up(k), up(n), (k, n), "right")
        s.say(f"pto.tmov({right}, {right_mat})")
        if row:
            wide_row = 512 // size(dtype)
            left_mat = s.load(dtype, one, (1, (k + wide_row - 1) // wide_row * wide_row), "mat", layout="nd")
            left = s.tile(dtype, 1, (k + wide_row - 1) // wide_row * wide_row, (1, k), "left")
            s.say(f"pto.tmov({left}, {left_mat})")
        else:
            left_mat = s.load(dtype, x, (up(m), up(k)), "mat")
            left = s.tile(dtype, up(m), up(k), (m, k), "left")
            s.say(f"pto.textract({left}, {left_mat}, 0, 0)")
        return left, right

    def row_of(of: str, array: Any, space: str, into: str) -> str:
        mat = s.load(of, array, (1, 64), "mat", layout="nd")
        made = s.tile(into, 1, 64, (1, n), space)
        s.say(f"pto.tmov({made}, {mat})")
        return made

    for word in words("product"):
        row = word.startswith("tgemv")
        left, right = operands(row)
        if row:  # a row of as many as the matrix has room for
            right_room = 512 // size(dtype)
            s.fresh()
            right_mat = s.load(dtype, y, (max(up(k), right_room), up(n)), "mat")
            right = s.tile(dtype, max(up(k), right_room), up(n), (k, n), "right")
            s.say(f"pto.tmov({right}, {right_mat})")
            left_mat = s.load(dtype, one, (1, max(up(k), right_room)), "mat", layout="nd")
            left = s.tile(dtype, 1, max(up(k), right_room), (1, k), "left")
            s.say(f"pto.tmov({left}, {left_mat})")
        rows = 1 if row else m
        acc = s.tile(wide, 16 if row and wide == "f32" else 32, up(n), (rows, n), "acc")
        if word.endswith("_acc"):
            s.say(f"pto.{word[:-4]}({acc}, {left}, {right})")
        more = f", {row_of(wide, bias, 'bias', wide)}" if word.endswith("_bias") else ""
        s.say(f"pto.{word}({acc}, {left}, {right}{more})")
        s.store(f"{word} {dtype}", wide, acc, rows, n)
        if word == "tmatmul":
            fp = row_of("u64", signed, "scaling", "u64")
            s.store(f"tstore_fp {wide} i8", "i8", acc, m, n, "tstore_fp", f", {fp}")
            fp = row_of("u64", scales, "scaling", "u64")
            s.store(f"tstore_fp {wide} u8", "u8", acc, m, n, "tstore_fp", f", {fp}")
            if wide == "i32":
                s.store("tstore_fp i32 f16", "f16", acc, m, n, "tstore_fp", f", {fp}")
    if wide == "f32":  # a bias of f16; a sum that goes back to L1 and is a factor again
        left, right = operands()
        acc = s.tile("f32", up(m), up(n), (m, n), "acc")
        s.say(f"pto.tmatmul_bias({acc}, {left}, {right}, {row_of('f16', bias.astype(np.float16), 'bias', 'f32')})")
        s.store(f"tmatmul_bias {dtype} and f16", "f32", acc, m, n)
    if dtype in ("f16", "bf16"):
        for word in ("tmov", "tinsert"):
            left, right = operands()
            acc = s.tile("f32", up(m), up(n), (m, n), "acc")
            s.say(f"pto.tmatmul({acc}, {left}, {right})")
            full = s.load(dtype, data.of(dtype, (64, 128)), (64, 128), "mat") if word == "tinsert" else s.tile(dtype, up(m), up(n), (m, n), "mat")
            s.say(f"pto.tmov({full}, {acc})" if word == "tmov" else f"pto.tinsert({full}, {acc}, 16, 32)")
            rows, columns = (64, 128) if word == "tinsert" else (m, n)
            factor, unit = s.tile(dtype, up(rows), up(columns), (rows, columns), "left"), np.eye(columns, dtype=np.float32)
            s.say(f"pto.tmov({factor}, {full})")
            ones = s.load(dtype, getattr(htp, dtype).encode(unit.astype(getattr(htp, dtype).element)), (up(columns), up(columns)), "mat")
            identity = s.tile(dtype, up(columns), up(columns), (columns, columns), "right")
            s.say(f"pto.tmov({identity}, {ones})")
            result = s.tile("f32", up(rows), up(columns), (rows, columns), "acc")
            s.say(f"pto.tmatmul({result}, {factor}, {identity})")
            s.store(f"{word} acc {dtype}", "f32", result, rows, columns)
    return s


class Parity(unittest.TestCase):
    def test_python_and_the_simulator_say_the_same(self) -> None:
        stages = {f"vector {dtype}": vector(dtype) for dtype in VECTOR}
        stages |= {f"conversions of {some}": conversions(some) for some in ("f32 f16 bf16", "i8 u8 i16 i32 i64")} | {"sorts": sorts()} | {f"cube {dtype}": cube(dtype) for dtype in ("f16", "bf16", "f32", "i8")}
        bounds = {name: dict.fromkeys(CLOSE, 2e-3) if name.endswith(" f16") else CLOSE for name in stages}
        with ThreadPoolExecutor(2) as workers:
            packages = workers.map(lambda stage: stage.package(), stages.values())
            for (name, stage), package in zip(stages.items(), packages):
                with self.subTest(name):
                    self.assertEqual(stage.differences(stage.python(), package, bounds[name]), [])
        said = {label.partition(" ")[0] for s in stages.values() for label, *_ in s.labels} | {word for s in stages.values() for line in s.body for word in re.findall(r"pto\.(\w+)\(", line)}
        table = {name[4:] for name in INTRINSICS if name.startswith("pto.")} - BESIDE
        self.assertEqual(table - said, set(), "instructions that no stage says")

    def test_the_table_and_the_simulator_take_the_same_dtypes(self) -> None:
        text = (ROOT / "plugins/binding-a2a3sim/simulator/instructions.def").read_text()
        rows = {row[1]: (row[2], set(row[3].split())) for row in re.finditer(r'PTO\((\w+),\s*\w+,\s*"[^"]*",\s*(\w+),\s*"([^"]*)"\)', text)}
        for word in sorted({name[4:] for name in INTRINSICS if name.startswith("pto.")} - BESIDE):
            with self.subTest(word):
                by_operand = list(dtypes(word).values())
                # The operand that decides: what is chosen, else the first that is read, else the target.
                mine = next(some for some in (by_operand[0] if word in ("tsel", "tsels", "tgather") else by_operand[1], by_operand[0]) if some)
                self.assertEqual(set(mine) - {"bool_"}, rows[word.upper()][1] & set(VECTOR))
        self.assertEqual({row for row in rows if f"pto.{row.lower()}" not in INTRINSICS}, {"TGATHER_PATTERN", "TSCATTER_PATTERN"})


if __name__ == "__main__":
    unittest.main()
