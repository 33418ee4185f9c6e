import htp
x = 'ÿ'

# expect: parse.encoding 2
