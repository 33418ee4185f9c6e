import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(scale: f16, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * scale

# kind: *; f32 with an f16 scalar
# expect: tile.dtype-mismatch 11
# text: `tile.mul` expects f32, got f16
