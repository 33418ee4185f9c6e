"""Pipelines: processes that run at the same time, and pass tiles to each other through bounded channels.

    @pipeline
    def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
        rows = channel(f32, tiles(M, 8), N, capacity=2)

        @process
        def read() -> None:
            for i in tiles(M, 8):
                rows.put(x[i, :])

        @process
        def write() -> None:
            for i in tiles(M, 8):
                y[i, :] = rows.get() * 2.0
"""

from htp_csp.channels import Channel, Channels
from htp_csp.intrinsics import channel, channels, close, drop, event, get, lane, meet, more, put, signal
from htp_csp.pipelines import Pipeline, pipeline, process
from htp_csp.scheduler import Deadlock, following
from htp_csp.schedules import Schedule, schedule
from htp_csp.shards import R, S, shard

__all__ = [
    "Channel", "Channels", "Deadlock", "Pipeline", "R", "S", "Schedule", "channel", "channels", "close", "drop", "event", "following", "get", "lane", "meet",
    "more", "pipeline", "process", "put", "schedule", "shard", "signal",
]  # fmt: skip
