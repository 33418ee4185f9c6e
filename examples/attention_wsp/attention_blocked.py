"""A schedule for attention_wsp.py, in a file of its own: what is computed stays as it is."""

from attention_wsp import attention
from htp_wsp import Schedule, schedule

ROWS = 16


def on_cores(s: Schedule, loop: str, size: int, level: str = "core") -> None:
    """Blocks of four for each core, which it goes through one by one."""
    s.tile(loop, 4 * size, size)
    s.bind(f"{loop}_0", level=level)


@schedule(attention)
def attention_blocked(s: Schedule) -> None:
    on_cores(s, "i", ROWS)
    s.tile("n", 32)
    s.tile("j", 32)
    s.pack("k", at="n", space="stack")
    s.pack("k", at="j", space="stack")
    s.prefetch("v", at="j", space="stack")
