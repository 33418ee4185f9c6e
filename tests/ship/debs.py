"""The Debian packages of a build: lintian has nothing to say, and unpacked somewhere they compile, run and make plugins.

    debs.py --build build/release        (a build with sanitizers is skipped: its packages are for no one)
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("cpack", "dpkg-deb", "dpkg-shlibdeps", "lintian")
SKIPPED = 77


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    said = done.stdout + done.stderr
    if done.returncode != 0:
        raise SystemExit(f"FAILED exit {done.returncode}: {' '.join(map(str, command))}\n{said[-6000:]}")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        return SKIPPED
    if re.search(r"^HTP_SANITIZE:\w+=(?!OFF$).+$", (build / "CMakeCache.txt").read_text(), re.MULTILINE):
        print("skipped: packages are made of builds without sanitizers")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="debs") as name:
        folder = Path(name)
        debs = [Path(line) for line in run(ROOT / "scripts/package-debs", build).splitlines()]
        found = {deb.name.split("_")[0]: deb for deb in debs}
        assert sorted(found) == ["htp", "htp-sdk"], debs
        run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", *debs)
        depends = run("dpkg-deb", "--field", found["htp"], "Depends")
        for package in ("libc6", "libstdc++6", "libyaml-cpp", "python3-numpy"):
            assert package in depends, depends
        for deb in debs:
            run("dpkg-deb", "--extract", deb, folder / "root")
        usr = folder / "root/usr"
        host = usr / "bin/htp-host"
        run(host, "--plugins", usr / "share/htp/manifests/cpu.yaml", "compile", ROOT / "examples/softmax/softmax.py", "-o", folder / "softmax")
        assert "y: f32 37x100" in run(host, "run", folder / "softmax", "--dim", "M=37", "--dim", "N=100", HTP_CACHE=str(folder / "cache"))
        run(host, "plugins", "new", "acme-pipe", "--kind", "pipeline", "--into", folder)
        run("cmake", "-S", folder / "acme-pipe", "-B", folder / "acme-pipe/build", f"-DCMAKE_PREFIX_PATH={usr}")
        run("cmake", "--build", folder / "acme-pipe/build")
        run(host, "plugins", "check", folder / "acme-pipe/build/plugins/acme-pipe")
        page = run("gzip", "-dc", usr / "share/man/man1/htp-host.1.gz")
        assert page.startswith(".TH HTP") and ".SS plugins new NAME" in page, page[:500]
        run("bash", "-n", usr / "share/bash-completion/completions/htp-host")
        completed = run("bash", "-c", f"source {usr}/share/bash-completion/completions/htp-host; COMP_WORDS=(htp-host plugins n); COMP_CWORD=2; _htp_host; echo ${{COMPREPLY[@]}}")
        assert completed == "new\n", completed
        print(*(f"ok      {deb.name} ({deb.stat().st_size >> 10} KiB)" for deb in debs), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
