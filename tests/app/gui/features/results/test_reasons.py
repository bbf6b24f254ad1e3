"""Why goals are infeasible, in the window: from the tab to the listed items, and to the screen with the evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from stepscope.app.gui.features.results import reasons_presenter
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.mark import EvidenceMark
from stepscope.core.domain.prediction import Evidence, FeasibilityAnswer, Prediction, Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.feasibility import FeasibilityScorer
from stepscope.widgets.results.questions_item_model import METEOR
from stepscope.widgets.results.rule_bar import PAGES, REASONS, SUMMARY
from tests.app.gui.conftest import CHAIR, LAMP, SEARCH, OpenWindow, Person, write_episode

YES, NO = FeasibilityLabel.FEASIBLE, FeasibilityLabel.INFEASIBLE
IMPOSSIBLE, UNCLEAR, PREMATURE = InfeasibilityReason
GOALS = {
    "vase": ("Buy a vase", Feasibility(NO, UNCLEAR, ("Which vase?", "In what colour?"))),
    "sofa": ("Rent a sofa", Feasibility(NO, IMPOSSIBLE, ("Would you buy one?",))),
    "bill": ("Pay the bill", Feasibility(NO, PREMATURE)),
    "lamp": ("Buy a lamp", Feasibility(YES)),
}
SAID = {
    "vase": FeasibilityAnswer(NO, 0.9, (), (Evidence(0, 0.4),), UNCLEAR, "Which vase?"),
    "sofa": FeasibilityAnswer(YES, 0.3, (0.1, 0.3, 0.3), (Evidence(1, 0.2, "Search", SEARCH), Evidence(0, 0.1))),
    "bill": FeasibilityAnswer(NO, 0.7, (), (), IMPOSSIBLE, "Tomorrow or later"),
    "lamp": FeasibilityAnswer(YES, 0.1),
}

Store = Callable[..., str]


@pytest.fixture(scope="session")
def goals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "goals"
    for name, (goal, feasibility) in GOALS.items():
        actions = LAMP if name == "lamp" else CHAIR
        write_episode(folder / name, name, goal, actions, app="org.example.shop", feasibility=feasibility)
    return folder


@pytest.fixture
def person(open_window: OpenWindow, goals: Path) -> Person:
    return open_window(goals)


@pytest.fixture
def add_run(person: Person) -> Store:
    """`add_run(model, answers)` puts a finished run into the store and shows its reasons."""

    def add(model: str, answers: dict[str, FeasibilityAnswer]) -> str:
        context, source = person.bench.context, person.selection.source.source
        spec = RunSpec(Task.FEASIBILITY, model, str(source.path), source.format, "feasibility")
        predictor = ImportedPredictor.of(
            [Prediction(name, None, answer) for name, answer in answers.items()], task=Task.FEASIBILITY, model=model
        )
        run = EvaluationRun.start(context.database, spec, source, list(answers), predictor, FeasibilityScorer())
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


def show_reasons(person: Person):
    """Click the tab."""
    tabs = person.window.results.rule_bar.tabs
    place = list(PAGES).index(REASONS)
    person.click(tabs, tabs.tabRect(place).center())
    person.settle()
    assert person.window.results.page == REASONS
    return person.window.results.reasons


def listed(person: Person) -> list[str]:
    model = person.window.selected.model
    person.until(lambda: all(model.value(n) is not None for n in range(model.rowCount())), "the rows")
    return [model.peek(n).key.episode for n in range(model.rowCount())]


def press_tile(person: Person, view, row: int, column: int = 0) -> None:
    person.click(view, view.tile(row, column).center().toPoint())
    person.settle()


def double_click(person: Person, view, row: int, column: int = 0) -> None:
    place = view.tile(row, column).center().toPoint()
    person.click(view, place)
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=place)


def arrive_at_evidence(person: Person) -> None:
    """In Replay, on the second screen of `sofa`, the text Search is framed."""
    person.until(lambda: person.window.workspace == "replay", "Replay")
    person.arrive("sofa", 1)
    (mark,) = (mark for mark in person.screen.content.marks if isinstance(mark, EvidenceMark))
    assert mark.box == SEARCH and "Search" in mark.text


def test_from_the_tab_to_a_false_feasible_and_its_evidence(person: Person, add_run: Store) -> None:
    add_run("reasons of a model that is gone", SAID)
    page = show_reasons(person)
    cells = page.confusion.cells
    assert cells.words(1, 0) == "1 of 1 impossible reference was predicted feasible (100.0 %)"
    assert [cells._confusion.rows, cells._confusion.columns] == [
        ("feasible", "impossible", "unclear", "premature"),
        ("feasible", "impossible", "unclear", "premature"),
    ]
    press_tile(person, cells, 3, 1)
    assert listed(person) == ["bill"], "premature, called impossible"
    assert [one.words for one in person.window.selected._details.criteria] == [
        "reference: infeasible", "reason: premature", "predicted: impossible",
    ]  # fmt: skip
    cells.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Return):
        QTest.keyClick(cells, key)
    person.settle()
    assert listed(person) == ["sofa"], "the keyboard goes from cell to cell as in the other matrix"
    person.click(person.window.selected.replay)
    arrive_at_evidence(person)
    person.choose("go.back")
    person.until(lambda: person.window.results.isVisible(), "the results again")
    assert person.window.results.page == REASONS


def test_groups_of_what_was_missed_list_their_items_and_a_double_click_shows_the_screen(
    person: Person, add_run: Store
) -> None:
    add_run("reasons", SAID)
    page = show_reasons(person)
    bars = {card: [(b.label, b.count, b.total) for b in card.shown()] for card in (page.reasons, page.apps)}
    assert bars[page.reasons][0] == ("impossible", 1, 1) and len(bars[page.reasons]) == 3
    assert bars[page.apps] == [("Shop", 1, 3)]
    evidence = {bar.label: place for place, bar in enumerate(page.evidence.shown())}
    assert set(evidence) == {"“Search”", "whole first screen", "none"}
    press_tile(person, page.apps.rows, 0)
    assert listed(person) == ["sofa"]
    double_click(person, page.evidence.rows, evidence["“Search”"])
    arrive_at_evidence(person)


def test_the_matrix_of_the_summary_opens_it_too(person: Person, add_run: Store) -> None:
    add_run("reasons", SAID)
    assert person.window.results.page == SUMMARY
    double_click(person, person.window.results.cards.confusion.cells, 0, 1)
    arrive_at_evidence(person)


def test_questions_stand_beside_the_annotators_and_are_sorted(person: Person, add_run: Store) -> None:
    add_run("reasons", SAID)
    card = show_reasons(person).questions
    model = card.model

    def rows() -> list[tuple[str, str, tuple[str, ...]]]:
        person.until(lambda: all(model.value(n) is not None for n in range(model.rowCount())), "the questions")
        found = [model.peek(n) for n in range(model.rowCount())]
        return [(row.key.episode, row.asked, row.annotators) for row in found]

    assert {name: rest for name, *rest in rows()} == {
        "vase": ["Which vase?", ("Which vase?", "In what colour?")],
        "sofa": ["", ("Would you buy one?",)],
        "bill": ["Tomorrow or later", ()],
    }
    assert (
        card.detail.text() == "the model asks 2, the annotators 2, both 1; no sentence model was there for the cosine"
    )
    assert model.index(0, METEOR).data() in ("–", "0.981")
    header = card.table.horizontalHeader()
    x = header.sectionViewportPosition(METEOR) + header.sectionSize(METEOR) // 2
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 8))
    person.settle()
    assert next(name for name, *_rest in rows()) == "vase", "the others cannot be compared"
    table = card.table
    table.setFocus()
    table.setCurrentIndex(model.index([name for name, *_rest in rows()].index("sofa"), 0))
    QTest.keyClick(table, Qt.Key.Key_Return)
    arrive_at_evidence(person)


def test_what_a_model_does_not_tell_is_said(person: Person, add_run: Store) -> None:
    add_run("labels", {name: FeasibilityAnswer(NO if name == "vase" else YES) for name in GOALS})
    page = show_reasons(person)
    assert page.note.text() == reasons_presenter.NO_REASONS and page.note.isVisible()
    assert page.evidence_note.text() == reasons_presenter.NO_EVIDENCE and page.evidence.shown() == ()
    assert [(bar.label, bar.count, bar.total) for bar in page.apps.shown()] == [("Shop", 2, 3)]
    assert page.questions.detail.text() == "This model asks nothing; the annotators ask about 2."
    press_tile(person, page.apps.rows, 0)
    assert sorted(listed(person)) == ["bill", "sofa"]


def test_a_run_with_nothing_infeasible_says_so_and_other_tasks_have_no_such_page(
    person: Person, add_run: Store
) -> None:
    add_run("labels", {"lamp": FeasibilityAnswer(NO, 0.6)})
    page = show_reasons(person)
    assert page.note.text() == reasons_presenter.NONE_INFEASIBLE
    assert page.reasons.shown() == page.apps.shown() == page.evidence.shown() == ()
    assert page.questions._none.text() == reasons_presenter.NO_QUESTIONS and page.questions.table.isHidden()
    person.evaluate("random", "aitw")
    person.choose("workspace.results")
    person.settle()
    assert person.window.results.page == SUMMARY
    assert not person.window.results.rule_bar.tabs.isTabVisible(list(PAGES).index(REASONS))
