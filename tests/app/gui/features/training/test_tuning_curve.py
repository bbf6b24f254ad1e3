"""Models ▸ Fine-Tuning Curve: from the form to stored runs and a drawing; presets and mixtures of the form."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.worker_child import curve_job
from stepscope.models.checkpoints import checkpoint
from stepscope.widgets.training.tuning_dialog import TuningDialog
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]


def dialog_of(person: Any, command: str) -> TuningDialog:
    person.choose("models.train")  # the feature is built
    training = person.bench._training
    person.tuning = training.curve if command == "models.tune_curve" else training.tuning
    person.choose(command)
    person.until(lambda: person.tuning.dialog is not None, "the form")
    return person.tuning.dialog


def fields_of(dialog: TuningDialog) -> dict[str, Any]:
    return {one.option.name: one for one in (*dialog.asked, *dialog.learning)}


def picture(person: Any, widget: Any, name: str) -> None:
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        person.settle()
        widget.grab().save(f"{place}/{name}.png")


def test_settings_as_published_and_goals_of_both_kinds(open_window: Any, shop: Path, loud: Path) -> None:  # noqa: F811
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud)), replaces=True)
    person = open_window(shop)
    dialog = dialog_of(person, "models.tune")
    assert dialog.mixture.isHidden() and "preset" not in dialog.command()
    dialog.base.setCurrentIndex(2)
    assert not dialog.mixture.isHidden()
    dialog.mixture.setCurrentIndex(1)
    dialog.preset.setCurrentIndex(2)
    fields = fields_of(dialog)
    assert [fields[name].value() for name in ("rank", "rate", "batch", "epochs")] == [64, 5e-5, 64, 1]
    fields["rank"].set("16")
    fields["snapshots"].set("200")
    told = "--mixture full,ambiguous --preset navi-plus-8b --rank 16 --snapshots 200"
    assert dialog.command().endswith(told) and dialog.wish().mixture == "full,ambiguous"
    picture(person, dialog, "tuning-preset")
    dialog.preset.setCurrentIndex(0)
    assert fields["rate"].value() == 2e-4 and "--rate" not in dialog.command()
    dialog.base.setCurrentIndex(0)
    assert dialog.wish().mixture == "" and "--mixture" not in dialog.command()
    dialog.reject()


@pytest.mark.chain
def test_from_the_menu_to_a_curve(open_window: Any, shop: Path, loud: Path) -> None:  # noqa: F811
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud)), replaces=True)
    person = open_window(shop)
    dialog = dialog_of(person, "models.tune_curve")
    person.tuning.work = curve_job
    fields = fields_of(dialog)
    assert not {"rank", "snapshots"} & fields.keys() and fields["epochs"].value() == 2
    for name, value in {"prompt": "sentence", "inputs": "words", "tokens": "16", "batch": "2", "epochs": "1"}.items():
        fields[name].set(value)
    dialog.name.setText("gain")
    ranks, every = dialog.curve
    ranks.set("1,1")
    assert not dialog.run.isEnabled() and "numbers with commas" in dialog.plan_words()
    ranks.set("1, 2")
    every.set("1")
    assert "gain-r1, gain-r2" in dialog.plan_words()
    assert "models tune-curve" in dialog.command() and "--ranks '1, 2' --every 1" in dialog.command()
    picture(person, dialog, "tuning-curve-form")
    dialog.run.click()
    person.until(lambda: person.tuning.shown is not None, "the curve")
    shown = person.tuning.shown
    folder = Path(person.tuning._curve_folder(), "gain")
    assert str(folder) in shown.words() and "5 runs over 3 episodes" in shown.words()
    assert {one.name for one in folder.iterdir()} == {"curve.svg", "curve.csv", "curve.json"}
    assert {one.name for one in checkpoint.load()} == {"loud", "gain-r1", "gain-r2"}
    picture(person, shown, "tuning-curve")
    shown.close_button.click()
    assert person.tuning.shown is None and not person.tuning.is_running
