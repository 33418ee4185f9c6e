import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for y[0, 0] in range(3):
        pass
    y[:, :] = x[:, :]

# kind: for; an index as its name
# expect: tile.bad-target 11
# text: `y[0, 0]` cannot be assigned to
