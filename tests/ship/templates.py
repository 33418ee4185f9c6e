"""`htp-host plugins new`, as a stranger uses it: with the installed SDK alone, for every kind a project is made, built, tested and checked.

    templates.py --build build/dev [KIND …]        (the build is installed into build/dev/ship/prefix; all kinds without any)
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KINDS = ["analysis", "backend", "binding", "dialect", "handlers", "intrinsics", "island", "layout", "pass", "pipeline"]
OWNER = "zeta"  # its names come after HTP's own, so that nothing works by their order


class Failed(Exception):
    """A step that should have worked, and what it said."""


def run(*command: str | Path, code: int = 0, **environment: str) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != code:
        raise Failed(f"exit {done.returncode}: {' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout + done.stderr


def project(kind: str, prefix: Path, folder: Path) -> str:
    """Makes, builds and tests one; what was done."""
    begin = time.monotonic()
    name, host = f"{OWNER}-{kind}", prefix / "bin/htp-host"
    said = run(host, "plugins", "new", name, "--kind", kind, "--into", folder)
    own = folder / name
    if f"made {own}" not in said:
        raise Failed(said)
    for path in [path for path in own.rglob("*") if path.is_file()]:
        if any(spelling in str(path.relative_to(own)) + path.read_text() for spelling in ("my-plugin", "my_plugin", "MyPlugin", "my.plugin")):
            raise Failed(f"{path} has the template's name in it")
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") and kind != "pipeline" else []
    run("cmake", "-S", own, "-B", own / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug", *launcher)
    run("cmake", "--build", own / "build")
    run("ctest", "--test-dir", own / "build", "--output-on-failure", "--no-tests=error", HTP_CACHE=str(folder / "cache"))
    # The commands that its README gives.
    run(host, "--plugins", own / "profile.yaml", "compile", "-o", own / "package")
    run("cmake", "--install", own / "build", "--prefix", folder / "installed")
    if not (folder / "installed/lib/htp/plugins" / name / "htp-plugin.yaml").exists():
        raise Failed(f"{name} was not installed")
    return f"ok      {kind} ({time.monotonic() - begin:.0f} s)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("kinds", nargs="*")
    given = parser.parse_args()
    folder = given.build.resolve() / "ship"
    shutil.rmtree(folder, ignore_errors=True)
    prefix = folder / "prefix"
    run("cmake", "--install", given.build, "--prefix", prefix)
    templates = prefix / "share/htp/templates"
    found = sorted(path.name for path in templates.iterdir() if path.name != "common")
    failed = [] if found == KINDS else [f"the templates are {found}"]
    if (prefix / "bin/htp-host").exists() and f"{', '.join(KINDS[:1])}" not in run(prefix / "bin/htp-host", "plugins", "new", "--help"):
        failed.append("`plugins new --help` does not name the kinds")

    def one(kind: str) -> str:
        try:
            return project(kind, prefix, folder / "projects")
        except Failed as error:
            failed.append(str(error))
            return f"FAILED  {kind}\n{error}"

    with ThreadPoolExecutor(2) as pool:  # each is a chain of single processes for the most part
        for line in pool.map(one, given.kinds or KINDS):
            print(line, flush=True)
    templates.rename(prefix / "templates")
    said = run(prefix / "bin/htp-host", "plugins", "new", "acme-fold", "--kind", "pass", "--into", folder, code=1)
    if f"error[cli.no-templates]: there are no templates in `{templates}`" not in said:
        failed.append(said)
    shutil.rmtree(prefix, ignore_errors=True)
    print(*failed, sep="\n")
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
