"""The end of scripts/demo: compiles some of the examples, runs the GEMM on a matrix file and compares it with NumPy.

    demo.py HTP_HOST FOLDER        from the root of the repository; the packages go into FOLDER
"""

import subprocess
import sys
from pathlib import Path

import numpy as np

PROGRAMS = ("vector_add", "gelu", "softmax", "layernorm", "gemm", "flash_attention", "rope", "conv2d", "attention_wsp", "attention_pipeline", "systolic")


def main(host: str, folder: str) -> int:
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for name in PROGRAMS:
        program = f"examples/{name}/{name}.py"
        subprocess.run([host, "--plugins", "manifests/cpu.yaml", "compile", program, "-o", str(out / name), "--quiet"], check=True)
        print(f"compiled {program:<52} {out / name}", flush=True)
    return gemm(host, out)


def gemm(host: str, out: Path) -> int:
    generator = np.random.default_rng(0)
    a = generator.standard_normal((300, 417), dtype=np.float32)
    b = generator.standard_normal((417, 205), dtype=np.float32)
    matrices, product = out / "matrices.npz", out / "product.npz"
    np.savez(matrices, a=a, b=b)
    command = [host, "run", str(out / "gemm"), "--inputs", str(matrices), "--outputs", str(product)]
    print("$", *command, flush=True)
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
    try:
        sys.exit(main(*sys.argv[1:]))
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
