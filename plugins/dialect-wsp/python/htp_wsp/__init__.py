"""Workloads and schedules: what is computed, and apart from it how.

    @workload
    def double(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
        for i in P(M):
            y[i] = x[i] * 2.0

    @schedule(double)
    def blocked(s: Schedule) -> None:
        s.tile("i", 64)
"""

from htp_wsp.schedules import Directive, Schedule, Scheduled, schedule
from htp_wsp.workloads import P, Workload, seq, workload

__all__ = ["Directive", "P", "Schedule", "Scheduled", "Workload", "schedule", "seq", "workload"]
