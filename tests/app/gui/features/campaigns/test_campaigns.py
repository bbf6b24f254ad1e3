"""A person collects demonstrations: lists are written, paired, given out, done, undone, exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.app.gui.features.campaigns import campaign_pairing_controller
from stepscope.app.services.campaigns import campaigns
from stepscope.core.domain.campaign import AppEntry, Campaign, CampaignContents, CampaignGoal
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.store.repositories import campaigns as rows
from stepscope.widgets.campaigns import CampaignForm, CampaignsView
from tests.app.gui.conftest import CHAIR, write_episode

START = CampaignContents(
    (AppEntry("clock", "Clock", "Tools"), AppEntry("timer", "Timer", "Tools"), AppEntry("radio", "Radio", "Audio")),
    tuple(CampaignGoal(app, text) for app, text in (
        ("timer", "Start the timer"), ("timer", "Stop the timer"), ("radio", "Play the news"),
    )),
)  # fmt: skip
GOALS = "app,goal,author\nclock,Set an alarm for seven,ann\nclock,Delete the alarm,ann\nClock,,\n"


class Collector:
    """Sits at the campaigns' window."""

    def __init__(self, person) -> None:
        self.person = person
        person.choose("campaign.open")
        person.settle()
        self.controller = person.bench.campaigns
        self.controller.inside.pairing.work = campaign_pairing_controller.here
        self.view = self.controller.inside.view
        assert isinstance(self.view, CampaignsView) and self.view.isVisible()

    @property
    def contents(self) -> CampaignContents:
        return campaigns.read(self.person.bench.context.database, self.view.current()).contents

    def make(self, name: str, k: int = 2) -> None:
        self.person.click(self.view.new)
        form = self.view.findChild(CampaignForm)
        form.name.setText(name)
        form.k.setValue(k)
        self.person.click(form.save)
        self.person.settle()

    def paste(self, lines, text: str) -> None:
        lines.field.setPlainText(text)
        self.person.click(lines.add)
        self.person.settle()

    def undo(self) -> None:
        window = self.view.window()
        window.activateWindow()  # without a display no window takes over when a dialog is closed
        self.person.until(window.isActiveWindow, "the window of campaigns in front")
        self.view.list.setFocus()
        QTest.keyClick(self.view.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        self.person.settle()


@pytest.fixture
def collector(person) -> Collector:
    """At a campaign with three apps and their goals."""
    with person.bench.context.database.unit_of_work() as db:
        rows.add(db, Campaign("phones", k=2))
        rows.replace(db, "phones", CampaignContents(), START)
    return Collector(person)


def paired(collector: Collector) -> None:
    page = collector.view.pairing
    collector.view.show_page("pairing")
    page.category.setCurrentIndex(page.category.findData("Tools"))
    collector.person.click(page.pair)
    collector.person.settle()
    collector.person.click(page.accept)
    collector.person.settle()


def test_lists_are_written_imported_and_undone(collector, tmp_path, pick, person):
    goals = collector.view.goals
    collector.paste(goals.new_apps, "maps, Maps, Travel\nnotes\n")
    assert [app.title for app in collector.contents.apps] == ["notes", "Radio", "Clock", "Timer", "Maps"]
    goals.apps.choose(AppEntry("maps", "Maps", "Travel"))
    collector.paste(goals.new_goals, "Go home\nGo to work")
    me = collector.controller.inside.person
    assert [goal for goal in collector.contents.goals if goal.app == "maps"] == [
        CampaignGoal("maps", "Go home", me), CampaignGoal("maps", "Go to work", me),
    ]  # fmt: skip
    for _ in range(2):
        collector.undo()
    assert collector.contents == START.sorted()
    file = tmp_path / "goals.csv"
    file.write_text(GOALS)
    pick(file)
    person.click(collector.view.goals.take_in)
    person.settle()
    assert len(collector.contents.goals) == 5
    assert "goals.csv, line 4: the goal is empty" in person.told[0] and "1 line kept out" in person.told[0]
    collector.undo()
    assert len(collector.contents.goals) == 3
    clock = next(app for app in collector.contents.apps if app.package == "timer")
    collector.view.goals.apps.choose(clock)
    QTest.keyClick(collector.view.goals.apps, Qt.Key.Key_Delete)
    person.settle()
    assert [goal.app for goal in collector.contents.goals] == ["radio"]
    collector.undo()
    assert len(collector.contents.goals) == 3 and len(collector.contents.apps) == 3


def test_pairs_are_looked_at_then_accepted_and_undone_as_long_as_nobody_went_on(collector, person):
    page = collector.view.pairing
    collector.view.show_page("pairing")
    page.category.setCurrentIndex(page.category.findData("Tools"))
    person.click(page.pair)
    person.settle()
    assert len(page.picture.dots()) == 2 and len(page.clusters.cells.rows) == 1, "two goals make one cluster"
    assert "only their own goals: Timer" in page.summary.text().lower().replace("timer", "Timer")
    assert collector.contents.pairs == (), "nothing is kept before it is accepted"
    person.click(page.accept)
    person.settle()
    pairs = collector.contents.pairs
    assert {(pair.app, pair.goal.text) for pair in pairs} == {("timer", "Start the timer"), ("timer", "Stop the timer")}
    collector.undo()
    assert collector.contents.pairs == ()
    person.click(page.accept)
    person.settle()
    campaigns.next_task(person.bench.context.database, "phones", "bob")
    before = collector.contents
    collector.undo()
    assert collector.contents == before and "others have gone on" in person.told[0]


def test_from_my_next_task_to_the_demonstration(collector, person, tmp_path, qtbot):
    paired(collector)
    view = collector.view
    view.person.setText("bob")
    view.person.editingFinished.emit()
    with qtbot.waitSignal(collector.controller.task_wanted) as wanted:
        person.click(view.next)
    person.settle()
    assert wanted.args == ["Start the timer", "timer"] and view.task.isVisible()
    assert collector.controller.has_task
    other = write_episode(tmp_path / "other", "other", "Something else", CHAIR)
    collector.controller.demonstration_done(other, "other")
    person.settle()
    assert "shows “Something else”, the task is “Start the timer”" in person.told[0]
    assert collector.controller.has_task and collector.contents.demonstrations == ()
    said = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which?",))
    folder = write_episode(tmp_path / "timer-1", "timer-1", "Start the timer", CHAIR, feasibility=said)
    collector.controller.demonstration_done(folder, "timer-1")
    person.settle()
    (shown,) = collector.contents.demonstrations
    assert (shown.said, shown.seconds, shown.assignment.annotator) == (said, 2.0, "bob")
    assert "Kept for phones: “Start the timer”, infeasible" in person.told[0]
    assert not collector.controller.has_task and not view.task.isVisible()
    assert [row.words[3:5] for row in view.progress.pairs.cells.rows] == [("1 of 2", "infeasible"), ("0 of 2", "")]
    person.click(view.next)
    person.settle()
    assert "Stop the timer" in view.task.text()
    person.click(view.skip)
    person.settle()
    assert not view.task.isVisible()
    person.click(view.next)
    person.settle()
    assert "nothing left for you" in person.told[0]


def test_an_earlier_recording_is_linked(collector, person, tmp_path, pick):
    paired(collector)
    collector.view.person.setText("bob")
    collector.view.person.editingFinished.emit()
    person.click(collector.view.next)
    person.settle()
    pick(tmp_path / "none")
    person.click(collector.view.link)
    person.settle()
    assert collector.contents.demonstrations == () and person.told
    pick(write_episode(tmp_path / "r", "r", "Start the timer", CHAIR))
    person.click(collector.view.link)
    person.settle()
    assert [one.episode for one in collector.contents.demonstrations] == ["r"]


def test_people_pairs_by_hand_and_work_for_all(collector, person):
    page = collector.view.progress
    collector.view.show_page("progress")
    page.goal.setCurrentIndex(0)
    person.click(page.add_pair)
    person.settle()
    for name in ("bob", "cem", "dia"):
        page.new_person.setText(name)
        person.click(page.add_person)
        person.settle()
    person.click(page.assign)
    person.settle()
    assert [row.words for row in page.people.cells.rows] == [
        ("bob", "0", "1", "0"), ("cem", "0", "1", "0"), ("dia", "0", "0", "0"),
    ]  # fmt: skip
    page.people.choose("bob")
    person.click(page.remove_people)
    person.settle()
    assert collector.contents.annotators == ("cem", "dia")
    collector.undo()
    assert len(collector.contents.assignments) == 2


def test_a_campaign_is_renamed_refused_deleted_and_brought_back(collector, person, answer):
    collector.make("tablets")
    assert collector.view.current() == "tablets"
    person.click(collector.view.edit)
    form = collector.view.findChild(CampaignForm)
    form.name.setText("phones")
    person.click(form.save)
    person.settle()
    assert "already" in form.trouble.text()
    form.name.setText("tables")
    person.click(form.save)
    person.settle()
    assert collector.view.current() == "tables"
    collector.undo()
    assert [row.key for row in collector.view.list.cells.rows] == ["phones", "tablets"]
    person.bench.annotating.history.redo()
    person.settle()
    collector.view.list.choose("phones")
    person.settle()
    whole = collector.contents
    assert answer("Delete") == []
    person.click(collector.view.remove)
    person.settle()
    with person.bench.context.database.reading() as db:
        assert rows.names(db) == ["tables"]
    collector.undo()
    collector.view.list.choose("phones")
    person.settle()
    assert collector.contents == whole


def test_exports(collector, person, tmp_path, pick):
    paired(collector)
    for what, name in (("pairs", "p.csv"), ("recording", "out")):
        pick(tmp_path / name)
        collector.view.export_requested.emit(what)
        person.settle()
        assert "Wrote" in person.told[0] and name in person.told[0]
    assert "timer,Start the timer,Timer,app-specific" in (tmp_path / "p.csv").read_text()
    assert len(json.loads((tmp_path / "out" / "campaign.json").read_text())["pairs"]) == 2


def test_pairing_can_be_cancelled_and_the_window_closed_meanwhile(collector, person):
    page = collector.view.pairing
    collector.view.show_page("pairing")
    asked = []

    def slow(request, token):
        asked.append(token)
        while not token.cancelled:
            token.wait_if_paused()
        yield from ()

    collector.controller.inside.pairing.work = slow
    person.click(page.pair)
    person.until(lambda: asked, "the work")
    person.click(page.cancel)
    person.settle()
    assert page.pair.isEnabled() and page.picture.dots() == ()
    person.click(page.pair)
    person.until(lambda: len(asked) == 2, "the work")
    collector.view.window().close()
    person.settle()
    assert asked[1].cancelled


def test_the_window_does_without_campaigns_until_they_are_opened(person):
    assert person.bench.campaigns.inside is None
    person.bench.campaigns.demonstration_done(Path("nowhere"))
    with person.bench.context.database.unit_of_work() as db:
        rows.add(db, Campaign("elsewhere"))
    assert Collector(person).view.current() == "elsewhere"
