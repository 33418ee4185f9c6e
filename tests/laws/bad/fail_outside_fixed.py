import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 8, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    for n in range(5):
        y[n, :] = x[n, :]

# kind: store; a loop of 5 over 4 rows
# expect: tile.outside 11
# text: index `n` is outside dimension 0 at least once at every size that reaches it, as when N = 1 and n = 4
