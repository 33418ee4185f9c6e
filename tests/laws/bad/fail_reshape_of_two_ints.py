import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel, reshape

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, M]], n: int, y: InOut[Tensor[f32, M * M]]) -> None:
    y[: n * n] = reshape(x[:n, :n], n * n)

# kind: reshape; a product of ints that may be below 0
# expect: tile.reshape-mismatch 10
# text: `Tile[f32, n, n]` has not the elements of `n * n`, or not in that order
