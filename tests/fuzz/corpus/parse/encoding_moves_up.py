x = [# coding:a for a, i''n b], # latin- = !/u [a inf2or (a, b),  d], [ 
d]
