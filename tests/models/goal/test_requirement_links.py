"""Requirements and the steps that support or contradict them, each case worked out by hand."""

from __future__ import annotations

import pytest

from stepscope.core.domain.action import Action, Finish, OpenApp, Select, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.goal.judges.named_values import is_value_alone, values_of
from stepscope.models.goal.judges.requirement_links import LinkMark, RequirementLink, link_of
from stepscope.models.goal.judges.step_evidence import EvidenceKind, evidence_of

SIZE = Size(90, 160)


def screen(*texts: str, **first: bool) -> Observation:
    """A screen with a text every 20 pixels; `first` are flags of the first element."""
    elements = tuple(
        UIElement(n, row(n), text=text, clickable=True, **(first if n == 0 else {})) for n, text in enumerate(texts)
    )
    return Observation(SIZE, None, UITree(elements, TreeOrigin.VIEW_HIERARCHY, SIZE))


def row(number: int) -> Box:
    return Box(0, 20 * number, 90, 20 * number + 18, SIZE)


def tap(number: int) -> Tap:
    return Tap(Point(40, 20 * number + 9, SIZE))


def typed(text: str, number: int = 0) -> Type:
    return Type(text, target=Target(row(number), ""))


def linked(requirement: str, description: str, *steps: tuple[Observation, Action | None]) -> RequirementLink:
    seen, actions = zip(*steps, strict=True)
    request = EpisodeRequest("e", None, Platform.ANDROID, tuple(seen), tuple(actions))
    return link_of(requirement, description, evidence_of(request))


def told(found: RequirementLink) -> tuple[str, list[tuple[int, str, str]]]:
    return found.mark.value, [(one.place, one.kind.value, one.words) for one in found.evidence]


FORM = screen("City or postcode", "Search", "Large", "Small")


def test_what_was_typed_supports_with_the_place_of_its_field() -> None:
    found = linked("postcode 90038", "Find a shop near 90038", (FORM, typed("90038")), (FORM, None))
    assert told(found) == ("supported", [(0, "typed", "90038")]), "the field itself says postcode"
    assert found.evidence[0].box == row(0)


def test_another_postcode_contradicts_and_a_count_does_not() -> None:
    steps = (FORM, typed("2")), (FORM, typed("95050"))
    assert told(linked("near 90038", "A shop near 90038", *steps)) == ("contradicted", [(1, "typed", "95050")])
    assert told(linked("near 90038", "A shop near 90038", steps[0])) == ("nothing", [])


def test_what_was_typed_over_in_the_same_field_does_not_count() -> None:
    first, other = (FORM, typed("90038")), (FORM, typed("95050"))
    assert linked("near 90038", "A shop near 90038", first, other).mark is LinkMark.CONTRADICTED
    found = linked("postcode 95050", "A shop near 95050", first, other)
    assert told(found) == ("supported", [(1, "typed", "95050")])
    elsewhere = (FORM, typed("95050", 1))
    assert linked("postcode 90038", "A shop near 90038", first, elsewhere).mark is LinkMark.SUPPORTED


def test_a_chosen_option_and_a_touched_name_contradict_where_the_description_does_not_name_them() -> None:
    chosen = (FORM, Select("Large", target=Target(row(2), "Size")))
    assert told(linked("small", "A small coffee", chosen)) == ("contradicted", [(0, "chosen", "Large")])
    assert told(linked("small", "A small coffee", (FORM, tap(2)))) == ("contradicted", [(0, "touched", "Large")])
    assert linked("small", "A small and a large coffee", (FORM, tap(2))).mark is LinkMark.SUPPORTED, "it is shown"
    long = screen("Large print atlas")
    assert linked("small", "A small coffee", (long, tap(0))).mark is LinkMark.NOTHING, "no value alone"


@pytest.mark.parametrize(
    ("wanted", "done", "mark"),
    [
        ("at 6:30 pm", "18:30", "nothing"),  # equal, so no contradiction; its words are others
        ("at 6:30", "7:30", "contradicted"),
        ("by 10%", "20%", "contradicted"),
        ("two tickets", "3", "contradicted"),
        ("two tickets", "2 tickets", "supported"),
        ("on Monday", "Tuesday", "contradicted"),
        ("kettle", "a teapot", "nothing"),
    ],
)
def test_values_of_one_kind_that_differ_contradict(wanted: str, done: str, mark: str) -> None:
    assert linked(wanted, wanted, (screen("Field"), typed(done))).mark == mark


def test_what_is_only_shown_supports_on_every_screen_that_shows_it_and_less_than_what_was_done() -> None:
    list_, page = screen("Blue kettle", "Red kettle"), screen("Blue kettle", "Add to cart")
    found = linked("blue kettle", "Buy a blue kettle", (list_, tap(1)), (page, None))
    assert told(found) == ("supported", [(0, "touched", "Red kettle")]), "the screen has the other word"
    found = linked("blue kettle", "Buy a blue kettle", (page, tap(1)), (page, None))
    assert told(found) == ("supported", [(0, "shown", "Blue kettle"), (1, "shown", "Blue kettle")])
    found = linked("blue kettle", "Buy a blue kettle", (list_, tap(0)), (page, None))
    assert told(found) == ("supported", [(0, "touched", "Blue kettle")]), "all of it was touched"


def test_a_text_without_a_place_belongs_to_the_field_with_the_focus_else_to_the_only_one() -> None:
    only = screen("Search here", "Cancel", editable=True)
    (found,) = linked("kettle", "A kettle", (only, Type("kettle"))).evidence
    assert found.box == row(0)
    assert told(linked("search", "…", (only, Type("kettle")))) == ("supported", [(0, "field", "Search here")])
    (found,) = linked("kettle", "A kettle", (FORM, Type("kettle"))).evidence
    assert found.box is None, "no field is known"


def test_what_stood_in_a_field_before_is_no_value() -> None:
    filled = screen("95050", "Search", editable=True)
    found = linked("postcode 95050", "A shop near 95050", (filled, typed("90038")))
    assert told(found) == ("contradicted", [(0, "typed", "90038")])


def test_the_name_of_the_app_is_shown_at_the_first_step() -> None:
    request = EpisodeRequest("e", None, Platform.ANDROID, (FORM, FORM), (tap(1), None), "org.example.clock")
    found = link_of("in the Clock app", "Set a timer in the Clock app", evidence_of(request))
    assert told(found) == ("supported", [(0, "app", "clock")])


def test_an_act_is_supported_by_what_names_it() -> None:
    page = screen("Blue kettle", "Add to cart")
    assert told(linked("act: buy", "Buy it", (page, tap(1)))) == ("supported", [(0, "touched", "Add to cart")])
    assert linked("act: send", "Send it", (page, tap(1))).mark is LinkMark.NOTHING
    assert told(linked("open it", "Open it", (page, OpenApp("Clock")))) == ("supported", [(0, "opened", "Clock")])
    assert linked("act: do", "Kettles", (page, tap(1))).mark is LinkMark.NOTHING, "no act at all"


def test_a_switch_goes_on_or_off_and_the_last_touch_counts() -> None:
    off, on = (screen("Bluetooth", checkable=True, checked=state) for state in (False, True))
    assert linked("turn Bluetooth on", "…", (off, tap(0))).mark is LinkMark.SUPPORTED
    assert linked("turn Bluetooth off", "…", (off, tap(0))).mark is LinkMark.CONTRADICTED
    found = linked("state: on", "Turn on Bluetooth", (off, tap(0)), (on, tap(0)))
    assert told(found) == ("contradicted", [(1, "touched", "Bluetooth")])
    assert linked("state: on", "Turn on location", (off, tap(0))).mark is LinkMark.NOTHING, "another switch"
    said = linked("state: off", "Disable Bluetooth", (screen("Turn off Bluetooth"), tap(0)))
    assert told(said) == ("supported", [(0, "touched", "Turn off Bluetooth")])
    assert linked("a course on Monday", "…", (screen("Course", "Monday"), tap(1))).mark is LinkMark.SUPPORTED


def test_passwords_are_no_evidence_and_the_mark_of_the_end_is_left_out() -> None:
    secret = screen("hunter22", editable=True, password=True, focused=True)
    request = EpisodeRequest(
        "e", None, Platform.ANDROID, (secret, secret), (Type("hunter22"), Finish()), words=("", "in words")
    )
    found = evidence_of(request)
    assert "hunter22" not in {one.words for one in found}
    assert [(one.place, one.kind) for one in found] == [(1, EvidenceKind.SHOWN)] and found[0].words == "in words"


def test_values_are_told_apart_by_kind() -> None:
    kinds = {text: [value.kind for value in values_of(text)] for text in ("8 pm", "1,013", "79.00", "1.5", "90038")}
    assert kinds == {
        "8 pm": ["time"], "1,013": ["number of 4 digits"], "79.00": ["number"], "1.5": ["decimal"],
        "90038": ["number of 5 digits"],
    }  # fmt: skip
    assert values_of("it may be one") == () and [value.kind for value in values_of("in May")] == ["month"]
    assert values_of("gray") == values_of("grey") and not values_of("A4")
    assert is_value_alone("White") and is_value_alone("8:00 PM") and not is_value_alone("White rice")
