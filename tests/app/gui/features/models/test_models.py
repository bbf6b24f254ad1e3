"""The Models menu in the whole window: the list, taking in, removing, exporting, the device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMessageBox

from stepscope.core.domain.prediction import Task
from stepscope.models.learned.model_folders import own_folder
from stepscope.widgets.forms.evaluate_choices import ComputeChoice
from stepscope.widgets.models import ModelsView
from stepscope.widgets.models.adding import AddModelPage
from tests.app.gui.learned import only_toy, trained_toy

pytestmark = pytest.mark.needs("torch")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    only_toy(monkeypatch)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained model's folder somewhere."""
    return trained_toy(tmp_path_factory.mktemp("made") / "long-goals").folder


@pytest.fixture
def own(store: Path) -> Path:
    """A trained model among the person's own."""
    return trained_toy(own_folder() / "long-goals").folder


def listed(person) -> ModelsView:
    """The list of models, opened."""
    person.choose("models.list")
    person.settle()
    view = person.window.findChild(ModelsView)
    assert view is not None and view.isVisible()
    return view


def choose(view: ModelsView, name: str) -> None:
    view.table.setCurrentIndex(view.model.index(view.model.place_of(name), 0))
    assert view.current() == name


def names(view: ModelsView) -> list[str]:
    return [view.model.index(place, 0).data() for place in range(view.model.rowCount())]


def test_the_list_tells_what_is_known_of_each_model(own, person) -> None:
    view = listed(person)
    choose(view, "text-match")
    row = [view.model.index(view.model.place_of("text-match"), column).data() for column in range(6)]
    assert row == ["text-match", "Task automation", "–", "none", "Stepscope", "–"]
    assert "Reads verb, place and typed text" in view.details.toPlainText()
    assert not view.export.isEnabled() and not view.remove.isEnabled() and view.evaluate.isEnabled()
    assert not action(person, "models.export").isEnabled()
    choose(view, "long-goals")
    row = [view.model.index(view.model.place_of("long-goals"), column).data() for column in range(6)]
    assert row == ["long-goals", "Feasibility", "torch", "present", "your own", "goals: 12 episodes"]
    text = view.details.toPlainText()
    assert all(words in text for words in ("Trained for a test.", "0.750", "0.500 – 0.900", "always-feasible", "0.250"))
    assert view.export.isEnabled() and view.remove.isEnabled()
    assert action(person, "models.export").isEnabled()
    view.window().close()
    assert not action(person, "models.export").isEnabled()


def action(person, command: str) -> QAction:
    return person.bench.commands.actions[command]


def test_weights_that_are_gone_are_told(own, person) -> None:
    (own / "weights.safetensors").unlink()
    view = listed(person)
    choose(view, "long-goals")
    assert not view.evaluate.isEnabled() and "weights.safetensors" in view.evaluate.toolTip()
    assert "Its weights are not here" in view.details.toPlainText()


def test_a_folder_is_taken_in_and_evaluated_with(made, person, pick) -> None:
    view = listed(person)
    pick(made)
    person.click(view.load)
    person.until(lambda: person.told, "a message")
    person.settle()
    assert person.told == ["long-goals is one of your own models now."]
    assert view.current() == "long-goals" and (own_folder() / "long-goals" / "card.json").is_file()
    person.click(view.evaluate)
    person.settle()
    request = person.window.evaluate.request()
    assert (request.task, request.model) == (Task.FEASIBILITY, "long-goals")
    assert person.window.findChild(ModelsView) is None or not person.window.findChild(ModelsView).isVisible()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("weights", "0" * 64, "is not the file of its card"),
        ("recipe_version", "0", "was trained by version 0"),
        ("name", "../up", "is none that a model can have"),
        ("name", "text-match", "There is a model text-match already"),
        ("task", "juggling", "its task is none"),
    ],
)
def test_a_folder_that_does_not_do_is_told_and_left_alone(made, person, pick, tmp_path, name, value, words) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "weights.safetensors").write_bytes((made / "weights.safetensors").read_bytes())
    card = json.loads((made / "card.json").read_text("utf-8")) | {name: value}
    (folder / "card.json").write_text(json.dumps(card))
    pick(folder)
    person.choose("models.load")
    person.until(lambda: person.told, "a message")
    person.settle()
    assert words in person.told[0]
    assert not own_folder().exists() or not any(own_folder().iterdir())


def test_one_of_that_name_is_not_replaced_but_can_be_removed_first(own, made, person, pick, answer) -> None:
    view = listed(person)
    choose(view, "long-goals")
    pick(made)
    person.click(view.load)
    person.until(lambda: person.told, "a message")
    assert "There is a model long-goals already" in person.told[0]
    person.settle()
    asked = answer("Go back")
    person.click(view.remove)
    assert asked == ["Remove the model long-goals?"] and own.is_dir()
    answer("Remove")
    person.click(view.remove)
    person.until(lambda: "long-goals" not in names(view), "the model gone")
    person.settle()
    assert not own.exists() and "Removed long-goals." in person.told


def test_its_page_says_that_its_weights_go_with_it(own, person, monkeypatch) -> None:
    asked: list[str] = []

    def press(question: QMessageBox) -> int:
        asked.append(question.informativeText())
        next(one for one in question.buttons() if one.text() == "Remove").click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", press)
    view = listed(person)
    choose(view, "long-goals")
    person.click(view.page)
    person.settle()
    page = person.window.findChild(AddModelPage)
    assert page.where.facts["trained on"] == "goals: 12 episodes" and not page.add.isVisibleTo(page)
    person.click(page.remove)
    person.until(lambda: "long-goals" not in names(view), "the model gone")
    person.settle()
    assert asked == ["Its weights and its card are deleted. Runs that were made with it stay."] and not own.exists()
    page.window().close()
    view.window().close()


def test_an_export_says_where_the_file_is(own, person) -> None:
    asked: list[tuple[Path, Path | None]] = []

    def write(folder: Path, file: Path | None, _token: object) -> Path:
        asked.append((folder, file))
        (folder / "model.onnx").write_bytes(b"a network")
        return folder / "model.onnx"

    person.bench.models.write_onnx = write
    view = listed(person)
    choose(view, "long-goals")
    person.choose("models.export")
    assert person.window.task_chip.words().startswith("Exporting long-goals")
    person.until(lambda: person.told, "a message")
    person.settle()
    assert asked == [(own, None)]
    assert person.told == [f"long-goals is in {own / 'model.onnx'}; it agrees with torch."]
    assert not person.window.task_chip.isVisible()
    assert view.model.index(view.model.place_of("long-goals"), 2).data() == "torch, onnx"


def test_the_device_is_remembered_and_begun_with(person, open_window, shop, monkeypatch) -> None:
    found = (ComputeChoice("cuda:0", "CUDA 0, a card"),), ""
    for place in ("shell.compute_choices", "features.evaluate.evaluate_form_controller"):
        monkeypatch.setattr(f"stepscope.app.gui.{place}.compute_choices", lambda: found)
    person.close()
    person = open_window(shop)
    assert action(person, "compute.auto").isChecked() and not action(person, "compute.cpu").isChecked()
    assert action(person, "compute.gpu").isEnabled() and action(person, "compute.gpu").text() == "CUDA 0, a card"
    person.choose("compute.gpu")
    assert person.told == ["New evaluations and trainings begin on CUDA 0, a card."]
    assert action(person, "compute.gpu").isChecked() and not action(person, "compute.auto").isChecked()
    person.settle()
    person.close()
    person = open_window(shop)
    assert action(person, "compute.gpu").isChecked()
    person.choose("evaluate.automation")
    person.settle()
    assert person.window.evaluate.device() == "cuda:0"
    person.choose("compute.cpu")
    assert person.window.evaluate.device() == "cpu"
    person.settle()


def test_a_device_that_is_not_there_rests(person, monkeypatch) -> None:
    person.bench.models._take_devices(())
    assert not action(person, "compute.gpu").isEnabled()
