"""Tables for spreadsheets: what is written is what is read back, and no cell of it begins a formula for anybody."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.spreadsheet import clipboard_lines, exact_lines, plain_cell, safe_cell, write_rows

LEADS = (
    "", "\r", "\n", "\r\n", " ", "\t", "\xa0", "\ufeff", "\u200b", '"', '""', "'", "\x00", "\x0b", "a\r", "a\n",
    "a\r\n", "\u3000", '" ', "\r\r", "\n\n", " \t ", "\u2028",
)  # fmt: skip
FORMULAS = ("=1+1", "+1+1", "-1+1", "@SUM(1)", "＝1+1", "＋1", "－1", "＠x", "=cmd|'/c calc'!A0", '=HYPERLINK("x")')
ATTACKS = [lead + formula for lead in LEADS for formula in FORMULAS]

_BLANK = ' \t\x00\x0b\x7f\xa0\u200b\u2060\u3000\ufeff"“”'

texts = st.text(st.sampled_from("=+-@＝＋－＠\t\r\n\"' ,;a1.\x0b\x1c\u2028\xa0\ufeff\u200b"), max_size=8) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8
)


def is_formula(cell: str) -> bool:
    """What a spreadsheet makes of a cell: a formula where it begins, behind blanks and quotes, with = + - or @ (OWASP,
    "CSV Injection"; LibreOffice's ScCompiler takes full-width signs too) and is no number. Programs that end rows at
    line ends inside quotes see each line of it as a cell."""
    number = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell, re.ASCII)
    return not number and any(line.lstrip(_BLANK).startswith(tuple("=+-@＝＋－＠")) for line in cell.splitlines())


def as_csv(rows: list[list[str]]) -> str:
    text = io.StringIO(newline="")
    write_rows(text, rows)
    return text.getvalue()


def as_read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@given(texts)
def test_a_cell_comes_back_and_is_no_formula(text: str) -> None:
    cell = safe_cell(text)
    assert plain_cell(cell) == text and not is_formula(cell)


@given(st.lists(st.lists(texts, min_size=1, max_size=4), max_size=5))
def test_a_table_of_any_texts_comes_back(table: list[list[str]]) -> None:
    read = as_read(as_csv(table))
    assert [[plain_cell(cell) for cell in row] for row in read] == table
    assert not any(is_formula(cell) for row in read for cell in row)


@given(st.lists(st.lists(texts, min_size=1, max_size=4), max_size=5))
def test_an_exact_table_is_exact(table: list[list[str]]) -> None:
    assert as_read("".join(exact_lines(table))) == table


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("'=1+1", "''=1+1"),
        ("\r=1+1", "\r'=1+1"),
        ("a\n- b\n- c", "a\n'- b\n'- c"),
        (' "=1', "' \"=1"),
        ("＝1", "'＝1"),
        ("\tx", "'\tx"),
        ("-1.5", "-1.5"),
        ("+3e5", "+3e5"),
        ("-", "'-"),
        ("'tis", "'tis"),
        ("a=b", "a=b"),
    ],
)
def test_what_gets_an_apostrophe(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


def test_lines_as_they_stand() -> None:
    rows = [["plain", None, 3, -0.5, True, ""], ["a,b", 'say "x"', " x", "l\nm", "é", "\0"], [""]]
    text = io.StringIO(newline="")
    write_rows(text, rows)
    first, *rest = text.getvalue().split("\n")
    assert first == "plain,,3,-0.5,1,"
    assert rest == ['"a,b","say ""x"""," x","l', 'm","é","\\x00"', '""', ""]


def test_a_pasted_table_keeps_its_rows() -> None:
    pasted = clipboard_lines([["File", "What"], ["a\n=1+1", "\t=2"], [None, 4]])
    assert pasted == "File\tWhat\na =1+1\t'=2\n\t4\n"


def test_pandas_reads_the_same_rows() -> None:
    pandas = pytest.importorskip("pandas")
    read = pandas.read_csv(io.StringIO(as_csv([["x", one, "y"] for one in ATTACKS])), header=None, dtype=str)
    assert read.shape == (len(ATTACKS), 3)
    assert [plain_cell(cell) for cell in read[1]] == [one.replace("\0", "\\x00") for one in ATTACKS]


def test_libreoffice_finds_no_formula(tmp_path: Path) -> None:
    """Where it is installed; its filter is told of commas, quotes and UTF-8 (44, 34, 76)."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    file = tmp_path / "attack.csv"
    file.write_text(as_csv([["x", one, "y"] for one in ATTACKS]), encoding="utf-8", newline="")
    own = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [office, own, "--headless", "--convert-to", "fods", "--infilter=CSV:44,34,76,1", str(file)]
    subprocess.run([*command, "--outdir", str(tmp_path)], check=True, capture_output=True, timeout=100)
    sheet = (tmp_path / "attack.fods").read_text("utf-8")
    assert "calc" in sheet and "table:formula" not in sheet
