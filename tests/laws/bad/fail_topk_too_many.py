import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, topk

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 9]]) -> None:
    y[:, :] = topk(x[:, :], 9, axis=1)

# kind: topk; 9 of 8 elements
# expect: tile.bad-count 10
# text: `tile.topk` cannot take 9 of 8 elements
