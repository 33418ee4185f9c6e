"""`python3 -m htp COMMAND …` is `htp-host COMMAND …`, of the installation or build that this package belongs to."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from htp.errors import HtpError
from htp.native import _library_path


def host() -> str:
    """The program `htp-host`: $HTP_HOST, else beside libhtp.so, else the one on PATH."""
    told = os.environ.get("HTP_HOST")
    if told:
        return told
    library = _library_path()
    for folder in library.parents[:4]:
        for place in ("bin/htp-host", "htp-host"):
            if (folder / place).is_file():
                return str(folder / place)
    found = shutil.which("htp-host")
    if found is None:
        raise HtpError(f"htp-host is not found beside {library}, nor on PATH: set HTP_HOST to its path")
    return found


def main() -> int:
    try:
        program = host()
    except HtpError as error:
        print(f"htp: {error}", file=sys.stderr)
        return 3
    sys.stdout.flush()
    try:
        os.execv(program, ["htp-host", *sys.argv[1:]])
    except OSError as error:
        print(f"htp: {Path(program)} cannot be started: {error.strerror}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    raise SystemExit(main())
