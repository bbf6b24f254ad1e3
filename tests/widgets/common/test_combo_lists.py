"""The list of a combo box shows all its rows, whether the box has the keyboard or not."""

import pytest
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from stepscope.app.gui.shell.theme import apply_theme, theme_for


@pytest.fixture
def styled(qapp):
    apply_theme(qapp, theme_for("dark"))
    yield qapp
    qapp.setStyleSheet("")


@pytest.mark.parametrize("focused", [True, False])
@pytest.mark.parametrize("many", [2, 6])
@pytest.mark.usefixtures("styled")
def test_no_row_is_hidden_below_an_arrow(qtbot, focused, many):
    window = QWidget()
    qtbot.addWidget(window)
    box, other = QComboBox(window), QComboBox(window)
    box.addItems([f"row {number}" for number in range(many)])
    column = QVBoxLayout(window)
    column.addWidget(box)
    column.addWidget(other)
    with qtbot.waitExposed(window):
        window.show()
    (box if focused else other).setFocus()
    box.showPopup()
    rows = box.view()
    qtbot.waitUntil(rows.isVisible)
    assert rows.viewport().height() == sum(rows.sizeHintForRow(row) for row in range(many))
    assert rows.verticalScrollBar().maximum() == 0
    box.hidePopup()
