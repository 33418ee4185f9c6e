x = [  # opening
    1,  # one

    2,
    # closing
]  # behind
f(a)(  # call
    b)  ; g()  # two statements
x = a + \
    b  # continued
x = 1; y = 2  # both
if a: b; c  # one line
x = {
    # alone
}
	
#	tab and trailing blanks   
if a:
	b
	# tabs
	if c:
		d
		# more tabs
# the end


# of the file
