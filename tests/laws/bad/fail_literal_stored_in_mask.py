import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[bool_, N]]) -> None:
    y[:] = 0

# kind: store; 0 to bool_
# expect: tile.literal-dtype 10
# text: the literal 0 is not a bool_
