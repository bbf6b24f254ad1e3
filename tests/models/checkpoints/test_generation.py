"""Checkpoints that answer: every family in small, streams, cancelling, batches, an adapter of peft, and one that was
taught an exact call."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import OpenApp, Tap
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import OutOfMemory, UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models import registry
from stepscope.models.ask.making.named import MakerMeans, maker_named
from stepscope.models.chat.chat import BatchChat
from stepscope.models.chat.client import ServerError
from stepscope.models.checkpoints import checkpoint
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.generation import LoadedCheckpoint
from tests.models.checkpoints.conftest import FAMILIES
from tests.models.checkpoints.teaching import ANSWER, SMALL, png, put_short_adapter

torch = lazy_module("torch")

pytestmark = [
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]

SIZE = Size(280, 588)


def asked(text: str, picture: bytes | None = None) -> list[dict[str, Any]]:
    url = f"data:image/png;base64,{base64.b64encode(picture or png(SIZE)).decode()}"
    parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url}}]
    return [{"role": "system", "content": "You work a phone."}, {"role": "user", "content": parts}]


@pytest.fixture(scope="session")
def loaded(tiny: Any) -> Any:
    known: dict[str, LoadedCheckpoint] = {}

    def load(family: str) -> LoadedCheckpoint:
        if family not in known:
            known[family] = LoadedCheckpoint(Checkpoint("tiny", str(tiny(family))), "cpu")
        known[family].set_token(CancelToken())
        return known[family]

    return load


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_answers_streams_and_answers_the_same_among_others(loaded: Any, family: str) -> None:
    model, pieces = loaded(family), []
    alone = model.ask(asked("Tap"), 12, heard=pieces.append)
    assert alone.status is PredictionStatus.MALFORMED and alone.unended and alone.stop == "length"
    assert alone.tokens_out == 12 and alone.tokens_in > 30 and alone.raw
    assert len(pieces) > 1, "it came in pieces"
    together = model.ask_all([asked("Tap"), asked("Tap the other one, below")], 12)
    assert together[0].raw == alone.raw, "what is beside it changes nothing"
    call = alone.call
    assert call is not None and call.first_ms is not None and 0 < call.first_ms <= call.ms
    assert dict(call.settings)["dtype"] == "float32" and [one.width for one in call.pictures] == [280]
    assert isinstance(model, BatchChat)


def test_the_picture_is_taken_in_the_size_that_was_sent(loaded: Any) -> None:
    """A processor that may take at most 64 blocks would make 280 × 588 smaller; the program has resized it already."""
    model = loaded("qwen2.5-vl")
    inputs = model._inputs([[{"role": "user", "content": [{"type": "image", "image": image(280, 588)}]}]])
    assert inputs["image_grid_thw"][0].tolist() == [1, 42, 20], "588 and 280 in patches of 14"
    odd = model._inputs([[{"role": "user", "content": [{"type": "image", "image": image(281, 588)}]}]])
    assert odd["image_grid_thw"][0].tolist() != [1, 42, 20], "what does not fit its grid is the processor's own matter"


def image(width: int, height: int) -> Any:
    from PIL import Image

    return Image.new("RGB", (width, height))


def test_cancelling_ends_it_within_a_token(loaded: Any) -> None:
    model, token, pieces = loaded("qwen2.5-vl"), CancelToken(), []
    model.set_token(token)

    def heard(piece: str) -> None:
        pieces.append(piece)
        token.cancel()

    found = model.ask(asked("Tap"), 4000, heard=heard)
    assert isinstance(found, ServerError) and "cancelled" in str(found)
    assert len(pieces) <= 3
    assert isinstance(model.ask(asked("Tap"), 4000), ServerError), "and nothing more is begun"


def test_a_question_longer_than_the_model_takes_is_told(loaded: Any) -> None:
    found = loaded("qwen2.5-vl").ask(asked("x" * 20_000), 5)
    assert isinstance(found, ServerError) and "tokens, of 16,384 that the model takes" in str(found)


def test_a_picture_of_one_pixel_is_answered_or_told(loaded: Any) -> None:
    for family in FAMILIES:
        found = loaded(family).ask(asked("Tap", png(Size(1, 1))), 3)
        assert isinstance(found, ServerError) or found.raw


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda folder: (folder / "model.safetensors").write_bytes(b"x" * 100), "model.safetensors"),
        (lambda folder: (folder / "tokenizer.json").write_text("{"), "its processor cannot be loaded"),
    ],
)
def test_damaged_folders_are_told(tiny: Any, tmp_path: Path, change: Any, why: str) -> None:
    import shutil

    folder = Path(shutil.copytree(tiny("internvl"), tmp_path / "broken"))
    change(folder)
    with pytest.raises(UserError, match=why):
        LoadedCheckpoint(Checkpoint("broken", str(folder)), "cpu")


def test_code_is_not_run_unless_it_is_allowed(tiny: Any, tmp_path: Path) -> None:
    import json
    import shutil

    folder = Path(shutil.copytree(tiny("internvl"), tmp_path / "coded"))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "auto_map": {"AutoConfig": "mine.Mine"}}))
    (folder / "mine.py").write_text("raise SystemExit('it ran')")
    with pytest.raises(UserError, match="brings Python code of its own, which is not run"):
        LoadedCheckpoint(Checkpoint("coded", str(folder)), "cpu")


# One that knows an answer ---------------------------------------------------------------------------------------------


@pytest.fixture
def screen(tmp_path: Path) -> Observation:
    file = tmp_path / "screen.png"
    file.write_bytes(png(SMALL))
    return Observation(SMALL, Picture(file, SMALL))


def request(screen: Observation, step: int = 0) -> StepRequest:
    return StepRequest("e", step, "Open", Platform.ANDROID, screen)


def test_what_it_was_taught_becomes_a_tap_at_the_right_pixel(knowing: Path, screen: Observation) -> None:
    put_short_adapter()
    checkpoint.add(Checkpoint("taught", str(knowing), batch=2, adapter="short"))
    predictor: Any = registry.load("local:taught#automation", device="cpu")
    assert predictor.batch_size == 2 and predictor.fingerprint and predictor.info.title == "taught · Short"
    found = predictor.predict_batch([predictor.prepare(request(screen)), predictor.prepare(request(screen, 1))])
    assert [one.raw for one in found] == [ANSWER] * 2
    # sent at 140 × 308: 56 is two fifths of the width, 168 is 168/308 of the height
    wanted = Point(56 / 140 * 224, 168 / 308 * 448, SMALL)
    assert [one.action for one in found] == [Tap(wanted)] * 2
    assert found[0].calls[0].tokens_out == len(ANSWER.encode()) + 1 and found[0].calls[0].stop == "stop"
    assert len(predictor.weight_files) > 4


def test_where_memory_runs_out_the_picture_is_sent_smaller_and_it_is_said(knowing: Path, screen: Observation) -> None:
    put_short_adapter()
    checkpoint.add(Checkpoint("taught", str(knowing), adapter="short"))
    predictor: Any = registry.load("local:taught#automation", device="cpu")
    whole, sizes = predictor._chat.ask_all, []

    def small(several: Any, most: int, **more: Any) -> Any:
        content = several[0][-1]["content"]
        sizes.append(probe_bytes(base64.b64decode(content[-1]["image_url"]["url"].partition(",")[2])).size)
        if sizes[-1].width * sizes[-1].height > 30_000:
            raise OutOfMemory("the model does not fit into memory: tried")
        return whole(several, most, **more)

    predictor._chat.ask_all = small
    found = predictor.predict(request(screen))
    assert sizes == [Size(140, 308), Size(84, 196)]
    assert "Memory ran out: the picture was sent at 84 × 196." in found.why
    predictor.predict(request(screen, 1))
    assert sizes[2:] == [Size(84, 196)], "those that follow begin there"


def test_an_adapter_of_peft_changes_the_answer(tiny: Any, tmp_path: Path) -> None:
    import peft
    import transformers

    folder = tiny("qwen2.5-vl")
    base = transformers.AutoModelForImageTextToText.from_pretrained(folder)
    targets = r".*language_model\.layers.*\.(q_proj|v_proj|up_proj|down_proj)"
    config = peft.LoraConfig(r=4, lora_alpha=64, target_modules=targets, task_type="CAUSAL_LM")
    torch.manual_seed(1)
    tuned = peft.get_peft_model(base, config)
    with torch.no_grad():
        for name, weights in tuned.named_parameters():
            if "lora_B" in name:
                weights.normal_(0, 1)
    tuned.save_pretrained(tmp_path / "lora")
    one = Checkpoint("tuned", str(folder), lora=str(tmp_path / "lora"))
    with_it = LoadedCheckpoint(one, "cpu")
    without = LoadedCheckpoint(replace(one, lora=""), "cpu")
    first, second = with_it.ask(asked("Tap"), 8), without.ask(asked("Tap"), 8)
    assert not isinstance(first, ServerError) and not isinstance(second, ServerError)
    assert first.raw != second.raw and dict(first.call.settings)["lora"] == "lora"  # type: ignore[union-attr]
    assert with_it.facts.digest != without.facts.digest


def test_a_checkpoint_makes_ambiguous_tasks_or_says_why_not(tiny: Any, screen: Observation) -> None:
    """One that was taught nothing is stopped in its babble: that is told, and no task is made."""
    checkpoint.add(Checkpoint("babbler", str(tiny("qwen2.5-vl"))))
    maker = maker_named("local:babbler?tokens=16", MakerMeans(device="cpu"))
    maker.set_token(CancelToken())
    episode = Episode("e", "r", Platform.ANDROID, "Open Podium", (Step(0, screen, OpenApp("Podium")),))
    made = maker.make(episode, (1,))
    assert maker.name == "local:babbler?tokens=16" and made.drafts == ()
    assert [(one.step, "cut off" in one.why) for one in made.problems] == [(0, True), (0, True)]
