"""text-match on hand-made screens."""

from collections.abc import Callable

from stepscope.core.domain.action import Finish, LongPress, OpenApp, PressKey, Scroll, Swipe, Tap, Type
from stepscope.core.domain.geometry import Direction
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.text_match import TextMatch

Make = Callable[..., StepRequest]


def answer(request: StepRequest) -> Prediction:
    return TextMatch(seed=0, device="auto").predict(request)


def tapped(request: StepRequest) -> str:
    action = answer(request).action
    assert isinstance(action, (Tap, Type, LongPress)) and action.target is not None
    return action.target.text


def row(top: float, text: str = "", **more: object) -> dict[str, object]:
    return {"box": (0, top, 1000, top + 100), "text": text, **more}


def test_taps_the_element_whose_words_are_the_place(request_for: Make) -> None:
    request = request_for(
        row(0, "Alarm"), row(100, "World clock"), row(200, "Timer"), instruction="tap the world clock"
    )
    prediction = answer(request)
    assert tapped(request) == "World clock"
    assert prediction.action is not None and prediction.action == prediction.answer.candidates[0].action  # type: ignore[union-attr]
    assert (prediction.action.point.x, prediction.action.point.y) == (500, 150)  # type: ignore[union-attr]
    assert "'world clock'" in prediction.raw and "shares world, clock" in prediction.raw
    assert prediction.confidence == 1.0


def test_my_profile_is_grounded_to_my_favorite_as_in_the_paper(request_for: Make) -> None:
    """MoTIF, figure 4: the right element has no words, so the word "my" decides."""
    avatar = {"box": (850, 20, 970, 140), "class_name": "android.widget.ImageView", "clickable": True}
    request = request_for(dict(avatar), row(300, "News"), row(500, "My favorite"), goal="go to my profile")
    assert tapped(request) == "My favorite"


def test_my_profile_finds_a_profile_that_has_its_word(request_for: Make) -> None:
    assert tapped(request_for(row(0, "My favorite"), row(100, "Profile"), goal="go to my profile")) == "Profile"


def test_words_in_description_and_id_count(request_for: Make) -> None:
    by_id = {"box": (0, 0, 100, 100), "resource_id": "app:id/btnShoppingCart"}
    request = request_for(
        by_id, {"box": (200, 0, 300, 100), "content_description": "Share"}, instruction="open the cart"
    )
    assert answer(request).action.target.id == "app:id/btnShoppingCart"  # type: ignore[union-attr]


def test_clickable_and_smaller_win_among_equals(request_for: Make) -> None:
    request = request_for(row(0, "Save"), row(200, "Save", clickable=True), instruction="tap save")
    assert answer(request).action.point.y == 250  # type: ignore[union-attr]
    large = {"box": (0, 0, 1000, 900), "text": "Save", "clickable": True}
    request = request_for(large, row(1000, "Save", clickable=True), instruction="tap save")
    assert answer(request).action.point.y == 1050  # type: ignore[union-attr]


def test_typing_prefers_an_editable_element(request_for: Make) -> None:
    request = request_for(
        row(0, "Message"), row(100, "Message", editable=True), instruction='type "hi" into the message field'
    )
    action = answer(request).action
    assert isinstance(action, Type) and action.text == "hi"
    assert action.point is not None and action.point.y == 150


def test_typing_without_a_place_goes_to_the_focused_field(request_for: Make) -> None:
    request = request_for(row(0, "A", editable=True), row(100, "B", editable=True, focused=True), instruction="type 42")
    assert tapped(request) == "B"


def test_verbs_that_need_no_element(request_for: Make) -> None:
    def action(instruction: str) -> object:
        return answer(request_for(instruction=instruction)).action

    assert action("go back") == PressKey("back")
    assert action("open the Clock app") == OpenApp("Clock")
    assert action("scroll down") == Scroll(Direction.DOWN)
    assert action("done") == Finish()
    assert action("type 42") == Type("42")
    swipe = action("swipe left")
    assert isinstance(swipe, Swipe) and swipe.direction is Direction.LEFT


def test_the_goal_is_read_clause_by_clause_when_there_is_no_instruction(request_for: Make) -> None:
    rows = (row(0, "Settings"), row(100, "Temperature"))
    goal = "open settings and tap temperature"
    assert tapped(request_for(*map(dict, rows), goal=goal)) == "Settings"
    assert tapped(request_for(*map(dict, rows), goal=goal, history=(PressKey("home"),))) == "Temperature"


def test_a_guess_is_called_a_guess(request_for: Make) -> None:
    request = request_for(row(0, "Alpha"), row(100, "Beta", clickable=True), instruction="tap the gamma button")
    prediction = answer(request)
    assert tapped(request) == "Beta"
    assert prediction.confidence == 0.0
    assert "guessed 'Beta'" in prediction.raw


def test_an_empty_screen_is_malformed_and_says_so(request_for: Make) -> None:
    prediction = answer(request_for(instruction="tap save"))
    assert prediction.status is PredictionStatus.MALFORMED
    assert prediction.why == "the screen has no UI elements"


def test_five_candidates_in_falling_order(request_for: Make) -> None:
    request = request_for(*(row(100 * i, f"Item {i}") for i in range(8)), instruction="tap item 3")
    found = answer(request).answer
    assert isinstance(found, ActionAnswer) and len(found.candidates) == 5
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert found.action == found.candidates[0].action
    assert found.action.target.text == "Item 3"  # type: ignore[union-attr]


def test_hidden_disabled_and_off_screen_elements_are_left_out(request_for: Make) -> None:
    request = request_for(
        row(0, "Save", visible=False),
        row(100, "Save", enabled=False),
        row(2500, "Save"),
        row(300, "Cancel"),
        instruction="save",
    )
    assert tapped(request) == "Cancel"
