"""The Web task workspace with real pages: filled in by hand, undone, submitted, solved, looked through, lost."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTableView

from stepscope.app.gui.features.webtask.webtask_controller import ORACLE, TRIAL, YOU
from stepscope.app.gui.features.webtask.webtask_list_controller import PUBLISHED
from stepscope.app.services.provenance import SAMPLE_WEB
from stepscope.app.services.webtask.annotations import annotators, listed
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.prediction import Task
from stepscope.core.webtask.actions import ModifyCheckbox, ModifyRadio, ModifyText
from stepscope.widgets.common import EmptyState
from stepscope.widgets.webtask.side_values import FieldAnswerState
from tests.app.gui.conftest import OpenWindow, Person

FIRST = "Formal sentences/0"
SENTENCE = "I am going to collect the children from school. Could you start dinner?"


class WebPerson:
    """Somebody at the Web task workspace."""

    def __init__(self, person: Person) -> None:
        self.person, self.until, self.bench = person, person.until, person.bench
        self.web = person.bench.webtask
        self.task, self.page, self.people = self.web.task, self.web.page, self.web.people

    @property
    def parts(self):
        return self.person.window.webtask

    @property
    def view(self):
        return self.parts.centre.view

    def enter(self, task: str = "Formal sentences") -> None:
        self.person.choose("workspace.webtask")
        self.until(self.at_rest, "the first page")
        if self.task.read.task.name != task:
            self.parts.tasks.task_chosen.emit(task)
            self.arrive(f"{task}/0")

    def arrive(self, instance: str) -> None:
        self.until(
            lambda: self.task.read is not None and self.task.read.instance.id == instance and self.at_rest(),
            f"the page {instance}",
        )

    def value(self, field: str) -> str:
        return self.page.look.values[field]

    def reads(self, field: str, value: str) -> None:
        self.until(lambda: self.page.is_ready and self.value(field) == value, f"{field} to be {value!r}")

    def spot(self, box: Box) -> QPoint:
        place = self.view.frame.rect_of(box)
        return QPoint(round((place.left + place.right) / 2), round((place.top + place.bottom) / 2))

    def at_rest(self) -> bool:
        """Whether the page is drawn at the size that the window has for it."""
        if not self.page.is_ready:
            return False
        drawn, wanted = self.page.look.viewport, self.view.wanted.viewport
        return abs(drawn.width - wanted.width) <= 2 and abs(drawn.height - wanted.height) <= 2  # whole CSS pixels

    def click(self, box: Box) -> None:
        QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, pos=self.spot(box))

    def field(self, name: str):
        return next(one for one in self.page.look.fields if one.name == name)

    def option(self, field: str, value: str) -> None:
        """Click on a button or box of the field."""
        self.click(next(one.box for one in self.field(field).options if one.value == value))

    def write(self, field: str, text: str) -> None:
        self.click(self.field(field).box)
        self.until(lambda: self.view.is_inside, "keys to go to the page")
        QTest.keyClicks(self.view, text)

    def actions(self) -> list[str]:
        return [line.action.name for line in self.parts.side.log.model.lines]

    def rows(self):
        return {row.name: row for row in self.parts.side.fields.model.state.rows}

    def show(self, who: str) -> None:
        self.parts.centre.title.runner_chosen.emit(who)
        self.until(lambda: self.task.who == who and self.page.is_ready, f"the answers of {who}")

    def evaluate(self, model: str) -> str:
        """Evaluate ▸ Web Tasks…, Run, and wait for the results; returns the run's id."""
        before = set(self.bench.results.run_ids)
        self.person.choose("evaluate.webtask")
        self.bench.evaluate.show_form(Task.WEBTASK, model, "fields")
        self.person.window.evaluate.run()
        return self.person.done(before)

    def kept(self):
        return listed(self.bench.context.database, self.people.source)


@pytest.fixture
def web(open_window: OpenWindow) -> Iterator[WebPerson]:
    person = WebPerson(open_window(SAMPLE_WEB))
    person.enter()
    yield person


def test_a_person_fills_in_a_page_and_goes_on(web: WebPerson) -> None:
    assert web.rows()["sure"].state is FieldAnswerState.OPEN, "what others said is hidden"
    assert web.rows()["sure"].people == ()

    web.write("formal_sentence", SENTENCE)
    web.reads("formal_sentence", SENTENCE)
    web.option("has_request", "yes")
    web.reads("has_request", "yes")
    for box in ("short", "punct"):
        web.option("reasons", box)
    web.reads("reasons", "short|punct")
    web.click(Box(*_select_edges(web)))
    web.until(web.view.list.isVisible, "the list of the speakers")
    web.view.list.hide()
    web.view.list_chosen.emit("family")
    web.reads("speaker", "family")
    assert web.actions() == ["modify_text", "modify_radio", "modify_checkbox", "modify_select"]
    web.until(lambda: [one.fields.get("speaker") for one in web.kept()] == ["family"], "the draft in the store")

    web.person.choose("webtask.submit")
    web.arrive("Formal sentences/1")
    (answer,) = web.kept()
    assert answer.submitted is not None
    assert answer.fields == {
        "formal_sentence": SENTENCE, "has_request": "yes", "reasons": "short|punct", "speaker": "family", "sure": "50",
    }  # fmt: skip
    assert answer.seconds > 0

    web.person.choose("episode.previous")
    web.arrive(FIRST)
    web.until(lambda: web.rows()["has_request"].score == 1, "the score of what was submitted")
    assert web.rows()["speaker"].agreement == "majority 2 of 3"
    assert not web.view.takes_hands, "what was submitted is not changed by accident"

    web.person.choose("webtask.take_back")
    web.until(lambda: web.page.is_ready and web.view.takes_hands, "the page to be open again")
    assert [one.submitted for one in web.kept()] == [None]
    web.reads("formal_sentence", SENTENCE)


def _select_edges(web: WebPerson) -> tuple[float, float, float, float, object]:
    """Where the drop-down list itself is: the lower left part of its field."""
    box = web.field("speaker").box
    return box.left + 8, box.bottom - 16, box.left + 40, box.bottom - 10, box.size


def test_what_was_done_is_undone_and_done_again(web: WebPerson) -> None:
    web.write("formal_sentence", "tea")
    web.reads("formal_sentence", "tea")
    web.option("has_request", "no")
    web.reads("has_request", "no")

    web.person.choose("webtask.undo")
    web.reads("has_request", "")
    assert web.value("formal_sentence") == "tea"
    web.person.choose("webtask.undo")
    web.reads("formal_sentence", "")
    web.person.choose("webtask.redo")
    web.reads("formal_sentence", "tea")
    web.person.choose("webtask.redo")
    web.reads("has_request", "no")
    web.person.choose("webtask.reload")
    web.reads("formal_sentence", "")
    assert web.actions() == []


def test_what_is_typed_belongs_to_its_page_however_quickly_it_is_left(web: WebPerson) -> None:
    web.write("formal_sentence", "of the first")
    web.person.choose("episode.next")
    web.arrive("Formal sentences/1")
    assert web.value("formal_sentence") == ""
    web.until(
        lambda: [(one.instance, one.fields.get("formal_sentence")) for one in web.kept()] == [(FIRST, "of the first")],
        "the draft of the page that was left",
    )
    web.person.choose("episode.previous")
    web.arrive(FIRST)
    web.reads("formal_sentence", "of the first")


def test_what_is_submitted_is_what_stands_in_the_page(web: WebPerson) -> None:
    web.write("formal_sentence", "to the last letter")
    web.person.choose("webtask.submit")
    web.arrive("Formal sentences/1")
    (answer,) = web.kept()
    assert answer.fields["formal_sentence"] == "to the last letter"


def test_an_undo_reaches_behind_what_was_typed_after_an_undo(web: WebPerson) -> None:
    web.option("has_request", "yes")
    web.reads("has_request", "yes")
    web.option("reasons", "slang")
    web.reads("reasons", "slang")
    web.person.choose("webtask.undo")
    web.reads("reasons", "")
    web.option("reasons", "insult")
    web.reads("reasons", "insult")
    web.person.choose("webtask.undo")
    web.reads("reasons", "")
    assert web.value("has_request") == "yes" and web.actions() == ["modify_radio"]


def test_nothing_is_handed_in_while_an_earlier_action_is_shown(web: WebPerson) -> None:
    web.write("formal_sentence", "tea")
    web.reads("formal_sentence", "tea")
    web.option("has_request", "no")
    web.reads("has_request", "no")
    web.parts.centre.tools.position_wanted.emit(1)
    web.reads("has_request", "")
    web.person.choose("webtask.submit")
    web.parts.centre.tools.position_wanted.emit(2)
    web.reads("has_request", "no")
    assert web.task.read.instance.id == FIRST
    web.until(lambda: [one.fields.get("has_request") for one in web.kept()] == ["no"], "the whole draft")
    assert [one.submitted for one in web.kept()] == [None]


def test_peoples_answers_are_stepped_through(web: WebPerson) -> None:
    web.show(ORACLE)
    web.until(lambda: len(web.actions()) == 5 and web.value("speaker") == "family", "all answers in the page")
    assert not web.view.takes_hands
    web.until(lambda: web.rows()["has_request"].score == 1, "the scores")

    web.parts.centre.tools.position_wanted.emit(2)
    web.reads("speaker", "")
    assert web.value("has_request") == "yes"
    assert web.rows()["speaker"].score == 0, "the table says what stands in the page"
    web.person.press("Right")
    web.reads("reasons", "short|punct|slang")
    web.person.press("End")
    web.reads("speaker", "family")
    web.show(YOU)
    web.reads("speaker", "")


def test_actions_by_the_panels_buttons(web: WebPerson) -> None:
    form = web.parts.side.form
    form.do_requested.emit({"do": "modify_checkbox", "field": "reasons", "values": ["slang", "insult"]})
    web.reads("reasons", "slang|insult")
    form.do_requested.emit({"do": "modify_range", "field": "sure", "value": 83})
    web.reads("sure", "85")
    form.do_requested.emit({"do": "modify_radio", "field": "has_request", "value": "perhaps"})
    web.until(lambda: any("perhaps" in words for words in web.person.told), "the reason")
    assert web.actions() == ["modify_checkbox", "modify_range"]
    form.undo_requested.emit()
    web.reads("sure", "50")
    assert web.value("reasons") == "slang|insult"


def test_a_solver_is_watched_on_the_page(web: WebPerson) -> None:
    web.web.solving.solve("oracle")
    web.until(lambda: web.task.who == TRIAL and web.page.is_ready, "what the oracle did")
    web.reads("speaker", "family")
    assert "modify_textarea" not in web.actions()
    assert web.actions().count("modify_text") == 1
    web.until(lambda: web.rows()["formal_sentence"].score == 1, "the scores")
    assert [one.key for one in web.task.runners()] == [YOU, TRIAL, ORACLE]

    web.show(YOU)
    web.reads("speaker", "")


def test_a_page_that_is_lost_comes_back(web: WebPerson) -> None:
    web.write("formal_sentence", "kept")
    web.reads("formal_sentence", "kept")
    os.kill(web.page._live._browser.pid, signal.SIGKILL)
    web.until(lambda: web.view.is_lost, "the loss to be told")

    web.view.reload_wanted.emit()
    web.reads("formal_sentence", "kept")
    assert not web.view.is_lost


def test_a_closed_window_keeps_what_was_typed(open_window: OpenWindow) -> None:
    first = WebPerson(open_window(SAMPLE_WEB))
    first.enter()
    first.write("formal_sentence", "until here")
    first.reads("formal_sentence", "until here")
    first.person.close()

    second = WebPerson(open_window(SAMPLE_WEB))
    second.enter()
    second.reads("formal_sentence", "until here")
    assert annotators(second.bench.context.database) == ["me"]


def test_hosts_are_listed_and_allowed(open_window: OpenWindow, tmp_path: Path) -> None:
    folder = tmp_path / "asks"
    folder.mkdir()
    (folder / "template.html").write_text("<img src='http://pictures.invalid/${name}.png'><input name=a type=text>")
    (folder / "batch.csv").write_text("name,Answer.a\nx,1\n")
    web = WebPerson(open_window(tmp_path))
    web.enter("asks")
    web.until(lambda: [one.host for one in web.page.blocked] == ["pictures.invalid"], "the refused request")
    before = web.page._live._browser.pid

    web.parts.centre.host_allowed.emit("pictures.invalid", True)
    web.until(lambda: web.page.is_ready and web.page._live._browser.pid != before, "another process")
    assert web.page.allowed == {"pictures.invalid"}
    assert not web.view.is_lost


def test_runs_are_seen_beside_tasks_and_on_the_worst_page(web: WebPerson) -> None:
    nothing, oracle = web.evaluate("do-nothing"), web.evaluate("oracle")
    web.person.choose("workspace.webtask")
    for run in (oracle, nothing):
        web.bench.context.selection.show_run(run)
    web.until(lambda: web.parts.tasks.scores.shape()[0] >= 2, "both scores")
    web.until(lambda: {YOU, ORACLE, nothing, oracle} <= {one.key for one in web.task.runners()}, "both runs to choose")

    web.bench.results.choose(nothing)
    web.until(lambda: web.bench.results.current is not None and web.bench.results.current.id == nothing, "the run")
    web.bench.results.open_item("Message triage/0", 0)
    web.arrive("Message triage/0")
    assert web.task.who == nothing
    assert web.person.window.workspace == "webtask"
    web.until(lambda: web.parts.side.fields.chosen() != "", "the worst field")
    worst = web.rows()[web.parts.side.fields.chosen()]
    assert worst.score == 0
    assert [one.words for one in worst.people], "and what people said"

    web.show(oracle)
    web.reads("topic", "delivery")


def test_only_other_data_than_the_sample_has_published_numbers_beside_its_scores(
    web: WebPerson, tmp_path: Path
) -> None:
    tasks = web.parts.tasks

    def lines() -> list[str]:
        return [tasks.scores.words(row, 0) for row in range(tasks.scores.shape()[0])]

    web.evaluate("do-nothing")
    web.person.choose("workspace.webtask")
    web.until(lines, "the score")
    assert not any("Paper" in line for line in lines())
    assert tasks.badge.isVisible() and tasks.badge.text() == "not a finding"

    own = Path(shutil.copytree(SAMPLE_WEB, tmp_path / "own pages"))
    web.person.open(own)
    web.evaluate("do-nothing")
    web.person.choose("workspace.webtask")
    web.until(lambda: sum("Paper" in line for line in lines()) == PUBLISHED, "the published numbers")
    assert not tasks.badge.isVisible()


def test_web_tasks_that_are_open_but_not_looked_at_are_a_click_away(web: WebPerson, shop: Path) -> None:
    centre = web.parts.centre
    web.person.open(shop)
    web.person.choose("workspace.webtask")
    web.person.settle()
    assert centre.elsewhere.isVisible()
    assert centre.elsewhere.words() == "shop has no web tasks Open too: Sample web tasks."
    assert web.parts.tasks.words().startswith("shop has no web tasks")
    (show,) = [one for one in centre.elsewhere.findChildren(QPushButton) if one.text() == "Show Sample web tasks"]
    web.person.click(show)
    web.until(web.at_rest, "a page")
    assert web.bench.context.selection.source.source.path == SAMPLE_WEB


def test_other_data_has_no_pages(open_window: OpenWindow, shop: Path) -> None:
    person = open_window(shop)
    person.choose("workspace.webtask")
    person.settle()
    assert person.window.webtask.centre.is_empty
    assert person.window.webtask.tasks.words().startswith("shop has no web tasks")
    (nothing,) = [one for one in person.window.webtask.tasks.findChildren(EmptyState) if one.isVisible()]
    assert not nothing.findChildren(QPushButton), "what helps is offered once, in the middle"
    assert person.bench.webtask.task.read is None
    sample = next(one for one in person.window.webtask.centre.empty.findChildren(QPushButton) if "sample" in one.text())
    person.click(sample)
    person.until(lambda: person.bench.webtask.task.read is not None, "a page of the sample")


def test_tasks_are_evaluated_from_here(web: WebPerson) -> None:
    web.parts.tasks.evaluate_requested.emit()
    web.until(lambda: not web.person.window.docks["evaluate"].isHidden(), "the form")
    assert web.person.window.evaluate.request().task is Task.WEBTASK


def test_calls_name_what_the_person_did(web: WebPerson) -> None:
    web.write("formal_sentence", "a")
    web.reads("formal_sentence", "a")
    web.option("has_request", "yes")
    web.reads("has_request", "yes")
    web.option("reasons", "insult")
    web.reads("reasons", "insult")

    assert [one.action for one in web.task.log] == [
        ModifyText("formal_sentence", "a"), ModifyRadio("has_request", "yes"), ModifyCheckbox("reasons", ("insult",)),
    ]  # fmt: skip


def test_actions_become_an_episode(web: WebPerson) -> None:
    web.show(ORACLE)
    web.until(lambda: len(web.actions()) == 5, "all actions")
    web.person.choose("webtask.keep")
    messages = web.person.window.messages
    web.until(lambda: any(item.text.startswith("Kept ") for item in messages.items()), "the end")
    assert web.person.window.workspace == "webtask", "nobody is taken away from the page"
    web.person.click(messages.items()[0].findChild(QPushButton))
    assert web.person.window.workspace == "replay"
    selection = web.bench.context.selection
    web.until(lambda: selection.episode is not None and "-Oracle-" in selection.episode.id, "the episode")

    kinds = [step.action.kind for step in selection.episode.steps]
    # the sentence, the radio button, three boxes, the list, the slider
    assert kinds == ["type", "tap", "tap", "tap", "tap", "select", "type", "finish"]
    assert all(step.observation.screenshot for step in selection.episode.steps)


def test_templates_are_checked(web: WebPerson) -> None:
    web.person.choose("webtask.check")
    web.until(lambda: web.web.keep.dialog is not None, "what was found")
    model = web.web.keep.dialog.findChild(QTableView).model()
    found = {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}

    assert found == {"Formal sentences": "5 of 5", "Message triage": "6 of 6", "Shape notes": "4 of 4"}
    web.web.keep.dialog.close()
