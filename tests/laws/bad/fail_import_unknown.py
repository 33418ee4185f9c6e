import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_som

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = reduce_som(x[:], axis=0)

# kind: an import; a misspelt intrinsic
# expect: pipeline.unknown-import 3
# text: `htp_tile` has no `reduce_som`
