import htp
from htp import In, Out, f32
from htp_tile import kernel, load, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = load(x)
    y[:, :] = t

# kind: load called; no index of 2 dimensions
# expect: tile.index-count 11
# text: `x` has 2 dimensions and is indexed with 0
