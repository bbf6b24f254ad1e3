"""MOCA: its filters, its streams, what it learns, how type and box become an element."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import PressKey, Swipe, Tap, Target, Type
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.automation.moca_answers import answer
from stepscope.models.automation.moca_recipe import RECIPE
from stepscope.models.automation.moca_types import TYPES, narrowed, overlaps, type_of
from stepscope.models.automation.navigation_features import CELLS
from stepscope.models.automation.seq2act_text import LENGTH
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.learned.recipe import Hyper
from stepscope.models.runtimes.module_state import take_state
from tests.models.automation.navigation_data import CONFIG, NOTHING, data_of, example_of, on, small_set
from tests.models.automation.two_tower_data import SIZE, item, request, row, screen

loop = lazy_module("stepscope.models.training.loop")
network = lazy_module("stepscope.models.automation.moca_network")
torch = lazy_module("torch")

BUTTON, IMAGE, FIELD = (TYPES.index(name) for name in ("Button", "ImageView", "EditText"))
BOXES = np.array([[0, 0, 0.5, 0.1], [0, 0.1, 0.5, 0.2], [0, 0.2, 0.5, 0.3], [0.5, 0.2, 1, 0.3]], np.float32)


def test_types_are_twelve_and_other_classes_are_the_first() -> None:
    names = ("android.widget.Button", "x.EditText", "ICON", "TEXT_INPUT", "VideoView", "android.view.View", "")
    assert [TYPES[type_of(row(0, class_name=name))] for name in names] == [
        "Button", "EditText", "ImageView", "EditText", "", "", "",
    ]  # fmt: skip
    assert len(TYPES) == 12


def test_overlap_by_hand() -> None:
    """Half of the second row is covered, and a quarter of the third: 0.5 / 1.25 and 0.25 / 1.5 of a row's area."""
    box = np.array([0, 0.15, 0.5, 0.225], np.float32)
    assert overlaps(box, BOXES).tolist() == pytest.approx([0, 0.5 / 1.25, 0.25 / 1.5, 0])
    assert overlaps(np.zeros(4, np.float32), np.zeros((1, 4), np.float32)).tolist() == [0]


def test_the_type_narrows_and_the_box_chooses() -> None:
    """By hand, of a button, a picture, a button and a picture: the box lies over the first picture most, yet over the
    second button of the buttons; a box beside all takes the nearest; a type that is not there leaves all."""
    types = [BUTTON, IMAGE, BUTTON, IMAGE]
    box = np.array([0, 0.12, 0.5, 0.22], np.float32)
    left, order = narrowed(box, BUTTON, BOXES, types)
    assert left.tolist() == [True, False, True, False] and order.tolist() == [2, 0]
    assert narrowed(box, IMAGE, BOXES, types)[1].tolist() == [1, 3]
    everything, order = narrowed(box, FIELD, BOXES, types)
    assert everything.all() and order.tolist() == [1, 2, 0, 3], "by overlap, then by the distance of the middles"
    far = np.array([0.6, 0.9, 0.9, 1], np.float32)
    assert narrowed(far, BUTTON, BOXES, types)[1].tolist() == [2, 0]
    assert narrowed(far, IMAGE, BOXES, types)[1].tolist() == [3, 1]


@given(st.lists(st.tuples(*[st.floats(0, 1, width=32)] * 4), min_size=1, max_size=8), st.data())
def test_what_is_left_is_of_the_type_or_all(edges: list[tuple[float, ...]], data: Any) -> None:
    rows = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in edges]
    boxes = np.array(rows, np.float32)
    types = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    wanted = data.draw(st.integers(0, 3))
    left, order = narrowed(boxes[0], wanted, boxes, types)
    assert sorted(order.tolist()) == np.flatnonzero(left).tolist()
    assert all((one == wanted) == kept for one, kept in zip(types, left, strict=True)) or left.all()
    shared = [Box(*row_, SIZE).intersection_over_union(Box(*rows[0], SIZE)) for row_ in boxes.tolist()]
    assert overlaps(boxes[0], boxes).tolist() == pytest.approx(shared, abs=1e-4)


def said(asked: StepRequest, kind: str, type_: int, *box: float, whole: bool = True) -> Prediction:
    kinds, types = np.zeros(len(KINDS)), np.zeros(len(TYPES))
    kinds[KINDS.index(kind)], types[type_] = 20, 20
    words, cells = np.full((2, LENGTH), 0.25), np.stack([np.zeros(CELLS), np.ones(CELLS)])
    found = np.array(box or (0, 0, 1, 1), np.float32)
    return answer(RECIPE.prepare(asked, NOTHING), kinds, types, found, words, cells, whole=whole)


def action_of(found: Prediction) -> Any:
    assert isinstance(found.answer, ActionAnswer)
    return found.answer.action


def test_the_chosen_element_is_acted_on() -> None:
    """By hand: the box lies over the picture, the predicted type leaves the two buttons."""
    seen = screen(
        "Alpha", row(1, class_name="ImageView"), "Beta", row(3, "Title", editable=True, class_name="EditText")
    )
    box = (0, 50 / 600, 200 / 270, 90 / 600)
    found = said(request(seen, "Tap it"), "tap", BUTTON, *box)
    assert action_of(found) == on(seen, 2)
    assert isinstance(found.answer, ActionAnswer) and [one.action for one in found.answer.candidates[1:]] == [
        on(seen, 0)
    ]
    assert found.answer.candidates[0].score == pytest.approx(10 / 70, abs=1e-4), "10 of 40 + 40 − 10 pixels of height"
    told = json.loads(found.raw)
    assert (told["type"], told["left"], told["of"]) == ("Button", 2, 4) and found.confidence == pytest.approx(
        1, abs=1e-3
    )
    assert action_of(said(request(seen, 'Write "ham"'), "type", FIELD, *box)) == on(seen, 3, Type, "ham")
    assert action_of(said(request(seen, "Go back"), "press_key back", BUTTON)) == PressKey("back")
    assert isinstance(action_of(said(request(seen, "Swipe up"), "swipe up", BUTTON)), Swipe)


def test_without_a_tree_the_box_itself_is_the_place() -> None:
    bare = replace(screen(), tree=None)
    box = Box(27, 60, 135, 120, SIZE)
    tap = action_of(said(request(bare), "tap", IMAGE, 0.1, 0.1, 0.5, 0.2))
    assert isinstance(tap, Tap) and isinstance(tap.target, Target) and tap.target.box is not None
    edges = (tap.target.box.left, tap.target.box.top, tap.target.box.right, tap.target.box.bottom)
    assert edges == pytest.approx((box.left, box.top, box.right, box.bottom), abs=1e-4)
    assert tap.point is not None and (tap.point.x, tap.point.y) == pytest.approx((81, 90), abs=1e-4)
    assert action_of(said(request(bare, 'Write "ham"'), "type", FIELD)).text == "ham"


def test_both_streams_tell_what_they_attended_to() -> None:
    act, place = json.loads(said(request(screen("a"), "Tap a", "do b"), "tap", BUTTON).raw)["attention"]
    assert (act["stream"], act["text"], place["stream"], place["text"]) == (
        "action",
        "goal",
        "grounding",
        "instruction",
    )
    assert act["words"] == [[0, 2, 0.5], [3, 4, 0.5]] and place["words"] == [[0, 3, 0.5], [4, 5, 0.5]]
    assert {cell[4] for cell in act["cells"]} == {0} and {cell[4] for cell in place["cells"]} == {1}
    unknown = json.loads(said(request(screen("a"), None, "do b"), "tap", BUTTON, whole=False).raw)["attention"]
    assert [one["text"] for one in unknown] == ["goal", "goal"] and all(one["cells"] == [] for one in unknown)


def test_what_is_learned_and_measured() -> None:
    """By hand: of four steps one has the wrong kind, one the wrong type, so that the other row is nearest."""
    seen = screen("Alpha", row(1, class_name="ImageView"))
    found = RECIPE.target(item(request(seen), on(seen, 1)))
    assert found is not None and RECIPE.target(item(request(seen), None)) is None
    assert (int(found["type"]), int(found["element"]), found["types"].tolist()) == (IMAGE, 1, [BUTTON, IMAGE])
    bare = RECIPE.target(item(request(replace(seen, tree=None)), Tap(Point(27, 60, SIZE))))
    nowhere = RECIPE.target(item(request(seen), Tap(Point(200, 599, SIZE))))
    back = RECIPE.target(item(request(seen), PressKey("back")))
    assert bare is not None and nowhere is not None and back is not None
    assert [int(one["type"]) for one in (bare, nowhere, back)] == [-100] * 3
    assert [float(one["placed"]) for one in (bare, nowhere, back)] == [1, 1, 0]
    tap, types = np.eye(len(KINDS))[KINDS.index("tap")], np.eye(len(TYPES))
    outputs = [(tap, types[kind], found["box"]) for kind in (IMAGE, FIELD, BUTTON)]
    outputs.append((np.roll(tap, 1), types[IMAGE], found["box"]))
    assert RECIPE.measure(outputs, [found] * 4, {}) == 0.5
    assert RECIPE.measure(outputs[:1] * 2, [bare, nowhere], {}) == 0


@pytest.mark.needs("torch")
def test_a_dynamic_filter_by_hand() -> None:
    """The filter (3, 4) is (0.6, 0.8) at length 1; a cell of zeros gives nothing."""
    filters = torch.tensor([[[3.0, 4.0], [0.0, -2.0]]])
    cells = torch.tensor([[[1.0, 0.0], [0.0, 5.0], [3.0, 4.0], [0.0, 0.0]]])
    found = network.responses_of(filters, cells)
    assert found[0, 0].tolist() == pytest.approx([0.6, 0.8, 1, 0]) and found[0, 1].tolist() == pytest.approx(
        [0, -1, -0.8, 0]
    )


@pytest.mark.needs("torch")
def test_the_loss_by_hand() -> None:
    """Even chances cost ln 19 and, of the one type that is known, ln 12; edges 0.1 off each five times 0.01."""
    box = torch.tensor([[0.1, 0.1, 0.5, 0.5], [0.0, 0.0, 1.0, 1.0]])
    wanted = torch.tensor([[0.2, 0.2, 0.4, 0.4], [0.0] * 4])
    targets = torch.tensor([0, 3]), torch.tensor([1.0, 0.0]), wanted, torch.tensor([4, -100])
    outputs = torch.zeros(2, len(KINDS)), torch.zeros(2, len(TYPES)), box
    assert float(RECIPE.loss(outputs, targets, {})) == pytest.approx(np.log(19) + np.log(12) + 0.05)
    nothing = targets[0], torch.zeros(2), wanted, torch.tensor([-100, -100])
    assert float(RECIPE.loss(outputs, nothing, {})) == pytest.approx(np.log(19))


def trained(epochs: int) -> Any:
    data = data_of(RECIPE, small_set())
    hyper = Hyper(epochs=epochs, batch=6, rate=5e-3, weight_decay=0.0, patience=epochs)
    *_, done = loop.fit(RECIPE, CONFIG, hyper, 0, data, data)
    return done, data


@pytest.mark.needs("torch")
def test_a_small_set_is_learned_and_the_same_seed_gives_the_same_numbers() -> None:
    done, data = trained(40)
    again, _ = trained(3)
    losses = [one.train_loss for one in done.history]
    assert losses[:3] == [one.train_loss for one in again.history] and losses[-1] < losses[0] / 5
    module = RECIPE.network(CONFIG)
    take_state(module, done.state)
    for (asked, action, _), found in zip(small_set(), loop.outputs_of(RECIPE, module, data.examples), strict=True):
        assert action_of(answer(RECIPE.prepare(asked, NOTHING), *found, whole=True)) == action


@pytest.mark.needs("torch")
def test_shapes_and_weights_that_sum_to_one_whatever_stands_beside() -> None:
    short = dict(example_of(RECIPE, request(screen("a"), None, "tap b")))
    history = (Tap(None), PressKey("back")) * 100
    long = dict(example_of(RECIPE, request(screen("a"), " ".join(["tap"] * 90), " ".join(["go"] * 90), *history)))
    long["map"] = np.ones_like(long["map"])
    torch.manual_seed(0)
    module = RECIPE.network(CONFIG)
    alone = loop.outputs_of(RECIPE, module, [short])[0]
    beside, other = loop.outputs_of(RECIPE, module, [short, long])
    shapes = [(len(KINDS),), (len(TYPES),), (4,), (2, LENGTH), (2, CELLS)]
    assert [one.shape for one in other] == shapes
    for first, second in zip(alone, beside, strict=True):
        assert np.abs(first - second).max() < 1e-5
    words, cells = alone[3], alone[4]
    assert words.sum(1).tolist() == pytest.approx([1, 1], abs=1e-5) and (words[:, :3] > 0).all(), (
        "the goal is read by both"
    )
    assert not words[:, 3:].any() and not cells.any(), "no screen"
    assert other[3].sum(1).tolist() == pytest.approx([1, 1], abs=1e-5)
    assert (other[4] >= 0).all() and (other[4] <= 1).all()
    assert (other[2] >= 0).all() and (other[2] <= 1).all() and (other[2][:2] <= other[2][2:]).all()
    assert sum(each.numel() for each in module.parameters()) * 4 < 4_500_000
