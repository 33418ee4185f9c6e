"""`htp-host tune`: what is searched, judged, measured, kept and taken up again; what it writes; what it refuses."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from htp import tuner
from htp.errors import Refused

ROOT, BUILD = (Path(os.environ[name]) for name in ("HTP_SOURCE_DIR", "HTP_BINARY_DIR"))
HEAD = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")

"""
GEMM = """
@workload
def gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(gemm)
def blocked(s: Schedule) -> None:
    s.tile("i", ROWS)
    s.tile("j", COLUMNS, 16)
    s.tile("k", 64)
"""
CHOICES = "ROWS = htp.choice(8, 1)  # rows\nCOLUMNS: int = htp.choice(\n    32, 8, 64\n)\n"


class Tune(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text: str) -> None:
        (self.folder / "p.py").write_text(text)

    def run_tune(self, *options: str, code: int = 0) -> Any:
        """The answer as JSON."""
        done = subprocess.run(self.command(*options), cwd=self.folder, env=self.environment(), capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def command(self, *options: str) -> list[str]:
        return [str(BUILD / "bin/htp-host"), "--plugins", str(ROOT / "manifests/cpu.yaml"), "--json", "tune", "p.py", *options]

    def environment(self) -> dict[str, str]:
        return {**os.environ, "HTP_CACHE": str(self.folder / "cache")}

    def test_searches_measures_keeps_and_takes_up(self) -> None:
        self.write(HEAD + CHOICES + GEMM)
        sizes = ("--dim", "M=24", "--dim", "N=40", "--dim", "K=70")
        first = self.run_tune(*sizes, "--budget", "2", "-o", "best.py")
        by = {(c["set"]["ROWS"], c["set"]["COLUMNS"]): c for c in first["candidates"]}
        self.assertEqual(list(by), [("8", "32"), ("8", "8"), ("8", "64"), ("1", "32"), ("1", "8"), ("1", "64")])
        # Blocks of 8 cannot be cut to 16: those are never run, and it is told why.
        self.assertEqual([by[key]["status"] for key in by if key[1] == "8"], ["refused", "refused"])
        self.assertTrue(by["8", "8"]["why"].startswith("wsp.growing-size: "), by["8", "8"])
        self.assertEqual(first["model"], "cpu.cost")
        measured = [c for c in first["candidates"] if c["status"] == "measured"]
        self.assertEqual(len(measured), 2)
        self.assertIn(by["8", "32"], measured)  # the program as written
        rest = [c for c in first["candidates"] if c["predicted"] is not None and c is not by["8", "32"]]
        self.assertIn(min(rest, key=lambda c: float(c["predicted"])), measured)  # and the best by the model
        self.assertEqual(first["best"], min(measured, key=lambda c: float(c["measured"])))
        best = (self.folder / "best.py").read_text()
        chosen = first["best"]["set"]
        self.assertEqual(best, HEAD + f"ROWS = {chosen['ROWS']}  # rows\nCOLUMNS: int = {chosen['COLUMNS']}\n" + GEMM)
        # Asked again nothing is measured; asked for more, the rest is.
        again = self.run_tune(*sizes, "--budget", "2")
        self.assertEqual(again["candidates"], first["candidates"])
        more = self.run_tune(*sizes, "--budget", "20")
        self.assertEqual(sum(c["status"] == "measured" for c in more["candidates"]), 4)
        for before in measured:
            self.assertIn(before, more["candidates"])
        self.assertIsInstance(more["rank_correlation"], float)
        kept = json.loads((self.folder / "p.tune.json").read_text())
        self.assertEqual(kept["schema"], "htp.tune/1")
        self.assertEqual(kept["candidates"], more["candidates"])
        # Another program is another search.
        self.write(HEAD + CHOICES + GEMM.replace('"k", 64', '"k", 32'))
        other = self.run_tune(*sizes, "--budget", "1")
        self.assertEqual(sum(c["status"] == "measured" for c in other["candidates"]), 1)

    def test_what_stands_first_may_be_refused(self) -> None:
        self.write(HEAD + CHOICES.replace("32, 8, 64", "8, 32") + GEMM)
        answer = self.run_tune("--budget", "1")
        self.assertEqual([c["status"] for c in answer["candidates"]].count("refused"), 2)
        self.assertEqual(answer["best"]["set"]["COLUMNS"], "32")

    def test_schedules_are_alternatives(self) -> None:
        self.write(HEAD + GEMM.replace("ROWS", "8").replace("COLUMNS", "32") + GEMM[GEMM.index("@schedule") :].replace("blocked", "other").replace("ROWS", "4").replace("COLUMNS", "64"))
        answer = self.run_tune("--budget", "5")
        self.assertEqual([c["entry"] for c in answer["candidates"]], ["blocked", "other"])
        # What they are compared with is no candidate, and is kept as they are.
        self.assertEqual((answer["baseline"]["entry"], answer["baseline"]["status"]), ("unscheduled", "measured"))
        self.assertIn("def unscheduled(s: htp_wsp.Schedule) -> None:\n    pass\n", answer["baseline"]["schedule"])
        self.assertEqual(self.run_tune("--budget", "5")["baseline"], answer["baseline"])
        self.assertEqual(answer["sizes"], {"K": 64, "M": 64, "N": 64})

    def test_a_workload_without_a_schedule_is_given_some(self) -> None:
        source = HEAD + GEMM[: GEMM.index("@schedule")]
        self.write(source)
        sizes = ("--dim", "M=40", "--dim", "N=70", "--dim", "K=33")
        answer = self.run_tune(*sizes, "--budget", "3", "-o", "best.py")
        written, *proposed = answer["candidates"]
        self.assertEqual((written["entry"], written["schedule"], written["status"]), ("gemm", "", "measured"))
        self.assertEqual(len(proposed), tuner.PROPOSED)
        self.assertIsNone(answer["baseline"])  # the program as written is it
        self.assertEqual(len({one["schedule"] for one in proposed}), tuner.PROPOSED)
        said = "".join(one["schedule"] for one in proposed)
        for line in ('s.tile("i", ', 's.tile("k", ', 's.reorder("j", "i")', 's.parallel("i_0")', 's.vectorize("j")'):
            self.assertIn(line, said)
        self.assertNotIn("wrong", [one["status"] for one in proposed])
        self.assertEqual(sum(one["status"] == "measured" for one in proposed), 2)
        self.assertEqual((self.folder / "best.py").read_text(), source + answer["best"]["schedule"])
        # The same seed proposes the same, and what is known of them is kept.
        self.assertEqual(self.run_tune(*sizes, "--budget", "3")["candidates"], answer["candidates"])
        self.assertNotEqual([c["schedule"] for c in self.run_tune(*sizes, "--budget", "1", "--seed", "5")["candidates"]], [c["schedule"] for c in answer["candidates"]])

    def test_what_cannot_be_tuned_is_refused(self) -> None:
        for text, options, said, code in (
            (HEAD + GEMM.replace("ROWS", "8").replace("COLUMNS", "32"), (), "leaves nothing to choose", "tune.nothing-open"),
            (HEAD + CHOICES + GEMM, ("--set", "ROWS=8", "--set", "COLUMNS=32"), "leaves nothing to choose", "tune.nothing-open"),
            (HEAD + CHOICES + GEMM, ("--entry", "nobody"), "the program has no entry `nobody`", "tune.unknown-entry"),
            (HEAD + CHOICES + GEMM, ("--dim", "Z=3"), "`blocked` has no dimension `Z`", "run.unknown-dim"),
            (HEAD + CHOICES + GEMM + GEMM.replace("gemm", "second").replace("blocked", "more"), (), "the program computes several things", "tune.which-entry"),
            (HEAD + CHOICES + GEMM, ("--kept", "no/such/folder.json"), "cannot write `no/such/folder.json`", "io.unwritable"),
            (HEAD + CHOICES + GEMM.replace("64)", "0)"), (), "a block size is a compile-time int of at least 1", "wsp.bad-size"),
            (HEAD + "x = [][0]\n" + CHOICES + GEMM, (), "does not run under plain Python", "tune.not-run"),
            ("import htp\nx = (\n", (), "'(' was never closed", "parse.syntax"),
        ):
            with self.subTest(said):
                self.write(text)
                answer = self.run_tune("--budget", "1", *options, code=1)
                (found,) = [d for d in answer["diagnostics"] if d["severity"] == "error"]
                self.assertIn(said, found["message"])
                self.assertEqual(found["code"], code)
                self.assertTrue(found["hints"])

    def test_a_file_of_something_else_is_left_alone(self) -> None:
        self.write(HEAD + CHOICES + GEMM)
        (self.folder / "p.tune.json").write_text("[1, 2]")
        answer = self.run_tune(code=1)
        self.assertIn("is no file of kept results", answer["diagnostics"][0]["message"])
        self.assertEqual(answer["diagnostics"][0]["code"], "tune.not-kept")
        self.assertEqual((self.folder / "p.tune.json").read_text(), "[1, 2]")

    def test_ctrl_c_keeps_what_is_known(self) -> None:
        self.write(HEAD + "ROWS = htp.choice(" + ", ".join(map(str, range(1, 60))) + ")\nCOLUMNS = 32\n" + GEMM)
        process = subprocess.Popen(self.command("--budget", "100"), cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        kept = self.folder / "p.tune.json"
        end = time.monotonic() + 300
        while not (kept.exists() and re.search(r'"measured": \d', kept.read_text())) and time.monotonic() < end and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, out + err)
        answer = json.loads(out)
        self.assertTrue(answer["interrupted"])
        self.assertEqual(json.loads(kept.read_text())["candidates"], answer["candidates"])
        self.assertTrue(any(c["measured"] for c in answer["candidates"]))


class Model(unittest.TestCase):
    """What the CPU's model must tell apart, whatever its numbers are."""

    def predicted(self, schedule: str, sizes: str, workload: str = GEMM) -> float:
        """Of a schedule's lines, by the plain command: a program with a choice that changes nothing."""
        with tempfile.TemporaryDirectory() as folder:
            body = workload[: workload.index("@schedule")] + "@schedule(gemm)\ndef s(s: Schedule) -> None:\n" + "".join(f"    {line}\n" for line in schedule.split("; "))
            (Path(folder) / "p.py").write_text(HEAD + "UNUSED = htp.choice(1, 2)\n" + body)
            dims = [word for size in sizes.split() for word in ("--dim", size)]
            command = [BUILD / "bin/htp-host", "--plugins", ROOT / "manifests/cpu.yaml", "--json", "tune", "p.py", "--budget", "1", *dims]
            done = subprocess.run(command, cwd=folder, env={**os.environ, "HTP_CACHE": folder + "/cache"}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return float(json.loads(done.stdout)["candidates"][0]["predicted"])

    def test_vectors_blocks_and_cores(self) -> None:
        tiles = 's.tile("i", 16); s.tile("j", 64); s.tile("k", 64)'
        sizes = "M=96 N=96 K=96"
        good = self.predicted(tiles, sizes)
        self.assertLess(good, self.predicted(tiles.replace('"j", 64', '"j", 4'), sizes))  # no vectors in blocks of 4
        self.assertLess(self.predicted(tiles, sizes), self.predicted(tiles, "M=192 N=96 K=96"))
        many = "M=256 N=256 K=64"
        self.assertLess(self.predicted(tiles + '; s.bind("i", level="core")', many), self.predicted(tiles, many))


class Parts(unittest.TestCase):
    def test_ranks(self) -> None:
        self.assertAlmostEqual(tuner.rank_correlation([1, 2, 3, 4], [10, 20, 30, 40]) or 0, 1)
        self.assertAlmostEqual(tuner.rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]) or 0, -1)
        self.assertAlmostEqual(tuner.rank_correlation([1, 2, 2, 3], [1, 2, 3, 4]) or 0, 0.9486832980505138)
        self.assertIsNone(tuner.rank_correlation([1, 2], [1, 2]))
        self.assertIsNone(tuner.rank_correlation([1, 1, 1], [1, 2, 3]))

    def test_what_came_out_wrong_or_not_at_all(self) -> None:
        request = {"output": "", "kept": "p.tune.json"}
        wrong = tuner.Candidate("blocked", {"ROWS": "8"}, "wrong", why="`c` differs at [0, 0]")
        answer = json.loads(tuner._answer(tuner.Search(request, {}, {}, [wrong]), "", interrupted=False))
        (found,) = answer["diagnostics"]
        self.assertEqual((found["code"], found["arguments"]), ("tune.wrong-result", ["blocked ROWS=8", "`c` differs at [0, 0]"]))
        failed = tuner.Candidate("blocked", {}, "failed", why="cpu.no-compiler: no C compiler was found")
        with self.assertRaises(Refused) as caught:
            tuner._answer(tuner.Search(request, {}, {}, [failed]), "", interrupted=False)
        self.assertEqual((caught.exception.code, caught.exception.arguments), ("tune.not-measured", ["`blocked`: cpu.no-compiler: no C compiler was found"]))

    def test_a_text_with_its_choices_made(self) -> None:
        source = 'import htp\nfrom htp import choice as pick\nA = htp.choice("é", "b"); B = pick(1, 2)\nC = pick(True, False)\nD = max(1, 2)\n'
        self.assertEqual(list(tuner.choices(source)), ["A", "B", "C"])
        made = 'import htp\nfrom htp import choice as pick\nA = \'b\'; B = 2\nC = False\nD = max(1, 2)\n'
        self.assertEqual(tuner.apply(source, {"A": "b", "B": "2", "C": "False"}), made)


if __name__ == "__main__":
    unittest.main()
