"""A run of asking in the window: its lanes, the four settings worked out by hand, and what changes after the fact."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.features.results import lanes_export
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.core.domain.action import Action, Tap
from stepscope.core.domain.episode import Ask, Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.registry import run_scorer
from stepscope.widgets.ambiguous.make_dialog import MakeTasksDialog
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.results.lanes.ask_lanes_page import (
    CURVE_CSV,
    CURVE_PNG,
    CURVE_SVG,
    KINDS_CSV,
    LANES_CSV,
    TABLE_COPY,
    TABLE_CSV,
    TABLE_LATEX,
    AskLanesPage,
)
from stepscope.widgets.results.lanes.lane_values import ALONE, ANSWERED, DUE, WHOLE, LanesGroup
from stepscope.widgets.results.lanes.settings_card import ASKS, DROP, RECOVERY, SETTING, SR, SSR, cell_words
from stepscope.widgets.results.rule_bar import LANES, PAGES, SUMMARY
from tests.app.gui.conftest import OpenWindow, Person, at, write_episode

RIGHT, WRONG = at(20, 40), at(90, 200)
"""Where all references tap, and a place too far away from it."""
TAP: list[Action | None] = [Tap(RIGHT)] * 4
QUESTION = "For how long shall I set the timer?"
Said = tuple[bool, float, str | None, bool | None, bool | None]
"""Whether the first stream is right, the score, the question, and whether second stream and whole goal are right."""
SAID: dict[str, list[Said]] = {
    "early": [
        (True, 0.1, None, True, True), (False, 0.8, QUESTION, True, True), (False, 0.6, None, True, True),
        (False, 0.2, None, True, True),
    ],
    "missed": [
        (True, 0.1, None, True, True), (False, 0.4, None, True, True), (False, 0.3, None, True, False),
        (True, 0.1, None, True, True),
    ],
    "needless": [(True, 0.1, None, None, None), (True, 0.7, "Which mug do you want?", None, None)],
    "quiet": [(True, 0.2, None, None, None), (False, 0.1, None, None, None)],
}  # fmt: skip
"""`early` asks one step before its question is due, `missed` never, `needless` where nothing is missing."""


def answer(said: Said, *, acts: bool = True) -> AskAnswer:
    first, score, question, after, whole = said
    places = {True: Tap(RIGHT), False: Tap(WRONG), None: None}
    if not acts:
        return AskAnswer(question, score)
    return AskAnswer(question, score, places[first], places[after], places[whole])


@pytest.fixture(scope="session")
def ambiguous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "ambiguous"
    write_episode(
        folder / "1", "early", "Set a timer for the cake", TAP, app="org.example.clock",
        original_goal="Set a timer for the cake for 45 minutes",
        asks=(Ask(2, "How long should the timer run?", "45 minutes"),),
    )  # fmt: skip
    write_episode(
        folder / "2", "missed", "Put a mug in my cart", TAP, app="org.example.shop",
        original_goal="Put a red mug in my cart", asks=(Ask(1, "Which colour?", "The red one"),),
    )  # fmt: skip
    unclear = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which mug?",))
    write_episode(folder / "3", "needless", "Buy the mug", TAP[:2], app="org.example.shop", feasibility=unclear)
    write_episode(folder / "4", "quiet", "Open the shop", TAP[:2], app="org.example.shop")
    return folder


@pytest.fixture
def person(open_window: OpenWindow, ambiguous: Path) -> Person:
    return open_window(ambiguous)


Store = Callable[..., str]


@pytest.fixture
def add_run(person: Person) -> Store:
    """`add_run(model, answers)` puts a finished run into the store and chooses it, in Results or, `elsewhere`, before
    Results was ever entered."""

    def add(model: str, said: dict[str, list[Said]] = SAID, *, acts: bool = True, elsewhere: bool = False) -> str:
        context, source = person.bench.context, person.selection.source.source
        answers = [
            Prediction(name, step, answer(one, acts=acts), raw=f"{name} {step}")
            for name, steps in said.items()
            for step, one in enumerate(steps)
        ]
        predictor = ImportedPredictor.of(answers, task=Task.ASK, model=model)
        spec = RunSpec(Task.ASK, model, str(source.path), source.format, "ask")
        run = EvaluationRun.start(context.database, spec, source, list(said), predictor, run_scorer("ask"))
        for _update in run.updates():
            pass
        context.events.publish(RunsChanged())
        person.until(lambda: run.run_id in person.bench.results.run_ids, "the run in the list")
        if not elsewhere:
            person.choose("workspace.results")
        person.bench.results.choose(run.run_id)
        person.until(
            lambda: person.bench.results.current is not None and person.bench.results.current.id == run.run_id,
            "the results",
        )
        person.settle()
        return run.run_id

    return add


def show_lanes(person: Person) -> AskLanesPage:
    """Click the tab, and wait for all that is read."""
    tabs = person.window.results.rule_bar.tabs
    person.click(tabs, tabs.tabRect(list(PAGES).index(LANES)).center())
    assert person.window.results.page == LANES
    wait_read(person)
    return person.window.results.lanes


def wait_read(person: Person) -> None:
    lanes = person.bench.lanes
    person.until(lambda: lanes.found is not None and lanes.found.is_exact and not lanes.is_working, "the numbers")
    person.settle()


def settings(page: AskLanesPage) -> dict[str, tuple[str, ...]]:
    """SSR, SR, drop, recovery and asks by title."""
    model = page.settings.model
    lines = [model.line(row) for row in range(model.rowCount())]
    return {
        cell_words(line, SETTING): tuple(cell_words(line, column) for column in (SSR, SR, DROP, RECOVERY, ASKS))
        for line in lines
        if not isinstance(line, str)
    }


def lane(page: AskLanesPage, key: str) -> list[str]:
    assert page.state is not None
    return [square.words for square in next(line for line in page.state.lines if line.key == key).squares]


def picture(person: Person) -> None:
    """Keep pictures of the window where somebody wants to look at them."""
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        for width, height in ((1600, 1000), (1100, 800)):
            person.window.resize(width, height)
            for theme in ("dark", "light"):
                person.bench.context.prefer(theme=theme)
                person.settle()
                person.window.grab().save(f"{folder}/lanes-{theme}-{width}.png")


def test_from_the_settings_to_a_rescued_step_and_to_replay(person: Person, add_run: Store) -> None:
    add_run("asker")
    person.window.show_dock("selection")
    page = show_lanes(person)
    # worked out by hand: right steps of 4, 4, 2 and 2
    assert settings(page) == {
        "Original": ("0.812", "0.500", "–", "–", "0"),
        "Incomplete": ("0.562", "0.250", "−0.250", "–", "0"),
        "+ ASK": ("0.500", "0.000", "−0.312", "−25 %", "0.5"),
        "+ dual stream": ("0.625", "0.250", "−0.188", "25 %", "0.5"),
        "Never asks": ("0.562", "0.250", "−0.250", "0 %", "0"),
        "Asks at step 0": ("0.625", "0.500", "−0.188", "25 %", "1"),
        "Always asks": ("0.500", "0.500", "−0.312", "−25 %", "1.5"),
        "Oracle, when due": ("0.812", "0.500", "+0.000", "100 %", "0.5"),
    }
    assert {group: row.count for group, row in page.filters.rows.items()} == {
        LanesGroup.WHEN_DUE: 0, LanesGroup.NOT_WHEN_DUE: 1, LanesGroup.MISSED: 1, LanesGroup.NOT_NEEDED: 1,
    }  # fmt: skip
    assert [(row.episode, row.kind, row.rescued, row.film) for row in page.shown_rows] == [
        ("early", "number", 3, ("hamm", "hhhh")), ("missed", "option", 0, ("hmmh", "hmmh")),
        ("needless", "", 0, ("ha", "hm")),
    ]  # fmt: skip
    assert "1 task that leaves nothing out is not listed" in page.said.text()

    state = page.state
    assert state is not None and state.episode == "early"
    assert [(piece.words, piece.removed) for piece in page.goal.pieces] == [
        ("Set a timer for the cake", False), ("for 45 minutes", True),
    ]  # fmt: skip
    assert lane(page, DUE) == ["", "", "due", ""]
    assert lane(page, ALONE)[1] == "asks" and lane(page, ANSWERED)[0] == "same"
    answered = next(line for line in state.lines if line.key == ANSWERED)
    assert [square.is_rescued for square in answered.squares] == [False, True, True, True]
    assert answered.note == "stream 2, ran 2 to 4 again"
    assert [square.verdict for square in next(one for one in state.lines if one.key == WHOLE).squares] == [
        ShownVerdict.HIT
    ] * 4
    assert [(bar.first, bar.last, bar.words) for bar in state.bars] == [(1, 3, "3 steps rescued, 1 step early")]

    # the step of the ask is chosen; its screen has the marks, the talk both questions
    assert page.column == 1 and page.panel.isVisible()
    person.until(lambda: not page.panel.small.image.isNull(), "the screen with its marks")
    assert [bubble.bubble.words for bubble in page.panel.talk.bubbles] == [
        "Set a timer for the cake", QUESTION, "45 minutes",
    ]  # fmt: skip
    assert page.panel.talk.bubbles[1].bubble.caption.endswith("step 2, 1 early")
    (beside,) = page.panel.talk.beside
    assert [words for words, shared in beside.beside.questions[0].pieces if shared] == ["How long", "timer"]
    assert page.panel.talk.facts["Missing value"].text() == "number"
    assert page.panel.talk.facts["Answer in goal"].text() == "not any more"
    assert page.panel.talk.facts["Confidence"].text() == "0.80 at step 2, asks above 0.70"
    assert page.panel.raw.toPlainText() == "early 1"
    picture(person)

    # by mouse and keys along the steps, and to Replay
    person.click(page.lanes.viewport(), page.lanes.place_of(3, ANSWERED).center())
    assert page.column == 3 and page.panel.raw.toPlainText() == "early 3"
    person.press("K", page.lanes)
    person.press("Left", page.lanes)
    assert page.column == 1
    person.press("N", page.tasks)
    assert page.column == 2
    person.press("PgDown", page.lanes)
    wait_read(person)
    assert page.state is not None and page.state.episode == "missed" and page.column == 1
    assert lane(page, ANSWERED) == ["same"] * 4 and not page.state.bars
    person.press("Return", page.lanes)
    person.arrive("missed", 1)


def test_threshold_and_switches_act_after_the_fact(person: Person, add_run: Store) -> None:
    add_run("asker")
    page = show_lanes(person)
    page.cost.slider.setValue(page.cost.slider.maximum())
    wait_read(person)
    assert settings(page)["+ dual stream"] == ("0.562", "0.250", "−0.250", "0 %", "0"), "above all scores: never"
    assert page.cost.value.text() == "0.81"
    person.bench.lanes.ask_above(0.4)
    wait_read(person)
    # `missed` asks at its due step then, and is right throughout
    assert settings(page)["+ dual stream"][:2] == ("0.750", "0.500")
    assert page.filters.rows[LanesGroup.WHEN_DUE].count == 1
    assert page.wanted == "early", "the task stays"
    person.click(page.settings.dual)
    wait_read(person)
    chosen = [page.settings.model.line(row).is_chosen for row in range(4)]
    assert chosen == [False, False, True, False] and not page.settings.early.isEnabled()
    # one stream: `early` is asked twice for nothing but its due step
    assert settings(page)["+ ASK"][0] == "0.688"
    person.click(page.settings.dual)
    person.click(page.settings.early)
    wait_read(person)
    assert person.bench.lanes.switches.credit
    assert dict(page.settings.shown.timing)["recall"] == "1.000"


def test_kinds_groups_and_another_run_beside(person: Person, add_run: Store) -> None:
    add_run("first")
    add_run("asker", {name: [(*one[:2], None, *one[3:]) for one in steps] for name, steps in SAID.items()})
    page = show_lanes(person)
    assert settings(page)["first · ask"][0] == "0.625"
    assert {mark.name for mark in page.cost.cost.marks} >= {"first · ask", "never", "oracle"}
    assert [row.group for row in page.shown_rows] == [LanesGroup.MISSED, LanesGroup.MISSED]
    model = page.kinds.model
    found = [[model.index(row, column).data() for column in range(6)] for row in range(model.rowCount())]
    assert found == [
        ["number", "1", "0", "1", "0", "0"], ["option", "1", "0", "1", "0", "0"], ["All", "2", "0", "2", "0", "0"],
    ]  # fmt: skip
    person.click(page.filters.chips["option"])
    assert [row.episode for row in page.shown_rows] == ["missed"]
    wait_read(person)
    assert page.state is not None and page.state.episode == "missed"
    person.click(page.filters.chips["option"])
    assert len(page.shown_rows) == 2


def test_an_agent_that_only_asks_has_its_timing_and_says_why_no_more(person: Person, add_run: Store) -> None:
    add_run("asker", acts=False)
    page = show_lanes(person)
    assert {line[0] for line in settings(page).values()} == {"–"}
    assert "only asks" in page.settings.why.text() and "only asks" in page.cost.cost.why
    assert page.state is not None and [line.key for line in page.state.lines] == [DUE, ALONE]
    assert lane(page, ALONE) == ["", "asks", "", ""] and not page.state.bars
    assert {row.rescued for row in page.shown_rows} == {None}
    person.press("PgDown", page.lanes)
    person.press("PgDown", page.lanes)
    wait_read(person)
    # infeasible, and asked: beside the follow-up question of the data
    assert page.state.episode == "needless"
    (beside,) = page.panel.talk.beside
    assert beside.beside.title.startswith("Infeasible") and beside.beside.questions[1].pieces[0] == ("Which mug", True)
    assert page.panel.talk.facts["Goal"].text() == "infeasible, unclear"


def test_without_questions_the_page_says_what_to_do(person: Person, add_run: Store) -> None:
    add_run("asker", {"quiet": SAID["quiet"]})
    page = show_lanes(person)
    assert page.is_empty
    person.click(next(one for one in page._empty._buttons if one.isVisible()))
    person.settle()
    form = next(one for one in QApplication.topLevelWidgets() if isinstance(one, MakeTasksDialog))
    assert form.isVisible(), "the way to questions"
    form.close()


def test_everything_can_be_written(person: Person, add_run: Store, tmp_path: Path) -> None:
    add_run("asker")
    page = show_lanes(person)
    controller, exports = person.bench.lanes, person.bench.lanes._exports
    for kind in (TABLE_CSV, TABLE_LATEX, CURVE_CSV, CURVE_PNG, CURVE_SVG, LANES_CSV, KINDS_CSV):
        path = tmp_path / kind
        lanes_export.write(controller, kind, path, exports, "asker")
        person.until(path.exists, kind)
    rows = list(csv.reader((tmp_path / TABLE_CSV).read_text().splitlines()[1:]))
    assert rows[0][:3] == ["setting", "episodes", "ssr"] and rows[4][:3] == ["'+ dual stream", "4", "0.625"]
    lanes = list(csv.DictReader((tmp_path / LANES_CSV).read_text().splitlines()[1:]))
    assert [(row["step"], row["rescued"]) for row in lanes if row["episode"] == "early"] == [
        ("0", "0"), ("1", "1"), ("2", "1"), ("3", "1"),
    ]  # fmt: skip
    curve = list(csv.DictReader((tmp_path / CURVE_CSV).read_text().splitlines()[1:]))
    assert curve[0]["threshold"] == "" and {row["way"] for row in curve} >= {"curve", "Never asks"}
    assert (tmp_path / CURVE_SVG).read_text().startswith("<svg") and r"\toprule" in (tmp_path / TABLE_LATEX).read_text()
    assert (tmp_path / CURVE_PNG).read_bytes().startswith(b"\x89PNG")
    page.export_chosen.emit(TABLE_COPY)
    assert QApplication.clipboard().text().startswith("setting\t")


def test_a_run_of_another_task_has_no_lanes(person: Person, add_run: Store) -> None:
    add_run("asker")
    show_lanes(person)
    tabs = person.window.results.rule_bar.tabs
    person.window.results.set_lanes(False)
    assert person.window.results.page == SUMMARY and not tabs.isTabVisible(list(PAGES).index(LANES))


def test_a_run_that_was_chosen_before_results_was_entered_has_its_lanes(person: Person, add_run: Store) -> None:
    add_run("asker", elsewhere=True)
    person.choose("workspace.results")
    person.settle()
    assert person.window.results.rule_bar.tabs.isTabVisible(list(PAGES).index(LANES))
    show_lanes(person)
