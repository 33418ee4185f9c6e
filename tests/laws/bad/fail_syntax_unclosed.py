import htp
x = (1,
y = 2

# kind: a module; an unclosed bracket
# expect: parse.syntax 2
# text: not Python: '(' was never closed
