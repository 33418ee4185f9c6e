if a:
  b
 # c
