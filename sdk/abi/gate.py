"""The ABI gate: the headers of the SDK against what was released.

    gate.py [--include DIR]       checks sdk/include, or another set of headers; says what is wrong, and ends with 1
    gate.py --release HOST        keeps the headers as the release of their own version, in sdk/released/MAJOR.MINOR; HOST is today's htp-host

A release is the headers, the table of layouts, the description that abidw (abigail-tools) makes of every struct, and templates: plugins to
build with these headers (tests/ship/matrix.py), with what the build generates for them. Within a version nothing changes. A new minor version may add structs and last
members, and says so: what the last release had stands where it stood. A new major version may do anything.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SDK = Path(__file__).resolve().parents[1]
RELEASED = SDK / "released"
KEPT = ("include", "layout.def", "plugin.map")
SAMPLES = ("analysis", "backend", "dialect", "intrinsics", "island", "layout", "pass")
"""The templates kept with a release: together they have a unit of every kind that has an interface."""


def version_of(include: Path) -> tuple[int, int]:
    """The ABI's version, as the headers say it."""
    text = (include / "htp/abi.h").read_text()
    major, minor = (re.search(rf"#define HTP_ABI_{word} (\d+)", text) for word in ("MAJOR", "MINOR"))
    assert major and minor
    return int(major[1]), int(minor[1])


def released() -> list[tuple[int, int]]:
    """The versions that were released, oldest first."""
    return sorted((int(major), int(minor)) for major, _, minor in (path.name.partition(".") for path in RELEASED.iterdir() if path.is_dir()))


def kept(version: tuple[int, int]) -> Path:
    """The folder of a release."""
    return RELEASED / f"{version[0]}.{version[1]}"


def compiled(include: Path, layout: Path, library: Path) -> str:
    """Makes the library with every struct; what the compiler says against it."""
    command = ["cc", "-std=gnu11", "-g", "-shared", "-fPIC", f"-I{include}", f"-I{layout.parent}", SDK / "abi/every.c", "-o", library]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True).stderr


def moved(include: Path, layout: Path) -> list[str]:
    """What of a table of layouts the headers have elsewhere: each member's offset, each struct's size where it may not be less."""
    checks = [
        '#include "htp/htp.h"',
        '#define HTP_STRUCT(s, size) _Static_assert(sizeof(s) >= size, #s " is smaller than it was");',
        '#define HTP_MEMBER(s, m, offset) _Static_assert(offsetof(s, m) == offset, #s "." #m " is elsewhere");',
        "#define HTP_UNION HTP_MEMBER",
        '#include "layout.def"',
    ]
    command = ["cc", "-std=gnu11", "-fsyntax-only", f"-I{include}", f"-I{layout.parent}", "-x", "c", "-"]
    said = subprocess.run(command, input="\n".join(checks) + "\n", capture_output=True, text=True).stderr
    found = re.findall(r'static assertion failed: "(.*)"', said)
    return found or re.findall(r"error: (.*)", said)


def hash_of(include: Path) -> str:
    """HTP_LAYOUT_ALL, the hash over every struct and the node table."""
    found = re.search(r"HTP_LAYOUT_ALL UINT64_C\((\w+)\)", (include / "htp/layout_hash.h").read_text())
    assert found
    return found[1]


def abidiff(description: Path, library: Path) -> list[str]:
    """What differs between a release's description and a library, in abidiff's words."""
    done = subprocess.run(["abidiff", "--no-show-locs", description, library], capture_output=True, text=True)
    return [] if done.returncode == 0 else [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]


def faults(include: Path, layout: Path) -> list[str]:
    """What the headers have that their version does not allow."""
    version = version_of(include)
    known = released()
    text = f"{version[0]}.{version[1]}"
    if not known or version[0] > known[-1][0]:
        return []
    last = known[-1]
    if version < last:
        return [f"the headers are {text}, and {last[0]}.{last[1]} was released"]
    if version != last and version != (last[0], last[1] + 1):
        return [f"{text} does not follow {last[0]}.{last[1]}"]
    found = []
    if version == last:
        if hash_of(include) != hash_of(kept(last) / "include"):
            found.append(f"the layout hash is {hash_of(include)}, and that of {text} is {hash_of(kept(last) / 'include')}")
        if shutil.which("abidiff"):
            with tempfile.TemporaryDirectory() as folder:
                library = Path(folder) / "every.so"
                found += compiled(include, layout, library).splitlines()[:10] or abidiff(kept(last) / "every.abi", library)
    found += [f"since {last[0]}.{last[1]}: {what}" for what in moved(include, kept(last) / "layout.def")]
    if version == last and found:
        found.append(f"a changed struct is another version: raise HTP_ABI_MINOR in htp/abi.h, freeze the row of {text} in host/load/release.cpp")
    return found


def release(host: Path) -> list[str]:
    """Keeps today's headers as those of their version."""
    if not shutil.which("abidw"):
        return ["abidw is missing: install abigail-tools"]
    folder = kept(version_of(SDK / "include"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in KEPT:
        copy = shutil.copytree if (SDK / name).is_dir() else shutil.copy
        copy(SDK / name, folder / name)
    for sample in SAMPLES:
        shutil.copytree(SDK / "templates" / sample, folder / "templates" / sample, ignore=shutil.ignore_patterns("__pycache__", "README.md", "CMakeLists.txt"))
    for declarations in folder.glob("templates/*/python/*/intrinsics.py"):
        table = declarations.parents[2] / "src/intrinsics.inc"
        subprocess.run([host, "plugins", "intrinsics", declarations, "-o", table], check=True)
    for tool in folder.glob("templates/*/tools/*.py"):
        (tool.parents[1] / "src" / f"{tool.stem}.inc").write_text(f'R"TEXT({tool.read_text()})TEXT"\n')
    with tempfile.TemporaryDirectory() as build:
        library = Path(build) / "every.so"
        said = compiled(SDK / "include", SDK / "layout.def", library)
        if said:
            return said.splitlines()
        options = ["--no-comp-dir-path", "--no-show-locs", "--no-corpus-path", "--no-elf-needed"]
        subprocess.run(["abidw", *options, "--out-file", folder / "every.abi", library], check=True)
    print(f"kept {folder.relative_to(SDK.parent)}")
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=Path, default=SDK / "include")
    parser.add_argument("--release", type=Path, metavar="HOST")
    given = parser.parse_args()
    found = release(given.release.resolve()) if given.release else faults(given.include.resolve(), SDK / "layout.def")
    print(*found, sep="\n")
    if not found and not given.release and not shutil.which("abidiff"):
        print("abidiff is not installed: only layouts were compared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
