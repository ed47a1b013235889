"""The reproduction frame: experiments run, are kept, and are reported; every paper is in order."""

import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tesuji import cli, papers
from tesuji.arena import Store
from tesuji.arena.match import Count
from tesuji.arena.runners import Serial
from tesuji.errors import BadInput
from tesuji.papers import report


def test_scales() -> None:
    session = papers.Session(papers.parse_scale("0.1"))
    assert session.games(400) == 40
    assert session.games(2) == 2
    assert papers.Session(papers.parse_scale("paper")).games(200) == 200
    assert papers.Session(papers.parse_scale("quick")).games(200, quick=6) == 6
    for wrong in ("", "2", "0", "-1", "nan", "fast"):
        with pytest.raises(BadInput, match="the scale is quick, paper or a fraction"):
            papers.parse_scale(wrong)


def test_verdicts() -> None:
    assert papers.beats("better", Count(59, 0, 41)).holds is False
    assert papers.beats("better", Count(70, 10, 30)).holds
    assert papers.beats("better", Count(70, 10, 30), 0.7).holds is False
    assert papers.agrees("same", Count(74, 0, 26), papers.Published(118, 40, 42)).holds
    assert not papers.agrees("same", Count(30, 0, 70), papers.Published(118, 40, 42)).holds


def test_rows() -> None:
    row = papers.versus("us", Count(118, 42, 40), papers.Published(118, 40, 42))
    assert row[:4] == ["us", "118-40-42", "74.7%", "118-40-42"]
    assert row[4] == "74.7%"
    assert papers.versus("new", Count(0, 0, 0))[1:3] == ["-", "-"]


@pytest.mark.parametrize("name", papers.names())
def test_every_paper_declares_its_experiments(name: str) -> None:
    paper = papers.load(name)
    assert paper.name == name
    tables = [one.name for one in paper.experiments]
    assert len(tables) == len(set(tables)) >= 3
    for one in paper.experiments:
        assert one.title
        assert one.claim.endswith(".")
    with pytest.raises(BadInput, match="has no table"):
        paper.choose("no such table", papers.parse_scale("quick"))


def toy(session: papers.Session) -> papers.Finding:
    result = session.match("toy", "amazons:size=6", "random", "random", 40, quick=4)
    line = papers.Line("wins", [1.0, 2.0], [0.5, 0.7])
    return papers.Finding(
        papers.VERSUS,
        [papers.versus("a <b> | c", result.total)],
        [papers.beats("random is better than itself", result.total)],
        ["a note & more"],
        [papers.Figure("growth", "games", "score", [line, line._replace(label="other")])],
        [papers.Board("the start", "[on red]♕[/] x\n[bold]1[/]")],
    )


TOY = papers.Experiment("kato", "1", "A toy", "It claims nothing.", toy)


def test_an_experiment_is_run_kept_and_played_once(tmp_path: Path) -> None:
    with Store(tmp_path / "games") as store:
        session = papers.Session(papers.parse_scale("quick"), store, Serial())
        first = TOY.run(session)
        assert len(list(store.all())) == 4
        assert TOY.run(session) == first
        assert len(list(store.all())) == 4
    assert first["notes"][0] == "toy: 4 games instead of 40"
    assert first["command"] == "tesuji reproduce kato --table 1 --scale quick --seed 1"
    papers.save(first, tmp_path / "results")
    assert papers.read(tmp_path / "results") == [json.loads(json.dumps(first))]
    for damaged in ("{", '{"paper": "kato", "table": "2"}'):
        (tmp_path / "results" / "kato-2.json").write_text(damaged)
        with pytest.raises(BadInput, match=r"kato-2.json is not a result"):
            papers.read(tmp_path / "results")


def test_a_verdict_may_be_numpys(tmp_path: Path) -> None:
    verdict = papers.Verdict("most are", np.float64(0.9) > 0.5, "90 %")
    one = papers.Experiment(
        "ota", "1", "A toy", "It claims.", lambda session: papers.Finding([], [], [verdict])
    )
    papers.save(one.run(papers.Session(papers.parse_scale("quick"))), tmp_path)
    (found,) = papers.read(tmp_path)
    assert found["verdicts"] == [{"claim": "most are", "holds": True, "test": "90 %"}]


class Tags(HTMLParser):
    """All addresses that a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "img", "iframe"):
            self.loads.append(tag)


def test_reports(tmp_path: Path) -> None:
    session = papers.Session(papers.parse_scale("quick"), runner=Serial())
    result = json.loads(json.dumps(TOY.run(session)))
    page = report.as_html([result])
    tags = Tags()
    tags.feed(page)
    assert tags.loads == []  # self-contained
    assert "a &lt;b&gt;" in page
    assert "does not hold" in page or "holds" in page
    assert page.count("<svg") == 2
    text = report.as_markdown(papers.load("kato"), [result], tmp_path / "images")
    assert "| a <b> \\| c |" in text
    assert result["command"] in text
    assert sorted(path.name for path in (tmp_path / "images").iterdir()) == [
        "kato-1-1.svg",
        "kato-1-2.svg",
    ]


def test_the_same_figure_is_the_same_file() -> None:
    """It was not: a page that was made again changed all its pictures."""
    figure = papers.Figure("Margin", "x", "y", [papers.Line("one", [1.0, 2.0], [0.0, 1.0])])
    data = {**figure._asdict(), "lines": [line._asdict() for line in figure.lines]}
    assert report.plot(data) == report.plot(data)


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    listed = CliRunner().invoke(cli.app, ["reproduce", "--list", "--json"])
    assert {"paper", "table", "title", "claim", "quick"} == set(
        json.loads(listed.output)["experiments"][0]
    )
    monkeypatch.setattr(papers.load("kato"), "experiments", [TOY])
    arguments = ["reproduce", "kato", "--runner", "serial"]
    ran = CliRunner().invoke(cli.app, arguments)
    assert ran.exit_code == 0, ran.output
    assert "random is better than itself" in ran.output
    out = tmp_path / "page.html"
    assert CliRunner().invoke(cli.app, ["report", "--out", str(out)]).exit_code == 0
    assert out.read_text().startswith("<!doctype html>")
    made = CliRunner().invoke(cli.app, ["report", "--markdown", str(tmp_path / "docs")])
    assert made.exit_code == 0
    assert (tmp_path / "docs" / "kato.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["reproduce", "katto"], "did you mean 'kato'"),
        (["reproduce", "kato", "--table", "9"], "has no table '9'"),
        (["reproduce", "--table", "1"], "name the paper, too"),
        (["reproduce", "kato", "--scale", "big"], "the scale is quick"),
        (["report", "--results", "nowhere"], "there are no results in nowhere"),
    ],
)
def test_bad_input(arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(cli.app, arguments)
    assert isinstance(result.exception, BadInput)
    assert sentence in str(result.exception)


def test_a_tiny_p_is_not_shown_as_zero() -> None:
    apart = papers.agrees("same", Count(0, 0, 900), papers.Published(900, 0, 0))
    alike = papers.agrees("same", Count(5, 0, 5), papers.Published(5, 5, 0))
    assert "p < 0.001" in apart.test
    assert "p = 1.000" in alike.test


@pytest.mark.parametrize(("table", "rows"), [("agreement", 2), ("beliefs", 4)])
def test_what_is_counted_in_games_of_geister(tmp_path: Path, table: str, rows: int) -> None:
    with Store(tmp_path / "games") as store:
        session = papers.Session(papers.parse_scale("quick"), store, Serial())
        [one] = papers.load("aoki").choose(table, session.scale)
        result = one.run(session)
    shares = [float(cell.partition("%")[0]) for row in result["rows"] for cell in row[1:]]
    assert len(result["rows"]) == rows
    assert 0 <= min(shares) < max(shares) <= 100
