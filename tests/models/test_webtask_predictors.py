"""The ends of the scale on web tasks and chance between them, on pages in memory."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from stepscope.core.domain.prediction import PredictionStatus, Task
from stepscope.core.domain.webtask import FieldType, WebField, WebTask
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.webtask.actions import ModifyText, ScrollTo, WaitTillLoaded
from stepscope.core.webtask.filling import best_answers
from stepscope.core.webtask.page import PageError
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.models.registry import load, registry
from stepscope.models.webtask.bounds import UnchangedPage, WorkerAnswerOracle
from stepscope.models.webtask.random_fields import FillByChance, ends_of, words_of
from tests.core.webtask.fake import FakePage, field

FIELDS = (
    WebField("good", FieldType.RADIO),
    WebField("why", FieldType.TEXTAREA),
    WebField("boxes", FieldType.CHECKBOX),
    WebField("much", FieldType.RANGE),
    WebField("kind", FieldType.SELECT),
    WebField("seen", FieldType.HIDDEN),
)
TASK = WebTask("Rate", "Rate it", "", "", (), FIELDS)
ANSWERS: tuple[dict[str, str], ...] = (
    {"good": "0", "boxes": "a|b", "much": "0", "kind": "y", "seen": "1"},
    {"good": "1", "why": "nice", "boxes": "b", "much": "6", "kind": "y", "seen": "1"},
    {"good": "1", "why": "good", "much": "10", "kind": "x", "seen": "1"},
)
HTML = """<title>Rate</title><script>var hidden = 1;</script><p>Two <b>little</b> words<!-- none --></p>
<input type="range" name="much" min="-5" max="5"><input type="range" name="open">"""


def request(reference: Any = None, number: int = 0) -> FieldsRequest:
    return FieldsRequest(f"Rate/{number}", TASK, {}, reference)


def page(cls: type[FakePage] = FakePage, **more: Any) -> FakePage:
    return cls(
        field("good", "radio", ["0", "1"]),
        field("why", "textarea", value="a draft"),
        field("boxes", "checkbox", ["a", "b", "c"], value="c"),
        field("much", "range", value="50"),
        field("kind", "select", ["x", "y"], value="x"),
        field("seen", "hidden"),
        **more,
    )


def solved(solver: Any, reference: Any = None, shown: FakePage | None = None, number: int = 0) -> FakePage:
    shown = shown or page()
    assert solver.solve(shown, shown.look([one.name for one in FIELDS]), request(reference, number)).status == "ok"
    return shown


def test_doing_nothing_leaves_the_page_as_it_loads() -> None:
    left = solved(UnchangedPage(), ANSWERS)
    assert left.values == page().values and left.log == ()


def test_the_oracle_takes_the_vote_the_first_text_and_the_number_in_the_middle() -> None:
    left = solved(WorkerAnswerOracle(), ANSWERS)
    # Ranges over 10: 0 is off by 16/3, 6 by 10/3, 10 by 14/3.
    wanted = {"good": "1", "why": "nice", "boxes": "a|b", "much": "6", "kind": "y", "seen": "1"}
    assert left.values == wanted == best_answers(FIELDS, ANSWERS)
    first = [one.action for one in left.log[:3]]
    assert first[:2] == [WaitTillLoaded("good"), ScrollTo("good")] and all(one.ok for one in left.log)


def test_without_answers_the_oracle_has_nothing_to_copy() -> None:
    shown = page()
    found = WorkerAnswerOracle().solve(shown, shown.look(), request())
    assert found.status is PredictionStatus.MALFORMED and shown.log == ()


class Stubborn(FakePage):
    """Takes "good" as text once the radio button is chosen, and lines only without a break."""

    def do(self, action: Any, *, raw: str = "") -> Any:
        if isinstance(action, ModifyText) and action.field == "why":
            if not self.values["good"]:
                raise PageError("The field is disabled.")
            action = ModifyText("why", action.text.replace("\n", ""))
        return super().do(action, raw=raw)


def test_what_a_page_does_not_take_is_tried_again_and_then_the_next_best() -> None:
    answers = ({"good": "1", "why": "one\ntwo"}, {"good": "1", "why": "nice"})
    fields = (FIELDS[1], FIELDS[0])
    shown = page(Stubborn)
    asked = FieldsRequest("Rate/0", WebTask("Rate", "", "", "", (), fields), {}, answers)
    WorkerAnswerOracle(scrolls=False).solve(shown, shown.look(["why", "good"]), asked)
    assert (shown.values["good"], shown.values["why"]) == ("1", "nice")


def test_what_the_oracle_cannot_put_into_a_page_it_leaves() -> None:
    unknown = ({"good": "7", "much": "a lot"},)
    left = solved(WorkerAnswerOracle(), unknown)
    assert (left.values["good"], left.values["much"]) == ("", "50")
    assert "much" not in [getattr(one.action, "field", None) for one in left.log]


def test_chance_chooses_evenly_and_the_same_again() -> None:
    drawn = [solved(FillByChance(3), shown=page(html=HTML), number=number).values for number in range(200)]
    again = [solved(FillByChance(3), shown=page(html=HTML), number=number).values for number in range(200)]
    other = [solved(FillByChance(4), shown=page(html=HTML), number=number).values for number in range(200)]
    assert drawn == again != other
    for name, share in (("good", 1 / 2), ("kind", 1 / 2)):
        counts = Counter(values[name] for values in drawn)
        assert len(counts) == 2 and all(abs(count / 200 - share) < 0.12 for count in counts.values())
    assert len({values["boxes"] for values in drawn}) == 8, "every set of three boxes"
    assert {values["why"] for values in drawn} == {"Rate", "Two", "little", "words"}
    much = sorted(float(values["much"]) for values in drawn)
    assert -5 <= much[0] < -4 and 4 < much[-1] <= 5 and max(b - a for a, b in pairwise(much)) < 1


def test_words_and_ends_are_read_from_the_page() -> None:
    assert words_of(HTML) == ["Rate", "Two", "little", "words"]
    assert (ends_of(HTML, "much"), ends_of(HTML, "open"), ends_of(HTML, "none")) == ((-5, 5), (0, 100), (0, 100))
    assert (words_of(""), ends_of("", "much")) == ((), (0, 100))
    assert (
        ends_of('<input name="a" min="7" max="3">', "a") == (7, 7) and ends_of('<input name="a" min="b">', "a")[0] == 0
    )


@pytest.mark.parametrize("name", ["do-nothing", "oracle", "random-fields"])
def test_they_are_models_of_web_tasks(name: str) -> None:
    found = registry(()).models[name].info
    assert found.task is Task.WEBTASK and found.batches and found.stand_in
    assert found.needs_reference == (name == "oracle")
    predictor = load(name, seed=3)
    assert isinstance(predictor, PagePredictor) and predictor.fingerprint == ""
