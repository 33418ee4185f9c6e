import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, index, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


def next_of(n: int, odd: int) -> int:
    # one way or the other
    if odd == 1:
        return n + 1
    if n > 8:
        n = 0
    else:
        return n
    return n + 2


@kernel
def k(x: In[Tensor[i32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    if N == 0:
        return  # nothing to do
    for p in range(M):
        # a way that both go on
        if p > 3:
            s = 1
            if index(x[p, 0]) > 5:
                continue
        else:
            s = 2
        for q in range(N):
            if index(x[p, q]) < 0:
                break  # here it ends
            if index(x[p, q]) > 100:
                return
            y[p, q] += s
        else:
            y[p, 0] = 0.0
        n = 0
        while n < 9:
            n += 1
            if n == next_of(p, 1):
                continue
            if n == 7:
                break
            y[p, 0] *= 2.0
    for i in tiles(M, 8):
        if i.start > 64:
            break
        y[i, :] += 1.0
# ── structured ──
import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, index, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


def next_of(n: int, odd: int) -> int:
    # one way or the other
    if odd == 1:
        result = n + 1
    elif n > 8:
        n = 0
        result = n + 2
    else:
        result = n
    return result


@kernel
def k(x: In[Tensor[i32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    if not N == 0:
        returned = 0
        for p in range(M):
            if returned == 0:
                # a way that both go on
                if p > 3:
                    s = 1
                    if not index(x[p, 0]) > 5:
                        stopped = 0
                        for q in range(N):
                            if stopped == 0 and returned == 0:
                                if index(x[p, q]) < 0:
                                    stopped = 1
                                elif index(x[p, q]) > 100:
                                    returned = 1
                                else:
                                    y[p, q] += s
                        if stopped == 0 and returned == 0:
                            y[p, 0] = 0.0
                        if returned == 0:
                            n = 0
                            while n < 9:
                                n += 1
                                if not n == next_of(p, 1):
                                    if n == 7:
                                        break
                                    y[p, 0] *= 2.0
                else:
                    s = 2
                    stopped_1 = 0
                    for q in range(N):
                        if stopped_1 == 0 and returned == 0:
                            if index(x[p, q]) < 0:
                                stopped_1 = 1
                            elif index(x[p, q]) > 100:
                                returned = 1
                            else:
                                y[p, q] += s
                    if stopped_1 == 0 and returned == 0:
                        y[p, 0] = 0.0
                    if returned == 0:
                        n = 0
                        while n < 9:
                            n += 1
                            if not n == next_of(p, 1):
                                if n == 7:
                                    break
                                y[p, 0] *= 2.0
        if returned == 0:
            stopped_2 = 0
            for i in tiles(M, 8):
                if stopped_2 == 0:
                    if i.start > 64:
                        stopped_2 = 1
                    else:
                        y[i, :] += 1.0
# ── inlined ──
import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, index, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    if not N == 0:
        returned = 0
        for p in range(M):
            if returned == 0:
                # a way that both go on
                if p > 3:
                    s = 1
                    if not index(x[p, 0]) > 5:
                        stopped = 0
                        for q in range(N):
                            if stopped == 0 and returned == 0:
                                if index(x[p, q]) < 0:
                                    stopped = 1
                                elif index(x[p, q]) > 100:
                                    returned = 1
                                else:
                                    y[p, q] = y[p, q] + s
                        if stopped == 0 and returned == 0:
                            y[p, 0] = 0.0
                        if returned == 0:
                            n = 0
                            while n < 9:
                                n += 1
                                n_1 = p
                                # one way or the other
                                if 1 == 1:
                                    result = n_1 + 1
                                elif n_1 > 8:
                                    n_1 = 0
                                    result = n_1 + 2
                                else:
                                    result = n_1
                                if not n == result:
                                    if n == 7:
                                        break
                                    y[p, 0] = y[p, 0] * 2.0
                else:
                    s = 2
                    stopped_1 = 0
                    for q in range(N):
                        if stopped_1 == 0 and returned == 0:
                            if index(x[p, q]) < 0:
                                stopped_1 = 1
                            elif index(x[p, q]) > 100:
                                returned = 1
                            else:
                                y[p, q] = y[p, q] + s
                    if stopped_1 == 0 and returned == 0:
                        y[p, 0] = 0.0
                    if returned == 0:
                        n = 0
                        while n < 9:
                            n += 1
                            n_2 = p
                            # one way or the other
                            if 1 == 1:
                                result_1 = n_2 + 1
                            elif n_2 > 8:
                                n_2 = 0
                                result_1 = n_2 + 2
                            else:
                                result_1 = n_2
                            if not n == result_1:
                                if n == 7:
                                    break
                                y[p, 0] = y[p, 0] * 2.0
        if returned == 0:
            stopped_2 = 0
            for i in tiles(M, 8):
                if stopped_2 == 0:
                    if i.start > 64:
                        stopped_2 = 1
                    else:
                        y[i, :] = y[i, :] + 1.0
# ── canonical ──
import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, kernel
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    if not N == 0:
        returned = 0
        for p in range(M):
            if returned == 0:
                s = 0
                n = 0
                # a way that both go on
                if p > 3:
                    s = 1
                    x_tile = tile.load(x, p, 0)
                    index = tile.index(x_tile)
                    if not index > 5:
                        stopped = 0
                        for q in range(N):
                            if stopped == 0 and returned == 0:
                                x_tile_1 = tile.load(x, p, q)
                                index_1 = tile.index(x_tile_1)
                                if index_1 < 0:
                                    stopped = 1
                                else:
                                    x_tile_2 = tile.load(x, p, q)
                                    index_2 = tile.index(x_tile_2)
                                    if index_2 > 100:
                                        returned = 1
                                    else:
                                        y_tile = tile.load(y, p, q)
                                        add = tile.add(y_tile, s)
                                        tile.store(y, add, p, q)
                        if stopped == 0 and returned == 0:
                            tile.store(y, 0.0, p, 0)
                        if returned == 0:
                            n = 0
                            while n < 9:
                                n = n + 1
                                n_1 = p
                                result = 0
                                # one way or the other
                                if 1 == 1:
                                    result = n_1 + 1
                                elif n_1 > 8:
                                    n_1 = 0
                                    result = n_1 + 2
                                else:
                                    result = n_1
                                if not n == result:
                                    if n == 7:
                                        break
                                    y_tile_1 = tile.load(y, p, 0)
                                    mul = tile.mul(y_tile_1, 2.0)
                                    tile.store(y, mul, p, 0)
                else:
                    s = 2
                    stopped_1 = 0
                    for q in range(N):
                        if stopped_1 == 0 and returned == 0:
                            x_tile_3 = tile.load(x, p, q)
                            index_3 = tile.index(x_tile_3)
                            if index_3 < 0:
                                stopped_1 = 1
                            else:
                                x_tile_4 = tile.load(x, p, q)
                                index_4 = tile.index(x_tile_4)
                                if index_4 > 100:
                                    returned = 1
                                else:
                                    y_tile_2 = tile.load(y, p, q)
                                    add_1 = tile.add(y_tile_2, s)
                                    tile.store(y, add_1, p, q)
                    if stopped_1 == 0 and returned == 0:
                        tile.store(y, 0.0, p, 0)
                    if returned == 0:
                        n = 0
                        while n < 9:
                            n = n + 1
                            n_2 = p
                            result_1 = 0
                            # one way or the other
                            if 1 == 1:
                                result_1 = n_2 + 1
                            elif n_2 > 8:
                                n_2 = 0
                                result_1 = n_2 + 2
                            else:
                                result_1 = n_2
                            if not n == result_1:
                                if n == 7:
                                    break
                                y_tile_3 = tile.load(y, p, 0)
                                mul_1 = tile.mul(y_tile_3, 2.0)
                                tile.store(y, mul_1, p, 0)
        if returned == 0:
            stopped_2 = 0
            for i in tile.tiles(M, 8):
                if stopped_2 == 0:
                    if i.start > 64:
                        stopped_2 = 1
                    else:
                        y_tile_4 = tile.load(y, i, tile.whole)
                        add_2 = tile.add(y_tile_4, 1.0)
                        tile.store(y, add_2, i, tile.whole)
# ── typed ──
import htp
from htp import In, InOut, f32, i32
from htp_tile import Tensor, kernel, Tile
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    if not N == 0:
        returned = 0
        for p in range(M):
            if returned == 0:
                s = 0
                n = 0
                # a way that both go on
                if p > 3:
                    s = 1
                    x_tile: Tile[i32, 1, 1] = tile.load(x, p, 0)
                    index = tile.index(x_tile)
                    if not index > 5:
                        stopped = 0
                        for q in range(N):
                            if stopped == 0 and returned == 0:
                                x_tile_1: Tile[i32, 1, 1] = tile.load(x, p, q)
                                index_1 = tile.index(x_tile_1)
                                if index_1 < 0:
                                    stopped = 1
                                else:
                                    x_tile_2: Tile[i32, 1, 1] = tile.load(x, p, q)
                                    index_2 = tile.index(x_tile_2)
                                    if index_2 > 100:
                                        returned = 1
                                    else:
                                        y_tile: Tile[f32, 1, 1] = tile.load(y, p, q)
                                        s_f32: Tile[f32, 1] = tile.full(f32, s, 1)
                                        add: Tile[f32, 1, 1] = tile.add(y_tile, s_f32)
                                        tile.store(y, add, p, q)
                        if stopped == 0 and returned == 0:
                            tile.store(y, 0.0, p, 0)
                        if returned == 0:
                            n = 0
                            while n < 9:
                                n = n + 1
                                n_1 = p
                                result = 0
                                # one way or the other
                                if 1 == 1:
                                    result = n_1 + 1
                                elif n_1 > 8:
                                    n_1 = 0
                                    result = n_1 + 2
                                else:
                                    result = n_1
                                if not n == result:
                                    if n == 7:
                                        break
                                    y_tile_1: Tile[f32, 1, 1] = tile.load(y, p, 0)
                                    mul: Tile[f32, 1, 1] = tile.mul(y_tile_1, 2.0)
                                    tile.store(y, mul, p, 0)
                else:
                    s = 2
                    stopped_1 = 0
                    for q in range(N):
                        if stopped_1 == 0 and returned == 0:
                            x_tile_3: Tile[i32, 1, 1] = tile.load(x, p, q)
                            index_3 = tile.index(x_tile_3)
                            if index_3 < 0:
                                stopped_1 = 1
                            else:
                                x_tile_4: Tile[i32, 1, 1] = tile.load(x, p, q)
                                index_4 = tile.index(x_tile_4)
                                if index_4 > 100:
                                    returned = 1
                                else:
                                    y_tile_2: Tile[f32, 1, 1] = tile.load(y, p, q)
                                    s_f32_1: Tile[f32, 1] = tile.full(f32, s, 1)
                                    add_1: Tile[f32, 1, 1] = tile.add(y_tile_2, s_f32_1)
                                    tile.store(y, add_1, p, q)
                    if stopped_1 == 0 and returned == 0:
                        tile.store(y, 0.0, p, 0)
                    if returned == 0:
                        n = 0
                        while n < 9:
                            n = n + 1
                            n_2 = p
                            result_1 = 0
                            # one way or the other
                            if 1 == 1:
                                result_1 = n_2 + 1
                            elif n_2 > 8:
                                n_2 = 0
                                result_1 = n_2 + 2
                            else:
                                result_1 = n_2
                            if not n == result_1:
                                if n == 7:
                                    break
                                y_tile_3: Tile[f32, 1, 1] = tile.load(y, p, 0)
                                mul_1: Tile[f32, 1, 1] = tile.mul(y_tile_3, 2.0)
                                tile.store(y, mul_1, p, 0)
        if returned == 0:
            stopped_2 = 0
            for i in tile.tiles(M, 8):
                if stopped_2 == 0:
                    if i.start > 64:
                        stopped_2 = 1
                    else:
                        y_tile_4: Tile[f32, i, N] = tile.load(y, i, tile.whole)
                        add_2: Tile[f32, i, N] = tile.add(y_tile_4, 1.0)
                        tile.store(y, add_2, i, tile.whole)
