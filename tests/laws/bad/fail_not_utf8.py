import htp
x = 'ÿ'

# kind: a module; bytes that are no UTF-8
# expect: parse.encoding 2
# text: the file is not text in `utf-8`: this byte stands for no character
