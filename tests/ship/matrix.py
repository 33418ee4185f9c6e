"""Plugins built with the headers of every release, on today's host; and plugins that are newer than their host.

    matrix.py --build build/dev        the releases are those of sdk/released
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sdk/abi"))
import gate  # noqa: E402

CCACHE = ["ccache"] if shutil.which("ccache") else []


FAULTS = {("1.0", "backend"): {"check.survives-changes"}}
"""What is wrong with a sample itself, which stays as it was released: 1.0's backend takes for granted that a call has its operands."""
PROGRAMS = {("1.0", "layout"): ROOT / "sdk/templates/layout/examples/spread.py"}
"""What is compiled instead of a sample's example that asks for what was ignored then, and is refused now: 1.0's is spread over levels that the
CPU has and cannot follow."""


class Failed(Exception):
    """A step that should have worked, and what it said."""


def run(*command: str | Path, code: int = 0) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != code:
        raise Failed(f"exit {done.returncode}, not {code}: {' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout + done.stderr


def built(sample: Path, include: Path, into: Path) -> Path:
    """Builds a sample, as it was released, with a set of headers; the plugin's folder."""
    plugin = into / "my-plugin"
    plugin.mkdir(parents=True)
    objects = []
    for source in sorted((sample / "src").glob("*.cpp")):
        objects.append(into / f"{source.stem}.o")
        run(*CCACHE, os.environ.get("CXX", "c++"), "-std=c++20", "-fPIC", "-fvisibility=hidden", f"-I{include}", "-c", source, "-o", objects[-1])
    script = f"-Wl,--version-script={include.parent / 'plugin.map'}"
    run(os.environ.get("CXX", "c++"), "-shared", *objects, "-o", plugin / "libhtp_my_plugin.so", script, "-Wl,-z,defs", "-Wl,-z,now", "-ldl")
    shutil.copy(sample / "htp-plugin.yaml", plugin)
    if (sample / "python").exists():
        shutil.copytree(sample / "python", plugin / "python")
    return plugin


def checked(own: list[str | Path], plugin: Path, faults: set[str]) -> None:
    """`plugins check` finds no errors but these."""
    done = subprocess.run([*own, "--json", "plugins", "check", plugin], capture_output=True, text=True)
    errors = [one for one in json.loads(done.stdout)["diagnostics"] if one["severity"] == "error"] if done.returncode in (0, 1) else []
    if done.returncode != (1 if errors else 0) or not {one["code"] for one in errors} <= faults:
        raise Failed(f"exit {done.returncode} of `plugins check {plugin}`:\n{json.dumps(errors, indent=2)}\n{done.stderr[-2000:]}")


def runs(host: Path, release: Path, kind: str, folder: Path) -> str:
    """A sample of a release on today's host: checked, its example compiled, and the package built and run."""
    sample, into = release / "templates" / kind, folder / release.name / kind
    plugin = built(sample, release / "include", into)
    own = [host, "--plugin-path", into]
    checked(own, plugin, FAULTS.get((release.name, kind), set()))
    run(*own, "--plugins", sample / "profile.yaml", "compile", *filter(None, [PROGRAMS.get((release.name, kind))]), "--verify-each", "-o", into / "package")
    if kind == "backend":  # its binding is its own
        run(*own, "run", into / "package")
    return f"ok      {kind} of {release.name}"


def refused(host: Path, release: Path, version: tuple[int, int], folder: Path) -> str:
    """The same sample built with headers of a later version, which this host does not know."""
    into = folder / f"{version[0]}.{version[1]}"
    shutil.copytree(release / "include", into / "sdk/include")
    shutil.copy(release / "plugin.map", into / "sdk")
    header = into / "sdk/include/htp/abi.h"
    text = header.read_text()
    for word, before, after in zip(("MAJOR", "MINOR"), gate.version_of(release / "include"), version):
        text = text.replace(f"#define HTP_ABI_{word} {before}\n", f"#define HTP_ABI_{word} {after}\n")
    header.write_text(text)
    plugin = built(release / "templates/pass", into / "sdk/include", into / "built")
    said = run(host, "plugins", "check", plugin, code=1)
    today = "{}.{}".format(*gate.version_of(ROOT / "sdk/include"))
    for what in ("error[load.bad-abi]", f"ABI {version[0]}.{version[1]}", today, "use a newer htp-host"):
        if what not in said:
            raise Failed(f"`{what}` is not said of a plugin of ABI {version[0]}.{version[1]}:\n{said}")
    return f"ok      a plugin of ABI {version[0]}.{version[1]} is refused by a host of {today}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    host, folder = build / "bin/htp-host", build / "ship/matrix"
    shutil.rmtree(folder, ignore_errors=True)
    os.environ["HTP_CACHE"] = str(folder / "cache")
    releases = [gate.kept(version) for version in gate.released()]
    steps = [(runs, host, release, kind.name, folder) for release in releases for kind in sorted((release / "templates").iterdir())]
    major, minor = gate.version_of(ROOT / "sdk/include")
    steps += [(refused, host, releases[-1], version, folder) for version in ((major, minor + 1), (major + 1, 0))]
    failed = 0

    def one(step: tuple) -> str:  # type: ignore[type-arg]
        nonlocal failed
        try:
            return str(step[0](*step[1:]))
        except Failed as error:
            failed += 1
            return f"FAILED  {step[0].__name__} {step[2].name} {step[3]}\n{error}"

    with ThreadPoolExecutor(2) as pool:
        for line in pool.map(one, steps):
            print(line, flush=True)
    print(f"{failed} failed")
    return 1 if failed or not steps else 0


if __name__ == "__main__":
    sys.exit(main())
