"""Stages for A2 and A3 that were edited: what does not hold is refused at its line, and what is said to help does."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from case import HEAD, PROFILE, ROOT, Case, host, ordered


def edited(text: str, hint: str) -> str:
    """A stage with what a hint says done: statements written, changed or taken out, by their lines."""
    lines = text.splitlines(keepends=True)
    if hint == "write `pto.drain()` as the kernel's last statement":
        last = max(n for n, line in enumerate(lines) if "pto." in line)
        kernel = next(n for n in range(last, 0, -1) if "with pto." in lines[n])
        indent = re.match(" *", lines[kernel])
        return "".join([*lines[: last + 1], (indent[0] if indent else "") + "    pto.drain()\n", *lines[last + 1 :]])
    taken = re.fullmatch(r"take line (\d+), `.*`, out", hint)
    changed = re.fullmatch(r"let line (\d+), `.*`, be `(.*)`", hint)
    written = re.findall(r"`([^`]*)` (before|behind) (?:the loop of |the `if` of )?line (\d+)(?:, `[^`]*`)?", hint)
    if taken:
        lines[int(taken[1]) - 1] = ""
    elif changed:
        at = int(changed[1]) - 1
        lines[at] = lines[at][: -len(lines[at].lstrip())] + changed[2] + "\n"
    else:
        if not written:
            return text  # it says no more than how
        for statement, where, number in sorted(written, key=lambda one: -int(one[2])):
            at = int(number) - 1
            indent = lines[at][: -len(lines[at].lstrip())]
            end = at + (where == "behind")
            while where == "behind" and lines[at].rstrip().endswith(":") and end < len(lines) and lines[end].startswith((indent + " ", indent + "else:")):
                end += 1
            lines.insert(end, indent + statement + "\n")
    return "".join(lines)


class Verifier(Case):
    """Stages without one flag, one barrier or the drain, or with another event or place."""

    def told(self, stage: Path, text: str) -> str:
        """What is said of a stage with this text; nothing where it compiles."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(stage, Path(folder) / stage.name)
            (Path(folder) / stage.name / "program.py").write_text(text)
            done = host("--plugins", PROFILE, "compile", "--from-stage", Path(folder) / stage.name, "-o", Path(folder) / "again")
            return "" if done.returncode == 0 else done.stderr

    def refused(self, stage: Path, text: str) -> bool:
        return "pipeline.not-held" in self.told(stage, text)

    def test_every_line_of_order_counts(self) -> None:
        mutants: list[tuple[str, Path, str]] = []
        for name in ("axpy", "softmax", "custom_pass", "gelu", "half_gemm", "transpose", "clip"):
            package = self.example(name)
            made = ordered(package)
            stage = Path(shutil.copytree(made, self.folder / name / made.name))
            lines = (stage / "program.py").read_text().splitlines(keepends=True)
            self.assertFalse(self.refused(stage, "".join(lines)), f"{name}, as it was")
            for number, line in enumerate(lines):
                if re.match(r" +pto\.(set_flag|wait_flag|pipe_barrier|drain)\(", line):
                    changed = ["", line + line, re.sub(r"(\d \+ )?(turn\w*|\d)\)", "6)" if "7)" in line else "7)", line)] if "flag" in line else [""]
                    for other in changed:
                        text = "".join([*lines[:number], other, *lines[number + 1 :]])
                        mutants.append((f"{name}: line {number + 1} is {other!r}", stage, text))

        def judge(mutant: tuple[int, tuple[str, Path, str]]) -> str:
            number, (name, stage, text) = mutant
            said = self.told(stage, text)
            hint = re.search("= hint: (.*)", said)
            if "pipeline.not-held" not in said or not hint:
                return f"{name}\n{said}"
            if number % 6 and not os.environ.get("HTP_LONG"):
                return ""
            still = self.told(stage, edited(text, hint[1]))
            return f"{name}\n{hint[1]}\n{still}" if still else ""

        with ThreadPoolExecutor(os.cpu_count()) as workers:
            wrong = [one for one in workers.map(judge, enumerate(mutants)) if one]
        self.assertEqual("\n".join(wrong), "")
        self.assertGreaterEqual(len(mutants), 200)

    def test_numbers_in_other_forms_are_the_same(self) -> None:
        stage = ordered(self.example("softmax"))
        head, mark, body = (stage / "program.py").read_text().partition("\ndef ")
        for form in (bin, oct, hex, "{:_}".format):
            with self.subTest(form):
                text = re.sub(r"(?<![\w.'])\d+(?![\w.'])", lambda found, form=form: form(int(found[0])), body)
                self.assertNotEqual(text, body)
                (stage / "program.py").write_text(head + mark + text)
                done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / "again")
                self.assertEqual(done.returncode, 0, done.stderr)
                done = host("run", self.folder / "again", "--dim", "M=9", "--dim", "N=70", "--check")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_bytes_that_another_tile_was_written_to(self) -> None:
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, M, 1]], y: Out[Tensor[f32, M, 1]]) -> None:\n    for i in tiles(M, 8):\n        top = full(f32, -1e30, i, 1)\n        by = g[i, :]\n"
                            "        for j in tiles(N, 64):\n            top = maximum(top, reduce_max(exp(x[i, j] * by), axis=1))\n        y[i, :] = top\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = (self.folder / "package").glob("ir/stages/*-a2a3.allocate_buffers")
        text = (stage / "program.py").read_text()
        at = dict(re.findall(r"(\w+) = pto\.tile\(.*, at=(\d+)(?: \+ turn \* 2048)?\)", text))
        at["x_tile"] = str(int(at["x_tile"]) + 2048)  # its second place, of every other turn
        behind = str(max(map(int, at.values())) + 4096)
        for tile, word, others in (("top", "tmax", ("exp", "reduce_max", "work", "x_tile")), ("by", "trowexpandmul", ("exp", "work", "x_tile"))):
            line = re.search(rf"{tile} = pto\.tile\(.*, at=", text)
            assert line
            for other in others:
                with self.subTest(tile=tile, other=other):
                    said = self.told(stage, text.replace(f"{line[0]}{at[tile]})", f"{line[0]}{at[other]})"))
                    self.assertRegex(said, rf"error\[a2a3\.overwritten\]: `pto\.{word}` reads `{tile}`, where `\w+` has been written since\n  --> ")
                    self.assertIn("bytes of its own: another `at=`", said)
            self.assertEqual(self.told(stage, text.replace(f"{line[0]}{at[tile]})", f"{line[0]}{behind})")), "")

    def test_what_two_pipes_touch(self) -> None:
        """Neither flag stands there: both are named, and where."""
        package = self.example("axpy")
        made = ordered(package)
        text = re.sub(r" +pto\.(set|wait)_flag\('MTE2', 'V', .*\)\n", "", (made / "program.py").read_text())
        said = self.told(made, text)
        hint = re.search("= hint: (.*)", said)
        self.assertRegex(hint[1] if hint else "", r"write `pto\.set_flag\('MTE2', 'V', 0\)` behind line \d+, `pto\.tload.*` and `pto\.wait_flag\('MTE2', 'V', 0\)` before line \d+, `pto\.t")

    def test_places_overlap_nowhere(self) -> None:
        package = self.example("vector_add")
        stage = ordered(package)
        text = (stage / "program.py").read_text()
        for other in ("516 + turn * 256", "-32 + turn * 256", "188416 + turn * 256", "256 + turn * 256", "512 + turn * 260", "512", "512 + 1 * 256"):
            with self.subTest(other):
                self.assertTrue(self.refused(stage, text.replace("at=512 + turn * 256", f"at={other}")))


if __name__ == "__main__":
    unittest.main()
