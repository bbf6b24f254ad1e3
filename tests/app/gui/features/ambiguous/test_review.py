"""A person reviews ambiguous tasks by key: accepts, edits, rejects, takes back; another one comes after."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint

from stepscope.core.domain.ambiguous_task import (
    RULES,
    AmbiguousTask,
    AskReview,
    MissingPiece,
    PieceKind,
    ReviewVerdict,
    StepReading,
    StepRole,
    TaskSlot,
)
from stepscope.core.domain.goal_words import PartState
from stepscope.core.store.repositories import ambiguous_tasks as task_rows

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
LAMP = "Buy a lamp", "Buy something", "lamp", PieceKind.TEXT
CHAIR = "Order a chair", "Order an item", "chair", PieceKind.OPTION
TOUR = "Take the tour", "Take the tour", "tour", PieceKind.OTHER
"""Original goal, the goal without, what is left out of it, and its kind; the third leaves nothing out, as a check
says."""


def source(person) -> str:
    return str(person.selection.source.source.path)


def task(where: str, episode: str, words: tuple[str, str, str, PieceKind], step: int, failed=()) -> AmbiguousTask:
    original, goal, value, kind = words
    readings = tuple(
        StepReading(index, f"Do {index}.", StepRole.INFORMATIVE if index == step else StepRole.TRANSACTIONAL, value)
        for index in range(3)
    )
    piece = MissingPiece(step, value, "Which one do you mean?", f"The {value}.", kind)
    slot = TaskSlot(where, episode, RULES, 1)
    return AmbiguousTask(slot, original, goal, (piece,), readings, NOON, "rules 1", "org.example.shop", tuple(failed))


def keep_three(person) -> list[AmbiguousTask]:
    where = source(person)
    tasks = [
        task(where, "lamp", LAMP, 1),
        task(where, "chair", CHAIR, 1),
        task(where, "tour", TOUR, 0, ("hidden",)),
    ]
    with person.bench.context.database.unit_of_work() as db:
        task_rows.keep(db, tasks)
    return tasks


def stored(person) -> dict[tuple[str, str], AskReview]:
    with person.bench.context.database.reading() as db:
        return {(one.slot.episode, one.reviewer): one for one in task_rows.reviews_of(db, source(person))}


def states(person) -> dict[str, str]:
    model = person.window.ambiguous_list.model
    return {model.row_at(place).title: model.row_at(place).state for place in range(model.rowCount())}


def page(person):
    return person.window.ambiguous.task


def title(person) -> str:
    return person.window.ambiguous.title()


@pytest.fixture
def review(person):
    """Ana, in front of the first of three tasks: chair, lamp, tour, as the store sorts them."""
    person.bench.context.prefer(annotator="ana")
    keep_three(person)
    person.press("Ctrl+8")
    person.settle()
    return person


def test_a_task_stands_as_words_steps_and_screen(review) -> None:
    assert review.window.workspace == "ambiguous" and title(review) == "Task 2 of 3", "the episode that was open"
    goal = page(review).goal
    assert (goal.words(PartState.REMOVED), goal.words(PartState.ADDED)) == ("a lamp", "something")
    (piece,) = page(review).pieces
    assert (piece.question.text(), piece.answer.text()) == ("Which one do you mean?", "The lamp.")
    assert review.place == ("lamp", 1), "the step of which it was left out"
    assert page(review).strip._steps[1].ask == "due" and page(review).strip.current() == 1
    side = review.window.ambiguous_step
    assert side.words() == ["2 of 5", "informative", "Do 1.", "Needs of the goal: “lamp”"]
    assert side.left_out.isVisible() and side.view.content.number == 2
    review.press("Right")
    review.settle()
    assert review.place == ("lamp", 2) and side.words()[:2] == ["3 of 5", "transactional"]
    assert review.window.ambiguous_list.states.choices() == {
        "": 3, "open": 3, "accepted": 0, "edited": 0, "rejected": 0, "failed": 1,
    }  # fmt: skip
    review.bench.context.messages.done("Made 3 tasks.")
    passing = review.window.messages.items()[0]
    review.until(passing.isVisible, "the message")
    assert passing.mapToGlobal(passing.rect().bottomLeft()).y() < page(review).foot.mapToGlobal(QPoint()).y()


def test_keys_accept_edit_and_reject_and_all_of_it_is_stored_and_undone(review) -> None:
    review.press("A")
    review.settle()
    assert title(review) == "Task 3 of 3", "on to the next that is open"
    assert stored(review)["lamp", "ana"].verdict is ReviewVerdict.ACCEPTED
    review.press("E")
    assert page(review).is_editing and review.window.focusWidget() is page(review).goal.field
    review.press("Ctrl+A")
    review.write("Take one")
    assert stored(review).keys() == {("lamp", "ana")}, "letters go into the field, not to the window"
    review.until(lambda: page(review).goal.words(PartState.REMOVED) == "the tour", "the words as they are written")
    review.press("Return")
    review.settle()
    edited = stored(review)["tour", "ana"]
    assert (edited.verdict, edited.goal) == (ReviewVerdict.EDITED, "Take one")
    assert title(review) == "Task 1 of 3", "from the end the next open one is at the beginning"
    review.press("R")
    assert page(review).is_asking_for_reason
    review.write("Nobody asks")
    review.press("Return")
    review.settle()
    assert stored(review)["chair", "ana"].note == "Nobody asks"
    assert states(review) == {"Order an item": "rejected", "Buy something": "accepted", "Take one": "edited"}
    assert "All 3 tasks are reviewed." in review.told
    review.press("U")
    review.settle()
    assert ("chair", "ana") not in stored(review) and states(review)["Order an item"] == "open"
    review.press("Ctrl+Z")
    review.settle()
    assert title(review) == "Task 3 of 3" and stored(review).keys() == {("lamp", "ana")}
    review.press("Ctrl+Shift+Z")
    review.settle()
    assert stored(review)["tour", "ana"] == edited


def test_esc_leaves_words_and_reasons_as_they_were(review) -> None:
    review.press("E")
    review.press("Ctrl+A")
    review.write("Else")
    review.press("Escape")
    review.settle()
    assert not page(review).is_editing and page(review).goal.words(PartState.ADDED) == "something"
    review.press("R")
    review.press("Escape")
    review.settle()
    assert not page(review).is_asking_for_reason and stored(review) == {}


def test_what_is_being_written_is_kept_when_one_goes_on_and_nothing_empty_is(review) -> None:
    review.press("E")
    page(review).pieces[0].answer_field.setPlainText("A red one.")
    review.window.ambiguous_list.list.setCurrentIndex(review.window.ambiguous_list.model.index(0))
    review.settle()
    assert stored(review)["lamp", "ana"].pieces[0].answer == "A red one."
    review.press("E")
    page(review).goal.field.setPlainText(" ")
    review.press("Return", page(review).goal.field)
    assert page(review).is_editing and any("must not be empty" in one for one in review.told)
    review.choose("workspace.replay")
    review.settle()
    assert stored(review).keys() == {("lamp", "ana")}


def test_j_and_k_go_through_the_list_and_n_to_the_next_open_one(review) -> None:
    review.press("K")
    review.settle()
    assert title(review) == "Task 1 of 3"
    for _ in range(3):
        review.press("J")
    review.settle()
    assert title(review) == "Task 3 of 3"
    review.press("A")
    review.settle()
    review.press("J")
    review.press("J")
    review.settle()
    review.press("N")
    review.settle()
    assert title(review) == "Task 1 of 3", "the third is done"


def test_the_list_is_filtered_by_state_kind_and_words(review) -> None:
    panel = review.window.ambiguous_list
    panel.states.chosen.emit("failed")
    review.settle()
    assert list(states(review)) == ["Take the tour"] and title(review) == "Task 1 of 1"
    panel.states.chosen.emit("")
    panel.kind.setCurrentIndex(panel.kind.findData("option"))
    panel.kind.activated.emit(1)
    assert list(states(review)) == ["Order an item"]
    panel.kind_chosen.emit("")
    panel.searched.emit("LAMP")
    assert list(states(review)) == ["Buy something"]
    panel.searched.emit("sofa")
    assert panel.words().startswith("No task matches")
    review.click(panel._filtered._buttons[0])
    review.settle()
    assert len(states(review)) == 3 and title(review).endswith("of 3")


def test_a_second_person_reviews_blind_and_then_sees_where_they_differ(review) -> None:
    for key in ("A", "A", "A"):
        review.press(key)
        review.settle()
    review.bench.review.name_reviewer("ben")
    review.settle()
    assert set(states(review).values()) == {"open"} and page(review).said.words() == ""
    review.press("A")
    review.settle()
    review.press("R")
    review.press("Return")
    review.settle()
    (rejected,) = (where for (where, who), one in stored(review).items() if who == "ben" and one.verdict == "rejected")
    place = [one.slot.episode for one in review.bench.review.session.tasks].index(rejected)
    review.window.ambiguous_list.list.setCurrentIndex(review.window.ambiguous_list.model.index(place))
    review.settle()
    assert page(review).said.words() == "You rejected it: no reason given\nana accepted it"
    assert review.window.ambiguous_list.states.choices()["differs"] == 1
    review.choose("ambiguous.agreement")
    review.settle()
    agreement = review.window.ambiguous.agreement
    # ana stands, stands; ben stands, rejects: half the same, and as much by chance: 1·½ + 0·½
    assert agreement.rows("Two people on the same tasks") == [["ana, ben", "0.00", "50.0 %", "1 of 1", "2"]]
    assert agreement.rows("Who reviewed") == [["ana", "3", "0", "0", "3"], ["ben", "1", "0", "1", "2"]]
    (row,) = agreement.rows("Tasks on which people differ")
    assert row[1] == "ana accepted, ben rejected"


def test_where_nothing_is_made_a_button_makes_it(person) -> None:
    person.press("Ctrl+8")
    person.settle()
    assert person.window.ambiguous_list.words().startswith("No ambiguous tasks yet")
    assert person.window.ambiguous.empty_words().startswith("No ambiguous tasks yet")


def test_where_nothing_is_open_it_says_so(open_window) -> None:
    person = open_window()
    person.choose("source.close")
    person.settle()
    person.press("Ctrl+8")
    person.settle()
    assert person.window.ambiguous.empty_words().startswith("Nothing is open")


def test_what_somebody_else_said_meanwhile_stays(review) -> None:
    mine = review.bench.review.session.task
    other = AskReview(mine.slot, "ana", ReviewVerdict.REJECTED, mine.wording, NOON, note="first")
    with review.bench.context.database.unit_of_work() as db:
        task_rows.replace_reviews(db, (), (other,))
    review.press("A")
    review.settle()
    assert stored(review)["lamp", "ana"].note == "first"
    assert any("Somebody else has changed this meanwhile" in one for one in review.told)
    assert states(review)["Buy something"] == "rejected", "read anew"


def test_closing_the_window_keeps_what_is_being_written_and_the_filter(review, open_window) -> None:
    review.press("E")
    page(review).goal.field.setPlainText("Buy whatever")
    review.window.ambiguous_list.states.chosen.emit("edited")
    review.settle()
    assert list(states(review)) == ["Buy whatever"], "words that are left for the filter are kept"
    review.press("E")
    page(review).goal.field.setPlainText("Buy anything")
    review.close()
    again = open_window()
    again.until(lambda: again.selection.episode is not None, "the last session")
    again.press("Ctrl+8")
    again.settle()
    assert stored(again)["lamp", "ana"].goal == "Buy anything"
    assert list(states(again)) == ["Buy anything"] and again.window.ambiguous_list.states.choices()["edited"] == 1


def test_a_reviewer_may_see_what_others_say_from_the_start(review) -> None:
    review.press("A")
    review.settle()
    review.bench.review.name_reviewer("ben")
    review.settle()
    menu = review.window.ambiguous_list.menu()
    blind = next(action for action in menu.actions() if action.isCheckable())
    assert blind.isChecked()
    blind.trigger()
    review.settle()
    row = next(at for at, place in enumerate(review.bench.review.session.shown)
               if review.bench.review.session.tasks[place].slot.episode == "lamp")  # fmt: skip
    review.window.ambiguous_list.list.setCurrentIndex(review.window.ambiguous_list.model.index(row))
    review.settle()
    assert page(review).said.words() == "ana accepted it"
    menu.deleteLater()


def test_a_task_that_is_not_in_view_is_not_accepted(review) -> None:
    review.press("G")
    assert review.window.ambiguous.page.value() == "agreement"
    review.press("A")
    review.settle()
    assert review.window.ambiguous.page.value() == "task" and stored(review) == {}
    review.press("A")
    review.settle()
    assert stored(review).keys() == {("lamp", "ana")}
