"""Reads blocks of `name = call` lines and writes them with what is computed again replaced by the name that has it."""

import re
import sys


def share(lines: list[str]) -> list[str]:
    """The lines, each with the first names of what it uses."""
    result = []
    known: dict[str, str] = {}  # a call → the name that has it, in this block
    same: dict[str, str] = {}  # a name → the first that is the same
    for line in lines:
        if line == "block":
            known = {}
            result.append(line)
            continue
        name, call = line.split(" = ", 1)
        # Names, but not what follows a dot, is called, or is a keyword's.
        call = re.sub(r"(?<![\w.])[A-Za-z_]\w*(?![\w.(=])", lambda word: same.get(word[0], word[0]), call)
        if call in known:
            same[name] = known[call]
            result.append(f"{name} = {known[call]}")
        else:
            known[call] = name
            result.append(f"{name} = {call}")
    return result


if __name__ == "__main__":
    print("\n".join(share(sys.stdin.read().splitlines())))
