@a
@b.c(d)  # on a decorator
# between decorators
@(lambda f: f)
@e[0]
def f():
    # first in the body

    """A docstring, if a comment may stand before it."""


class A: """One line."""
class A(): x = 1; y = 2
class A(B, *C, metaclass=D, **E):
    '''It's "three" \'quotes\''''

    # between

    def f(self):  # behind the header
        """Ends in a quote: \""""
        return self

    def g(self):
        u"""with a prefix"""
    def h(self):
        '''lines
          and \\ backslashes \t tabs	here'''
    def i(self):
        "joined" " docstring"
    def j(self):
        ("in"
         "brackets")
    # at the end of A
  # less than A's block
# of the module


# ── compound statements, and comments about them ────────────────────────────────────────────────────────────────────
