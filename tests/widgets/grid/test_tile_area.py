"""What is chosen with the keys while more tiles come in."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.core.domain.geometry import Size
from stepscope.widgets.grid.grid_values import Tile, TileGroup
from stepscope.widgets.grid.tile_area import TileArea

SHIFT = Qt.KeyboardModifier.ShiftModifier


def group(title: str, *names: int) -> TileGroup:
    return TileGroup(title, tuple(Tile((title, name), "", "", "", "", Size(100, 200), 0.5, ()) for name in names))


@pytest.fixture
def area(qtbot) -> TileArea:
    found = TileArea()
    qtbot.addWidget(found)
    found.resize(600, 400)
    found.set_groups([group("clock", 0, 1, 2, 3)])
    return found


def press(area: TileArea, *keys: Qt.Key, shift: bool = False) -> None:
    for key in keys:
        QTest.keyClick(area, key, SHIFT if shift else Qt.KeyboardModifier.NoModifier)


def test_a_choice_goes_on_from_the_tile_where_it_began_though_others_came_in_before_it(area: TileArea) -> None:
    """The app that comes in has more tiles, so that the first tile of the clock is now the sixth of all."""
    press(area, Qt.Key.Key_Home)
    press(area, Qt.Key.Key_Right, shift=True)
    area.set_groups([group("mail", 0, 1, 2, 3, 4), group("clock", 0, 1, 2, 3)])
    assert area.chosen == {("clock", 0), ("clock", 1)} and area.current == ("clock", 1)
    press(area, Qt.Key.Key_Right, shift=True)
    assert area.chosen == {("clock", 0), ("clock", 1), ("clock", 2)}


def test_a_choice_by_mouse_goes_on_from_the_tile_that_was_clicked(area: TileArea) -> None:
    def press_on(key: tuple[str, int], modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.mousePress(area.viewport(), Qt.MouseButton.LeftButton, modifier, area.place_of(key).center())

    press_on(("clock", 1))
    area.set_groups([group("clock", -2, -1, 0, 1, 2, 3)])
    press_on(("clock", 2), SHIFT)
    assert area.chosen == {("clock", 1), ("clock", 2)}


def test_a_choice_whose_first_tile_is_gone_begins_at_the_keyboard_s_place(area: TileArea) -> None:
    press(area, Qt.Key.Key_Home)
    press(area, Qt.Key.Key_Right, shift=True)
    area.set_groups([group("clock", 1, 2, 3)])
    press(area, Qt.Key.Key_Right, shift=True)
    assert area.chosen == {("clock", 1), ("clock", 2)}
