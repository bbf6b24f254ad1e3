"""What a trajectory has to fill in: names of rows and buttons, what is taken back, what is left out."""

from __future__ import annotations

from stepscope.core.domain.action import AskUser, Finish, FinishStatus, PressKey, Swipe, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.goal.pieces import done_pairs, name_of, pieces_of

SIZE = Size(400, 800)


def row(index: int, top: float, *texts: str) -> list[UIElement]:
    """A clickable row with texts inside it."""
    inside = [
        UIElement(index + at, Box(10, top, 390, top + 50, SIZE), parent=index, depth=1, text=text)
        for at, text in enumerate(texts, start=1)
    ]
    return [UIElement(index, Box(0, top, 400, top + 50, SIZE), clickable=True), *inside]


ROW = row(0, 100, "Mon", "Haircut", "11:15")
SCREEN = Observation(
    SIZE,
    tree=UITree(
        (
            *ROW,
            UIElement(4, Box(0, 200, 400, 250, SIZE), text="Copy", clickable=True),
            UIElement(5, Box(0, 300, 400, 350, SIZE), content_description="Navigate up", clickable=True),
            UIElement(6, Box(0, 400, 400, 450, SIZE), content_description="More options", clickable=True),
        ),
        TreeOrigin.VIEW_HIERARCHY,
        SIZE,
    ),
)


def tap(y: float) -> Tap:
    return Tap(Point(200, y, SIZE))


def request(*actions: object, app: str | None = "com.example.diary") -> EpisodeRequest:
    return EpisodeRequest("e", None, Platform.ANDROID, (SCREEN,) * len(actions), actions, app)  # type: ignore[arg-type]


def test_a_row_is_named_by_the_first_word_in_it_and_a_button_by_its_own() -> None:
    assert name_of(SCREEN, tap(120)) == ("Haircut", True)
    assert name_of(SCREEN, tap(220)) == ("Copy", False)


def test_without_a_tree_the_recording_says_what_was_touched() -> None:
    bare = Observation(SIZE)
    assert name_of(bare, Tap(Point(1, 1, SIZE), Target(None, "Save", None))) == ("Save", False)
    assert name_of(bare, Tap(Point(1, 1, SIZE))) == ("", False)


def test_each_role_has_the_last_of_its_kind() -> None:
    found = pieces_of(request(Type("Eli"), tap(120), tap(220), Type("Soup at  seven")))
    assert found == {
        "typed": "Soup at seven",
        "typed first": "Eli",
        "item": "Haircut",
        "button": "Copy",
        "app": "diary",
    }


def test_what_is_taken_back_at_once_and_what_only_leads_on_names_nothing() -> None:
    assert pieces_of(request(tap(120), PressKey("back"), app=None)) == {}
    assert pieces_of(request(tap(220), tap(320), app=None)) == {}
    assert pieces_of(request(tap(420), app=None)) == {}
    assert len(done_pairs(request(Type("Eli"), PressKey("back")))) == 2  # what was typed is not taken back


def test_questions_and_the_end_are_not_looked_at() -> None:
    assert done_pairs(request(AskUser("Which one?"), None, Finish(FinishStatus.COMPLETE))) == []


def test_a_swiped_row_is_an_item_and_a_scrolled_one_is_not() -> None:
    across = Swipe(Point(300, 120, SIZE), Point(20, 120, SIZE))
    up = Swipe(Point(200, 120, SIZE), Point(200, 20, SIZE))
    assert across.direction is Direction.LEFT
    assert pieces_of(request(across, app=None)) == {"item": "Haircut"}
    assert pieces_of(request(up, app=None)) == {}
