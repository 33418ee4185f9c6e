import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("N")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]

# kind: dim; under the name of another
# expect: pipeline.dim-name 5
# text: the dimension `M` has another name in its `htp.dim`
