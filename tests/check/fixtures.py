"""What is broken for each check: the library (a BREAK of toy.c, by the check's name when nothing else is said here), the manifest, the Python, the folder.

A check that has no row here must have a BREAK of its name in toy.c.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Edit = tuple[str, str, str]  # file, text, what stands instead ("" for the text: the whole file)
MANIFEST = "htp-plugin.yaml"
INIT = "python/htp_toy/__init__.py"
INTRINSICS = "python/htp_toy/intrinsics.py"
PROGRAM = "examples/main.py"
TIDY = "  - kind: pass\n    name: toy.tidy\n"


@dataclass
class Fixture:
    """One way to be broken."""

    edits: list[Edit] = field(default_factory=list)
    library: str = "none"  # the BREAK of toy.c
    make: Callable[[Path], None] | None = None  # what else is done to the folder
    beside: str = ""  # another plugin's manifest, found with it
    rebuild: bool = False  # the table of intrinsics comes from the edited Python
    flags: list[str] = field(default_factory=list)  # built anew with these, and without the version script
    environment: dict[str, str] = field(default_factory=dict)  # FOLDER stands for the plugin's


def manifest(old: str, new: str) -> Fixture:
    return Fixture([(MANIFEST, old, new)])


def intrinsics(old: str, new: str) -> Fixture:
    return Fixture([(INTRINSICS, old, new)], rebuild=True)


def library_missing(folder: Path) -> None:
    (folder / "libtoy.so").unlink()


def library_elsewhere(folder: Path) -> None:
    library = folder / "libtoy.so"
    other = folder.parent / "elsewhere.so"
    library.rename(other)
    library.symlink_to(other)


def library_is_text(folder: Path) -> None:
    (folder / "libtoy.so").write_text("this is a text\n")


def library_needs_what_is_not_there(folder: Path) -> None:
    """Linked with a library that is then taken away."""
    side(folder)
    build_toy(folder, f"-L{folder}", "-Wl,--no-as-needed", "-lside", "-DBREAK_side=1")
    for name in ("libside.so", "side.c"):
        (folder / name).unlink()


def side(folder: Path, *flags: str) -> None:
    (folder / "side.c").write_text("int side(void) { return 1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libside.so", "-o", folder / "libside.so", folder / "side.c", *flags], check=True)


def library_needs_a_newer_one(folder: Path) -> None:
    """Linked with a version of a library that is then replaced by one without it."""
    (folder / "side.map").write_text("SIDE_2 { global: side; };\n")
    side(folder, f"-Wl,--version-script={folder}/side.map")
    (folder / "libtoy.so").unlink()
    build_toy(folder, f"-L{folder}", "-Wl,--no-as-needed", "-lside", "-Wl,-rpath,$ORIGIN", "-DBREAK_side=1")
    (folder / "side.map").write_text("SIDE_1 { global: side; };\n")
    side(folder, f"-Wl,--version-script={folder}/side.map")
    for name in ("side.c", "side.map"):
        (folder / name).unlink()


def library_needs_one_elsewhere(folder: Path) -> None:
    """Linked with a library that only LD_LIBRARY_PATH leads to."""
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    side(elsewhere)
    build_toy(folder, f"-L{elsewhere}", "-Wl,--no-as-needed", "-lside", "-DBREAK_side=1")


def build_toy(folder: Path, *flags: str, kind: Sequence[str] = ("-shared",)) -> None:
    """toy.c with the checked-in intrinsics' table, which BUILD has."""
    here = Path(__file__).resolve().parent
    command = ["cc", *kind, "-fPIC", "-O0", "-fvisibility=hidden", "-D_GNU_SOURCE", f"-I{here.parents[1] / 'sdk/include'}", f"-I{os.environ['CHECK_TABLE']}"]
    subprocess.run([*command, here / "toy/toy.c", "-o", folder / "libtoy.so", *flags, "-lm"], check=True)


def library_is_a_program(folder: Path) -> None:
    """A position-independent executable: ELF of the right machine, with an entry and a note, that dlopen refuses."""
    (folder / "main.c").write_text("int main(void) { return 0; }\n")
    build_toy(folder, "-fPIE", str(folder / "main.c"), "-pie", "-Wl,--export-dynamic-symbol=htp_plugin_entry", kind=[])
    (folder / "main.c").unlink()


def library_stays(folder: Path) -> None:
    """The same library, marked as one that cannot be unloaded (DF_1_NODELETE in the dynamic section)."""
    path = folder / "libtoy.so"
    data = bytearray(path.read_bytes())
    section_headers = int.from_bytes(data[0x28:0x30], "little")
    size, count = int.from_bytes(data[0x3A:0x3C], "little"), int.from_bytes(data[0x3C:0x3E], "little")
    for i in range(count):
        header = section_headers + i * size
        if int.from_bytes(data[header + 4 : header + 8], "little") != 6:  # SHT_DYNAMIC
            continue
        at, length = int.from_bytes(data[header + 0x18 : header + 0x20], "little"), int.from_bytes(data[header + 0x20 : header + 0x28], "little")
        for entry in range(at, at + length, 16):
            tag = int.from_bytes(data[entry : entry + 8], "little")
            if tag == 0:  # the terminator; another one follows
                data[entry : entry + 16] = (0x6FFFFFFB).to_bytes(8, "little") + (8).to_bytes(8, "little")
                break
    path.write_bytes(bytes(data))


def manifest_is_a_folder(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    (folder / MANIFEST).mkdir()


def writable(folder: Path) -> None:
    os.chmod(folder / "libtoy.so", 0o777)


OTHER = """htp_manifest: 1
plugin:
  id: test.other
  version: "1.0.0"
  doc: declares what is not its own
declares:
  - name: Other.Thing
    is: static
    doc: a thing
units:
  - kind: pipeline
    name: toy.default
    doc: the name of another's
    passes:
      - toy.fold
"""

FIXTURES: dict[str, Fixture] = {
    # ── file ──
    "readable": Fixture(make=manifest_is_a_folder),
    "private-files": Fixture(make=writable),
    "library-found": Fixture(make=library_missing),
    "library-inside": Fixture(make=library_elsewhere),
    # ── manifest ──
    "manifest-text": manifest("doc: a target that doubles", 'doc: "a\x07b"'),
    "manifest-yaml": manifest("doc: a target that doubles", "doc: &anchor a target"),
    "manifest-keys": manifest("doc: a target that doubles", "dok: a target"),
    "manifest-values": manifest("idempotent: true", "idempotent: perhaps"),
    "manifest-items": manifest("  - Toy.Folded\n    provides:\n      - Toy.Tidy", "  - Toy.Folded\n    provides:\n      - Toy.Tidy\n" + TIDY.rstrip()),
    "term-syntax": manifest("      - Toy.Source\n    provides:\n      - Toy.Folded", "      - Toy.Source(\n    provides:\n      - Toy.Folded"),
    "documented": manifest("    doc: adds\n", ""),
    "own-prefix": Fixture([(MANIFEST, "  id: test.toy", "  id: htp.toy")], flags=['-DTOY_ID="htp.toy"']),
    "unit-prefix": Fixture([(MANIFEST, "name: toy.default", "name: acme.default")]),
    "examples-named": manifest("examples:\n  - examples/main.py\n", ""),
    # ── terms ──
    "terms-declared": manifest("    requires:\n      - Toy.Source\n", "    requires:\n      - Toy.Source\n      - Toy.Nowhere\n"),
    "term-parameters": manifest("    requires:\n      - Toy.Source\n", "    requires:\n      - Toy.Source\n      - Toy.Source(size=3)\n"),
    "term-values": manifest("Codegen.Ready(target=toy)\n  - kind: pipeline", "Codegen.Ready(target=3)\n  - kind: pipeline"),
    "term-variables": manifest('Layout.Facet(kind="memory")', "Layout.Facet(kind=$K)"),
    "states-only": manifest("    idempotent: true", "    invalidates:\n      - Backend.Toy\n    idempotent: true"),
    "states-verified": manifest("declares:\n", "declares:\n  - name: Toy.Lost\n    is: state\n    doc: nobody checks it\n"),
    "capability-prefix": manifest("declares:\n", "declares:\n  - name: Acme.Thing\n    is: static\n    doc: somebody else's\n"),
    "declared-once": Fixture(beside=OTHER),
    "units-known": manifest("      - toy.fold\n      - toy.tidy", "      - toy.fodl\n      - toy.tidy"),
    "pipeline-fits": Fixture([
        (MANIFEST, "    idempotent: true\n", "    invalidates:\n      - Toy.Gone\n"),
        (MANIFEST, "declares:\n", "declares:\n  - name: Toy.Gone\n    is: state\n    initial: true\n    doc: it does not come back\n"),
        (MANIFEST, "    verifies:\n      - Toy.Folded\n", "    verifies:\n      - Toy.Folded\n      - Toy.Gone\n"),
        (MANIFEST, "      - Toy.Tidy\n      - Toy.Source\n    provides", "      - Toy.Tidy\n      - Toy.Gone\n    provides"),
    ]),
    # ── python ──
    "python-there": manifest("module: htp_toy", "module: htp_toi"),
    "python-parses": Fixture([("python/htp_toy/extra.py", "", "def f(:\n")]),
    "python-modules-known": Fixture([("python/htp_toy/extra.py", "", "import tensorflow\n")]),
    "python-units": manifest("units:\n", "units:\n  - kind: pass\n    name: toy.quick\n    doc: in Python\n    code: htp_toy:quick\n    requires:\n      - Toy.Folded\n    provides:\n      - Toy.Tidy\n"),
    "python-imports": Fixture([(INIT, '__all__ =', 'raise RuntimeError("no licence")\n__all__ =')]),
    "python-quiet": Fixture([(INIT, '__all__ =', 'print("loaded")\n__all__ =')]),
    # ── elf ──
    "shared-library": Fixture(make=library_is_text),
    "dependencies": Fixture(make=library_needs_what_is_not_there),
    "opens": Fixture(make=library_is_a_program),
    "symbol-versions": Fixture(make=library_needs_a_newer_one),
    "run-path": Fixture(flags=["-Wl,-rpath,/opt/toys"]),
    "no-filters": Fixture(flags=["-Wl,-F,libtoys.so"]),
    "stack": Fixture(flags=["-Wl,-z,execstack"]),
    "code-constant": Fixture(flags=["-Wl,--omagic", "-Wl,-Bdynamic"]),
    "found-anywhere": Fixture(make=library_needs_one_elsewhere, environment={"LD_LIBRARY_PATH": "FOLDER/../elsewhere"}),
    "one-export": Fixture(library="one_export", flags=["-fPIC"]),
    # ── entry ──
    "units-present": manifest("units:\n", "units:\n  - kind: analysis\n    name: toy.absent\n    doc: it is not there\n    values: int\n"),
    # ── units ──
    "unloads": Fixture(make=library_stays),
    "intrinsics-written": Fixture([("python/htp_toy/extra.py", "", 'import htp\n\n\n@htp.intrinsic(name="toy.half")\ndef half(x: int) -> int:\n    """Half."""\n    return x\n')]),
    "intrinsics-agree": Fixture([(INTRINSICS, "return x + x", "return 2 * x")]),
    "intrinsic-names": Fixture([(INTRINSICS, '"toy.add"', '"game.add"'), (MANIFEST, "      - toy.add\n", "      - game.add\n")], library="target_set_of_game", rebuild=True),
    "intrinsic-annotations": intrinsics('cost="1")\ndef add', 'cost="1 +")\ndef add'),
    "intrinsic-effects": intrinsics('effects="", spaces="", cost="1")\ndef add', 'effects="reads", spaces="", cost="1")\ndef add'),
    "intrinsic-examples": intrinsics(">>> z = add(1, 2)", "z = add(1, 2)"),
    "operators": intrinsics(
        'rule="same", effects="", spaces="", cost="1")\ndef add(x: int, y: int = 0) -> int:', 'rule="same", method="__plus__", effects="", spaces="", cost="1")\ndef add(x: htp.f32, y: int = 0) -> htp.f32:'
    ),
    # ── behaviour ──
    "comes-to-an-end/verifier": Fixture(library="source_comes_to_an_end"),
    "comes-to-an-end/stopped": Fixture(library="stops_itself"),
    "comes-to-an-end/in-silence": Fixture(library="closes_all"),
    "survives/with-its-host": Fixture(library="kills_its_host"),
    "leaves-the-process/at-once": Fixture(library="leaves_at_once"),
    "leaves-the-process/by-a-system-call": Fixture(library="leaves_by_a_system_call"),
    "ends-threads/fork": Fixture(library="forks_once"),
    "ends-threads/forks": Fixture(library="forks_without_end"),
    "ends-threads/daemon": Fixture(library="leaves_a_daemon"),
    "keeps-arithmetic/traps": Fixture(library="traps"),
    "keeps-host/tree": Fixture(library="keeps_head"),
    "bearable-memory/all-there-is": Fixture(library="endless_memory"),
    "examples-compile": Fixture([(MANIFEST, "examples:\n", "examples:\n  - examples/other.py\n"), ("examples/other.py", "", "import htp\nfrom htp_toy import entry\n\n\n@entry\ndef main() -> None:\n    while True:\n        pass\n")]),
    "units-reached": Fixture(
        [
            (MANIFEST, "  - name: Backend.Toy\n", "  - name: Toy.Never\n    is: state\n    doc: what no pass brings\n  - name: Backend.Toy\n"),
            (MANIFEST, "    verifies:\n", "    verifies:\n      - Toy.Never\n"),
            (MANIFEST, "  - kind: pipeline\n", "  - kind: pass\n    name: toy.tidy-too\n    doc: it can never run\n    requires:\n      - Toy.Never\n    provides:\n      - Toy.Tidy\n  - kind: pipeline\n"),
        ],
        library="units_reached",
    ),
}
