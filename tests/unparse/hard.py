#!/usr/bin/env python3
# -*- coding: utf-8 -*-

"""Statements that are hard to print: each is here because some printer of Python got it wrong."""
# after the docstring
from __future__ import annotations

import a.b.c as d, e
from . import f
from .. import g as h, i
from ...j.k import (l,  # why l
                    m)
from .n import *

# ── precedence ──────────────────────────────────────────────────────────────────────────────────────────────────────
x = (a + b) * c - (d - (e - f))
x = a ** b ** c, (a ** b) ** c, -a ** b, (-a) ** b, a ** -b
x = -(-a), +(-a), ~-a, not not a, not (a and b), (not a) + b
x = (a and b) or (c or d) and (e or f), (a or b or c) or d, a or (b or c)
x = a < b < c, (a < b) < c, a < (b < c), (a, b) < c, not a in b, a not in b, (not a) in b, a is not b, (not a) is b
x = a if b else c if d else e
x = (a if b else c) if d else e
x = a if (b if c else d) else e
x = lambda: (yield)
x = (lambda x: x)(y), (lambda: lambda: 0)()(), lambda *, a: a, lambda *a, b=1, **c: (a, b, c), lambda a, /, b: 0
x = lambda a=lambda: 0: a, (lambda: a) if b else (lambda: c)
x = a @ b % c // d / e * f, a @ (b % c), a << b >> c, a << (b >> c), a & b | c ^ d, a & (b | (c ^ d)), (a | b) & c
x = (y := 1), [y := 2, (z := 3)], {(y := 4): (z := 5)}, f(y := 6), a[(y := 7)], a[y:=7, 8]
if (y := f(x)) and (z := g(y)): pass
while y := f(): continue
x = (await_ := 3)
assert (a, b), (c, d)
assert not a or b, "message"
del (a), b, (c, d), [e, f], (), g[0], h.i
x = 1 .real, 1.0.real, 1j.imag, 0x10.real, True.real, None.x, "".join, b"".join, (1).real, -1 .real, (-1).real, 1..real
x = ....__class__, [].x, {}.x, ().x, (a, b).x, (a + b).x, (-a).x, (await_).x, (lambda: 0).x, "a" "b".x, f"{a}".x
x = a.b.c.d(e)(f)[g][h].i(j, *k, l=m, **n)
x = a[b:c:d], a[:], a[::], a[b:], a[:c], a[::d], a[b::d], a[b, c], a[b,], a[b:c, d], a[(b, c):d], a[...], a[()], a[*b], a[*b, c]
x = a[b][c:d][e, f:g], a[lambda: 0], a[b if c else d], a[b:lambda: 0], a[not b], a[(yield_)]
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
print((x for x in y), (z for z in w), a=(b for b in c))
print(x for x in y)
print(a, (yield_), b=(c, d), e=(f := g))
x = [*a, *b], {*a, *b}, {**a, 'b': c, **d}, {**(a or b)}, (*a, *b), {*()}
x = [a for b in c for d in e if f if g], {a for b in c}, {a: b for c in d}, (a for b in c)
x = [a for a, in b], [a for a, b in c], [a for (a, b), *c in d], [a for b in (c if d else e)], [a for b in c if (d if e else f)]
x = [a for b in (lambda: c)() if (lambda: d)], [(a, b) for c in d], [(a := b) for c in d if (e := f)], [a for b in c or d]
x = {a: b if c else d, **{}}, {(a, b): c}, {lambda: 0: lambda: 1}
x = (yield_), {}, [], (), set(), {0}, (0,), [0]
x += yield_
x **= y; x //= y; x >>= y; x <<= y; x @= y; x |= y; x &= y; x ^= y; x %= y
x: int
x: int = 3
(x): int = 3
x.y: int
x[0]: (a, b) = c, d
x: 'a' = b'c'
global_ = 0
raise
raise A
raise A from None
raise A(b) from (c if d else e)
return_ = 1
with a: pass
with a as b, c as d: pass
with (a, b) as c: pass
with (a, b), c: pass
with a, (b, c): pass
with (a): pass
with (a as b, c as d,): pass
with (*a, b): pass
with (): pass
with (a, b)[0]: pass
with a() as (b, c), d as [e, f], g as h.i, j as k[l]: pass
with (yield_): pass
with (a if b else c) as d: pass


# ── numbers ─────────────────────────────────────────────────────────────────────────────────────────────────────────
x = 0, 00, 1_000_000, 0xFF_ff, 0o777, 0B1010, 1e5, 1E-05, 1e16, 1e15, 1.5e300, 1e999, -1e999, 1e999j, .5, 5., 1_0.0_1
x = 1e22, 1e23, 123456789012345678, 0.0001, 0.00001, 9007199254740993.0, 5e-324, 1.7976931348623157e308, 0.1, 100.0
x = 1j, 1.5J, 1e5j, 0j, 1+2j, 1-2j, -0.0, 0xffffffffffffffffffffffffffffffffffffffff, 1e-7j, 1e16j, 1_0j

# ── strings ─────────────────────────────────────────────────────────────────────────────────────────────────────────
x = '', "", 'a', "b", 'it\'s', "it's", 'say "x"', 'it\'s "x"', "it's \"x\"", '\\', r'\d', R"\n", u'u', U"u", b'b', Rb'\d', bR"x"
x = '\n\r\t\0\a\x7f\xa0\u2028\U0001f600\N{BULLET}', '\ud800', '\udc80x', 'é', '\u200b', '', '\xad', '\ue000'
x = b'\x00\xff\'"', b"it's", b'\n', b'''
lines''', '''a
b''', """a"b'c""", '''"''', """'"""
x = "a" 'b' """c""" r'\d', b"a" b'b', u"a" "b", "a" u"b"
x = ("a"
     "b"  # between
     # alone
     "c")
x = "a" \
    "b"
f("a"
  "b", [
      "c"
      "d"])
("joined"
 " statement")
x = '''\
continued'''
'a statement that is a string'
"""and
another"""
b'bytes'

# ── f-strings ───────────────────────────────────────────────────────────────────────────────────────────────────────
x = f'', f'a', f'{a}', f"{a}b{c}", f'{a!r}', f'{a!s:>{b}}', f'{a:{b}.{c}}', f'{a:}', f'{a=}', f'{a = !r:x}', F'{a}', fR'\{a}', rf'{a}\d'
x = f'{{}}', f'{{{a}}}', f'{ {a} }', f'{ {a: b}[a] }', f'{a["b"]}', f"{a['b']}", f'''{a["b"]['c']}''', f"{'a' 'b'}", f'{a:%H:%M}'
x = f'it\'s {a}', f"it's {a!r} \"{b}\"", f'{a}\n\t\\{b}', f'{a:\n}', f'{a:\x07}', f'\N{BULLET}{a}', f'{a}' 'b' "c" f"{d}", 'a' f'{b}'
x = f'{(lambda x: x)}', f'{(lambda: 0)()}', f'{a if b else c}', f'{(a := b)}', f'{a:=b}', f'{a, b}', f'{(yield_)}', f'{a != b}', f'{a == b}'
x = f'{f"{a}"}', f"{f'{a}' + f'''{b}'''}", f'{a:{f"{b}"}}', f"{'{'}", f"{a}{'}'}", f'{"it" "s"}', f"{a:{'>'}{10}}", f'{*a, b}', f'{-a}', f'{not a}'
x = f'''{
a
}''', f"""a
{b}""", f'''"{a}"''', f"""'{a}'""", f'{a}"', f"{a}'", f'''{a}"""''', f'{a}{b!a}{c}', f'{a}\'"{b["c"]}', f'''{a['b']}"{c}"'''
x = f'''{a}'
"{b}''', f'{a:a{b}c{d}e}', f'\x7f{a}', f'{b"x"}', f'{1}{1.5}{1j}{0x10}', f'{a[b:c]}', f'{a.b!r:^{c.d}}'
f'an f-string {statement}'
x = (f"a{b}"
     f"c{d}")


# ── definitions ─────────────────────────────────────────────────────────────────────────────────────────────────────
def f(): pass
def f(a, b=1, /, c=2, *d, e, f=3, **g): return
def f(a: int = 1, *args: *Ts, b: str = "x", **kw: dict) -> (yield_): return a, b
def f(*, a): return *a, b
def f(a, /): return (a)
def f(a, /, *, b): ...
async def f():
    await a; await b ** c; (await d).e; await f(); -await g; await (await h)
    async for a, b in c: pass
    async with a as b, c: pass
    return [a async for b in c if await d]
def f():
    yield; yield a; yield a, b; x = yield; x = yield a; x = yield from b; x += yield; (yield); (yield).a; f((yield)); f((yield a), b)
    yield (yield); yield from (yield from a); await_ = [(yield)]; return (yield)
    global a, b
    def g():
        nonlocal c


@a
@b.c(d)  # on a decorator
# between decorators
@(lambda f: f)
@e[0]
def f():
    # first in the body

    """A docstring, if a comment may stand before it."""


class A: """One line."""
class A(): x = 1; y = 2
class A(B, *C, metaclass=D, **E):
    '''It's "three" \'quotes\''''

    # between

    def f(self):  # behind the header
        """Ends in a quote: \""""
        return self

    def g(self):
        u"""with a prefix"""
    def h(self):
        '''lines
          and \\ backslashes \t tabs	here'''
    def i(self):
        "joined" " docstring"
    def j(self):
        ("in"
         "brackets")
    # at the end of A
  # less than A's block
# of the module


# ── compound statements, and comments about them ────────────────────────────────────────────────────────────────────
if a:
    b
elif c: d
elif e:
    f
else:
    g
if a:
    b
else:
    if c:
        d
if a:
    b
else:
    if c:
        d
    e
if a:  # on if
    b  # on b
    # end of b's block
# before elif
elif c:  # on elif
    # alone in the block
    d
    # end of d's block

# before else
else:  # on else
    # before e
    e
    # end of e's block
# after
for a in b:
    c
    # end of for
else:
    # else of for
    d
while (a and  # first
       b):    # header
    break
else: c  # on c
try:  # try
    a
    # end of try
# before except
except A:  # except A
    b
except (A, B) as c:

    d
    # end of except
except:
    e
# before else
else:  # else of try
    f
# before finally
finally:  # finally
    g
    # end of finally
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
match = case = type = _ = 1
case = match[case]; match(case); print(match, case)  # no keywords here
match (a, b):
    case (): case = 3
    case []: pass

class B:

    # blank lines around


    x = 1



    y = 2  # two: # hashes "and quotes"
    z = "# no comment"  # but this


x = [  # opening
    1,  # one

    2,
    # closing
]  # behind
f(a)(  # call
    b)  ; g()  # two statements
x = a + \
    b  # continued
x = 1; y = 2  # both
if a: b; c  # one line
x = {
    # alone
}
	
#	tab and trailing blanks   
if a:
	b
	# tabs
	if c:
		d
		# more tabs
# the end


# of the file
