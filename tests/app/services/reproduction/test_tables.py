"""Tables of papers as files: those that are shipped, and files that are no table, each with one message."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.reproduction.tables import (
    SHIPPED,
    ModelRun,
    PaperRow,
    PaperTable,
    ServedRun,
    find_table,
    read_table,
    table_names,
)
from stepscope.core import limits
from stepscope.core.errors import UsageError, UserError

TABLE = """
name = "mine"
title = "Mine"
paper = "A paper"
place = "table 1"
section = "3"
task = "webtask"
protocol = "fields"

[[columns]]
id = "score"
title = "Score"
metric = "score"
format = "turkingbench"
published = "TurkingBench, 20 test tasks"

[[rows]]
id = "nothing"
label = "Nothing"
published = "Doing nothing"
run = { kind = "model", model = "do-nothing" }

[[rows]]
id = "asked"
label = "Asked"
run = { kind = "served", prefix = "page:", settings = { demos = 7 } }
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


@pytest.mark.parametrize("name", table_names())
def test_a_shipped_table_is_called_as_its_file_and_every_row_of_the_paper_has_its_number(name: str) -> None:
    table = find_table(name)
    assert table.name == name
    rows = [row for row in table.rows if row.published]
    # Of the sequencing paper's tables and of the goals' figure 5 the text at hand has no cell.
    assert bool(rows) != name.startswith(("sequencing-", "goal-table3"))
    # Navi-plus has no timing where an agent cannot ask, and other papers' models on the original tasks alone.
    every = any if name.startswith("naviplus-") else all
    assert all(every(table.published(row, column) for column in table.columns) for row in rows)


def test_the_settings_are_the_papers_rows() -> None:
    """As printed: Navi-plus, table 1."""
    table = find_table("naviplus-table1")
    columns = {column.id: column for column in table.columns}

    def printed(row: PaperRow, *names: str) -> list[float | None]:
        found = [table.published(row, columns[name]) for name in names]
        return [None if one is None else round(100 * one.value, 1) for one in found]

    rows = {row.id: row for row in table.rows}
    assert printed(rows["spiritsight"], "ssr", "sr", "before", "after", "f1") == [67.6, 24.2, 65.7, 70.2, None]
    assert printed(rows["spiritsight-incomplete"], "ssr", "before", "after") == [59.6, 60.8, 60.2]
    assert printed(rows["qwen-ask"], "ssr", "precision", "fpr", "f1") == [52.6, 57.4, 5.5, 48.7]
    assert printed(rows["qwen-dual"], "ssr", "precision", "fpr", "f1") == [55.1, 94.7, 0.4, 58.5]
    assert {row.like or row.id for row in table.rows} == {"spiritsight", "qwen", "ask-timing"}
    assert len({table.run_options(row) for row in table.rows}) == 1, "all rows of a model are one run"


def test_the_sweep_is_the_papers_table_2() -> None:
    found = []
    for name in ("naviplus-table2", "naviplus-table2-web"):
        table = find_table(name)
        for row in table.rows[:2]:
            numbers = [table.published(row, column) for column in table.columns if column.metric == "ssr"]
            found.append([None if one is None else round(100 * one.value, 1) for one in numbers])
    assert found == [[67.6, 59.6, 55.8], [55.4, 51.3, 46.8], [45.3, 26.3], [46.3, 25.7]]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace('like = "qwen"', 'like = "quen"', 1), "like is 'quen'"),
        (lambda text: text.replace('metric = "sr"\n', 'metric = "sr"\nremoved = -1\n', 1), "removed is -1"),
        (lambda text: text.replace('setting = "original"\n', "", 1), "recovery needs a setting"),
    ],
)
def test_settings_that_do_not_fit_are_told(tmp_path: Path, change: Callable[[str], str], why: str) -> None:
    text = (SHIPPED / "naviplus-table1.toml").read_text(encoding="utf-8")
    with pytest.raises(UserError, match=why):
        find_table(str(written(tmp_path, change(text))))


def test_the_web_tasks_are_the_papers_table_4() -> None:
    """As printed: TurkingBench (Xu et al. 2024), table 4."""
    table = find_table("turkingbench")
    (column,) = table.columns
    found = {row.id: table.published(row, column) for row in table.rows}
    assert {row: number and number.value for row, number in found.items()} == {
        "do-nothing": 0.078, "gpt-4-relevant": 0.213, "gpt-4-full": 0.393, "gpt-4v-relevant": 0.245,
        "gpt-4v-full": 0.417, "claude-2.1-full": 0.226, "oracle": 1.0,
    }  # fmt: skip
    asked = {row.id: dict(row.run.settings) for row in table.rows if isinstance(row.run, ServedRun)}
    assert {settings["demos"] for settings in asked.values()} == {"7"}
    assert {row for row, settings in asked.items() if settings.get("html") == "relevant"} == {
        "gpt-4-relevant", "gpt-4v-relevant",
    }  # fmt: skip
    assert {row for row, settings in asked.items() if settings.get("vision") == "1"} == {
        "gpt-4v-relevant", "gpt-4v-full",
    }  # fmt: skip


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    table = find_table(str(written(tmp_path, TABLE)))
    assert [row.run for row in table.rows] == [
        ModelRun("model", "do-nothing"), ServedRun("served", "page:", (("demos", "7"),)),
    ]  # fmt: skip
    (column,) = table.columns
    assert [table.published(row, column) is not None for row in table.rows] == [True, False]
    assert (table.percent, table.digits, column.split, column.per_app) == (True, 1, "", None)


def test_options_of_table_row_and_column_are_laid_over_each_other(tmp_path: Path) -> None:
    text = TABLE.replace('published = "TurkingBench, 20 test tasks"', 'options = { rules = "paper" }')
    table = read_table(
        written(tmp_path, text.replace('published = "Doing nothing"', 'options = { rules = "official" }'))
    )
    row, column = table.rows[0], table.columns[0]
    assert (dict(table.run_options(row)), dict(table.cell_options(row, column))) == (
        {"rules": "official"}, {"rules": "paper"},
    )  # fmt: skip


def test_a_name_that_there_is_not_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="no table 'turkingbank'") as caught:
        find_table("turkingbank")
    assert "Did you mean turkingbench" in caught.value.hint
    with pytest.raises(UsageError, match="no such file"):
        find_table("nowhere/mine.toml")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "mine"', 'name = "../mine"', "name is '../mine'"),
        ('title = "Mine"', "", "title"),
        ('title = "Mine"', "title = 3", "title of PaperTable is 3"),
        ('title = "Mine"', 'title = "Mine"\nruns = 1', "PaperTable has no 'runs'"),
        ('title = "Mine"', 'title = "Mine"\ndigits = 9', "digits is 9"),
        ('title = "Mine"', 'title = "Mine"\ndigits = true', "digits of PaperTable is True"),
        ('title = "Mine"', 'title = "Mine"\nnotes = [1]', "notes of PaperTable"),
        ('title = "Mine"', 'title = "Mine"\noptions = { rules = "mine" }', "rules cannot be 'mine'"),
        ('title = "Mine"', 'title = "Mine"\noptions = { colour = 1 }', "no option 'colour'"),
        ('title = "Mine"', 'title = "Mine"\noptions = [1]', "options is [1]"),
        ('task = "webtask"', 'task = "dance"', "task is 'dance'"),
        ('task = "webtask"', "task = []", "task is []"),
        ('task = "webtask"', 'task = "goal"', "protocol is 'fields'"),
        ('protocol = "fields"', 'protocol = "feelds"', "feelds"),
        ('metric = "score"', 'metric = "beauty"', "column score: metric is 'beauty', not one of score"),
        ('format = "turkingbench"', 'format = "turk"', "no format 'turk'"),
        ('format = "turkingbench"', 'format = "turkingbench"\nper_app = 0', "column score: per_app is 0"),
        ('format = "turkingbench"', 'format = "turkingbench"\nper_app = "all"', "column 1: per_app of PaperColumn"),
        ('id = "asked"', 'id = "nothing"', "row 2: the id 'nothing' is in use"),
        ('id = "asked"', 'id = "a=b"', "row 2: id is 'a=b'"),
        ('label = "Asked"', "", "row 2: PaperRow is not complete"),
        ('published = "Doing nothing"', 'published = "Doing all"', "row nothing: published is 'Doing all'"),
        ('kind = "model"', 'kind = "dreamt"', "row 1: run is"),
        ('kind = "model"', "kind = []", "row 1: run is"),
        ('model = "do-nothing"', "model = 1", "row 1: model of ModelRun is 1"),
        ('kind = "model"', 'kind = "model", settings = { demos = 1 }', "row 1: ModelRun has no 'settings'"),
        ('prefix = "page:"', 'prefix = "page"', "row asked: run.prefix is 'page'"),
        ("settings = { demos = 7 }", "settings = { demos = [7] }", "row 2: run.settings is"),
        ("settings = { demos = 7 }", "settings = { demos = true }", "row 2: run.settings is"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table_is_told_with_its_field(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in TABLE
    file = written(tmp_path, TABLE.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        read_table(file)
    assert caught.value.place == str(file) and words in caught.value.message and caught.value.hint


JUDGED = """
name = "judged"
title = "Judged"
paper = "A paper"
place = "table 2"
section = "5"
task = "goal"
protocol = "goal_text"

[[columns]]
id = "match"
title = "Match"
metric = "match"
judged = "people"
format = "aitz"
platform = "android"
keep = "split:test"
published = "AitZ, judged by people"
pairs = 100

[[rows]]
id = "words"
label = "Words"
published = "GPT-4"
run = { kind = "model", model = "template" }

[[rows]]
id = "people"
label = "People"
run = { kind = "written", beside = "reference" }
"""


def test_a_judged_column_has_the_numbers_of_intent_whatever_the_runs_rule(tmp_path: Path) -> None:
    table = find_table(str(written(tmp_path, JUDGED)))
    (column,) = table.columns
    numbers = [table.published(row, column) for row in table.rows]
    assert [number and number.value for number in numbers] == [0.59, None]
    assert column.takes("aitz") and column.takes("recording") and not column.takes("seeact")
    assert not column.takes("mixed"), "several formats at one place are of no one platform"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('metric = "match"', 'metric = "rouge_l"', "metric is 'rouge_l', not one of fulfillment"),
        ('judged = "people"', 'judged = "me"', "judged of PaperColumn is 'me'"),
        ('judged = "people"', 'judged = "judge"', "what people wrote (row people) is judged by people"),
        ('metric = "match"\njudged = "people"', 'metric = "rouge_l"', "each, app and pairs are of judged columns"),
        ('keep = "split:test"', 'keep = "split:"', "column match: keep is no filter"),
        ('platform = "android"', 'platform = "text"', "platform of PaperColumn is 'text'"),
        ("pairs = 100", "pairs = 0", "column match: pairs is 0"),
        ("pairs = 100", 'each = "mood"', "each of PaperColumn is 'mood'"),
        ('beside = "reference"', 'beside = "nobody"', "beside of WrittenRow is 'nobody'"),
        ('task = "goal"\nprotocol = "goal_text"', 'task = "automation"\nprotocol = "aitw"', "only goals are judged"),
    ],
)
def test_a_judged_column_that_does_not_fit_is_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in JUDGED
    with pytest.raises(UserError) as caught:
        read_table(written(tmp_path, JUDGED.replace(old, new, 1)))
    assert words in caught.value.message


@pytest.mark.parametrize("kind", ["truncated", "bytes", "long", "deep", "folder", "pipe", "rows", "empty"])
def test_what_is_no_file_of_a_table_at_all(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "mine.toml"
    match kind:
        case "truncated":
            file.write_text(TABLE[:-20])
        case "bytes":
            file.write_bytes(b"\x80\x04\x95pickle")
        case "long":
            limits.choose({"own-file-bytes": 1000})
            file.write_text(TABLE + "#" * 1000)
        case "deep":
            file.write_text("a = " + "[" * 100_000)
        case "folder":
            file.mkdir()
        case "pipe":
            os.mkfifo(file)
        case "rows":
            file.write_text(TABLE + '[[rows]]\nid = "x"\n' * 300)
        case "empty":
            file.write_text("")
    try:
        with pytest.raises(UserError) as caught:
            read_table(file)
    finally:
        limits.choose({})
    assert caught.value.place == str(file) and "\n" not in caught.value.message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(where=st.lists(st.integers(0, 12), min_size=1, max_size=4), value=VALUES)
def test_any_value_in_any_place_gives_a_table_or_one_message(where: list[int], value: object) -> None:
    """The form is changed behind the reader of TOML, which knows no None: that is stricter."""
    from stepscope.app.services.reproduction import tables

    form: object = tomllib.loads(TABLE)
    whole = form
    for depth, at in enumerate(where):
        keys: list[object] = (
            list(form) if isinstance(form, dict) else list(range(len(form))) if isinstance(form, list) else []
        )
        if not keys:
            break
        key = keys[at % len(keys)]
        if depth == len(where) - 1:
            form[key] = value  # type: ignore[index]
        else:
            form = form[key]  # type: ignore[index]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "read_toml", lambda _file: whole)
        try:
            found = read_table(Path("mine.toml"))
        except UserError as error:
            assert error.place == "mine.toml" and error.hint
        else:
            assert isinstance(found, PaperTable)


@given(st.binary(max_size=200))
def test_any_bytes_give_one_message(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(data)
    with pytest.raises(UserError):
        read_table(file)


def test_the_folder_holds_nothing_else() -> None:
    assert {file.suffix for file in SHIPPED.iterdir()} == {".toml"}
