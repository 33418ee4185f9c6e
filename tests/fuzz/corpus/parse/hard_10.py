x = {a: b if c else d, **{}}, {(a, b): c}, {lambda: 0: lambda: 1}
x = (yield_), {}, [], (), set(), {0}, (0,), [0]
x += yield_
x **= y; x //= y; x >>= y; x <<= y; x @= y; x |= y; x &= y; x ^= y; x %= y
x: int
x: int = 3
(x): int = 3
x.y: int
x[0]: (a, b) = c, d
