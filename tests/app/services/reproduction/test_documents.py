"""The table in three languages, checked by what a reader of each finds in it; and words that would break out."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from stepscope.app.services.reproduction.documents import (
    as_html,
    as_latex,
    as_markdown,
    check_folder,
    number,
    write_documents,
)
from stepscope.app.services.reproduction.results import CellResult, TableResult
from stepscope.app.services.reproduction.tables import ModelRun, PaperColumn, PaperRow, PaperTable
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.errors import UsageError, UserError
from stepscope.core.scoring.paired_tests import SeedStatistics
from stepscope.core.scoring.published_numbers import PublishedNumber

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
HEADS = ["Paper", "Ours", "95 % interval or SD", "Difference"]


def paper(value: float, note: str = "") -> PublishedNumber:
    return PublishedNumber("fields", "score", value, "a model", "the data", "A paper", note=note)


def made(label: str = "First row", *, sample: bool = False) -> TableResult:
    """Two rows and two columns: an interval, three seeds, a cell without ours, one without any number."""
    rows = (
        PaperRow("a", label, ModelRun("model", "do-nothing"), "a model"),
        PaperRow("b", "Second row", ModelRun("model", "oracle"), "a model"),
    )
    columns = (
        PaperColumn("one", "Score", "score", "turkingbench", "test", "the data", per_app=20),
        PaperColumn("two", "Paper's rules", "score", "turkingbench", options=(("rules", "paper"),)),
    )
    table = PaperTable("mine", "A table", "A paper (2024)", "table 3", "4", Task.WEBTASK, "fields", columns, rows,
                       notes=("A note.",))  # fmt: skip
    interval, seeds = SeedStatistics(0.0888, None, 1), SeedStatistics(0.5, 0.0124, 3)
    cells = (
        CellResult(rows[0], columns[0], paper(0.078), interval, (0.0, 0.2079), 150, 0, 8, ("r1",),
                   remarks=("8 of the paper's 20 apps or tasks.",), sample=sample),
        CellResult(rows[0], columns[1], None, seeds, None, 30, 0, 2, ("r1", "r2", "r3")),
        CellResult(rows[1], columns[0], paper(1.0, "Of two."), missing="Not run yet."),
        CellResult(rows[1], columns[1], missing="Not run yet."),
    )  # fmt: skip
    spec = RunSpec(Task.WEBTASK, "do-nothing", "/home/somebody/bench", "turkingbench", "fields", split="test")
    runs = {"r1": Run("r1", spec, RunState.DONE, NOW, 150, 150)}
    return TableResult(table, {"a": "do-nothing", "b": "oracle"}, cells, runs)


EXPECTED = [
    ["First row", "7.8", "8.9", "0.0 – 20.8", "+1.1", "–", "50.0", "± 1.2, 3 seeds", "–"],
    ["Second row", "100.0", "–", "–", "–", "–", "–", "–", "–"],
]
"""Worked out by hand: 8.88 − 7.8 is 1.08."""


def html_rows(text: str, table: str) -> list[list[str]]:
    tree = html.document_fromstring(text)
    return [[cell.text_content() for cell in row] for row in tree.xpath(f"//table[@id='{table}']//tr")]


def test_the_html_has_both_numbers_what_is_missing_and_the_runs() -> None:
    text = as_html(made(), NOW)
    assert html_rows(text, "numbers") == [["", "Score", "Paper's rules"], ["Row", *HEADS, *HEADS], *EXPECTED]
    assert html_rows(text, "missing") == [["Second row", "Not run yet."]]
    assert html_rows(text, "different") == [["First row (Score)", "8 of the paper's 20 apps or tasks."]]
    assert html_rows(text, "published") == [["Second row (Score)", "Of two."]]
    assert html_rows(text, "columns")[1] == ["Paper's rules", "score under fields (rules=paper); turkingbench."]
    assert html_rows(text, "runs")[1][:5] == ["r1", "do-nothing", "bench", "test", "0"]
    assert "2 of 4 cells are complete" in text and "/home/somebody" not in text and "2026-01-02 03:04 UTC" in text


def test_the_html_loads_nothing() -> None:
    tree = html.document_fromstring(as_html(made(), NOW))
    assert not tree.xpath("//script | //link | //img | //iframe | //@href | //@src")
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")
    assert "url(" not in tree.xpath("string(//style)") and "--page" in tree.xpath("string(//style)")


def test_the_sample_is_no_finding_in_any_of_them() -> None:
    for write in (as_html, as_markdown, as_latex):
        assert "no finding" in write(made(sample=True), NOW) and "no finding" not in write(made(), NOW)
    assert html_rows(as_html(made(sample=True), NOW), "numbers")[2][1:5] == ["7.8", "8.9", "0.0 – 20.8", "–"]


def markdown_rows(text: str) -> list[list[str]]:
    """The cells of all rows of tables: what stands between bars that nothing escapes."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[re.sub(r"\\(.)", r"\1", cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_markdown_is_a_table() -> None:
    text = as_markdown(made(), NOW)
    head, rule, first, second, *runs = markdown_rows(text)
    assert head[:3] == ["Row", "Score: paper", "ours"] and len(head) == len(rule) == 9
    assert [first, second] == EXPECTED and set("".join(rule)) == {":", "-"}
    assert "- Second row: Not run yet." in text.splitlines()
    assert runs[2][:2] == ["r1", "do-nothing"]
    assert "\n\n\n" not in text and text.startswith("# A table\n\n")


LATEX = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", "$-$": "−", r"$\pm$": "±",
    r"$\times$": "×", r"$\downarrow$": "↓", r"$\cdot$": "·", **{f"\\{sign}": sign for sign in "&%$#_{}"},
}  # fmt: skip
TOKENS = re.compile("|".join(re.escape(mark) for mark in sorted(LATEX, key=len, reverse=True)) + "|.", re.DOTALL)


def latex_cells(line: str) -> list[str]:
    """What LaTeX prints in the cells of a row. Fails where a sign that means something stands by itself."""
    cells, cell = [], ""
    for token in TOKENS.findall(line.strip().removesuffix(r" \\")):
        if token == "&":
            cells, cell = [*cells, cell], ""
        else:
            assert token in LATEX or token not in "\\{}$%#_^~", line
            cell += LATEX.get(token, token)
    return [one.strip() for one in (*cells, cell)]


def latex_rows(text: str) -> list[list[str]]:
    body = text[text.index(r"\midrule") + 8 : text.index(r"\bottomrule")]
    return [latex_cells(line) for line in body.strip().splitlines()]


def test_the_latex_is_a_table() -> None:
    text = as_latex(made(), NOW)
    assert latex_rows(text) == [[cell.replace("–", "--") for cell in row] for row in EXPECTED]
    assert r"\begin{tabular}{lrrlrrrlr}" in text and r"\cmidrule(lr){6-9}" in text
    assert r"\multicolumn{4}{c}{Score} & \multicolumn{4}{c}{Paper's rules} \\" in text
    outside = text[: text.index(r"\begin{table}")]
    assert all(line.startswith("%") for line in outside.splitlines())
    assert "% run r1, do-nothing, bench, test, 0, 150" in outside


HOSTILE = st.text(st.sampled_from("ab \\&%$#_{}~^|<>\"'`*[]!-–±−\n\t\r\x00\x1b\u2028\u202e") | st.characters(
    exclude_categories=("Cs",)), max_size=30)  # fmt: skip


def on_one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


@given(HOSTILE)
def test_no_label_breaks_out_of_latex(label: str) -> None:
    text = as_latex(made(label), NOW)
    wanted = on_one_line(label).replace("–", "--")
    assert latex_rows(text)[0] == [wanted, *(cell.replace("–", "--") for cell in EXPECTED[0][1:])]
    assert all(line.startswith("%") for line in text[: text.index(r"\begin{table}")].splitlines())


@given(HOSTILE)
def test_no_label_breaks_out_of_markdown(label: str) -> None:
    rows = markdown_rows(as_markdown(made(label), NOW))
    assert rows[2] == [on_one_line(label), *EXPECTED[0][1:]] and len(rows) == len(
        markdown_rows(as_markdown(made(), NOW))
    )


@given(HOSTILE.map(on_one_line))
def test_no_label_breaks_out_of_html(label: str) -> None:
    assert html_rows(as_html(made(label), NOW), "numbers")[2] == [label, *EXPECTED[0][1:]]


@pytest.mark.parametrize(
    ("value", "percent", "digits", "sign", "words"),
    [
        (None, True, 1, False, "–"),
        (0.6104, True, 1, False, "61.0"),
        (0.611, True, 0, False, "61"),
        (0.58, False, 2, False, "0.58"),
        (-0.0123, True, 1, True, "−1.2"),
        (0.0123, True, 1, True, "+1.2"),
        (-0.0001, True, 1, True, "0.0"),
        (0.0, True, 1, True, "0.0"),
    ],
)
def test_numbers_are_rounded_as_the_papers(
    value: float | None, percent: bool, digits: int, sign: bool, words: str
) -> None:
    table = replace(made().table, percent=percent, digits=digits)
    assert number(table, value, sign=sign) == words


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    check_folder(out)
    files = write_documents(made(), out)
    assert [file.name for file in files] == ["mine.html", "mine.md", "mine.tex"]
    assert sorted(out.iterdir()) == sorted(files) and all(file.read_text("utf-8") for file in files)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="no folder"):
        check_folder(tmp_path / "file")
    (tmp_path / "other" / "mine.html").mkdir(parents=True)
    with pytest.raises(UserError, match="cannot be written") as caught:
        write_documents(made(), tmp_path / "other")
    assert caught.value.place.endswith("mine.html") and caught.value.hint
