import htp
from htp import In, Out, u16, u8
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[u8, N]], b: In[Tensor[u16, N]], y: Out[Tensor[u8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] ^ b[i]

# kind: ^; u8 with u16
# expect: tile.dtype-mismatch 11
# text: `tile.bit_xor` expects u8, got u16
