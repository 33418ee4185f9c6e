"""Law 5 for packages of AI Engines, on the simulated array."""

from __future__ import annotations

import sys

import sized
from tools import missing

if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed")
        sys.exit(77)
    sys.argv.insert(1, "law5.py")
    sys.exit(sized.main())
