"""The window about the people who fill in web tasks, over answers in a real store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from stepscope.app.gui.features.webtask import webtask_annotators_controller
from stepscope.app.gui.features.webtask.presenter import people_progress, people_view
from stepscope.app.services.provenance import SAMPLE_WEB
from stepscope.app.services.webtask import annotations
from stepscope.app.services.webtask.annotations import InstanceOrder, PersonProgress
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.agreement import FieldAgreement, TaskAgreement, WorkerComparison
from stepscope.widgets.webtask.people_values import FieldRow, PageDeliveryOptions, PeopleView, PersonRow, WorkersRow
from stepscope.widgets.webtask.side_values import PeopleProgress
from tests.app.gui.conftest import OpenWindow

EVERYBODY = [
    PersonProgress("Rate", "ann", 3, 1, 60.0, 10),
    PersonProgress("Rate", "bob", 0, 2, 0.0, 10),
    PersonProgress("Rate", "zoe", 1, 0, 5.0, 10),
    PersonProgress("Other", "ann", 7, 0, 1.0, 7),
]


def test_the_line_below_the_tasks_counts_who_submitted() -> None:
    assert people_progress("ann", "Rate", EVERYBODY, 10) == PeopleProgress(3, 10, 2)
    assert people_progress("bob", "Rate", EVERYBODY, 10) == PeopleProgress(0, 10, 2)
    assert people_progress("ann", "Nothing", EVERYBODY, 10) is None


def test_rows_are_those_of_the_store() -> None:
    field = FieldAgreement("good", FieldType.RADIO, "kappa", 0.5, 0.75, 0.4, 4, 1, 6)
    found = TaskAgreement("Rate", ("ann", "zoe"), 4, (field,), (WorkerComparison("ann", None, 0, 0),))
    view = people_view(PageDeliveryOptions("ann"), ["ann", "zoe"], EVERYBODY[:1], found)
    assert view == PeopleView(
        PageDeliveryOptions("ann"), ("ann", "zoe"), (PersonRow("Rate", "ann", 3, 1, 10, 60.0),), "Rate",
        (FieldRow("good", "radio", "Cohen's kappa", 0.5, 0.75, 4, 6),), (WorkersRow("ann", None, 0),),
    )  # fmt: skip
    assert people_view(PageDeliveryOptions(), [], EVERYBODY, None).task == ""


def test_people_are_looked_at_chosen_and_deleted(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """One window, one page: opening both is what takes the time."""
    person = open_window(SAMPLE_WEB)
    web = person.bench.webtask
    person.choose("workspace.webtask")
    person.until(lambda: web.page.is_ready, "the first page")
    database, source, task = person.bench.context.database, web.people.source, web.task.read.task.name
    now = datetime(2024, 5, 1, tzinfo=UTC)
    for who, value in (("ann", "yes"), ("bob", "no")):
        one = WebAnswer(source, task, f"{task}/0", who, {"has_request": value}, now, 12.0, now)
        annotations.make(database, annotations.AnswerChange(after=(one,)))
    web.people.answers_changed.emit()
    person.until(lambda: "2 annotators" in web.page.parts.tasks._people.text(), "the line below the tasks")

    web.page.parts.tasks.annotations_requested.emit()
    page = web.annotators.page
    person.until(lambda: len(page.people.cells.rows) == 2, "the people")
    person.choose("webtask.people")
    assert web.annotators.page is page, "there is one such window"
    person.until(lambda: page.workers.cells.rows, "the agreement")
    assert [row.key for row in page.people.cells.rows] == [(task, "ann"), (task, "bob")]
    assert [row.words[0] for row in page.workers.cells.rows] == ["ann", "bob"]

    page.habits_changed.emit(PageDeliveryOptions(" ann ", 7, 2, False))
    person.until(lambda: page.form.habits() == PageDeliveryOptions("ann", 7, 2, False), "what was wanted")
    assert (web.people.annotator, web.people.order) == ("ann", InstanceOrder(7, 2))
    assert not person.bench.context.preferences.annotation_blind

    monkeypatch.setattr(webtask_annotators_controller, "confirmed", lambda *_words: True)
    page.delete_requested.emit(((task, "bob"),))
    person.until(lambda: len(page.people.cells.rows) == 1, "bob to be gone")
    assert [one.annotator for one in annotations.listed(database, source)] == ["ann"]
    page.window().close()
    assert web.annotators.page is None
