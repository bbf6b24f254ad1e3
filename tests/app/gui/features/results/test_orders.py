"""What a run of step ordering gets wrong, in the window: from a row to the procedures behind it, and to Replay."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.app.gui.features.results import orders_presenter
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.services.order_tables import NO_OTHER, NO_SEVERAL
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import FeasibilityAnswer, OrderAnswer, Prediction, Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.registry import run_scorer
from stepscope.widgets.results.order_card import OrderCard
from stepscope.widgets.results.orders_page import CATEGORIES, CHANGES, CSV, DOUBTS, FLIPS, KINDS, MARKDOWN
from stepscope.widgets.results.rule_bar import ORDERS, PAGES, SUMMARY
from tests.app.gui.conftest import OpenWindow, Person, at, write_episode

SAID = {"lamp": OrderAnswer(tuple("01324")), "tour": OrderAnswer(tuple("20134")), "list": OrderAnswer(tuple("01234"))}
"""The two neighbours in the middle of `lamp` are swapped, a step of `tour` came too early, `list` is right."""
TEXT = {"lamp": OrderAnswer(tuple("01234")), "tour": OrderAnswer(tuple("43210")), "list": OrderAnswer(tuple("01243"))}

Store = Callable[..., str]


@pytest.fixture(scope="session")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "manuals"
    for name in SAID:
        app = "org.example.notes" if name == "list" else "org.example.shop"
        write_episode(folder / name, name, f"Do the {name}", [Tap(at(20, 20 + n)) for n in range(5)], app=app)
    return folder


@pytest.fixture
def person(open_window: OpenWindow, manuals: Path) -> Person:
    return open_window(manuals)


@pytest.fixture
def add_run(person: Person) -> Store:
    """`add_run(model, answers)` puts a finished run into the store and shows it."""

    def add(model: str, answers: dict[str, OrderAnswer | FeasibilityAnswer], task: Task = Task.ORDERING) -> str:
        context, source = person.bench.context, person.selection.source.source
        spec = RunSpec(task, model, str(source.path), source.format, task.value)
        predictor = ImportedPredictor.of(
            [Prediction(name, None, answer) for name, answer in answers.items()], task=task, model=model
        )
        scorer = run_scorer(task.value)
        run = EvaluationRun.start(context.database, spec, source, list(answers), predictor, scorer)
        for _update in run.updates():
            pass
        context.events.publish(RunsChanged())
        person.until(lambda: run.run_id in person.bench.results.run_ids, "the run in the list")
        person.choose("workspace.results")
        person.bench.results.choose(run.run_id)
        person.until(
            lambda: person.bench.breakdown.loaded is not None
            and person.bench.breakdown.loaded.run.id == run.run_id, "the cards",
        )  # fmt: skip
        person.settle()
        return run.run_id

    return add


def show_orders(person: Person):
    """Click the tab."""
    tabs = person.window.results.rule_bar.tabs
    person.click(tabs, tabs.tabRect(list(PAGES).index(ORDERS)).center())
    person.settle()
    assert person.window.results.page == ORDERS
    return person.window.results.orders


def words(card: OrderCard) -> list[list[str]]:
    model = card.model
    columns = range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in range(model.rowCount())]


def click_row(person: Person, card: OrderCard, first: str, *, twice: bool = False) -> None:
    row = [line[0] for line in words(card)].index(first)
    index = card.model.index(row, 0)
    card.table.scrollTo(index)
    place = card.table.visualRect(index).center()
    person.click(card.table.viewport(), place)
    if twice:
        QTest.mouseDClick(card.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    person.settle()


def listed(person: Person) -> list[str]:
    model = person.window.selected.model
    person.until(lambda: all(model.value(n) is not None for n in range(model.rowCount())), "the rows")
    return [model.peek(n).key.episode for n in range(model.rowCount())]


def picture(person: Person) -> None:
    """Keep pictures of the window where somebody wants to look at them."""
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        for width, height in ((1600, 1300), (1000, 800)):
            person.window.resize(width, height)
            for theme in ("dark", "light"):
                person.bench.context.prefer(theme=theme)
                person.settle()
                person.window.grab().save(f"{folder}/orders-{theme}-{width}.png")


def test_from_a_kind_to_its_procedures_and_to_replay(person: Person, add_run: Store) -> None:
    add_run("both", SAID)
    page = show_orders(person)
    kinds = {line[0]: line[1:3] for line in words(page.cards[KINDS])}
    assert kinds["Exactly right"] == kinds["Two neighbours swapped"] == kinds["One block moved"] == ["1", "33.3 %"]
    assert kinds["Other"][0] == kinds["Malformed"][0] == kinds["Last step wrong"][0] == "0"
    assert [line[:3] for line in words(page.cards[CATEGORIES])] == [
        ["Shop", "2", "0.000"], ["Notes", "1", "1.000"],
    ], "worst first"  # fmt: skip
    assert page.cards[FLIPS].note.text() == NO_OTHER and page.cards[DOUBTS].note.text() == NO_SEVERAL
    assert page.cards[DOUBTS].table.isHidden()
    click_row(person, page.cards[KINDS], "Two neighbours swapped")
    assert listed(person) == ["lamp"]
    assert [one.words for one in person.window.selected._details.criteria] == ["two neighbours swapped"]
    click_row(person, page.cards[CATEGORIES], "Shop")
    assert sorted(listed(person)) == ["lamp", "tour"]
    assert page.cards[KINDS].table.selectionModel().selectedRows() == [], "one thing is chosen at a time"
    page.cards[KINDS].table.setFocus()
    page.cards[KINDS].table.setCurrentIndex(page.cards[KINDS].model.index(0, 0))
    QTest.keyClick(page.cards[KINDS].table, Qt.Key.Key_Space)
    person.settle()
    assert listed(person) == ["list"]
    click_row(person, page.cards[KINDS], "First step wrong", twice=True)
    person.until(lambda: person.window.workspace == "replay", "Replay")
    person.arrive("tour", 0)
    person.choose("go.back")
    person.until(lambda: person.window.results.isVisible(), "the results again")
    assert person.window.results.page == ORDERS


def test_against_another_run_procedures_flip(person: Person, add_run: Store, tmp_path: Path) -> None:
    text = add_run("text", TEXT)
    add_run("both", SAID)
    page = show_orders(person)
    page.other.setCurrentIndex(page.other.findData(text))
    page.other.activated.emit(page.other.currentIndex())
    person.settle()
    flips = {line[0]: line for line in words(page.cards[FLIPS])}
    assert flips["PMR"][1:5] == ["3", "0.333", "0.333", "+0.000"] and flips["PMR"][6] == "1.000"
    assert flips["Wrong → right"][1] == flips["Right → wrong"][1] == "1"
    assert [line[:2] for line in words(page.cards[CHANGES])] == [
        ["Do the tour", ""], ["Do the list", "wrong → right"], ["Do the lamp", "right → wrong"],
    ]  # fmt: skip
    click_row(person, page.cards[FLIPS], "Wrong → right")
    assert listed(person) == ["list"]
    click_row(person, page.cards[CHANGES], "Do the tour")
    assert listed(person) == ["tour"]
    assert words(page.cards[CATEGORIES])[0][4:7] == ["2", "0.500", "−0.500"]
    picture(person)
    orders = person.bench.orders
    for kind, name in ((CSV, "orders.csv"), (MARKDOWN, "orders.md")):
        orders.write(kind, tmp_path / name)
        person.settle()
    assert "flips,Wrong → right,n,1" in (tmp_path / "orders.csv").read_text().replace('"', "")
    assert "### Flips" in (tmp_path / "orders.md").read_text()
    add_run("nothing", {})
    assert page.said.text() == orders_presenter.NO_PROCEDURES and page.cards[KINDS].isHidden()
    assert not page.export.isEnabled()
    add_run("labels", {"lamp": FeasibilityAnswer(FeasibilityLabel.FEASIBLE)}, Task.FEASIBILITY)
    assert person.window.results.page == SUMMARY, "other tasks have no such page"
    assert not person.window.results.rule_bar.tabs.isTabVisible(list(PAGES).index(ORDERS))
