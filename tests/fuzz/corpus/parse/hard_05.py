x = (await_ := 3)
assert (a, b), (c, d)
assert not a or b, "message"
del (a), b, (c, d), [e, f], (), g[0], h.i
x = 1 .real, 1.0.real, 1j.imag, 0x10.real, True.real, None.x, "".join, b"".join, (1).real, -1 .real, (-1).real, 1..real
x = ....__class__, [].x, {}.x, ().x, (a, b).x, (a + b).x, (-a).x, (await_).x, (lambda: 0).x, "a" "b".x, f"{a}".x
