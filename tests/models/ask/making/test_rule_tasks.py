"""Ambiguous tasks by rules: what is cut out of a goal, what stays, and what is asked."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Action, OpenApp, PressKey, Scroll, Select, Tap, Target, Type
from stepscope.core.domain.ambiguous_task import Cut, MissingPiece, PieceKind, StepRole
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.domain.goal_words import PartState, parts_of, with_cuts
from stepscope.models.ask.making.maker import TaskDraft
from stepscope.models.ask.making.rules import RuleTaskMaker
from stepscope.models.ask.making.shared_words import holds, plain_words

SIZE = Size(100, 200)


def episode(goal: str, *actions: Action, name: str = "e") -> Episode:
    steps = tuple(Step(index, Observation(SIZE), action) for index, action in enumerate(actions))
    return Episode(name, "recording", Platform.ANDROID, goal, steps)


def tap(words: str) -> Tap:
    return Tap(Point(5, 5, SIZE), Target(None, words))


def typed(words: str, field: str = "") -> Type:
    return Type(words, None, Target(None, field) if field else None)


def drafts(goal: str, *actions: Action, removed: tuple[int, ...] = (1,)) -> tuple[TaskDraft, ...]:
    return RuleTaskMaker().make(episode(goal, *actions), removed).drafts


def only(goal: str, *actions: Action) -> tuple[str, MissingPiece]:
    (draft,) = drafts(goal, *actions)
    (piece,) = draft.pieces
    return draft.goal, piece


@pytest.mark.parametrize(
    ("goal", "action", "left", "value", "kind"),
    [
        ("See the tides on March 4", typed("March 4", "Day"), "See the tides", "March 4", PieceKind.DATE),
        ("Track the moon of March 4", tap("March 4"), "Track the moon of a certain date", "March 4", PieceKind.DATE),
        ("Wake me at 6:45 tomorrow", typed("6:45"), "Wake me tomorrow", "6:45", PieceKind.TIME),
        ("Tell Perla that I am late", tap("Perla Jellicoe"), "Tell someone that I am late", "Perla", PieceKind.PERSON),
        ("Tell Perla that I am late", typed("Sorry, I am late"), "Tell Perla something", "I am late", PieceKind.TEXT),
        ("Write to Tove: The keys are here", typed("The keys are here"), "Write to Tove", "The keys are here",
         PieceKind.TEXT),
        ("Play my Late drive playlist", tap("Late drive"), "Play my playlist", "Late drive", PieceKind.OTHER),
        ("Put a stoneware mug into my cart", tap("Stoneware mug"), "Put an item into my cart", "stoneware mug",
         PieceKind.OTHER),
        ("Set a focus timer", tap("Focus 25 min"), "Set a timer", "focus", PieceKind.OTHER),
        ("Find hotels in Porto for two", typed("Porto", "City"), "Find hotels for two", "Porto", PieceKind.PLACE),
        ("Fly from Brest to Lyon", typed("Brest", "From"), "Fly from a certain place to Lyon", "Brest",
         PieceKind.PLACE),
        ("Stop the music in 15 minutes", tap("15 minutes"), "Stop the music", "15 minutes", PieceKind.NUMBER),
        ("Make it sound right for jazz", Select("Jazz"), "Make it sound right", "jazz", PieceKind.OPTION),
        ("Turn on Do not disturb now", tap("Do not disturb"), "Turn on something now", "Do not disturb",
         PieceKind.OTHER),
        ("Open Podium and play", OpenApp("Podium"), "Open an app and play", "Podium", PieceKind.APP),
        ("Add Tokyo to my clocks", typed("Tok", "Search for a city"), "Add a certain place to my clocks", "Tokyo",
         PieceKind.PLACE),
        ("Call it “run up.” please", typed("run up", "Name"), "Call it something please", "run up", PieceKind.TEXT),
        ("In Porto, find hotels", typed("Porto", "City"), "Find hotels", "Porto", PieceKind.PLACE),
    ],
)  # fmt: skip
def test_a_value_goes_with_what_hangs_on_it(goal: str, action: Action, left: str, value: str, kind: PieceKind) -> None:
    made, piece = only(goal, action)
    assert (made, piece.value, piece.kind) == (left, value, kind)
    assert with_cuts(goal, piece.cuts) == made and piece.question.endswith("?")
    assert value.lower() in piece.answer.lower()


def test_the_question_is_named_by_the_words_of_the_field_or_of_the_goal() -> None:
    assert only("Call the alarm Airport", typed("Airport", "Alarm name"))[1].question == (
        "What should I enter for “Alarm name”?"
    )
    assert only("Find a reading lamp", typed("reading lamp", "Search the shop"))[1].question == (
        "What should I search for?"
    )
    assert only("Play my Late drive playlist", tap("Late drive"))[1].question == "Which playlist do you mean?"
    assert only("Rename it to Heron", typed("Heron", "Heron 6"))[1].question == "What should I enter?", (
        "the field's name would give it away"
    )


@pytest.mark.parametrize(
    ("goal", "action"),
    [
        ("Search for lamps", tap("Search")),
        ("Open the settings", tap("Settings")),
        ("Connect to the network", tap("Connect")),
        ("Go back", PressKey("back")),
        ("See what is below", Scroll(Direction.DOWN)),
        ("Buy a lamp", tap("Desk lamp with a shade")),
        ("Buy a lamp", typed("the")),
        ("Add a city to World Clock", OpenApp("Clock")),
        ("Tokyo", typed("Tokyo")),
        ("", tap("Anything")),
    ],
)
def test_steps_that_are_done_whatever_is_wanted_leave_nothing_out(goal: str, action: Action) -> None:
    made = RuleTaskMaker().make(episode(goal, action), (1, 2))
    assert [(draft.goal, draft.pieces) for draft in made.drafts] == [(goal, ()), (goal, ())]


def test_steps_that_need_the_same_words_have_one_question_at_the_first() -> None:
    steps = typed("mug"), tap("Stoneware mug"), typed("Porto", "City")
    made = RuleTaskMaker().make(episode("Send a stoneware mug to Porto", *steps), (1, 2, 3))
    one, two, three = made.drafts
    assert {piece.step for piece in two.pieces} == {0, 2} and len(one.pieces) == 1
    assert two.goal == "Send an item to a certain place" and three.pieces == ()
    assert [reading.role for reading in made.readings] == [StepRole.INFORMATIVE] * 3
    assert [reading.words for reading in made.readings] == ["stoneware mug", "stoneware mug", "Porto"]


def test_every_place_where_a_value_stands_is_cut() -> None:
    made, piece = only("Add Tokyo and call it Tokyo", typed("Tokyo", "City"))
    assert made == "Add a certain place and call it a certain place"
    assert piece.cuts == (Cut(4, 9, "a certain place"), Cut(22, 27, "a certain place"))


def test_what_is_left_out_hangs_on_seed_and_episode_and_grows() -> None:
    steps = typed("Ann", "Name"), typed("Porto", "City"), typed("Mug", "Article")
    whole = episode("Send the Mug to Ann in Porto", *steps)
    one, two = RuleTaskMaker().make(whole, (1, 2)).drafts
    assert {piece.value for piece in one.pieces} < {piece.value for piece in two.pieces}
    firsts = {RuleTaskMaker(seed).make(whole, (1,)).drafts[0].pieces[0].value for seed in range(20)}
    assert firsts == {"Ann", "Porto", "Mug"}
    assert RuleTaskMaker(3).version != RuleTaskMaker().version


WORDS = st.sampled_from(
    ["Set", "the", "a", "alarm", "for", "7:30", "in", "Porto", "that", "and", "Ann", "mug", ",", "15", "minutes", "to",
     "my", "Late", "drive", "list", "item", "something", "It's", "café", ":", "“x”", "May", "on", "is", "call"]
)  # fmt: skip
GOALS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Action]]:
    goal = draw(GOALS)
    words = goal.split()
    actions: list[Action] = []
    for _ in range(draw(st.integers(1, 3))):
        first = draw(st.integers(0, len(words) - 1))
        said = " ".join(words[first : first + draw(st.integers(1, 4))])
        made = (typed(said, "City"), typed(said), tap(said), Select(said), OpenApp(said))
        actions.append(draw(st.sampled_from(made)))
    return goal, actions


@given(cases())
@example(("that that Ann that", [typed("that Ann that")]))
@example(("item Ann to Ann item", [tap("Ann item"), tap("item Ann")]))
def test_the_value_is_gone_the_rest_stays_and_the_answer_gives_it_back(case: tuple[str, list[Action]]) -> None:
    goal, actions = case
    for draft in drafts(goal, *actions, removed=(1, 2, 3)):
        if not draft.pieces:
            assert draft.goal == goal
            continue
        assert len(draft.pieces) == draft.removed == len({piece.step for piece in draft.pieces})
        cuts = [cut for piece in draft.pieces for cut in piece.cuts]
        assert with_cuts(goal, cuts) == draft.goal
        parts = parts_of(goal, cuts)
        assert "".join(part.text for part in parts if part.state is not PartState.ADDED) == goal
        for piece in draft.pieces:
            value = plain_words(piece.value)
            assert holds(plain_words(draft.goal), value) < 0
            assert holds(plain_words(piece.answer), value) >= 0
            assert holds(plain_words(piece.question), value) < 0
            assert any(piece.value in goal[cut.start : cut.end] for cut in piece.cuts)
