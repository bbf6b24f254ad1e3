"""A model that looks at the page again after its calls: what it is told, and when it ends."""

from __future__ import annotations

import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import UsageError
from stepscope.core.webtask.solving import Notes
from stepscope.models.chat.client import ServerError
from stepscope.models.webtask.layout import layout_of
from stepscope.models.webtask.page_settings import PageSettings, page_settings, set_name
from stepscope.models.webtask.solver import PageModel
from tests.core.webtask.fake import FakePage, field
from tests.models.webtask.talk import SHOWN, Says, page, request, said

THREE = PageSettings(rounds=3)


def solve(shown: FakePage, chat: Says, setting: PageSettings = THREE, *demos: object) -> Notes:
    return PageModel(chat, setting).solve(shown, shown.look(("good", "why")), request(*demos))  # type: ignore[arg-type]


def test_it_is_told_what_became_of_its_calls_and_how_the_page_stands() -> None:
    answers = (
        "modify_radio('good', '7')\nmodify_text('why', 'warm')\nclick(1, 2)", "modify_radio('good', '1')", "done",
    )  # fmt: skip
    shown, chat = page(), Says(*answers)
    notes = solve(shown, chat)
    assert shown.values == {"good": "1", "why": "warm"} and notes.status is PredictionStatus.OK
    assert tuple(one.output for one in notes.exchanges) == answers
    roles = [one["role"] for one in chat.heard[1]]
    assert roles == ["system", "user", "assistant", "user"]
    told = chat.texts(1)[-1]
    assert "modify_radio('good', '7') → failed: 'good' has no '7'." in told
    assert "modify_text('why', 'warm') → done" in told and "click(1, 2) → failed: click was not offered." in told
    assert "good: ''\nwhy: 'warm'" in told and "```html" in told and "the one word done" in told
    assert "```html" not in "".join(chat.texts(2)[:-1]), "the page as it was before is not sent again"
    assert chat.texts(2)[-1].startswith("What became of your calls:\nmodify_radio('good', '1') → done")


def test_one_round_is_asked_as_ever() -> None:
    chat = Says("modify_text('why', 'warm')")
    solve(page(), chat, PageSettings())
    assert len(chat.heard) == 1 and "done" not in chat.texts(0)[-1]


@pytest.mark.parametrize(
    ("answers", "rounds"),
    [
        (("done",), 1),  # nothing at all is no answer
        (("modify_text('why', 'a')", "I think that is all."), 2),
        (("modify_text('why', 'a')", "modify_text('why', 'a')", "modify_text('why', 'b')"), 2),  # the same again
        (
            (
                "modify_text('why', 'a')",
                "modify_text('why', 'b')",
                "modify_text('why', 'c')",
                "modify_text('why', 'd')",
            ),
            3,
        ),
    ],
)
def test_when_it_ends(answers: tuple[str, ...], rounds: int) -> None:
    chat = Says(*answers)
    notes = solve(page(), chat)
    assert len(chat.heard) == len(notes.exchanges) == rounds
    assert notes.status is (PredictionStatus.MALFORMED if answers == ("done",) else PredictionStatus.OK)


def test_a_server_that_fails_in_a_later_round_leaves_the_page_to_be_done_again() -> None:
    notes = solve(page(), Says("modify_text('why', 'a')", ServerError("gone")))
    assert notes.status is PredictionStatus.FAILED and "gone" in notes.why


def test_field_by_field_each_field_has_its_rounds() -> None:
    chat = Says("modify_radio('good', '1')", "done", "modify_text('why', 'warm')", "done")
    shown = page()
    solve(shown, chat, PageSettings(html="relevant", rounds=2))
    assert shown.values == {"good": "1", "why": "warm"} and len(chat.heard) == 4


def test_demonstrations_come_before_the_rounds() -> None:
    chat = Says("modify_text('why', 'a')", "done")
    solve(page(), chat, PageSettings(demos=1, rounds=2), SHOWN)
    assert [one["role"] for one in chat.heard[1]] == ["system", "user", "assistant", "user", "assistant", "user"]


SIZE = Size(400, 300)


def box(*edges: float) -> Box:
    return Box(*edges, SIZE)  # type: ignore[call-arg]


def test_a_layout_has_words_and_fields_with_their_places_in_reading_order() -> None:
    tree = UITree(
        (
            UIElement(0, box(0, 0, 400, 300), class_name="body"),
            UIElement(1, box(10, 100, 200, 120), 0, text="Why do  you\nthink so?", class_name="label"),
            UIElement(2, box(10, 10, 390, 40), 0, text="Rate the tea", class_name="h1"),
            UIElement(3, box(10, 130, 200, 160), 0, text="typed", class_name="textarea", editable=True),
            UIElement(4, box(300, 100, 380, 180), 0, content_description="a cup", class_name="img"),
        ),
        TreeOrigin.DOM,
        SIZE,
    )
    fields = [field("why", "textarea", box=box(10, 130, 200, 160), label="Why do you think so?"),
              field("good", "radio", ("0", "1"), label="Good?", box=box(10, 50, 60, 70)), field("gone")]  # fmt: skip
    assert layout_of(tree, fields).splitlines() == [
        "[10 10 390 40] Rate the tea",
        "[10 50 60 70] field good (radio), Good?, choices: 0 | 1",
        "[10 100 200 120] Why do you think so?",
        "[300 100 380 180] a cup",
        "[10 130 200 160] field why (textarea), Why do you think so?",
    ]


def test_a_layout_is_all_that_is_shown() -> None:
    shown = FakePage(field("good", "radio", ("0", "1"), box=box(10, 50, 60, 70)), field("why"), html="<p>secret</p>")
    chat = Says("modify_radio('good', '1')")
    solve(shown, chat, PageSettings(html="layout"))
    asked = chat.texts(0)[-1]
    assert "```layout\n[10 50 60 70] field good (radio), good, choices: 0 | 1\n```" in asked and "secret" not in asked
    assert shown.values["good"] == "1"


def test_settings_are_in_the_name_and_held_together() -> None:
    found = page_settings("page:lab/m", {"rounds": "4", "html": "layout"})
    assert (found.rounds, found.words) == (4, "layout, 4 rounds")
    assert set_name("page:lab/m", found) == "page:lab/m?html=layout&rounds=4"
    for bad in ({"rounds": "0"}, {"rounds": "11"}, {"html": "layout", "demos": "2"}):
        with pytest.raises(UsageError):
            page_settings("page:lab/m", bad)


def test_that_another_model_has_answered_is_said_once_whatever_came_of_it() -> None:
    changed = "The server answered as small; when this run began it was large."
    answers = said("modify_text('why', 'a')"), said("modify_text('why', 'b')", note=changed), said("x", note=changed)
    notes = solve(page(), Says(*answers))
    assert (notes.status, notes.why) == (PredictionStatus.OK, changed)
    nothing = solve(page(), Says(said("I cannot.", note=changed)))
    assert nothing.status is PredictionStatus.MALFORMED
    assert nothing.why == f"The answer holds no call of an action. {changed}"
