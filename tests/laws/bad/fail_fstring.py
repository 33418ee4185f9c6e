import htp
x = f'{1 +}'

# kind: an f-string; an operator without an operand
# expect: parse.syntax 2
# text: f-string: invalid syntax
