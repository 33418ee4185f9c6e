"""What a stage that is written by hand may say: whatever the compiler takes, the simulator's own table takes as well, and what it refuses is told at its line."""

from __future__ import annotations

import os
import re
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from parity_test import cube, vector
from stages import Stage, host

OTHER = {"f32": "i32", "i32": "u32", "u32": "f32", "f16": "u16", "u16": "i16", "i16": "f16", "bf16": "f16", "i8": "u8", "u8": "i8", "u64": "i64", "bool_": "bool_"}
TILE = re.compile(r"(t\d+) = pto\.tile\((\w+), (\d+), (\d+), valid=\((\d+), (\d+)\), at=(\d+)(.*)\)$")


def mutants(part: Stage) -> list[tuple[str, list[str]]]:
    """The part with one thing changed that an instruction may not like."""
    made = []

    def add(what: str, number: int, line: str) -> None:
        made.append((f"{what}: {line}", [*part.body[:number], line, *part.body[number + 1 :]]))

    for number, line in enumerate(part.body):
        if found := TILE.match(line):
            name, dtype, rows, columns, r, c, at, rest = found.groups()
            say = lambda d=dtype, r=r, c=c, at=at, rest=rest: f"{name} = pto.tile({d}, {rows}, {columns}, valid=({r}, {c}), at={at}{rest})"
            add("another dtype", number, say(d=OTHER[dtype]))
            if int(r) > 1:
                add("a row less", number, say(r=str(int(r) - 1)))
            if int(c) > 1:
                add("a column less", number, say(c=str(int(c) - 1)))
            for other in part.body:
                if (o := TILE.match(other)) and o[1] != name and ("space" in o[8]) == ("space" in rest):
                    add(f"over a part of {o[1]}", number, say(at=str(int(o[7]) + 32)))
                    break
            if "pad=" in rest:
                add("nothing to pad with", number, say(rest=re.sub(", pad='\\w+'", "", rest)))
            if "layout=" in rest:
                add("another layout", number, say(rest=re.sub(", layout='\\w+'", "", rest)))
        elif found := re.match(r"(pto\.t?m?\w+)\((.*)\)$", line):
            operands = found[2].split(", ")
            if len(operands) > 2 and "slice" not in found[2]:
                add("an operand less", number, f"{found[1]}({', '.join(operands[:-1])})")
            for k, operand in enumerate(operands[1:], 1):
                if re.fullmatch(r"-?\d+(\.\d+)?", operand) and found[1] in ("pto.tmrgsort", "pto.textract", "pto.tinsert"):
                    add("another number", number, f"{found[1]}({', '.join([*operands[:k], '40', *operands[k + 1 :]])})")
    return made


def compiled(part: Stage, body: list[str], folder: Path) -> str:
    """What the compiler says of it; nothing where it takes it."""
    stage = Stage(part.kind)
    stage.tables, stage.loaded, stage.rows, stage.body = part.tables, part.loaded, part.rows, body
    done = stage.compile(folder)
    assert done.returncode in (0, 1), done.stderr
    return done.stderr if done.returncode else ""


class Legality(unittest.TestCase):
    def test_what_the_compiler_takes_the_simulator_takes(self) -> None:
        parts = [part for stage in (*map(vector, ("f32", "f16", "i16", "u8")), cube("f16"), cube("i8")) for part in stage.parts()]
        all_of_them = [(part, what, body) for part in parts for what, body in mutants(part)]
        some = all_of_them if os.environ.get("HTP_LONG") else all_of_them[:: len(all_of_them) // 60]

        def judge(mutant: tuple[Stage, str, list[str]]) -> str:
            part, what, body = mutant
            with tempfile.TemporaryDirectory() as folder:
                said = compiled(part, body, Path(folder))
                if said:
                    return "" if re.search(r"error\[(a2a3\.[a-z-]+|pipeline\.not-held)\]", said) and " --> " in said else f"{what}\n{said}"
                done = host("run", Path(folder) / "package")
            return "" if done.returncode == 0 else f"{what}\n{done.stderr}"

        with ThreadPoolExecutor(2) as workers:
            wrong = [one for one in workers.map(judge, some) if one]
        self.assertEqual(wrong, [], f"{len(wrong)} of {len(some)} of {len(all_of_them)}")


if __name__ == "__main__":
    unittest.main()
