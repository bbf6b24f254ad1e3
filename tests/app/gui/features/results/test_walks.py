"""Roll-outs in Results: goals by class, the graph of a goal's walks, and what a click opens."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.app.services import evaluation
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.worker import Job
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.walk import WalkUnderWay
from stepscope.core.evaluation.runs import RunUpdate
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.rollout import WalkClass
from stepscope.core.store.engine import Database
from stepscope.widgets.results.rule_bar import SUMMARY, WALKS
from stepscope.widgets.results.walks.walk_values import HUMAN
from stepscope.widgets.results.walks.walks_page import WalksPage
from tests.app.gui.conftest import OpenWindow, Person
from tests.patience import PATIENCE

GOALS = ("shop-stoneware-mug", "shop-cheapest-lamp", "shop-out-and-about", "premature-checkout")


def walks_tab(person: Person) -> bool:
    tabs = person.window.results.rule_bar.tabs
    return any(tabs.isTabVisible(n) and tabs.tabData(n) == WALKS for n in range(tabs.count()))


def picture(person: Person, name: str) -> None:
    """Keep a picture of the window where somebody wants to look at it."""
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.resize(1600, 1000)
        person.settle()
        person.window.grab().save(f"{folder}/{name}.png")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Goals of one app."""
    for episode in GOALS:
        shutil.copytree(SAMPLE / episode, tmp_path / "data" / episode)
    return tmp_path / "data"


@pytest.fixture
def person(open_window: OpenWindow, data: Path) -> Person:
    """Who let the truth and a rule walk the goals of an app from the menu, the rule last."""
    person = open_window(data)
    for model in ("reference", "text-match"):
        before = set(person.bench.results.run_ids)
        person.choose("evaluate.rollout")
        person.bench.evaluate.show_form(Task.ROLLOUT, model=model)
        person.window.evaluate.run()
        person.done(before)
    person.choose("workspace.results")
    person.settle()
    return person


def test_a_rollout_from_the_menu_to_the_walk(person: Person) -> None:
    results, view = person.bench.results, person.window.results
    runs = {run.spec.model: run for run in results.runs()}
    assert {run.spec.task for run in runs.values()} == {Task.ROLLOUT} and set(runs) == {"text-match", "reference"}
    person.window.hide_dock("evaluate")
    person.window.show_dock("selection")
    assert walks_tab(person) and results.current.spec.model == "text-match"
    view.show_page(WALKS)
    page: WalksPage = view.walks
    person.until(lambda: page.state is not None, "the first goal's walk")
    person.settle()
    assert page.panel.isVisible(), "the walk stands beside the graph"

    # classes are filters, goals are listed by length
    assert {kind: row.count for kind, row in page.classes.rows.items() if row.count} == {WalkClass.WRONG_ELEMENT: 4}
    assert page.classes.rows[WalkClass.WRONG_ELEMENT].accessibleName() == "Wrong element: 4 of 4"
    assert [row.actions for row in page.goals.goals.rows] == [4, 3, 3, 3]
    assert not page.classes.rows[WalkClass.DIRECT].isEnabled()
    person.click(page.classes.rows[WalkClass.WRONG_ELEMENT])
    assert len(page.goals.goals.rows) == 4

    # the graph: three ways of a goal, the goal framed, numbers in order
    mug = next(n for n, row in enumerate(page.goals.goals.rows) if row.episode == "shop-stoneware-mug")
    page.goals.setCurrentIndex(page.goals.goals.index(mug, 0))
    person.until(lambda: page.state is not None and page.state.goal.episode == "shop-stoneware-mug", "the mug's walk")
    person.settle()
    assert [lane.title for lane in page.state.lanes] == ["Person", "text-match", "reference"]
    human = page.state.lanes[0]
    assert [page.graph.screens[name].is_goal for name in human.places] == [False] * 4 + [True]
    person.until(lambda: all(page.graph.screens[name].has_image for name in human.places), "the screens' pictures")
    walked = [edge for edge in page.graph.edges if edge.lane == HUMAN]
    assert sorted(edge.numbers for edge in walked) == [(0,), (1,), (2,), (3,)]
    stuck = [edge for edge in page.graph.edges if edge.lane == runs["text-match"].id]
    assert len(stuck) == 1 and stuck[0].end is stuck[0].start and stuck[0].is_back, "its actions led nowhere"
    assert page.badge.text() == "wrong element" and "did not end on the screen" in page.panel.check.text()
    picture(person, "walks")

    # steps, in every part at once
    person.click(page.lane_buttons[2])
    assert not any(edge.lane == runs["reference"].id for edge in page.graph.edges), "its lane is hidden"
    person.press("3", page.graph)
    assert any(edge.lane == runs["reference"].id for edge in page.graph.edges)
    person.press("J", page.graph)
    assert page.chosen_step == (runs["text-match"].id, 1) and page.panel.list.currentIndex().row() == 1
    person.press("K", page.panel.list)
    assert page.chosen_step == (runs["text-match"].id, 0) and page.steps.currentIndex().column() == 1
    person.press("N", page.graph)
    assert page.chosen_step[1] == 1, "there it does something else than the person again"
    person.press("P", page.panel.list)
    assert page.chosen_step[1] == 0
    page.panel.tabs.setCurrentIndex(1)
    assert not page.panel.step_screen.image.isNull()
    page.panel.tabs.setCurrentIndex(2)
    assert page.panel.raw.toPlainText()

    # from a screen of the graph to Replay
    name = human.places[2]
    page.graph.fit()
    person.settle()
    place = page.graph.mapFromScene(page.graph.screens[name].pos())
    person.click(page.graph.viewport(), place)
    assert page.chosen_step[0] != runs["text-match"].id and page.panel.step_screen.accessibleName()
    page.open_in_replay()
    person.until(lambda: person.place == ("shop-stoneware-mug", 2), "the screen in Replay")


def test_walks_are_drawn_while_they_are_under_way(open_window: OpenWindow, data: Path) -> None:
    """The truth walks four goals; each step waits until it is let."""
    person = open_window(data)
    permits, told = threading.Semaphore(0), list[WalkUnderWay]()

    def work(database: Database, job: Job, token: CancelToken) -> Iterator[RunUpdate | WalkUnderWay]:
        for update in evaluation.work_on(database, job.run, job.claim, token, watch=told.append):
            while told:
                yield told.pop(0)
                assert permits.acquire(timeout=PATIENCE), "nobody let it walk on"
            yield update

    person.bench.evaluate.work = work
    person.choose("evaluate.rollout")
    person.bench.evaluate.show_form(Task.ROLLOUT, model="reference")
    before = set(person.bench.results.run_ids)
    person.window.evaluate.run()
    permits.release()
    person.until(lambda: set(person.bench.results.run_ids) - before, "the run in the list")
    (run,) = set(person.bench.results.run_ids) - before
    person.until(lambda: (walk := person.bench.results.walk_of(run)) and walk.actions == 1, "the first action")

    # who comes first now sees it at once
    person.choose("workspace.results")
    person.until(lambda: walks_tab(person), "the run")
    person.window.results.show_page(WALKS)
    page: WalksPage = person.window.results.walks
    person.until(lambda: page.state is not None and len(page.state.shown.moves) == 1, "the walk until now")
    first = page.state.goal
    assert first.under_way and page.badge.text() == "under way" and page.goals.goals.rows == (first,)
    now = page.state.lanes[0].places[1]
    assert page.state.now == now and [name for name, one in page.graph.screens.items() if one.is_now] == [now]
    assert page.chosen_step == (run, 0)
    permits.release()
    person.until(lambda: len(page.state.shown.moves) == 2, "the second action")
    assert page.state.now == page.state.lanes[0].places[2] and page.chosen_step == (run, 1)

    # it goes on with the next goal, until the person has chosen another one
    while page.state.goal.episode == first.episode:
        moves = len(page.state.shown.moves)
        permits.release()
        person.until(lambda moves=moves: len(page.state.shown.moves) != moves, "the next action, or the next goal")
    second = page.state.goal
    assert second.under_way and page.goals.goals.rows[0].episode == second.episode
    place = next(n for n, row in enumerate(page.goals.goals.rows) if row.episode == first.episode)
    page.goals.setCurrentIndex(page.goals.goals.index(place, 0))
    person.until(lambda: page.state.goal.episode == first.episode, "the goal that was chosen")
    permits.release(1000)
    person.until(lambda: not person.bench.evaluate.is_running, "the end of the run")
    person.settle()
    assert page.state.goal.episode == first.episode and page.badge.text() == "reached" and page.state.now == ""
    assert sorted(row.episode for row in page.goals.goals.rows) == sorted(GOALS)
    assert not any(row.under_way for row in page.goals.goals.rows)
    assert page.classes.rows[WalkClass.DIRECT].count == 4


def test_another_run_has_no_walks_and_the_truth_walks_its_own_way(person: Person) -> None:
    results, view = person.bench.results, person.window.results
    view.show_page(WALKS)
    truth = next(run for run in results.runs() if run.spec.model == "reference")
    results.choose(truth.id)
    page: WalksPage = view.walks
    person.until(lambda: page.state is not None and page.state.shown.id == truth.id, "the truth's walk")
    assert page.classes.rows[WalkClass.DIRECT].count == 4 and page.badge.text() == "reached"
    assert {move.course.value for move in page.state.shown.moves} == {"on path", "reached"}
    person.evaluate("random", "aitw")
    person.choose("workspace.results")
    person.settle()
    assert view.page == SUMMARY and not walks_tab(person)


def test_the_form_says_the_command(open_window: OpenWindow, data: Path) -> None:
    person = open_window(data)
    person.choose("evaluate.rollout")
    person.bench.evaluate.show_form(Task.ROLLOUT, model="text-match")
    assert "evaluate rollout" in person.window.evaluate.command()
    offered = person.window.evaluate.fields.model
    names = {offered.itemData(n) for n in range(offered.count())}
    assert "two-tower" in names and "feasibility-mlp" not in names


@pytest.mark.needs("PySide6.QtWebEngineCore")
@pytest.mark.xdist_group("simulated phone")
def test_the_same_goal_is_walked_on_the_phone(person: Person) -> None:
    results, view = person.bench.results, person.window.results
    truth = next(run for run in results.runs() if run.spec.model == "reference")
    results.choose(truth.id)
    view.show_page(WALKS)
    page: WalksPage = view.walks
    person.until(lambda: page.state is not None and page.state.shown.id == truth.id, "the truth's walk")
    goal = page.state.goal.episode
    before = set(results.run_ids)
    assert not page.panel.phone.isHidden()
    page.panel.phone.click()
    run = results.run_of(person.done(before))
    assert dict(run.spec.options)["world"] == "phone" and run.spec.chosen == 1 and run.spec.model == "reference"
    view.show_page(WALKS)
    person.until(lambda: page.state is not None and page.state.shown.id == run.id, "the walk on the phone")
    assert page.state.goal.episode == goal and page.badge.text() == "reached"
    assert page.panel.check.text() == "The goal's own check holds at the end."
    assert page.panel.phone.isHidden(), "it was walked there"
