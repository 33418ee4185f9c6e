"""A law for packages of AI Engines, on the simulated array.

    law.py law5.py --host build/plain/bin/htp-host
"""

from __future__ import annotations

import sys

import sized
from tools import missing

if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed")
        sys.exit(77)
    sys.exit(sized.main())
