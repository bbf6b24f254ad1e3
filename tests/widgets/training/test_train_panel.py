"""The Train dock by itself: seeds, what is told of epochs, marks that stand where the numbers say."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.training_line import training_line
from stepscope.core.domain.prediction import Task
from stepscope.widgets.forms.evaluate_choices import DataChoice, TaskChoice
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.training import (
    EncoderChoice,
    EpochPoint,
    MoreData,
    PresetChoice,
    RecipeChoice,
    TrainingStatus,
    TrainPanel,
    TrainRequest,
)
from stepscope.widgets.training.fields import seeds_text
from stepscope.widgets.training.form import usual_splits
from stepscope.widgets.training.training_status import best_of

RECIPE = RecipeChoice(
    "mlp", Task.FEASIBILITY, "MLP", "Adds up.", "f1", True, "minilm", "mobilenet-v2", epochs=60, patience=12,
    seeds=(0, 1, 2), weight_decay=0.01,
)  # fmt: skip
POINTS = (
    EpochPoint(0, 0, 0.7, 0.72, 0.5, True),
    EpochPoint(0, 1, 0.5, 0.6, 0.8, True),
    EpochPoint(0, 2, 0.4, 0.62, 0.7),
    EpochPoint(4, 0, 0.6, math.nan, 0.6, True),
)


@pytest.fixture
def panel(qtbot: QtBot, themed: object) -> TrainPanel:
    plot_library().finish()
    shown = TrainPanel(lambda request, _recipe: f"train {request.name}", lambda name: f"known: {name}")
    qtbot.addWidget(shown)
    shown.resize(344, 900)
    shown.show()
    qtbot.waitExposed(shown)
    shown.form.set_tasks([TaskChoice(Task.FEASIBILITY, "Feasibility")], Task.FEASIBILITY)
    shown.form.set_recipes([RECIPE])
    shown.form.set_data([DataChoice("all", "Sample", 52)])
    return shown


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("0", (0,)), ("0-2", (0, 1, 2)), ("3, 1,3", (3, 1)), ("7 – 8, 0", (7, 8, 0)),
        ("", None), ("a", None), ("5-3", None), ("0-100", None), ("1,,2", None), ("-1", None),
    ],
)  # fmt: skip
def test_seeds_are_read(panel: TrainPanel, text: str, seeds: tuple[int, ...] | None) -> None:
    panel.form.fields.seeds.setText(text)
    assert panel.form.fields.seed_numbers() == seeds


@pytest.mark.parametrize(("seeds", "text"), [((0,), "0"), ((0, 1), "0, 1"), ((2, 3, 4), "2-4"), ((4, 0, 1), "4, 0, 1")])
def test_seeds_are_written(seeds: tuple[int, ...], text: str) -> None:
    assert seeds_text(seeds) == text


def test_the_recipes_settings_are_filled_in_and_an_earlier_training_takes_their_place(panel: TrainPanel) -> None:
    request = panel.form.request()
    assert (request.name, request.seeds, request.epochs, request.rate) == ("my-mlp", (0, 1, 2), 60, 0.001)
    assert (request.train, request.validation, request.held_out) == ("train", "validation", "app_unseen")
    assert panel.form.fields.known.text() == "known: my-mlp" and panel.form.command() == "train my-mlp"
    panel.form.set_splits(["dev", "test", "train"])
    earlier = TrainRequest(
        Task.FEASIBILITY,
        "mlp",
        "all",
        "other",
        "train",
        "dev",
        "test",
        seeds=(5,),
        epochs=3,
        rate=2e-5,
        onnx=False,
        texts="minilm",
        views="mobilenet-v2",
    )
    panel.form.fill(earlier)
    assert panel.form.request() == earlier
    assert panel.form.fields.rate.text() == "0.00002"


@pytest.mark.parametrize(
    ("splits", "usual"),
    [
        (["app_unseen", "task_unseen", "train", "validation"], ("train", "validation", "app_unseen")),
        (["dev", "test", "train"], ("train", "dev", "test")),
        (["test", "train", "val"], ("train", "val", "test")),
        (["test", "train"], ("train", "test", "")),
        (["extra", "test", "train"], ("train", "extra", "test")),
        (["train"], ("train", "", "")),
        (["acl22_human/test"], ("", "acl22_human/test", "")),
        ([], ("", "", "")),
    ],
)
def test_splits_are_chosen_by_the_names_that_others_give_them(splits: list[str], usual: tuple[str, str, str]) -> None:
    assert usual_splits(splits) == usual


def test_splits_of_other_names_need_no_choice(panel: TrainPanel) -> None:
    panel.form.set_splits(["dev", "test", "train"])
    request = panel.form.request()
    assert (request.train, request.validation, request.held_out) == ("train", "dev", "test")
    assert panel.form.problem() == ""


SEARCHES = replace(RECIPE, name="searches", parts=("texts", "pictures"), pretrains=True, exports=False)


def test_what_searches_is_not_asked_for_an_onnx_file(panel: TrainPanel) -> None:
    assert panel.form.fields.onnx.isVisible()
    panel.form.set_recipes([SEARCHES])
    assert not panel.form.fields.onnx.isVisible()


@pytest.mark.parametrize(
    ("without", "pretrain", "objectives", "words"),
    [
        ("pictures", 1, "isp", "There is nothing to pretrain by."), ("texts", 1, "mlm", "There is nothing to pretrain"),
        ("texts,pictures", 0, "", "Without texts and pictures there is nothing to look at."),
        ("pictures", 0, "mlm", "The objectives are those of a pretraining: say how many epochs it has"),
        ("pictures", 0, "", ""), ("pictures", 1, "mlm,isp", ""), ("texts", 1, "", ""),
    ],
)  # fmt: skip
def test_a_pretraining_by_nothing_is_told_before_it_begins(
    panel: TrainPanel, without: str, pretrain: int, objectives: str, words: str
) -> None:
    panel.form.set_recipes([SEARCHES])
    more = panel.form.fields.more
    more.without.setText(without)
    more.pretrain.setValue(pretrain)
    more.objectives.setText(objectives)
    found = panel.form.problem()
    assert found.startswith(words) and bool(found) is bool(words)


PRESET = PresetChoice(
    "table-3", Task.FEASIBILITY, "A paper, table 3", "Section 4.",
    (("optimizer", "sgd"), ("rate", 0.01), ("epochs", 50), ("seeds", (0, 1))), views="my-clip",
)  # fmt: skip


def test_a_preset_fills_the_fields_and_goes_when_they_change(panel: TrainPanel) -> None:
    form, fields = panel.form, panel.form.fields
    assert not fields.preset.isVisible(), "there is none for the task"
    form.set_recipes([RECIPE], [PRESET])
    assert fields.preset.isVisible() and form.request().preset == "" and not fields.more.is_open()
    fields.preset.setCurrentIndex(fields.preset.findData("table-3"))
    request = form.request()
    assert (request.preset, request.optimizer, request.rate, request.epochs) == ("table-3", "sgd", 0.01, 50)
    assert (request.seeds, request.weight_decay, request.patience) == ((0, 1), 0.01, 12), "the rest is the recipe's"
    assert (request.texts, request.views) == ("minilm", "my-clip") and fields.more.is_open()
    assert form.base() == replace(
        RECIPE, optimizer="sgd", rate=0.01, epochs=50, seeds=(0, 1), views="my-clip"
    )  # what the command line leaves out
    fields.epochs.setValue(7)
    request = form.request()
    assert (request.preset, request.epochs, request.optimizer) == ("", 7, "sgd") and form.base() == RECIPE
    form.fill(replace(request, preset="table-3", epochs=50))
    assert form.request().preset == "table-3", "as it was kept"
    fields.preset.setCurrentIndex(0)
    assert form.request().epochs == 60 and form.request().optimizer == "adamw"


def test_pictures_are_asked_for_where_the_recipe_looks_at_them(panel: TrainPanel) -> None:
    form, fields = panel.form, panel.form.fields
    assert fields.views.isVisible() and form.request().views == "mobilenet-v2"
    form.set_encoders((EncoderChoice("minilm", "", texts=True), EncoderChoice("mobilenet-v2", "", pictures=True)))
    fields.views.set_reference("minilm")
    assert form.problem() == "There is no encoder minilm that reads pictures."
    assert form.command() == "" and not form._run.isEnabled()
    form.set_recipes([replace(RECIPE, pictures=False)])
    fields.views.set_reference("minilm")
    assert not fields.views.isVisible() and form.request().views == "" and form.problem() == ""


def test_a_recipe_that_asks_no_encoder_of_texts_needs_none(panel: TrainPanel) -> None:
    form, fields = panel.form, panel.form.fields
    form.set_encoders((EncoderChoice("mobilenet-v2", "", pictures=True, outputs=("pooled", "map")),))
    assert form.problem() == "There is no encoder minilm that reads texts."
    form.set_recipes([replace(RECIPE, encoded=False, views="mobilenet-v2:map")])
    assert not fields.texts.isVisible() and fields.views.isVisible()
    assert form.request().views == "mobilenet-v2:map" and form.problem() == ""


def test_the_weight_of_the_open_data_is_asked_for_beside_others(panel: TrainPanel) -> None:
    form, fields = panel.form, panel.form.fields
    fields.weight.setValue(2.0)
    assert not fields.weight.isVisible() and form.request().weight == 1.0
    form.set_data([DataChoice("all", "Sample", 52)], "/d/sample")
    fields.others.add("/d/far")
    assert fields.weight.isVisible() and form.request().weight == 2.0
    assert form.request().others == (MoreData("/d/far"),) and fields.others_dealt.isVisible()
    fields.others.add("/d/sample")
    assert form.problem() == "sample is open, and is learned from already. Remove it below."


def test_what_blocks_leaves_the_command(panel: TrainPanel) -> None:
    panel.form.set_blocked("Another one is at work.")
    assert panel.form.problem() == "Another one is at work." and panel.form.command() == "train my-mlp"
    panel.form.set_lack("Training needs torch.")
    assert panel.form.problem() == "Training needs torch." and panel.form.command() == ""


def test_epochs_are_told_and_the_best_is_marked_where_it_stands(panel: TrainPanel) -> None:
    assert best_of(POINTS) == POINTS[1]
    panel.show_page("curves")
    panel.set_status(TrainingStatus("mine", "Seed 4, epoch 1 of 60", "f1", POINTS, ("Seed 0: a note",)))
    loss, measure = panel.curves._plots
    assert loss.accessibleDescription() == (
        "Seed 4, epoch 1: loss 0.6000, validation nan. Best: Seed 0, epoch 2: loss 0.5000, validation 0.6000"
    )
    assert measure.accessibleDescription() == "Seed 4, epoch 1: 0.600. Best: Seed 0, epoch 2: 0.800"
    at = measure.pixel(2, 0.8)
    assert measure.words_at(at) == "Seed 0, epoch 2: 0.800"
    assert measure.words_at(at + QPointF(0, 40)) == ""
    assert loss.words_at(loss.pixel(3, 0.4)) == "Seed 0, epoch 3: loss 0.4000, validation 0.6200"
    assert panel.curves._best.text() == "Best so far: 0.800 with seed 0 at epoch 2."
    panel.set_status(TrainingStatus("mine", "Done", "f1", POINTS, running=False))
    assert panel.curves._best.text() == "Best: 0.800 with seed 0 at epoch 2."
    assert not panel.curves.stop.isVisible()


def test_one_epoch_and_losses_that_are_no_numbers_are_drawn_too(panel: TrainPanel) -> None:
    from stepscope.widgets.training.curves import epoch_ticks, value_ticks

    panel.show_page("curves")
    broken = EpochPoint(0, 0, math.nan, math.inf, math.nan)
    for points in ((), POINTS[:1], (broken,), (broken, *POINTS)):
        panel.set_status(TrainingStatus("mine", "", "f1", points))
        panel.grab()
    assert [words for _at, words in epoch_ticks(18)] == ["1", "5", "10", "15"]
    assert [words for _at, words in epoch_ticks(2)] == ["1", "2"]
    assert [at for at, _words in value_ticks(0.0, 1.0)] == [0, 0.25, 0.5, 0.75, 1]
    assert [words for _at, words in value_ticks(0.38, 0.73)] == ["0.4", "0.5", "0.6", "0.7"]


PAPER = RecipeChoice(
    "paper", Task.FEASIBILITY, "Paper", "By name.", "f1", True, "minilm", "mobilenet-v2", classifier="clip(et)+cat",
    language="goal",
)  # fmt: skip
ROW = PresetChoice("row", Task.FEASIBILITY, "A row", recipe="paper", classifier="fasttext(et)+avg", language="both")


def test_what_a_recipe_can_do_without(panel: TrainPanel) -> None:
    form, fields = panel.form, panel.form.fields
    form.set_recipes([RECIPE, replace(RECIPE, name="parted", parts=("pictures", "actions"))], [])
    fields.recipe.setCurrentIndex(fields.recipe.findData("parted"))
    fields.more.without.setText("pictures, sounds")
    assert form.problem() == "Leave out only what the recipe has: pictures, actions, with commas between them."
    fields.more.without.setText("pictures, actions")
    assert not form.problem() and form.request().without == "pictures,actions"
    assert training_line(Path("data"), form.request(), RECIPE).endswith("--without pictures,actions")
    fields.recipe.setCurrentIndex(fields.recipe.findData(RECIPE.name))
    assert form.request().without == ""


def test_inputs_of_a_recipe_that_takes_them_by_name(panel: TrainPanel) -> None:
    form, fields = panel.form, panel.form.fields
    form.set_recipes([RECIPE, PAPER], [ROW])
    assert not fields.classifier.isVisible() and form.request().classifier == ""
    fields.recipe.setCurrentIndex(fields.recipe.findData("paper"))
    assert fields.classifier.isVisible() and fields.language.isVisible()
    assert not fields.texts.isVisible() and not fields.views.isVisible()
    assert (form.request().classifier, form.request().language) == ("clip(et)+cat", "goal")
    fields.classifier.setText(" ")
    assert form.problem() == "Write what the classifier reads, such as clip(screen,et,id)+cat."
    fields.preset.setCurrentIndex(fields.preset.findData("row"))
    assert (form.request().classifier, form.request().language) == ("fasttext(et)+avg", "both")
    fields.language.setCurrentIndex(fields.language.findData("instruction"))
    assert form.request().preset == "", "it is no longer as the preset says"
    line = training_line(Path("data"), form.request(), PAPER)
    assert "--classifier 'fasttext(et)+avg' --language instruction" in line and "--texts" not in line
    earlier = form.request()
    fields.recipe.setCurrentIndex(fields.recipe.findData("mlp"))
    form.fill(earlier)
    assert form.request() == earlier
