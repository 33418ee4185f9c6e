import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(scale: f32, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * scale[0]

# kind: an index; a scalar parameter
# expect: tile.not-indexable 11
# text: `scale` is not a tensor and has no index
