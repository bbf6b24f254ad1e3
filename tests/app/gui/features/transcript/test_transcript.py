"""The transcript in the window: by keys, beside the screen, searched, priced, while a run goes on, and without any."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from stepscope.app.gui.features.transcript import presenter
from stepscope.app.gui.shell.events import RunProgressed
from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.model_call import (
    CallAttempt,
    CoordinateSpace,
    ModelCall,
    SaidPoint,
    SentMessage,
    SentPicture,
    digest_of,
)
from stepscope.core.domain.prediction import ActionAnswer, GoalAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec, RunState
from stepscope.core.domain.score import Score
from stepscope.core.store.repositories import outcomes, runs
from stepscope.core.store.worker import WorkerClaim
from stepscope.widgets.transcript.sent_panel import SENT
from stepscope.widgets.transcript.transcript_values import PartKind

SCREEN = Size(108, 240)
SYSTEM = "You act on a phone. Answer with one call and with nothing else, whatever you see on the picture of it."


def answer(episode: str, step: int, file: bytes, *, said: str = "tap(54, 60)", cut: bool = False) -> Outcome:
    """An item whose model was sent a picture of half the size, and said (27, 60) in it: 54, 120 on the screen."""
    sent = SentPicture(digest_of(file), 54, 120, "image/png", blocks=27, data=file)
    prompt = SentMessage("system", (SYSTEM,)), SentMessage("user", (f"Step {step}: buy a lamp", sent))
    tried = (
        (CallAttempt("busy (503)", 300.0, 1000.0), CallAttempt("", 2000.0)) if step == 1 else (CallAttempt("", 2000.0),)
    )
    call = ModelCall(
        prompt, said, (("model", "seven"), ("max_tokens", "64")), 1000 + step, 10, None, 2000.0, tried,
        "length" if cut else "stop", (SaidPoint(27, 60, CoordinateSpace.SENT),),
    )  # fmt: skip
    if cut:
        wrong = Prediction(episode, step, None, PredictionStatus.MALFORMED, latency_ms=2000, raw=said, why="no JSON",
                           calls=(call,))  # fmt: skip
        return Outcome(ItemKey(episode, step), wrong, Score.unusable("nothing usable", null=False), "tap")
    found = ActionAnswer(Tap(Point(54, 120, SCREEN)))
    prediction = Prediction(episode, step, found, latency_ms=2000, raw=said, calls=(call,))
    return Outcome(ItemKey(episode, step), prediction, Score.scored(1, "0.01 away"), "tap")


class Prompted:
    """A run with prompts in the person's store, and the transcript of it."""

    def __init__(self, person, file: bytes) -> None:
        self.person, self.file = person, file
        source = person.bench.context.selection.source
        spec = RunSpec(Task.AUTOMATION, "served:lab/seven", str(source.source.path), source.source.format, "aitw")
        with person.bench.context.database.unit_of_work() as db:
            self.run = runs.add(db, spec, ["lamp", "chair"], WorkerClaim.here(), total=6)
            self.scoring = outcomes.scoring(db, self.run, "aitw", "1", (), own=True)
            runs.set_state(db, self.run, RunState.RUNNING)

    def add(self, *found: Outcome, state: RunState | None = None) -> None:
        with self.person.bench.context.database.unit_of_work() as db:
            outcomes.add_many(db, self.run, self.scoring, found)
            if state is not None:
                runs.set_state(db, self.run, state)

    def show(self) -> None:
        self.person.bench.results.refresh()
        self.person.settle()
        self.person.bench.context.selection.set_runs([self.run])
        self.person.settle()
        self.person.press("Alt+3")
        self.person.until(lambda: self.view.list.blocks, "the blocks")
        self.person.settle()

    @property
    def view(self):
        return self.person.bench.transcript.view


@pytest.fixture
def file(shop) -> bytes:
    return next(iter(sorted(shop.rglob("*.png")))).read_bytes()


@pytest.fixture
def prompted(person, file) -> Prompted:
    """A finished run: two steps of `lamp`, the second asked twice, and one of `chair` that was cut off."""
    made = Prompted(person, file)
    cut = answer("chair", 0, file, said='{"action": "tap", "x"', cut=True)
    made.add(answer("lamp", 0, file), answer("lamp", 1, file, said="tap(needle)"), cut, state=RunState.DONE)
    made.show()
    return made


def test_a_step_says_what_was_sent_and_what_it_took(prompted) -> None:
    view = prompted.view
    assert [(one.number, one.title, one.tokens, one.time, one.badge) for one in view.list.blocks] == [
        ("1", "Tap", "1,000 + 10", "2.0 s", ""), ("2", "Tap", "1,001 + 10", "2.0 s", "1 retry"),
    ]  # fmt: skip
    assert dict(view.head.values) == {
        "Steps": "2 of 4", "Tokens in": "2,001", "Tokens out": "20", "Time": "4.0 s", "Median step": "2.0 s",
        "Retries": "1",
    }  # fmt: skip
    second = view.list.blocks[1]
    assert [one.words for one in second.attempts] == [
        "Attempt 1  busy (503) after 0.3 s, waited 1.0 s", "Attempt 2  2.0 s in all",
    ]  # fmt: skip
    assert second.parts[0].summary == f"system · {len(SYSTEM)} letters, the same in every step"
    parsed = second.parts[-1].text
    assert parsed == "27, 60 as said → × 108/54, × 240/120 → tap 54, 120 on the screen"
    assert second.pictures[0].points == ((0.5, 0.5),)
    assert second.pictures[0].facts == (
        "54 × 120 sent", "108 × 240 recorded", "2 × 5 blocks of 27 px", "Pixels of the picture sent",
    )  # fmt: skip
    form = json.loads(second.request)
    assert form["model"] == "seven" and form["messages"][1]["content"][1]["sha256"] == digest_of(prompted.file)


def test_scroll_and_step_are_linked_both_ways_until_the_chain_is_broken(prompted) -> None:
    person, view = prompted.person, prompted.view
    assert view.list.current == 0
    person.press("J")
    person.settle()
    assert person.place == ("lamp", 1) and view.list.current == 1 and view.list.open_blocks == {1}
    QTest.keyClick(view.list, Qt.Key.Key_Up)
    person.settle()
    assert person.place == ("lamp", 0) and view.list.current == 0
    view.chain.click()
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    person.settle()
    assert person.place == ("lamp", 0) and view.list.current == 1, "the chain is broken"
    person.press("Alt+1")
    person.settle()
    assert person.window.replay.shown_view == "screen" and person.window.replay.view.isVisible()


def test_it_is_searched_here_and_in_all_that_are_filtered(prompted) -> None:
    person, view = prompted.person, prompted.view
    view.list.setFocus()
    person.press("Ctrl+F")
    assert view.search.field.hasFocus()
    person.write("buy a LAMP")
    person.until(lambda: view.search.field.count == "1 of 2", "the count")
    person.press("F3")
    assert view.search.field.count == "2 of 2" and len(view.list.hits_bar.marks) == 2
    view.search.scope.set_value("everywhere")
    view.search.scope.chosen.emit("everywhere")
    person.until(lambda: "3 hits in 2 episodes" in view.search.elsewhere.text(), "the hits of all")
    person.settle()
    for _ in range(2):
        person.press("F3")
        person.settle()
    person.arrive("chair", 0)
    person.until(lambda: view.search.field.count == "1 of 1", "the hit there")
    view.search.chips[PartKind.PROMPT].click()
    person.settle()
    assert view.search.field.count == "No hits", "parts that are not shown are not searched"


def test_as_sent_shows_the_picture_that_was_kept_with_the_point_as_said(prompted) -> None:
    person, view = prompted.person, prompted.view
    view.side.choice.set_value(SENT)
    view.side.chosen.emit(SENT)
    person.until(lambda: view.side.picture.points == ((0.5, 0.5),), "the point")
    assert not view.side.picture.image.isNull() and view.side.about().startswith("54 × 120 sent")
    QTest.keyClick(view.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "tap(54, 60)"


def test_a_step_for_which_nothing_was_sent_shows_no_other_picture(person, file) -> None:
    """A run of whole episodes was sent the screens of the first and of the third step."""
    made = Prompted(person, file)
    pictures = tuple(SentPicture(digest_of(file), 54, 120, "image/png", step=step, data=file) for step in (0, 2))
    call = ModelCall((SentMessage("user", pictures),), "Buy a lamp", (), 1000, 10, None, 2000.0, (), "stop", ())
    prediction = Prediction("lamp", None, GoalAnswer("Buy a lamp"), latency_ms=2000, raw="Buy a lamp", calls=(call,))
    made.add(Outcome(ItemKey("lamp", -1), prediction, Score.scored(1, ""), "goal"), state=RunState.DONE)
    made.show()
    side = made.view.side
    side.choice.set_value(SENT)
    side.chosen.emit(SENT)
    person.until(lambda: not side.picture.image.isNull(), "the picture of the first step")
    person.press("J")
    person.arrive("lamp", 1)
    assert side.picture.image.isNull() and side.about() == "No picture was sent for this step."


def test_nothing_beside_the_search_moves_while_hits_are_counted(prompted) -> None:
    person, row = prompted.person, prompted.view.search
    before = [part.mapTo(row, QPoint()) for part in (row.scope, row.next, row.problems)]
    prompted.view.list.setFocus()
    person.press("Ctrl+F")
    person.write("lamp")
    person.until(lambda: row.field.count == "1 of 2", "the count")
    assert [part.mapTo(row, QPoint()) for part in (row.scope, row.next, row.problems)] == before


def test_a_small_window_keeps_half_of_the_transcript_for_its_texts(prompted) -> None:
    person, view = prompted.person, prompted.view
    person.window.resize(1024, 680)
    person.settle()
    assert 2 * view.list.height() >= view.height()


def test_a_price_is_entered_counted_filtered_by_and_undone(prompted) -> None:
    person, view = prompted.person, prompted.view
    view.head.price_link.click()
    view.head.read.setValue(10)
    view.head.written.setValue(100)
    view.head.keep.click()
    person.until(lambda: dict(view.head.values).get("Cost") == "0.0220 USD", "2,001 × 10 + 20 × 100 by a million")
    notes = [part.note for block in view.list.blocks for part in block.parts if part.title == "Raw output"]
    assert notes[0] == "10 tokens, 5.0 a second, ended by itself, 0.0110 USD"
    person.press("/")
    person.write("cost:A>0.01")
    person.until(lambda: person.goals == ["Buy a lamp", "Order a chair"], "both cost more than a cent")
    person.press("Ctrl+A")
    person.write("retries:A>0")
    person.until(lambda: person.goals == ["Buy a lamp"], "what was asked again")
    person.press("Escape")
    person.choose("edit.undo")
    person.until(lambda: "Cost" not in dict(view.head.values), "no price")


def test_a_broken_answer_is_amber_and_says_where_reading_stopped(prompted) -> None:
    person, view = prompted.person, prompted.view
    person.press("PgDown")
    person.arrive("chair", 0)
    person.until(lambda: [one.title for one in view.list.blocks] == ["No usable answer"], "the other episode")
    raw = next(part for part in view.list.blocks[0].parts if part.title == "Raw output")
    assert raw.warning == "The answer was cut at its limit of 64 tokens."
    assert raw.stopped == len('{"action": "tap", "x"') - 1
    assert view.search.problems.text() == "Problems 1"
    assert presenter.reading_stopped('say {"a": 1} and more') is None
    assert presenter.reading_stopped('{"a": 1,, }') == 8


def test_blocks_come_while_the_run_goes_on_and_the_view_follows_only_who_is_at_the_end(person, file) -> None:
    made = Prompted(person, file)
    made.add(answer("lamp", 0, file))
    made.show()
    view, events = made.view, person.bench.context.events
    assert view.follow.isVisible() and not view.is_following
    made.add(answer("lamp", 1, file))
    events.publish(RunProgressed(made.run, 2))
    person.until(lambda: len(view.list.blocks) == 2, "the second answer")
    assert view.list.current == 0
    QTest.keyClick(view.list, Qt.Key.Key_End)
    assert view.is_following and not view.follow.isVisible()
    made.add(answer("lamp", 2, file), state=RunState.DONE)
    events.publish(RunProgressed(made.run, 3))
    person.until(lambda: len(view.list.blocks) == 3, "the last answer")
    assert view.list.at_end() and not view.follow.isVisible()


def test_a_run_of_rules_says_that_it_has_no_prompts(person) -> None:
    person.evaluate("nearest-element", "aitw")
    person.choose("workspace.replay")
    person.press("Alt+3")
    view = person.bench.transcript.view
    person.until(lambda: view.list.blocks, "its answers")
    assert view.notice() == "This run has no prompts: rules answer from the tree."
    assert not view.head.price_link.isVisible()
