"""`htp-host lsp` and Neovim's own client, which is not ours: what it shows, and what its changes make of the text.

    neovim_test.py --host build/plain/bin/htp-host

Ends with 77 where there is no `nvim` (Debian: apt install neovim).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests/editor/nvim.lua"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    host = parser.parse_args().host.resolve()
    if not shutil.which("nvim"):
        print("there is no nvim")
        return 77
    with tempfile.TemporaryDirectory(prefix="a b ") as name:
        program = Path(name) / "softmax.py"
        program.write_text((ROOT / "examples/softmax/softmax.py").read_text())
        environment = {**os.environ, "HTP_HOST": str(host), "HTP_PROGRAM": str(program), "HTP_CACHE": f"{name}/cache", "HTP_TRUST": f"{name}/trust.yaml", "HOME": name, "XDG_STATE_HOME": name}
        run = f"lua xpcall(function() dofile([[{SCRIPT}]]) end, function(e) print(e) vim.cmd('cquit 2') end)"
        done = subprocess.run(["nvim", "--headless", "-u", "NONE", "--cmd", "set noswapfile", "-c", run], capture_output=True, text=True, env=environment, cwd=name, timeout=200)
        print((done.stdout + done.stderr).strip())
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
