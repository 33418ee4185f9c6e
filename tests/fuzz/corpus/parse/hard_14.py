x = '', "", 'a', "b", 'it\'s', "it's", 'say "x"', 'it\'s "x"', "it's \"x\"", '\\', r'\d', R"\n", u'u', U"u", b'b', Rb'\d', bR"x"
x = '\n\r\t\0\a\x7f\xa0\u2028\U0001f600\N{BULLET}', '\ud800', '\udc80x', 'é', '\u200b', '', '\xad', '\ue000'
x = b'\x00\xff\'"', b"it's", b'\n', b'''
lines''', '''a
b''', """a"b'c""", '''"''', """'"""
