import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    exp(y) = x[:]

# kind: an assignment; to a call
# expect: parse.syntax 10
# text: not Python: cannot assign to function call here
