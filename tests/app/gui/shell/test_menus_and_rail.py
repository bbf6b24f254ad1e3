"""What surrounds the views fits: every menu and every entry of the rail has its room, the corner has what is left."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from stepscope.widgets.common.task_chip import TaskProgress
from stepscope.widgets.shell.palette.field import PaletteField

NARROW, USUAL = (1024, 680), (1600, 1000)
EDGE = 16
"""Pixels: the row's own margin and the corner's."""
WORK = TaskProgress("run", "A model of a long name, seed 3", 20, 100, seconds_left=300.0)


def place(person, part: QWidget) -> tuple[int, int]:
    """Its left and right edge in the window."""
    left = part.mapTo(person.window, QPoint()).x()
    return left, left + part.width()


def resize(person, size: tuple[int, int]) -> None:
    person.window.resize(*size)
    person.until(lambda: (person.window.width(), person.window.height()) == size, "the size")
    person.settle()


def is_in_order(person) -> bool:
    """All menus are there, the task after them, the field last and `EDGE` away from the window's edge."""
    bar, chip = person.window.menuBar(), person.window.task_chip
    menus = [bar.actionGeometry(entry) for entry in bar.actions()]
    field = place(person, bar.findChild(PaletteField))
    between = place(person, chip) if chip.isVisible() else ()
    stops = [*(menu.left() for menu in menus), menus[-1].right(), *between, *field]
    return all(one < next_one for one, next_one in pairwise(stops)) and field[1] == person.window.width() - EDGE


@pytest.mark.parametrize("work", [(), (WORK,)], ids=["idle", "at work"])
def test_every_menu_is_there_at_every_text_size_in_the_smallest_window(person, work) -> None:
    person.window.task_chip.set_tasks(work)
    resize(person, NARROW)
    for percent in (200, 100, 150, 175, 80):
        person.bench.context.prefer(text_percent=percent)
        person.settle()
        person.until(lambda: is_in_order(person), f"nine menus and the corner at {percent} %")


@pytest.mark.parametrize("percent", [100, 150, 175, 200])
def test_the_rail_has_room_for_all_its_entries_in_the_smallest_window(person, percent) -> None:
    resize(person, NARROW)
    person.bench.context.prefer(text_percent=percent)
    person.settle()
    rail = person.window.rail
    buttons = rail.findChildren(QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
    named = [button for button in buttons if button.defaultAction() is not None]
    assert {"Replay", "Web Task", "Theme", "Settings"} <= {button.text() for button in named}
    for button in named:
        assert button.isVisible() and rail.rect().contains(button.geometry()), button.text()
        assert button.fontMetrics().height() + rail.iconSize().height() <= button.height(), button.text()


def test_the_field_lies_at_the_edge_after_every_change_of_size(person) -> None:
    field = person.window.menuBar().findChild(PaletteField)
    for size in (USUAL, NARROW, (1200, 700), USUAL):
        resize(person, size)
        person.until(lambda: is_in_order(person), f"the field at the edge of {size}")
        assert field.text() == "Search commands, episodes, apps" and field.width() >= field.sizeHint().width()
    resize(person, NARROW)
    person.window.task_chip.set_tasks([WORK])
    person.until(lambda: is_in_order(person), "the task beside the field")
    assert field.text() == "Search"
    person.window.task_chip.set_tasks([])
    person.until(lambda: is_in_order(person), "the field alone")
    assert field.text() == "Search commands, episodes, apps"


def test_a_field_without_words_is_a_sign_that_opens_the_palette(person) -> None:
    resize(person, NARROW)
    person.bench.context.prefer(text_percent=200)
    person.settle()
    field = person.window.menuBar().findChild(PaletteField)
    person.until(lambda: field.text() == "", "the sign")
    assert field.accessibleName() == "Command palette" and "Ctrl+K" in field.toolTip()
    person.click(field)
    person.until(lambda: person.bench.help._opened is not None and person.bench.help._opened.isVisible(), "the palette")
