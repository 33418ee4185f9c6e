import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, channels, event, pipeline, process, schedule
from htp_tile import Tensor, exp, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


def total(x: f32) -> f32:
    return reduce_sum(x, axis=1)


@pipeline
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    items = channel(f32, tiles(M, 8), N, capacity=0)
    items_item = channel(f32, tiles(M, 8), N, capacity=1)
    done = event()

    @process
    def load() -> None:
        """Names that the other one has, or calls."""
        for i in tiles(M, 8):
            t = x[i, :]
            total = t * 2.0
            items.put(t + total)  # both
            items_item.put(total)
            done.put()

    @process
    def store() -> None:
        for k in tiles(M, 8):
            t = items.get()
            scale = total(t)
            t *= scale
            y[k, :] = t + items_item.get()
            done.get()


@schedule(rows)
def w(s: Schedule) -> None:
    s.chain("load", "store")
# ── csp.apply ──
import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, exp, reduce_sum, tiles, zeros, Tile

M = htp.dim("M")
N = htp.dim("N")


def total(x: f32) -> f32:
    return reduce_sum(x, axis=1)


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:

    @process
    def load_store() -> None:
        """Names that the other one has, or calls."""
        for i in tiles(M, 8):
            t = x[i, :]
            load_total = t * 2.0
            # both
            items_item_1: Tile[f32, i, N] = t + load_total
            items_item_item: Tile[f32, i, N] = load_total
            store_t = items_item_1
            scale = total(store_t)
            store_t *= scale
            y[i, :] = store_t + items_item_item
