"""What type checkers see: everything is mypy --strict clean, and mistakes about dtypes are errors in the editor too."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = [ROOT / "sdk/python", *(ROOT / "plugins").glob("*/python")]


def mypy(*arguments: object) -> str:
    """What mypy --strict says; empty when it has nothing to say."""
    environment = {**os.environ, "MYPYPATH": ":".join(map(str, [*MODULES, ROOT / "tests/laws", ROOT / "tests/support"]))}
    command = ["/usr/bin/mypy", "--strict", "--no-error-summary", "--cache-dir", tempfile.gettempdir() + "/htp-mypy", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT).stdout


@unittest.skipUnless(Path("/usr/bin/mypy").exists(), "mypy is not installed")
class Strict(unittest.TestCase):
    def test_the_packages(self) -> None:
        packages = [folder for modules in MODULES for folder in sorted(modules.glob("*/__init__.py"))]
        self.assertGreaterEqual(len(packages), 4)
        self.assertEqual(mypy(*(word for package in packages for word in ("-p", package.parent.name))), "")

    def test_without_ignores(self) -> None:
        for module in [path for folder in [*MODULES, ROOT / "examples"] for path in folder.rglob("*.py")]:
            self.assertNotIn("type: ignore", module.read_text(), module)

    def test_the_examples(self) -> None:
        self.assertEqual(mypy(*sorted(ROOT.glob("examples/*/*.py"))), "")

    def test_the_templates(self) -> None:
        for template in sorted(ROOT.glob("sdk/templates/python/*/python/*.py")):
            self.assertEqual(mypy(template), "")

    def test_the_laws(self) -> None:
        self.assertEqual(mypy(*sorted((ROOT / "tests/laws").glob("*.py"))), "")

    def test_networks(self) -> None:
        self.assertEqual(mypy(*sorted((ROOT / "tests/dialect-csp").glob("*.py"))), "")

    def test_stages(self) -> None:
        for stage in sorted((ROOT / "tests/python/packages").glob("*/ir/stages/*/program.py")):
            self.assertEqual(mypy(stage), "")

    def test_mistakes(self) -> None:
        program = """
import htp, htp_tile as tile
from htp import In, Out, f16, f32, i32
from htp_tile import Tensor, Tile, tiles
N = htp.dim("N")
def mistakes(x: In[Tensor[f32, N]], h: In[Tensor[f16, N]], n: In[Tensor[i32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        x[i] + h[i]
        tile.add(x[i], h[i])
        n[i] + 0.5
        y[i] = n[i]
        wrong: Tile[f16, i] = tile.exp(x[i])
        tile.exp(n[i])
        tile.reduce_sum(x[i], 0)
        y["a"] = x[i]
        fine: Tile[f32, i] = tile.exp(1.0 - x[i] * 2)
        y[i] = tile.where(fine < 0, 0, fine)
"""
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(program)
            file.flush()
            said = mypy(file.name)
        lines = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
        self.assertEqual(lines, {8, 9, 10, 11, 12, 13, 14, 15}, said)


if __name__ == "__main__":
    unittest.main()
