"""Results for people to look at: one self-contained HTML page, and Markdown for the documentation.

Both are made from the JSON that `tesuji reproduce` keeps. Plots are SVG by matplotlib, readable in
black and white; boards are SVG by Rich, as the terminal shows them.
"""

import html
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tesuji.errors import BadInput
from tesuji.papers import Paper, load

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fbfaf7; --line: #d8d4ca;
  --soft: #6b7280; --good: #1a7f4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e3dc; --paper: #16191e; --line: #343a44;
  --soft: #9aa3b2; --good: #57c78b; --bad: #f2857c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 5rem; color: var(--ink);
  background: var(--paper); font: 16px/1.55 Georgia, 'Times New Roman', serif; }
h1, h2, h3, th, .badge, nav, code { font-family: system-ui, sans-serif; }
h1 { font-size: 1.9rem; margin: 0 0 .3rem; } h2 { margin-top: 3.5rem; font-size: 1.45rem;
  border-top: 2px solid var(--ink); padding-top: .8rem; } h3 { margin: 2.4rem 0 .3rem; }
.soft { color: var(--soft); } nav a { margin-right: 1.2rem; }
a { color: inherit; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .32rem .8rem .32rem 0; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: top; } th { font-size: .82rem; color: var(--soft); font-weight: 600; }
ul { padding-left: 1.1rem; margin: .4rem 0; }
.badge { font-size: .82rem; font-weight: 700; }
.yes { color: var(--good); } .no { color: var(--bad); }
code { font-size: .84rem; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
.plot { background: #fff; padding: .5rem; border-radius: 6px; max-width: 44rem; }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
figcaption { font-size: .88rem; color: var(--soft); }
"""


def as_html(results: Sequence[dict[str, Any]]) -> str:
    """All results as one page that needs nothing else."""
    papers = {result["paper"]: load(result["paper"]) for result in results}
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width, initial-scale=1'>",
        f"<title>tesuji: results</title><style>{STYLE}</style>",
        "<h1>tesuji</h1><p class=soft>What the papers say, and what was measured here. "
        "Shares are of decisive games, intervals are Wilson's at 95 %.</p><nav>",
        *(f"<a href='#{name}'>{html.escape(paper.authors)}</a>" for name, paper in papers.items()),
        "</nav>",
    ]
    for name, paper in papers.items():
        parts.append(f"<h2 id={name}>{html.escape(paper.title)}</h2>")
        parts.append(f"<p class=soft>{html.escape(paper.authors)}. {html.escape(paper.about)}</p>")
        parts += [_section(result) for result in results if result["paper"] == name]
    return "\n".join(parts) + "\n"


def _section(result: dict[str, Any]) -> str:
    cells = "".join(f"<th>{html.escape(column)}" for column in result["columns"])
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in row) for row in result["rows"]
    )
    verdicts = "".join(
        f"<li><span class='badge {'yes' if one['holds'] else 'no'}'>"
        f"{'holds' if one['holds'] else 'does not hold'}</span> {html.escape(one['claim'])} "
        f"<span class=soft>({html.escape(one['test'])})</span>"
        for one in result["verdicts"]
    )
    notes = "".join(f"<li class=soft>{html.escape(note)}" for note in result["notes"])
    figures = "".join(
        f"<figure class=plot>{plot(figure)}<figcaption>{html.escape(figure['title'])}"
        "</figcaption></figure>"
        for figure in result["figures"]
    )
    boards = "".join(
        f"<figure>{board_svg(board['drawing'])}<figcaption>{html.escape(board['caption'])}"
        "</figcaption></figure>"
        for board in result["boards"]
    )
    return (
        f"<h3>{html.escape(result['table'])}: {html.escape(result['title'])}</h3>"
        f"<p>{html.escape(result['claim'])}</p>"
        f"<div class=wide><table><tr>{cells}{rows}</table></div>"
        f"<ul>{verdicts}{notes}</ul>{figures}"
        + (f"<div class=boards>{boards}</div>" if boards else "")
        + f"<p class=soft><code>{html.escape(result['command'])}</code> "
        f"(version {html.escape(result['version'])})</p>"
    )


def as_markdown(paper: Paper, results: Sequence[dict[str, Any]], images: Path | None = None) -> str:
    """The page of one paper for the documentation; figures and boards become files in `images`."""
    parts = [f"# {paper.title}", f"{paper.authors}. {paper.about}"]
    notes = Path(__file__).with_name(f"{paper.name}.md")
    if notes.is_file():
        parts.append(notes.read_text().strip())
    parts.append(
        "Shares are of decisive games; intervals are Wilson's at 95 %. This page is made by "
        "`tesuji report --markdown docs/papers --results docs/papers/data`; each table by the "
        "command below it."
    )
    for result in results:
        parts.append(f"## {result['table']}: {result['title']}\n\n{result['claim']}")
        lines = [_row(result["columns"]), _row(["---"] * len(result["columns"]))]
        parts.append("\n".join(lines + [_row(row) for row in result["rows"]]))
        items = [
            f"- **{'Holds' if one['holds'] else 'Does not hold'}**: {one['claim']} ({one['test']})"
            for one in result["verdicts"]
        ]
        items += [f"- {note}" for note in result["notes"]]
        if items:
            parts.append("\n".join(items))
        if images is not None:
            parts += _pictures(paper, result, images)
        parts.append(f"`{result['command']}` (version {result['version']})")
    return "\n\n".join(parts) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _pictures(paper: Paper, result: dict[str, Any], images: Path) -> list[str]:
    pictures = [(figure["title"], plot(figure)) for figure in result["figures"]]
    pictures += [(board["caption"], board_svg(board["drawing"])) for board in result["boards"]]
    links = []
    for number, (caption, svg) in enumerate(pictures, 1):
        file = images / f"{paper.name}-{result['table']}-{number}.svg"
        write(svg, file)
        links.append(f"![{caption}]({images.name}/{file.name})\n\n*{caption}*")
    return links


MARKS = "osD^vP*X"
STROKES = ["-", "--", "-.", ":"]


def plot(figure: dict[str, Any]) -> str:
    """An SVG whose lines differ in stroke and mark, not in colour alone."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    chart = Figure(figsize=(7.2, 4.2), layout="constrained")
    axes = chart.add_subplot()
    for number, line in enumerate(figure["lines"]):
        few = len(line["x"]) <= 30
        axes.plot(
            line["x"],
            line["y"],
            STROKES[number % len(STROKES)],
            marker=MARKS[number % len(MARKS)] if few else None,
            markevery=None if few else max(1, len(line["x"]) // 8),
            label=line["label"],
            linewidth=1.6,
            markersize=5,
        )
    if figure["log_x"]:
        axes.set_xscale("log")
    axes.set_xlabel(figure["x_label"])
    axes.set_ylabel(figure["y_label"])
    axes.grid(alpha=0.25)
    if len(figure["lines"]) > 1:
        axes.legend(fontsize=8)
    file = io.StringIO()
    with rc_context({"svg.hashsalt": figure["title"]}):  # the same figure is the same file
        chart.savefig(file, format="svg", metadata={"Date": None})
    svg = file.getvalue()
    return svg[svg.index("<svg") :]


def board_svg(drawing: str) -> str:
    """A drawing in Rich markup as an SVG of its own, without fonts from elsewhere."""
    from rich.console import Console
    from rich.text import Text

    text = Text.from_markup(drawing)
    lines = drawing.count("\n") + 1
    width = max(line.cell_len for line in text.split()) if lines else 1
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True,
                      color_system="truecolor", highlight=False)  # fmt: skip
    console.print(text)
    svg = console.export_svg(title="", code_format=BOARD)
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)

    def with_room(box: re.Match[str]) -> str:  # Rich's own size leaves none around the text
        return f'viewBox="0 0 {float(box[1]) + 24:g} {float(box[2]) + 24:g}"'

    return re.sub(r'viewBox="0 0 (\S+) (\S+)"', with_room, svg, count=1)


BOARD = """<svg class="rich-terminal" viewBox="0 0 {terminal_width} {terminal_height}"
 xmlns="http://www.w3.org/2000/svg" role="img">
<style>.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace;
 font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
 {styles}</style>
<defs>{lines}</defs>
<rect width="100%" height="100%" rx="8" fill="#1b1f27"/>
<g transform="translate(12, 10)"><g class="{unique_id}-matrix">{backgrounds}{matrix}</g></g>
</svg>"""


def write(text: str, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None
