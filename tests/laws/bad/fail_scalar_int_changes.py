import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(count: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    count += 1
    y[:, :] = x[:, :] * count

# kind: augmented assignment; a parameter that is an int
# expect: tile.shadowed 11
# text: `count` already stands for a parameter
