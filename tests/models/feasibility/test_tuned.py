"""`feasibility-tuned` over tiny checkpoints: tokens and pixels in, encoders that learn, stop, and come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.imaging.draw import encode_png
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.encoders import added
from stepscope.models.feasibility.tuned_recipe import RECIPE, looked_at
from stepscope.models.features.tuned_inputs import TunedInputs, load_tuned_inputs
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.encoder_choice import EncoderNames, VectorSizes
from stepscope.models.learned.head import in_torch
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.training.batches import BatchLoader
from stepscope.models.training.examples import ExampleWriter, StoredExamples
from stepscope.models.training.loop import fit
from stepscope.models.training.save import export, save, shapes_of
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.encoders.conftest import clip_folder, roberta  # noqa: F401 - fixtures

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch", "transformers", "torchvision")

SIZE = Size(60, 120)
NAMES = EncoderNames("words", "eyes")
HYPER = replace(RECIPE.hyper, epochs=3, batch=4, rate=3e-3, precision="float32", patience=9, workers=0)
APART = replace(HYPER, workers=1)
"""Batches out of a process of their own."""


@pytest.fixture(scope="module")
def home(roberta: Path, clip_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: F811
    """A home to which both checkpoints were added."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPSCOPE_HOME", str(folder))
        added.add(roberta, name="words")
        added.add(clip_folder, name="eyes")
        yield folder


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a home of its own else."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(home))


@pytest.fixture(scope="module")
def inputs(home: Path) -> TunedInputs:
    return load_tuned_inputs("words", "eyes")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Picture]:
    """A dark and a light screen."""
    folder = tmp_path_factory.mktemp("screens")
    found = {}
    for light in (False, True):
        pixels = np.full((SIZE.height, SIZE.width, 3), 230 if light else 20, np.uint8)
        file = folder / f"{light}.png"
        file.write_bytes(encode_png(pixels))
        found[light] = Picture(file, SIZE)
    return found


def request(number: int, pictures: dict[bool, Picture], screens: int = 2) -> EpisodeRequest:
    """What is asked for is there in every second episode: its screens are light then."""
    light = bool(number % 2)
    box = Box(0, 0, 50, 20, SIZE)
    tree = UITree((UIElement(0, box, text="Alarm" if light else "Error"),), TreeOrigin.VIEW_HIERARCHY, SIZE)
    seen = tuple(Observation(SIZE, pictures[light], tree) for _ in range(screens))
    return EpisodeRequest(str(number), f"set alarm {number % 5}", Platform.ANDROID, seen, (None,) * screens)


def kept(folder: Path, inputs: TunedInputs, pictures: dict[bool, Picture], count: int) -> StoredExamples:
    writer = ExampleWriter(folder)
    for number in range(count):
        one = request(number, pictures, screens=number % 4)
        item = Item(ItemKey(one.episode, -1), one, "feasible" if number % 2 else "infeasible", None)
        target, draft = RECIPE.target(item), RECIPE.prepare(one, inputs)
        assert target is not None
        writer.add(RECIPE.example(draft, vectors_of(inputs, [draft])), target)
    return writer.finish()


@pytest.fixture(scope="module")
def data(
    inputs: TunedInputs, pictures: dict[bool, Picture], tmp_path_factory: pytest.TempPathFactory
) -> tuple[StoredExamples, StoredExamples]:
    folder = tmp_path_factory.mktemp("examples")
    return kept(folder / "train", inputs, pictures, 24), kept(folder / "check", inputs, pictures, 8)


def config_of(inputs: TunedInputs, data: StoredExamples, **tuning: Any) -> dict[str, Any]:
    return {
        **RECIPE.config(data.examples, data.targets),
        "shapes": shapes_of(data.examples, RECIPE),
        "encoders": asdict(NAMES),
        "sizes": asdict(VectorSizes(inputs.text_size, inputs.view_size)),
        **tuning,
    }


def trained(config: Any, data: Sequence[StoredExamples], **more: Any) -> TrainingCheckpoint:
    *_, last = fit(RECIPE, config, more.pop("hyper", HYPER), 0, *data, **more)
    assert isinstance(last, TrainingCheckpoint)
    return last


def test_three_states_are_looked_at() -> None:
    assert [looked_at(count) for count in (0, 1, 2, 3, 4, 9)] == [(), (0,), (0, 1), (0, 1, 2), (0, 2, 3), (0, 4, 8)]


def test_an_example_is_what_the_encoders_take(inputs: TunedInputs, pictures: dict[bool, Picture]) -> None:
    one = request(1, pictures)
    draft = RECIPE.prepare(one, inputs)
    example = RECIPE.loaded(RECIPE.example(draft, vectors_of(inputs, [draft])))
    wanted = inputs.texts.tokens(["set alarm 1"]).inputs
    assert [*example["goal"].T.tolist()] == [part[0].tolist() for part in wanted]
    from stepscope.core.imaging.decode import decode

    assert inputs.screens is not None
    assert (example["pixels"][0] == inputs.screens.prepared(decode(pictures[True]))).all()
    assert example["seen"].tolist() == [[1.0], [1.0]]


def test_the_network_begins_with_the_encoders_own_vectors(inputs: TunedInputs, data: tuple[Any, Any]) -> None:
    module = RECIPE.network(config_of(inputs, data[0])).eval()
    tokens = inputs.texts.tokens(["set alarm 1"]).inputs
    with torch.inference_mode():
        found = module.texts(*(torch.from_numpy(one) for one in tokens))[0].numpy()
    assert found == pytest.approx(inputs.texts.embed(["set alarm 1"])[0], abs=1e-6)


def test_padding_changes_no_answer(inputs: TunedInputs, data: tuple[Any, Any]) -> None:
    module = RECIPE.network(config_of(inputs, data[0])).eval()
    examples = [*data[0].examples[:8]]  # 0 to 3 screens each
    with torch.inference_mode():
        whole = module(*map(torch.from_numpy, RECIPE.collate(examples))).numpy()
        single = [module(*map(torch.from_numpy, RECIPE.collate([one]))).numpy()[0] for one in examples]
    assert np.isfinite(whole).all() and whole == pytest.approx(single, abs=1e-5)


def test_the_encoders_learn(inputs: TunedInputs, data: tuple[Any, Any]) -> None:
    config = config_of(inputs, data[0])
    torch.manual_seed(0)
    before = RECIPE.network(config).state_dict()
    done = trained(config, data, hyper=replace(HYPER, epochs=12))
    losses = [one.train_loss for one in done.history]
    assert losses[-1] < losses[0]
    moved = [name for name, tensor in done.state.items() if not torch.equal(tensor, before[name])]
    assert any(name.startswith("texts.") for name in moved) and any(name.startswith("views.") for name in moved)


def test_what_is_frozen_by_pattern_stays(inputs: TunedInputs, data: tuple[Any, Any]) -> None:
    done = trained(config_of(inputs, data[0], freeze=["^views", "embeddings"]), data)
    assert not any(name.startswith("views.") and "position_ids" not in name for name in _learned(done))
    assert any(name.startswith("texts.") for name in _learned(done))
    assert not any("embeddings.word" in name for name in done.state)
    with pytest.raises(UsageError, match="'nowhere' is in no parameter's name"):
        RECIPE.network(config_of(inputs, data[0], freeze=["nowhere"]))
    with pytest.raises(UsageError, match="is no pattern"):
        RECIPE.network(config_of(inputs, data[0], freeze=["("]))


def _learned(done: TrainingCheckpoint) -> list[str]:
    """Without buffers, which are no parameters."""
    return [name for name in done.state if name.endswith(("weight", "bias"))]


def test_lora_learns_only_what_stands_beside(inputs: TunedInputs, data: tuple[Any, Any], tmp_path: Path) -> None:
    config = config_of(inputs, data[0], lora=2)
    done = trained(config, data)
    assert all("lora_" in name or name.startswith("head.") for name in _learned(done))
    assert any("lora_A" in name and name.startswith("texts.") for name in done.state)
    # Saved and loaded, it answers as it did: the frozen weights come from the encoders.
    card = ModelCard("tuned", Task.FEASIBILITY, "feasibility-tuned", "1", config, inputs.fingerprint, "")
    model = save(RECIPE, "tuned", done.state, tmp_path / "tuned", card, onnx=False)
    runtime = in_torch(model, RECIPE, "cpu")
    module = RECIPE.network(config)
    module.load_state_dict(done.state, strict=False)
    batch = RECIPE.collate(data[1].examples[:4])
    with torch.inference_mode():
        wanted = module.eval()(*map(torch.from_numpy, batch)).numpy()
    assert runtime.run(*batch)[0] == pytest.approx(wanted, abs=1e-5)


def test_stopped_in_the_middle_of_an_epoch_it_goes_on(
    inputs: TunedInputs, data: tuple[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(inputs, data[0])
    whole = trained(config, data)  # in this process: what comes of it is the same
    token, batches = CancelToken(), []
    inner = BatchLoader.batches

    def stopping(loader: BatchLoader, rows: Any) -> Any:
        for one in inner(loader, rows):
            batches.append(1)
            if len(batches) == 9:  # of 6 an epoch
                token.cancel()
            yield one

    monkeypatch.setattr(BatchLoader, "batches", stopping)
    stopped = trained(config, data, hyper=APART, folder=tmp_path, token=token)
    assert (stopped.epoch, stopped.batch) == (1, 2)
    again = trained(config, data, hyper=APART, folder=tmp_path)
    for one, other in zip(again.history, whole.history, strict=True):
        assert one.train_loss == pytest.approx(other.train_loss, abs=1e-6)
    for name, tensor in whole.state.items():
        torch.testing.assert_close(again.state[name], tensor, atol=1e-5, rtol=1e-5)


def test_packed_and_unpacked_pictures_make_the_same_batch(data: tuple[Any, Any]) -> None:
    examples = [*data[0].examples[:8]]
    packed, whole = RECIPE.collate(examples), RECIPE.collate([RECIPE.loaded(one) for one in examples])
    assert all((one == other).all() for one, other in zip(packed, whole, strict=True))
    assert packed[2].any() and packed[4].any()


def test_pictures_are_unpacked_in_a_process_of_their_own(inputs: TunedInputs, data: tuple[Any, Any]) -> None:
    config = config_of(inputs, data[0])
    rows = [np.arange(4), np.arange(4, 8)]
    here, there = BatchLoader(RECIPE, config, data[0]), BatchLoader(RECIPE, config, data[0], workers=1)
    try:
        for (count, first, _), (other, second, _) in zip(here.batches(rows), there.batches(rows), strict=True):
            assert count == other == 4
            assert all((one == two).all() for one, two in zip(first, second, strict=True))
    finally:
        there.close()


@pytest.mark.chain
@pytest.mark.needs("onnxscript")
def test_it_is_exported_where_its_graph_can_be(inputs: TunedInputs, data: tuple[Any, Any], tmp_path: Path) -> None:
    config = config_of(inputs, data[0])
    card = ModelCard("tuned", Task.FEASIBILITY, "feasibility-tuned", "1", config, inputs.fingerprint, "")
    torch.manual_seed(0)
    state = RECIPE.network(config).state_dict()
    model = save(RECIPE, "tuned", state, tmp_path / "tuned", card, onnx=False)
    assert export(model, RECIPE).is_file()  # compared with torch on drawn inputs


def test_encoders_that_cannot_learn_are_refused(home: Path) -> None:
    with pytest.raises(UsageError, match="minilm cannot be tuned"):
        load_tuned_inputs("minilm")
    with pytest.raises(UsageError, match=r"words\+eyes cannot be tuned"):
        load_tuned_inputs("words+eyes")
