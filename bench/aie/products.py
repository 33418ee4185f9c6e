"""What products of matrices are predicted to take on NPUs, beside what is published: first modules in the dataflow of the published ones, by
the test that holds them, then products that the compiler spreads.

    bench/aie/products.py build/release        # the folder of a build
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = (  # device, example, sizes
    ("npu2", "gemm_panels", "M=3840 J=40 K=3840"),
    ("npu2", "gemm_panels", "M=3840 J=40 K=14976"),
    ("npu2", "gemm_panels", "M=7680 J=80 K=7488"),
    ("npu2", "gemm_panels", "M=7680 J=80 K=14976"),
    ("npu2", "gemm_requant", "M=3840 N=3840 K=3840"),
    ("npu2", "gemm_requant", "M=7680 N=7680 K=7488"),
    ("npu2", "int8_gemm", "M=3840 N=3840 K=3840"),
    ("npu2", "gemm_bf16", "M=3840 N=3840 K=3840"),
    ("npu2", "gemm_i16", "M=3840 N=3840 K=3840"),
    ("npu1", "gemm_requant", "M=3840 N=3840 K=3840"),
    ("npu1", "gemm_bf16", "M=3840 N=3840 K=3840"),
    ("npu1", "gemm_i16", "M=3840 N=3840 K=3840"),
)
VALIDATED = 51  # 10^12 operations a second that `xrt-smi validate` reaches on npu2 with i8 (amd/IRON, issue 55)


def main() -> int:
    build = Path(sys.argv[1])
    table = subprocess.run([build / "bin/test_binding_aiesim_model", "--gtest_filter=Model.PublishedProducts"], capture_output=True, text=True)
    print(*(line for line in table.stdout.splitlines() if " %  " in line or "published" in line), sep="\n")
    print(f"\n{'':48} 10^12/s    of peak    of {VALIDATED}  bound")
    with tempfile.TemporaryDirectory() as folder:
        for device, name, sizes in ROWS:
            profile = Path(folder) / "profile.yaml"
            profile.write_text(f"htp_profile: 1\ntarget: aie\noptions:\n  aie.spread:\n    device: {device}\n")
            sets = [word for size in sizes.split() for word in ("--set", size)]
            done = subprocess.run([build / "bin/htp-host", "--plugins", profile, "simulate", ROOT / f"examples/{name}/{name}.py", *sets], capture_output=True, text=True)
            told = re.search(r"bound: ([^,;]*).*?(?:which goes by ([^\n]*))?\n([\d.]+) T operations a second, ([\d.]+) %", done.stdout)
            if not told:
                sys.exit(done.stderr)
            bound = told[1] + (f", by {told[2]}" if told[2] else "")
            part = f"{100 * float(told[3]) / VALIDATED:.0f} %" if name in ("gemm_panels", "gemm_requant", "int8_gemm") and device == "npu2" else ""
            print(f"{device} {name:14} {sizes:28} {float(told[3]):7.1f} {float(told[4]):8.1f} % {part:>8}  {bound}", flush=True)
    return table.returncode


if __name__ == "__main__":
    sys.exit(main())
