"""The window about the people who fill in web tasks, over answers in a real store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from stepscope.app.gui.features.webtask import webtask_annotators_controller
from stepscope.app.services.provenance import SAMPLE_WEB
from stepscope.app.services.webtask import annotations
from stepscope.app.services.webtask.annotations import InstanceOrder
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.widgets.webtask.people_values import PageDeliveryOptions
from tests.app.gui.conftest import OpenWindow


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
