"""The recipe of a package for A2 and A3, build/build.sh, with tools that only write down how they were called."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = """#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word" >> "$CALLS"; done
echo . >> "$CALLS"
while [ "$1" != -o ]; do shift; done
echo made > "$2"
"""
OLD, NEW = "pto-runtime/2026-03", "simpler/2026-08"
RING, GRAPH = "tensormap_and_ringbuffer", "host_build_graph"


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.shared = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        subprocess.run([os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/a2a3sim.yaml", "compile", ROOT / "examples/gemm_gelu/gemm_gelu.py", "-o", cls.shared / "a package"], check=True, capture_output=True)  # fmt: skip

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="with a space "))
        self.addCleanup(shutil.rmtree, self.folder)
        for program in ("cann/bin/ccec", "cann/bin/ld.lld", "cann/tools/hcc/bin/aarch64-target-linux-gnu-g++", "host/g++"):
            (self.folder / program).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / program).write_text(TOOL)
            (self.folder / program).chmod(0o755)
        for source in (f"new/src/a2a3/runtime/{RING}/orchestration/a.cpp", f"new/src/a2a3/runtime/{GRAPH}/host_orchestration_support/b.cpp", f"old/src/runtime/{RING}/orchestration/c.cpp", f"old/src/runtime/{GRAPH}/runtime/d.h", "isa/include/pto/e.hpp"):  # fmt: skip
            (self.folder / source).parent.mkdir(parents=True)
            (self.folder / source).touch()
        self.environment = {
            "ASCEND_HOME_PATH": str(self.folder / "cann"),
            "HTP_PTO_ISA": str(self.folder / "isa"),
            "CXX": str(self.folder / "host/g++"),
            "CALLS": str(self.folder / "calls"),
            "PATH": os.environ["PATH"],
        }

    def build(self, *arguments: str, runtime: str = "new") -> subprocess.CompletedProcess[str]:
        environment = {"HTP_PTO_RUNTIME": str(self.folder / runtime)} | self.environment
        return subprocess.run(["/bin/sh", self.shared / "a package/build/build.sh", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)

    def calls(self) -> list[list[str]]:
        return [call.splitlines() for call in (self.folder / "calls").read_text().split("\n.\n")[:-1]]

    def test_each_contract_and_runtime(self) -> None:
        for contract, runtime, define in ((NEW, RING, ["-DHTP_CONTRACT=202608"]), (NEW, GRAPH, ["-DHTP_CONTRACT=202608"]), (OLD, RING, ["-DHTP_CONTRACT=202603", "-DHTP_RUNTIME_TRB"]), (OLD, GRAPH, ["-DHTP_CONTRACT=202603"])):  # fmt: skip
            with self.subTest(contract=contract, runtime=runtime):
                (self.folder / "calls").unlink(missing_ok=True)
                done = self.build(contract, runtime, "what is made", runtime="new" if contract == NEW else "old")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                made = ["aic/gemm_gelu_1.o", "aiv/gemm_gelu_2.o", "orchestration.so"]
                self.assertEqual(done.stdout.splitlines(), [f"what is made/{name}" for name in made])
                self.assertTrue(all((self.folder / "what is made" / name).is_file() for name in made))
                kernels = [call for call in self.calls() if "cce" in call]
                self.assertEqual([next(word for word in call if "arch" in word) for call in kernels], ["--cce-aicore-arch=dav-c220-cube", "--cce-aicore-arch=dav-c220-vec"])  # fmt: skip
                for call in kernels:
                    self.assertTrue(set(define) < set(call))
                    self.assertIn(f"-I{self.folder}/isa/include", call)
                linked = [call for call in self.calls() if call[:2] == ["-e", "kernel_entry"]]
                self.assertEqual(len(linked), 2 if contract == NEW else 0)
                graph = next(call for call in self.calls() if "what is made/orchestration.so" in call)
                file = "simpler-2026-08/orchestration" if contract == NEW else f"pto-runtime-2026-03/{runtime}"
                self.assertIn(str(self.shared.resolve() / f"a package/codegen/a2a3/orchestration/{file}.cpp"), graph)
                theirs = [Path(word).name for word in graph if word.startswith(str(self.folder)) and word.endswith(".cpp")]
                self.assertEqual(theirs, {(NEW, RING): ["cache_ops.cpp", "device_time.cpp", "a.cpp"], (NEW, GRAPH): ["cache_ops.cpp", "device_time.cpp", "host_log.cpp", "unified_log_host.cpp", "b.cpp"], (OLD, RING): ["c.cpp"], (OLD, GRAPH): []}[contract, runtime])  # fmt: skip

    def test_what_is_missing_is_told(self) -> None:
        def refused(said: str, *arguments: str, runtime: str = "new") -> None:
            done = self.build(*arguments, runtime=runtime)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"build.sh: {said}\n"))

        refused(f"no contract is called simpler: {NEW}, {OLD}", "simpler")
        refused(f"no runtime is called ring: {RING}, {GRAPH}", NEW, "ring")
        refused(f"{self.folder}/old is no checkout of {NEW}: src/a2a3/runtime/{RING} is not there", runtime="old")
        (self.folder / "cann/tools/hcc/bin/aarch64-target-linux-gnu-g++").unlink()
        refused(f"{self.folder}/cann/tools/hcc/bin/aarch64-target-linux-gnu-g++, which compiles what the machine's own cores run, is not there")
        self.environment["HTP_PTO_ISA"] = str(self.folder)
        refused(f"{self.folder} is no checkout of PTO-ISA: include/pto is not there")
        self.environment["ASCEND_HOME_PATH"] = str(self.folder)
        refused(f"{self.folder}/bin/ccec, which compiles kernels, is not there")
        del self.environment["ASCEND_HOME_PATH"]
        refused("ASCEND_HOME_PATH must name CANN's folder")
        self.assertFalse((self.folder / "a2a3").exists())

    def test_a_kernel_that_does_not_compile_ends_it(self) -> None:
        (self.folder / "cann/bin/ccec").write_text("#!/bin/sh\necho no >&2\nexit 4\n")
        done = self.build()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (4, "", "no\n"))

    def by_host(self, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """htp-host with the profile for the machine itself."""
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "NO_COLOR": "1"} | self.environment | variables
        for name in [name for name, value in environment.items() if not value]:
            del environment[name]
        return subprocess.run([os.environ["HTP_HOST"], "--plugins", ROOT / "manifests/a2a3.yaml", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)

    def test_build_for_the_machine_itself(self) -> None:
        package = self.shared / "a package"
        isa = self.folder / "isa/include/pto/pto-inst.hpp"
        isa.touch()
        (self.folder / f"new/src/a2a3/runtime/{RING}/build_config.py").touch()
        for _ in range(2):  # the second time nothing is built
            done = self.by_host("build", package, "--into", "what is made", HTP_PTO_RUNTIME=str(self.folder / "new"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            made = sorted(str(path.relative_to(self.folder / "what is made")) for path in (self.folder / "what is made").rglob("*") if path.is_file())
            self.assertEqual(made, ["aic/gemm_gelu_1.o", "aiv/gemm_gelu_2.o", "orchestration.so"])
            self.assertEqual(len(self.calls()), 5)
        done = self.by_host("run", package, HTP_PTO_RUNTIME=str(self.folder / "new"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[a2a3sim.no-device]: HTP starts nothing on the processors themselves\n", done.stderr)

    def test_build_for_the_machine_itself_tells_what_is_missing(self) -> None:
        package = self.shared / "a package"
        done = self.by_host("build", package, ASCEND_HOME_PATH="")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[a2a3sim.no-device-tools]: nothing can be built for the processors\n", done.stderr)
        self.assertIn("note: ASCEND_HOME_PATH must name CANN's folder\n", done.stderr)
        done = self.by_host("build", package, HTP_PTO_RUNTIME=str(self.folder / "old"))
        self.assertIn("error[a2a3sim.no-checkout]: ", done.stderr)
        (self.folder / "isa/include/pto/pto-inst.hpp").touch()
        (self.folder / f"new/src/a2a3/runtime/{RING}/build_config.py").touch()
        (self.folder / "cann/bin/ccec").write_text("#!/bin/sh\necho no >&2\nexit 4\n")
        done = self.by_host("build", package, "--into", "nothing", HTP_PTO_RUNTIME=str(self.folder / "new"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[a2a3sim.device-tool-failed]: a tool for the processors ended with status 4\n", done.stderr)
        self.assertFalse((self.folder / "nothing").exists())


if __name__ == "__main__":
    unittest.main()
