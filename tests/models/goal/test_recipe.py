"""The goal model: its loss by hand, padding, answers, learning, and the exported network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import Action, Tap, Target, Type
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.lazy import lazy_module
from stepscope.models.features.vectors import Features
from stepscope.models.goal import recipe as module
from stepscope.models.goal.recipe import RECIPE
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.plain_encoders import Letters

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch", "onnxscript")


SIZE = Size(400, 800)


FEATURES = Features([Letters()])
CONFIG = {
    "templates": ["Search for {typed}", "{button} {typed} in {app}", "Tidy up", "{button} {item} now"],
    "apps": ["a", "b", "a", "b"],
    "usual": [0.1, 0.2, 0.3, 0.4],
}


@pytest.fixture(autouse=True)
def described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "template_vectors", lambda templates, _texts: Letters().embed(list(templates)))


def button(name: str) -> Tap:
    return Tap(Point(10, 10, SIZE), Target(Box(0, 0, 20, 20, SIZE), name, None))


def request(*actions: Action | None, app: str | None = "com.example.mail", episode: str = "e") -> EpisodeRequest:
    return EpisodeRequest(episode, None, Platform.ANDROID, (Observation(SIZE),) * len(actions), actions, app)


def answers(requests: Sequence[EpisodeRequest], network: Any = None) -> list[Prediction]:
    torch.manual_seed(0)
    network = (network or RECIPE.network(CONFIG)).eval()
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    return RECIPE.answers(drafts, examples, vectors, lambda given: outputs_of(RECIPE, network, given), CONFIG)


WRITING = request(Type("Soup"), button("Send"), episode="writing")
BARE = request(app=None, episode="bare")
LONG = request(*[button(f"Button {number}") for number in range(300)], episode="long")


def test_only_sentences_that_can_be_filled_are_told() -> None:
    (found,) = answers([WRITING])
    lines = [line.split(" ", 1)[1] for line in found.raw.splitlines()]
    assert sorted(lines) == ["Search for Soup", "Send Soup in mail", "Tidy up"]
    assert isinstance(found.answer, GoalAnswer) and found.answer.text == lines[0]
    assert found.confidence is not None and 0 <= found.confidence <= 1


def test_a_trajectory_without_anything_has_no_answer() -> None:
    (found,) = answers([BARE])
    assert found.status is PredictionStatus.EMPTY and found.why and found.answer is None


def test_company_changes_no_answer() -> None:
    alone = [answers([one])[0] for one in (WRITING, BARE, LONG)]
    together = answers([WRITING, BARE, LONG])
    for one, other in zip(alone, together, strict=True):
        assert (one.answer, one.status) == (other.answer, other.status)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-5)


def test_the_loss_is_the_one_by_hand() -> None:
    told = torch.tensor([[0.5, 0.2, 3.0]])
    worth, other = torch.tensor([[0.4, 0.0, -1.0]]), torch.tensor([[1.0, 0.0, 1.0]])
    # The third cannot be filled. Errors 0.01 and 0.04; of other apps only the first.
    assert float(RECIPE.loss([told], [worth, other], CONFIG)) == pytest.approx((0.025 + 0.01) / 2, rel=1e-4)


def test_what_a_template_is_usually_worth_is_drawn_to_the_mean() -> None:
    table = np.array([[0.6, -1.0], [0.8, 0.2]])
    other = np.array([[True, True], [False, True]])
    # 0.6 of one item and 0.2 of one item, mean 0.4, which counts as twenty more.
    assert module._usual(table, other) == pytest.approx([(0.6 + 8) / 21, (0.2 + 8) / 21])


def item(goal: str, one: EpisodeRequest) -> Item:
    return Item(ItemKey(one.episode, -1), one, "", goal)


def data(count: int, seed: int) -> MemoryExamples:
    """Where somebody sends, the goal is to send; where somebody finds, to search."""
    seeded_random, found = np.random.default_rng(seed), MemoryExamples()
    for number in range(count):
        word, app = "abcdefgh"[seeded_random.integers(8)] * 4, f"app{number % 3}"
        sends = bool(seeded_random.integers(2))
        one = request(Type(word), button("Send" if sends else "Find"), app=app)
        goal = f"Send {word} off" if sends else f"Look for {word}"
        target = RECIPE.target(item(goal, one))
        assert target is not None
        draft = RECIPE.prepare(one, FEATURES)
        found.examples.append(RECIPE.example(draft, vectors_of(FEATURES, [draft])))
        found.targets.append(target)
    return found


def test_it_makes_templates_and_learns_which_fits() -> None:
    training, validation = data(32, 1), data(12, 2)
    config = RECIPE.config(training.examples, training.targets)
    assert set(config["templates"]) == {"Look for {typed}", "{button} {typed} off"}
    # Both templates are of the app that had them first, so one item in three has no others: seen from there, nothing.
    other = {**config, "apps": ["elsewhere"] * 2}
    hyper = RECIPE.hyper.__class__(epochs=30, batch=8, rate=1e-2, patience=30)
    *_, done = fit(RECIPE, other, hyper, 0, training, validation)
    assert isinstance(done, TrainingCheckpoint)
    assert done.measure == 1.0
    assert RECIPE.target(item("  ", WRITING)) is None


def test_the_exported_network_agrees_with_torch(tmp_path: Path) -> None:
    from stepscope.models.runtimes.export import export_onnx
    from stepscope.models.runtimes.onnx_runtime import OnnxRuntime

    torch.manual_seed(0)
    network = RECIPE.network(CONFIG).eval()
    drafts = [RECIPE.prepare(one, FEATURES) for one in (WRITING, BARE, LONG)]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    lengths = [{0: "batch", 1: "steps"}, {0: "batch", 1: "steps"}, *({0: "batch"},) * 4]
    export_onnx(network, RECIPE.collate(examples[:2]), tmp_path / "goal.onnx", {}, lengths=lengths)
    runtime = OnnxRuntime(tmp_path / "goal.onnx", preparation="1", device="cpu")
    for part in (examples, examples[:1]):
        (found,) = runtime.run(*RECIPE.collate(part))
        wanted = np.stack([logits for (logits,) in outputs_of(RECIPE, network, part)])
        assert np.isfinite(found).all() and np.allclose(found, wanted, atol=1e-4)
