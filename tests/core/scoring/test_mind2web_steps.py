"""`mind2web` as judge of the steps of an evaluation."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Finish,
    Hover,
    PressKey,
    Scroll,
    Select,
    Tap,
    Target,
    Type,
    action_point,
    action_target,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import EpisodeSummary, Observation, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring.mind2web import Mind2WebScorer
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.sources.mind2web import open_mind2web
from stepscope.core.sources.seeact import open_seeact

SCORER = Mind2WebScorer()
METRICS = SCORER.info.metrics

SIZE = Size(1280, 2400)
FORM, FIELD, BUTTON, LABEL, LINK = range(5)


def box(left: float, top: float, right: float, bottom: float) -> Box:
    return Box(left, top, right, bottom, SIZE)


def at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


def page(origin: TreeOrigin = TreeOrigin.DOM, **ids: str) -> UITree:
    """A form with a field and a button, the button's words and a little link on its edge inside it."""
    return UITree(
        (
            UIElement(FORM, box(100, 200, 1000, 500), -1, 0, resource_id="3"),
            UIElement(FIELD, box(110, 210, 510, 250), FORM, 1, resource_id="5", editable=True),
            UIElement(BUTTON, box(520, 210, 700, 270), FORM, 1, resource_id=ids.get("button", "6"), clickable=True),
            UIElement(LABEL, box(540, 220, 660, 260), BUTTON, 2, resource_id=ids.get("label", "7")),
            UIElement(LINK, box(680, 210, 700, 230), BUTTON, 2, resource_id="8", clickable=True),
        ),
        origin,
        SIZE,
    )


SEEN = Observation(SIZE, tree=page())
ON_BUTTON = Target(box(520, 210, 700, 270), "Find a room", "6")
ON_FIELD = Target(box(110, 210, 510, 250), "City", "5")
CLICKED = Tap(at(610, 240), ON_BUTTON)
TYPED = Type("Ulm Hbf", at(310, 230), ON_FIELD)


def named(identity: str | None, point: Point | None = None) -> Tap:
    return Tap(point, Target(None, "", identity))


def judged(reference: Action | None, answer: Action | None, seen: Observation = SEEN, **options: str) -> Score:
    predicted = Prediction("e", 0, ActionAnswer(answer)) if answer else Prediction("e", 0, None, PredictionStatus.EMPTY)
    return SCORER.score_step(Step(0, seen, reference), predicted, parse_options(SCORER.info, options))


@pytest.mark.parametrize(
    ("reference", "answer", "element", "f1", "why"),
    [
        (CLICKED, named("6"), 1, 1, "Element 6. Operation right."),
        (CLICKED, CLICKED, 1, 1, "Element 6. Operation right."),
        (CLICKED, named("6", at(310, 230)), 1, 1, "Element 6. Operation right."),  # the named one, not the point
        (CLICKED, named("5"), 0, 1, "Element differs: 5, reference 6. Operation right."),
        (CLICKED, Hover(None, Target(None, "", "6")), 1, 1, "Element 6. Operation right."),
        (Hover(at(610, 240), ON_BUTTON), named("6"), 1, 1, "Element 6. Operation right."),
        (CLICKED, DoubleTap(at(610, 240)), 1, 0, "Element 6. Operation F1 0: 'DOUBLE_TAP', reference 'CLICK'."),
        (CLICKED, Type("x", None, ON_BUTTON), 1, 0, "Element 6. Operation F1 0: 'TYPE x', reference 'CLICK'."),
        (TYPED, Type("Ulm", None, ON_FIELD), 1, 0.8,
         "Element 5. Operation F1 0.8: 'TYPE Ulm', reference 'TYPE Ulm Hbf'."),
        (TYPED, Type("Hbf Ulm", at(310, 230)), 1, 1, "Element 5. Operation right."),
        (TYPED, Select("Ulm Hbf", at(1, 1), ON_FIELD), 1, 2 / 3,
         "Element 5. Operation F1 0.67: 'SELECT Ulm Hbf', reference 'TYPE Ulm Hbf'."),
        (Select("2 adults", at(310, 230), ON_FIELD), Select("2 adults", None, ON_FIELD), 1, 1,
         "Element 5. Operation right."),
        (TYPED, Type("Ulm Hbf"), 0, 0, "No element chosen: type."),
        (CLICKED, PressKey("enter"), 0, 0, "No element chosen: press_key enter."),
        (CLICKED, Finish(), 0, 0, "No element chosen: finish complete."),
        (CLICKED, Scroll(Direction.DOWN), 0, 0, "No element chosen: scroll."),
        (CLICKED, named(None), 0, 0, "No element chosen: tap."),
    ],
)  # fmt: skip
def test_a_step_is_judged_by_element_and_operation(
    reference: Action, answer: Action, element: float, f1: float, why: str
) -> None:
    found = judged(reference, answer)
    assert dict(found.parts) == pytest.approx({"element": element, "f1": f1})
    assert (found.value, found.why, found.malformed) == (float(element == 1 and f1 == 1), why, False)


@pytest.mark.parametrize(
    ("x", "y", "element", "why"),
    [
        (530, 215, 1, "Element 6."),
        (520, 270, 1, "Element 6."),  # edges belong to a box
        (600, 240, 1, "Element 6."),  # on the button's words, which cannot be clicked by themselves
        (690, 220, 0, "Element differs: 8, reference 6."),  # on the link that lies on the button
        (690, 260, 1, "Element 6."),
        (310, 230, 0, "Element differs: 5, reference 6."),
        (800, 400, 0, "Element differs: 3, reference 6."),
    ],
)
def test_a_point_chooses_the_element_that_its_click_reaches(x: float, y: float, element: float, why: str) -> None:
    found = judged(CLICKED, Tap(at(x, y)))
    assert (dict(found.parts)["element"], found.value) == (element, element)
    assert found.why == f"{why} Operation right."


def test_a_point_in_another_frame_and_a_point_beside_everything() -> None:
    assert judged(CLICKED, Tap(Point(305, 120, Size(640, 1200)))).value == 1
    found = judged(CLICKED, Tap(at(5, 5)))
    assert (found.value, found.why, found.parts) == (0, "No element under the point.", (("element", 0.0), ("f1", 0.0)))


def test_the_words_of_a_button_may_be_the_reference_too() -> None:
    label = Tap(at(600, 240), Target(box(540, 220, 660, 260), "Find a room", "7"))
    assert judged(label, Tap(at(600, 240))).value == 1
    assert judged(label, Tap(at(530, 215))).why == "Element differs: 6, reference 7. Operation right."


def test_an_element_without_an_id_is_chosen_and_equals_none() -> None:
    seen = Observation(SIZE, tree=page(button=""))
    found = judged(TYPED, Type("Ulm Hbf", at(530, 215)), seen)
    assert (found.value, dict(found.parts)["f1"]) == (0, 1)
    assert found.why == "Element differs: one without an id, reference 5. Operation right."


def test_without_a_tree_that_knows_the_element_its_box_is_all_that_a_point_can_choose() -> None:
    for seen in (Observation(SIZE), Observation(SIZE, tree=page(button="other"))):
        assert judged(CLICKED, Tap(at(690, 220)), seen).value == 1
        assert judged(CLICKED, Tap(at(310, 230)), seen).why == "No element under the point."
        assert judged(CLICKED, named("6"), seen).value == 1


def test_an_id_that_several_elements_bear_names_none() -> None:
    seen = Observation(SIZE, tree=page(TreeOrigin.VIEW_HIERARCHY, label="6"))
    found = judged(CLICKED, CLICKED, seen)
    assert (found.status, found.why) == (
        ScoreStatus.UNSCORED, "Several elements of the screen bear the reference's id 6.",
    )  # fmt: skip
    assert SCORER.region(Step(0, seen, CLICKED), parse_options(SCORER.info, {})) is None


@pytest.mark.parametrize(
    "reference",
    [Tap(at(610, 240)), Tap(at(610, 240), Target(box(520, 210, 700, 270), "Find a room")), PressKey("enter"), Finish()],
)
def test_a_reference_that_names_no_element_is_unscored(reference: Action) -> None:
    for answer in (CLICKED, None):
        found = judged(reference, answer)
        assert (found.status, found.why) == (
            ScoreStatus.UNSCORED, "The data does not name the element of the reference.",
        )  # fmt: skip
    assert judged(None, CLICKED).why == "No reference action."


def test_a_step_whose_element_was_lost_falls_under_the_option() -> None:
    lost = Tap(None)
    found = judged(lost, CLICKED)
    assert (found.value, found.why, found.malformed) == (0, "The reference has no positive element.", False)
    assert judged(lost, None).malformed
    skipped = judged(lost, None, empty_positives="skip")
    assert (skipped.status, skipped.why) == (ScoreStatus.UNSCORED, "The reference has no positive element.")
    android = Observation(SIZE, tree=page(TreeOrigin.DUMP))
    assert judged(lost, CLICKED, android).why == "The data does not name the element of the reference."


def test_no_usable_answer_is_wrong_and_malformed() -> None:
    for status, null in ((PredictionStatus.EMPTY, True), (PredictionStatus.MALFORMED, False)):
        found = SCORER.score_step(
            Step(0, SEEN, CLICKED), Prediction("e", 0, None, status, why="Not JSON."), parse_options(SCORER.info, {})
        )
        assert (found.value, found.malformed, found.null, found.why) == (0, True, null, "Not JSON.")
        assert dict(found.parts) == {"element": 0, "f1": 0}


def test_the_region_is_where_a_click_reaches_the_reference_element() -> None:
    """The button with its words, less the link on it; all of the field, on which nothing lies."""
    options, size = parse_options(SCORER.info, {}), Size(640, 1200)
    region = SCORER.region(Step(0, Observation(size, tree=page()), CLICKED), options)
    assert region is not None
    assert region.contains(Point(300, 120, size)) and not region.contains(Point(345, 110, size))
    field = SCORER.region(Step(0, Observation(size, tree=page()), TYPED), options)
    assert field is not None and field.shapes == (Box(55, 105, 255, 125, size),)
    for action in (Tap(at(1, 1)), Tap(None, Target(None, "Submit", "[7]")), PressKey("enter"), None):
        assert SCORER.region(Step(0, SEEN, action), options) is None


def test_episodes_are_tasks() -> None:
    """Episode a: right, element alone right with F1 0.8; episode b: nothing; one step unscored."""
    items = [
        ScoredItem("a", 0, judged(CLICKED, CLICKED)),
        ScoredItem("a", 1, judged(TYPED, Type("Ulm", None, ON_FIELD))),
        ScoredItem("b", 0, judged(CLICKED, None)),
        ScoredItem("b", 1, judged(PressKey("enter"), CLICKED)),
    ]
    metrics = step_metrics(SCORER, items, parse_options(SCORER.info, {}), bootstrap=100)
    assert metrics.as_dict() == pytest.approx(
        dict(zip(METRICS, [2 / 3, 1.8 / 3, 1 / 3, 1 / 2, 0.9 / 2, 1 / 4, 0], strict=True))
    )
    assert (metrics.n, metrics.unscored, metrics.malformed) == (3, 1, 1)
    assert [metrics.n_of(name) for name in METRICS] == [3, 3, 3, 2, 2, 2, 2]
    assert step_metrics(SCORER, [], parse_options(SCORER.info, {})).as_dict() == dict.fromkeys(METRICS)


# --- episodes as they are read --------------------------------------------------------------------------------------


def candidate(identity: str, tag: str, rect: str) -> dict[str, Any]:
    return {"tag": tag, "backend_node_id": identity, "attributes": json.dumps({"bounding_box_rect": rect})}


def written_task(folder: Path) -> Path:
    """One task as Mind2Web releases it: text typed, a hover, a step whose element was lost."""
    others = [candidate("1", "html", "0,0,1280,2400"), candidate("7", "span", "540,220,120,40")]
    field, button = candidate("5", "input", "110,210,400,40"), candidate("6", "button", "520,210,180,60")
    html = (
        '<html backend_node_id="1"><input backend_node_id="5"/><button backend_node_id="6"><span backend_node_id="7">'
    )
    done = [("TYPE", "TYPE", "Ulm Hbf", [field]), ("CLICK", "HOVER", "", [button]), ("CLICK", "CLICK", "", [])]
    actions = [
        {
            "action_uid": f"a-{place}",
            "cleaned_html": f"{html}Find</span></button></html>",
            "operation": {"op": op, "original_op": original, "value": value},
            "pos_candidates": positives,
            "neg_candidates": [one for one in (*others, field, button) if one not in positives],
        }
        for place, (op, original, value, positives) in enumerate(done)
    ]
    task = {
        "annotation_id": "t-1", "website": "inns", "domain": "Travel", "subdomain": "Hotel",
        "confirmed_task": "Find a room in Ulm", "action_reprs": ["a", "b", "c"], "actions": actions,
    }  # fmt: skip
    path = folder / "train_0.json"
    path.write_text(json.dumps([task]))
    return path


def test_an_episode_of_mind2web_scores_as_its_records_do(tmp_path: Path) -> None:
    """The same task as records: two answers, by element and by point, and one on the step without positives."""
    (row,) = [one for one in open_mind2web(written_task(tmp_path)).scan() if isinstance(one, EpisodeSummary)]
    episode = open_mind2web(tmp_path / "train_0.json").read(row.id, row.place)
    answers: list[Action] = [
        Type("Ulm", None, Target(None, "", "5")),
        Tap(Point(600, 240, episode.steps[1].observation.size)),
        Tap(None, Target(None, "", "1")),
    ]
    options = parse_options(SCORER.info, {})
    items = [
        ScoredItem(episode.id, step.index, SCORER.score_step(step, Prediction("", 0, ActionAnswer(answer)), options))
        for step, answer in zip(episode.steps, answers, strict=True)
    ]
    sides: list[tuple[list[str], str, str, str, str]] = [
        (["5"], "TYPE", "Ulm Hbf", "5", "Ulm"), (["6"], "CLICK", "", "6", ""), ([], "CLICK", "", "1", ""),
    ]  # fmt: skip
    records = [
        {
            "task": "t-1", "step": step, "website": "inns",
            "reference": {"elements": positives, "operation": operation, "value": value},
            "prediction": {"element": chosen, "operation": operation, "value": answer},
        }
        for step, (positives, operation, value, chosen, answer) in enumerate(sides)
    ]  # fmt: skip
    of_records = score_records(SCORER, Records.of(records), options).metrics
    assert step_metrics(SCORER, items, options).as_dict() == of_records.as_dict()
    assert [dict(item.score.parts) for item in items] == [
        {"element": 1, "f1": 0.8}, {"element": 1, "f1": 1}, {"element": 0, "f1": 0},
    ]  # fmt: skip


def test_the_real_step_is_right_by_id_and_by_point(real_data: Path) -> None:
    source = open_seeact(real_data / "mind2web_seeact")
    rows = [one for one in source.scan() if isinstance(one, EpisodeSummary) and one.steps]
    assert rows
    for row in rows:
        step = source.read(row.id, row.place).steps[0]
        assert step.action is not None
        target, point = action_target(step.action), action_point(step.action)
        assert target is not None and point is not None and target.id == "8635"
        for answer, value in (
            (named("8635"), 1),
            (Tap(point), 1),
            (named("8882"), 0),
            (Tap(Point(5, 5, point.size)), 0),
        ):
            assert judged(step.action, answer, step.observation).value == value
