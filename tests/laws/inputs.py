"""Inputs that an example asks for and random ones are not: places in its tensors, and how much of them is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Arrays: TypeAlias = dict[str, Any]


def embedding(arrays: Arrays, generator: np.random.Generator) -> None:
    """Tokens of the table."""
    arrays["tokens"][...] = generator.integers(0, len(arrays["table"]), arrays["tokens"].shape)


def paged_attention(arrays: Arrays, generator: np.random.Generator) -> None:
    """Pages that are there, and lengths of up to three pages; none of the sequences is empty."""
    table, page = arrays["table"], arrays["k"].shape[1]
    table[...] = generator.integers(0, len(arrays["k"]), table.shape)
    arrays["lengths"][...] = generator.integers(1, min(table.shape[1], 3) * page, arrays["lengths"].shape, endpoint=True)


INPUTS: dict[str, Callable[[Arrays, np.random.Generator], None]] = {
    "embedding": embedding,
    "paged_attention": paged_attention,
}
"""By the name of the entry: what changes its random arrays."""
