import htp
from htp import In, Out, f32, i64
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: i64, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    for p in range(count):
        y[p, :] = 0.0

# kind: range; a scalar parameter of i64
# expect: tile.int-expected 12
# text: `count` is not an int
