import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(max(M, 0.5)):
        y[n, :] = x[n, :]

# kind: max; a float
# expect: tile.int-expected 11
# text: `0.5` is not an int
