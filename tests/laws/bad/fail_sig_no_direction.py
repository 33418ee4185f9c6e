import htp
from htp import Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: Tensor[f32, M, N], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; a tensor without a direction
# expect: tile.bad-annotation 10
# text: `Tensor[f32, M, N]` is not the type of a kernel's parameter
