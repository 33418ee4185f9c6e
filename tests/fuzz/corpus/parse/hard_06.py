x = a.b.c.d(e)(f)[g][h].i(j, *k, l=m, **n)
x = a[b:c:d], a[:], a[::], a[b:], a[:c], a[::d], a[b::d], a[b, c], a[b,], a[b:c, d], a[(b, c):d], a[...], a[()], a[*b], a[*b, c]
x = a[b][c:d][e, f:g], a[lambda: 0], a[b if c else d], a[b:lambda: 0], a[not b], a[(yield_)]
