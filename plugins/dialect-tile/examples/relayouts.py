"""What lies in rows and what lies swizzled, as for a matrix unit, meet: one of them is laid out like the other first."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, relayout


@kernel
def blend(
    x: In[Tensor[f32, 8, 64, htp.layouts.ordered((8, 64), (0, 1))]],
    y: In[Tensor[f32, 8, 64]],
    s: In[Tensor[f32, 8, 1]],
    z: Out[Tensor[f32, 8, 64]],
) -> None:
    swizzled = relayout(y[:, :], htp.layouts.swizzle(htp.layouts.ordered((8, 64), (0, 1)), 3, 3, 3)) * s[:, :]
    z[:, :] = x[:, :] + relayout(swizzled, htp.layouts.cute((8, 64), (64, 1)))
