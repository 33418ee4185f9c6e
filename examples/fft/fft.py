"""Fourier transforms of eight points: three rows of four butterflies, each a process, with channels between them."""

import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")


@pipeline
def fft(x: In[Tensor[f32, M, 8, 2]], w: In[Tensor[f32, 4, 1, 2]], y: Out[Tensor[f32, M, 8, 2]]) -> None:
    # w[k, 0] is exp(-2 pi i k / 8), its real part and its imaginary one.
    re = channels((4, 8), f32, tiles(M, 16), 1, 1, capacity=1)
    im = channels((4, 8), f32, tiles(M, 16), 1, 1, capacity=1)

    @process(grid=8)
    def load(k: int) -> None:
        for i in tiles(M, 16):
            re[0, k].put(x[i, k % 2 * 4 + k // 2 % 2 * 2 + k // 4, 0])
            im[0, k].put(x[i, k % 2 * 4 + k // 2 % 2 * 2 + k // 4, 1])

    @process(grid=4)
    def ones(k: int) -> None:
        for i in tiles(M, 16):
            ar = re[0, 2 * k].get()
            ai = im[0, 2 * k].get()
            br = re[0, 2 * k + 1].get()
            bi = im[0, 2 * k + 1].get()
            re[1, 2 * k].put(ar + br)
            im[1, 2 * k].put(ai + bi)
            re[1, 2 * k + 1].put(ar - br)
            im[1, 2 * k + 1].put(ai - bi)

    @process(grid=4)
    def twos(k: int) -> None:
        for i in tiles(M, 16):
            ar = re[1, k // 2 * 4 + k % 2].get()
            ai = im[1, k // 2 * 4 + k % 2].get()
            br = re[1, k // 2 * 4 + k % 2 + 2].get()
            bi = im[1, k // 2 * 4 + k % 2 + 2].get()
            tr = br * w[k % 2 * 2, 0, 0] - bi * w[k % 2 * 2, 0, 1]
            ti = br * w[k % 2 * 2, 0, 1] + bi * w[k % 2 * 2, 0, 0]
            re[2, k // 2 * 4 + k % 2].put(ar + tr)
            im[2, k // 2 * 4 + k % 2].put(ai + ti)
            re[2, k // 2 * 4 + k % 2 + 2].put(ar - tr)
            im[2, k // 2 * 4 + k % 2 + 2].put(ai - ti)

    @process(grid=4)
    def fours(k: int) -> None:
        for i in tiles(M, 16):
            ar = re[2, k].get()
            ai = im[2, k].get()
            br = re[2, k + 4].get()
            bi = im[2, k + 4].get()
            tr = br * w[k, 0, 0] - bi * w[k, 0, 1]
            ti = br * w[k, 0, 1] + bi * w[k, 0, 0]
            re[3, k].put(ar + tr)
            im[3, k].put(ai + ti)
            re[3, k + 4].put(ar - tr)
            im[3, k + 4].put(ai - ti)

    @process(grid=8)
    def store(k: int) -> None:
        for i in tiles(M, 16):
            y[i, k, 0] = re[3, k].get()
            y[i, k, 1] = im[3, k].get()
