"""A small data set of web tasks, and a store."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

NOON = datetime(2024, 5, 1, 12, 0, 30, tzinfo=UTC)
SOURCE = "data/tasks"
PAGE = """<!DOCTYPE html><html><body><p>${goal} by ${who}</p>
<form><label><input type="radio" name="good" value="1"> yes</label><label><input type="radio" name="good" value="0"> no
</label><input type="checkbox" name="tick" value="x"><input type="checkbox" name="tick" value="y">
<textarea name="why"></textarea><select name="kind"><option value="a">A</option><option>b c</option></select>
<input type="range" name="much"><input type="submit"></form></body></html>"""
ABOUT = ["Rate it", "Say how good", "plan, rate"]
PLAIN = ["Title", "Description", "Keywords", "goal", "who", "unused"]
ANSWERS = ["Answer.good.1", "Answer.good.0", "Answer.tick", "Answer.why", "Answer.kind", "Answer.much"]
INSTANCES = [["=make tea", "Ann", "1"], ['make\nsoup, "at" home', "Bob", "2"], ["make tea", "Ann", "3"]]


def write_task(folder: Path, header: Sequence[str], rows: Sequence[Sequence[str]], page: str = PAGE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "template.html").write_text(page, encoding="utf-8")
    with (folder / "batch.csv").open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream).writerows([header, *rows])
    return folder


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Task "Rate 1" with three instances, each answered by one worker, and "Plain" whose table has no answers."""
    said = [["True", "False", "x", "nice", "a", "3"], ["False", "True", "", "", "", ""], ["", "", "", "", "", ""]]
    rows = [[*ABOUT, *inputs, *cells] for inputs, cells in zip(INSTANCES, said, strict=True)]
    write_task(tmp_path / "tasks" / "Rate 1", [*PLAIN, *ANSWERS], rows)
    write_task(tmp_path / "tasks" / "Plain", ["goal", "who"], [["run", "Eve"], ["walk", "Eve"]])
    return tmp_path / "tasks"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(store_url(tmp_path / "store.db")) as opened:
        yield opened


def _answer(
    number: int = 0,
    annotator: str = "ann",
    submitted: datetime | None = NOON,
    *,
    task: str = "Rate 1",
    seconds: float = 12.0,
    source: str = SOURCE,
    **fields: str,
) -> WebAnswer:
    return WebAnswer(source, task, f"{task}/{number}", annotator, fields, NOON, seconds, submitted)


@pytest.fixture
def answer() -> Callable[..., WebAnswer]:
    """Somebody's answer to instance `number` of "Rate 1", submitted unless said otherwise."""
    return _answer


@pytest.fixture
def new_task() -> Callable[..., Path]:
    """Writes a folder of a template and its table."""
    return write_task
