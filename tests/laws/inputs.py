"""Inputs that an example asks for and random ones are not: places in its tensors, and how much of them is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Arrays: TypeAlias = dict[str, Any]


def _stored(values: list[float], array: Any) -> Any:
    """As an array of floats holds them: bf16 as its bits."""
    if array.dtype.kind == "f":
        return np.array(values, array.dtype)
    return (np.array(values, np.float32).view(np.uint32) >> 16).astype(array.dtype)


def cholesky(arrays: Arrays, generator: np.random.Generator) -> None:
    """A matrix that is symmetric and positive definite."""
    a = generator.standard_normal(arrays["a"].shape)
    arrays["a"][...] = (a @ a.T + len(a) * np.eye(len(a))).astype(arrays["a"].dtype)


def embedding(arrays: Arrays, generator: np.random.Generator) -> None:
    """Tokens of the table."""
    arrays["tokens"][...] = generator.integers(0, len(arrays["table"]), arrays["tokens"].shape)


def embedding_bag(arrays: Arrays, generator: np.random.Generator) -> None:
    """Bags of rows of the table."""
    arrays["bags"][...] = generator.integers(0, len(arrays["table"]), arrays["bags"].shape)


def first_spike(arrays: Arrays, generator: np.random.Generator) -> None:
    """Marks on some rows, and one of the last rows that begins with -1."""
    arrays["marked"][...] = generator.integers(0, 2, arrays["marked"].shape)
    x = arrays["x"]
    if min(x.shape) > 2:
        arrays["marked"][-2:] = 0
        x[-2, 0] = _stored([-1.0], x)[0]
        x[:-2, 1] = _stored([40.0], x)[0]


def grouped_moe(arrays: Arrays, generator: np.random.Generator) -> None:
    """Tokens in the order of their experts, of which some have none."""
    order, starts = arrays["order"], arrays["starts"]
    order[...] = generator.integers(0, len(arrays["x"]), order.shape)
    starts[...] = np.sort(generator.integers(0, len(order), starts.shape, endpoint=True))
    starts[0], starts[-1] = 0, len(order)


def kv_cache(arrays: Arrays, generator: np.random.Generator) -> None:
    """Slots of the cache; the first two tokens have the same one."""
    slot = arrays["slot"]
    slot[...] = generator.integers(0, len(arrays["keys"]), slot.shape)
    slot[:2] = slot[0]


def paged_attention(arrays: Arrays, generator: np.random.Generator) -> None:
    """Pages that are there, and lengths of up to three pages; none of the sequences is empty. What none of them uses is no number."""
    table, page, lengths = arrays["table"], arrays["k"].shape[1], arrays["lengths"]
    table[...] = generator.integers(0, len(arrays["k"]), table.shape)
    lengths[...] = generator.integers(1, min(table.shape[1], 3) * page, lengths.shape, endpoint=True)
    used = np.zeros(arrays["v"].shape[:2], bool)
    for pages, length in zip(table, lengths):
        for place in range(length):
            used[pages[place // page], place % page] = True
    arrays["v"][~used] = _stored([np.nan], arrays["v"])[0]


def topk(arrays: Arrays, generator: np.random.Generator) -> None:
    """Rows whose largest are equals, NaN, and zeros of both signs."""
    x = arrays["x"]
    for row in range(len(x)):
        if row % 3 == 0:
            x[row] = generator.choice(_stored([0.0, -0.0, -1.0, np.nan, np.inf], x), x.shape[1], p=[0.04, 0.04, 0.88, 0.02, 0.02])
        elif row % 3 == 1:
            x[row] = np.where(generator.random(x.shape[1]) < 0.05, x[row], _stored([-np.inf], x)[0])


def varlen_attention(arrays: Arrays, generator: np.random.Generator) -> None:
    """Where sequences begin: some are empty, and some rows belong to none."""
    starts = arrays["starts"]
    starts[...] = np.sort(generator.integers(0, len(arrays["q"]), starts.shape, endpoint=True))
    starts[-1], starts[0] = len(arrays["q"]), starts[0] if len(starts) > 2 else 0


INPUTS: dict[str, Callable[[Arrays, np.random.Generator], None]] = {
    "cholesky": cholesky,
    "embedding": embedding,
    "embedding_bag": embedding_bag,
    "first_spike": first_spike,
    "grouped_moe": grouped_moe,
    "kv_cache": kv_cache,
    "paged_attention": paged_attention,
    "topk": topk,
    "varlen_attention": varlen_attention,
}
"""By the name of the entry: what changes its random arrays."""

FEW: dict[str, list[tuple[int, ...]]] = {
    "paged_attention": [(3, 5, 9), (1, 1, 1), (2, 4, 8), (7, 6, 5), (8, 16, 3), (73, 2, 1)],
    "answers": [(20, 37), (1, 1)],
    "fewer_processes": [(5, 37), (1, 1)],
    "first_spike": [(7, 5), (1, 1), (12, 9)],
    "gemm_chain": [(37,), (1,)],
    "gemm_grid": [(70,), (1,)],
    "gemm_places": [(70,), (1,)],
    "line_buffers": [(5, 37), (1, 1), (2, 64)],
    "nested_pipelines": [(3, 20, 37), (1, 1, 1), (2, 1, 4100)],
    "rates": [(5, 37), (1, 1)],
    "reduction": [(5, 37), (1, 1)],
    "resample": [(5, 37), (1, 1)],
    "scatter_gather": [(5, 37), (1, 1)],
    "systolic": [(20,), (1,)],
    "two_norms": [(9, 37), (1, 1)],
    "unsharp": [(5, 37), (1, 1), (2, 64)],
}
"""By the name of the entry: other sizes than the usual ones, at which a model of a machine is at it for minutes, where one runs it. Some fit blocks,
most do not."""

SMALLER: dict[str, list[tuple[int, ...]]] = {
    "causal_attention": [(1,), (7,), (37,), (64,), (100,)],
    "causal_flash": [(1,), (7,), (37,), (64,), (130,)],
    "conv_lines": [(7, 37), (1, 1), (8, 64), (2, 100), (20, 1)],
    "gemm_chain": [(7,), (1,), (8,), (37,), (70,)],
    "gemm_grid": [(7,), (1,), (8,), (37,), (70,)],
    "gemm_i4": [(7, 9, 2), (1, 1, 1), (8, 8, 3), (33, 37, 1), (2, 65, 2)],
    "gemm_places": [(7,), (1,), (8,), (37,), (70,)],
    "grouped_moe": [(3, 2, 5, 40, 20), (1, 1, 1, 1, 1), (4, 3, 2, 9, 7), (8, 5, 3, 57, 30), (16, 2, 17, 80, 40)],
    "gemm_panels": [(2, 22, 17), (1, 1, 1), (1, 16, 16), (1, 37, 7), (3, 9, 5)],
    "varlen_attention": [(1, 4, 20), (1, 1, 1), (2, 3, 40), (2, 3, 7), (4, 2, 37), (1, 5, 45), (1, 9, 55)],
}
"""By the name of the entry: other sizes than the usual ones, where what is computed grows with their square, or with groups and panels: plain Python is at
it for minutes."""

MORE: dict[str, list[tuple[int, ...]]] = {
    "conv2d": [(6, 3, 9, 20)],
    "embedding": [(4100, 3, 5)],
    "layernorm_affine": [(9, 1100)],
    "logsumexp": [(9, 1100)],
    "masked_softmax": [(9, 1100)],
    "meetings": [(9, 600)],
    "quantize": [(9, 600)],
    "rmsnorm": [(500,)],
    "rope": [(300, 20)],
    "rows": [(9, 1100)],
    "softmax": [(9, 1100)],
    "sums": [(9, 600)],
    "swiglu": [(9, 600)],
    "swiglu_slopes": [(9, 600)],
    "transpose": [(3, 1600)],
}
"""By the name of the entry: sizes beside the usual ones, so large that a target may cut rows into parts, or give
a core several blocks."""

LONG_ROWS: dict[str, list[tuple[int, ...]]] = {"gemm": [(2, 9, 1030)], "blocked": [(2, 9, 1030)], "whole_product": [(18, 9, 520)]}
"""By the name of the entry: where no machine is modelled, sizes at which what the rows of a product share is packed. For few: plain Python is long at it.
Law 2 leaves out of others what runs at such sizes only."""

TASKS: dict[str, list[tuple[int, ...]]] = {
    "attention": [(9300, 3)],
    "attention_pipeline": [(1170, 3)],
    "attention_stages": [(1180, 3)],
    "fused": [(2, 6920, 3)],
    "mixed": [(25_100,)],
    "rmsnorm_matmul_apart": [(2, 4700, 3)],
    "split_merge": [(590,)],
    "total": [(430, 3)],
}
"""By the name of the entry: sizes beside the usual ones at which a core has several blocks, where a model of a machine with many cores runs it."""

LESS: dict[str, dict[int, list[tuple[int, ...]]]] = {"causal_flash": {1: [(517,)]}, "gemm_panels": {3: [(5, 200, 131)]}, "stream_quantise": {2: [(130, 500)]}}
"""By the name of the entry: other large sizes than the usual ones, where what is computed grows with their square, or with panels."""
