"""y becomes 2.5 x + y, as a formula."""

import htp
from htp import In, InOut, f32
from htp_my_plugin import whole
from htp_tile import Tensor

N = htp.dim("N")


@whole
def axpy(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    """The formula."""
    y[:] = 2.5 * x[:] + y[:]
