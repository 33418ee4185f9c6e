"""Attention in blocks of rows that cores share: keys come twice, values with them."""

from attention_wsp import attention
from htp_wsp import Schedule, schedule


@schedule(attention)
def tiled(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("n", 16)
    s.tile("j", 16)
    s.bind("i", level="core")
