"""Names that running the module would look for in vain."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
SCALE = SKALE + 1
LATER = COUNT * 2
COUNT = 3


@reported
@kernel
def bad(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i]


# expect: pipeline.undefined-name 8
# expect: pipeline.undefined-name 9
# expect: pipeline.undefined-name 13
