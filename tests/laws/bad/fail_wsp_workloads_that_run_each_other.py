import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def other(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    w(x, y)


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    other(x, y)

# options: --entry w
# kind: nesting; workloads that run each other
# expect: wsp.recursive 12
# text: `w` runs itself
# expect: wsp.recursive 17
# text: `other` runs itself
