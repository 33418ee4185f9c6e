try: a
finally: b
try:
    a
except* A: b
except* (B, C) as d:
    try: c
    except D: d
if a:
    if b:
        c
        # of c
      # of nobody
    # of b
  # again of nobody
# of a
d

match a:  # on match
    # before the first case
    case 1 | -1 | 1.5 | 1+2j | -1-2j | "a" "b" | b"c" | None | True | f.g: pass  # on pass
    case x if x > 0:  # on case
        y
        # end of case
    case (a as b) | [c]: pass
    case a, *b, _: pass
    case [a], (b,), *_: pass
    case {"a": b, 1: c, d.e: [f], **rest}: pass
    case {**rest}: pass
    case A(), B(a), C(a, b=c), D(e=[f, g] as h): pass
    case (1 | 2) as a, ((b | c) as d) | e: pass
    case ((a, b) as c): pass
    case [(1 | 2), *rest]: pass
    case ("a"
          "b"): pass
    case a.b(c.d(), e=f.g): pass
    case _:
        match b, *c:
            case x, y: pass
        # end of the last case
    # end of match
