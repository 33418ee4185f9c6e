"""A mixture of experts: each token goes to the two experts that its router's logits favour, which are small networks of their own, and
gets the weighted sum of what they make of it. Tokens are dispatched to lists, one for each expert, so that an expert works on blocks of
them."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, argtopk, buffer, exp, full, gather, index, kernel, matmul, reduce_max, reduce_sum, reshape, scatter_add, sigmoid, tiles, whole

T = htp.dim("T")  # tokens
D = htp.dim("D")  # their features

E = 3  # experts
F = 4  # an expert's features
CHOSEN = 2


@kernel
def moe(
    x: In[Tensor[f32, T, D]],
    logits: In[Tensor[f32, T, E]],
    up: In[Tensor[f32, E, D, F]],
    down: In[Tensor[f32, E, F, D]],
    y: Out[Tensor[f32, T, D]],
) -> None:
    route = buffer(i32, T, CHOSEN)
    share = buffer(f32, T, CHOSEN)
    for i in tiles(T, 16):
        row = logits[i, :]
        best = argtopk(row, CHOSEN, axis=1)
        e = exp(gather(row, best, axis=1) - reduce_max(row, axis=1))
        route[i, :] = best
        share[i, :] = e / reduce_sum(e, axis=1)

    count = buffer(i32, E)
    token = buffer(i32, E, T)
    weight = buffer(f32, E, T)
    count[:] = 0
    token[:, :] = 0
    weight[:, :] = 0.0
    for t in range(T):
        for n in range(CHOSEN):
            expert = index(route[t, n])
            place = index(count[expert])
            token[expert, place] = full(i32, t, 1, 1)
            weight[expert, place] = share[t, n]
            count[expert] = count[expert] + 1

    y[:, :] = 0.0
    for expert in range(E):
        for j in tiles(T, 16):
            rows = reshape(token[expert, j], j)
            h = matmul(x[rows, :], reshape(up[expert, :, :], D, F))
            made = matmul(h * sigmoid(h), reshape(down[expert, :, :], F, D))
            scatter_add(y, made * reshape(weight[expert, j], j, 1), rows, whole)
