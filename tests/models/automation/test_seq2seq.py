"""Seq2Seq: what it gives, what it learns, how a point becomes an action."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import LongPress, PressKey, Tap, Target, Type
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.automation import navigation_features
from stepscope.models.automation.seq2act_text import LENGTH
from stepscope.models.automation.seq2seq_answers import answer
from stepscope.models.automation.seq2seq_recipe import RECIPE
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.recipe import Hyper
from stepscope.models.runtimes.module_state import take_state
from stepscope.models.training.save import save, shapes_of
from tests.models.automation.navigation_data import CONFIG, NOTHING, data_of, example_of, on, small_set
from tests.models.automation.two_tower_data import item, request, row, screen

loop = lazy_module("stepscope.models.training.loop")
torch = lazy_module("torch")


def said(asked: StepRequest, kind: str, *point: float) -> Prediction:
    kinds = np.zeros(len(KINDS))
    kinds[KINDS.index(kind)] = 9
    weights = np.arange(2 * LENGTH) / 100
    return answer(RECIPE.prepare(asked, NOTHING), kinds, np.array(point or (0.5, 0.5)), weights)


def action_of(found: Prediction) -> Any:
    assert isinstance(found.answer, ActionAnswer)
    return found.answer.action


def test_the_point_is_where_the_action_is_done() -> None:
    """By hand: 0.1 of 270 is 27, and 0.1 of 600 is 60, which lies in the second row."""
    seen = screen("Alpha", row(1, "Title", editable=True))
    tap = action_of(said(request(seen, "Tap it"), "tap", 0.1, 0.1))
    assert isinstance(tap, Tap) and tap.point is not None
    assert (tap.point.x, tap.point.y) == pytest.approx((27, 60)) and tap.target == Target(row(1).box, "Title")
    assert isinstance(action_of(said(request(seen, "Hold it"), "long_press", 0.1, 0.1)), LongPress)
    typed = action_of(said(request(seen, 'Write "ham"'), "type", 0.1, 0.1))
    assert isinstance(typed, Type) and typed.text == "ham" and typed.target == tap.target
    beside = action_of(said(request(seen, "Tap it"), "tap", 0.9, 0.9))
    assert beside.target is None and (beside.point.x, beside.point.y) == pytest.approx((243, 540))
    assert action_of(said(request(seen, "Go back"), "press_key back")) == PressKey("back")


def test_it_answers_without_tree_screen_and_instruction() -> None:
    bare = replace(screen(), tree=None)
    assert action_of(said(request(bare), "tap", 0.1, 0.1)).target is None


def test_the_attention_of_goal_and_instruction_is_told_apart() -> None:
    """By hand: weights 0.01 and 0.02 of the goal's words, 0.33 and 0.34 of the instruction's."""
    told = json.loads(said(request(screen("a"), "Tap a", "do b"), "tap").raw)
    goal, instruction = told["attention"]
    assert (goal["stream"], goal["text"], goal["cells"]) == ("decoder", "goal", [])
    assert goal["words"] == [[0, 2, 0.3333], [3, 4, 0.6667]]
    assert instruction["text"] == "instruction" and instruction["words"] == [[0, 3, 0.4925], [4, 5, 0.5075]]
    assert told["kind"] == "tap" and told["point"] == [0.5, 0.5]
    (alone,) = json.loads(said(request(screen("a"), None, "do b"), "tap").raw)["attention"]
    assert alone == goal


def test_what_is_learned_and_measured() -> None:
    seen = screen("Alpha", "Beta")
    tap, back = (RECIPE.target(item(request(seen), one)) for one in (on(seen, 1), PressKey("back")))
    assert tap is not None and back is not None and RECIPE.target(item(request(seen), None)) is None
    assert tap["placed"] == 1 and tap["point"].tolist() == pytest.approx([100 / 270, 0.1])
    assert back["placed"] == 0 and not back["point"].any()
    kinds = np.eye(len(KINDS))[[KINDS.index("tap"), KINDS.index("tap"), KINDS.index("press_key back"), 0]]
    points = np.array([[0.3, 80 / 600], [0.3, 0.14], [0, 0], [0, 0]], np.float32)
    outputs = [(kinds[at], points[at], np.zeros(1)) for at in range(4)]
    assert RECIPE.measure(outputs, [tap, tap, back, back], {}) == 0.5, "on the edge, below it; back, and no back"


@pytest.mark.needs("torch")
def test_the_loss_by_hand() -> None:
    """Even chances of 19 kinds cost ln 19; (0.3² + 0.1²) / 2 five times 0.05; what has no place counts not there."""
    point, wanted = torch.tensor([[0.5, 0.5], [0.9, 0.9]]), torch.tensor([[0.2, 0.6], [0.0, 0.0]])
    targets = torch.tensor([0, 3]), torch.tensor([1.0, 0.0]), wanted
    found = RECIPE.loss((torch.zeros(2, len(KINDS)), point, None), targets, {})
    assert float(found) == pytest.approx(np.log(19) + 0.25)
    nowhere = RECIPE.loss((torch.zeros(2, len(KINDS)), point, None), (targets[0], torch.zeros(2), wanted), {})
    assert float(nowhere) == pytest.approx(np.log(19))


def trained(epochs: int) -> Any:
    data = data_of(RECIPE, small_set())
    hyper = Hyper(epochs=epochs, batch=6, rate=5e-3, weight_decay=0.0, patience=epochs)
    *_, done = loop.fit(RECIPE, CONFIG, hyper, 0, data, data)
    return done, data


@pytest.mark.needs("torch")
def test_a_small_set_is_learned_and_the_same_seed_gives_the_same_numbers() -> None:
    done, data = trained(80)
    again, _ = trained(3)
    losses = [one.train_loss for one in done.history]
    assert losses[:3] == [one.train_loss for one in again.history] and losses[-1] < losses[0] / 5
    module = RECIPE.network(CONFIG)
    take_state(module, done.state)
    for (asked, action, _), found in zip(small_set(), loop.outputs_of(RECIPE, module, data.examples), strict=True):
        given = action_of(answer(RECIPE.prepare(asked, NOTHING), *found))
        assert given.kind == action.kind and getattr(given, "text", None) == getattr(action, "text", None)
        assert getattr(given, "target", None) == getattr(action, "target", None)


@pytest.mark.needs("torch")
def test_shapes_and_weights_that_sum_to_one_whatever_stands_beside() -> None:
    short = example_of(RECIPE, request(screen("a"), "Tap a", "b"))
    history = (Tap(None), PressKey("back")) * 100
    long = dict(example_of(RECIPE, request(screen("a"), " ".join(["tap"] * 90), " ".join(["go"] * 90), *history)))
    long["map"] = np.ones_like(long["map"])
    torch.manual_seed(0)
    module = RECIPE.network(CONFIG)
    alone = loop.outputs_of(RECIPE, module, [short])[0]
    beside, other = loop.outputs_of(RECIPE, module, [short, long])
    assert [one.shape for one in other] == [(len(KINDS),), (2,), (2 * LENGTH,)]
    for first, second in zip(alone, beside, strict=True):
        assert np.abs(first - second).max() < 1e-5
    assert alone[2].sum() == pytest.approx(1, abs=1e-5) == other[2].sum()
    assert not alone[2][2:LENGTH].any() and not alone[2][LENGTH + 3 :].any() and (other[2] > 0).all()
    assert sum(each.numel() for each in module.parameters()) * 4 < 3_000_000


@pytest.mark.needs("torch", "onnxscript", "onnxruntime")
def test_what_is_exported_gives_what_torch_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four words and one step before, since the graph has each word and step once: exporting the whole takes longer
    than all other tests of it. `export` compares the two."""
    from stepscope.models.automation import navigation_network

    for module in (navigation_features, navigation_network):
        monkeypatch.setattr(module, "EARLIER", 1)
        monkeypatch.setattr(module, "SCREENS", 1)
    monkeypatch.setattr(navigation_features, "LENGTH", 4)
    shapes = shapes_of([example_of(RECIPE, request(screen("a"), "Tap a", "do b", Tap(None)))])
    torch.manual_seed(0)
    state = RECIPE.network(CONFIG).state_dict()
    card = ModelCard("mine", Task.AUTOMATION, "seq2seq", RECIPE.version, {**CONFIG, "shapes": shapes}, "tests", "")
    assert save(RECIPE, "mine", state, tmp_path, card).onnx.stat().st_size > 1_000_000
