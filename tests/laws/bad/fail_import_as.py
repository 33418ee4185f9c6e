import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, sigmoyd as s

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = s(x[:])

# kind: an import; a misspelt intrinsic under another name
# expect: pipeline.unknown-import 3
# text: `htp_tile` has no `sigmoyd`
