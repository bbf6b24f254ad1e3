"""Working through a table: what is done is found again, what was broken off goes on, what fails costs itself only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import stepscope.models.registry
from stepscope.app.services import evaluation
from stepscope.app.services.reproduction.planning import TableChoices, TableData, TablePlan, plan_table
from stepscope.app.services.reproduction.results import TableResult, table_result
from stepscope.app.services.reproduction.running import (
    TableEvent,
    TableRunBegun,
    TableRunFailed,
    begun_here,
    stored_run,
    work_on_table,
)
from stepscope.app.services.reproduction.tables import PaperTable
from stepscope.core.domain.run import RunState
from stepscope.core.errors import StoreError, UserError
from stepscope.core.evaluation.comparison import seed_summary
from stepscope.core.evaluation.rules import scoring_of
from stepscope.core.evaluation.summaries import run_metrics, summary
from stepscope.core.progress import CancelToken
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs


class Asked:
    """Loads models, and keeps which steps each was asked about."""

    def __init__(self, each: Callable[[str], None] = lambda _: None) -> None:
        self.steps: list[tuple[str, str, int]] = []
        self._each = each

    def load(self, name: str, **more: Any) -> Any:
        model = stepscope.models.registry.load(name, **more)
        predict = model.predict

        def remembering(request: Any) -> Any:
            self.steps.append((name, request.episode, request.step))
            self._each(name)
            return predict(request)

        model.predict = remembering
        return model


def done(database: Database, plan: TablePlan, load: Any = None, token: CancelToken | None = None) -> list[TableEvent]:
    return list(work_on_table(database, plan, token, begun_here(load)))


def begun(events: list[TableEvent]) -> list[tuple[str, bool]]:
    return [(event.planned.request.model, event.finished) for event in events if isinstance(event, TableRunBegun)]


def ours(result: TableResult) -> dict[tuple[str, str], float | None]:
    return {(cell.row.id, cell.column.id): cell.ours and cell.ours.mean for cell in result.cells}


def test_every_number_is_that_of_an_ordinary_run(table: PaperTable, database: Database, sample: TableData) -> None:
    plan = plan_table(database, table, [sample], TableChoices(seeds=(0, 1)))
    done(database, plan)
    result = table_result(database, plan)
    words, first, second = (stored_run(database, planned) for planned in plan.runs)
    assert words and first and second
    metrics = summary(database, words.id)["metrics"]
    assert ours(result)["words", "loose"] == metrics["step_accuracy"]
    assert ours(result)["words", "whole"] == metrics["complete_match"]
    over = dict(seed_summary(database, [first.id, second.id]).metrics)["step_accuracy"]
    chance = next(cell for cell in result.cells if cell.row.id == "chance")
    assert chance.ours == over and chance.runs == (first.id, second.id) and chance.interval is None
    intervals = dict(run_metrics(database, words.id, bootstrap=1000)[1].intervals)
    assert result.cells[0].interval == intervals["step_accuracy"]
    assert set(result.runs) == {words.id, first.id, second.id}


def test_a_column_with_another_rule_is_scored_again_and_not_run_again(
    table: PaperTable, database: Database, sample: TableData
) -> None:
    asked = Asked()
    plan = plan_table(database, table, [sample])
    done(database, plan, asked.load)
    result = table_result(database, plan)
    cell = next(cell for cell in result.cells if (cell.row.id, cell.column.id) == ("words", "exact"))
    assert len(asked.steps) == len(set(asked.steps))
    # The same model under that rule from the start has the same number.
    request = replace(plan.runs[0].request, options=(("text", "exact"),))
    run = evaluation.start(database, sample.source, sample.source_id, request).run
    list(run.updates())
    assert cell.ours and cell.ours.mean == summary(database, run.run_id)["metrics"]["step_accuracy"]
    assert stored_run(database, plan.runs[0]) == stored_run(database, replace(plan.runs[0]))
    assert cell.runs != (run.run_id,), "a run under another rule is another run"


def test_stopped_after_the_first_row_it_goes_on_and_does_nothing_twice(
    table: PaperTable, database: Database, sample: TableData
) -> None:
    token, plan = CancelToken(), plan_table(database, table, [sample])
    first = Asked(lambda name: token.cancel() if name == "random" else None)
    events = done(database, plan, first.load, token)
    assert begun(events) == [("text-match", False), ("random", False)]
    halfway = table_result(database, plan)
    assert ours(halfway)["words", "loose"] is not None and ours(halfway)["chance", "loose"] is None
    assert "run the table again to go on" in halfway.of_row(table.rows[1])[0].missing and not halfway.complete
    second = Asked()
    events = done(database, plan, second.load)
    assert begun(events) == [("text-match", True), ("random", False)]
    both = first.steps + second.steps
    assert len(both) == len(set(both)) and {name for name, *_ in second.steps} == {"random"}
    third = Asked()
    assert begun(done(database, plan, third.load)) == [("text-match", True), ("random", True)] and not third.steps
    with database.reading() as db:
        assert len(queries.run_list(db)) == 2


def test_a_generator_that_is_closed_keeps_what_was_done(
    table: PaperTable, database: Database, sample: TableData
) -> None:
    plan = plan_table(database, table, [sample])
    events = work_on_table(database, plan)
    for _ in range(3):
        next(events)
    events.close()  # type: ignore[attr-defined]
    run = stored_run(database, plan.runs[0])
    assert run is not None and run.state is RunState.CANCELLED and run.done >= 1


@pytest.mark.parametrize("change", ["seed", "limit", "rule", "model", "weights", "version"])
def test_a_run_with_other_settings_is_not_taken(
    table: PaperTable, database: Database, sample: TableData, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    plan = plan_table(database, table, [sample])
    planned = plan.runs[0]
    done(database, plan)
    known = stored_run(database, planned)
    assert known is not None
    match change:
        case "seed":
            planned = replace(planned, request=replace(planned.request, seed=5))
        case "limit":
            planned = replace(planned, episodes=planned.episodes[:1])
        case "rule":
            planned = replace(planned, request=replace(planned.request, options=(("text", "exact"),)))
        case "model":
            planned = replace(planned, request=replace(planned.request, model="nearest-element"))
        case "weights":
            with database.unit_of_work() as db:
                runs.set_made_with(db, known.id, known.machines[0], "a" * 64)
            monkeypatch.setattr("stepscope.app.services.reproduction.running.weights_digest", lambda _: "b" * 64)
        case "version":
            monkeypatch.setattr("stepscope.app.services.reproduction.running.run_scorer", _older)
    assert stored_run(database, planned) is None


class _Older:
    class info:  # noqa: N801
        version = "0"


def _older(_name: str) -> type[_Older]:
    return _Older


def test_a_model_that_breaks_costs_its_own_row(table: PaperTable, database: Database, sample: TableData) -> None:
    def load(name: str, **more: Any) -> Any:
        if name == "text-match":
            raise UserError("The weights are gone.", hint="Get them.")
        return stepscope.models.registry.load(name, **more)

    plan = plan_table(database, table, [sample])
    events = done(database, plan, load)
    failures = {event.planned: event.message for event in events if isinstance(event, TableRunFailed)}
    assert list(failures.values()) == ["The weights are gone. Get them."]
    result = table_result(database, plan, failures)
    assert result.cells[0].missing == "The weights are gone. Get them." and ours(result)["chance", "loose"] is not None


def test_items_that_fail_are_counted_and_told(table: PaperTable, database: Database, sample: TableData) -> None:
    def break_once(name: str) -> None:
        if len(asked.steps) == 1:
            raise RuntimeError("It broke.")

    asked = Asked(break_once)
    plan = plan_table(database, table, [sample])
    done(database, plan, asked.load)
    result = table_result(database, plan)
    first = result.cells[0]
    assert (first.errors, first.missing) == (1, "") and "Items that failed and are left out: 1." in first.remarks
    assert result.errors == 3, "in each of the row's three columns"


def test_a_store_that_cannot_be_written_ends_it(table: PaperTable, database: Database, sample: TableData) -> None:
    def load(_name: str, **_more: Any) -> Any:
        raise StoreError("The store is gone.")

    with pytest.raises(StoreError):
        done(database, plan_table(database, table, [sample]), load)


def test_nothing_was_run_yet(table: PaperTable, database: Database, sample: TableData) -> None:
    result = table_result(database, plan_table(database, table, [sample]))
    assert {cell.missing for cell in result.of_row(table.rows[0])} == {"Not run yet."}
    assert result.runs == {} and result.errors == 0


def test_a_run_that_was_never_scored_under_the_columns_rule(
    table: PaperTable, database: Database, sample: TableData
) -> None:
    plan = plan_table(database, table, [sample])
    request = plan.runs[0].request
    list(evaluation.start(database, sample.source, sample.source_id, request).run.updates())
    cells = {cell.column.id: cell for cell in table_result(database, plan).of_row(table.rows[0])}
    assert cells["loose"].missing == "" and "not scored under the rule" in cells["exact"].missing
    assert scoring_of("aitw", {"text": "exact"}) != scoring_of("aitw", {})


def test_a_stand_in_for_another_model_is_told_and_so_is_a_part(
    table: PaperTable, database: Database, sample: TableData
) -> None:
    choices = TableChoices({"words": "nearest-element"}, limit=2)
    plan = plan_table(database, table, [sample], choices)
    done(database, plan)
    result = table_result(database, plan)
    remarks = result.cells[0].remarks
    assert "Run with nearest-element." in remarks and "A stand-in model: no finding." in remarks
    assert "The first 2 items only." in remarks
    assert result.of_row(table.rows[1])[0].remarks == ("The first 2 items only.",)
    assert result.sample and all(cell.difference is None for cell in result.cells)
