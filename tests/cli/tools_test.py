"""`htp-host verify`, `bisect` and `minimize`: what they find, of packages that are right and of such as a faulty pass makes.

    tools_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sdk/python"), str(ROOT / "plugins/dialect-tile/python"), str(ROOT / "tests/support")]

import numpy as np  # noqa: E402
from signed import sign  # noqa: E402

PROGRAM = '''"""Rows made smaller than one."""
import htp
from htp import In, Out, f32
from htp_tile import Tensor, absolute, exp, kernel, reduce_max, reduce_sum, sqrt, tiles

M = htp.dim("M")
N = htp.dim("N")
ROWS = 8


@kernel
def scaled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, ROWS):
        row = x[i, :]
        most = reduce_max(absolute(row), axis=1)
        near = row - most
        sums = reduce_sum(exp(near), axis=1)
        y[i, :] = near / sums
        z[i, :] = sqrt(sums)
'''
INDEXED = """import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def scaled(x: In[Tensor[f32, M, N]], at: In[Tensor[i32, M]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[at[i], :]
"""
PASS = '''import ast


def change(tree, c):
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="sub"), args=[a, b]):
                {what}
'''
MANIFEST = """htp_manifest: 1
plugin:
  id: acme.faulty
  version: "1.0.0"
  doc: a pass that has a fault
python:
  module: faulty
  path: .
units:
  - kind: pass
    name: faulty.change
    doc: changes what is computed
    code: faulty:change
    requires:
      - Tile.Typed
  - kind: pipeline
    name: faulty.default
    passes:
      - faulty.change
      - cpu.select
"""
PROFILE = "htp_profile: 1\ntarget: cpu\npipeline: faulty.default\nsearch:\n  - plugins\n"
HOST = Path()


class Tools(unittest.TestCase):
    maxDiff = None

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory(prefix="a b")
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        (self.folder / "scaled.py").write_text(PROGRAM)

    def host(self, *words: object, code: int = 0) -> str:
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "CI": "1"}
        done = subprocess.run([HOST, *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def answer(self, *words: object, code: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.host("--json", *words, code=code))
        return found

    def compiled(self, *options: str) -> Path:
        self.host("--plugins", "cpu", "compile", "scaled.py", "-q", *options)
        return self.folder / "scaled.htp"

    def faulty(self, what: str) -> None:
        """A profile whose pipeline has a pass with a fault."""
        plugin = self.folder / "plugins/faulty"
        plugin.mkdir(parents=True)
        (plugin / "faulty.py").write_text(PASS.format(what=what))
        (plugin / "htp-plugin.yaml").write_text(MANIFEST)
        (self.folder / "profile.yaml").write_text(PROFILE)

    # ── verify ──

    def test_a_package_is_verified(self) -> None:
        self.compiled()
        text = self.host("verify", "scaled.htp", "--seconds", 2)
        self.assertRegex(text, r"^scaled\.htp: \d+ files as its manifest lists them; compiled again from its program, every file is the same, and every stage keeps what it claims\n")
        self.assertRegex(text, r"\nheld against the source by \d+ calls at M=1…\d+, N=1…\d+, \d+ of them with zeros, infinities, NaN, denormals, extremes or many equals:\n")
        self.assertRegex(text, r"\n  cpu\.loops +agrees in \d+ calls?\n")
        self.assertRegex(text, r"\n  on the target +agrees in \d+ calls?\n")
        self.assertTrue(text.endswith("\nverified\n"), text)
        answer = self.answer("verify", "scaled.htp", "--dim", "M=3", "--dim", "N=5")
        self.assertEqual([answer["verified"], answer["compiled_again"], answer["on_target"]], [True, "same", {"verdict": "agrees", "calls": 1}])
        self.assertEqual({one["verdict"] for one in answer["passes"]}, {"agrees", "changes nothing"})

    def test_a_package_with_two_stages_is_verified(self) -> None:
        self.compiled("--stages", "last")
        answer = self.answer("verify", "scaled.htp", "--seconds", 1)
        self.assertEqual([answer["verified"], sum(one["verdict"] == "agrees" for one in answer["passes"])], [True, 4])
        self.host("bisect", "scaled.htp", "--seconds", 1, code=1)

    def test_from_the_first_stage_when_the_program_is_another(self) -> None:
        self.compiled()
        (self.folder / "scaled.py").write_text("# other\n" + PROGRAM)
        answer = self.answer("verify", "scaled.htp", "--seconds", 1)
        self.assertEqual([answer["verified"], answer["compiled_from"], [one["code"] for one in answer["diagnostics"]]], [True, "stage", ["verify.no-program"]])

    def test_what_was_changed_and_listed_anew_is_found(self) -> None:
        for path, old, new in (
            ("codegen/cpu/kernel.c", "i_at += 8", "i_at += 9"),
            ("ir/stages/03-cpu.select/program.py", "cpu.sub(row", "cpu.add(row"),
            ("ir/stages/00-source/program.py", "row - most", "most - row"),
            ("ir/pass_trace.jsonl", "cpu.loops", "cpu.loop"),
        ):
            package = self.compiled()
            text = (package / path).read_text()
            self.assertIn(old, text, path)
            (package / path).write_text(text.replace(old, new, 1))
            sign(package)
            text = self.host("verify", package, "--seconds", 1, code=1)
            self.assertIn(f"error[verify.not-what-it-compiles-to]: `{path}` is not what the package's source compiles to: line ", text)
            self.assertIn("files as its manifest lists them; none of it was run\nnot verified\n", text)
            shutil.rmtree(package)

    def test_a_manifest_that_says_otherwise_is_found(self) -> None:
        package = self.compiled()
        manifest = (package / "manifest.json").read_text()
        (package / "manifest.json").write_text(manifest.replace("comes with its plugin", "came with its plugin", 1))
        self.assertIn("`manifest.json` is not what the package's source compiles to: line ", self.host("verify", package, code=1))

    def test_a_package_whose_profile_is_gone_is_not_verified(self) -> None:
        package = self.compiled()
        (package / "logs/sources.json").unlink()
        text = self.host("verify", package, code=1)
        self.assertIn("error[verify.not-compiled]: `", text)
        self.assertIn("cannot be compiled again: its log does not say by which profile it was compiled\n", text)
        self.assertEqual(self.answer("verify", package, "--seconds", 1, "--plugins", "cpu")["compiled_again"], "same")

    def test_programs_that_index_get_such_integers(self) -> None:
        (self.folder / "scaled.py").write_text(INDEXED)
        self.compiled()
        self.assertTrue(self.answer("verify", "scaled.htp", "--seconds", 1)["verified"])

    def test_inputs_that_the_source_does_not_run_show_nothing(self) -> None:
        (self.folder / "scaled.py").write_text(INDEXED)
        self.compiled()
        np.savez(self.folder / "in.npz", x=np.ones((2, 3), np.float32), at=np.full(2, 7, np.int32))
        text = self.host("verify", "scaled.htp", "--inputs", "in.npz", code=1)
        self.assertIn("error[verify.not-shown]: `tile.canonicalize` is not shown to compute what the source does: the source runs none of the calls: M=2, N=3: ", text)
        self.assertIn("error[bisect.no-call]: the source runs none of the calls that were made: M=2, N=3: ", self.host("bisect", "scaled.htp", "--inputs", "in.npz", code=1))

    # ── replay ──

    def test_a_stage_is_replayed(self) -> None:
        self.compiled()
        text = self.host("replay", "scaled.htp", "--dim", "M=9", "--dim", "N=5", "--stage", "3")
        self.assertRegex(text, r"\n +03:\d+ +2× +near: Tile\[f32, i, N\] = cpu\.sub\(row, most\) +f32 8x5, -\d\.\d+…\d")
        self.assertRegex(text, r"\nz: f32 9x1, min ")
        answer = self.answer("replay", "scaled.htp", "--dim", "M=9", "--dim", "N=5", "--trace", "v.json")
        self.assertEqual(answer["stage"], "04-cpu.loops")
        self.assertEqual(json.loads((self.folder / "v.json").read_text())["values"], answer["values"])
        row = next(one for one in answer["values"] if one["times"] == 45)
        self.assertEqual([len(row["first"]), "last" in row], [4, True])
        text = self.host("replay", "scaled.htp", "--node", row["node"], "--dim", "M=9", "--dim", "N=5")
        self.assertTrue(text.startswith(f"{row['node']}, line {row['line']}: {row['text']}\n  45 times\n  f32 scalar "), text)
        self.assertIn("error[replay.unknown-node]: no statement `99` of the stage `04-cpu.loops` made a value\n", self.host("replay", "scaled.htp", "--node", "99", code=1))
        self.assertIn("error[cli.unknown-stage]", self.host("replay", "scaled.htp", "--stage", "99", code=1))

    def test_a_recorded_run_is_replayed(self) -> None:
        self.compiled()
        self.host("run", "scaled.htp", "--dim", "M=3", "--dim", "N=4", "--record", "r.npz")
        for stage in ("source", "04"):
            answer = self.answer("replay", "scaled.htp", "--inputs", "r.npz", "--stage", stage)
            self.assertEqual([answer["recorded"], answer["same_package"], answer["sizes"]], ["agrees", True, {"M": 3, "N": 4}])
        self.assertTrue(self.answer("verify", "scaled.htp", "--inputs", "r.npz")["verified"])
        arrays = dict(np.load(self.folder / "r.npz"))
        arrays["y@out"] += 1
        np.savez(self.folder / "other.npz", **arrays)
        self.assertIn("the recorded outputs differ: at scaled: y[0, 0]: ", self.host("replay", "scaled.htp", "--inputs", "other.npz", code=1))
        np.savez(self.folder / "other.npz", **{name: array for name, array in arrays.items() if not name.endswith("@out")})
        self.assertIn("the recorded run left no outputs: it did not end\n", self.host("replay", "scaled.htp", "--inputs", "other.npz"))

    def test_a_folder_has_a_call_a_file(self) -> None:
        self.compiled()
        (self.folder / "in").mkdir()
        self.assertIn("error[run.no-calls]: `in` is a folder, and it has no `.npz` file\n", self.host("run", "scaled.htp", "--inputs", "in", code=1))
        rng = np.random.default_rng(3)
        given = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in (("b", (5, 7)), ("a", (8, 64)), ("c", (1, 1)))}
        for name, x in given.items():
            np.savez(self.folder / f"in/{name}.npz", x=x)
        answer = self.answer("run", "scaled.htp", "--inputs", "in", "--outputs", "out", "--check")
        self.assertEqual([(one["inputs"], one["sizes"], one["agrees"]) for one in answer["calls"]], [(f"{name}.npz", {"M": given[name].shape[0], "N": given[name].shape[1]}, True) for name in "abc"])
        for name in given:
            self.host("run", "scaled.htp", "--inputs", f"in/{name}.npz", "--outputs", "one.npz")
            np.testing.assert_array_equal(np.load(self.folder / f"out/{name}.npz")["y"], np.load(self.folder / "one.npz")["y"])
        self.assertIn("error[run.one-call]: `--record` is of one call, and the folder `in` has 3\n", self.host("run", "scaled.htp", "--inputs", "in", "--record", "r.npz", code=1))
        # The first that fails is the last: what ended before it stays.
        shutil.rmtree(self.folder / "out")
        np.savez(self.folder / "in/b.npz", other=given["b"])
        self.assertIn("error[run.unknown-input]: `in/b.npz` has the array `other`", self.host("run", "scaled.htp", "--inputs", "in", "--outputs", "out", code=1))
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["a.npz"])
        (self.folder / "file").write_text("x")
        self.assertIn("error[io.unwritable]", self.host("run", "scaled.htp", "--inputs", "in", "--outputs", "file", code=1))

    def test_a_stage_that_fails_tells_what_was_made_before(self) -> None:
        (self.folder / "scaled.py").write_text(INDEXED.replace("y[i, :] = x[at[i], :]", "some = x[i, :] + 1.0\n        y[i, :] = x[at[i], :] + some"))
        self.compiled()
        np.savez(self.folder / "in.npz", x=np.ones((2, 3), np.float32), at=np.full(2, 7, np.int32))
        text = self.host("replay", "scaled.htp", "--inputs", "in.npz", "--stage", "source", code=1)
        self.assertRegex(text, r" some = x\[i, :\] \+ 1\.0 +f32 2x3, 2…2\n")
        self.assertRegex(text, r"error\[run\.stage-fails\]: the stage `00-source` does not run under plain Python: line \d+: HtpError: index 7 is outside dimension 0 of `x`, which has size 2\n")

    def test_pdb_steps_through_a_stage(self) -> None:
        package = self.compiled()
        for words, code, told in ((b"n\nn\np row.data.shape\nc\n", 0, "(Pdb) (8, 64)\n"), (b"q\n", 1, "error[replay.left]: pdb was left, in the stage `03-cpu.select`\n")):
            done = subprocess.run([HOST, "replay", package, "--stage", "3", "--pdb"], input=words, capture_output=True)
            said = done.stderr.decode()
            self.assertEqual(done.returncode, code, said)
            self.assertIn("-> for i in tile.tiles(M, 8):\n", said)
            self.assertIn(told, said)

    # ── workflow-state ──

    def test_packages_that_are_stale_are_told(self) -> None:
        (self.folder / "own.yaml").write_text("htp_profile: 1\ntarget: cpu\n")
        self.assertEqual(self.host("workflow-state"), "no packages in .\n")
        for name in ("fresh", "edited", "damaged"):
            self.host("--plugins", "own.yaml", "compile", "scaled.py", "-q", "-o", f"made/{name}.htp")
        self.assertEqual(self.host("workflow-state", "made"), "".join(f"made/{name}.htp: fresh\n" for name in ("damaged", "edited", "fresh")))
        stage = self.folder / "made/edited.htp/ir/stages/03-cpu.select/program.py"
        stage.write_text(stage.read_text() + "# mine\n")
        (self.folder / "made/damaged.htp/codegen/cpu/kernel.c").unlink()
        text = self.host("workflow-state", "made")
        self.assertIn("made/damaged.htp: damaged\n  codegen/cpu/kernel.c is gone\nmade/edited.htp: edited\n  ir/stages/03-cpu.select/program.py has changed\nmade/fresh.htp: fresh\n", text)
        (self.folder / "scaled.py").write_text(PROGRAM + "# more\n")
        (self.folder / "own.yaml").unlink()
        (self.folder / "made/not.htp").mkdir()
        (self.folder / "made/not.htp/manifest.json").write_text("{}")
        answer = self.answer("workflow-state", "made/fresh.htp")
        self.assertEqual([(one["state"], [(why["kind"], why["how"]) for why in one["reasons"]]) for one in answer["packages"]], [("stale", [("profile", "is gone"), ("source", "has changed")])])
        self.assertEqual([one["state"] for one in self.answer("workflow-state", "made")["packages"]], ["damaged", "edited", "stale"])
        self.assertIn("error[io.unreadable]", self.host("workflow-state", "nowhere", code=1))

    def test_a_folder_that_is_looked_at_runs_nothing(self) -> None:
        def git(*words: str) -> None:
            subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)

        name = "odd\n\033]0;x.htp"
        self.host("--plugins", "cpu", "compile", "scaled.py", "-q", "-o", name)
        git("init", "-q")
        git("add", "scaled.py")
        self.write("spy", f"#!/bin/sh\ntouch '{self.folder}/ran'\ncat\n").chmod(0o755)
        git("config", "core.fsmonitor", str(self.folder / "spy"))
        said = self.host("workflow-state")
        self.assertIn("odd␊␛]0;x.htp: fresh\n", said)
        self.assertIn(" changed, as `git status` lists\n", said)
        git("config", "--unset", "core.fsmonitor")
        self.write(".gitattributes", "* filter=spy\n")
        git("config", "filter.spy.clean", str(self.folder / "spy"))
        self.write("scaled.py", PROGRAM + "# more\n")
        self.assertIsNone(self.answer("workflow-state")["git"])
        self.assertFalse((self.folder / "ran").exists())

    # ── bisect ──

    def test_the_pass_and_its_change_are_found(self) -> None:
        self.faulty("node.args = [b, a]")
        self.host("--plugins", "profile.yaml", "compile", "scaled.py", "-q")
        text = self.host("--plugins", "profile.yaml", "bisect", "scaled.htp")
        self.assertIn("scaled.htp: `faulty.change` of acme.faulty 1.0.0 made `03-faulty.change`, the first stage that computes something else\n  at M=", text)
        self.assertIn("this change does it:\n  ir/stages/03-faulty.change/program.py:", text)
        self.assertRegex(text, r", node 03:\d+\n    - near: .* = tile\.sub\(row, most\)\n    \+ near: .* = tile\.sub\(most, row\)\n")
        self.assertIn("why it ran: named by the pipeline\n", text)
        text = self.host("--plugins", "profile.yaml", "verify", "scaled.htp", "--seconds", 2, code=3)
        self.assertIn("error[verify.differs]: another result after `faulty.change`: at M=", text.replace("internal error", "error"))
        self.compiled("-o", "good.htp")
        answer = self.answer("--plugins", "profile.yaml", "bisect", "good.htp", "scaled.htp")
        self.assertEqual([answer["pass"], answer["other_plugins"]], ["faulty.change", ["`acme.faulty` 1.0.0 took part in it alone"]])

    def edited(self, stage: str, old: str, new: str) -> Path:
        """The package with a stage, and what comes after it, as a pass with a fault makes it, listed anew."""
        package = self.compiled()
        path = package / f"ir/stages/{stage}/program.py"
        self.assertIn(old, path.read_text())
        path.write_text(path.read_text().replace(old, new))
        sign(package)
        return package

    def test_sizes_are_taken_around_what_stands_in_the_stages(self) -> None:
        (self.folder / "scaled.py").write_text(PROGRAM.replace("ROWS = 8", "ROWS = 300"))
        answer = self.answer("bisect", self.edited("04-cpu.loops", "i_at + p", "i_at % 300 + p"))
        self.assertEqual([answer["kind"], answer["pass"]], ["differs", "cpu.loops"])
        (self.folder / "scaled.py").write_text(INDEXED.replace("at: In[Tensor[i32, M]]", "at: int").replace("        y[i, :] = x[at[i], :]\n", "        if at > 1000:\n            y[i, :] = x[i, :] * 2.0\n        else:\n            y[i, :] = x[i, :]\n"))
        answer = self.answer("bisect", self.edited("03-cpu.select", "2.0", "3.0"))
        self.assertEqual([answer["kind"], answer["pass"]], ["differs", "cpu.select"])

    def test_a_target_that_crashes_is_told(self) -> None:
        package = self.compiled()
        code = package / "codegen/cpu/kernel.c"
        code.write_text(code.read_text().replace("htp_failure failed = {0};", "htp_failure failed = {0}; __builtin_trap();"))
        sign(package)
        self.assertIn("on the target `cpu` it differs\n  at M=1, N=1: it crashes: plugin `htp.backend-cpu` crashed, in `cpu.binding`: Illegal instruction\n", self.host("bisect", package))

    def test_a_target_that_cannot_be_had_shows_nothing(self) -> None:
        self.compiled()
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "other"), "PATH": "/nowhere"}
        done = subprocess.run([HOST, "verify", "scaled.htp", "--seconds", "1"], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("error[verify.not-shown]: the package on its target is not shown to compute what the source does: ", done.stderr)
        self.assertTrue(done.stdout.endswith("\nnot verified\n"), done.stdout)
        done = subprocess.run([HOST, "bisect", "scaled.htp", "--seconds", "1"], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertIn(": 5 stages, and not the target (", done.stderr)

    def test_another_program_is_none_to_hold_against(self) -> None:
        self.compiled("-o", "first.htp")
        (self.folder / "scaled.py").write_text(INDEXED)
        self.compiled()
        self.assertIn("error[bisect.other-program]: `", self.host("bisect", "first.htp", "scaled.htp", code=1))

    def test_two_packages_of_one_program_agree(self) -> None:
        self.compiled()
        self.compiled("-o", "other.htp")
        text = self.host("bisect", "scaled.htp", "other.htp", "--seconds", 2, code=1)
        self.assertIn("error[bisect.nothing-differs]: nothing is wrong with `", text)
        self.assertRegex(text, r"other\.htp`: 5 stages, and the target, in \d+ calls at .* agree with the source\n")
        self.assertIn("error[cli.unexpected-argument]", self.host("bisect", "a", "b", "c", code=2))

    def test_an_oracle_decides(self) -> None:
        self.compiled()
        self.assertEqual(self.answer("bisect", "scaled.htp", "--oracle", "! grep -q cpu.sub")["pass"], "cpu.select")
        self.assertEqual(self.answer("bisect", "scaled.htp", "--oracle", "false")["kind"], "source")
        for oracle, why in (("exit 125; :", "it cannot tell of any stage"), ("no-such-command", "it ends with 127"), ("kill -9 $$; :", "it ends with -9")):
            self.assertIn(f"error[bisect.bad-oracle]: `{oracle}` is no oracle: {why}\n", self.host("bisect", "scaled.htp", "--oracle", oracle, code=1))
        self.host("bisect", "scaled.htp", "--oracle", "true", code=1)

    def test_a_claim_that_does_not_hold_is_found(self) -> None:
        package = self.compiled()
        path = package / "ir/stages/03-cpu.select/program.py"
        path.write_text(path.read_text().replace("cpu.sub(row", "tile.sub(row", 1))
        sign(package)
        answer = self.answer("bisect", package)
        self.assertEqual([answer["kind"], answer["pass"]], ["claim", "cpu.select"])

    def test_what_a_later_pass_takes_away_breaks_no_claim(self) -> None:
        """On this target `buffer(…)` has no handler; a pass of its dialect takes it away."""
        kept = ROOT / "plugins/backend-aie/examples/kept.py"
        if not (HOST.parent.parent / "plugins/backend-aie/htp-plugin.yaml").exists():
            self.skipTest("skipped: this build has no backend-aie")
        self.host("--plugins", "aie", "compile", kept, "-o", "kept.htp", "-q")
        self.assertIn("error[bisect.nothing-differs]", self.host("bisect", "kept.htp", "--seconds", 2, code=1))

    # ── reproducers ──

    def script(self) -> Path:
        found = list((self.folder / "cache/faults").glob("*/reproduce.sh"))
        self.assertEqual(len(found), 1)
        return found[0]

    def shows(self, script: Path, code: int = 0) -> None:
        done = subprocess.run(["sh", script], capture_output=True, text=True, env={**os.environ, "HTP_HOST": str(HOST), "HTP_REPRODUCE": "off"})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)

    def test_a_compile_that_fails_inside_leaves_what_shows_it(self) -> None:
        self.faulty("raise KeyError('odd')")
        said = self.host("--plugins", "profile.yaml", "compile", "scaled.py", code=3)
        script = self.script()
        self.assertIn(f"note: what shows this again is kept: sh '{script}'\n", said)
        self.assertEqual(sorted(path.name for path in script.parent.iterdir()), ["reproduce.sh", "scaled.py"])
        self.shows(script)
        (self.folder / "plugins/faulty/faulty.py").write_text("def change(tree, c):\n    pass\n")
        self.shows(script, code=1)
        for code in (124, 126, 127, 130):  # no fault
            self.write("other", f"#!/bin/sh\nexit {code}\n").chmod(0o755)
            done = subprocess.run(["sh", script], capture_output=True, env={**os.environ, "HTP_HOST": str(self.folder / "other")})
            self.assertEqual(done.returncode, 1, code)

    def test_a_run_that_crashes_leaves_its_sizes_and_not_its_arrays(self) -> None:
        package = self.compiled()
        code = package / "codegen/cpu/kernel.c"
        code.write_text(code.read_text().replace("htp_failure failed = {0};", "htp_failure failed = {0}; __builtin_trap();"))
        sign(package)
        np.savez(self.folder / "in.npz", x=np.full((3, 5), 12345, np.float32))
        answer = json.loads(self.host("--json", "run", package, "--inputs", "in.npz", code=3).partition("note: ")[0])
        self.assertEqual([one["code"] for one in answer["diagnostics"]], ["cli.plugin-crashes"])
        script = self.script()
        self.assertIn(" run package --dim M=3 --dim N=5 --seed 0\n", script.read_text())
        self.assertFalse(list(script.parent.glob("**/*.npz")))
        self.shows(script)
        self.host("run", package, "--dim", "M=4", "--dim", "N=5", code=3)
        self.assertEqual(len(list((self.folder / "cache/faults").iterdir())), 2)

    def test_what_is_refused_and_what_wants_none_leaves_nothing(self) -> None:
        (self.folder / "scaled.py").write_text(PROGRAM.replace("sqrt(sums)", "sqrt(sum)"))
        self.host("--plugins", "cpu", "compile", "scaled.py", code=1)
        self.faulty("raise KeyError('odd')")
        (self.folder / "scaled.py").write_text(PROGRAM)
        done = subprocess.run([HOST, "--plugins", "profile.yaml", "compile", "scaled.py"], capture_output=True, text=True, cwd=self.folder, env={**os.environ, "HTP_CACHE": str(self.folder / "cache"), "HTP_REPRODUCE": "off"})
        self.assertEqual(done.returncode, 3)
        self.assertNotIn("note: ", done.stderr.partition("1 error")[2])
        self.assertFalse((self.folder / "cache/faults").exists())

    # ── minimize ──

    def test_a_refused_program_is_made_small(self) -> None:
        (self.folder / "scaled.py").write_text(PROGRAM.replace("near / sums", "near / sums + x[i, 0:1] @ x[i, :]"))
        text = self.host("--plugins", "cpu", "minimize", "scaled.py", "--keeps", "code tile.shape-mismatch")
        self.assertRegex(text, r"^scaled\.min/scaled\.py: \d+ lines of 19, after \d+ candidates in .* s; it is still refused with `tile\.shape-mismatch`\n")
        self.assertLessEqual(len((self.folder / "scaled.min/scaled.py").read_text().splitlines()), 12)
        done = subprocess.run(["sh", self.folder / "scaled.min/reproduce.sh"], env={**os.environ, "HTP_HOST": str(HOST)}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_wrong_result_is_made_small(self) -> None:
        self.faulty("node.args = [b, a]")
        answer = self.answer("--plugins", "profile.yaml", "minimize", "scaled.py", "--keeps", "differs", "-o", "small")
        self.assertEqual(answer["shows"], "differs after faulty.change")
        self.assertLessEqual(answer["lines"], 15, answer["program"])
        self.assertIn(" - ", answer["program"])

    def test_a_failure_inside_is_made_small(self) -> None:
        self.faulty("raise IndexError(a)")
        answer = self.answer("--plugins", "profile.yaml", "minimize", "scaled.py", "--keeps", "crashes")
        self.assertRegex(answer["shows"], r"^fails with ")
        self.assertLessEqual(answer["lines"], 12, answer["program"])

    def test_what_is_no_python_has_no_tree(self) -> None:
        self.write("odd.py", "def f(:\n")
        for keeps in ("code tile.nothing", "crashes", "true"):
            self.assertIn("error[minimize.no-python]: `odd.py` is not read as Python: invalid syntax, in line 1\n", self.host("--plugins", "cpu", "minimize", "odd.py", "--keeps", keeps, code=1))
        (self.folder / "odd.py").write_bytes(b"# \xff\n")
        self.assertIn("error[minimize.no-python]: `odd.py` is not read as Python: it is not UTF-8\n", self.host("--plugins", "cpu", "minimize", "odd.py", "--keeps", "crashes", code=1))
        done = subprocess.run([HOST, "minimize", "scaled.py", "--keeps", "true"], capture_output=True, text=True, cwd=self.folder, env={**os.environ, "HTP_CACHE": str(self.folder / "cache"), "PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[minimize.not-shown]", done.stderr)

    def test_nothing_is_lost_to_what_is_made_small(self) -> None:
        def refused(*words: object) -> None:
            self.assertIn("error[cli.in-the-way]: `", self.host("minimize", "scaled.py", "--keeps", "grep -q exp", *words, code=1))
            self.assertEqual((self.folder / "scaled.py").read_text(), PROGRAM)

        refused("-o", ".")
        refused("-o", self.folder)
        for name in ("scaled.py", "reproduce.sh"):
            self.write(f"mine-{name}/{name}", "# mine\n")
            refused("-o", f"mine-{name}")
            self.assertEqual((self.folder / f"mine-{name}/{name}").read_text(), "# mine\n")
        self.write("file", "")
        refused("-o", "file")
        for _ in range(2):  # one of its own it replaces
            said = self.host("minimize", "scaled.py", "--keeps", "grep -q exp", "-o", "it's\033 new")
            self.assertIn("\nsh 'it'\\''s␛ new/reproduce.sh' shows it\n", said)
        (self.folder / "it's\033 new/scaled.py").unlink()
        (self.folder / "it's\033 new/scaled.py").symlink_to(self.folder / "scaled.py")
        refused("-o", "it's\033 new")

    def test_a_command_decides(self) -> None:
        answer = self.answer("minimize", "scaled.py", "--keeps", "grep -q exp")
        self.assertLessEqual(answer["lines"], 4, answer["program"])
        text = self.host("minimize", "scaled.py", "--keeps", "code tile.nothing", "--plugins", "cpu", code=1)
        self.assertIn("error[minimize.not-shown]: `scaled.py` does not show it to begin with: code tile.nothing\n", text)
        self.assertIn("error[io.unreadable]", self.host("minimize", "nowhere.py", "--keeps", "crashes", code=1))
        self.write("wrong.py", PROGRAM.replace("/ sums", "/ sum"))
        text = self.host("minimize", "wrong.py", "--keeps", "differs", "--plugins", "cpu", code=1)
        self.assertIn("`wrong.py` does not show it to begin with: differs\n  = hint: it is refused: tile.undefined-name: `sum` is not defined\n", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
