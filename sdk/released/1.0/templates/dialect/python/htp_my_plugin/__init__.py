"""Formulas over whole vectors, without loops and indices.

    @whole
    def halve(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
        y[:] = x[:] * 0.5
"""

from collections.abc import Callable

import htp
import htp_tile  # noqa: F401  (gives values their operators)


class Formula(htp.Entry):
    """A function over whole vectors, called with NumPy arrays."""


def whole(function: Callable[..., None]) -> Formula:
    """Makes a function whose parameters are In, Out and InOut vectors of one length a formula."""
    return Formula(function)


__all__ = ["Formula", "whole"]
