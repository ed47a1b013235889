"""Measure everything and write `benchmarks/results.json` and the table in the README.

    make bench

The rows are ratios against a peer in the same run (see `tesuji.bench`). Run it on a quiet machine.
"""

import json
import re
from pathlib import Path

from tesuji import bench, games

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- benchmark -->", "<!-- /benchmark -->"


def table(report: bench.Report) -> str:
    """The report as Markdown."""
    lines = [
        "| one core | tesuji | OpenSpiel (C++) | ratio (range) |",
        "|---|---:|---:|---:|",
    ]
    for row in report["rates"]:
        peer = f"{row['peer_rate']:,.0f}/s" if row["peer_rate"] else "-"
        ratio = (
            f"**{row['ratio']:.1f}×** ({row['ratio_low']:.1f}–{row['ratio_high']:.1f})"
            if row["ratio"]
            else "-"
        )
        lines.append(
            f"| {row['game']}: {row['measure']} | {row['rate']:,.0f}/s | {peer} | {ratio} |"
        )
    lines += ["", "| start | seconds |", "|---|---:|"]
    lines += [f"| {row['measure']} | {row['seconds']:.2f} |" for row in report["start"]]
    lines += ["", "| arena, 9×9 Go | median (range) |", "|---|---:|"]
    lines += [
        f"| {row['measure']} | **{row['value']:.2f} {row['unit']}** "
        f"({row['low']:.2f}–{row['high']:.2f}) |"
        for row in report["arena"]
    ]
    return "\n".join(lines)


def main() -> None:
    specs = [*games.names(), str(ROOT / "examples" / "connect_four.py")]
    report = bench.run([games.load(spec) for spec in specs], repeats=7, seconds=0.5, progress=print)
    (ROOT / "benchmarks" / "results.json").write_text(json.dumps(report, indent=2) + "\n")
    readme = ROOT / "README.md"
    section = f"{BEGIN}\n{table(report)}\n{END}"
    text = readme.read_text()
    readme.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: section, text, flags=re.DOTALL))


if __name__ == "__main__":
    main()
