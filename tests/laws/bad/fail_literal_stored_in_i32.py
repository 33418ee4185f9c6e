import htp
from htp import In, Out, i32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    y[:] = 1.0e9

# kind: store; 1e9 to i32
# expect: tile.literal-dtype 10
# text: the literal 1000000000.0 is not a value of i32
