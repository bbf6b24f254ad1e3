"""The training loop on a task that one can follow by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.training.loop import TrainingWarning, fit, outputs_of
from stepscope.models.training.state import Epoch, TrainingCheckpoint
from tests.full_disk import files_of_at_most
from tests.models.training.toy import Toy, toy_data

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")


TRAIN, CHECK = toy_data(64, 1), toy_data(32, 2)


def trained(recipe: Toy, **more: Any) -> tuple[TrainingCheckpoint, list[Epoch], list[TrainingWarning]]:
    events = list(fit(recipe, {}, recipe.hyper, 0, TRAIN, CHECK, **more))
    last = events[-1]
    assert isinstance(last, TrainingCheckpoint)
    return (
        last,
        [one for one in events if isinstance(one, Epoch)],
        [one for one in events if isinstance(one, TrainingWarning)],
    )


def test_it_learns_what_can_be_learned() -> None:
    done, epochs, troubles = trained(Toy())
    assert done.measure >= 0.95
    assert epochs[-1].train_loss < epochs[0].train_loss / 2
    assert done.over and not troubles
    assert [one.best for one in epochs].count(True) >= 1 and epochs[done.best].measure == done.measure


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = trained(Toy())[0], trained(Toy())[0]
    assert all(torch.equal(first.state[name], second.state[name]) for name in first.state)


def test_stopped_and_gone_on_with_it_ends_the_same(tmp_path: Path) -> None:
    whole, _, _ = trained(Toy())
    token, told = CancelToken(), []
    for event in fit(Toy(), {}, Toy.hyper, 0, TRAIN, CHECK, folder=tmp_path, token=token):
        told.append(event)
        if isinstance(event, Epoch) and event.epoch == 6:
            token.cancel()
    assert len([one for one in told if isinstance(one, Epoch)]) == 7
    validated: list[int] = []

    class Counted(Toy):
        def measure(self, outputs: Sequence[Any], targets: Sequence[Any], config: Any) -> float:
            validated.append(len(outputs))
            return super().measure(outputs, targets, config)

    again, epochs, _ = trained(Counted(), folder=tmp_path)
    assert [one.epoch for one in epochs] == list(range(30))  # those from before are told again, for the curves
    assert len(validated) == 23
    assert len(again.history) == 30
    assert all(torch.allclose(again.state[name], whole.state[name], atol=1e-6) for name in whole.state)


def test_a_full_disk_keeps_the_epochs_before_and_it_goes_on(tmp_path: Path) -> None:
    token = CancelToken()
    for event in fit(Toy(), {}, Toy.hyper, 0, TRAIN, CHECK, folder=tmp_path, token=token):
        if isinstance(event, Epoch) and event.epoch == 6:
            token.cancel()
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with (
        files_of_at_most(100),
        pytest.raises(UserError, match="cannot be kept: the disk is full"),
    ):
        trained(Toy(), folder=tmp_path)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    again, _, _ = trained(Toy(), folder=tmp_path)
    assert len(again.history) == 30


def test_a_state_that_was_cut_short_begins_anew(tmp_path: Path) -> None:
    trained(Toy(), folder=tmp_path)
    (file,) = tmp_path.glob("*.state.pt")
    file.write_bytes(file.read_bytes()[:100])
    _, epochs, _ = trained(Toy(), folder=tmp_path)
    assert epochs[0].epoch == 0


def test_it_stops_when_nothing_gets_better() -> None:
    class Blind(Toy):
        hyper = replace(Toy.hyper, patience=3)

        def measure(self, outputs: Sequence[Any], targets: Sequence[Any], config: Any) -> float:
            return 0.5

    _, epochs, _ = trained(Blind())
    assert len(epochs) == 4


def test_a_loss_that_is_no_number_goes_back_to_the_best_epoch() -> None:
    class Leaping(Toy):
        calls = 0

        def loss(self, outputs: Any, targets: Any, config: Any) -> Any:
            self.calls += 1
            sound = super().loss(outputs, targets, config)
            return sound * float("nan") if self.calls == 30 else sound

    done, _, troubles = trained(Leaping())
    assert len(troubles) == 1 and "no number" in troubles[0].text
    assert done.measure >= 0.9 and np.isfinite(done.measure)


def test_a_loss_that_never_is_a_number_is_told() -> None:
    class Broken(Toy):
        def loss(self, outputs: Any, targets: Any, config: Any) -> Any:
            return super().loss(outputs, targets, config) * float("nan")

    with pytest.raises(UserError, match="no usable network"):
        trained(Broken())


def test_outputs_do_not_hang_on_the_batch() -> None:
    torch.manual_seed(0)
    module = Toy().network({})
    whole = outputs_of(Toy(), module, TRAIN.examples)
    single = [outputs_of(Toy(), module, [example])[0] for example in TRAIN.examples]
    assert np.allclose([one[0] for one in whole], [one[0] for one in single], atol=1e-6)
