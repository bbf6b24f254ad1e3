"""The settings of the Train dock in the whole window: from what is chosen to the job that is started, the equal command
and the next start."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.cli.main import run as command
from stepscope.app.gui.features.training.stored_form import restored, stored
from stepscope.app.gui.shell.events import ModelsChanged
from stepscope.app.services import training
from stepscope.app.services.worker import TrainingJob
from stepscope.core.domain.prediction import Task
from stepscope.core.progress import CancelToken
from stepscope.models.learned.encoder_choice import EncoderNames
from stepscope.models.learned.recipe import Hyper
from stepscope.widgets.training import MoreData, RecipeChoice, TrainRequest
from tests.app.gui.learned import ENCODERS

pytestmark = pytest.mark.needs("torch")


def started(person) -> list[TrainingJob]:
    """The jobs that are started from now on; nothing is trained."""
    jobs: list[TrainingJob] = []

    def events(job: TrainingJob, _token: CancelToken) -> Iterator[Any]:
        jobs.append(job)
        yield from ()

    person.bench.training.work = events
    return jobs


def train(person) -> None:
    """Press Train and wait for the end."""
    person.press("Ctrl+Return", person.window.training.form)
    person.until(lambda: not person.bench.training.is_running, "the end")
    person.settle()


def items(combo) -> list[str]:
    return [combo.itemText(row) for row in range(combo.count())]


def change_everything(person, other: Path) -> None:
    """Choose something else than usual for all that the form has besides splits."""
    fields = person.window.training.form.fields
    fields.texts.set_reference("minilm+my-clip:tokens")
    fields.others.add(str(other))
    fields.others._rows[0].weight.setValue(0.3)
    fields.weight.setValue(2.0)
    fields.name.setText("mine")
    fields.seeds.setText("0-2")
    more = fields.more
    for combo, value in ((more.optimizer, "sgd"), (more.schedule, "cosine"), (more.precision, "bfloat16")):
        combo.setCurrentIndex(combo.findData(value))
    for spin, value in (
        (fields.epochs, 3), (fields.patience, 2), (fields.batch, 16), (fields.rate, 0.0123), (more.momentum, 0.9),
        (more.weight_decay, 5e-4), (more.warmup, 12.5), (more.clip, 0), (more.accumulate, 2), (more.workers, 0),
    ):  # fmt: skip
        spin.setValue(value)
    fields.onnx.setChecked(False)


EVERYTHING = Hyper(
    epochs=3, batch=16, rate=0.0123, weight_decay=5e-4, optimizer="sgd", patience=2, seeds=(0, 1, 2), momentum=0.9,
    schedule="cosine", warmup=0.125, clip=0.0, accumulate=2, precision="bfloat16", workers=0,
)  # fmt: skip


# Encoders -------------------------------------------------------------------------------------------------------------


def test_encoders_of_texts_are_offered_and_those_of_pictures_where_they_are_wanted(
    open_window, goals, toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy, "pictures", True, raising=False)
    person = open_window(goals)
    person.choose("models.train")
    person.settle()
    fields = person.window.training.form.fields
    assert items(fields.texts.combo) == ["minilm", "my-clip", "my-clip:tokens", "my-bert"]
    assert items(fields.views.combo) == ["mobilenet-v2", "my-clip", "my-clip:tokens"]
    assert (fields.texts.reference(), fields.views.reference()) == ("minilm", "mobilenet-v2")
    assert fields.views.isVisible()
    fields.views.set_reference("my-clip")
    jobs = started(person)
    train(person)
    assert jobs[0].request.encoders == EncoderNames("minilm", "my-clip")


def test_encoders_that_are_not_here_block_only_where_they_are_chosen(
    open_window, goals, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = {**ENCODERS, "minilm": replace(ENCODERS["minilm"], weights="absent", weights_from="Install its package.")}
    monkeypatch.setattr("stepscope.models.encoders.registry.encoders", lambda: gone)
    person = open_window(goals)
    person.choose("models.train")
    person.settle()
    form = person.window.training.form
    assert form.problem() == "minilm cannot be used: Install its package."
    form.fields.texts.set_reference("my-clip")
    assert form.problem() == "" and form.command().endswith("--texts my-clip")


def test_weights_that_are_added_are_offered_at_once(trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = trainer.window.training.form.fields
    fields.texts.set_reference("minilm+my-roberta")
    assert trainer.window.training.form.problem().startswith("There is no encoder my-roberta that reads texts.")
    added = replace(ENCODERS["minilm"], name="my-roberta", added=True)
    monkeypatch.setattr("stepscope.models.encoders.registry.encoders", lambda: {**ENCODERS, "my-roberta": added})
    trainer.bench.context.events.publish(ModelsChanged("my-roberta"))
    trainer.settle()
    assert fields.texts.reference() == "minilm+my-roberta" and trainer.window.training.form.problem() == ""


# Further data ---------------------------------------------------------------------------------------------------------


def test_known_data_and_a_folder_are_learned_from_too(open_window, goals, more_goals, whole_goals, pick) -> None:
    person = open_window(more_goals, goals)
    person.choose("models.train")
    person.settle()
    form, here = person.window.training.form, person.selection.source.source.path
    known = more_goals if here == goals else goals
    entries = {action.text(): action for action in form.fields.others.menu().actions() if action.text()}
    assert list(entries) == [known.name, "Folder…"], "not the open one"
    entries[known.name].trigger()
    assert not form.fields.others_dealt.isVisible(), "it has the split"
    pick(whole_goals)
    entries["Folder…"].trigger()
    assert form.fields.others_dealt.text().startswith("whole-goals is read when the training begins.")
    form.fields.others._rows[1].weight.setValue(0.3)
    assert f"--data {here} --data {known} --data {whole_goals}:0.3 --name" in form.command()
    jobs = started(person)
    train(person)
    assert (jobs[0].path, jobs[0].weight) == (here, 1.0)
    assert jobs[0].others == ((known, 1.0), (whole_goals, 0.3))


def test_only_data_that_fits_the_task_is_offered(open_window, goals, unlabelled) -> None:
    person = open_window(goals, unlabelled)
    person.bench.library.choose_source(next(one for one in person.bench.context.sources if one.source.path == goals))
    person.choose("models.train")
    person.settle()
    form = person.window.training.form

    def offered() -> list[str]:
        return [action.text() for action in form.fields.others.menu().actions() if action.text()]

    assert offered() == ["Folder…"]
    form.task_chosen.emit(Task.GOAL)
    person.settle()
    assert offered() == ["unlabelled", "Folder…"]


def test_learned_from_two_and_measured_on_both(trainer, more_goals) -> None:
    form = trainer.window.training.form
    form.fields.others.add(str(more_goals))
    form.fields.epochs.setValue(2)
    form.fields.onnx.setChecked(False)
    train(trainer)
    first, second = trainer.window.training.curves._results.text().splitlines()
    assert first.startswith("On held-out episodes of goals accuracy is ") and ", n 12. " in first
    assert second.startswith("On held-out episodes of more-goals accuracy is ") and ", n 20. " in second
    assert all("against always-feasible." in line for line in (first, second))
    assert trainer.told == [f"my-toy is trained. {first} {second}"]


# The job and the command ----------------------------------------------------------------------------------------------


def test_everything_that_is_chosen_is_in_the_job(trainer, goals, more_goals) -> None:
    change_everything(trainer, more_goals)
    assert trainer.window.training.form.problem() == ""
    jobs = started(trainer)
    train(trainer)
    (job,) = jobs
    assert (job.path, job.format, job.weight, job.others) == (goals, "recording", 2.0, ((more_goals, 0.3),))
    assert job.request == training.TrainingRequest(
        Task.FEASIBILITY, recipe="toy", name="mine", hyper=EVERYTHING, onnx=False,
        encoders=EncoderNames("minilm+my-clip:tokens", "mobilenet-v2"),
    )  # fmt: skip


@pytest.mark.parametrize("how", ["usual", "preset", "changed preset", "everything"])
def test_the_command_trains_the_same(trainer, goals, more_goals, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    form = trainer.window.training.form
    if "preset" in how:
        form.fields.preset.setCurrentIndex(form.fields.preset.findData("motif-feasibility"))
        assert form.command().endswith("--recipe toy --preset motif-feasibility"), "and nothing else"
    if how == "changed preset":
        form.fields.seeds.setText("4")
        assert (
            "--preset" not in form.command()
            and "--seed 4 --epochs 50 --batch 32 --rate 0.01 --patience 50 --optimizer sgd" in form.command()
        )
    if how == "everything":
        change_everything(trainer, more_goals)
    line = form.command()
    jobs = started(trainer)
    train(trainer)
    asked: list[Any] = []
    monkeypatch.setattr(training, "train", lambda _database, *given: iter(asked.append(given) or ()))
    command([*shlex.split(line)[1:], "--store", trainer.bench.context.places.store_url])
    sources, wanted, _token = asked[0]
    assert wanted == jobs[0].request
    assert (sources[0].source.path, sources[0].weight) == (jobs[0].path, jobs[0].weight)
    assert tuple((one.source.path, one.weight) for one in sources[1:]) == jobs[0].others


# The next start -------------------------------------------------------------------------------------------------------


def test_the_next_start_has_it_all(trainer, open_window, goals, more_goals) -> None:
    change_everything(trainer, more_goals)
    started(trainer)
    train(trainer)
    chosen = trainer.window.training.form.request()
    trainer.close()
    person = open_window(goals)
    person.choose("models.train")
    person.settle()
    form = person.window.training.form
    assert form.request() == chosen and form.fields.more.is_open()


OWN = RecipeChoice("toy", Task.FEASIBILITY, "Toy", epochs=6, weight_decay=0.5, optimizer="sgd", momentum=0.25)
FORM = TrainRequest(Task.FEASIBILITY, "toy", "all", "mine", others=(MoreData("/d/b", 0.3),), seeds=(3, 4))


def test_a_form_of_an_earlier_version_has_the_recipes_own_settings_where_it_says_nothing() -> None:
    """As version 0.1 wrote it."""
    old = (
        '{"task": "feasibility", "recipe": "toy", "data": "all", "name": "mine", "train": "train", "validation": "dev",'
        ' "held_out": "", "filter": "", "seeds": [1, 2], "epochs": 9, "batch": 4, "rate": 1, "patience": 3,'
        ' "device": "cpu", "onnx": false}'
    )
    assert restored(old, Task.FEASIBILITY, [OWN]) == TrainRequest(
        Task.FEASIBILITY, "toy", "all", "mine", "train", "dev", device="cpu", onnx=False, seeds=(1, 2), epochs=9,
        batch=4, rate=1.0, patience=3, weight_decay=0.5, optimizer="sgd", momentum=0.25,
    )  # fmt: skip


def test_what_is_kept_comes_back() -> None:
    assert restored(stored(FORM), Task.FEASIBILITY, [OWN]) == FORM
    assert restored(stored(FORM), Task.GOAL, [OWN]) is None, "a recipe of another task"
    assert restored(stored(replace(FORM, recipe="gone")), Task.FEASIBILITY, [OWN]) is None


@pytest.mark.parametrize(
    "change",
    [
        {"epochs": 10**20}, {"epochs": "9"}, {"epochs": True}, {"rate": None}, {"rate": float("nan")}, {"seeds": 4},
        {"seeds": ["a"]}, {"others": ["/d"]}, {"others": [{"path": 1, "weight": 1}]}, {"others": {"path": "/d"}},
        {"onnx": 1}, {"name": ["a"]}, {"preset": 3}, {"recipe": []},
    ],
)  # fmt: skip
def test_a_damaged_form_is_none(change: dict[str, Any]) -> None:
    assert restored(json.dumps({**asdict(FORM), **change}), Task.FEASIBILITY, [OWN]) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(asdict(FORM))), JSON, max_size=4) | JSON)
def test_whatever_is_kept_is_a_form_or_none(change: Any) -> None:
    form = {**asdict(FORM), **change} if isinstance(change, dict) else change
    found = restored(json.dumps(form), Task.FEASIBILITY, [OWN])
    assert found is None or restored(stored(found), Task.FEASIBILITY, [OWN]) == found


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "null", "\x00"])
def test_a_text_that_is_no_form_is_none(text: str) -> None:
    assert restored(text, Task.FEASIBILITY, [OWN]) is None
