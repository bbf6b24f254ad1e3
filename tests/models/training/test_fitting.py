"""What the loop promises beyond learning: the same numbers whatever happens on the way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.learned.recipe import Hyper
from stepscope.models.training import loop
from stepscope.models.training.batches import BatchLoader, Share, batch_rows, epoch_order
from stepscope.models.training.examples import ExampleWriter, JoinedExamples, MemoryExamples, StoredExamples
from stepscope.models.training.loop import TrainingWarning, fit, training_dtype
from stepscope.models.training.pace import Stopwatch, TrainingPace
from stepscope.models.training.schedules import optimizer_of, share_of_rate
from stepscope.models.training.side_by_side import SeedTraining, fit_side_by_side
from stepscope.models.training.state import Epoch, TrainingCheckpoint
from tests.models.training.toy import Toy, toy_data

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")

TRAIN, CHECK = toy_data(64, 1), toy_data(32, 2)
SHORT = replace(Toy.hyper, epochs=5)


def trained(recipe: Toy | None = None, hyper: Hyper = SHORT, data: Any = TRAIN, **more: Any) -> TrainingCheckpoint:
    *_, last = fit(recipe or Toy(), {}, hyper, 0, data, CHECK, **more)
    assert isinstance(last, TrainingCheckpoint)
    return last


def assert_same(first: TrainingCheckpoint, second: TrainingCheckpoint, atol: float = 0.0) -> None:
    assert first.state.keys() == second.state.keys()
    for name, tensor in first.state.items():
        torch.testing.assert_close(tensor, second.state[name], atol=atol, rtol=0)


class Dropping(Toy):
    """With dropout, so that the random numbers of a batch hang on all batches before it."""

    def network(self, config: Any) -> Any:
        inner = super().network(config)
        inner.hidden = torch.nn.Sequential(inner.hidden, torch.nn.Dropout(0.3))
        return inner


class Stopping(Dropping):
    """Cancels the token at a loss; `kill` raises in its place, as a process that dies writes nothing more."""

    def __init__(self, at: int, token: CancelToken, *, kill: bool = False) -> None:
        self.left, self.token, self.kill = at, token, kill

    def loss(self, outputs: Any, targets: Any, config: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            self.token.cancel()
            if self.kill:
                raise KeyboardInterrupt
        return super().loss(outputs, targets, config)


def test_stopped_in_the_middle_of_an_epoch_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = trained(Dropping())
    token = CancelToken()
    stopped = trained(Stopping(20, token), folder=tmp_path, token=token)
    # Of 8 batches and a validation each, the 20th loss is that of the third epoch's second batch.
    assert (stopped.epoch, stopped.batch, stopped.over) == (2, 2, False)
    again = trained(Dropping(), folder=tmp_path)
    assert again.history == whole.history
    assert_same(again, whole)


def test_killed_after_a_kept_batch_it_ends_with_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = trained(Dropping())
    monkeypatch.setattr(loop, "KEEP_SECONDS", 0.0)
    token = CancelToken()
    with pytest.raises(KeyboardInterrupt):
        trained(Stopping(22, token, kill=True), folder=tmp_path)
    kept = torch.load(tmp_path / "seed-0.state.pt", weights_only=True)
    assert 0 < kept["batch"] < 8 and kept["epoch"] == len(kept["history"]) > 0
    again = trained(Dropping(), folder=tmp_path)
    assert again.history == whole.history
    assert_same(again, whole)


def test_a_batch_in_parts_gives_the_same_gradient() -> None:
    assert_same(trained(hyper=replace(SHORT, accumulate=4)), trained(), atol=1e-5)


def test_a_batch_that_does_not_fit_is_divided_and_it_is_said() -> None:
    class Large(Toy):
        def loss(self, outputs: Any, targets: Any, config: Any) -> Any:
            if torch.is_grad_enabled() and len(targets[0]) > 3:
                raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
            return super().loss(outputs, targets, config)

    events = list(fit(Large(), {}, SHORT, 0, TRAIN, CHECK))
    told = [one.text for one in events if isinstance(one, TrainingWarning)]
    assert told == [
        "A batch of 8 does not fit into memory: it is computed 4 items at a time.",
        "A batch of 8 does not fit into memory: it is computed 2 items at a time.",
    ]
    done = events[-1]
    assert isinstance(done, TrainingCheckpoint)
    assert_same(done, trained(), atol=1e-5)


def test_an_item_that_does_not_fit_alone_is_an_error() -> None:
    class Larger(Toy):
        def loss(self, outputs: Any, targets: Any, config: Any) -> Any:
            raise RuntimeError("CUDA out of memory")

    with pytest.raises(RuntimeError, match="out of memory"):
        trained(Larger())


def test_worker_processes_change_nothing(tmp_path: Path) -> None:
    stored = kept(tmp_path, TRAIN)
    assert_same(
        trained(hyper=replace(SHORT, epochs=2, workers=2), data=stored), trained(hyper=replace(SHORT, epochs=2))
    )


def test_what_goes_wrong_in_a_worker_process_is_told(tmp_path: Path) -> None:
    stored = kept(tmp_path, TRAIN)
    loader = BatchLoader(Broken(), {}, stored, workers=1)
    try:
        with pytest.raises(UserError, match=r"^picture\.png: gone\.$"):
            list(loader.batches([np.arange(4)]))
    finally:
        loader.close()


class Broken(Toy):
    def collate(self, examples: Any) -> Any:
        raise UserError("gone.", place="picture.png")


def test_half_precision_learns_too() -> None:
    done = trained(hyper=replace(Toy.hyper, precision="bfloat16"))
    assert done.measure >= 0.9
    assert all(tensor.dtype == torch.float32 for tensor in done.state.values())
    with pytest.raises(UsageError, match="does not train in float16"):
        training_dtype("float16", "cpu")
    with pytest.raises(UsageError, match="no precision"):
        training_dtype("float8", "cpu")


def test_what_is_frozen_stays_and_is_not_kept(tmp_path: Path) -> None:
    class Frozen(Toy):
        def network(self, config: Any) -> Any:
            module = super().network(config)
            with torch.no_grad():
                module.hidden.weight.fill_(0.5)
            module.hidden.requires_grad_(False)
            return module

    done = trained(Frozen(), folder=tmp_path)
    assert sorted(done.state) == ["out.bias", "out.weight"]
    kept_state = torch.load(tmp_path / "seed-0.state.pt", weights_only=True)
    assert sorted(kept_state["module"]) == ["out.bias", "out.weight"]


def test_the_pace_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.models.training.pace.SECONDS", 0.0)
    told = [one for one in fit(Toy(), {}, replace(SHORT, epochs=1), 0, TRAIN, CHECK) if isinstance(one, TrainingPace)]
    assert [one.batch for one in told] == list(range(1, 9)) and {one.batches for one in told} == {8}
    assert all(one.items_per_second > 0 and one.memory > 0 for one in told)
    assert all(0 <= one.data + one.forward + one.backward <= 1.0001 for one in told)


def test_the_shares_of_time_by_hand() -> None:
    now = iter([0.0, 0.1, 0.4, 1.0, 1.25, 1.25])
    watch = Stopwatch("cpu", lambda: next(now))
    watch.lap("data")  # 0.1
    watch.lap("forward")  # 0.3
    watch.lap("backward")  # 0.6
    assert watch.told(5) == (4.0, 0.08, pytest.approx(0.24), pytest.approx(0.48))  # 5 items in 1.25 s


# The learning rate ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "warmup", "shares"),
    [
        ("constant", 0.0, [1, 1, 1, 1]),
        ("linear", 0.0, [1, 0.75, 0.5, 0.25]),
        ("linear", 0.5, [0.5, 1, 1, 0.5]),
        ("cosine", 0.0, [1, (1 + math.cos(math.pi / 4)) / 2, 0.5, (1 + math.cos(3 * math.pi / 4)) / 2]),
    ],
)
def test_schedules_by_hand(schedule: str, warmup: float, shares: Sequence[float]) -> None:
    hyper = Hyper(schedule=schedule, warmup=warmup)
    assert [share_of_rate(hyper, step, 4) for step in range(4)] == pytest.approx(shares)


def test_one_step_of_each_optimizer_by_hand() -> None:
    # The gradient of w**2 at 1 is 2; a first step of Adam is the rate, whatever the gradient.
    after = {}
    for name in ("sgd", "adam", "adamw"):
        weight = torch.nn.Parameter(torch.tensor([1.0]))
        optimizer = optimizer_of([weight], Hyper(rate=0.1, weight_decay=0.5, optimizer=name))
        (weight**2).sum().backward()
        optimizer.step()
        after[name] = float(weight.detach())
    # sgd: 1 - 0.1 * (2 + 0.5); adam: the decay is in the gradient; adamw: 1 - 0.1 * 0.5 first
    assert after == {"sgd": pytest.approx(0.75), "adam": pytest.approx(0.9), "adamw": pytest.approx(0.85)}
    with pytest.raises(UsageError, match="no optimizer 'lion'"):
        optimizer_of([torch.nn.Parameter(torch.zeros(1))], Hyper(optimizer="lion"))
    with pytest.raises(UsageError, match="no schedule"):
        share_of_rate(Hyper(schedule="steps"), 0, 1)


# What an epoch sees ---------------------------------------------------------------------------------------------------


def test_sources_come_with_their_weights() -> None:
    joined = JoinedExamples([toy_data(10, 1), toy_data(40, 2), toy_data(5, 3)])
    order = epoch_order(joined, (1.0, 0.3, 2.0), 7)
    counts = [int(((order >= a) & (order < b)).sum()) for a, b in ((0, 10), (10, 50), (50, 55))]
    assert counts == [10, 12, 10]
    assert len(set(order[order < 10])) == 10 and len(set(order[(order >= 10) & (order < 50)])) == 12
    assert sorted(order[order >= 50]) == sorted([50, 51, 52, 53, 54] * 2)
    other = epoch_order(joined, (1.0, 0.3, 2.0), 8)
    assert set(other[(other >= 10) & (other < 50)]) != set(order[(order >= 10) & (order < 50)])


@given(count=st.integers(1, 200), batch=st.integers(1, 40), size=st.integers(1, 5), first=st.integers(0, 3))
def test_processes_share_every_batch_between_them(count: int, batch: int, size: int, first: int) -> None:
    order = np.random.default_rng(0).permutation(count)
    whole = batch_rows(order, batch, first=first)
    shares = [batch_rows(order, batch, Share(rank, size), first) for rank in range(size)]
    assert all(len(share) == len(whole) for share in shares)
    for place, rows in enumerate(whole):
        parts = [share[place] for share in shares]
        assert all(len(part) for part in parts)
        assert set(np.concatenate(parts)) == set(rows)
    assert [*np.concatenate([np.zeros(0), *whole])] == [*order[first * batch :]]


# Examples on disk -----------------------------------------------------------------------------------------------------


def kept(folder: Path, data: MemoryExamples) -> StoredExamples:
    writer = ExampleWriter(folder)
    for example, target in zip(data.examples, data.targets, strict=True):
        writer.add(example, target)
    return writer.finish()


ARRAYS = st.one_of(
    st.integers(-(2**40), 2**40).map(lambda n: np.array(n)),
    st.text(max_size=20).map(lambda text: np.array(text)),
    st.tuples(st.integers(0, 4), st.integers(0, 5)).map(lambda shape: np.arange(math.prod(shape)).reshape(shape) / 7),
    st.integers(0, 9).map(lambda n: np.arange(n, dtype=np.float16)),
    st.lists(st.text(max_size=5), max_size=4).map(lambda words: np.array(words, dtype=str)),
)
ITEMS = st.lists(st.tuples(*[st.dictionaries(st.sampled_from("abc"), ARRAYS)] * 2), max_size=6)


@given(items=ITEMS)
def test_whatever_is_kept_comes_back(items: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    stored = kept(
        tmp_path_factory.mktemp("kept"), MemoryExamples([one for one, _ in items], [other for _, other in items])
    )
    assert len(stored) == len(items)
    for found, wanted in zip(pairs(stored), items, strict=True):
        for one, other in zip(found, wanted, strict=True):
            assert one.keys() == other.keys()
            for name in one:
                assert one[name].dtype == other[name].dtype and one[name].shape == other[name].shape
                assert (one[name] == other[name]).all()


def pairs(stored: StoredExamples) -> Iterator[tuple[Any, Any]]:
    return zip(stored.examples, stored.targets, strict=True)


def test_examples_that_are_cut_off_are_told(tmp_path: Path) -> None:
    stored = kept(tmp_path, TRAIN)
    data = (tmp_path / "examples.bin").read_bytes()
    (tmp_path / "examples.bin").write_bytes(data[: len(data) // 2])
    with pytest.raises(UserError, match="the kept examples cannot be read: it is cut off"):
        len(stored)


def test_slices_and_places_from_the_end(tmp_path: Path) -> None:
    stored = JoinedExamples([kept(tmp_path / "a", toy_data(3, 1)), kept(tmp_path / "b", toy_data(2, 2))])
    plain = [*toy_data(3, 1).targets, *toy_data(2, 2).targets]
    assert [one["label"] for one in stored.targets] == [one["label"] for one in plain]
    assert [one["label"] for one in stored.targets[1:4]] == [one["label"] for one in plain[1:4]]
    assert stored.targets[-1]["label"] == plain[-1]["label"]
    with pytest.raises(IndexError):
        stored.targets[5]


# Seeds side by side ---------------------------------------------------------------------------------------------------


def side_by_side(folder: Path, recipe: Toy, token: CancelToken | None = None) -> list[Any]:
    hyper = replace(Toy.hyper, epochs=2, seeds=(0, 1, 2))
    train, check = kept(folder / "train", TRAIN), kept(folder / "check", CHECK)
    work = SeedTraining(recipe, {}, hyper, train, check, (), "cpu", folder)
    return list(fit_side_by_side(work, 2, token or CancelToken()))


@pytest.mark.chain
def test_seeds_side_by_side_learn_what_they_learn_in_turn(tmp_path: Path) -> None:
    events = side_by_side(tmp_path, Toy())
    assert sorted((one.seed, one.epoch) for one in events if isinstance(one, Epoch)) == [
        (seed, epoch) for seed in range(3) for epoch in range(2)
    ]
    done = [one for one in events if isinstance(one, TrainingCheckpoint)]
    assert [one.seed for one in done] == [0, 1, 2]
    for one in done:
        *_, alone = fit(Toy(), {}, replace(Toy.hyper, epochs=2), one.seed, TRAIN, CHECK)
        assert isinstance(alone, TrainingCheckpoint)
        assert_same(one, alone, atol=1e-6)


class Failing(Toy):
    def measure(self, outputs: Any, targets: Any, config: Any) -> float:
        raise UserError("the labels are gone.", place="data")


def test_what_goes_wrong_with_one_seed_ends_all_and_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the labels are gone"):
        side_by_side(tmp_path, Failing())


@pytest.mark.chain
def test_cancelled_side_by_side_they_go_on_in_turn(tmp_path: Path) -> None:
    token, told = CancelToken(), []
    hyper = replace(Toy.hyper, epochs=40, patience=40, seeds=(0, 1))
    train, check = kept(tmp_path / "train", TRAIN), kept(tmp_path / "check", CHECK)
    work = SeedTraining(Toy(), {}, hyper, train, check, (), "cpu", tmp_path)
    for event in fit_side_by_side(work, 2, token):
        told.append(event)
        token.cancel()
    assert all(not one.over for one in told if isinstance(one, TrainingCheckpoint))
    for seed in (0, 1):
        *_, again = fit(Toy(), {}, hyper, seed, train, check, folder=tmp_path)
        *_, alone = fit(Toy(), {}, hyper, seed, train, check)
        assert isinstance(again, TrainingCheckpoint) and isinstance(alone, TrainingCheckpoint)
        assert_same(again, alone, atol=1e-5)


def test_what_is_chosen_by_is_the_mean_over_sources() -> None:
    class Told(Toy):
        def measure(self, outputs: Any, targets: Any, config: Any) -> float:
            return 1.0 if len(outputs) == 4 else 0.5

    validation = JoinedExamples([toy_data(4, 5), toy_data(28, 6), MemoryExamples()])
    *_, done = fit(Told(), {}, replace(SHORT, epochs=1), 0, TRAIN, validation)
    assert isinstance(done, TrainingCheckpoint) and done.measure == 0.75


class TwoParts(Toy):
    """Its hidden layer stands for what came with an encoder."""

    came_with_weights = ("hidden.",)

    def loaded(self, example: Any) -> Any:
        return example


def test_encoders_rest_first_and_then_move_at_their_share_of_the_rate() -> None:
    """With sgd a step is the rate times the gradient, so that the first steps of two trainings that differ in nothing
    else can be held against each other."""
    plain = replace(
        SHORT, epochs=1, optimizer="sgd", weight_decay=0.0, batch=64, clip=0.0, schedule="constant", workers=0
    )
    torch.manual_seed(0)
    begin = {name: one.clone() for name, one in TwoParts().network({}).state_dict().items()}

    def moved(**more: Any) -> dict[str, Any]:
        state = trained(TwoParts(), replace(plain, **more)).state
        return {name: state[name] - begin[name] for name in state}

    whole, tenth, resting = moved(), moved(encoder_rate=0.1), moved(head_first=1)
    for name in whole:
        came = name.startswith("hidden.")
        assert float(whole[name].abs().sum()) > 0
        torch.testing.assert_close(tenth[name], whole[name] * (0.1 if came else 1.0), atol=1e-6, rtol=1e-3)
        torch.testing.assert_close(resting[name], whole[name] * (0.0 if came else 1.0), atol=0, rtol=0)
    after = moved(head_first=1, epochs=2)
    assert all(float(after[name].abs().sum()) > 0 for name in after)


def test_two_rates_go_on_where_they_were(tmp_path: Path) -> None:
    class StoppingParts(Stopping):
        came_with_weights = ("hidden.",)

        def loaded(self, example: Any) -> Any:
            return example

    hyper = replace(SHORT, epochs=4, encoder_rate=0.1, head_first=2, workers=0)
    token, never = CancelToken(), CancelToken()
    assert not trained(StoppingParts(20, token), hyper, folder=tmp_path, token=token).over
    again = trained(StoppingParts(10**6, never), hyper, folder=tmp_path)
    assert_same(trained(StoppingParts(10**6, never), hyper), again)
