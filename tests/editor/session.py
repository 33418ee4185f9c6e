"""A program of 500 lines and an editing session of it, made from a seed: what the tests and the benchmark type."""

from __future__ import annotations

import random
from typing import Any

from client import position

HEAD = '''"""Kernels to edit: größer, 倍, 🙂."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, maximum, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
'''

KERNELS = (
    '''
@kernel
def {name}(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Softmax of each row, times {a}."""
    for i in tiles(M, {block}):
        row = x[i, :]
        # höchstens 0: {name} 🙂
        e = exp(row - reduce_max(row, axis=1))
        total = reduce_sum(e, axis=1)
        scaled = e * {a}
        y[i, :] = scaled / total
''',
    '''
@kernel
def {name}(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """A sum that is not below {a}."""
    for i in tiles(M, {block}):
        for j in tiles(N, 32):
            left = x[i, j]
            right = w[i, j]
            both = left + right * {a}
            floor = maximum(both, {b})
            y[i, j] = floor - {b}
''',
    '''
@kernel
def {name}(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Each row without its mean."""
    for i in tiles(M, {block}):
        row = x[i, :]
        square = row * row
        norm = reduce_sum(square, axis=1)
        # Größe {a}
        shifted = norm + {a}
        y[i, :] = row / shifted
''',
)

MISTAKES = (("exp(", "exq("), (" / ", " @ "), ("axis=1", "axis=7"), ("y[i", "y[k"), (" = ", " = = "), ("x[i", "x[i, i, i"))


def program(lines: int, seed: int = 1) -> str:
    chosen = random.Random(seed)
    text, k = HEAD, 0
    while text.count("\n") < lines - 12:
        text += "\n" + chosen.choice(KERNELS).format(name=f"kernel_{k}", a=round(chosen.uniform(0.5, 4), 2), b=round(chosen.uniform(0.5, 4), 2), block=chosen.choice((4, 8, 16)))
        k += 1
    return text + "".join(f"# {n}\n" for n in range(lines - text.count("\n")))


def edit(text: str, begin: int, end: int, new: str) -> tuple[str, dict[str, Any]]:
    return text[:begin] + new + text[end:], {"range": {"start": position(text, begin), "end": position(text, end)}, "text": new}


class Session:
    """Edits as people make them: letters typed and taken back, numbers changed, lines added and removed, mistakes made and mended, comments."""

    def __init__(self, text: str, seed: int = 7) -> None:
        self.text = text
        self.chosen = random.Random(seed)
        self.mend: list[tuple[str, str, int]] = []
        self.kind = ""  # of the last edit

    def kinds(self) -> list[str]:
        return ["number"] * 4 + ["letter"] * 4 + ["comment"] * 2 + ["line"] * 3 + ["mistake"] * 3 + ["shared"]

    def step(self) -> dict[str, Any]:
        """The next edit, made in `text`."""
        if self.mend:
            self.kind = "mended"
            wrong, right, at = self.mend.pop()
            self.text, change = edit(self.text, at, at + len(wrong), right)
            return change
        self.kind = kind = self.chosen.choice(self.kinds())
        start = self.text.index("@kernel")
        if kind == "shared":  # what every kernel reads
            at = self.text.index("\n", self.text.index("N = htp.dim"))
            self.text, change = edit(self.text, at, at, f"\nK = {self.chosen.randrange(100)}" if self.chosen.random() < 0.5 else "  # größer")
            return change
        if kind == "mistake":
            right, wrong = self.chosen.choice(MISTAKES)
            places = [k for k in range(start, len(self.text)) if self.text.startswith(right, k)]
            at = self.chosen.choice(places)
            self.text, change = edit(self.text, at, at + len(right), wrong)
            self.mend.append((wrong, right, at))
            return change
        lines = [k for k in range(start, len(self.text)) if self.text.startswith("\n        ", k) and self.text[k + 9] != "#" and " = " in self.text[k + 1 : self.text.index("\n", k + 1)]]
        at = self.chosen.choice(lines)
        end = self.text.index("\n", at + 1)
        indent = len(self.text[at + 1 : end]) - len(self.text[at + 1 : end].lstrip())
        if kind == "line":
            new = "\n" + " " * indent + f"extra_{self.chosen.randrange(10**6)} = {self.text[at + 1 : end].split(' = ')[0].strip().split('[')[0]} * 1.5"
            if "[" in self.text[at + 1 : end].split(" = ")[0]:
                new = "\n" + " " * indent + "# a store"
            self.text, change = edit(self.text, end, end, new)
        elif kind == "comment":
            self.text, change = edit(self.text, at, at, "\n" + " " * indent + "# größer als 🙂 " + str(self.chosen.randrange(100)))
        elif kind == "letter":
            self.text, change = edit(self.text, end, end, "  # n" if self.chosen.random() < 0.5 else " * 1.0")
        else:
            self.text, change = edit(self.text, end, end, f" + {round(self.chosen.uniform(0, 2), 2)}")
        return change
