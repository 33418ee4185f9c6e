import htp
from htp import In, Out, f32, i32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, cast

N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[i32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = cast(x[:, :], f32)

# kind: types of a pipeline; a part of another dtype
# expect: csp.shard-dtype 11
# text: parameter `x` of `work` has dtype i32, and `x` has f32
