"""Random networks that end at all sizes, by kinds: how many of each the compiler takes, and what it says of the others. What mistakes make of them is
refused wherever it gets stuck, or leaves items, at small sizes.

    random_networks.py --checked build/dev/bin/csp_checked [--kind loops] [--from 1000] [--count 500]
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mistakes import mutants
from networks import KINDS, Network, ends, unused

LONG = os.environ.get("HTP_LONG") == "1"
MOST = {"flat": 0, "grids": 0, "loops": 2, "conditions": 5, "pairs": 5}
"""Of a hundred networks of a kind, how many may be refused; of a few one, where any may."""


class Compiler:
    """The part of it that takes or refuses a network, in one process for all."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def refusal(self, network: Network) -> str | None:
        """The first error's code; nothing for what is taken."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked and answers
        text = network.text().encode()
        asked.write(b"%d\n%s" % (len(text), text))
        asked.flush()
        code = answers.readline().decode().strip()
        if not code:
            raise RuntimeError(f"it ended with {self._process.wait()}:\n{network.text()}")
        return None if code == "-" else code

    def close(self) -> None:
        """Ends it."""
        self._process.communicate()


def wrongly_taken(compiler: Compiler, several: list[Network], seen: Counter[str]) -> Iterator[str]:
    """Mutants that get stuck, but not for the compiler; those that end are not asked."""
    for mutant in several:
        if ends(mutant):
            continue
        code = compiler.refusal(mutant)
        seen[code or "taken"] += 1
        if not code:
            yield mutant.text()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checked", type=Path, required=True)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000 if LONG else 10)
    parser.add_argument("--mutants", type=int, default=3, help="of each network")
    given = parser.parse_args()
    compiler = Compiler(given.checked.resolve())
    failed = False
    mistakes: Counter[str] = Counter()
    for kind in given.kind or KINDS:
        said: Counter[str] = Counter()
        refused: list[int] = []
        for seed in range(given.first, given.first + given.count):
            rng = random.Random(f"{kind} {seed}")
            network = KINDS[kind](rng)
            if not ends(network):
                raise AssertionError(f"{kind} {seed} does not end:\n{network.text()}")
            if code := compiler.refusal(network):
                said[code] += 1
                if code not in ("csp.never-read", "csp.never-written") or not unused(network):
                    refused.append(seed)
            for text in wrongly_taken(compiler, list(mutants(rng, network, given.mutants)), mistakes):
                failed = True
                print(f"TAKEN, a mutant of {kind} {seed}:", text, sep="\n", flush=True)
        many = len(refused) > max(MOST[kind] * given.count // 100, MOST[kind] > 0)
        failed = failed or many
        print(
            f"{kind}: {len(refused)} of {given.count} refused {dict(said.most_common())}{', more than ' + str(MOST[kind]) + ' %' if many else ''}"
            + (f": {' '.join(map(str, refused[:12]))}" if refused else ""),
            flush=True,
        )
    compiler.close()
    print(f"mistakes: {dict(mistakes.most_common())}")
    if mistakes.total() < given.count and given.mutants:
        raise AssertionError("mutants that get stuck are too few")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
