import htp
from htp import Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: f32, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; a dtype alone
# expect: tile.bad-annotation 10
# text: `f32` is not the type of a kernel's parameter
