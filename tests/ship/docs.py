"""The pages of docs, as a reader follows them: each command is run, and prints what the page says.

    docs.py --build build/dev [PAGE …]        (the build is installed into a temporary prefix; all pages, or a slice, without any)

In a ```console block a line `$ …` is a command, `> …` its next line, run in one shell a page; the lines below are what it prints, where `…` alone stands for any lines and `…` at a
line's end for any rest. `[exit N]` is its exit code, else 0. A ```diff block is applied with `patch -p1`. A block with a path after its language is that file, and a
program with an entry compiles, for the CPU where the page itself does not compile it, unless it is called wrong.py. Links lead to files that are there.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tests/support"))
from slices import taken  # noqa: E402


def pages() -> list[Path]:
    """Those for people: decisions and what is generated have no commands."""
    return sorted(page for page in DOCS.rglob("*.md") if page.parent.name not in ("decisions", "reference"))


def blocks(text: str) -> list[tuple[str, str, str]]:
    """The fenced blocks that do something: their language, the file they are (or empty), and their text."""
    found = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(kind, path, body) for kind, path, body in found if path or kind in ("console", "diff")]


def commands(body: str) -> list[tuple[str, list[str], int]]:
    """Each command of a console block, what it prints, and its exit code."""
    found: list[tuple[str, list[str], int]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], [], 0))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [], 0)
        elif code := re.fullmatch(r"\[exit (\d+)\]", line):
            found[-1] = (found[-1][0], found[-1][1], int(code[1]))
        else:
            found[-1][1].append(line)
    return found


def matches(printed: list[str], expected: list[str]) -> bool:
    """Whether the lines are those expected, `…` being any number of lines."""
    if not expected:
        return not printed
    if expected[0] == "…":
        return any(matches(printed[skip:], expected[1:]) for skip in range(len(printed) + 1))
    if not printed:
        return False
    same = printed[0].startswith(expected[0][:-1]) if expected[0].endswith("…") else printed[0] == expected[0].rstrip()
    return same and matches(printed[1:], expected[1:])


class Shell:
    """One shell for a page: a `cd` holds for what comes after it."""

    END = "--- that was it: "

    def __init__(self, folder: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(["bash", "--norc"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, command: str, given: str = "") -> tuple[list[str], int]:
        assert self.process.stdin and self.process.stdout
        source = f"<<'GIVEN'\n{given}GIVEN\n" if given else "< /dev/null\n"
        self.process.stdin.write(f"{{ {command}\n}} {source}code=$?; echo; echo '{self.END}'$code\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(self.END):
                while lines and not lines[-1]:
                    lines.pop()
                return lines, int(line[len(self.END) :])
            lines.append(line.rstrip())
        raise RuntimeError(f"the shell ended at: {command}")


def faults(page: Path, environment: dict[str, str]) -> list[str]:
    """Where a page is not what happens; nothing after the first."""
    text = page.read_text()
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
        if "://" not in link and not (page.parent / link).exists():
            return [f"the link to {link} leads nowhere"]
    with tempfile.TemporaryDirectory(prefix="docs") as folder:
        shell = Shell(folder, {**environment, "HOME": folder, "HTP_CACHE": f"{folder}/cache"})
        for kind, path, body in blocks(text):
            if path:
                file = Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body)
                compiled = re.search(rf"^\$ htp-host --plugins \S+ compile {re.escape(path)} ", text, re.MULTILINE)
                if re.search(r"^@(kernel|workload)$", body, re.MULTILINE) and not compiled:
                    lines, code = shell.run(f'htp-host --plugins "$PROFILE" compile {path} -o "$HOME/checked.htp"')
                    if (code != 0) != (file.name == "wrong.py"):
                        return [f"{path} compiles with exit {code}:", *lines]
                continue
            if kind == "diff":
                lines, code = shell.run("patch -p1 --no-backup-if-mismatch", body)
                if code != 0 or any("fuzz" in line or "offset" in line for line in lines):
                    return ["a diff does not apply:", *lines]
                continue
            for command, expected, wanted in commands(body):
                lines, code = shell.run(command)
                while expected and not expected[-1]:
                    expected.pop()
                if code != wanted or not matches(lines, expected):
                    return [f"$ {command}", *(f"    {line}" for line in lines[-60:]), f"  exit {code}, and the page has, with exit {wanted}:", *(f"    {line}" for line in expected)]
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("pages", nargs="*", type=Path)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="htp") as folder:
        prefix = Path(folder) / "prefix"
        subprocess.run(["cmake", "--install", given.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "CMAKE_PREFIX_PATH": str(prefix), "PYTHONDONTWRITEBYTECODE": "1", "PROFILE": f"{prefix}/share/htp/manifests/cpu.yaml"}
        for page in given.pages or taken(pages()):
            found = faults(page.resolve(), environment)
            failed += bool(found)
            print(f"{'FAILED ' if found else 'ok     '} {page.name}", *found, sep="\n    ", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
