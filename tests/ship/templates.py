"""`htp-host plugins new`, as a stranger uses it: with the installed SDK alone, for every kind a project is made, and what it prints is done:
it is built, tested and checked. All paths have a space in them.

    templates.py --build build/dev [KIND | python/KIND …]        (the build is installed into build/dev/ship; all kinds without any)
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from slices import taken  # noqa: E402

KINDS = ["analysis", "backend", "binding", "dialect", "handlers", "intrinsics", "island", "layout", "pass", "pipeline"]
PYTHON = ["analysis", "pass"]
SEEDS = range(1, 5)
OWNER = "zeta"  # its names come after HTP's own, so that nothing works by their order


class Failed(Exception):
    """A step that should have worked, and what it said."""


def run(*command: str | Path, code: int = 0, **environment: str) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != code:
        raise Failed(f"exit {done.returncode}: {' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout + done.stderr


def project(kind: str, prefix: Path, folder: Path) -> str:
    """Makes one, and does what is printed; what was done."""
    begin = time.monotonic()
    language, _, unit = kind.rpartition("/")
    name, host = f"{OWNER}-{unit}", prefix / "bin/htp-host"
    into = folder / f"my {language or 'c++'} projects"
    said = run(host, "plugins", "new", name, "--kind", unit, "--language", language or "c++", "--into", into)
    own = into / name
    if f"made {own}" not in said:
        raise Failed(said)
    for path in [path for path in own.rglob("*") if path.is_file()]:
        if any(spelling in str(path.relative_to(own)) + path.read_text() for spelling in ("my-plugin", "my_plugin", "MyPlugin", "my.plugin")):
            raise Failed(f"{path} has the template's name in it")
    launcher = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") and kind != "pipeline" else {}
    commands = [line for line in said.splitlines() if line.startswith("  ")]
    if not commands[0].startswith("  cd ") or len(commands) != 4:
        raise Failed(said)
    done = run("sh", "-ec", "\n".join(commands), CMAKE_BUILD_TYPE="Debug", HTP_CACHE=str(folder / "cache"), **launcher)
    if (language and "1 of them fit for use" not in done) or (not language and "100% tests passed" not in done):
        raise Failed(done)
    # More of the made-up changes that a check begins with: which ones goes by the plugin's name.
    if not language and (own / "build/plugins" / name).exists():
        for seed in SEEDS:
            run(host, "plugins", "check", own / "build/plugins" / name, "--only", "survives-changes", "--reproduce", str(seed), HTP_CACHE=str(folder / "cache"))
    # The commands that its README gives.
    run(host, "--plugins", own / "profile.yaml", "compile", "-o", own / "package")
    target = folder / f"installed {language or 'c++'}"
    installed = target / "lib/htp/plugins" / name
    if language:
        shutil.copytree(own, installed, ignore=shutil.ignore_patterns("tests"))
        run(host, "--plugin-path", installed.parent, "plugins", "show", f"{OWNER}.{unit}")
    else:
        run("cmake", "--install", own / "build", "--prefix", target)
    if not (installed / "htp-plugin.yaml").exists():
        raise Failed(f"{name} was not installed")
    return f"ok      {kind} ({time.monotonic() - begin:.0f} s)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("kinds", nargs="*")
    given = parser.parse_args()
    folder = given.build.resolve() / "ship"
    shutil.rmtree(folder, ignore_errors=True)
    prefix = folder / "the prefix"
    run("cmake", "--install", given.build, "--prefix", prefix)
    templates = prefix / "share/htp/templates"
    found = [sorted(path.name for path in place.iterdir() if path.name not in ("common", "python")) for place in (templates, templates / "python")]
    failed = [] if found == [KINDS, PYTHON] else [f"the templates are {found}"]
    if (prefix / "bin/htp-host").exists() and f"{', '.join(KINDS[:1])}" not in run(prefix / "bin/htp-host", "plugins", "new", "--help"):
        failed.append("`plugins new --help` does not name the kinds")

    def one(kind: str) -> str:
        try:
            return project(kind, prefix, folder / "projects")
        except Failed as error:
            failed.append(str(error))
            return f"FAILED  {kind}\n{error}"

    with ThreadPoolExecutor(2) as pool:  # each is a chain of single processes for the most part
        for line in pool.map(one, given.kinds or taken([f"python/{kind}" for kind in PYTHON] + KINDS)):
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
