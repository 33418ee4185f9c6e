"""`htp-host fmt`: what it writes is what `black` takes, and the same program; a second time it changes nothing.

    format_test.py --host build/plain/bin/htp-host

Ends with 77 where there is no `black` (Debian: apt install black), after what can be tried without.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
wrong: list[str] = []

ODD = """import htp   # größer 🙂
from htp import In,Out , f32
from htp_tile import (Tensor,
   kernel, tiles)  # what it needs
M = htp.dim('M')
x = {  'a':1 }; y = 0XFF + 1E5
# alone


@kernel
def k(x:In[Tensor[f32,M]],
      y : Out[ Tensor [f32, M] ])->None:
    # first
    for i in tiles( M,8 ): y[ i ]=x[i]*2.0   # last
"""


def expect(holds: object, what: str) -> None:
    if not holds:
        wrong.append(what)


def comments(text: str) -> list[str]:
    lines = iter(text.splitlines(keepends=True))
    return sorted(one.string for one in tokenize.generate_tokens(lambda: next(lines, "")) if one.type == tokenize.COMMENT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--every", type=int, default=12, help="of the examples, one of so many")
    asked = parser.parse_args()
    host = asked.host.resolve()
    with tempfile.TemporaryDirectory(prefix="größe 🙂 ") as name:
        folder = Path(name)
        environment = {**os.environ, "HTP_CACHE": str(folder / "cache"), "CI": "1"}

        def run(*line: str, given: str | None = None, path: str | None = None) -> subprocess.CompletedProcess[str]:
            own = environment if path is None else {**environment, "PATH": path}
            return subprocess.run([host, *line], input=given, capture_output=True, text=True, cwd=folder, env=own, timeout=120)

        def stub(what: str) -> str:
            """A PATH on which `black` does this."""
            place = folder / f"bin{len(list(folder.iterdir()))}"
            place.mkdir()
            if what:
                (place / "black").write_text(f"#!/bin/sh\n{what}\n")
                (place / "black").chmod(0o755)
            return f"{place}:/usr/bin/nowhere"

        (folder / "a.py").write_text(ODD)
        # What goes wrong with the formatter changes nothing.
        for what, code, status in (
            ("", "fmt.no-black", 3),
            ("echo 'cannot format' >&2; exit 123", "fmt.failed", 3),
            ("echo 'M = 1'", "fmt.other-program", 3),
            ("echo 'M = = 1'", "fmt.other-program", 3),
        ):
            done = run("fmt", "a.py", path=stub(what))
            expect(code in done.stderr and done.returncode == status, f"{what}: {done.returncode} {done.stderr}")
            expect((folder / "a.py").read_text() == ODD, f"{what}: it changed the file")
        done = run("fmt", "nowhere.py")
        expect("io.unreadable" in done.stderr and done.returncode == 1, f"a file that is not there: {done.stderr}")
        (folder / "bad.py").write_text("def f(:\n")
        done = run("fmt", "bad.py", path=stub("cat"))
        expect("parse.syntax" in done.stderr and done.returncode == 1, f"no Python: {done.stderr}")
        if not shutil.which("black"):
            print("\n".join(wrong) or "there is no black: only what goes wrong was tried")
            return 1 if wrong else 77

        done = run("fmt", "--check", "a.py")
        expect(done.returncode == 1 and "fmt.unformatted" in done.stderr and (folder / "a.py").read_text() == ODD, f"--check: {done.stderr}")
        done = run("fmt", "--diff", "a.py")
        expect(done.returncode == 0 and (folder / "a.py").read_text() == ODD, f"--diff: {done.stderr}")
        patched = subprocess.run(["patch", "-o", "-", "a.py"], input=done.stdout, capture_output=True, text=True, cwd=folder) if shutil.which("patch") else None
        mode = (folder / "a.py").stat().st_mode
        done = run("fmt", "a.py")
        text = (folder / "a.py").read_text()
        expect(done.returncode == 0 and text != ODD and stat.S_IMODE((folder / "a.py").stat().st_mode) == stat.S_IMODE(mode), f"fmt: {done.stderr}")
        expect(patched is None or patched.stdout == text, "what --diff shows is another text")
        expect(ast.dump(ast.parse(text)) == ast.dump(ast.parse(ODD)) and comments(text) == comments(ODD), "it is another program")
        before = (folder / "a.py").stat().st_mtime_ns
        expect(run("fmt", "a.py").stdout == "" and (folder / "a.py").stat().st_mtime_ns == before, "a second time it changes something")
        expect(run("fmt", "--check", "a.py").returncode == 0, "what it wrote it would change")
        expect(run("fmt", "-", given=ODD).stdout == text, "standard input")
        answer = json.loads(run("--json", "fmt", "-", "--check", given=ODD).stdout)
        expect(answer["files"][0]["changed"] and answer["exit_code"] == 1, f"--json: {answer}")
        (folder / "read.py").write_text(ODD)

        # Examples: what is written is taken, and the same.
        programs = sorted((ROOT / "examples").glob("*/*.py"))[:: asked.every]
        copies = []
        for k, program in enumerate(programs):
            copies.append(folder / f"example{k}.py")
            copies[-1].write_bytes(program.read_bytes())
        done = run("--quiet", "fmt", *(one.name for one in copies))
        expect(done.returncode == 0, f"examples: {done.stderr[-1000:]}")
        for copy, program in zip(copies, programs):
            expect(ast.dump(ast.parse(copy.read_text())) == ast.dump(ast.parse(program.read_text())), f"{program.name} is another program")
            expect(comments(copy.read_text()) == comments(program.read_text()), f"{program.name} lost comments")
        taken = subprocess.run(["black", "--check", "--quiet", *copies], capture_output=True, text=True, cwd=folder)
        expect(taken.returncode == 0, f"black --check: {taken.stderr}")
    print("\n".join(wrong) or f"{len(programs)} programs, formatted and the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
