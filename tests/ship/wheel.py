"""A wheel, as somebody installs it: into a new environment, from nothing but the file; it compiles, runs, and goes whole.

    wheel.py --build build/plain
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import htp
import numpy as np
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@htp.jit(target="cpu")
@kernel
def double(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        y[i] = x[i] * 2.0


if __name__ == "__main__":
    import htp_csp, htp_wsp

    print(double(np.arange(3, dtype=np.float32)), htp.__file__)
"""


class Wheel(unittest.TestCase):
    build: Path

    def test_it_installs_runs_and_goes(self) -> None:
        if shutil.which("patchelf") is None:
            self.skipTest("patchelf is not installed")
        made = subprocess.run([ROOT / "scripts/wheel", self.build], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        wheel = Path(made.stdout.strip())
        first = wheel.read_bytes()
        subprocess.run([ROOT / "scripts/wheel", self.build], capture_output=True, check=True)
        self.assertEqual(first, wheel.read_bytes(), "the same build makes the same wheel")
        with tempfile.TemporaryDirectory(prefix="a wheel ") as folder:
            home = Path(folder)
            environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "HTP_CACHE": str(home / "cache")}

            def run(*command: object) -> str:
                done = subprocess.run([str(word) for word in command], cwd=home, env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, (command, done.stdout, done.stderr))
                return done.stdout

            run("/usr/bin/python3", "-m", "venv", "--system-site-packages", "venv")
            python = home / "venv/bin/python"
            run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
            (home / "double.py").write_text(PROGRAM)
            said = run(python, "double.py")
            self.assertTrue(said.startswith("[0. 2. 4.] ") and str(home) in said, said)
            (home / "plain.py").write_text(PROGRAM.replace("import numpy as np\n", "").partition("\n\nif __name__")[0] + "\n")
            run(python, "-m", "htp", "--plugins", "cpu", "compile", "plain.py", "-o", "double.htp")
            self.assertIn("y: agrees with plain Python", run(home / "venv/bin/htp-host", "run", "double.htp", "--dim", "N=5", "--check"))
            loads = run("ldd", home / "venv/lib/htp/libhtp.so") + run("ldd", home / "venv/bin/htp-host")
            self.assertNotIn("not found", loads)
            for library in ("libyaml-cpp", "libfmt", "libcrypto", "libisl"):
                self.assertIn(f"/venv/lib/htp/bundled/{library}", loads.replace("/bin/../lib", "/lib"))
            run(python, "-m", "pip", "uninstall", "-y", "htp")
            self.assertEqual([path for path in (home / "venv").rglob("*") if path.is_file() and "htp" in str(path.relative_to(home))], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    arguments, rest = parser.parse_known_args()
    Wheel.build = arguments.build.resolve()
    os.environ.pop("PYTHONPATH", None)
    unittest.main(argv=[sys.argv[0], *rest])
