"""Which uses of passes are proved to keep what the program computes: a table by target and pass.

    shares.py --pairs build/dev/bin/validator_pairs --host build/dev/bin/htp-host [--least cpu=0.3 …] [--target NAME]… [--why]

A use is a stage of a compiled example, held against the stage before it. `--why` also prints the reasons why others are not shown; `--least` is a share
that is asked for. In a slice (HTP_SLICE) a few examples are compiled for each target, otherwise all of them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/validator")]
from packages import packages, validated  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--target", action="append", choices=("cpu", "a2a3sim", "aie"))
    parser.add_argument("--least", action="append", default=[])
    parser.add_argument("--kept", type=Path, help="a folder of packages by target, compiled before")
    parser.add_argument("--few", action="store_true", help="a few examples of each target")
    parser.add_argument("--why", action="store_true")
    given = parser.parse_args()
    few = given.few or (given.kept is None and "HTP_SLICE" in os.environ and "HTP_LONG" not in os.environ)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for target in given.target or ["cpu", "a2a3sim", "aie"]:
            chosen = packages(given.host, [target], given.kept or Path(name) / "packages", few=few)
            begun = time.monotonic()
            answers = validated(given.pairs, [(package, package.pairs) for package in chosen])
            seconds = time.monotonic() - begun
            total: Counter[str] = Counter()
            proved: Counter[str] = Counter()
            why: defaultdict[str, Counter[str]] = defaultdict(Counter)
            slowest: Counter[str] = Counter()
            for after, answer in answers.items():
                done = after.parent.name.partition("-")[2]
                total[done] += 1
                proved[done] += answer["proved"]
                slowest[after.parents[3].name] += answer.get("seconds", 0)
                if not answer["proved"]:
                    why[done][answer["reason"][:160]] += 1
            share = proved.total() / max(total.total(), 1)
            worst, most = max(slowest.items(), key=lambda item: item[1])
            print(f"{target}: {proved.total()} of {total.total()} uses proved, {share:.0%}, in {seconds:.1f} s with {len(chosen)} packages; at most {most:.2f} s, of {worst}")
            for done, count in total.most_common():
                print(f"  {proved[done]:4} of {count:4}  {done}")
                for reason, times in why[done].most_common(5) if given.why else ():
                    print(f"           {times} × {reason}")
            for asked in given.least:
                which, _, least = asked.partition("=")
                if which == target and share < float(least):
                    failed = True
                    print(f"FAILED {target}: fewer than {float(least):.0%} are proved")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
