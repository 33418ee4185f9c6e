"""A convolution of images by 3 x 3 filters that move by 2, with a border of zeros around the images, and a bias: y has a place for each
place of the filters, C are channels of the images, F filters."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, load, matmul, reshape, tiles, whole, zeros

H = htp.dim("H")
W = htp.dim("W")
OH = htp.dim("OH")
OW = htp.dim("OW")

B = 2
C = 4
F = 8
SIZE = 3
STRIDE = 2
BORDER = 1


@kernel
def conv2d(
    x: In[Tensor[f32, B, H, W, C]],
    w: In[Tensor[f32, SIZE, SIZE, C, F]],
    bias: In[Tensor[f32, 1, F]],
    y: Out[Tensor[f32, B, OH, OW, F]],
) -> None:
    for b in range(B):
        for row in range(OH):
            for j in tiles(OW, 8):
                acc = zeros(f32, j, F)
                for r in range(SIZE):
                    for s in range(SIZE):
                        seen = load(x, b, row * STRIDE + r - BORDER, j * STRIDE + s - BORDER, whole, outside=0.0)
                        acc = matmul(reshape(seen, j, C), reshape(w[r, s, :, :], C, F), acc)
                y[b, row, j, :] = reshape(acc + bias[:, :], 1, 1, j, F)
