"""Seeded changes of emitted modules, on the simulated array: each is refused, or computes something else. HTP_SLICE=2/4 takes a slice of them."""

from __future__ import annotations

import random
import re
import sys
import unittest
from pathlib import Path

import htp
from simulated import MODULE, ROOT, Case, replaced
from tools import missing

sys.path.insert(0, str(ROOT / "tests/support"))
from slices import slice_of, taken  # noqa: E402


class Mutants(Case):
    """Changes of one number, one name or one line of a module: each is refused, or computes something else. Not among them is what changes no
    result: another tile that is as near, a larger depth, a descriptor that nobody else uses, a stride of a dimension of size 1."""

    def survivors(self, package: Path, changes: list[tuple[str, str]]) -> list[str]:
        expected = [array.tobytes() for array in self.run_package(package)]
        left = []
        for what, text in changes:
            replaced(package, MODULE, text)
            try:
                same = [array.tobytes() for array in self.run_package(package)] == expected
            except htp.HtpError:
                same = False
            if same:
                left.append(what)
        return left

    def test_transfers_and_fifos(self) -> None:
        programs = (("vector_add", "N=1000"), ("gelu", "M=37", "N=100"), ("softmax", "M=37", "N=20"), ("gemm", "M=100", "N=40", "K=70"), ("rates", "M=5", "N=32"), ("line_buffers", "M=9", "N=20"), ("gemm_i8", "M=128", "N=32", "K=32"))
        for name, *sizes in taken(programs):
            package = self.package(name, *sizes, profile=self.profile(**{"aie.spread": {"columns": 2}}))
            text = (package / MODULE).read_text()
            generator, changes = random.Random(7), []
            lines = text.splitlines(keepends=True)
            for at, line in enumerate(lines):
                for new, what in changed(line, generator):
                    changes.append((f"{name}:{at + 1}: {what}: {line.strip()} → {new.strip() or 'nothing'}", "".join([*lines[:at], new, *lines[at + 1 :]])))
            chosen = taken(generator.sample(changes, min(len(changes), 80)))
            self.assertGreaterEqual(len(chosen), 40 // slice_of()[1])
            self.assertEqual(self.survivors(package, chosen), [])

    def test_cores(self) -> None:
        package = self.package("softmax", "M=37", "N=20", profile=self.profile(**{"aie.spread": {"columns": 1}}))
        text = (package / MODULE).read_text()
        lines = text.splitlines(keepends=True)
        generator, changes = random.Random(7), []
        inside = False
        own = ""
        for at, line in enumerate(lines):
            own = "%c[123] =" if "= aie.core(" in line else "%c[23] =" if "func.func" in line else own
            inside = (inside or "= aie.core(" in line or "func.func private @do_" in line) and not re.match(r" *(aie\.end|return)", line)
            for old, new in (
                (r"arith\.subf", "arith.addf"), (r"arith\.divf", "arith.mulf"), (r"@htp_exp\(", "@htp_absolutely("), (r"@htp_maximum\(", "@htp_minimum("), (r"(call @do_\w+\(%\w+), (%\w+)", r"\1, \1"),
                (r"%c(\d+) = arith\.constant \d+", r"%c\1 = arith.constant 3"), (r"\(Consume, 1\)(?= loc)", "(Consume, 2)"), (r"\(Produce, 1\)(?= loc)", "(Produce, 2)"),
                (r"release @(\w+) .*$", ""), (r"\(Consume", "(Produce"), (r"iter_args\((%v\d+) = %v\d+\)", r"iter_args(\1 = %forever)"),
            ):  # fmt: skip
                if inside and re.search(old, line.rstrip()) and not re.search(own, line):  # %c2 counts rounds, %c1 too, and calls follow one another
                    mutant = re.sub(old, new, line.rstrip()) + "\n"
                    changes.append((f"{at + 1}: {line.strip()} → {mutant.strip()}", "".join([*lines[:at], mutant, *lines[at + 1 :]])))
        chosen = taken(generator.sample(changes, 30))
        self.assertEqual(self.survivors(package, chosen), [])


def changed(line: str, generator: random.Random) -> list[tuple[str, str]]:
    """What may become of a line of the device or the sequence."""
    found = []

    def number(place: re.Match[str], group: int, what: str) -> None:
        value = int(place[group])
        for other in {value + 4, max(0, value - 4), 2 * value + 1} - {value}:
            found.append((line[: place.start(group)] + str(other) + line[place.end(group) :], what))

    if transfer := re.search(r"\[(\d+), (\d+), (\d+), (\d+)\]\[(\d+), (\d+), (\d+), (\d+)\]\[(\d+), (\d+), (\d+), (\d+)\]", line):
        number(transfer, 4, "an offset")
        for group in (5, 6, 7, 8):
            number(transfer, group, "a size")
            if int(transfer[group]) > 1:
                number(transfer, group + 4, "a stride")
        found.append((re.sub(r"@(\w+)_(\d)", lambda m: f"@{m[1]}_{1 - int(m[2])}", line), "another fifo"))
        found.append(("", "a transfer less"))
        found.append((line + line, "a transfer twice"))
    elif "dma_wait" in line:
        found.append(("", "a wait less"))
        found.append((line + line, "a wait more"))
    elif "objectfifo.link" in line:
        for place in re.finditer(r"[\[ ](\d+)[,\]]", line):
            number(place, 1, "an offset of a link")
        found.append(("", "a link less"))
        names = re.findall(r"@\w+", line)
        pair = [name for name in names if name.count("_") == 3]
        if len(pair) > 1:
            found.append((line.replace(pair[0], "@ ").replace(pair[1], pair[0]).replace("@ ", pair[1]), "two branches of a link exchanged"))
    elif "aie.objectfifo @" in line:
        for place in re.finditer(r"<size = (\d+), stride = (\d+)>", line):  # the order in which a part is sent
            for group in (1, 2) if int(place[1]) > 1 else (1,):
                number(place, group, "a dimension of an order")
        found.append((re.sub(r", \d+ : i32", ", 0 : i32", line), "no depth"))
        found.append((re.sub(r"memref<(\d+)", lambda m: f"memref<{int(m[1]) + 4}", line), "another part"))
        found.append((re.sub(r"\((%\w+), \{(%\w+)\}", r"(\2, {\1}", line), "the other way round"))
        found.append(("", "a fifo less"))
    return [(new, what) for new, what in found if new != line]


if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed")
        sys.exit(77)
    unittest.main()
