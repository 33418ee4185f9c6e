"""Law 8: bad input of any kind gets a diagnostic with a code, a place and a hint, and never a crash or a partial package.

Each case is a program tests/laws/bad/NAME.py whose last lines say what must be told:

    # expect: tile.shape-mismatch 14
    one for each error: its code and the line it points at

and every error has a hint, but for those of WITHOUT_HINT, which only gets shorter.

    law8.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml]
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

from driver import ROOT, Report, call, main, settings

BAD = Path(__file__).resolve().parent / "bad"


WITHOUT_HINT = {
    "tile.bad-axis", "tile.bad-size", "tile.local-call", "tile.missing-argument", "tile.unsupported", "tile.use-before-definition",
    "wsp.bad-arguments", "wsp.bad-size", "wsp.bound-twice", "wsp.carried", "wsp.growing-size", "wsp.not-a-directive", "wsp.ordered-loop", "wsp.same-place",
}  # fmt: skip


def check(folder: Path, report: Report) -> None:
    """The bad programs; no example has a part in it."""
    lacking: set[str] = set()
    for program in sorted(BAD.glob("*.py")):
        with report.checking(f"{program.name}: is refused as it says"):
            report.all(_told(program, lacking))
    with report.checking("the list of codes without a hint is not longer than it must be"):
        report.all(f"`{code}` has a hint now" for code in sorted(WITHOUT_HINT - lacking))


def _told(program: Path, lacking: set[str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = call([*settings(), "--json", "compile", program, "-o", out])
        found = []
        if done.returncode != 1:
            return [f"exit {done.returncode}, not 1", *done.stderr.splitlines()[:10]]
        if out.exists() or list(Path(folder).iterdir()):
            found.append("something was written")
        if "Traceback" in done.stderr:
            found.append("a Python traceback is shown")
        diagnostics = [d for d in json.loads(done.stdout)["diagnostics"] if d["severity"] == "error"]
        text = program.read_text(encoding="utf-8", errors="replace")
        expected = re.findall(r"^# expect: (\S+) (\d+)$", text, re.MULTILINE)
        told = sorted((d["code"], str((d.get("place") or {}).get("line", 0))) for d in diagnostics)
        if told != sorted(expected):
            found.append(f"expected {sorted(expected)}, told {told}")
        found += [f"`{d['code']}` says nothing" for d in diagnostics if not d["message"]]
        without = {d["code"] for d in diagnostics if not d["hints"]}
        found += [f"`{code}` has no hint" for code in sorted(without - WITHOUT_HINT)]
        lacking |= without
        return found


if __name__ == "__main__":
    sys.exit(main(__doc__, lambda package, report: None, check))
