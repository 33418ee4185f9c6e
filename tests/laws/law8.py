"""Law 8: bad input of any kind gets a diagnostic with a code, a place and a hint, and never a crash or a partial package.

Each case is a program tests/laws/bad/NAME.py whose last lines say what must be told:

    # expect: tile.shape-mismatch 14
    one for each error: its code and the line it points at

and every error has a hint.

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


def check(folder: Path, report: Report) -> None:
    """The bad programs; no example has a part in it."""
    for program in sorted(BAD.glob("*.py")):
        with report.checking(f"{program.name}: is refused as it says"):
            report.all(_told(program))


def _told(program: Path) -> list[str]:
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
        found += [f"`{d['code']}` has no hint" for d in diagnostics if not d["hints"] and not d.get("alternatives")]
        return found


if __name__ == "__main__":
    sys.exit(main(__doc__, lambda package, report: None, check))
