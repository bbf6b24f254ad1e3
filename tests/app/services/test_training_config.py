"""Settings of trainings out of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services.training_config import (
    TrainingConfig,
    encoders_over,
    hyper_over,
    preset,
    presets,
    read_config,
    weighted,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.models.learned.encoder_choice import EncoderNames
from stepscope.models.learned.recipe import Hyper


def config(folder: Path, text: str) -> TrainingConfig:
    file = folder / "mine.toml"
    file.write_text(text, "utf-8")
    return read_config(file)


def test_every_preset_can_be_read_and_says_where_it_is_from() -> None:
    found = presets()
    assert {one.name for one in found} >= {"motif-feasibility", "sequencing-text", "sequencing-multimodal"}
    assert all(one.task and one.title and one.source and one.settings for one in found)


def test_the_published_classifier_of_feasibility() -> None:
    # MoTIF, section 4: cross entropy by SGD, learning rate 1e-2, 50 epochs; the mean of ten trainings.
    hyper = preset("motif-feasibility").over(Hyper())
    assert (hyper.optimizer, hyper.rate, hyper.epochs, len(hyper.seeds)) == ("sgd", 0.01, 50, 10)


def test_the_person_goes_before_files_and_files_before_the_recipe(tmp_path: Path) -> None:
    mine = config(tmp_path, 'task = "ordering"\n[settings]\nepochs = 3\nrate = 1\n[encoders]\ntexts = "a+b"\n')
    own = Hyper(epochs=60, batch=16)
    made = hyper_over(own, Task.ORDERING, [preset("sequencing-text"), mine], {"rate": 0.5, "batch": None})
    assert (made.epochs, made.rate, made.batch, made.schedule, made.warmup) == (3, 0.5, 16, "linear", 0.1)
    assert encoders_over([mine]) == EncoderNames("a+b")
    assert encoders_over([mine], "c", "d") == EncoderNames("c", "d")
    with pytest.raises(UsageError, match="mine is about ordering, not about goal"):
        hyper_over(own, Task.GOAL, [mine], {})
    with pytest.raises(UsageError, match=r"no optimizer 'adamx'\. Did you mean adam"):
        hyper_over(own, Task.GOAL, [], {"optimizer": "adamx"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[settings\n", "cannot be read"),
        ('task = "dancing"', "task: 'dancing' is no task"),
        ("title = 3", "title: is no text"),
        ("epochs = 3", "epochs: is not known"),
        ("settings = 3", "settings: is no table"),
        ("[settings]\nepoch = 3", r"settings\.epoch: is not known. Did you mean epochs"),
        ("[settings]\nepochs = 0", r"settings\.epochs: 0 is not a whole number from 1 on"),
        ("[settings]\nepochs = true", r"settings\.epochs: True is not a whole number"),
        ("[settings]\nrate = nan", r"settings\.rate: nan is not a number from 0 on"),
        ("[settings]\nseeds = []", r"settings\.seeds: \[\] is not a list of seeds"),
        ("[settings]\noptimizer = 1", r"settings\.optimizer: 1 is not a text"),
        ("[encoders]\nsounds = 'x'", r"encoders\.sounds: is not known"),
        ("[encoders]\ntexts = 1", "encoders: is no table of names"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_field(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as told:
        config(tmp_path, text)
    assert str(told.value.place) == str(tmp_path / "mine.toml")


def test_a_weight_stands_behind_the_last_colon(tmp_path: Path) -> None:
    assert weighted("data/a:0.3") == (Path("data/a"), 0.3)
    assert weighted("data/a") == (Path("data/a"), 1.0)
    assert weighted("C:data") == (Path("C:data"), 1.0)
    named = tmp_path / "odd:2"
    named.mkdir()
    assert weighted(str(named)) == (named, 1.0)
    assert weighted(f"{named}:.5") == (named, 0.5)
    with pytest.raises(UsageError, match="0 is no weight for data/a"):
        weighted("data/a:0")
