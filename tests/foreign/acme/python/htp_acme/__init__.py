"""Whole signals, written without loops.

    @routine
    def halve(x: In[Signal[f32, N]], y: Out[Signal[f32, N]]) -> None:
        y[:] = x[:] * 0.5
"""

from typing import TYPE_CHECKING

import htp
import htp_tile  # noqa: F401  (gives values their operators)

from htp_acme.intrinsics import swish
from htp_acme.layouts import hierarchy
from htp_acme.routines import Routine, routine

if TYPE_CHECKING:
    from typing import Annotated as Signal
else:
    Signal = htp.form("Signal")

__all__ = ["Routine", "Signal", "hierarchy", "routine", "swish"]
