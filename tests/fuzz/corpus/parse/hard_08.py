print((x for x in y), (z for z in w), a=(b for b in c))
print(x for x in y)
print(a, (yield_), b=(c, d), e=(f := g))
x = [*a, *b], {*a, *b}, {**a, 'b': c, **d}, {**(a or b)}, (*a, *b), {*()}
x = [a for b in c for d in e if f if g], {a for b in c}, {a: b for c in d}, (a for b in c)
