match = case = type = _ = 1
case = match[case]; match(case); print(match, case)  # no keywords here
match (a, b):
    case (): case = 3
    case []: pass

class B:

    # blank lines around


    x = 1



    y = 2  # two: # hashes "and quotes"
    z = "# no comment"  # but this


