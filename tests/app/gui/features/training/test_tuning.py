"""Models ▸ Fine-Tune a Checkpoint: from the menu to a model that can be evaluated, and stopped on the way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.worker_child import tune_job
from stepscope.core.progress import CancelToken
from stepscope.models.checkpoints import checkpoint
from stepscope.widgets.training.tuning_dialog import TuningDialog
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]


def opened(open_window: Any, shop: Path) -> Any:
    person = open_window(shop)
    person.choose("models.train")  # the feature is built
    person.tuning = person.bench._training.tuning
    person.tuning.work = tune_job
    return person


def dialog_of(person: Any) -> TuningDialog:
    person.choose("models.tune")
    person.until(lambda: person.tuning.dialog is not None, "the form")
    return person.tuning.dialog


def test_without_a_checkpoint_it_says_what_to_do(open_window: Any, shop: Path) -> None:
    person = opened(open_window, shop)
    person.choose("models.tune")
    person.until(lambda: any("Add a vision-language checkpoint" in told for told in person.told), "the message")
    assert person.tuning.dialog is None and not person.tuning.is_running


def test_from_the_menu_to_a_model_of_ones_own(open_window: Any, shop: Path, loud: Path) -> None:  # noqa: F811
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud)), replaces=True)
    person = opened(open_window, shop)
    dialog = dialog_of(person)
    fields = {one.option.name: one for one in (*dialog.asked, *dialog.learning)}
    assert dialog.name.text() == "loud-goals" and dialog.run.isEnabled()
    assert [dialog.base.itemText(place) for place in range(dialog.base.count())] == [
        "loud, for goals", "loud, as an agent", "loud, as an agent that asks",
    ]  # fmt: skip
    dialog.base.setCurrentIndex(1)
    assert dialog.name.text() == "loud-agent" and "Every step of 3 episodes is an example" in dialog.plan_words()
    assert "'local:loud#automation'" in dialog.command()
    dialog.base.setCurrentIndex(0)
    fields = {one.option.name: one for one in (*dialog.asked, *dialog.learning)}
    assert "That is few" in dialog.plan_words()
    for name, value in {"prompt": "sentence", "inputs": "words", "rank": "4", "batch": "1", "epochs": "2"}.items():
        fields[name].set(value)
    assert dialog.command().startswith("stepscope models tune 'local:loud?prompt=sentence&inputs=words' --data")
    assert "--rank 4 --batch 1 --epochs 2" in dialog.command()
    if place := os.environ.get("STEPSCOPE_PICTURES"):
        person.settle()
        dialog.grab().save(f"{place}/tuning-form.png")
    dialog.name.setText("loud")
    assert not dialog.run.isEnabled() and dialog.plan_words() == "There is a checkpoint loud already."
    dialog.name.setText("a b")
    dialog.run.click()
    person.until(lambda: "cannot be the name of a checkpoint" in dialog.plan_words(), "what cannot be")
    dialog.name.setText("wise")
    dialog.run.click()
    person.until(lambda: any("local:wise" in told for told in person.told), "the end")
    assert Path(checkpoint.find("wise").lora, "adapter_model.safetensors").is_file()
    assert not person.tuning.is_running


def test_stopped_it_keeps_what_it_learned(open_window: Any, shop: Path, loud: Path) -> None:  # noqa: F811
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud)), replaces=True)
    person = opened(open_window, shop)

    def until_the_first(job: Any, token: CancelToken) -> Iterator[Any]:
        for event in tune_job(job, token):
            yield event
            if getattr(event, "move", None) is not None:
                person.bench.context.long_work.chip.cancel_requested.emit("tuning")
                token.cancel()

    person.tuning.work = until_the_first
    dialog = dialog_of(person)
    fields = {one.option.name: one for one in (*dialog.asked, *dialog.learning)}
    for name, value in {"inputs": "words", "rank": "2", "batch": "1", "epochs": "2"}.items():
        fields[name].set(value)
    dialog.run.click()
    person.until(
        lambda: any("was stopped; what it learned is kept" in told for told in person.told), "that it was stopped"
    )
    assert [one.name for one in checkpoint.load()] == ["loud"]
