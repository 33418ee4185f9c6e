import htp
from htp import Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x, y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter; no type
# expect: tile.missing-annotation 10
# text: the parameter `x` has no type
