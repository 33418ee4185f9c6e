import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n * n % M, :]

# kind: load; an index by a product
# expect: tile.not-affine 12
# text: index `n * n % M` was not shown to be inside dimension 0: it is not affine in the sizes and loops
