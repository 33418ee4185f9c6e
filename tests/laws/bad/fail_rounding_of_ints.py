import htp
from htp import In, Out, f16, i32
from htp_tile import Tensor, cast, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[f16, N]]) -> None:
    y[:] = cast(x[:], f16, rounding="down")

# kind: cast; a rounding of ints
# expect: tile.idle-rounding 10
# text: a cast to f16 from i32 takes no rounding
