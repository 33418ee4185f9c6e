import htp
import numpy as np
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = np.exp(x[:])

# kind: an import; NumPy
# expect: resolve.unmet-need 2
# text: `import numpy` needs `Python.Module(name=numpy)`, which no plugin provides
