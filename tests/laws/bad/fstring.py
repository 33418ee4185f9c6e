import htp
x = f'{1 +}'

# expect: parse.syntax 2
