import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, topk

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    y[:, :] = topk(x[:, :], 0, axis=1)

# kind: topk; 0 elements
# expect: tile.bad-count 11
# text: `tile.topk` cannot take 0 of N elements
