"""Words below a field have room for all their lines, whatever the form was before."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepscope.widgets.forms.form_rows import FormRows

FEW, MANY = "Adds up.", "Tells from the words and from the screens whether the goal can be reached. " * 6


@pytest.fixture
def form(qtbot: QtBot, themed: QApplication) -> tuple[QScrollArea, QLabel]:
    """A form that scrolls, as the Train dock has it, and the words in it."""
    label, rows, inside, scroll = QLabel(FEW), FormRows(), QWidget(), QScrollArea()
    label.setWordWrap(True)
    rows.add("Recipe", QComboBox())
    rows.add("", label)
    rows.add("Name", QLineEdit())
    column = QVBoxLayout(inside)
    column.addWidget(rows)
    column.addStretch(1)
    scroll.setWidgetResizable(True)
    scroll.setWidget(inside)
    scroll.resize(320, 300)
    qtbot.addWidget(scroll)
    scroll.show()
    qtbot.waitExposed(scroll)
    return scroll, label


def is_whole(words: QLabel) -> bool:
    """No line is cut: a label is as high as all its lines need at its width."""
    return words.height() >= words.heightForWidth(words.width())


@pytest.mark.parametrize("width", [160, 240, 320])
def test_other_words_have_their_lines_in_a_form_of_any_width(
    qtbot: QtBot, form: tuple[QScrollArea, QLabel], width: int
) -> None:
    scroll, words = form
    scroll.resize(width, 300)
    for text in (MANY, FEW, MANY[:200], MANY):
        words.setText(text)
        qtbot.waitUntil(lambda: is_whole(words))
    scroll.resize(320, 300)
    qtbot.waitUntil(lambda: is_whole(words))
