import htp
from htp import In, Out, f16, f32
from htp_tile import cast, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    half = f16
    y[:, :] = cast(cast(x[:, :], half), f32)

# kind: an assignment; a dtype
# expect: tile.no-second-name 11
# text: a dtype gets no second name
