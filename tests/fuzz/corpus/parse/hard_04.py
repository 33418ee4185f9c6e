x = a @ b % c // d / e * f, a @ (b % c), a << b >> c, a << (b >> c), a & b | c ^ d, a & (b | (c ^ d)), (a | b) & c
x = (y := 1), [y := 2, (z := 3)], {(y := 4): (z := 5)}, f(y := 6), a[(y := 7)], a[y:=7, 8]
if (y := f(x)) and (z := g(y)): pass
while y := f(): continue
