import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, K]]) -> None:
    c[:, :] = matmul(a[:, :], b[:, :])

# kind: store; a product's extents
# expect: tile.shape-mismatch 12
# text: extents `K` and `N` differ at dimension 1 of `tile.store`
