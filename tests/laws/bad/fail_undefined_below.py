import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel



@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]


N = htp.dim("N")

# kind: a module; a dim bound below
# expect: pipeline.undefined-name 8
# text: `N` is not defined
