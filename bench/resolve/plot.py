"""Plots bench_resolve's times over the size of the universe, as an SVG.

    plot.py build/release/bin/bench_resolve -o resolve.svg [--filter REGEX]
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
from collections import defaultdict
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 460, 70, 50, 40, 230
COLOURS = ["#2563eb", "#dc2626", "#16a34a", "#9333ea", "#ea580c", "#0891b2", "#4b5563", "#ca8a04"]

Series = dict[str, list[tuple[float, float]]]


def measure(program: Path, pattern: str) -> Series:
    command = [program, f"--benchmark_filter={pattern}", "--benchmark_format=json", "--benchmark_min_time=0.2"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    series: Series = defaultdict(list)
    for row in rows:
        if row.get("error_occurred"):
            continue
        name, *arguments = row["name"].split("/")
        given = dict(part.split(":") for part in arguments if ":" in part)
        time = row["real_time"] if "manual_time" in arguments else row["cpu_time"]
        conflict = {"0": ", answer", "1": ", conflict"}.get(given.get("conflict", ""), "")
        label = f"{name}{conflict}, {'wide' if given['names_of_a_kind'] == '10' else 'narrow'}"
        series[label].append((float(given["extensions"]), float(time)))
    return series


def svg(series: Series) -> str:
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    left, right = math.log10(min(xs)), math.log10(max(xs))

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (math.log10(x) - left) / max(right - left, 1e-9) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - (math.log10(y) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="Helvetica, sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">CPU time, from the typed universe in memory (ms)</text>',
    ]
    for power in range(low, high + 1):
        _, y = place(min(xs), 10.0**power)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5e7eb"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for x in sorted(set(xs)):
        across, _ = place(x, 10.0**low)
        out.append(f'<text x="{across:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:,.0f}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">extensions</text>')
    for number, (label, points) in enumerate(sorted(series.items())):
        colour = COLOURS[number % len(COLOURS)]
        dash = ' stroke-dasharray="5 3"' if label.endswith("narrow") else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in sorted(points)))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
        for point in points:
            x, y = place(*point)
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>')
        y = TOP + 16 * number
        out.append(f'<line x1="{WIDTH - RIGHT + 14}" x2="{WIDTH - RIGHT + 40}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="1.8"{dash}/>')
        out.append(f'<text x="{WIDTH - RIGHT + 46}" y="{y + 4}">{label}</text>')
    return "\n".join([*out, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    parser.add_argument("--filter", default="answer|explanation|libsolv|clingo")
    options = parser.parse_args()
    options.out.write_text(svg(measure(options.program, options.filter)))


if __name__ == "__main__":
    main()
