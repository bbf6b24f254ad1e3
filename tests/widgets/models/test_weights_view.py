"""The list of weights and the form for new ones, by themselves."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from stepscope.widgets.models.weights import WeightsChoice, WeightsFamily, WeightsLine, WeightsOffer, WeightsView
from stepscope.widgets.models.weights.view import WeightsItemModel

FAMILIES = (
    WeightsFamily("clip", "CLIP", ("architecture", "tag")),
    WeightsFamily("resnet-18", "ResNet-18", ("tag",)),
    WeightsFamily("glove", "GloVe"),
)
LINES = (
    WeightsLine("minilm", "encoder, text", True, "22 MB", "Apache-2.0", "two-tower", (("From", "a package"),)),
    WeightsLine("mine", "encoder, image", False, "", "", "", own=True, why_not="/x is gone"),
)


@pytest.fixture
def view(qtbot: QtBot) -> WeightsView:
    made = WeightsView(FAMILIES)
    qtbot.addWidget(made)
    made.set_weights(LINES)
    made.show()
    return made


def test_the_model_keeps_what_qt_asks_of_models() -> None:
    model = WeightsItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows(LINES * 1000)
    assert model.rowCount() == 2000
    model.set_rows(())
    assert tester.model() is model


def test_what_can_be_done_belongs_to_the_chosen_row(view: WeightsView) -> None:
    assert view.current() == "minilm"
    assert [label.text() for label in view.facts.labels()] == ["From"]
    assert (view.check.isEnabled(), view.remove.isEnabled(), view.show_folder.isEnabled()) == (True, False, False)
    view.table.setCurrentIndex(view.model.index(1, 0))
    assert (view.check.isEnabled(), view.remove.isEnabled()) == (True, True)
    assert view.model.index(1, 2).data() == "no"
    view.set_weights(())
    assert view.current() == "" and not view.check.isEnabled() and not view.remove.isEnabled()


def test_the_form_gives_the_options_of_the_chosen_family_only(view: WeightsView, qtbot: QtBot) -> None:
    view.offer(WeightsOffer("/weights/a.pt", "weights of a CLIP model", "clip", "a"))
    view.architecture.setText(" ViT-B-32 ")
    view.tag.setText("openai")
    with qtbot.waitSignal(view.chosen) as told:
        view.add.click()
    assert told.args == [WeightsChoice("/weights/a.pt", "a", "clip", "ViT-B-32", "openai")]
    view.family.setCurrentIndex(2)
    with qtbot.waitSignal(view.chosen) as told:
        view.add.click()
    assert told.args == [WeightsChoice("/weights/a.pt", "a", "glove")]
    view.leave.click()
    assert view.check_all.isVisible() and not view.add.isVisible()
