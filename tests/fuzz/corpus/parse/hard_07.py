x = *a, b
x = *a,
*a, b = c
(a, b), [c, *d] = e
a = b = c, d = e
x, = y
[x] = y
() = y
for x, in y: pass
for x, *y in z: pass
for (x, y), z in a, b: pass
for x in *a, b: pass
for a[0] in b: pass
for a.b in lambda: 0, c: pass
print(*a, *b or c, *(d if e else f), **g, **h or i, j=k if l else m, n=lambda: 0)
