import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f16, N]]) -> None:
    y[:] = cast(x[:], f16, rounding="away")

# kind: cast; a rounding that is none
# expect: tile.bad-rounding 10
# text: `cast` has no rounding 'away'
