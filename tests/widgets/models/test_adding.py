"""The page on which a model file is added, by itself: rows, keys, pictures with marks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from stepscope.core.imaging.draw import encode_png
from stepscope.widgets import theme
from stepscope.widgets.common import Badge
from stepscope.widgets.models.adding import (
    AddModelPage,
    AddModelState,
    FoundModel,
    ListedModel,
    ManifestGroup,
    ManifestRow,
    ShownPicture,
    ShownTensor,
    ShownTrial,
)
from stepscope.widgets.models.adding.marked_picture import MarkedPicture

FITS = (("squash", "squash"), ("crop", "crop"))
ROWS = (
    ManifestRow("inputs.i.fit", "Fitted by", "squash", FITS),
    ManifestRow("inputs.i.width", "Width", "64"),
    ManifestRow("inputs.i.values", "Numbers", "", (("0 to 1", "0 to 1"),), asked=True),
)
STATE = AddModelState(
    "/m.onnx",
    FoundModel("m.onnx", "ONNX, 2 KB", ("no code in it is run",)),
    where=(ManifestRow("name", "Name", "m"),),
    speaks=(ManifestGroup("in: i", "n × 3", ROWS),),
    runs=(ManifestRow("compute.device", "Device", "auto", (("auto", "auto"), ("cpu", "cpu"))),),
    missing="Still to say: which numbers the colours become.",
    command="stepscope models add /m.onnx",
)
TENSOR = ShownTensor("i", "1 × 3", "float32, 0 to 1", "0 1")
TRIAL = ShownTrial("e, step 0", "Buy <b>milk</b>", (TENSOR,), (TENSOR,), (("goal", "Buy"),), (), "tap", "", "0.1 s")


@pytest.fixture
def page(qtbot: QtBot) -> AddModelPage:
    page = AddModelPage()
    qtbot.addWidget(page)
    page.resize(1200, 700)
    page.show()
    page.set_state(STATE)
    return page


def test_rows_show_values_and_what_is_asked(page: AddModelPage) -> None:
    fit, width, values = (page.speaks.editor(row.field) for row in ROWS)
    assert isinstance(fit, QComboBox) and fit.currentData() == "squash"
    assert isinstance(width, QLineEdit) and width.text() == "64"
    assert isinstance(values, QComboBox) and values.currentText() == "Choose …"
    assert page.told() == STATE.missing
    assert not page.add.isEnabled() and not page.trial.try_it.isEnabled()
    assert page.speaks.editor("inputs.none") is None


def test_an_answer_is_told_once(page: AddModelPage, qtbot: QtBot) -> None:
    told: list[tuple[str, str]] = []
    page.answered.connect(lambda field, value: told.append((field, value)))
    width = page.speaks.editor("inputs.i.width")
    assert isinstance(width, QLineEdit)
    width.selectAll()
    QTest.keyClicks(width, "32")
    QTest.keyClick(width, Qt.Key.Key_Return)
    width.clearFocus()
    fit = page.speaks.editor("inputs.i.fit")
    assert isinstance(fit, QComboBox)
    fit.setCurrentIndex(1)
    fit.activated.emit(1)
    assert told == [("inputs.i.width", "32"), ("inputs.i.fit", "crop")]


def test_rows_that_stay_keep_the_keyboard(page: AddModelPage, qtbot: QtBot) -> None:
    width = page.speaks.editor("inputs.i.width")
    assert width is not None
    page.activateWindow()
    width.setFocus()
    page.set_state(replace(STATE, missing=""))
    assert page.speaks.editor("inputs.i.width") is width
    page.set_state(replace(STATE, speaks=()))
    assert page.speaks.editor("inputs.i.width") is None


def test_keys_try_and_add_only_what_can_be(page: AddModelPage) -> None:
    told: list[str] = []
    page.add_requested.connect(lambda: told.append("add"))
    page.trial.tried.connect(lambda: told.append("try"))
    page.closed.connect(lambda: told.append("close"))
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(page, Qt.Key.Key_Return, control)
    QTest.keyClick(page, Qt.Key.Key_T, control)
    assert told == []
    page.set_state(replace(STATE, missing="", can_try=True, can_add=True))
    QTest.keyClick(page, Qt.Key.Key_T, control)
    QTest.keyClick(page, Qt.Key.Key_Return, control)
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert told == ["try", "add", "close"]


def test_models_stand_in_groups_behind_the_new_one(page: AddModelPage) -> None:
    page.set_models((ListedModel("mine", "ask", "Own files"), ListedModel("a", "ask", "Shipped"),
                     ListedModel("b", "goal", "Shipped")))  # fmt: skip
    tops = [page.models.topLevelItem(place).text(0) for place in range(page.models.topLevelItemCount())]
    assert tops == ["New model", "Own files  1", "Shipped  2"]
    chosen: list[str] = []
    page.model_chosen.connect(chosen.append)
    page.models.setCurrentItem(page.models.topLevelItem(2).child(1))
    page.models.setCurrentItem(page.models.topLevelItem(2))  # the head of a group is no model
    page.models.setCurrentItem(page.models.topLevelItem(0))
    assert chosen == ["b", ""]
    page.set_models((ListedModel("mine", "ask", "Own files"),), "mine")
    assert page.models.currentItem().text(0) == "mine" and chosen == ["b", ""], "what is listed anew is not chosen"


def test_a_model_below_the_rules_is_amber_and_its_tip_says_where(page: AddModelPage) -> None:
    words = "Below good on Real: 0.300 against 0.600"

    def painted(below_rules: str) -> bool:
        page.models.clear()
        page.set_models((ListedModel("tower", "Task automation · below the rules", "Shipped", below_rules),))
        row = page.models.topLevelItem(1).child(0)
        assert (words in row.toolTip(0)) == bool(below_rules)
        image = page.models.viewport().grab(page.models.visualItemRect(row)).toImage()
        every = ((x, y) for x in range(image.width()) for y in range(image.height()))
        return any(alike(image.pixelColor(*place), theme.current().warn) for place in every)

    assert painted(words) and not painted("")


def test_the_trial_says_what_came_of_it(page: AddModelPage) -> None:
    page.trial.set_trial(TRIAL)
    assert page.trial.verdict() == "answered"
    (answered,) = (one for one in page.trial.findChildren(Badge) if one.isVisible())
    assert answered.text() == "✓ answered"
    page.trial.set_trial(replace(TRIAL, problem="it gives NaN"))
    assert page.trial.verdict() == "it gives NaN" and not answered.isVisible()
    page.trial.set_busy("Loading …")
    assert page.trial.stop.isVisible() and page.trial.verdict() == "Loading …"
    page.trial.set_busy("")
    assert not page.trial.stop.isVisible()


def alike(found: QColor, wanted: str) -> bool:
    """But for what smoothing makes of a line two pixels wide."""
    other = QColor(wanted)
    pairs = zip(found.getRgb(), other.getRgb(), strict=True)
    return max(abs(one - two) for one, two in pairs if one is not None and two is not None) < 40


def test_marks_stand_where_the_places_are(qtbot: QtBot) -> None:
    data = encode_png(np.full((100, 50, 3), 200, np.uint8))
    widget = MarkedPicture()
    qtbot.addWidget(widget)
    widget.resize(160, 320)  # the picture fills it: 160 × 320
    widget.set_picture(ShownPicture("p", data, mark=(0.5, 0.25), reference=(0.5, 0.75)))
    image = widget.grab().toImage()
    colours = theme.current()
    assert alike(image.pixelColor(80 + 8, 80), colours.run_a)
    assert alike(image.pixelColor(80 + 8, 240), colours.reference)
    assert image.pixelColor(20, 20) == QColor(200, 200, 200)
    widget.set_picture(ShownPicture("p", b"no picture"))
    assert widget.grab().toImage().pixelColor(80, 80) != QColor(200, 200, 200)
