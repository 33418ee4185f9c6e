"""What the backend refuses: the programs of refused/, and stages that somebody wrote. Their form is in support/edited.py.

    refused_test.py --host build/dev/bin/htp-host [NAME …]
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import edited  # noqa: E402

if __name__ == "__main__":
    sys.exit(edited.main(__doc__, HERE.parents[1] / "manifests/opencl.yaml", HERE / "refused"))
