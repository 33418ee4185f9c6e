"""What htp-host says, verbatim: every command on good and bad input, against golden texts.

    cli_test.py --host build/dev/bin/htp-host --build build/dev [CASE …]       (with HTP_UPDATE=1 it writes the texts)

A case is a list of command lines (or `cat FILE`) run one after the other in an empty folder with its files; the golden text is what they print, standard
output first, with folders and the version replaced by words.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from given import (
    ADD,
    BESIDE,
    CHECKED,
    CPU,
    FAULTY,
    GEMM,
    HERE_TOO,
    IDLE,
    LOCK,
    LOCKED,
    LOCKED_PYTHON,
    MADE,
    MADE_PYTHON,
    ONE_MORE,
    NARROWED,
    NO_SIMULATION,
    PIPELINE,
    PIPELINE_PROGRAM,
    PLUGIN,
    RESTS,
    SCALED,
    SPOILING,
    STUCK_LATE,
    STUCK_RING,
    TARGET_ALONE,
    TASKS,
    TWO_WAYS,
    TWIN,
    TWO_FIRST,
    fault,
    faulty,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

Case = tuple[dict[str, str], list[str]]
COMPILE = "--plugins p.yaml compile a.py -o out"

CASES: dict[str, Case] = {
    # ── the command line ──
    "no-command": ({}, [""]),
    "unknown-command": ({}, ["compil x.py", "--plugins P complie x.py", "plugins --plugins P chek", "ops shwo"]),
    "bad-value": ({}, ["run out --seed abc", "run out --seed -1", "run out --seed 99999999999999999999999", "--color purple ops", "compile a.py --color purple", "run out --dim M",
                       "run out --dim M=-1", "run out --dim =4", "compile a.py -o", "compile a.py -o ''", "compile --set N=3 a.py --locked=maybe", "stages out --diff 1", "build"]),
    "from-stage-and-program": ({"p.yaml": CPU, "a.py": ADD}, [COMPILE + " --from-stage s"]),
    "usage-json": ({}, ["complie x.py --json", "--json compile --entri x"]),
    "refused-json": ({"p.yaml": CPU, "a.py": "x = (\n"}, ["--plugins p.yaml --json plan a.py", "--json explain io.unreadabel", "--json build nowhere", "--json run nowhere", "--json stages nowhere",
                                                          "--json ops show tile.ad", "--json ast nowhere"]),
    "refused-compile-json": ({"p.yaml": CPU, "a.py": "import htp\n"}, [COMPILE + " --json"]),
    "sarif": ({"p.yaml": CPU, "a.py": ADD.replace("a[i] + b[i]", "(lambda: a[i])()")}, [COMPILE + " --sarif out.sarif", "cat out.sarif"]),
    "no-such-folder": ({}, ["--plugin-path nowhere plugins show htp.dialect-wsp"]),
    "unknown-option": ({}, ["compile --entri x"]),
    "option-too-early": ({}, ["--locked compile a.py", "plugins --only survives check"]),
    "bad-set": ({"p.yaml": CPU, "a.py": ADD}, [COMPILE + " --set N", COMPILE + " --set"]),
    "unexpected-argument": ({}, ["plugins list a b", "compile a.py b.py", "compile a.py complie", "plugins chek", "compile -w"]),
    "help-compile": ({}, ["compile --help"]),
    "tune-no-program": ({"p.yaml": CPU, "bad.py": "def f(:\n"}, ["--plugins p.yaml tune nowhere.py", "--plugins p.yaml tune bad.py"]),
    "tune-usage": ({"p.yaml": CPU, "a.py": ADD}, ["tune --help", "tune a.py --budget 0", "tune a.py --budget 3m", "--plugins p.yaml tune", "--plugins p.yaml tune a.py", "--plugins p.yaml tune a.py --json"]),
    "simulate-usage": ({"p.yaml": CPU, "a.py": ADD}, ["simulate --help", "simulate a.py --budget 3m", "simulate a.py --capacity rows", "simulate a.py --capacity rows=0", "simulate a.py --dim M"]),
    "simulate": ({"p.yaml": CPU, "a.py": PIPELINE_PROGRAM, "bin/dot": "#!/bin/sh\ncat\n"},
                 ["--plugins p.yaml simulate a.py --dim M=60 --dim N=96 --svg a.svg", "cat a.svg", "--plugins p.yaml simulate a.py --dim M=20 --dim N=32 --trace a.json -q", "cat a.json",
                  "--plugins p.yaml simulate a.py --dim M=8 --dim N=32 --capacity rows=1 --json"]),
    "simulate-choose": ({"p.yaml": CPU, "a.py": PIPELINE_PROGRAM, "two.py": TWO_FIRST},
                        ["--plugins p.yaml simulate a.py --dim M=60 --dim N=96 --choose-capacities", "--plugins p.yaml simulate a.py --dim M=60 --dim N=96 --budget 4KiB",
                         "--plugins p.yaml simulate two.py --dim M=60 --dim N=96 --choose-capacities", "--plugins p.yaml simulate two.py --dim M=60 --dim N=96 --budget 8KiB",
                         "--plugins p.yaml simulate two.py --dim M=60 --dim N=96 --capacity rows=1"]),
    "simulate-refused": ({"p.yaml": CPU, "a.py": PIPELINE_PROGRAM, "b.py": ADD, "late.py": STUCK_LATE, "bin/dot": "#!/bin/sh\necho 'no such font' >&2\nexit 1\n"},
                         ["--plugins p.yaml simulate a.py --dim M=60", "--plugins p.yaml simulate b.py --dim N=60", "--plugins p.yaml simulate a.py --dim M=60 --dim N=96 --capacity row=2", "--plugins p.yaml simulate a.py --dim M=60 --dim N=96 --dim K=2",
                          "--plugins p.yaml simulate a.py --dim M=9000000 --dim N=8 -q", "--plugins p.yaml simulate a.py --dim M=16 --dim N=8 --svg a.svg",
                          "--plugins p.yaml simulate a.py --dim M=16 --dim N=8 --trace nowhere/t.json -q", "simulate a.py",
                          "--plugins p.yaml simulate late.py --dim M=60 --dim N=96", "--plugins p.yaml simulate late.py --dim M=60 --dim N=96 --budget 4KiB"]),
    "simulate-none": ({"p.yaml": faulty(), "q.yaml": faulty().replace("search:\n", "search:\n  - .\n"), "a.py": FAULTY, "made/htp-plugin.yaml": NO_SIMULATION,
                       "made/told.py": "def tell(tree, c):\n    return {tree.body[-1]: '{}'}\n"},
                      ["--plugins p.yaml simulate a.py", "--plugins q.yaml simulate a.py"]),
    "task-graph": ({"p.yaml": CPU, "a.py": TASKS, "bin/dot": "#!/bin/sh\ncat\n"},
              ["--plugins p.yaml graph a.py", "--plugins p.yaml graph a.py --stage source --json", "--plugins p.yaml graph a.py -o a.svg", "cat a.svg",
               "--plugins p.yaml graph a.py -o a.json -q"]),
    "task-graph-refused": ({"p.yaml": CPU, "a.py": TASKS, "b.py": ADD},
                      ["graph --help", "--plugins p.yaml graph a.py -o a.png", "--plugins p.yaml graph a.py --stage cpu.lops", "--plugins p.yaml graph b.py",
                       "--plugins p.yaml graph a.py -o nowhere/a.dot"]),
    "deadlock": ({"p.yaml": CPU, "a.py": STUCK_RING, "bin/dot": "#!/bin/sh\ncat\n"},
                 ["--plugins p.yaml graph a.py --entry ring --deadlock", "--plugins p.yaml graph a.py --entry ring --deadlock -o a.svg", "cat a.svg",
                  "--plugins p.yaml graph a.py --entry backwards --deadlock", "--plugins p.yaml graph a.py --entry backwards --deadlock --json", "--plugins p.yaml graph a.py --entry backwards --deadlock -o a.json -q",
                  "--plugins p.yaml compile a.py --entry backwards"]),
    "checked-channels": ({"p.yaml": CPU, "a.py": TWO_WAYS, "b.py": ONE_MORE, "c.py": BESIDE, "bin/dot": "#!/bin/sh\ncat\n"},
                         ["--plugins p.yaml compile a.py -o a -q", "run a --dim M=40 --arg limit=100 -q", "run a --dim M=40 --arg limit=0", "--plugins p.yaml simulate a.py --dim M=40",
                          "--plugins p.yaml graph a.py --deadlock", "--plugins p.yaml compile b.py -o b -q", "run b --dim M=4 --arg count=4 -q",
                          "run b --dim M=4 --arg count=5", "run b --dim M=4 --arg count=3", "run b --dim M=4 --arg count=1",
                          "--plugins p.yaml graph c.py --deadlock", "--plugins p.yaml graph c.py --deadlock -o c.svg", "cat c.svg", "--plugins p.yaml graph c.py --deadlock --json"]),
    "deadlock-refused": ({"p.yaml": CPU, "a.py": PIPELINE_PROGRAM, "b.py": ADD, "late.py": STUCK_LATE, "less.py": PIPELINE_PROGRAM.replace("parts.get()", "parts.get() + parts.get()"),
                          "more.py": PIPELINE_PROGRAM.replace("            rows.put(x[i, :])\n", "            rows.put(x[i, :])\n        for i in tiles(M, 8):\n            rows.put(x[i, :])\n")},
                         ["--plugins p.yaml graph a.py --deadlock", "--plugins p.yaml graph a.py --deadlock --json", "--plugins p.yaml graph b.py --deadlock", "--plugins p.yaml graph late.py --deadlock",
                          "--plugins p.yaml graph a.py --deadlock --stage source", "--plugins p.yaml graph less.py --deadlock", "--plugins p.yaml graph more.py --deadlock"]),
    "report": ({"p.yaml": CPU, "a.py": ADD, "t.json": "{\"traceEvents\": 1}", "e.json": "{\"traceEvents\": [{\"ph\": \"X\", \"ts\": \"x\"}]}", "v.json": "{\"digest\": \"0\", \"passes\": []}", "w.json": "{\"digest\": 5, \"passes\": []}"},
               [COMPILE + " -q", "report out", "report out --trace t.json", "report out --trace e.json", "report out --bench nowhere.json", "report out --bench p.yaml", "report out --dim Q=4",
                "report out -o nowhere/page.html", "report nowhere", "report", "report out --verify p.yaml", "report out --verify v.json", "report out --values --inputs nowhere.npz",
                "report out --entry add --set A=1 --port 8000", "report --serve nowhere.py", "report --serve a.py --port 70000", "report out -o a.py", "report out -o out/manifest.json", "report out --verify w.json", "report --help"]),
    "no-program": ({"p.yaml": CPU}, ["--plugins p.yaml compile"]),
    "no-profile": ({"a.py": ADD}, ["compile a.py"]),
    "no-target": ({"p.yaml": "htp_profile: 1\n", "empty.yaml": "", "a.py": ADD}, [COMPILE, "--plugins empty.yaml compile a.py", "plugins lock a.py"]),
    "missing-profile": ({"a.py": ADD}, [COMPILE, "--plugins cpuu compile a.py", "--plugins nobodys compile a.py"]),
    "missing-program": ({"p.yaml": CPU}, [COMPILE]),
    "package-for-program": ({"p.yaml": CPU, "a.py": ADD}, [COMPILE, "--plugins p.yaml compile out -o again", "--plugins p.yaml simulate out"]),
    "out-is-no-package": ({"p.yaml": CPU, "a.py": ADD, "out/mine.txt": "x"}, [COMPILE]),
    "explain": ({}, ["explain io.unreadable", "explain io.unreadabel", "explain tile.local-call", "explain nothing.like-that"]),
    "edit": ({"p.yaml": CPU, "a.py": ADD, "b.py": ADD, "c.py": ADD.replace("a[i] + b[i]", "a[i] + nothing[i]")},
             [COMPILE + " -q", "edit out source --replace 'a[i] + b[i]' 'b[i] + a[i]' -o other", "stages out --diff source source", "edit out source --replace htp x -o worse",
              "edit out source --replace nowhere x -o worse", "edit out source -o worse", "edit out nothing --replace a b -o worse", "edit out source --program nowhere.py -o worse", "edit out source --program b.py", "edit out source --replace 'a[i] + b[i]' 'a[i] + nothing[i]' -o worse",
              "edit out source --program c.py -o worse", "edit --help",
              "mcp --list", "mcp --help"]),
    "explain-node": ({"p.yaml": CPU, "a.py": ADD},
                     [COMPILE + " -q", "explain out:00:30", "explain out:kernel.c:9", "explain out:a.py:11 --dim N=4096", "explain out:ir/stages/02-tile.infer/program.py:16", "explain out:00:99999", "explain out:07x:1",
                      "explain out:kernel.c:99999", "explain out:a.py:1", "explain out:nothing", "explain nowhere:00:1", "explain --help"]),
    "ops-show": ({}, ["ops show tile.matmul", "ops show tile.matmull", "ops show exp", "ops show nothing-like-that"]),
    "plugins-show": ({}, ["plugins show htp.dialect-wsp", "plugins show htp.dialect-wps", "plugins show wsp.apply"]),
    "plugins-show-conflicts": ({}, ["plugins show test.stale --plugin-path BUILD/fixtures/stale", "plugins show test.stale --json --plugin-path BUILD/fixtures/stale"]),
    "plugins-check-stale": ({}, ["plugins check BUILD/fixtures/stale"]),
    "plugins-check": ({}, ["plugins check BUILD/plugins/dialect-tile", "plugins check nowhere"]),
    "plugins-check-several": ({"a b/one/htp-plugin.yaml": PLUGIN.format("one"), "a b/two/htp-plugin.yaml": PLUGIN.format("two"), "bad/htp-plugin.yaml": "htp_manifest: 1\nplugin: [\n"}, ["plugins check 'a b' bad", "plugins check 'a b/two' 'a b/one/htp-plugin.yaml' 'a b/two/' -q", "plugins check p.yaml q.yaml", "plugins check 'a b' nowhere"]),
    "plugins-check-only": ({}, ["plugins check BUILD/plugins/dialect-wsp --only file", "plugins check --only fiel", "plugins check --only nothing-like-that --json"]),
    "plugins-new": ({}, ["plugins new acme-fold --kind pass", "cat acme-fold/htp-plugin.yaml", "plugins new acme-pipe --kind pipeline --into made/here --json", "plugins new acme-quick --kind pass --language python --into 'made/it'\\''s here'", "plugins new acme-count --kind analysis --language python --json"]),
    "plugins-new-bad-name": ({}, [f"plugins new {name} --kind pass" for name in ("fold", "Acme.Fold", "acme-2fold", "htp-fold", "acme_fold", "'acme fold'", "x" + "-long" * 20)]),
    "plugins-new-unknown-kind": ({}, ["plugins new acme-fold --kind pas", "plugins new acme-fold --kind nothing-like-that", "plugins new acme-fold --kind backend --language python", "plugins new acme-fold --kind pass --language perl", "plugins new fold --kind pas --json"]),
    "plugins-new-in-the-way": ({"acme-fold/mine.txt": "x"}, ["plugins new acme-fold --kind pass", "plugins new acme-fold --kind pass --into acme-fold/mine.txt/x"]),
    "plugins-new-usage": ({}, ["plugins new", "plugins new acme-fold", "plugins nwe acme-fold"]),
    # ── what is chosen ──
    "no-plan": ({"p.yaml": CPU + "plugins:\n  - htp.dialect-wsp @>=9\n  - htp.dialect-tile @<9\n", "a.py": ADD}, ["--plugins p.yaml plan a.py", "--plugins p.yaml plan a.py --json --sarif s", "cat s"]),
    "twins": (
        {
            "p.yaml": LOCKED["p.yaml"],
            "a.py": "x = 1\n",
            "made/htp-plugin.yaml": TARGET_ALONE,
            "one/htp-plugin.yaml": TWIN.format("one"),
            "two/htp-plugin.yaml": TWIN.format("two"),
        },
        ["--plugins p.yaml plan a.py"],
    ),
    "lock": (
        {"p.yaml": CPU, "q.yaml": CPU, "a.py": ADD},
        ["plugins lock", "plugins lock p.yaml", "plugins lock p.yaml", "plugins lock q.yaml -o nowhere/x", COMPILE + " --locked", "--plugins q.yaml compile a.py --locked", "compile a.py --locked"],
    ),
    "lock-of-htp": ({}, ["plugins lock cpu", "--plugins cpu plugins lock", "plugins lock cpu -o cpu.lock.yaml"]),
    "lock-differs": ({**LOCKED, "p.lock.yaml": LOCK.format(digest="b" * 64, version="1.0")}, ["--plugins p.yaml plan a.py --locked"]),
    "lock-of-yml": ({"p.yml": LOCKED["p.yaml"], "a.py": LOCKED["a.py"], "made/htp-plugin.yaml": MADE, "p.yml.lock.yaml": LOCK.format(digest="b" * 64, version="1.0")}, ["--plugins p.yml plan a.py --locked"]),
    "lock-gone": ({**LOCKED, "p.lock.yaml": LOCK.format(digest="b" * 64, version="1.0").replace("made.up", "made.upp")}, ["--plugins p.yaml plan a.py --locked"]),
    "lock-lacks": ({**LOCKED, "one/htp-plugin.yaml": TWIN.format("one"), "p.lock.yaml": LOCK.format(digest="b" * 64, version="1.0").replace("made.up", "made.one")}, ["--plugins p.yaml plan a.py --locked"]),
    "lock-version": ({**LOCKED, "p.lock.yaml": LOCK.format(digest="b" * 64, version="2.0")}, ["--plugins p.yaml plan a.py --locked"]),
    "lock-damaged": ({**LOCKED, "p.lock.yaml": "htp_lock: 1\nplugins:\n  - id: made.up\n    versoin: \"1.0\"\n"}, ["--plugins p.yaml plan a.py"]),
    "lock-python": (LOCKED_PYTHON, ["--plugins p.yaml plan a.py --locked", "plugins lock p.yaml", "--plugins p.yaml plan a.py --locked"]),
    "broken-manifest": (
        {"p.yaml": HERE_TOO, "a.py": "import made\n", "made/htp-plugin.yaml": MADE_PYTHON.replace("    wants:", "    want:")},
        ["--plugins p.yaml plan a.py"],
    ),
    "pipeline-of-another-source": (
        {"p.yaml": HERE_TOO + "pipeline: order.wrong\n", "a.py": ADD, "made/htp-plugin.yaml": PIPELINE.replace("cpu.loops", "wsp.lower")},
        ["--plugins p.yaml plan a.py", "--plugins p.yaml plan a.py --json"],
    ),
    "plan-unhandled": (
        {"p.yaml": CPU.replace("target: cpu", "target: a2a3"), "a.py": GEMM.replace("c[i, j] = acc", "c[i, j] = sort(acc, axis=1)").replace("kernel, matmul,", "kernel, matmul, sort,")},
        ["--plugins p.yaml plan a.py", COMPILE],
    ),
    "no-order": (
        {"p.yaml": HERE_TOO + "pipeline: made.order\n", "a.py": ADD, "made/htp-plugin.yaml": SPOILING, "made/python/made.py": "def spoil(context, module):\n    return module\n"},
        ["--plugins p.yaml plan a.py", COMPILE, "--plugins p.yaml plan a.py --json"],
    ),
    "idle-plugin": (
        {"p.yaml": HERE_TOO + "plugins:\n  - made.spoil\n", "a.py": ADD, "made/htp-plugin.yaml": IDLE, "made/python/made.py": "def spoil(context, module):\n    return module\n"},
        [COMPILE],
    ),
    "pipeline-unknown-pass": (
        {"p.yaml": HERE_TOO + "pipeline: order.wrong\n", "a.py": ADD, "made/htp-plugin.yaml": PIPELINE.replace("cpu.select", "cpu.selct")},
        ["--plugins p.yaml plan a.py"],
    ),
    "graph": (LOCKED, ["plugins graph p.yaml --plugin-path .", "plugins graph p.yaml -o g.json", "cat g.json", "plugins graph p.yaml -o g.png", "plugins graph p.yaml -o nowhere/g.dot"]),
    "graph-svg": ({**LOCKED, "bin/dot": "#!/bin/sh\necho '<svg/>'\n"}, ["plugins graph p.yaml -o g.svg --quiet", "cat g.svg"]),
    "graph-no-dot": ({**LOCKED, "bin/dot": "#!/bin/sh\necho 'no such font' >&2\nexit 1\n"}, ["plugins graph p.yaml -o g.svg"]),
    # ── programs ──
    "syntax-error": ({"p.yaml": CPU, "a.py": "import htp\ndef f(:\n    pass\n"}, [COMPILE]),
    "unknown-target": ({"p.yaml": "htp_profile: 1\ntarget: cpuu\n", "a.py": ADD}, [COMPILE]),
    "unknown-module": ({"p.yaml": CPU, "a.py": "import numpy\n" + ADD}, [COMPILE]),
    "unknown-entry": ({"p.yaml": CPU, "a.py": ADD, "star.py": re.sub("from htp_tile import .*", "from htp_tile import *", ADD)}, [COMPILE + " --entry vector_ad", COMPILE.replace("a.py", "star.py") + " --entry vector_add"]),
    "no-entry": ({"p.yaml": CPU, "a.py": "import htp\nfrom htp_tile import tiles\nx = 1\n"}, [COMPILE]),
    "which-entry": ({"p.yaml": CPU, "a.py": ADD + "\n\n" + ADD[ADD.index("@kernel"):].replace("def vector_add", "def again"),
                     "b.py": (ADD + "\n\n" + ADD[ADD.index("@kernel"):].replace("def vector_add", "def again")).replace("@kernel", "@pipeline(ends='always')\n@kernel").replace("import htp\n", "import htp\nfrom htp_csp import pipeline\n", 1)},
                    [COMPILE, COMPILE.replace("a.py", "b.py")]),
    "set-unknown": ({"p.yaml": CPU, "a.py": "SIZE = 4\n" + ADD}, [COMPILE + " --set SIZ=3"]),
    "set-type": ({"p.yaml": CPU, "a.py": "SIZE = 4\n" + ADD}, [COMPILE + " --set SIZE=big", COMPILE + " --set SIZE=9999999999999999999999"]),
    "set-of-several": ({"p.yaml": CPU, "a.py": ADD.replace('N = htp.dim("N")', '# sizes\nM, N = htp.dim("M"), htp.dim("N")  # both')},
                       [COMPILE + " --set N=96", "stages out source"]),
    "sibling": ({"p.yaml": CPU, "a.py": ADD.replace("from htp_tile", "from sizes import BLOCK\nfrom htp_tile").replace("tiles(N, 64)", "tiles(N, BLOCK)"), "sizes.py": "HALF = 256\nBLOCK = 2 * HALF\nOTHER = 1\n"},
                [COMPILE, "stages out source"]),
    "sibling-missing-name": ({"p.yaml": CPU, "a.py": "from sizes import BLOKC\n" + ADD, "sizes.py": "BLOCK = 4\n"}, [COMPILE]),
    "sibling-star": ({"p.yaml": CPU, "a.py": "from sizes import *\n" + ADD, "sizes.py": "BLOCK = 4\n"}, [COMPILE]),
    "sibling-renamed": ({"p.yaml": CPU, "a.py": "from sizes import BLOCK as B\n" + ADD, "sizes.py": "BLOCK = 4\n"}, [COMPILE]),
    "sibling-cycle": ({"p.yaml": CPU, "a.py": "from one import P\n" + ADD, "one.py": "from two import Q\n\nP = 1\n", "two.py": "from one import P\n\nQ = 2\n"}, [COMPILE]),
    "sibling-import": ({"p.yaml": CPU, "sizes.py": "HALF = 256\nBLOCK = 2 * HALF\nOTHER = 1\n",
                        "a.py": "import sizes as of\n" + ADD.replace("tiles(N, 64)", "tiles(N, of.BLOCK)"),
                        "b.py": "import sizes\n" + ADD + "\nTABLE = sizes\n",
                        "c.py": "import sizes\n" + ADD.replace("tiles(N, 64)", "tiles(N, sizes.BLOKC)"),
                        "d.py": "import sizes\n" + ADD.replace("for i in tiles(N, 64)", "for BLOCK in tiles(N, sizes.BLOCK)")},
                       [COMPILE, "stages out source", *(COMPILE.replace("a.py", f"{name}.py") for name in "bcd")]),
    "too-deep": ({"p.yaml": CPU, "a.py": ADD + "\nx = " + " + ".join(["1"] * 2600) + "\n"}, [COMPILE]),
    # ── options ──
    "unknown-option-of-unit": ({"p.yaml": faulty("options:\n  faulty.pass:\n    falt: x\n"), "a.py": FAULTY}, [COMPILE]),
    "option-type": ({"p.yaml": faulty("options:\n  faulty.pass:\n    count: many\n"), "a.py": FAULTY}, [COMPILE]),
    "option-of-absent-unit": ({"p.yaml": faulty("options:\n  some.unit:\n    x: y\n"), "a.py": FAULTY}, [COMPILE]),
    # ── stages ──
    "stages": ({"p.yaml": faulty(), "a.py": FAULTY}, [COMPILE, "stages out", "stages out --diff 00 faulty.fold", "stages out 7"]),
    "stages-last": (
        {"p.yaml": CPU, "q.yaml": CPU.replace("target: cpu", "target: a2a3"), "a.py": CHECKED},
        [COMPILE + " --stages last -q", "stages out --diff source tile.infer", "--plugins p.yaml compile --from-stage out/ir/stages/01-tile.inline -o again", "run out --dim N=4 --arg n=2 --arg m=1",
         "--plugins q.yaml stages out tile.infer", "--plugins nowhere.yaml stages out tile.infer", "--plugins q.yaml stages out source", COMPILE + " --stages first"],
    ),
    "resume-no-header": ({"p.yaml": CPU, "s/program.py": ADD}, ["--plugins p.yaml compile --from-stage s -o out"]),
    "resume-bad-header": ({"p.yaml": CPU, "s/program.py": "import htp\nhtp.stage(after=1)\n"}, ["--plugins p.yaml compile --from-stage s -o out"]),
    "resume-not-held": ({"p.yaml": CPU, "s/program.py": ADD.replace("import htp\n", "import htp\nhtp.stage(after='x', holds=['Tile.Canonical'], then=[], entry='vector_add', target='cpu')\n", 1)},
                        ["--plugins p.yaml compile --from-stage s -o out"]),
    "resume-anew": ({"p.yaml": CPU, "s/program.py": ADD.replace("import htp\n", "import htp\nhtp.stage(after='x', holds=['Tile.Kernel'], then=['cpu.loops'], entry='vector_add', target='cpu')\n", 1)},
                    ["--plugins p.yaml compile --from-stage s -o out"]),
    "resume-differs": ({"p.yaml": CPU, "s/program.py": ADD.replace("import htp\n", "import htp\nhtp.stage(after='x', holds=['Tile.Kernel'], then=['no.pass'], entry='vector_add', target='cpu')\n", 1)},
                       ["--plugins p.yaml compile --from-stage s -o out"]),
    "resume-other-target": ({"p.yaml": CPU, "s/program.py": ADD.replace("import htp\n", "import htp\nhtp.stage(after='x', holds=['Tile.Kernel'], then=[], entry='vector_add', target='other')\n", 1)},
                            ["--plugins p.yaml compile --from-stage s -o out"]),
    # Nothing of it is imported any more, and what it verifies holds still.
    "resume-held": ({"p.yaml": CPU, "a.py": ADD.replace("import htp\n", "import htp\nfrom htp_csp import channel\n", 1)},
                    ["--plugins p.yaml compile a.py -o first", "--plugins p.yaml compile --from-stage first/ir/stages/02-tile.infer -o out"]),
    # ── plugins that misbehave ──
    "pass-throws": ({"p.yaml": fault("faulty.pass", "throw"), "a.py": FAULTY}, [COMPILE, "explain plugin.exception"]),
    "pass-silent": ({"p.yaml": fault("faulty.pass", "silent"), "a.py": FAULTY}, [COMPILE]),
    "pass-not-module": ({"p.yaml": fault("faulty.pass", "not-module"), "a.py": FAULTY}, [COMPILE]),
    "pass-bad-node": ({"p.yaml": fault("faulty.pass", "bad-node"), "a.py": FAULTY}, [COMPILE]),
    "pass-analysis": ({"p.yaml": fault("faulty.pass", "analysis"), "a.py": FAULTY}, [COMPILE]),
    "table-silent": ({"p.yaml": faulty("options:\n  faulty.pass:\n    fault: table\n  faulty.table:\n    fault: silent\n"), "a.py": FAULTY}, [COMPILE]),
    "table-itself": ({"p.yaml": faulty("options:\n  faulty.pass:\n    fault: table\n  faulty.table:\n    fault: itself\n"), "a.py": FAULTY}, [COMPILE]),
    "table-type": ({"p.yaml": faulty("options:\n  faulty.pass:\n    fault: table\n  faulty.table:\n    fault: type\n"), "a.py": FAULTY}, [COMPILE]),
    "table-twice": ({"p.yaml": faulty("options:\n  faulty.pass:\n    fault: table\n  faulty.table:\n    fault: twice\n"), "a.py": FAULTY}, [COMPILE]),
    "pass-artifact": ({"p.yaml": fault("faulty.pass", "artifact"), "a.py": FAULTY}, [COMPILE]),
    "pass-cancelled": ({"p.yaml": fault("faulty.pass", "cancelled"), "a.py": FAULTY}, [COMPILE]),
    "unknown-pipeline": ({"p.yaml": CPU + "pipeline: cpu.fast\n", "a.py": ADD}, [COMPILE, "--plugins p.yaml plan a.py"]),
    "unknown-hardware": ({"p.yaml": CPU + "hardware:\n  vector:\n    bites: 32\n", "a.py": ADD}, [COMPILE + " --quiet"]),
    "sibling-clash": (
        {"p.yaml": CPU, "a.py": ADD.replace("import htp\n", "import htp\nfrom one import P\nfrom two import Q\n", 1), "one.py": "S = 1\nP = S\n", "two.py": "S = 2\nQ = S\n"},
        [COMPILE],
    ),
    "pass-intrinsic": ({"p.yaml": fault("faulty.pass", "infer"), "a.py": FAULTY}, [COMPILE]),
    "pass-tool": ({"p.yaml": fault("faulty.pass", "tool"), "a.py": FAULTY}, [COMPILE]),
    "pass-escape": ({"p.yaml": fault("faulty.pass", "escape"), "a.py": FAULTY}, [COMPILE]),
    "pass-snippet": ({"p.yaml": fault("faulty.pass", "snippet"), "a.py": FAULTY}, [COMPILE]),
    "artifact-outside": ({"p.yaml": fault("faulty", "outside"), "a.py": FAULTY}, [COMPILE]),
    "artifact-twice": ({"p.yaml": fault("faulty", "twice"), "a.py": FAULTY}, [COMPILE]),
    "broken-promise": ({"p.yaml": faulty(), "a.py": FAULTY + "    y = x + 1\n"}, [COMPILE + " --verify-each"]),
    "binding-silent": ({"p.yaml": fault("faulty.binding", "validate"), "a.py": FAULTY}, [COMPILE, "--plugins p.yaml build out"]),
    "no-binding": ({"p.yaml": faulty(), "a.py": FAULTY}, [COMPILE, "build out"]),
    # ── running ──
    "run-too-small": ({"p.yaml": CPU, "a.py": NARROWED}, [COMPILE, "run out --dim N=2"]),
    # What is checked as it runs has the user's own line and the ints that met.
    "run-checked": (
        {"p.yaml": CPU, "a.py": CHECKED},
        [COMPILE, *(f"run out --dim N=4 --arg {n} --arg {m}" for n, m in (("n=2", "m=1"), ("n=1", "m=0"), ("n=0", "m=-1"), ("n=99999999999", "m=1"))), "--json run out --dim N=4 --arg n=2 --arg m=1"],
    ),
    # A rest is anything below its divisor: what is made of it may not fit.
    "run-rests": ({"p.yaml": CPU, "a.py": RESTS}, [COMPILE, *(f"run out --dim N=4 --arg n={n} --arg m={m}" for n, m in ((1, 2), (2, 1), (3, 4), (6, -4)))]),
    "run-unknown-dim": ({"p.yaml": CPU, "a.py": ADD}, [COMPILE, "run out --dim Q=3"]),
    "run-scalars": (
        {"p.yaml": CPU, "a.py": SCALED},
        [COMPILE, "run out --dim N=3 --arg scale=0.5 --arg more=2", *(f"run out --arg {arg}" for arg in ("scale=x", "other=1", "more=1.5", "more=99999999999999999999", "scale=1e99", "scale"))],
    ),
    "run-no-inputs-file": ({"p.yaml": CPU, "a.py": ADD}, [COMPILE, "run out --inputs none.npz"]),
    "build-into": ({"p.yaml": CPU, "a.py": ADD}, [COMPILE, "build out --into p.yaml/x"]),
    "run-no-package": ({}, ["run nowhere"]),
    # ── intrinsics declared badly ──
    "bad-intrinsic": ({"i.py": 'import htp\n\nNAME = "x.f"\n\n\n@htp.intrinsic(name=NAME, rule="r")\ndef f(x):\n    pass\n'}, ["plugins intrinsics i.py"]),
}


def run_case(case: Case, host: Path, build: Path) -> str:
    files, commands = case
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text.replace("BUILD", str(build)))
            if path.startswith("bin/"):
                (folder / path).chmod(0o755)
        environment = {**os.environ, "HTP_CACHE": str(folder / ".cache"), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "NO_COLOR": "1", "CI": "1", "HTP_REPRODUCE": "off"}
        text = ""
        for command in commands:
            if command.startswith("cat "):
                text += f"$ {command}\n{(folder / command[4:]).read_text()}\n"
                continue
            done = subprocess.run([str(host), *(word.replace("BUILD", str(build)) for word in shlex.split(command))], cwd=folder, capture_output=True, text=True, env=environment)
            text += f"$ htp-host {command}\n{done.stdout}{done.stderr}[{done.returncode}]\n\n"
        for place, word in ((folder, "FOLDER"), (build, "BUILD"), (ROOT, "SOURCE")):
            text = text.replace(str(place), word)
        text = re.sub(r"^took .*$", "took TIME", text, flags=re.MULTILINE)  # of `run`
        return re.sub(r"(?<=/)\.\./plugins|bin/\.\./plugins", "plugins", text)


def without_times(text: str) -> str:
    """What a model of the machine says may change when the model does; all else is held to the letter."""
    text = re.sub(r"\b\d[\d.]* (ns|µs|ms|s)\b", "TIME", text)
    text = re.sub(r"\b\d+ %", "PART", text)
    text = re.sub(r"\d+(\.\d+(e-\d+)?|e-\d+)(?! [KM]iB|[\d.])", "NUMBER", text)
    text = re.sub(r"(?<=  )0(?=  |$)", "TIME", text, flags=re.MULTILINE)
    return re.sub(r"(?<=\S)   +", "  ", text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    host, build = options.host.resolve(), options.build.resolve()
    failed = 0
    for name, case in CASES.items():
        if options.cases and name not in options.cases:
            continue
        text = run_case(case, host, build)
        if name.startswith("simulate"):
            text = without_times(text)
        golden = HERE / "golden" / f"{name}.txt"
        if os.environ.get("HTP_UPDATE"):
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(text)
        wanted = golden.read_text() if golden.exists() else ""
        if text != wanted:
            failed += 1
            print(f"FAILED {name}")
            sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), text.splitlines(True), "golden", "now"))
    stray = {path.stem for path in (HERE / "golden").glob("*.txt")} - set(CASES)
    for name in sorted(stray):
        failed += 1
        print(f"FAILED {name}: a golden text without a case")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
