"""The intrinsics of SIMT stages: what a work-group does as one. Scalars and memory are those of `htp_cpu`, the loops' own."""

from htp_simt.intrinsics import barrier, reduce_all, reduce_any, reduce_max, reduce_min, reduce_prod, reduce_sum

__all__ = ["barrier", "reduce_all", "reduce_any", "reduce_max", "reduce_min", "reduce_prod", "reduce_sum"]
