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
