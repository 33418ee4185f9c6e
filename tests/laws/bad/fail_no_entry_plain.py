import htp
from htp import In, Out, f32
from htp_tile import Tensor

N = htp.dim("N")


def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: a module; a function without a decorator
# expect: pipeline.no-entry 0
# text: `fail_no_entry_plain.py` has no entry point
