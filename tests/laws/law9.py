"""Law 9: a compile killed at any instant leaves the old package or the new one, never a mixture.

Kills htp-host after longer and longer times while it replaces one package by another, and checks that what lies there is one of the two,
whole; and that the next compile clears what the killed ones left.

    law9.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from driver import ROOT, Report, call, main, settings
from law4 import differences

KILLS = 40


def check(_: Path, report: Report) -> None:
    """One program replaces another; no other example has a part in it: what is published is the host's business, not the program's."""
    with tempfile.TemporaryDirectory() as folder:
        other = ROOT / "examples/softmax/softmax.py"
        one, two, out = (Path(folder) / name for name in ("one", "two", "out"))
        program = ROOT / "examples/vector_add/vector_add.py"
        environment = {**os.environ, "HTP_CACHE": "off"}
        for source, target in ((program, one), (other, two), (program, out)):
            assert call([*settings(), "compile", source, "-o", target], env=environment).returncode == 0
        begin = time.monotonic()
        assert call([*settings(), "compile", other, "-o", out], env=environment).returncode == 0
        whole = time.monotonic() - begin
        replaced = 0
        for kill in range(KILLS):
            source, old, new = ((program, two, one), (other, one, two))[kill % 2]
            with report.checking(f"killed after {kill}/{KILLS} of a compile"):
                call([*settings(), "compile", {one: program, two: other}[old], "-o", out], env=environment)
                process = subprocess.Popen([*map(str, settings()), "compile", str(source), "-o", str(out)], env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                time.sleep(whole * (0.5 + 0.6 * kill / KILLS))
                process.send_signal(signal.SIGKILL)
                process.wait()
                found = differences(new, out)
                replaced += not found
                report.all(differences(old, out) and found)
        with report.checking("the next compile clears what killed ones left"):
            call([*settings(), "compile", program, "-o", out], env=environment)
            report.all(str(path) for path in Path(folder).iterdir() if path not in (one, two, out))


if __name__ == "__main__":
    sys.exit(main(__doc__, None, check))
