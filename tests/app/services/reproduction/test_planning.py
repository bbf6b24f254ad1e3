"""What of a table can be run here, and what each other cell lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.library import whole_index
from stepscope.app.services.provenance import SAMPLE, SAMPLE_WEB
from stepscope.app.services.reproduction import planning
from stepscope.app.services.reproduction.planning import (
    TableChoices,
    TableData,
    column_format,
    known_data,
    plan_table,
    row_model,
)
from stepscope.app.services.reproduction.tables import ModelRun, PaperTable, find_table
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import names_of
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer


def missing(table: PaperTable, database: Database, *data: TableData, **choices: object) -> dict[str, str]:
    """What the first cell of each row lacks."""
    plan = plan_table(database, table, data, TableChoices(**choices))  # type: ignore[arg-type]
    return {cell.row.id: cell.missing for cell in reversed(plan.cells)}


def test_cells_that_differ_in_metric_or_rule_alone_share_their_runs(
    table: PaperTable, database: Database, sample: TableData
) -> None:
    plan = plan_table(database, table, [sample], TableChoices(seeds=(0, 3)))
    assert [(run.request.model, run.request.seed) for run in plan.runs] == [
        ("text-match", 0), ("random", 0), ("random", 3),
    ]  # fmt: skip
    assert [len(cell.runs) for cell in plan.cells] == [1, 1, 1, 2, 2, 2, 0, 0, 0]
    assert plan.models == {"words": "text-match", "chance": "random"}


def test_only_the_first_of_each_app(table: PaperTable, database: Database, sample: TableData) -> None:
    with database.reading() as db:
        app_of = names_of(db, sample.source_id, "app")
    apps = [app_of[one] for one in plan_table(database, table, [sample]).runs[0].episodes]
    assert len(apps) == len(set(apps)) == len(set(app_of.values()))
    assert len(plan_table(database, table, [sample], TableChoices(per_app=2)).runs[0].episodes) == 2 * len(apps)
    assert len(plan_table(database, table, [sample], TableChoices(limit=2)).runs[0].episodes) == 2


def test_without_data_every_cell_says_which(table: PaperTable, database: Database) -> None:
    found = missing(table, database)
    assert found["words"] == "Data in the format recording is missing. Name it with --data PATH."
    (cell, *_rest) = plan_table(database, find_table("turkingbench"), []).cells
    assert cell.missing == "Data in the format turkingbench with a split test is missing. Name it with --data PATH."


def test_a_row_behind_a_server_says_what_would_run_it(table: PaperTable, database: Database, sample: TableData) -> None:
    row = find_table("turkingbench").rows[1]
    _, why = row_model(Task.WEBTASK, row)
    assert "stepscope servers add" in why and "page:SERVER/MODEL?demos=7&html=relevant would run it" in why
    servers.add(ChatServer("lab", "http://127.0.0.1:1/v1", "gpt-x"))
    _, why = row_model(Task.WEBTASK, row)
    assert "to be chosen" in why and "Give --model, such as page:lab/gpt-x" in why


def test_a_chosen_model_gets_what_the_papers_row_sets_unless_its_name_does() -> None:
    servers.add(ChatServer("lab", "http://127.0.0.1:1/v1", "gpt-x"))
    row = find_table("turkingbench").rows[2]
    assert row_model(Task.WEBTASK, row, "page:lab/gpt-x") == ("page:lab/gpt-x?demos=7&context=100000", "")
    assert row_model(Task.WEBTASK, row, "page:lab/gpt-x?demos=3") == ("page:lab/gpt-x?demos=3&context=100000", "")
    assert row_model(Task.WEBTASK, row, "oracle") == ("oracle", "")


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ({"word": "random"}, "no row 'word'"),
        ({"words": "oracle"}, "no model for automation"),
        ({"words": "no-such"}, "There is no model 'no-such'"),
        ({"asked": "served:nobody/x"}, "There is no server 'nobody'"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_before_anything_runs(
    table: PaperTable, database: Database, models: dict[str, str], words: str
) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        plan_table(database, table, [], TableChoices(models))
    assert caught.value.hint


def test_a_model_that_is_not_here_costs_its_row_only(table: PaperTable, database: Database, sample: TableData) -> None:
    rows = (replace(table.rows[0], run=ModelRun("model", "no-such")), *table.rows[1:])
    found = missing(replace(table, rows=rows), database, sample)
    assert found["words"].startswith("There is no model 'no-such'.") and found["chance"] == ""
    rows = (replace(table.rows[0], run=ModelRun("model", "oracle")), *table.rows[1:])
    assert missing(replace(table, rows=rows), database, sample)["words"] == "The model oracle is none for automation."


def test_a_split_that_the_data_does_not_have(table: PaperTable, database: Database, sample: TableData) -> None:
    columns = (replace(table.columns[0], split="nowhere"), *table.columns[1:])
    plan = plan_table(database, replace(table, columns=columns), [sample])
    assert plan.cells[0].missing.startswith("The data has no split 'nowhere'.") and plan.cells[1].missing == ""


def test_data_that_no_column_is_about_and_data_twice(table: PaperTable, database: Database, sample: TableData) -> None:
    with pytest.raises(UsageError, match="is not about recording"):
        plan_table(database, find_table("turkingbench"), [sample])
    with pytest.raises(UsageError, match="takes one data set of recording"):
        plan_table(database, table, [sample, TableData(Path("elsewhere"), sample.source, sample.source_id)])


def test_data_that_the_store_knows(database: Database, sample: TableData, table: PaperTable) -> None:
    assert known_data(database, table.columns[0]) == (SAMPLE,)
    (column,) = find_table("turkingbench").columns
    assert known_data(database, column) == ()
    whole_index(database, SAMPLE_WEB, CancelToken())
    assert known_data(database, column) == (SAMPLE_WEB,)
    assert known_data(database, replace(column, split="challenge")) == ()


def test_data_of_a_platform_stands_in_for_the_papers_and_its_own_format_comes_first(
    database: Database, sample: TableData
) -> None:
    """The sample is of recordings, which are Android's: the columns of AitZ take it, those of Mind2Web do not."""
    table = find_table("goal-table2")
    assert column_format(table, sample) == "aitz"
    assert column_format(find_table("turkingbench"), sample) is None
    plan = plan_table(database, table, [sample], TableChoices({"gpt-4": "template"}))
    assert {cell.column.format for cell in plan.cells if cell.runs} == {"aitz"} and len(plan.runs) == 1
    assert plan.takes_judge(plan.runs[0])
    assert known_data(database, table.columns[-1]) == (sample.path,) and not known_data(database, table.columns[0])
    again = replace(sample, path=Path("elsewhere"))
    with pytest.raises(UsageError, match="takes one data set of aitz"):
        plan_table(database, table, [sample, again])


def test_a_column_for_each_app_the_largest_first_up_to_a_number(
    database: Database, sample: TableData, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = find_table("goal-table3")
    with database.reading() as db:
        counts = Counter(names_of(db, sample.source_id, "app").values())
    monkeypatch.setattr(planning, "MOST_APPS", 2)
    made = plan_table(database, table, [sample]).table
    apps = [column.app for column in made.columns if column.format == "aitz"]
    assert apps == sorted(counts, key=lambda app: (-counts[app], app))[:2]
    assert made.notes[-1].startswith(f"{len(counts) - 2} more apps or sites")
    assert [column.id for column in plan_table(database, table, []).table.columns] == ["mind2web", "aitz"]
