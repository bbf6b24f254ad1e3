"""LoRA on small checkpoints: what counts in the loss, learning by heart, and going on after a stop."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.generation import LoadedCheckpoint
from stepscope.models.checkpoints.lora_settings import LoraPart, LoraSettings, LoraStep, TuningExample, preset_values
from stepscope.models.checkpoints.lora_training import STATE, LoraTraining, forget
from tests.models.checkpoints.conftest import FAMILIES
from tests.models.checkpoints.teaching import png

torch = lazy_module("torch")
pytestmark = [
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]
ANSWERS = ("Set an alarm", "Buy tea", "Turn Wi-Fi on")
QUICK = LoraSettings(rank=16, rate=5e-3, batch=1, epochs=20, warmup=0.05, dropout=0.0)


def asked(words: str) -> list[dict[str, Any]]:
    url = f"data:image/png;base64,{base64.b64encode(png(Size(56, 56))).decode()}"
    parts = [{"type": "text", "text": words}, {"type": "image_url", "image_url": {"url": url}}]
    return [{"role": "user", "content": parts}]


def examples(answers: tuple[str, ...] = ANSWERS) -> list[Any]:
    return [(one, lambda one=one, place=place: TuningExample(one, asked(f"case {place}"), one))
            for place, one in enumerate(answers)]  # fmt: skip


def loaded(folder: Path) -> LoadedCheckpoint:
    return LoadedCheckpoint(Checkpoint("tiny", str(folder)), "cpu")


def weights(training: LoraTraining) -> Any:
    return torch.cat([one.detach().flatten() for one in training.network.parameters() if one.requires_grad])


@pytest.mark.parametrize("family", FAMILIES)
def test_only_the_answer_and_the_end_of_the_turn_are_learned(tiny: Any, family: str) -> None:
    found = loaded(tiny(family))
    inputs, labels = found.with_answer(asked("what?"), "tea")
    tokenizer = found.processor.tokenizer
    told = labels[0][labels[0] != -100].tolist()
    assert told == tokenizer("tea", add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id]
    assert inputs["input_ids"].shape == labels.shape == inputs["attention_mask"].shape
    assert inputs["input_ids"][0, -len(told) :].tolist() == told
    assert inputs["attention_mask"][0, -len(told) :].tolist() == [1] * len(told)
    whole = found.network(**inputs, labels=labels).loss
    # By hand: the mean of −log p over the answer's tokens, each told by the place before it.
    logits = torch.log_softmax(found.network(**inputs).logits[0].float(), dim=-1)
    first = labels.shape[1] - len(told)
    by_hand = -sum(logits[first + place - 1, token] for place, token in enumerate(told)) / len(told)
    assert float(whole) == pytest.approx(float(by_hand), abs=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_layers_that_look_at_pictures_rest_unless_they_are_wanted(tiny: Any, tmp_path: Path, family: str) -> None:
    def learned(vision: bool) -> list[str]:
        training = LoraTraining(loaded(tiny(family)), LoraSettings(rank=2, vision=vision), tmp_path)
        return [name for name, one in training.network.named_parameters() if one.requires_grad]

    few, all_ = learned(vision=False), learned(vision=True)
    assert few and not any("vis" in name for name in few)
    assert any("vis" in name for name in all_) and set(few) < set(all_)


def test_it_learns_answers_by_heart_and_says_them(loud: Path, tmp_path: Path) -> None:
    found = loaded(loud)
    training = LoraTraining(found, QUICK, tmp_path / "work")
    names = [name for name, one in training.network.named_parameters() if one.requires_grad]
    assert names and all("lora_" in name and "visual" not in name for name in names)
    moves = list(training.run(examples(), CancelToken()))
    assert len(moves) == 60 and moves[-1].step == moves[-1].steps == 60
    assert moves[-1].loss < 0.1 < 5 < moves[0].loss
    training.save(tmp_path / "adapter")
    tuned = LoadedCheckpoint(Checkpoint("tuned", str(loud), lora=str(tmp_path / "adapter")), "cpu")
    answers = [tuned.ask(asked(f"case {place}"), 40) for place in range(3)]
    assert [one.text for one in answers] == list(ANSWERS)
    training.save_merged(tmp_path / "merged")
    merged = loaded(tmp_path / "merged")
    assert merged.ask(asked("case 1"), 40).text == "Buy tea"


def test_a_stopped_training_comes_out_the_same(tiny: Any, tmp_path: Path) -> None:
    settings = LoraSettings(rank=4, rate=1e-3, batch=2, epochs=3, dropout=0.2, keep_every=2)
    assert settings.moves(3) == 6
    whole = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "whole")
    parts = list(whole.run_in_parts(examples(), CancelToken()))
    told = [one.loss for one in parts if isinstance(one, LoraStep)]
    # Three examples in batches of two: the first move of each epoch has one on its way, the second none.
    assert [(one.step, one.taken) for one in parts if isinstance(one, LoraPart)] == [(1, 1), (3, 1), (5, 1)]
    assert [settings.taken(move, 3) for move in range(7)] == [0, 2, 3, 5, 6, 8, 9]
    token = CancelToken()
    first = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "parts")
    heard = []
    for move in first.run(examples(), token):
        heard.append(move.loss)
        if move.step == 3:
            token.cancel()
    second = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "parts")
    assert second.step == 3
    heard += [one.loss for one in second.run(examples(), CancelToken())]
    assert heard == pytest.approx(told, abs=1e-6)
    assert torch.allclose(weights(second), weights(whole), atol=1e-6)
    forget(tmp_path / "parts")
    assert LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "parts").step == 0


def test_what_cannot_be_told_is_skipped(tiny: Any, tmp_path: Path) -> None:
    def broken() -> TuningExample:
        raise UserError("the picture is cut off.")

    settings = LoraSettings(rank=2, batch=2, epochs=1)
    training = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path)
    moves = list(training.run([*examples(("a",)), ("b", broken)], CancelToken()))
    assert [(one.examples, one.skipped) for one in moves] == [(1, (("b", "the picture is cut off."),))]
    alone = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "alone")
    before = weights(alone).clone()
    (move,) = alone.run([("b", broken)], CancelToken())
    assert move.loss is None and torch.equal(weights(alone), before)


def test_what_is_refused(tiny: Any, tmp_path: Path) -> None:
    (tmp_path / "state.pt").write_bytes(b"nothing")
    with pytest.raises(UserError, match="is no state of this training"):
        LoraTraining(loaded(tiny("qwen2.5-vl")), LoraSettings(rank=2), tmp_path)
    training = LoraTraining(loaded(tiny("qwen2.5-vl")), LoraSettings(rank=2), tmp_path / "a")
    training.save(tmp_path / "adapter")
    adapted = LoadedCheckpoint(Checkpoint("x", str(tiny("qwen2.5-vl")), lora=str(tmp_path / "adapter")), "cpu")
    with pytest.raises(UserError, match="has an adapter already"):
        LoraTraining(adapted, LoraSettings(rank=2), tmp_path / "b")


@pytest.mark.parametrize("bad", [{"rank": 0}, {"rate": 0.0}, {"batch": 0}, {"dropout": 1.0}, {"epochs": 0}])
def test_numbers_that_cannot_be(bad: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="cannot be"):
        LoraSettings(**bad)


def test_moves_of_a_batch_that_is_not_full() -> None:
    assert LoraSettings(batch=64, epochs=2).moves(130) == 2 * 3
    assert LoraSettings(rank=16).scale == 32 and LoraSettings(rank=16, alpha=16).scale == 16


def test_a_batch_that_is_accumulated_is_one_step_of_the_mean_loss(tiny: Any, tmp_path: Path) -> None:
    """By hand: plain AdamW (β 0.9 and 0.999, ε 1e-8) moves by rate × g / (|g| + ε) at its first step, g being the mean
    of the single examples' gradients, cut to a length of 1."""
    settings = LoraSettings(rank=2, rate=1e-2, batch=64, epochs=1, dropout=0.0, warmup=0.0)
    words = [("a", "bc", "def", "x")[place % 4] + str(place) for place in range(64)]
    training = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path)
    before = weights(training).clone()
    alone = training._loaded
    losses, total = [], None
    for name, make in examples(tuple(words)):
        inputs, labels = alone.with_answer(make().messages, name)
        loss = training.network(**inputs, labels=labels).loss
        loss.backward()
        losses.append(loss.item())
    learned = [one for one in training.network.parameters() if one.requires_grad]
    total = torch.cat([one.grad.flatten() for one in learned]) / 64
    for one in learned:
        one.grad = None
    total = total / max(1.0, float(total.norm()))
    (move,) = training.run(examples(tuple(words)), CancelToken())
    assert (move.examples, training.step) == (64, 1)
    assert move.loss == pytest.approx(sum(losses) / 64, abs=1e-5)
    by_hand = before - move.rate * total / (total.abs() + 1e-8)
    moved = total.abs() > 1e-6  # where the gradient is nothing but rounding its sign is too
    assert move.rate == pytest.approx(1e-2) and int(moved.sum()) > 1000
    assert torch.allclose(weights(training)[moved], by_hand[moved], atol=1e-4)


def test_snapshots_are_the_weights_of_their_moves_and_come_out_the_same_after_a_stop(tiny: Any, tmp_path: Path) -> None:
    settings = LoraSettings(rank=4, rate=1e-3, batch=1, epochs=1, dropout=0.2, keep_every=3, snapshots=2)
    assert settings.snapshot_moves(5) == (2, 4, 5)
    many = examples(("a", "b", "c", "d", "e"))
    whole = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "whole")
    seen = {move.step: weights(whole).clone() for move in whole.run(many, CancelToken())}
    folders = {int(one.name): one for one in (tmp_path / "whole" / "snapshots.new").iterdir()}
    assert sorted(folders) == [2, 4, 5]

    def read(folder: Path) -> Any:
        from safetensors.torch import load_file

        return {name: one.clone() for name, one in load_file(folder / "adapter_model.safetensors").items()}

    kept = LoadedCheckpoint(Checkpoint("x", str(tiny("qwen2.5-vl")), lora=str(folders[4])), "cpu")
    assert kept.facts.adapts == folders[4]
    for step, folder in folders.items():
        flat = torch.cat([one.flatten() for one in read(folder).values()])
        assert torch.equal(flat.sort().values, seen[step].sort().values)
    token = CancelToken()
    first = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "parts")
    state = None
    for move in first.run(many, token):
        if move.step == 3:
            state = (tmp_path / "parts" / STATE).read_bytes()
        if move.step == 4:
            token.cancel()
    assert state is not None
    (tmp_path / "parts" / STATE).write_bytes(state)  # as a kill after the fourth move leaves it: its snapshot is there
    second = LoraTraining(loaded(tiny("qwen2.5-vl")), settings, tmp_path / "parts")
    assert [move.step for move in second.run(many, CancelToken())] == [4, 5]
    for step, folder in folders.items():
        again = read(tmp_path / "parts" / "snapshots.new" / folder.name)
        assert all(torch.equal(one, again[name]) for name, one in read(folder).items()), step
    assert torch.equal(weights(second), weights(whole))
    forget(tmp_path / "parts")
    assert not (tmp_path / "parts" / "snapshots.new").exists()


def test_what_is_published() -> None:
    """Navi-plus, appendix E.2."""
    small, large = (LoraSettings(**preset_values(name)) for name in ("navi-plus-3b", "navi-plus-8b"))  # type: ignore[arg-type]
    assert [(one.rank, one.batch, one.epochs, one.rate) for one in (small, large)] == [
        (64, 64, 1, 2e-4),
        (64, 64, 1, 5e-5),
    ]
    with pytest.raises(UsageError, match="no preset 'navi'"):
        preset_values("navi")
