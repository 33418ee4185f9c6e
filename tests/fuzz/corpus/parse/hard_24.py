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
