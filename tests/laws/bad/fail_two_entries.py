import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]


@kernel
def twice(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:] * 2.0

# kind: a module; two kernels
# expect: pipeline.which-entry 0
# text: `fail_two_entries.py` has several entry points: `k`, `twice`
