import htp
from htp import In, Out, f32
from htp_tile import kernel, matmul, Tensor, zeros

K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, M, K)
    acc = matmul(a[:, :], b[:, :], acc)
    c[:, :] = acc

# kind: matmul's accumulator; the operands' extents
# expect: tile.shape-mismatch 13
# text: extents `N` and `K` differ at dimension 1 of `tile.matmul`
