"""Random networks that end at all sizes, by kinds: how many of each the compiler takes, and what it says of the others. What mistakes make of them is
refused wherever it gets stuck, or leaves items, at small sizes.

    random_networks.py --host build/dev/bin/htp-host [--kind loops] [--from 1000] [--count 500]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mistakes import mutants
from networks import KINDS, Network, ends

ROOT = Path(__file__).resolve().parents[2]
LONG = os.environ.get("HTP_LONG") == "1"
MOST = {"flat": 0, "grids": 0, "loops": 10, "conditions": 10, "pairs": 10}
"""Of a hundred networks of a kind, how many may be refused."""


def refusal(host: Path, network: Network, folder: Path) -> str | None:
    """The first error's code; nothing for what is taken."""
    program = folder / "program.py"
    program.write_text(network.text())
    done = subprocess.run(
        [host, "--plugins", ROOT / "manifests/cpu.yaml", "--json", "compile", program, "-o", folder / "package"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit {done.returncode}: {done.stderr}\n{network.text()}")
    errors = [str(one["code"]) for one in json.loads(done.stdout)["diagnostics"] if one["severity"] == "error"]
    return errors[0] if errors else None


def wrongly_taken(host: Path, several: list[Network], folder: Path, seen: Counter[str]) -> Iterator[str]:
    """Mutants that get stuck, but not for the compiler; those that end are not asked."""
    for mutant in several:
        if ends(mutant):
            continue
        code = refusal(host, mutant, folder)
        seen[code or "taken"] += 1
        if not code:
            yield mutant.text()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000 if LONG else 10)
    parser.add_argument("--mutants", type=int, default=3, help="of each network")
    given = parser.parse_args()
    host = given.host.resolve()
    failed = False
    mistakes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for kind in given.kind or KINDS:
            said: Counter[str] = Counter()
            refused: list[int] = []
            for seed in range(given.first, given.first + given.count):
                rng = random.Random(f"{kind} {seed}")
                network = KINDS[kind](rng)
                if not ends(network):
                    raise AssertionError(f"{kind} {seed} does not end:\n{network.text()}")
                if code := refusal(host, network, Path(temporary)):
                    said[code] += 1
                    refused.append(seed)
                for text in wrongly_taken(host, list(mutants(rng, network, given.mutants)), Path(temporary), mistakes):
                    failed = True
                    print(f"TAKEN, a mutant of {kind} {seed}:", text, sep="\n", flush=True)
            many = len(refused) * 100 > MOST[kind] * given.count
            failed = failed or many
            print(
                f"{kind}: {len(refused)} of {given.count} refused {dict(said.most_common())}{', more than ' + str(MOST[kind]) + ' %' if many else ''}"
                + (f": {' '.join(map(str, refused[:12]))}" if refused else ""),
                flush=True,
            )
    print(f"mistakes: {dict(mistakes.most_common())}")
    if mistakes.total() < given.count and given.mutants:
        raise AssertionError("mutants that get stuck are too few")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
