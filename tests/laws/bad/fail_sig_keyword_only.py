import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], *, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; keyword only
# expect: tile.bad-parameter 10
# text: a kernel's parameters are positional and without defaults, not `y`
