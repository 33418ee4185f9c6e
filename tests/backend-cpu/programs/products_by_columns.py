"""Products of matrices that lie by columns, or with strides that the call says: what a step of the sum goes along decides how they are packed."""
#: M=9; M=40; M=17; M=1

import htp
from htp import In, Out, f32, i8, i32
from htp_tile import Tensor, kernel, matmul, transpose, zeros

M = htp.dim("M")
N = 60
D = 24


@kernel
def products_by_columns(
    a: In[Tensor[f32, M, D]],
    columns: In[Tensor[f32, 24, 60, htp.layouts.ordered((24, 60), (1, 0))]],
    rows: In[Tensor[f32, 60, 24, htp.layouts.ordered((60, 24), (1, 0))]],
    padded: In[Tensor[f32, 24, 60, htp.layouts.strided((24, 60), (64, 1))]],
    whole: In[Tensor[i8, M, D]],
    bytes: In[Tensor[i8, 24, 60, htp.layouts.ordered((24, 60), (1, 0))]],
    by_columns: Out[Tensor[f32, M, N]],
    turned: Out[Tensor[f32, M, N]],
    by_rows: Out[Tensor[f32, M, N]],
    ints: Out[Tensor[i32, M, N]],
) -> None:
    by_columns[:, :] = a[:, :] @ columns[:, :]
    turned[:, :] = a[:, :] @ transpose(rows[:, :])
    by_rows[:, :] = a[:, :] @ padded[:, :]
    ints[:, :] = matmul(whole[:, :], bytes[:, :], zeros(i32, M, N))
