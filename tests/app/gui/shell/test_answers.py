"""What models of every task answered, in Replay and in the ordering workspace: stored answers, made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QPointF

from stepscope.app.gui.features.results.breakdown_columns import selection_rows
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.core.domain.action import PressKey, Tap, Target, Type
from stepscope.core.domain.episode import Episode, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import BubbleMark, CandidateMark, EvidenceMark
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    Evidence,
    FeasibilityAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.ordering import YourRow

SIZE = Size(108, 240)
BOX = Box(10, 20, 60, 40, SIZE)
INFEASIBLE = FeasibilityLabel.INFEASIBLE
PROTOCOLS = {Task.FEASIBILITY: "feasibility", Task.GOAL: "goal_text", Task.ORDERING: "ordering", Task.ASK: "ask",
             Task.AUTOMATION: "aitw"}  # fmt: skip

Store = Callable[..., str]


@pytest.fixture
def store_answers(person) -> Store:
    """`store_answers(task, *predictions)` puts a finished run over `lamp` and `chair` into the store, shows it under
    the next letter and waits until it is seen."""

    def add(task: Task, *said: Prediction) -> str:
        context, source = person.bench.context, person.selection.source.source
        spec = RunSpec(task, task.value, str(source.path), source.format, PROTOCOLS[task])
        model = ImportedPredictor.of(said, task=task, model=task.value)
        run = EvaluationRun.start(context.database, spec, source, ["lamp", "chair"], model, run_scorer(PROTOCOLS[task]))
        for _update in run.updates():
            pass
        context.events.publish(RunsChanged())
        person.until(lambda: run.run_id in person.bench.results.run_ids, "the run in the list")
        person.selection.show_run(run.run_id)
        person.settle()
        return run.run_id

    return add


def show(person, episode: str, step: int = 0) -> None:
    person.bench.viewer.open_episode(episode, step)
    person.arrive(episode, step)


def marks(person, kind: type) -> list:
    return [mark for mark in person.screen.content.marks if isinstance(mark, kind)]


def texts(cards: Sequence) -> list[tuple[tuple[str, str], ...]]:
    return [card.shown.facts for card in cards]


def test_feasibility_is_a_curve_a_card_and_boxes_that_can_be_lit(person, store_answers) -> None:
    evidence = (Evidence(1, 0.3, "Search", BOX), Evidence(0, 0.1))
    store_answers(
        Task.FEASIBILITY,
        Prediction("lamp", None, FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.2)),
        Prediction("chair", None, FeasibilityAnswer(INFEASIBLE, 0.8, (0.1, 0.5, 0.8), evidence)),
    )
    show(person, "chair")
    (lane,) = person.window.timeline.strip._lanes
    assert lane.curve == (0.1, 0.5, 0.8) and lane.words == "infeasible 0.80" and lane.verdict is ShownVerdict.HIT
    inspector = person.window.inspector
    inspector.setCurrentWidget(inspector.episode_page)
    assert texts(inspector.episode_page.answers) == [
        (("Label", "infeasible"), ("P(infeasible)", "0.80"), ("Reference", "infeasible"))
    ]
    assert marks(person, EvidenceMark) == [
        EvidenceMark(0, Box(0, 0, 108, 240, SIZE), pytest.approx(1 / 3), "the whole screen, weight 0.10")
    ]
    (card,) = inspector.episode_page.answers
    person.click(card.evidence.rows[0])
    person.arrive("chair", 1)
    (mark,) = marks(person, EvidenceMark)
    assert mark.lit and mark.box == BOX
    left, top = person.screen.viewport.to_view(Point(30, 30, SIZE))
    assert person.screen.tip_at(QPointF(left, top)) == "A: Search, weight 0.30"
    inspector.setCurrentWidget(inspector.step_page)
    assert ("P(infeasible)", "0.50 after this step") in texts(inspector.step_page.cards)[0]
    person.press("E", person.screen)
    assert marks(person, EvidenceMark) == []
    person.bench.screen.light(0, 0)
    assert marks(person, EvidenceMark), "who asks where it is sees it, whatever was hidden"
    person.press("Left", person.screen)
    person.arrive("chair", 0)
    assert not any(mark.lit for mark in marks(person, EvidenceMark))


def test_a_feasibility_run_without_a_curve_says_so_in_words_and_leaves_one_cell_in_the_list(
    person, store_answers
) -> None:
    feasible = FeasibilityAnswer(FeasibilityLabel.FEASIBLE)
    store_answers(Task.FEASIBILITY, Prediction("chair", None, feasible))
    show(person, "chair")
    (lane,) = person.window.timeline.strip._lanes
    assert (lane.cells, lane.curve, lane.words, lane.verdict) == ((), (), "feasible", ShownVerdict.MISS)
    rows = [person.window.episodes.model.value(place) for place in range(3)]
    assert [row.verdicts for row in rows if row.id == "chair"] == [((ShownVerdict.MISS,),)]
    assert person.window.replay.layers.chip(Layer.EVIDENCE) is None, "no evidence, no chip"


def test_a_goal_stands_beside_the_recorded_one_with_why(person, store_answers) -> None:
    store_answers(Task.GOAL, Prediction("lamp", None, GoalAnswer("Buy a lamp")),
                  Prediction("chair", None, GoalAnswer("Sell a chair")))  # fmt: skip
    show(person, "chair")
    inspector = person.window.inspector
    inspector.setCurrentWidget(inspector.episode_page)
    (card,) = inspector.episode_page.answers
    assert card.shown.facts[:2] == (("Goal", "Sell a chair"), ("Reference", "Order a chair"))
    assert card.shown.verdict is ShownVerdict.MISS and "ROUGE-L" in card.shown.why
    assert person.window.timeline.strip._lanes[0].words == "Sell a chair"
    show(person, "lamp")
    assert inspector.episode_page.answers[0].shown.verdict is ShownVerdict.HIT


class Guessing:
    """Of a chair's steps: first something else, then nothing, then what it is."""

    info = ModelInfo("guessing", "Guessing", Task.GOAL, "", "tests")

    def predict(self, request: EpisodeRequest) -> Prediction:
        said = ["Order a table", None, "Order a chair"][len(request.observations) - 1]
        answer = None if said is None else GoalAnswer(said)
        status = PredictionStatus.OK if said else PredictionStatus.EMPTY
        return Prediction(request.episode, None, answer, status, confidence=0.25 * len(request.observations))


def test_a_goal_while_it_happens_has_the_guess_of_the_step_and_what_changed(person, store_answers) -> None:
    context, source = person.bench.context, person.selection.source.source
    spec = RunSpec(Task.GOAL, "guessing", str(source.path), source.format, "early_goal")
    run = EvaluationRun.start(context.database, spec, source, ["chair"], Guessing(), run_scorer("early_goal"))
    for _update in run.updates():
        pass
    context.events.publish(RunsChanged())
    person.until(lambda: run.run_id in person.bench.results.run_ids, "the run in the list")
    person.selection.show_run(run.run_id)
    person.settle()
    inspector = person.window.inspector
    inspector.setCurrentWidget(inspector.step_page)
    seen = []
    for step in range(3):
        show(person, "chair", step)
        (card,) = inspector.step_page.cards
        seen.append((dict(card.shown.facts), card.shown.verdict, card.shown.confidence))
    settled = "from step 3 of 3 on"
    assert seen[0] == (
        {"Goal so far": "Order a table", "Changed": "the first guess", "In the end": "Order a chair",
         "Settled": settled}, ShownVerdict.MISS, 0.25,
    )  # fmt: skip
    assert seen[1][0] == {"Goal so far": "none", "Settled": settled} and seen[1][1] is ShownVerdict.NULL
    assert seen[2][0] == {"Goal so far": "Order a chair", "Changed": "\u2212 table, + chair", "Settled": settled}
    (lane,) = person.window.timeline.strip._lanes
    assert [cell.verdict for cell in lane.cells] == [ShownVerdict.MISS, ShownVerdict.NULL, ShownVerdict.HIT]


def test_the_selection_of_results_has_both_goals(person, store_answers) -> None:
    store_answers(Task.GOAL, Prediction("lamp", None, GoalAnswer("Buy a lamp")),
                  Prediction("chair", None, GoalAnswer("Sell a chair")))  # fmt: skip
    person.press("Ctrl+2")
    person.settle()
    person.until(lambda: person.bench.breakdown.loaded is not None, "the run's items")
    rows = selection_rows(person.bench.context.database, person.bench.breakdown.loaded, [0, 1])
    assert [(row.goal, row.said[6:], row.badge) for row in rows] == [
        ("Buy a lamp", "Buy a lamp", "hit"), ("Order a chair", "Sell a chair", "miss"),
    ]  # fmt: skip
    assert rows[0].said.startswith("1.000 ") and "ROUGE-L" in rows[1].why


def test_questions_are_bubbles_where_they_came_and_where_they_were_due(person, store_answers) -> None:
    tap = Tap(Point(54, 120, SIZE))
    store_answers(
        Task.ASK,
        Prediction("lamp", 0, AskAnswer("Which colour?", 0.9, tap, PressKey("home"))),
        Prediction("lamp", 1, AskAnswer(None, 0.4, Type("lamp"))),
        Prediction("lamp", 2, AskAnswer(None, 0.1)),
        Prediction("lamp", 3, AskAnswer(None, 0.1)),
    )
    show(person, "lamp")
    (lane,) = person.window.timeline.strip._lanes
    assert [cell.ask if cell else None for cell in lane.cells] == ["came", "due", "", "", None]
    assert [cell.confidence for cell in lane.cells[:2]] == [0.9, 0.4]
    assert lane.has_second_stream and "home" in lane.cells[0].after.lower()
    assert [mark.text for mark in marks(person, BubbleMark)] == ["Which colour?"]
    inspector = person.window.inspector
    inspector.setCurrentWidget(inspector.step_page)
    facts = dict(texts(inspector.step_page.cards)[0])
    assert facts["Asks"] == "Which colour?" and facts["P(due)"] == "0.90" and facts["After answer"]
    inspector.setCurrentWidget(inspector.talk_page)
    turns = [(line.turn.kind, line.turn.text, line.turn.run) for line in inspector.talk_page.lines]
    assert ("ask", "Which colour?", 0) in turns and ("ask", "Which lamp?", None) in turns
    assert turns.index(("ask", "Which colour?", 0)) == 1, "after the goal, before what was done at the first step"
    show(person, "chair")
    assert all(line.turn.run is None for line in inspector.talk_page.lines)


def test_candidates_are_numbered_by_the_key(person, store_answers) -> None:
    first, second = Tap(Point(30, 30, SIZE), Target(BOX, "Search")), Tap(Point(90, 200, SIZE))
    answer = ActionAnswer(first, (Candidate(first, 0.6), Candidate(second, 0.3)))
    store_answers(Task.AUTOMATION, Prediction("chair", 0, answer))
    show(person, "chair")
    assert marks(person, CandidateMark) == []
    assert person.window.replay.layers.chip(Layer.NUMBERS) is not None
    person.press("M", person.screen)
    assert [(mark.number, mark.text) for mark in marks(person, CandidateMark)] == [
        (1, "1: tap, 0.60"), (2, "2: tap, 0.30"),
    ]  # fmt: skip
    person.press("M", person.screen)
    assert marks(person, CandidateMark) == []


# The ordering workspace ---------------------------------------------------------------------------------------------

BEFORE = ((0.5, 0.7, 0.9, 0.9), (0.3, 0.5, 0.8, 0.9), (0.1, 0.2, 0.5, 0.9), (0.1, 0.1, 0.1, 0.5))


def test_an_episode_is_a_board_of_its_steps_with_a_row_for_each_run(person, store_answers) -> None:
    """`lamp` in words has the steps 0 to 3; the run has 1 before 0. Accuracy 2 of 4, one inversion of 6 pairs."""
    swapped = OrderAnswer(("1", "0", "2", "3"), BEFORE)
    store_answers(Task.ORDERING, Prediction("lamp", None, swapped), Prediction("chair", None, OrderAnswer(("9",))))
    show(person, "lamp", 2)
    person.press("Ctrl+4")
    person.settle()
    board, panel = person.window.ordering.board, person.window.orders
    assert board.hasFocus()
    assert [line.order if line else "reference" for line in board.lines[1:]] == [("1", "0", "2", "3"), "reference"]
    assert isinstance(board.lines[0], YourRow) and board.focused() == "2", "the step that Replay showed"
    head, *rows = person.window.ordered.grid.shown
    shown = dict(zip(head, next(row for row in rows if row[0] == "Run A"), strict=True))
    assert (shown["Accuracy"], shown["PMR"], shown["Kendall τ"]) == ("0.500", "0", "0.667")
    assert panel.matrix.tip(1, 0).endswith("0.70, against the reference.")
    assert set(board._pictures) == {"0", "1", "2", "3"}
    board.focus_step("3")
    person.press("Shift+Return", board)
    person.arrive("lamp", 3)
    assert person.window.workspace == "replay"
    person.press("Ctrl+4")
    person.bench.viewer.open_episode("chair")
    person.arrive("chair", 0)
    assert board.lines[1].order == ("9",) and board.lines[1].verdict is not ShownVerdict.MISS
    assert "Accuracy" in person.window.ordered.grid.shown[0] and not panel.matrix.isVisible()


def test_procedures_have_a_board_too_and_a_card_leads_to_its_step(person, shop) -> None:
    person.bench.library.opening.open_path(shop, as_procedures=True)
    person.until(lambda: person.selection.source.as_procedures, "the procedures")
    person.until(lambda: person.selection.episode is not None, "the first procedure")
    person.settle()
    person.press("Ctrl+4")
    person.settle()
    board = person.window.ordering.board
    assert len(board.lines) == 2 and board.lines[1] is None and board.focused()
    assert "No run has ordered these steps" in person.window.orders._how.text()
    board.focus_step(max(board.lines[0].order, key=int))
    person.press("Shift+Return", board)
    assert person.window.workspace == "replay"
    assert person.selection.step_index == len(person.selection.episode.steps) - 1


def test_an_episode_with_too_few_words_says_why_there_is_no_order(person, tmp_path) -> None:
    episode = Episode("short", "recording", Platform.ANDROID, "Look", (Step(0, Observation(SIZE), Tap(None)),))
    writer = RecordingWriter(tmp_path / "short")
    writer.add(episode.steps[0], None)
    writer.save(episode)
    person.drop(tmp_path / "short")
    person.until(lambda: person.selection.episode and person.selection.episode.id == "short", "the short episode")
    person.press("Ctrl+4")
    person.settle()
    assert "is no procedure" in person.window.ordering.board._empty.words()
    assert person.told == []
