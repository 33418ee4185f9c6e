"""Goes through a page of docs/extending as its reader does, in an empty folder: writes its files, runs its commands, compares what they say.

    tutorial_test.py --host build/dev/bin/htp-host PAGE.md

A fenced block with a path after its language is that file. In a `console` block a line `$ …` is a command, and what follows is what it says,
its standard output first.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("page", type=Path)
    given = parser.parse_args()
    failed = ran = 0
    with tempfile.TemporaryDirectory(prefix="a tutorial ") as name:
        folder = Path(name)
        environment = {**os.environ, "PATH": f"{given.host.resolve().parent}:{os.environ['PATH']}", "HTP_CACHE": str(folder / ".cache")}
        for language, path, text in re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", given.page.read_text(), re.MULTILINE | re.DOTALL):
            if path:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] if language == "console" else []:
                command, _, expected = step.partition("\n")
                done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=folder, env=environment, timeout=120)
                said, ran = done.stdout + done.stderr, ran + 1
                if said != expected:
                    failed += 1
                    print(f"FAILED {command}\n--- the page\n{expected}--- said\n{said}")
    print(f"{ran - failed} of {ran} commands say what the page says")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
