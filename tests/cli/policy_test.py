"""`htp-host policy-check` and `promote-plan`: no change passes unseen, and nothing takes a package's place without its evidence.

    policy_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sdk/python"), str(ROOT / "plugins/dialect-tile/python"), str(ROOT / "tests/laws")]

from edits import edits  # noqa: E402
from htp.policy import Change, changes_of, check, judged  # noqa: E402

PROGRAM = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, maximum, tiles

M = htp.dim("M")
N = htp.dim("N")
ROWS = 8


def above(t: f32) -> f32:
    return maximum(t, 0.5)


@kernel
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, ROWS):
        e = exp(x[i, :])
        if ROWS > 4:
            e = e * 2.0
        else:
            e = e * 3.0
        y[i, :] = above(e)
"""
POLICY = """htp_changes: 1
allow:
  - name: blocks
    functions:
      - rows
      - <module>
    statements:
      - for
      - constant
    changes:
      - changed
    parts:
      - numbers
      - names
needs:
  - verify
  - results
  - time
  - review
slower: 900
"""
HOST = Path()


def pair(a: str | None, b: str | None) -> dict[str, Any]:
    return {"kind": "python", "file_a": "a.py", "file_b": "b.py", **{key: None if text is None else text.encode().hex() for key, text in (("a", a), ("b", b))}}


def rule(**given: list[str]) -> dict[str, Any]:
    return {"name": "it", **{key: [] for key in ("functions", "decorators", "calls", "keys", "statements", "changes", "parts")}, **given}


def said(text: str) -> str:
    """A program's tree, without its docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


class Changes(unittest.TestCase):
    def only(self, was: str, is_: str) -> Change:
        [found] = changes_of(pair(PROGRAM, PROGRAM.replace(was, is_)))
        return found

    def test_no_change_of_a_tree_passes_unseen(self) -> None:
        seen = 0
        for path in sorted((ROOT / "examples").glob("*/*.py"))[::3]:
            text = path.read_text()
            for edit in edits(text, f"{path.stem}", 20):
                same = said(text) == said(edit.text)
                found = list(changes_of(pair(text, edit.text)))
                self.assertEqual(not found, same, f"{path.stem}: {edit.kind}: {edit.what}")
                seen += not same
                self.assertTrue(all(judged(one, {"allow": [], "deny": []})[1] for one in found))
        self.assertGreater(seen, 300)

    def test_what_a_change_is(self) -> None:
        for was, is_, statement, change, parts in (
            ("ROWS = 8", "ROWS = 16", "constant", "changed", ["numbers"]),
            ("tiles(M, ROWS)", "tiles(N, ROWS)", "for", "changed", ["names"]),
            ("exp(x[i, :])", "abs(x[i, :])", "assign", "changed", ["calls"]),
            ("e = e * 2.0", "e = e + 2.0", "assign", "changed", ["operators"]),
            ("In[Tensor[f32, M, N]], y", "In[Tensor[f16, M, N]], y", "def", "changed", ["types"]),
            ("-> f32", "-> f16", "def", "changed", ["types"]),
            ("@kernel", "@other", "def", "changed", ["form"]),
            ("0.5", "'0.5'", "return", "changed", ["form"]),
            ("maximum(t, 0.5)", "maximum(t, t)", "return", "changed", ["form"]),
            ("        y[i", "        e = e\n        y[i", "assign", "added", ["form"]),
            (", maximum", ", minimum", "import", "changed", ["names"]),
        ):
            found = self.only(was, is_)
            self.assertEqual((found.statement, found.change, found.parts), (statement, change, parts), is_)

    def test_branches_and_places_are_told_apart(self) -> None:
        swapped = PROGRAM.replace("e * 2.0", "e * 4.0").replace("e * 3.0", "e * 2.0").replace("e * 4.0", "e * 3.0")
        self.assertTrue(list(changes_of(pair(PROGRAM, swapped))))
        moved = PROGRAM.replace("        y[i, :] = above(e)\n", "    y[i, :] = above(e)\n")
        self.assertTrue(list(changes_of(pair(PROGRAM, moved))))
        twice = PROGRAM + "\n\ndef above(t: f32) -> f32:\n    return t\n"
        self.assertTrue(list(changes_of(pair(PROGRAM, twice))))
        self.assertEqual(list(changes_of(pair(PROGRAM, PROGRAM.replace("    e = exp", "    # why\n        e = exp")))), [])

    def test_rules_are_narrow(self) -> None:
        change = self.only("tiles(M, ROWS)", "tiles(N, 4)")  # a number, and names that go
        for allow, holds in (
            ({}, True), ({"functions": ["rows"]}, True), ({"functions": ["r*"]}, True), ({"functions": ["above"]}, False), ({"decorators": ["@kernel"]}, True), ({"decorators": ["@schedule*"]}, False),
            ({"parts": ["numbers"]}, False), ({"calls": ["tiles"]}, True), ({"calls": ["range"]}, False), ({"keys": ["*"]}, False), ({"changes": ["added"]}, False), ({"statements": ["for"]}, True),
        ):  # fmt: skip
            self.assertEqual(not judged(change, {"allow": [rule(**allow)], "deny": []})[1], holds, allow)
        self.assertTrue(judged(change, {"allow": [rule()], "deny": [rule(calls=["tiles"])]})[1])

    def test_a_manifest_is_judged_by_its_keys(self) -> None:
        a = {"plugin": {"id": "a.b"}, "units": [{"name": "u", "options": [{"name": "o", "default": "1"}]}]}
        b = json.loads(json.dumps(a).replace('"1"', '"2"'))
        [found] = changes_of({"kind": "manifest", "file_a": "a", "file_b": "b", "a": a, "b": b})
        self.assertEqual((found.key, found.change), ("units.u.options.o.default", "changed"))
        self.assertFalse(judged(found, {"allow": [rule(keys=["units.*.options.*"])], "deny": []})[1])
        self.assertTrue(judged(found, {"allow": [rule(functions=["*"])], "deny": []})[1])


    def found(self, a: str, b: str, **more: Any) -> list[Change]:
        return list(changes_of({**pair(a, b), **more}))

    def allowed(self, a: str, b: str, **given: list[str]) -> bool:
        found = self.found(a, b)
        self.assertTrue(found, b)
        return all(not judged(one, {"allow": [rule(**given)], "deny": []})[1] for one in found)

    def test_a_header_is_one_literal_statement_of_a_packages_stage(self) -> None:
        head, other = 'htp.stage(1, "source")\n', 'htp.stage(1, "tile")\n'
        both = {"headed": [True, True]}
        self.assertEqual(self.found(head + PROGRAM, other + PROGRAM, **both), [])
        self.assertEqual(self.found(PROGRAM.replace("\n", "\n" + head, 1), PROGRAM.replace("\n", "\n" + other, 1), **both), [])
        self.assertTrue(self.found(head + PROGRAM, other + PROGRAM))
        for code in ("htp.stage(run())\n", "htp.stage(*run())\n", "htp.stage(k=[run()])\n", "htp.stage(**{})\n"):
            self.assertTrue(self.found(PROGRAM, code + PROGRAM, **both), code)
        self.assertTrue(self.found(head + PROGRAM, head + PROGRAM + head, **both))
        self.assertTrue(self.found(PROGRAM, PROGRAM.replace("    return", '    htp.stage("x")\n    return'), **both))

    def test_what_python_does_not_read_as_utf8_is_refused(self) -> None:
        deep = "x = " + "-" * 5000 + "1\n"
        for code in (b"# coding: latin-1\nx = 1\n", b"# coding: utf-7\nx = 1\n", b"x = '\xff'\n", b"x = 1\0\n", b"# coding: none\n", deep.encode(), b"x = " + b"(" * 500 + b")" * 500):
            answer = json.loads(check(json.dumps({"a": "a", "b": "b", "pairs": [{**pair("x = 1\n", ""), "b": code.hex()}], "policy": {"allow": [], "deny": []}})))
            self.assertEqual([one["code"] for one in answer["diagnostics"]], ["policy.no-python"], code[:30])

    def test_statements_without_rows_of_their_own_are_judged_whole(self) -> None:
        for a, b in (
            ("class C:\n    x = 1\n", "class C:\n    x = 2\n"), ("async def f():\n    a(1)\n", "async def f():\n    a(2)\n"), ("try:\n    a(1)\nfinally:\n    b()\n", "try:\n    a(2)\nfinally:\n    b()\n"),
            ("match x:\n    case 1:\n        a()\n", "match x:\n    case 2:\n        a()\n"),
        ):  # fmt: skip
            self.assertFalse(self.allowed(a, b, parts=["numbers", "names", "calls"]), b)
            self.assertTrue(self.allowed(a, b, parts=["form"]), b)
        evil = ("class C:\n    def f(self):\n        a(1)\n", "class C:\n    def f(self):\n        run(1)\n")
        self.assertFalse(self.allowed(*evil, calls=["a"]))
        self.assertTrue(self.allowed(*evil, calls=["a", "run"]))

    def test_a_statement_in_a_definitions_place_is_seen(self) -> None:
        a = "x = 1\ndef f():\n    return 1\ny = 2\n"
        self.assertFalse(self.allowed(a, "x = 1\nrun()\ny = 2\ndef f():\n    return 1\n", statements=["def"]))
        self.assertTrue(self.found("for i in a:\n    p()\nfor j in b:\n    q()\n", "for i in a:\n    p()\n    q()\nfor j in b:\n    pass\n"))

    def test_a_random_program_s_changes_are_all_seen(self) -> None:
        random_ = random.Random(5)

        def body(depth: int) -> list[str]:
            lines: list[str] = []
            for _ in range(random_.randint(1, 3)):
                word = random_.choice(("s", "s", "for i in a:", "if c:", "def f():", "while c:", "class C:", "else") if depth < 3 else ("s",))
                inner = ["    " + one for one in body(depth + 1)] if word != "s" else []
                lines += [random_.choice(("p()", "q()", "x = 1"))] if word == "s" else ["if c:", *inner, "else:", *inner[:1], "    p()"] if word == "else" and not inner[0].endswith(":") else ["if d:" if word == "else" else word, *inner]
            return lines

        for _ in range(1500):
            a, b = "\n".join(body(0)) + "\n", "\n".join(body(0)) + "\n"
            self.assertEqual(not self.found(a, b), said(a) == said(b), f"{a}---\n{b}")

    def test_a_constant_is_a_name_and_a_number(self) -> None:
        for a, b, is_ in (("N = 8", "N = -8", True), ("N = 8", "N = 9.5", True), ("N = 8", "N = 'x'", False), ("N = 'x'", "N = 8", False), ("N[0] = 8", "N[0] = 9", False), ("a.b = 8", "a.b = 9", False), ("N = not run()", "N = not go()", False), ("N = M = 8", "N = M = 9", False)):
            self.assertEqual(self.allowed(a, b, statements=["constant"]), is_, b)

    def test_rules_judge_what_was_and_what_is(self) -> None:
        self.assertFalse(self.allowed("@held\ndef f():\n    return 1\n", "@free\ndef f():\n    return 2\n", decorators=["@free"]))
        self.assertFalse(self.allowed("@free\ndef f():\n    return 1\n", "@free('a, @held, b')\ndef f():\n    return 2\n", decorators=["@held"]))
        [found] = self.found("x = 1\n", "run()\n")
        for word in ("constant", "call"):
            self.assertTrue(judged(found, {"allow": [rule()], "deny": [rule(statements=[word])]})[1], word)
            self.assertTrue(judged(found, {"allow": [rule(statements=[word])], "deny": []})[1], word)

    def test_names_that_repeat_in_a_manifest_hide_nothing(self) -> None:
        units = [{"name": "u", "entry": "x"}, {"name": "u", "entry": "y"}]
        found = list(changes_of({"kind": "manifest", "file_a": "a", "file_b": "b", "a": {"units": units}, "b": {"units": [{"name": "u", "entry": "evil"}, units[1]]}}))
        self.assertEqual([one.key for one in found], ["units.0.entry"])


class Commands(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory(prefix="a b")
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        self.write("policy.yaml", POLICY)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def host(self, *words: object, code: int = 0) -> str:
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "CI": "1"}
        done = subprocess.run([HOST, *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def packages(self) -> None:
        # Of one dimension: what verifies it runs every stage at many sizes.
        self.write("rows.py", PROGRAM.replace("[f32, M, N]", "[f32, M]").replace("[i, :]", "[i]").replace('N = htp.dim("N")\n', ""))
        self.host("--plugins", "cpu", "compile", "rows.py", "-o", "was", "-q")
        self.host("--plugins", "cpu", "edit", "was", "source", "--replace", "ROWS = 8", "ROWS = 32", "-o", "now", "-q")

    def check(self, *words: object, code: int = 0) -> str:
        return self.host("policy-check", "--policy", "policy.yaml", *words, code=code)

    def plan(self, *words: object, code: int = 1) -> dict[str, str]:
        answer = json.loads(self.host("--json", "promote-plan", "was", "now", "--policy", "policy.yaml", *words, code=code))
        self.assertEqual(answer["ready"], code == 0)
        return {need["kind"]: need["state"] for need in answer["needs"]}

    def test_programs(self) -> None:
        self.write("a.py", PROGRAM)
        self.write("b.py", PROGRAM.replace("ROWS = 8", "ROWS = 32"))
        self.assertEqual(self.check("a.py", "b.py"), "a.py → b.py: 1 change, all allowed\n  allowed b.py:7: a `constant` in the module was changed (numbers), by `blocks`\n")
        self.write("b.py", PROGRAM.replace("exp(x", "abs(x"))
        text = self.check("a.py", "b.py", code=1)
        self.assertIn("  denied  b.py:17: an `assign` in `rows` was changed (calls)\n", text)
        self.assertIn("error[policy.not-allowed]: the policy does not allow this: an `assign` in `rows` was changed (calls): no rule allows it\n  --> b.py:17:1\n", text)
        self.assertIn("nothing was changed", self.check("a.py", "a.py"))

    def test_what_cannot_be_checked(self) -> None:
        self.write("a.py", PROGRAM)
        self.write("bad.py", "def f(:\n")
        self.assertIn("error[policy.no-python]: `bad.py` is not read as Python: ", self.check("a.py", "bad.py", code=1))
        self.assertIn("error[policy.nothing-to-check]: `a.py` and `cache` are not two packages, two Python files or two folders of plugins", self.check("a.py", "cache", code=1))
        self.assertIn("error[io.unreadable]", self.check("a.py", "nowhere.py", code=1))
        self.write("policy.yaml", POLICY.replace("- numbers", "- number"))
        self.assertIn("`number`", self.check("a.py", "a.py", code=1))
        self.assertIn("did you mean `numbers`", self.check("a.py", "a.py", code=1))

    def test_plugins(self) -> None:
        manifest = 'htp_manifest: 1\nplugin:\n  id: acme.x\n  version: "1.0.0"\npython:\n  module: x\n  path: .\n'
        for name in ("a", "b"):
            self.write(f"{name}/htp-plugin.yaml", manifest)
            self.write(f"{name}/x.py", "def change(tree, c):\n    return 1\n")
        self.assertIn("nothing was changed", self.check("a", "b"))
        self.write("b/htp-plugin.yaml", manifest.replace("1.0.0", "1.0.1"))
        self.write("b/x.py", "def change(tree, c):\n    return 2\n")
        self.write("b/lib.so", "x")
        text = self.check("a", "b", code=1)
        for line in ("key `plugin.version` was changed", "a `return` in `change` was changed (numbers)", "b/lib.so: a `library` in the module was added"):
            self.assertIn(line, text)

    def test_nothing_in_a_plugins_folder_passes_unseen(self) -> None:
        manifest = 'htp_manifest: 1\nplugin:\n  id: acme.x\n  version: "1.0.0"\npython:\n  module: x\n  path: .\n'
        self.write("far/x.py", "x = 1\n")

        def fresh() -> Path:
            for name in ("a", "b"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
                self.write(f"{name}/htp-plugin.yaml", manifest)
                self.write(f"{name}/x/__init__.py", "y = 1\n")
            return self.folder / "b"

        def replaced(b: Path) -> None:
            (b / "x/__init__.py").unlink()
            (b / "x/__init__.py").mkdir()
            (b / "x/__init__.py/y").write_text("")

        for change in (
            lambda b: (b / "z.py").symlink_to(self.folder / "far/x.py"), lambda b: (b / "z").symlink_to(self.folder / "far"), lambda b: (b / "z.py").symlink_to("nowhere"), lambda b: (b / "x/m.pyc").write_bytes(b"x"),
            lambda b: (b / "x/m.sig").write_bytes(b"x"), lambda b: (b / "x/empty.py").write_bytes(b""), lambda b: (b / "z\x1b[2J.so").write_bytes(b"x"), lambda b: os.mkfifo(b / "z.so"), replaced,
        ):  # fmt: skip
            change(fresh())
            text = self.check("a", "b", code=1)
            self.assertIn("error[policy.not-allowed]", text)
            self.assertNotIn("\x1b", text)

    def test_another_plugin_is_a_change_of_a_package(self) -> None:
        self.packages()
        shutil.copytree(self.folder / "was", self.folder / "other")
        path = self.folder / "other/manifest.json"
        path.write_text(path.read_text().replace('"version": "0.1.0"', '"version": "0.1.1"', 1))
        self.assertIn("denied  other/manifest.json: key `package.plugins.", self.check("was", "other", code=1))
        manifest = json.loads((self.folder / "was/manifest.json").read_text())
        manifest["plan"]["passes"][1:3] = manifest["plan"]["passes"][2:0:-1]
        path.write_text(json.dumps(manifest))
        self.assertIn("denied  other/manifest.json: key `package.order` was changed", self.check("was", "other", code=1))

    def test_evidence_is_of_these_packages_and_counts_when_it_holds(self) -> None:
        self.packages()
        self.assertEqual(self.plan(), dict.fromkeys(("verify", "results", "time", "review"), "missing"))
        self.assertEqual(self.plan("--gather"), {"verify": "there", "results": "there", "time": "there", "review": "missing"})
        self.assertIn("error[promote.lacks]: `now` may not take the place of `was`: evidence `review` is missing\n", self.host("promote-plan", "was", "now", "--policy", "policy.yaml", code=1))
        self.plan("--review", "ann", code=0)
        self.assertIn("error[promote.bad-name]", self.host("promote-plan", "was", "now", "--policy", "policy.yaml", "--review", "../x", code=1))
        # Of another package it is stale; when it says that something does not hold, it fails.
        self.host("--plugins", "cpu", "edit", "was", "source", "--replace", "ROWS = 8", "ROWS = 16", "-o", "now", "-q")
        self.assertEqual(self.plan(), dict.fromkeys(("verify", "results", "time", "review"), "stale"))
        self.write("policy.yaml", POLICY.replace("  - verify\n  - results\n  - time\n  - review\n", "  - results\n").replace("parts:\n", "parts:\n      - form\n      - calls\n").replace("      - for\n", "      - for\n      - assign\n"))
        self.host("--plugins", "cpu", "edit", "was", "source", "--replace", "e * 2.0", "e * 2.5", "-o", "now", "-q")
        self.assertEqual(self.plan("--gather"), {"results": "fails"})

    def test_evidence_is_signed_by_those_that_the_policy_names(self) -> None:
        self.packages()
        keys = []
        for name in ("ann", "bob"):
            subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.folder / f"{name}.pem"], check=True, capture_output=True)
            out = subprocess.run(["openssl", "pkey", "-in", self.folder / f"{name}.pem", "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
            keys.append(out[-32:].hex())
        self.write("policy.yaml", POLICY.replace("  - results\n  - time\n", "") + f'signers:\n  - name: ann\n    key: "{keys[0]}"\n')
        self.assertEqual(self.plan("--gather", "--review", "ann"), {"verify": "unsigned", "review": "missing"})
        self.assertIn("error[promote.nothing-to-sign]: `--key` signs what the same call makes, and this one makes nothing", self.host("promote-plan", "was", "now", "--policy", "policy.yaml", "--key", "bob.pem", code=1))
        self.assertEqual(self.plan("--gather", "--review", "ann", "--key", "bob.pem"), {"verify": "unsigned", "review": "missing"})
        self.assertEqual(self.plan("--gather", "--key", "ann.pem"), {"verify": "there", "review": "missing"})
        self.plan("--review", "ann", "--key", "ann.pem", code=0)
        # A second call signs its own, and nothing of another's.
        self.plan("--gather", "--review", "ann", "--key", "bob.pem", code=0)
        self.write("policy.yaml", (self.folder / "policy.yaml").read_text().replace("signers:\n", f'signers:\n  - name: bob\n    key: "{keys[1]}"\n') + "reviews: 2\n")
        self.assertEqual(self.plan(), {"verify": "there", "review": "missing"})
        self.plan("--review", "bob", "--key", "bob.pem", code=0)
        evidence = self.folder / "now.evidence/verify.json"
        evidence.write_text(evidence.read_text() + " ")
        self.assertEqual(self.plan()["verify"], "unsigned")
        self.assertIn("error[trust.no-key]", self.host("promote-plan", "was", "now", "--policy", "policy.yaml", "--gather", "--key", "nowhere.pem", code=1))

    def test_evidence_of_another_form_is_none(self) -> None:
        self.packages()
        self.plan("--gather")
        self.plan("--review", "ann", code=0)
        for kind, says in (("verify", {"verified": "yes"}), ("verify", {"verified": False, "why": 5}), ("results", {"same": 1}), ("results", {"why": []}), ("time", {"ratio": 5}), ("time", {"ratio": {"high": "1", "median": 1}}), ("time", {"why": 5}), ("review-ann", {"by": 5}), ("review-ann", {}), ("verify", [])):
            path = self.folder / f"now.evidence/{kind}.json"
            was = path.read_text()
            path.write_text(json.dumps({**json.loads(was), "says": says}))
            self.assertEqual(self.plan()[kind.partition("-")[0]], "fails", says)
            self.assertIn("it is no evidence of this kind", self.host("promote-plan", "was", "now", "--policy", "policy.yaml", code=1))
            path.write_text(was)
        self.plan(code=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
