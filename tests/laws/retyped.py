"""Runs a law over programs in other dtypes than they are written in: what is computed in f32 is in f16 and in bf16.

    retyped.py law5.py --host build/dev/bin/htp-host [NAME …]     those below without names, in one of the two by turns; with HTP_LONG=1 in both

HTP_SLICE=2/4 takes a slice of the programs, as everywhere: the law does.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DTYPES = ("f16", "bf16")
NAMES = (
    *("vector_add", "gelu", "swiglu", "softmax", "layernorm", "rmsnorm", "rope", "transpose", "topk", "prefix_sum", "moe", "conv2d"),
    *("gemm", "gemm_gelu", "batched_gemm", "flash_attention", "causal_attention", "paged_attention", "rmsnorm_matmul_wsp"),
)


def retyped(name: str, dtype: str, folder: Path) -> Path:
    """A copy of an example in a dtype."""
    text, times = re.subn(r"\bf32\b", dtype, (ROOT / f"examples/{name}/{name}.py").read_text())
    assert times, name
    path = folder / f"{name}_{dtype}.py"
    path.write_text(text)
    return path


def main() -> int:
    law, *options = sys.argv[1:]
    names = [option for option in options if option in NAMES] or NAMES
    options = [option for option in options if option not in NAMES]
    with tempfile.TemporaryDirectory() as folder:
        chosen = [(name, dtype) for k, name in enumerate(names) for n, dtype in enumerate(DTYPES) if k % 2 == n or "HTP_LONG" in os.environ]
        programs = [retyped(name, dtype, Path(folder)) for name, dtype in chosen]
        return subprocess.run([sys.executable, ROOT / "tests/laws" / law, *options, *programs]).returncode


if __name__ == "__main__":
    sys.exit(main())
