"""MoTIF's table 4: rows trained once for all columns, further data, parts that are empty, what the paper has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.library import whole_index
from stepscope.app.services.reproduction.planning import TableChoices, TableData, TablePlan, plan_table
from stepscope.app.services.reproduction.results import OTHER_DATA, CellResult, table_result
from stepscope.app.services.reproduction.running import TableRunFailed, TableTrained, work_on_table
from stepscope.app.services.reproduction.tables import PaperTable, TrainedRun, find_table
from stepscope.core.domain.episode import Episode
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
from stepscope.models.automation.seq2act_recipe import Seq2ActRecipe
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import own_folder
from tests.app.app_grid import APPS, grid, shown, written

Indexed = Callable[[str, list[Episode]], TableData]
SEEN, UNSEEN = 6, 6
"""Columns of apps seen and unseen: two kinds of sequence by action, ground and both."""


@pytest.fixture
def table() -> PaperTable:
    """The rows of table 4 whose recipe is here whatever else is."""
    found = find_table("motif-table4")
    return replace(
        found, rows=tuple(row for row in found.rows if row.run.kind == "trained" and row.id[:7] == "seq2act")
    )


@pytest.fixture
def indexed(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Indexed:
    """Episodes as a data set; models go to a home of their own and are trained shortly."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(Seq2ActRecipe, "hyper", replace(Seq2ActRecipe.hyper, epochs=1, batch=4, workers=0))

    def index(name: str, episodes: list[Episode]) -> TableData:
        found = whole_index(database, written(tmp_path / name, episodes), CancelToken())
        assert found is not None
        return TableData(tmp_path / name, found.source, found.source_id)

    return index


def cells_of(database: Database, plan: TablePlan) -> dict[str, list[CellResult]]:
    result = table_result(database, plan)
    return {row.id: list(result.of_row(row)) for row in plan.table.rows}


def test_the_table_has_its_published_numbers() -> None:
    """Table 4 of the paper, a row's twelve numbers as printed, in percent."""
    table = find_table("motif-table4")
    assert len(table.columns) == SEEN + UNSEEN
    found = {row.id: [table.published(row, column) for column in table.columns] for row in table.rows}
    values = {name: [round(100 * one.value, 1) for one in row if one is not None] for name, row in found.items()}
    assert values["seq2seq"] == [68.5, 22.5, 22.5, 89.5, 40.4, 40.1, 54.3, 18.0, 17.7, 81.7, 31.3, 30.6]
    assert values["moca"] == [51.1, 21.3, 20.7, 78.5, 40.0, 38.6, 44.8, 17.0, 15.1, 72.2, 32.7, 30.0]
    assert values["seq2act"] == [98.8, 27.6, 27.6, 99.7, 64.4, 64.3, 94.9, 23.5, 23.5, 98.9, 62.2, 61.7]
    rules = {row.id: dict(row.options)["grounding"] for row in table.rows}
    assert (rules["seq2seq"], rules["moca"], rules["seq2act"]) == ("point", "box", "object")
    assert rules["seq2seq-alone"] == "point" and not values["seq2seq-alone"]


def test_a_row_whose_recipe_is_not_here_says_so(database: Database, table: PaperTable, indexed: Indexed) -> None:
    unknown = replace(table.rows[0], id="unknown", run=TrainedRun("trained", "seq2nothing"))
    data = indexed("data", grid())
    plan = plan_table(database, replace(table, rows=(unknown, *table.rows)), [data])
    told = {cell.missing for cell in plan.cells if cell.row.id == "unknown"}
    assert len(told) == 1 and told.pop().startswith(
        "The recipe seq2nothing is not here. Recipes for automation: two-to"
    )
    assert all(cell.runs for cell in plan.cells if cell.row.id == "seq2act")
    whole = plan_table(database, find_table("motif-table4"), [data])
    assert all(bool(cell.missing) is not bool(cell.runs) for cell in whole.cells), "with and without the recipes"


@pytest.mark.needs("torch")
def test_one_training_serves_all_columns(database: Database, table: PaperTable, indexed: Indexed) -> None:
    """On data whose partitions are dealt out the three rows learn the same where no further data is named."""
    data = indexed("data", grid())
    plan = plan_table(database, table, [data], TableChoices(device="cpu"))
    assert len(plan.runs) == 2 and len({run.training for run in plan.runs if run.training}) == 2
    assert len({run.request.model for run in plan.runs}) == 1
    events = list(work_on_table(database, plan))
    assert not [event for event in events if isinstance(event, TableRunFailed)]
    assert len(list(own_folder().iterdir())) == 1
    found = cells_of(database, plan)
    for row in found.values():
        assert [cell.n for cell in row] == [3] * SEEN + [1] * UNSEEN and not any(cell.missing for cell in row)
    by_column = {cell.column.id: cell for cell in found["seq2act"]}
    action, both = by_column["seen-action-complete"], by_column["seen-both-complete"]
    assert action.ours and both.ours and both.ours.mean is not None and action.ours.mean is not None
    assert both.ours.mean <= action.ours.mean
    assert action.difference is None and OTHER_DATA in action.remarks
    assert "Learned from the table's data alone: no further data was named." in action.remarks
    assert not found["seq2act-alone"][0].remarks
    again = plan_table(database, table, [data], TableChoices(device="cpu"))
    assert not any(isinstance(event, TableTrained) for event in work_on_table(database, again))


@pytest.mark.needs("torch")
def test_further_data_is_learned_from_too_or_alone(database: Database, table: PaperTable, indexed: Indexed) -> None:
    data = indexed("data", grid())
    made = [shown("z", "zoom", f"made-{n}") for n in range(4)]
    more = indexed("ricosca", [*made, shown("", "zoom", "no-app"), shown("d", "zoom", "app-d")])
    columns = tuple(column for column in table.columns if column.id == "unseen-both-partial")
    choices = TableChoices(device="cpu", train_data=(more,))
    plan = plan_table(database, replace(table, columns=columns), [data], choices)
    events = list(work_on_table(database, plan))
    assert not [event for event in events if isinstance(event, TableRunFailed)]
    found = {name: row[0] for name, row in cells_of(database, plan).items()}
    models = {cell.row.id: cell.runs[0].request.model for cell in plan.cells}
    assert len(set(models.values())) == 3
    named = "ricosca does not name every app: some may be those that are tested."
    assert found["seq2act"].remarks[-2:] == ("Learned from ricosca alone.", named)
    assert found["seq2act-joint"].remarks[-2:] == ("Learned from ricosca too.", named)
    cards = {row: read_card(own_folder() / model).data for row, model in models.items()}
    assert cards["seq2act"]["source"] == "ricosca" and "sources" not in cards["seq2act"]
    joint = [(one["source"], one["splits"]["train"]["episodes"]) for one in cards["seq2act-joint"]["sources"]]
    assert joint == [("data", 6), ("ricosca", 5)], "two of the eight are chosen by"
    assert [one.get("left_out") for one in cards["seq2act-joint"]["sources"]] == [None, 1], "it shows what is tested"
    assert cards["seq2act-alone"]["splits"]["train"]["episodes"] == 6


def test_models_are_told_apart_by_what_is_left_out_of_further_data(
    database: Database, table: PaperTable, indexed: Indexed
) -> None:
    """The data names both partitions: app d is new in one alone, so that what the further data has of it is learned
    from for the other. A row that learns from that alone has a model for each all the same."""
    seen, unseen = "app_seen_task_unseen_all", "app_unseen_task_unseen"
    rate = [
        shown(app, "rate", splits=[f"{seen}/train", f"{unseen}/{'test' if app == 'd' else 'train'}"]) for app in APPS
    ]
    data = indexed("data", [*rate, shown("a", "share", splits=[f"{seen}/test"])])
    more = indexed("more", [shown("d", "zoom", "of-d"), *(shown("z", "zoom", f"made-{n}") for n in range(3))])
    plan = plan_table(database, table, [data], TableChoices(train_data=(more,)))
    row = [cell for cell in plan.cells if cell.row.id == "seq2act"]
    assert len({cell.runs[0].request.model for cell in row[:SEEN]}) == 1
    assert row[0].runs[0].request.model != row[-1].runs[0].request.model


def test_an_empty_part_costs_its_columns_only(database: Database, table: PaperTable, indexed: Indexed) -> None:
    """Unseen apps here have seen tasks alone: no task is unseen with them."""
    shows = [shown(app, task, splits=["app_unseen" if app == "d" else "train"])
             for app in APPS for task in ("rate", "share") if app != "d" or task == "rate"]  # fmt: skip
    shows += [shown("a", "zoom"), shown("b", "zoom")]
    plan = plan_table(database, table, [indexed("data", shows)], TableChoices(device="cpu"))
    row = [cell for cell in plan.cells if cell.row.id == "seq2act"]
    assert all(cell.runs for cell in row[:SEEN])
    assert {cell.missing.partition(".")[0] for cell in row[SEEN:]} == {
        "The partition app_unseen_task_unseen/test of this data is empty"
    }


def test_further_data_that_cannot_be(database: Database, table: PaperTable, indexed: Indexed) -> None:
    data = indexed("data", grid())
    with pytest.raises(UsageError, match="is measured on this data"):
        plan_table(database, table, [data], TableChoices(train_data=(data,)))
    with pytest.raises(UsageError, match="No row of motif-table3 learns from further data"):
        plan_table(database, find_table("motif-table3"), [], TableChoices(train_data=(data,)))
