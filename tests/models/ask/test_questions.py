"""What is asked for, by kind and word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.questions import asked_about, few_choices, question_of, singular, vague_noun
from stepscope.models.ask.slots import SLOTS, VAGUE, VALUES, slot_of, wording_of
from stepscope.models.automation.tower_elements import ElementFeatures, seen_elements
from tests.models.automation.two_tower_data import row, screen


def listed(name: str, *titles: str) -> tuple[ElementFeatures, ...]:
    return seen_elements(screen(*(row(n, title, resource_id=f"x/{name}_{n}") for n, title in enumerate(titles))))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which note do you mean?", "item"),
        ("Can you say which mail it is about?", "item"),
        ("There are several. Which one is it?", "item"),
        ("How many minutes?", "number"),
        ("At what time should it ring?", "time"),
        ("How long should the cake bake?", "time"),
        ("On which day?", "date"),
        ("When is it due?", "date"),
        ("Who should get it?", "person"),
        ("Whose birthday is it?", "person"),
        ("Where shall I move it?", "place"),
        ("What should the alarm be called?", "name"),
        ("What should the message say?", "text"),
        ("What shall I search for?", "text"),
        ("Rock, jazz or flat?", "option"),
        ("What shall I do?", "action"),
        ("", "item"),
    ],
)
def test_kinds_of_what_questions_ask_for(question: str, kind: str) -> None:
    assert SLOTS[slot_of(question)] == kind


def test_what_the_wording_of_a_goal_tells() -> None:
    told = wording_of("Wake me at 6:45 on Monday and call the alarm “Dentist”")
    assert [told.values[VALUES.index(kind)] for kind in ("time", "date", "quoted")] == [1, 1, 1]
    assert not told.lacking[SLOTS.index("time")] and not told.lacking[SLOTS.index("name")]
    open_ = wording_of("Change the time of an event to another day")
    assert open_.lacking[SLOTS.index("time")] and open_.lacking[SLOTS.index("date")]
    assert [open_.vague[VAGUE.index(kind)] for kind in ("one", "another")] == [1, 1]


@pytest.mark.parametrize(
    ("goal", "noun"),
    [
        ("Move an event to another day", "event"),
        ("Tick one of my tasks off", "task"),
        ("Open that note", "note"),
        ("Delete one of the entries", "entry"),
        ("Set the alarm at some time, for a city", "city"),
        ("Turn it on", ""),
        ("", ""),
    ],
)
def test_the_thing_that_a_goal_is_vague_about(goal: str, noun: str) -> None:
    assert vague_noun(goal) == noun


def test_one_of_several() -> None:
    many = ("cities", "boxes", "notes", "classes", "bus", "gas", "address", "branches", "analysis")
    ones = ("city", "box", "note", "class", "bus", "gas", "address", "branch", "analysis")
    assert tuple(map(singular, many)) == ones


def test_what_the_screen_asks_about() -> None:
    field = row(3, "", resource_id="x/title_field", editable=True)
    cursor = row(4, "", resource_id="x/amount_field", editable=True, focused=True)
    titles = [row(n, name, resource_id=f"x/note_{n}") for n, name in enumerate(("Plum", "Lake", "Talk"))]
    seen = seen_elements(screen(*titles, field, cursor))
    assert asked_about(seen, "lock one of them") == "note"
    assert asked_about(seen, "lock plum") == "amount"
    assert asked_about((), "lock plum") == ""


def test_questions_by_kind() -> None:
    cities = listed("city", "Oslo", "Rome", "Bonn", "Graz", "Linz", "Pisa")

    def asked(kind: str, goal: str, elements: tuple[ElementFeatures, ...] = ()) -> str:
        return question_of(SLOTS.index(kind), elements, goal)

    assert asked("item", "show the time there", cities) == "Which city do you mean?"
    assert asked("item", "open a note", cities) == "Which note do you mean?", "the goal's word before the screen's"
    assert asked("item", "open it") == "Which one do you mean?"
    assert asked("name", "make a playlist") == "What should the playlist be called?"
    assert asked("time", "set an alarm") == "At what time?"
    assert asked("action", "") == QUESTION


def test_few_choices_are_told() -> None:
    sizes = listed("size", "Small", "Medium", "Large")
    assert few_choices(sizes, "another one") == ("Small", "Medium", "Large")
    assert few_choices(sizes, "the small one") == ()
    assert question_of(SLOTS.index("option"), sizes, "") == "Small, Medium or Large: which size would you like?"
    assert few_choices(listed("size", *["ab", "cd", "ef", "gh", "ij", "kl"]), "") == (), "too many"
    assert few_choices(listed("size", "a b c d", "e f g h", "i j k l"), "") == (), "too long"


@given(st.sampled_from(range(len(SLOTS))), st.text(max_size=80))
def test_any_goal_is_asked_about_in_one_sentence(slot: int, goal: str) -> None:
    question = question_of(slot, (), goal)
    assert question.endswith("?") and "{}" not in question and "\n" not in question
    wording = wording_of(goal)
    assert len(wording.values) == len(VALUES) and len(wording.lacking) == len(SLOTS)
