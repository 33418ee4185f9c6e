"""Which weekday a day is, by its number since a Monday, and which week; the days before it are negative."""

import htp
from htp import In, Out, i32
from htp_tile import Tensor, iota, kernel, tiles, where

N = htp.dim("N")
DAYS = 7


@kernel
def weekday(days: In[Tensor[i32, N]], day: Out[Tensor[i32, N]], week: Out[Tensor[i32, N]], left: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 4):
        n = days[i]
        day[i] = n % DAYS
        week[i] = n // DAYS
        place = iota(i32, i, axis=0)
        if i.stop < N:
            left[i] = N - place
        else:
            left[i] = where(place < N - 1, i.stop - place, 0)
