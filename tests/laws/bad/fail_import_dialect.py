import htp
import htp_tiles
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = htp_tiles.exp(x[:])

# kind: an import; a dialect that no plugin brings
# expect: resolve.unmet-need 2
# text: `import htp_tiles` needs `Python.Module(name=htp_tiles)`, which no plugin provides
