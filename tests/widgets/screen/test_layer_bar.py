from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers
from stepscope.widgets.screen import LayerBar
from stepscope.widgets.screen.layer_bar import layer_rows


@pytest.fixture
def bar(qtbot: QtBot, themed: object) -> LayerBar:
    shown = LayerBar()
    qtbot.addWidget(shown)
    shown.set_runs({0: "Northstar 7B", 1: "Pelican 3B"})
    shown.resize(860, 36)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def test_chips_carry_the_keys_of_the_layers() -> None:
    assert [(row.text, row.key) for row in layer_rows({0: "x", 1: "y"})] == [
        ("Reference", "1"), ("A", "2"), ("B", "3"),
        ("Tolerance", "T"), ("Target", "G"), ("UI tree", "U"), ("Labels", "L"),
    ]  # fmt: skip


def test_a_click_turns_a_layer_off_and_on(bar: LayerBar, qtbot: QtBot) -> None:
    chip = bar.chip(Layer.TOLERANCE)
    assert chip is not None and chip.isChecked()
    with qtbot.waitSignal(bar.layers_changed) as changed:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert changed.args == [DEFAULT_LAYERS.toggled(Layer.TOLERANCE)]
    assert not chip.isChecked()
    bar.toggle(Layer.TOLERANCE)
    assert chip.isChecked()


def test_alt_and_a_click_show_only_one_layer_and_then_all_again(bar: LayerBar, qtbot: QtBot) -> None:
    chip = bar.chip(Layer.RUN_B)
    assert chip is not None
    with qtbot.waitSignal(bar.layers_changed) as changed:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier)
    assert changed.args == [Layers.of(Layer.RUN_B)]
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier)
    assert bar.layers == DEFAULT_LAYERS


@pytest.mark.qt_log_ignore("This plugin does not support")  # said by the offscreen platform of every menu
def test_a_right_click_offers_strengths(bar: LayerBar, qtbot: QtBot) -> None:
    chip = bar.chip(Layer.TREE)
    assert chip is not None
    qtbot.mouseClick(chip, Qt.MouseButton.RightButton)
    (menu,) = bar.findChildren(QMenu)
    half = next(action for action in menu.actions() if action.text() == "50 %")
    with qtbot.waitSignal(bar.strength_changed) as changed:
        half.trigger()
    assert changed.args == [Layer.TREE, 0.5]
    assert bar.strengths == {Layer.TREE: 0.5}
    menu.close()


def test_setting_layers_tells_nobody(bar: LayerBar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(bar.layers_changed):
        bar.set_layers(Layers.of(Layer.TREE))
    chip = bar.chip(Layer.TREE)
    assert chip is not None and chip.isChecked()


def test_the_zoom_is_read_out(bar: LayerBar) -> None:
    label = next(label for label in bar.findChildren(QLabel) if "Fit" in label.text())
    bar.set_zoom(26.3, "Fit")
    assert label.text() == "Fit 26 %"
    bar.set_zoom(140.2, "")
    assert label.text() == "140 %"


def test_fitting_is_one_click(bar: LayerBar, qtbot: QtBot) -> None:
    (button,) = bar.findChildren(QToolButton)
    with qtbot.waitSignal(bar.fit_wanted):
        button.click()


def test_chips_name_themselves_to_screen_readers(bar: LayerBar) -> None:
    run, tree = bar.chip(Layer.RUN_A), bar.chip(Layer.TREE)
    assert run is not None and tree is not None
    assert run.accessibleName() == "Run A layer"
    assert "Northstar 7B" in run.toolTip() and "(2)" in run.toolTip()
    assert tree.accessibleName() == "UI tree layer"


def test_the_menu_of_a_layer_with_choices_offers_them_above_its_strengths(bar: LayerBar, qtbot: QtBot) -> None:
    bar.set_runs({0: "Northstar 7B"}, [Layer.SALIENCY])
    chip = bar.chip(Layer.SALIENCY)
    assert chip is not None and chip.row.key == "H" and not chip.isChecked()
    bar.set_choices(Layer.SALIENCY, ["occlusion", "R&D"], "occlusion")
    bar.open_strengths(Layer.SALIENCY, bar.mapToGlobal(chip.pos()))
    menu = next(child for child in bar.findChildren(QMenu) if child.isVisible())
    shown = [action.text() for action in menu.actions()]
    assert shown == ["occlusion", "R&&D", "", "100 %", "75 %", "50 %", "25 %"]
    assert [action.isChecked() for action in menu.actions()][:2] == [True, False]
    with qtbot.waitSignal(bar.choice_changed) as changed:
        menu.actions()[1].trigger()
    assert changed.args == [Layer.SALIENCY, "R&D"]
    menu.close()


def test_of_one_choice_nothing_is_offered(bar: LayerBar) -> None:
    bar.set_choices(Layer.SALIENCY, ["occlusion"], "occlusion")
    bar.open_strengths(Layer.SALIENCY, bar.mapToGlobal(bar.rect().center()))
    menu = next(child for child in bar.findChildren(QMenu) if child.isVisible())
    assert [action.text() for action in menu.actions()] == ["100 %", "75 %", "50 %", "25 %"]
    menu.close()


def test_words_go_from_the_chips_that_are_asked_for_least(bar: LayerBar) -> None:
    bar.set_runs({0: "one", 1: "two"}, (Layer.DIFF,))
    chips = {layer: bar.chip(layer) for layer in (Layer.REFERENCE, Layer.DIFF, Layer.LABELS, Layer.TREE)}

    def compact() -> list[Layer]:
        return [layer for layer, chip in chips.items() if chip.sizeHint().width() < chip.full_width()]

    bar.resize(2000, 36)
    assert compact() == []
    whole = sum(bar.chip(row.layer).full_width() for row in layer_rows({0: "one", 1: "two"}, (Layer.DIFF,)))
    beside = bar._beside_chips()
    bar.resize(whole + beside - 1, 36)
    assert compact() == [Layer.DIFF]
    bar.resize(whole + beside - chips[Layer.DIFF].full_width(), 36)
    assert compact() == [Layer.DIFF, Layer.LABELS]
    bar.resize(bar.minimumSizeHint().width(), 36)
    assert compact() == list(chips)
