import htp
from htp import In, Out, f32
from htp_tile import kernel, store, Tensor, whole

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = store(y, x[:, :], whole, whole)

# kind: an assignment; what store gives
# expect: tile.no-result 11
# text: `tile.store` has no result
