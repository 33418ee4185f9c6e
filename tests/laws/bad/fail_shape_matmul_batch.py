import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor

B = htp.dim("B")
H = htp.dim("H")
K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, B, M, K]], b: In[Tensor[f32, H, K, N]], c: Out[Tensor[f32, B, M, N]]) -> None:
    c[:, :, :] = matmul(a[:, :, :], b[:, :, :])

# kind: matmul; batches that differ
# expect: tile.shape-mismatch 14
# text: extents `B` and `H` differ at dimension 0 of `tile.matmul`
