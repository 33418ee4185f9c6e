import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


def helper():
    pass


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: --entry; a function without a decorator
# options: --entry helper
# expect: pipeline.unknown-entry 0
# text: `helper` is not an entry point of this program
