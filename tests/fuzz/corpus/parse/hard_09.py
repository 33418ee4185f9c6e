x = [a for a, in b], [a for a, b in c], [a for (a, b), *c in d], [a for b in (c if d else e)], [a for b in c if (d if e else f)]
x = [a for b in (lambda: c)() if (lambda: d)], [(a, b) for c in d], [(a := b) for c in d if (e := f)], [a for b in c or d]
