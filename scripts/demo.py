"""The end of scripts/demo: runs the compiled GEMM on a matrix file and compares it with NumPy."""

import subprocess
import sys
from pathlib import Path

import numpy as np


def main(host: str, package: str) -> int:
    generator = np.random.default_rng(0)
    a = generator.standard_normal((300, 417), dtype=np.float32)
    b = generator.standard_normal((417, 205), dtype=np.float32)
    matrices, product = Path(package).parent / "matrices.npz", Path(package).parent / "product.npz"
    np.savez(matrices, a=a, b=b)
    command = [host, "run", package, "--inputs", str(matrices), "--outputs", str(product)]
    print("$", *command)
    subprocess.run(command, check=True)
    with np.load(product) as outputs:
        c = outputs["c"]
    exact = a.astype(np.float64) @ b.astype(np.float64)
    error = float(np.max(np.abs(c - exact)))
    bound = 417 * float(np.finfo(np.float32).eps) * float(np.max(np.abs(a).astype(np.float64) @ np.abs(b)))
    print(f"(300 x 417) @ (417 x 205): the largest difference from NumPy's product is {error:.3g}, rounding allows {bound:.3g}")
    if not error <= bound:
        print("error: the result is wrong", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
