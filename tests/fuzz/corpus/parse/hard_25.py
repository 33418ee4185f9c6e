for a in b:
    c
    # end of for
else:
    # else of for
    d
while (a and  # first
       b):    # header
    break
else: c  # on c
try:  # try
    a
    # end of try
# before except
except A:  # except A
    b
except (A, B) as c:

    d
    # end of except
except:
    e
# before else
else:  # else of try
    f
# before finally
finally:  # finally
    g
    # end of finally
