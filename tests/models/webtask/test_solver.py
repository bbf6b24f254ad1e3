"""A language model that fills in a page: what it is asked, what of its answer is done, and what is told of the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.progress import CancelToken
from stepscope.core.webtask.actions import Click, ModifyRadio, ScrollBy, TypeText, WaitTillLoaded
from stepscope.core.webtask.page import PageGone, PageLook
from stepscope.core.webtask.solving import Notes
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.client import ServerError
from stepscope.models.webtask.page_settings import PageSettings
from stepscope.models.webtask.shots import page_shot
from stepscope.models.webtask.solver import FIELD_TOKENS, PAGE_TOKENS, CallExecution, PageModel
from tests.core.webtask.fake import FakePage, field
from tests.models.webtask.talk import SHOWN, Says, page, request, said

ANSWER = "self.actions.modify_radio('good', '1')\nself.actions.modify_text('why', \"It's warm\")"
FIELD = PageSettings(html="relevant")


def solve(shown: FakePage, chat: Says, setting: PageSettings | None = None, *demos: object) -> Notes:
    model = PageModel(chat, setting or PageSettings())
    return model.solve(shown, shown.look(("good", "why")), request(*demos))  # type: ignore[arg-type]


def test_one_question_about_the_whole_page_fills_it_in() -> None:
    shown, chat = page(), Says(said(ANSWER, tokens_in=90, tokens_out=20, ms=5.0))
    notes = solve(shown, chat)
    assert shown.values == {"good": "1", "why": "It's warm"}
    assert (notes.status, notes.why, notes.kept_back) == (PredictionStatus.OK, "", ())
    (exchange,) = notes.exchanges
    assert (exchange.output, exchange.field, exchange.tokens_in, exchange.tokens_out) == (ANSWER, "", 90, 20)
    assert (exchange.cut, exchange.ms, exchange.demos) == (0, 5.0, 0)
    assert [one.raw for one in shown.log] == ["", *ANSWER.splitlines()]
    assert len(chat.heard) == 1 and chat.most == [PAGE_TOKENS]


def test_with_relevant_parts_each_field_has_a_question() -> None:
    shown = page()
    chat = Says("modify_radio('good', '1')", "```python\nmodify_text('why', 'warm')\n```")
    notes = solve(shown, chat, FIELD)
    assert shown.values == {"good": "1", "why": "warm"}
    assert [one.field for one in notes.exchanges] == ["good", "why"]
    assert [texts[-1].rpartition("\n\n")[2] for texts in (chat.texts(0), chat.texts(1))] == [
        "Fill in this field and no other: good (radio)",
        "Fill in this field and no other: why (textarea)",
    ]
    assert chat.most == [FIELD_TOKENS, FIELD_TOKENS]


def test_how_it_is_asked_can_be_set_apart_from_what_it_sees() -> None:
    once, each = Says(ANSWER), Says(ANSWER)
    solve(page(), once, replace(FIELD, asked="page"))
    solve(page(), each, PageSettings(asked="field"))
    assert (len(once.heard), len(each.heard)) == (1, 2)


def test_what_must_not_be_done_is_kept_back_and_the_rest_is_done() -> None:
    shown = FakePage(field("good", "radio", ("0", "1")), field("why"), field("secret", value="x"), html="<p>")
    notes = solve(
        shown, Says(f"modify_text('secret', 'y')\nclick(1, 2)\nget_html()\n{ANSWER}\nmodify_text('none', 'z')")
    )
    assert shown.values == {"good": "1", "why": "It's warm", "secret": "x"}
    assert [(one.action.name, one.ok, one.said) for one in notes.kept_back] == [
        ("modify_text", False, "secret is none of the fields that are asked for."),
        ("click", False, "click was not offered."),
        ("get_html", False, "get_html was not offered."),
        ("modify_text", False, "none is none of the fields that are asked for."),
    ]
    assert notes.kept_back[1].raw == "click(1, 2)" and notes.status is PredictionStatus.OK
    asked = solve(
        page(), Says("modify_text('why', 'early')\nmodify_radio('good', '0')", "modify_text('why', 'late')"), FIELD
    )
    assert [one.said for one in asked.kept_back] == ["Only good was asked for."]


def test_a_call_that_fails_costs_only_itself() -> None:
    shown = page()
    notes = solve(shown, Says("modify_radio('good', '7')\nmodify_text('why', 'warm')"))
    assert shown.values == {"good": "", "why": "warm"} and notes.status is PredictionStatus.OK
    assert [(one.ok, one.said) for one in shown.log][1] == (False, "'good' has no '7'.")


def test_too_many_calls_are_not_all_done() -> None:
    notes = solve(shown := page(), Says("\n".join(f"modify_text('why', '{n}')" for n in range(302))))
    assert shown.values["why"] == "299"
    assert [one.said for one in notes.kept_back] == ["It is one call too many."] * 2


def test_a_page_is_not_waited_for_without_end() -> None:
    shown = page()
    CallExecution(shown, ["good"], [WaitTillLoaded]).do(
        [(WaitTillLoaded("good", 5.0), ""), (WaitTillLoaded("good", 1e9), "")]
    )
    assert [one.action for one in shown.log] == [WaitTillLoaded("good", 5.0), WaitTillLoaded("good", 30.0)]


@pytest.mark.parametrize(
    ("answer", "status", "why"),
    [
        ("I think it is good.", "malformed", "The answer holds no call of an action."),
        ("<think>modify_text('why', 'a')</think>", "malformed", "The answer holds no call of an action."),
        ("modify_text(why", "malformed", "The answer holds no call of an action. Line 1"),
        (
            ChatAnswer(PredictionStatus.REFUSED, why="The model refused: no", raw="no"),
            "refused",
            "The model refused: no",
        ),
        (ChatAnswer(PredictionStatus.EMPTY, why="The model said nothing."), "empty", "The model said nothing."),
        (ChatAnswer(PredictionStatus.MALFORMED, why="no JSON", raw="<"), "malformed", "no JSON"),
        (
            ChatAnswer(PredictionStatus.MALFORMED, why="cut off", raw="modify_text('wh", unended=True),
            "malformed",
            "cut off",
        ),
        (ServerError("lab broke (500)."), "failed", "lab broke (500)."),
    ],
)
@pytest.mark.parametrize("setting", [PageSettings(), FIELD])
def test_answers_that_are_none(answer: ChatAnswer | str, status: str, why: str, setting: PageSettings) -> None:
    shown = page()
    notes = solve(shown, chat := Says(answer), setting)
    assert notes.status == status and notes.why.startswith(why)
    assert shown.values == {"good": "", "why": ""}
    assert len(chat.heard) == len(notes.exchanges) == (2 if setting is FIELD and status != "failed" else 1)


def test_an_answer_that_was_cut_off_counts_as_far_as_it_came() -> None:
    raw = "modify_radio('good', '1')\nmodify_text('why', 'It is so very"
    notes = solve(shown := page(), Says(ChatAnswer(PredictionStatus.MALFORMED, why="cut off", raw=raw, unended=True)))
    assert notes.status is PredictionStatus.OK and shown.values == {"good": "1", "why": ""}


def test_a_page_is_as_good_as_its_best_answer_unless_the_server_failed() -> None:
    refused = ChatAnswer(PredictionStatus.REFUSED, why="no")
    assert solve(page(), Says(refused, "modify_text('why', 'a')"), FIELD).status is PredictionStatus.OK
    gone = solve(page(), Says("modify_radio('good', '1')", ServerError("gone")), FIELD)
    assert (gone.status, gone.why, len(gone.exchanges)) == (PredictionStatus.FAILED, "gone", 2)


def test_a_page_without_the_tasks_fields_is_not_asked_about() -> None:
    for setting in (PageSettings(), FIELD):
        notes = solve(FakePage(field("other")), chat := Says("x"), setting)
        assert notes == Notes() and chat.heard == []


def test_a_page_that_hangs_leaves_what_was_said_before() -> None:
    shown = page(hang=("modify_text",))
    notes = solve(shown, Says("modify_radio('good', '1')", ANSWER.splitlines()[1]), FIELD)
    assert notes.status is PredictionStatus.FAILED and "did not answer" in notes.why
    assert [one.field for one in notes.exchanges] == ["good", "why"]
    with pytest.raises(PageGone):
        shown.look()


def test_half_a_letter_in_a_page_does_no_harm() -> None:
    chat = Says(ANSWER)
    assert solve(page(html="<p>\ud83d</p>"), chat).status is PredictionStatus.OK
    "".join(chat.texts()).encode()


def test_a_page_that_is_too_long_is_cut_around_its_fields() -> None:
    """Of 1,000 tokens 250 are the answer's; the words around the page take less than 450."""
    filler = "\n".join(f"<p>{n} of a long story that is told in great breadth and at length</p>" for n in range(400))
    shown, chat = page(html=f"{filler}\n<textarea name=why></textarea>\n{filler}"), Says(ANSWER)
    notes = solve(shown, chat, PageSettings(context=1000))
    text = "".join(chat.texts())
    assert "<textarea name=why>" in text and len(text) <= 4 * 750 and chat.most == [250]
    assert notes.exchanges[0].cut > 10_000
    assert shown.values["why"] == "It's warm"


def test_demonstrations_go_before_the_page_is_cut() -> None:
    both, chat = (SHOWN, replace(SHOWN, instance="Scarf/1")), Says(ANSWER)
    found = []
    for context in range(1200, 200, -10):
        (one,) = solve(page(), chat, PageSettings(demos=2, context=context), *both).exchanges
        assert [message["role"] for message in chat.heard[-1]] == ["system", *["user", "assistant"] * one.demos, "user"]
        found.append((one.demos, one.cut > 0))
    assert list(dict.fromkeys(found)) == [(2, False), (1, False), (0, False), (0, True)]


def test_a_server_that_finds_it_too_long_is_shown_less() -> None:
    long = ServerError("lab did not take the request (400).", too_long=True)
    filler = "\n".join(f"<p>{n} of a story</p>" for n in range(4000))
    chat = Says(long, long, ANSWER)
    notes = solve(page(html=f"{filler}\n<textarea name=why></textarea>"), chat, PageSettings(context=8000))
    first, second, third = (len("".join(chat.texts(place))) for place in range(3))
    assert first > second > third and notes.status is PredictionStatus.OK and len(notes.exchanges) == 1
    never = solve(page(), chat := Says(long))
    assert never.status is PredictionStatus.FAILED and len(chat.heard) == 3


class LongPage(FakePage):
    """1,280 × 2,000 pixels of which 800 are seen; its pictures are one pixel large."""

    def __init__(self) -> None:
        super().__init__(
            field("good", "radio", ("0", "1")), field("why", "textarea"), html="<p>", size=Size(1280, 2000)
        )
        self.top = 0.0

    def look(self, names: object = None) -> PageLook:
        return replace(super().look(names), scroll=Point(0, self.top, self._size))  # type: ignore[arg-type]

    def _done(self, action: object) -> object:
        if isinstance(action, ScrollBy):
            self.top = max(0.0, min(1200.0, self.top + action.y))
        return super()._done(action)  # type: ignore[arg-type]


def test_with_pictures_places_of_the_picture_become_places_on_the_screen() -> None:
    shown, chat = LongPage(), Says("click(0.5, 0.1)\nclick(0.5, 0.9)\ntype('hello')\nmodify_radio('good', '1')")
    notes = solve(shown, chat, PageSettings(vision=True))
    assert [one.action for one in shown.log[2:]] == [
        Click(640, 200),
        ScrollBy(0, 1400),
        Click(640, 600),  # the page ends: 1,800 of its pixels are at 600 of the screen
        TypeText("hello"),
        ModifyRadio("good", "1"),
    ]
    assert {one.raw for one in shown.log[3:5]} == {"click(0.5, 0.9)"} and notes.kept_back == ()
    (_, user) = chat.heard[0]
    assert user["content"][1]["image_url"]["url"].startswith("data:image/jpeg;base64,/9j/")
    assert user["content"][0]["text"].endswith("The picture shows the whole page, 1 × 1 pixels.")
    assert "self.actions.click(x, y)" in chat.heard[0][0]["content"]


def test_a_click_beyond_any_page_is_kept_back() -> None:
    shown = page()
    doing = CallExecution(shown, [], [Click])
    doing.do([(Click(1e308, 5), ""), (Click(5, -1e308), ""), (Click(0, 0), "")], shot=page_shot(shown))
    assert [one.said for one in doing.kept_back] == ["There is no such place in the picture."] * 2
    assert shown.log[-1].action == Click(0, 0)


def test_with_relevant_parts_the_picture_is_of_the_screen_around_the_field() -> None:
    shown, chat = page(), Says("click(0, 0)")
    solve(shown, chat, replace(FIELD, vision=True))
    assert [one.action.name for one in shown.log[:4]] == ["scroll_to", "capture_screen", "get_html", "click"]
    assert "shows the part of the page around the field" in chat.texts(0)[1]


def test_without_a_picture_nothing_can_be_clicked() -> None:
    notes = solve(page(hang=()), Says("click(1, 1)\nmodify_text('why', 'a')"), PageSettings(vision=False))
    assert [one.said for one in notes.kept_back] == ["click was not offered."]


def test_it_heeds_the_runs_token() -> None:
    chat, token = Says("x"), CancelToken()
    PageModel(chat, PageSettings()).set_token(token)
    assert chat.tokens == [token]


@settings(max_examples=settings().max_examples * 2, deadline=None)
@given(
    st.text(max_size=300) | st.lists(st.sampled_from([*ANSWER.split("'"), "(", "\n", "click", "1e999"])).map("".join)
)
def test_whatever_a_model_says_nothing_breaks(text: str) -> None:
    for setting in (PageSettings(vision=True), FIELD):
        notes = solve(page(), Says(text), setting)
        assert notes.status in (PredictionStatus.OK, PredictionStatus.MALFORMED) and notes.exchanges
