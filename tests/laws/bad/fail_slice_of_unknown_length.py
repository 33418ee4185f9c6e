import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, index, kernel

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 64]], n: In[Tensor[i32, M]], y: Out[Tensor[f32, M, 64]]) -> None:
    y[:, :] = 0.0
    for p in range(M):
        y[p, : index(n[p])] = x[p, : index(n[p])]

# kind: a slice; as long as two reads say
# expect: tile.shape-mismatch 12
# text: extents `index_1` and `index` differ at dimension 1 of `tile.store`
