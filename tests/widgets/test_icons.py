"""Every icon that the window names is a glyph of the font."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.icons import GLYPHS, icon


@pytest.mark.parametrize("name", GLYPHS)
def test_an_icon_paints_something_in_its_colour(qtbot: QtBot, name: str) -> None:
    image = icon(name, "#ff0000").pixmap(QSize(32, 32)).toImage()
    colours = {image.pixelColor(x, y).getRgb() for x in range(32) for y in range(32)}
    strong = [colour for colour in colours if colour[3] > 200]
    assert strong
    assert all(red > 200 and green < 60 and blue < 60 for red, green, blue, _alpha in strong)


def test_an_icon_follows_the_theme_when_it_is_painted(qtbot: QtBot) -> None:
    sign, before = icon("tree"), theme.current()
    try:
        theme.set_current(theme.Theme.dark())
        dark = sign.pixmap(QSize(32, 32)).toImage()
        theme.set_current(theme.Theme.light())
        light = sign.pixmap(QSize(32, 32)).toImage()
    finally:
        theme.set_current(before)
    assert dark != light


def test_a_resting_icon_is_fainter(qtbot: QtBot) -> None:
    sign = icon("run")
    assert sign.pixmap(QSize(32, 32), QIcon.Mode.Disabled).toImage() != sign.pixmap(QSize(32, 32)).toImage()


def test_an_unknown_name_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError, match="unicorn"):
        icon("unicorn")
