import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:] +

# kind: an expression; an operator without an operand
# expect: parse.syntax 10
# text: not Python: invalid syntax
