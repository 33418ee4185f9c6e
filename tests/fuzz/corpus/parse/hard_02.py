x = -(-a), +(-a), ~-a, not not a, not (a and b), (not a) + b
x = (a and b) or (c or d) and (e or f), (a or b or c) or d, a or (b or c)
x = a < b < c, (a < b) < c, a < (b < c), (a, b) < c, not a in b, a not in b, (not a) in b, a is not b, (not a) is b
