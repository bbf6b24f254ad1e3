"""Training as a person asks for it: splits, stopping, going on, what the card tells."""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import stepscope.models.features.vectors
import stepscope.models.learned.recipes
from stepscope.app.services.library import open_indexed
from stepscope.app.services.training import (
    Event,
    Stage,
    TrainingCancelled,
    TrainingFinished,
    TrainingRequest,
    TrainingSource,
    checked_recipe,
    train,
)
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources import recording
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.card import MACHINERY, read_card
from stepscope.models.learned.encoder_choice import EncoderNames
from stepscope.models.learned.recipe import Example, PreparedRequest, cuts
from stepscope.models.training import loop
from stepscope.models.training.loop import with_threads
from stepscope.models.training.state import Epoch
from tests.models.plain_encoders import PlainTexts
from tests.models.training.toy import Toy

pytestmark = pytest.mark.needs("torch", "onnxscript")


SIZE = Size(100, 200)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(
        stepscope.models.learned.recipes._RECIPES, "toy", (Task.FEASIBILITY, "tests.models.training.toy")
    )
    monkeypatch.setattr(stepscope.models.learned.recipes, "recipe", lambda name: Toy())
    monkeypatch.setattr("stepscope.app.services.training.recipe_named", lambda name: Toy())

    def features(*_: Any, **__: Any) -> Features:
        return Features([PlainTexts()])

    monkeypatch.setattr(stepscope.models.features.vectors, "load_features", features)
    monkeypatch.setattr("stepscope.models.learned.predictor.load_features", features)


def episode(number: int, split: str, app: str) -> Episode:
    words = 1 + number % 8
    label = FeasibilityLabel.INFEASIBLE if words > 4 else FeasibilityLabel.FEASIBLE
    return Episode(
        id=f"{number:03}",
        format="recording",
        platform=Platform.ANDROID,
        goal=" ".join(["abcde"] * words),
        steps=(Step(0, Observation(SIZE), Tap(Point(1, 1, SIZE))),),
        app=app,
        feasibility=Feasibility(label),
        splits=(split,) if split else (),
    )


def opened(folder: Path, splits: Sequence[str], app: str = "com.stepscope.sample.clock") -> tuple[Database, Any]:
    for number, split in enumerate(splits):
        write_recording(episode(number, split, f"{app}{number % 7}"), folder / f"{number:03}")
    database = Database.open(store_url(folder.parent / "store.db"))
    *_, last = open_indexed(database, folder, CancelToken())
    return database, last


THREE = ["train"] * 48 + ["validation"] * 16 + ["app_unseen"] * 24


def events(data: tuple[Database, Any], out: Path, **more: Any) -> Iterator[Event]:
    hyper = replace(Toy.hyper, epochs=12, seeds=(0, 1), **more.pop("hyper", {}))
    request = TrainingRequest(Task.FEASIBILITY, "toy", folder=out, hyper=hyper, onnx=more.get("onnx", False))
    database, indexed = data
    return train(database, [TrainingSource(indexed.source, indexed.source_id)], request)


def test_it_is_trained_measured_and_kept(tmp_path: Path) -> None:
    out = tmp_path / "toy"
    told = list(events(opened(tmp_path / "data", THREE), out, onnx=True))
    assert isinstance(told[-1], TrainingFinished)
    card = read_card(out)
    assert card == told[-1].trained.card
    assert sorted(file.name for file in out.iterdir()) == ["card.json", "model.onnx", "weights.safetensors"]
    assert card.weights == hashlib.sha256((out / "weights.safetensors").read_bytes()).hexdigest()
    assert [one["seed"] for one in card.seeds] == [0, 1]
    assert card.data["splits"]["train"] == {"name": "train", "episodes": 48, "items": 48}
    assert card.data["splits"]["held_out"]["episodes"] == 24
    held_out = card.held_out
    assert held_out["n"] == 24 and held_out["metrics"]["accuracy"] >= 0.9
    # Half of the goals have more than four words.
    assert held_out["against"]["always-feasible"]["baseline"] == 0.5
    assert held_out["against"]["always-feasible"]["ci"][0] > 0
    assert held_out["over_seeds"]["n"] == 2
    assert card.config["chosen"] == 0.5
    assert card.note == MACHINERY
    assert json.loads((out / "card.json").read_text())["format"] == 1


def test_stopped_it_goes_on_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out, token = opened(tmp_path / "data", THREE), tmp_path / "toy", CancelToken()
    database, indexed = data
    request = TrainingRequest(Task.FEASIBILITY, "toy", folder=out, hyper=replace(Toy.hyper, epochs=12, seeds=(0, 1)))
    told = []
    for event in train(database, [TrainingSource(indexed.source, indexed.source_id)], request, token):
        told.append(event)
        if isinstance(event, Epoch) and (event.seed, event.epoch) == (1, 3):
            token.cancel()
    assert told[-1] == TrainingCancelled(out, 16)
    assert not (out / "card.json").exists()
    worked: list[float] = []
    epoch_of = loop._Fitting._epoch
    monkeypatch.setattr(loop._Fitting, "_epoch", lambda fitting: worked.append(0.0) or epoch_of(fitting))
    again = [one for one in events(data, out) if isinstance(one, Epoch)]
    assert [(one.seed, one.epoch) for one in again] == [(seed, epoch) for seed in (0, 1) for epoch in range(12)]
    assert len(worked) == 8, "those from before are told, not done again"
    straight = tmp_path / "straight"
    list(events(data, straight))
    first, second = read_card(out), read_card(straight)
    assert first.held_out["metrics"] == second.held_out["metrics"]


def test_other_settings_begin_anew(tmp_path: Path) -> None:
    data, out, token = opened(tmp_path / "data", THREE), tmp_path / "toy", CancelToken()
    database, indexed = data
    request = TrainingRequest(Task.FEASIBILITY, "toy", folder=out, hyper=replace(Toy.hyper, epochs=12, seeds=(0,)))
    for event in train(database, [TrainingSource(indexed.source, indexed.source_id)], request, token):
        if isinstance(event, Epoch) and event.epoch == 3:
            token.cancel()
    again = [one for one in events(data, out, hyper={"rate": 0.01}) if isinstance(one, Epoch)]
    assert again[0].epoch == 0


class Shortener(Toy):
    """Learns from the beginnings of goals too."""

    def shortened(self, draft: PreparedRequest, vectors: Vectors, copies: int) -> list[Example]:
        lengths = self.example(draft, vectors)["lengths"]
        return [{"lengths": lengths[:end]} for end in cuts(len(lengths), copies)]


def test_copies_that_are_cut_short_are_learned_from_and_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: goals of 1 to 8 words, six times each; two copies of each, one of those of two words, none of one."""
    data = opened(tmp_path / "data", THREE)
    with pytest.raises(UsageError, match="toy does not learn from items that are cut short"):
        list(events(data, tmp_path / "toy", hyper={"prefixes": 2}))
    monkeypatch.setattr("stepscope.app.services.training.recipe_named", lambda name: Shortener())
    list(events(data, tmp_path / "short", hyper={"prefixes": 2}))
    card = read_card(tmp_path / "short")
    splits = card.data["splits"]
    assert splits["train"] == {"name": "train", "episodes": 48, "items": 48 + 6 * (0 + 1 + 6 * 2)}
    assert splits["validation"]["items"] == 16 and card.training["prefixes"] == 2


@pytest.mark.parametrize(("asked", "seeds", "at_once", "kept"), [(0, (0, 1), 2, 2), (0, (0,), 4, 4), (3, (0, 1), 2, 3)])
def test_the_card_keeps_with_how_many_threads_it_was_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: int, seeds: tuple[int, ...], at_once: int, kept: int
) -> None:
    """By hand: four threads; of two seeds at the same time each has two of them."""
    monkeypatch.setattr("torch.get_num_threads", lambda: 4)
    told: list[int] = []
    monkeypatch.setattr("torch.set_num_threads", told.append)
    hyper = replace(Toy.hyper, threads=asked, seeds=seeds, side_by_side=at_once)
    assert with_threads(hyper).threads == kept
    list(events(opened(tmp_path / "data", THREE), tmp_path / "toy", hyper={"threads": asked}))
    assert read_card(tmp_path / "toy").training["threads"] == (asked or 4)
    assert {*told[::2]} == {asked or 4} and {*told[1::2]} == {4}  # and as before when it is done


class Parted(Toy):
    """Could do without counting."""

    parts = ("counting", "words")


def test_what_is_left_out_stands_in_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = opened(tmp_path / "data", THREE)
    with pytest.raises(UsageError, match="toy has no part 'counting' to do without"):
        list(events(data, tmp_path / "toy", hyper={"without": "counting"}))
    monkeypatch.setattr("stepscope.app.services.training.recipe_named", lambda name: Parted())
    list(events(data, tmp_path / "parted", hyper={"without": "counting, words"}))
    card = read_card(tmp_path / "parted")
    assert card.config["without"] == ["counting", "words"] and card.training["without"] == "counting, words"


class Inventor(Toy):
    """Makes up another item of each, and asks no encoder."""

    encoded = False

    def prepare(self, request: EpisodeRequest, features: Features) -> PreparedRequest:
        return PreparedRequest(request)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        return super().example(replace(draft, texts=(draft.request.goal,)), vectors)

    def invented(self, item: Item) -> list[Item]:
        request = item.request
        assert isinstance(request, EpisodeRequest)
        return [replace(item, request=replace(request, goal=f"{request.goal} again"))]


def test_what_is_made_up_is_learned_from_and_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: 48 goals to learn from and as many made up, 16 to choose by."""
    data = opened(tmp_path / "data", THREE)
    monkeypatch.setattr("stepscope.app.services.training.recipe_named", lambda name: Inventor())
    monkeypatch.setattr(stepscope.models.learned.recipes, "recipe", lambda name: Inventor())
    list(events(data, tmp_path / "made"))
    card = read_card(tmp_path / "made")
    assert card.data["splits"]["train"]["items"] == 2 * 48 and card.data["splits"]["validation"]["items"] == 16
    assert card.features == "no pictures" and card.config["encoders"] == {"texts": "", "views": ""}
    request = TrainingRequest(Task.FEASIBILITY, recipe="toy", encoders=EncoderNames("other"))
    with pytest.raises(UsageError, match="toy asks no encoder"):
        checked_recipe(request)


def test_without_splits_whole_apps_are_dealt_out(tmp_path: Path) -> None:
    out = tmp_path / "toy"
    told = list(events(opened(tmp_path / "data", [""] * 70, "org.example.app"), out))
    assert isinstance(told[-1], TrainingFinished)
    card = told[-1].trained.card
    sizes = [card.data["splits"][name]["episodes"] for name in ("train", "validation", "held_out")]
    assert card.data["dealt"] is True
    assert sizes == [50, 10, 10]  # five, one and one of the seven apps
    assert card.note == ""


@pytest.mark.parametrize(
    ("apps", "sizes"), [(3, (1, 1, 1)), (4, (2, 1, 1)), (5, (3, 1, 1)), (7, (5, 1, 1)), (20, (14, 3, 3))]
)
def test_every_part_has_an_app_where_there_are_three(apps: int, sizes: tuple[int, int, int]) -> None:
    from stepscope.app.services.training_splits import dealt

    units = [str(number) for number in range(apps)]
    parts = dealt(units, {unit: f"app {unit}" for unit in units})
    assert (len(parts.train), len(parts.validation), len(parts.held_out)) == sizes
    assert sorted([*parts.train, *parts.validation, *parts.held_out]) == sorted(units)


def test_a_split_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no episode for validation"):
        list(events(opened(tmp_path / "data", ["train"] * 20), tmp_path / "toy"))


def test_what_is_being_done_is_told(tmp_path: Path) -> None:
    told = list(events(opened(tmp_path / "data", THREE), tmp_path / "toy"))
    doing = list(dict.fromkeys(one.doing for one in told if isinstance(one, Stage)))
    assert doing == [
        "Loading the encoders",
        "Reading the training split",
        "Reading the validation split",
        "Preparing the targets",
        "Measuring",
        "Reading the held-out split",
        "Measuring seed 0",
        "Measuring seed 1",
        "Measuring always-feasible",
    ]


@pytest.mark.parametrize("read", [1, 110, 150])
def test_data_that_goes_at_any_time_makes_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: int) -> None:
    """Files are read twice for an episode: of 48 to train and 16 to validate; then the 24 held-out ones for each of two
    seeds and the baselines."""
    data, out = opened(tmp_path / "data", THREE), tmp_path / "toy"
    reads, form = itertools.count(1), recording.recording_form

    def counted(folder: Path) -> Any:
        if next(reads) == read:
            shutil.rmtree(tmp_path / "data")
        return form(folder)

    monkeypatch.setattr(recording, "recording_form", counted)
    with pytest.raises(UserError, match="not there any more"):
        list(events(data, out))
    assert not (tmp_path / "data").exists(), "else files are read less often than this test thinks"
    assert not (out / "card.json").exists()


def test_held_out_episodes_that_are_gone_are_told(tmp_path: Path) -> None:
    data, out = opened(tmp_path / "data", THREE), tmp_path / "toy"
    with pytest.raises(UserError, match="1 of 24 held-out episodes are not there any more"):
        for event in events(data, out):
            if isinstance(event, Stage) and event.doing == "Measuring":
                shutil.rmtree(tmp_path / "data" / "080")
    assert not (out / "card.json").exists()
