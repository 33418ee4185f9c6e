import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

SIZE = WIDTH * 2
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: a module; a constant of a name bound nowhere
# expect: pipeline.undefined-name 5
# text: `WIDTH` is not defined
