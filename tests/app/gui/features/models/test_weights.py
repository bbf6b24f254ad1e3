"""Models ▸ Weights in the whole window: listed, added by a form, checked, shown, taken off the list."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from stepscope.models.encoders import added
from stepscope.widgets.models.weights import WeightsView


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    """A folder as transformers writes one: enough to be recognised."""
    folder = tmp_path / "bert"
    folder.mkdir()
    header = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "hidden_size": 16, "license": "mit"}))
    (folder / "tokenizer.json").write_text("{}")
    return folder


@pytest.fixture
def view(person) -> WeightsView:
    person.choose("models.weights")
    person.settle()
    found = person.window.findChild(WeightsView)
    assert found is not None and found.isVisible()
    return found


def row(view: WeightsView, name: str) -> list[str]:
    place = view.model.place_of(name)
    return [view.model.index(place, column).data() for column in range(view.model.columnCount())]


def choose(view: WeightsView, name: str) -> None:
    view.table.setCurrentIndex(view.model.index(view.model.place_of(name), 0))
    assert view.current() == name


def facts(view: WeightsView) -> list[str]:
    return [label.text() for label in view.facts.labels()]


def offered(person, view: WeightsView, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder, or the file, chosen in the system's dialog and looked at."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(path))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    person.click(view.add_folder if path.is_dir() else view.add_file)
    person.settle()
    assert view.add.isVisible()


def test_the_list_tells_what_is_wanted_and_what_is_here(person, view) -> None:
    name, kind, here, size, licence, wanted = row(view, "two-tower")
    assert (name, kind, here, licence, wanted) == ("two-tower", "model, task automation", "yes", "Apache-2.0", "–")
    assert size.endswith(("KB", "MB"))
    assert "two-tower" in row(view, "minilm")[5] and "sentence-match" in row(view, "minilm")[5]
    choose(view, "two-tower")
    assert facts(view) == ["Is", "From", "SHA-256", "Files"]
    assert view.check.isEnabled() and view.show_folder.isEnabled() and not view.remove.isEnabled()


def test_weights_are_added_checked_and_taken_off_the_list(person, view, bert, monkeypatch, answer) -> None:
    changed: list[object] = []
    person.bench.weights.changed.connect(lambda: changed.append(1))
    offered(person, view, bert, monkeypatch)
    assert view.taken_for.text() == "texts of transformers (bert)"
    assert (view.family.currentData(), view.name.text()) == ("transformers-text", "bert")
    assert not view.architecture.isVisible() and not view.tag.isVisible()
    view.name.selectAll()
    person.write("mine")
    person.click(view.add)
    person.settle()
    assert [one.name for one in added.load()] == ["mine"] and len(changed) == 1
    assert view.current() == "mine" and row(view, "mine")[:3] == ["mine", "encoder, text", "yes"]
    assert "Added mine" in view.told.text() and view.remove.isEnabled() and not view.add.isVisible()
    person.click(view.check)
    person.settle()
    assert view.told.text() == "They are what they were."
    weights = bert / "model.safetensors"
    state = weights.stat()
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    os.utime(weights, ns=(state.st_atime_ns, state.st_mtime_ns))
    person.click(view.check)
    person.settle()
    assert "has changed since it was added as mine" in view.told.text() and view.told.property("badge") == "warn"
    asked = answer("Remove")
    person.click(view.remove)
    person.settle()
    assert asked == ["Take mine off the list?"] and added.load() == () and view.model.place_of("mine") == -1
    assert weights.is_file() and len(changed) == 2


def test_the_form_asks_for_the_architecture_where_a_file_does_not_tell_it(person, view, tmp_path, monkeypatch) -> None:
    header = json.dumps({
        name: {"dtype": "F32", "shape": [1], "data_offsets": [4 * at, 4 * at + 4]}
        for at, name in enumerate(("visual.proj", "logit_scale"))
    }).encode()  # fmt: skip
    file = tmp_path / "clip.safetensors"
    file.write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    offered(person, view, file, monkeypatch)
    assert view.family.currentData() == "clip"
    assert view.architecture.isVisible() and view.tag.isVisible()
    view.family.setCurrentIndex(view.family.findData("resnet-50"))
    assert not view.architecture.isVisible() and view.tag.isVisible()
    view.family.setCurrentIndex(view.family.findData("glove"))
    assert not view.architecture.isVisible() and not view.tag.isVisible()
    person.click(view.leave)
    assert not view.add.isVisible() and view.check_all.isVisible() and added.load() == ()


def test_what_cannot_be_added_is_told_in_the_dialog(person, view, bert, monkeypatch) -> None:
    (bert / "config.json").write_text('{"model_type": "bert", "auto_map": {"AutoModel": "evil.Evil"}}')
    offered(person, view, bert, monkeypatch)
    person.click(view.add)
    person.settle()
    assert "auto_map" in view.told.text() and view.add.isVisible() and person.told == []
    person.click(view.leave)
    shutil.rmtree(bert)
    added.list_file().parent.mkdir(parents=True, exist_ok=True)
    added.list_file().write_text("{")
    person.choose("models.weights")
    person.settle()
    assert "encoders.json: cannot be read" in view.told.text() and person.alive()


def test_everything_is_checked_and_the_folder_is_shown(person, view, monkeypatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: not opened.append(url.toLocalFile()))
    choose(view, "two-tower")
    person.click(view.show_folder)
    assert opened[0].endswith("models/two-tower")
    person.click(view.check_all)
    person.settle()
    assert view.told.text().startswith("All ") and view.told.text().endswith(" are what they were.")


def test_closing_the_list_ends_a_check(person, view) -> None:
    person.click(view.check_all)
    view.window().close()
    person.settle()
    assert person.told == [] and person.alive()
