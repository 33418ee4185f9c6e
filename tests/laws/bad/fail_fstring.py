import htp
x = f'{1 +}'

# kind: an f-string; an operator without an operand
# expect: parse.syntax 2
# text: not Python: f-string: invalid syntax
