"""The tree beside CPython's own: text → tree → text by bench_tree and by `ast.parse` + `ast.unparse`, over the standard library
without its tests, in turns; CPU seconds, the best of each.

    /usr/bin/python3 bench/tree/against_cpython.py build/release/bin/bench_tree [ROUNDS]
"""
import ast
import json
import pathlib
import subprocess
import sys
import time
import warnings


def corpus() -> list[bytes]:
    files = sorted(pathlib.Path("/usr/lib/python3.11").rglob("*.py"))
    return [f.read_bytes() for f in files if not {"test", "tests"} & set(f.parts)]


def cpython(texts: list[bytes]) -> float:
    begin = time.process_time()
    for text in texts:
        try:
            ast.unparse(ast.parse(text))
        except SyntaxError:
            pass
    return time.process_time() - begin


def ours(program: str, name: str) -> float:
    run = [program, f"--benchmark_filter=^{name}/", "--benchmark_format=json", "--benchmark_min_time=0.01"]
    result = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    return result["benchmarks"][0]["real_time"] / 1000


def main() -> None:
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10000)
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    texts = corpus()
    names = {"plain": "BM_TextToTreeToText", "with comments": "BM_TextToTreeToTextWithTrivia"}
    best = {name: 1e9 for name in ("cpython", *names)}
    for _ in range(rounds):
        best["cpython"] = min(best["cpython"], cpython(texts))
        for name, benchmark in names.items():
            best[name] = min(best[name], ours(program, benchmark))
    size = sum(map(len, texts)) / 1e6
    for name, seconds in best.items():
        print(f"{name:14} {seconds:6.2f} s  {size / seconds:6.2f} MB/s  {best['cpython'] / seconds:5.2f}x")


main()
