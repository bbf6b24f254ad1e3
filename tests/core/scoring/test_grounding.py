"""`grounding`: hand-worked points and boxes, cells and averages, and the same numbers from records and from items."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Finish, FinishStatus, Tap, Target, Type
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.errors import UserError
from stepscope.core.scoring.grounding import GroundingScorer, MeantElement
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

SCORER = GroundingScorer()
SIZE = Size(200, 100)
BOX = [10, 20, 40, 60]


def record(prediction: Any, reference: Any = BOX, **more: Any) -> dict[str, Any]:
    return {"id": "a", "reference": reference, "prediction": prediction, **more}


def score(*records: dict[str, Any], edges: str = "inclusive", **how: Any) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, {"edges": edges}), **how)


@pytest.mark.parametrize(
    ("prediction", "inclusive", "strict"),
    [
        ([11, 21], 1, 1),
        ([10, 20], 1, 0),  # the corner
        ([40, 40], 1, 0),  # the edge
        ([9.9, 40], 0, 0),
        ([20, 60.5], 0, 0),
        ([0, 0, 30, 60], 1, 1),  # of a box its centre: (15, 30)
        ([0, 0, 10, 10], 0, 0),
        ("refuse", 0, 0),
        (None, 0, 0),
    ],
)
def test_points_by_hand(prediction: Any, inclusive: float, strict: float) -> None:
    assert score(record(prediction)).details[0]["score"] == inclusive
    assert score(record(prediction), edges="strict").details[0]["score"] == strict


def test_averages_by_hand() -> None:
    """Mobile text 2 of 3, desktop icon 0 of 1, refusals 1 of 2: micro 3 of 6, macro (2/3 + 0 + 1/2) / 3."""
    right, wrong = [20, 30], [0, 0]
    text, icon = {"platform": "mobile", "type": "text"}, {"platform": "desktop", "type": "icon"}
    found = score(
        record(right, **text), record(right, **text), record(None, **text), record(wrong, **icon),
        record("refuse", "refuse"), record(right, "refuse"), record(right, None),
    )  # fmt: skip
    values = found.metrics.as_dict()
    assert values["micro_accuracy"] == 0.5
    assert values["macro_accuracy"] == pytest.approx((2 / 3 + 0 + 1 / 2) / 3)
    assert (values["text_accuracy"], values["icon_accuracy"], values["refusal_accuracy"]) == (2 / 3, 0.0, 0.5)
    assert (values["mobile_accuracy"], values["desktop_accuracy"], values["web_accuracy"]) == (2 / 3, 0.0, None)
    assert (found.metrics.n, found.metrics.unscored, found.metrics.null) == (6, 1, 1)
    assert dict(found.metrics.counts)["text_accuracy"] == 3
    assert found.extra["by_cell"]["mobile text"] == {"n": 3, "accuracy": 2 / 3}
    assert found.details[6]["why"] == "The data does not say where the element is."


def test_nothing_scored_is_no_number() -> None:
    assert set(score().metrics.as_dict().values()) == {None}
    assert set(score(record([1, 1], None)).metrics.as_dict().values()) == {None}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prediction": [1]}, "prediction"),
        ({"prediction": "there"}, "prediction"),
        ({"reference": [1, 2]}, "reference"),
        ({"platform": "watch"}, "platform"),
        ({"type": "image"}, "type"),
        ({"prediction": [float("nan"), 1]}, "prediction"),
    ],
)
def test_bad_records_are_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        score(record([1, 1]) | change)


def item(meant: MeantElement, answer: ActionAnswer | None, edges: str = "inclusive") -> Any:
    status = PredictionStatus.OK if answer else PredictionStatus.MALFORMED
    return SCORER.score_item(meant, Prediction("e", 0, answer, status), {"edges": edges})


MEANT = MeantElement(Box(10, 20, 40, 60, SIZE), kind="icon")


def test_items_of_an_evaluation() -> None:
    def tapped(x: float, y: float, size: Size = SIZE) -> ActionAnswer:
        return ActionAnswer(Tap(Point(x, y, size)))

    assert item(MEANT, tapped(10, 20)).right and not item(MEANT, tapped(10, 20), "strict").right
    assert item(MEANT, tapped(20, 40, Size(400, 200))).right, "in pixels of a picture twice as large"
    assert item(MEANT, ActionAnswer(Tap(None, Target(Box(0, 0, 30, 60, SIZE))))).right, "of a box the centre"
    assert item(MEANT, tapped(50, 30)).why == "Outside the box, 10 px beside and 0 px above or below."
    assert not item(MEANT, ActionAnswer(Type("x"))).right
    assert item(MEANT, None).malformed
    refusal = ActionAnswer(Finish(FinishStatus.IMPOSSIBLE))
    assert not item(MEANT, refusal).right and item(MeantElement(None, refusal=True), refusal).right
    assert not item(MeantElement(None, refusal=True), ActionAnswer(Finish(FinishStatus.COMPLETE))).right
    assert item(MeantElement(None), tapped(1, 1)).value is None


@given(
    st.lists(
        st.tuples(st.sampled_from(["mobile", "desktop", "web"]), st.sampled_from(["text", "icon", ""]), st.booleans()),
        min_size=1, max_size=12,
    )
)  # fmt: skip
def test_records_and_items_give_the_same_metrics(several: list[tuple[str, str, bool]]) -> None:
    records, items = [], []
    for place, (surface, kind, right) in enumerate(several):
        at = [20, 30] if right else [0, 0]
        records.append(record(at, platform=surface, **({"type": kind} if kind else {})) | {"id": place})
        meant = MeantElement(Box(10, 20, 40, 60, SIZE), surface=surface, kind=kind)
        items.append(ScoredItem(str(place), 0, item(meant, ActionAnswer(Tap(Point(*at, SIZE))))))
    stored = step_metrics(SCORER, items, {"edges": "inclusive"})
    assert stored.as_dict() == pytest.approx(score(*records).metrics.as_dict(), nan_ok=True)
    assert stored.as_dict()["micro_accuracy"] == pytest.approx(sum(right for *_, right in several) / len(several))
