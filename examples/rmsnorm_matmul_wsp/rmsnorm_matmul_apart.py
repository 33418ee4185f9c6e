"""The nests of rmsnorm_matmul_wsp.py as three tasks, one after the other, each on all cores."""

from htp_wsp import Schedule, schedule
from rmsnorm_matmul_wsp import rmsnorm_matmul


@schedule(rmsnorm_matmul)
def rmsnorm_matmul_apart(s: Schedule) -> None:
    """Three tasks, one after the other, each on all cores."""
    s.tile("p", 32)
    s.tile("r", 32)
    s.tile("i", 32)
    s.tile("q", 64)
    s.tile("t", 64)
    s.tile("j", 64)
    s.tile("k", 64)
    s.bind("p", level="core")
    s.bind("r", level="core")
    s.bind("i", level="core")
