import htp
from htp import In, Out, f32
from htp_csp import pipeline
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    w(x, y)

# options: --entry w
# kind: nesting; a pipeline that calls itself
# expect: csp.recursive 12
# text: `w` calls itself
