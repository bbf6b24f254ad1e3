"""A step that would turn, on its screen: where the marks lie, what joins them, and what is said of it."""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage

from stepscope.widgets import theme
from stepscope.widgets.results.coordinates_values import TurnRow
from stepscope.widgets.results.turned_screen import CAPTION, GAP, TurnedScreen

TURN = TurnRow("e", 3, True, "250, 250", "50, 100", "100, 300", (0.25, 0.25), (0.5, 0.75), None, "Tap Save")


def colour(shown: TurnedScreen, x: float, y: float) -> str:
    """Of the pixel that lies at these shares of the screen, 200 × 400 pixels in the widget's upper left."""
    return str(shown.grab().toImage().pixelColor(round(200 * x), round(400 * y)).name())


def screen(qtbot, letter: int | None = 1) -> TurnedScreen:
    shown = TurnedScreen()
    qtbot.addWidget(shown)
    shown.resize(200, 400 + CAPTION + GAP)
    image = QImage(50, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    shown.set_turn(TURN, letter)
    shown.set_image(image)
    return shown


def test_a_hollow_mark_and_a_filled_one_are_joined_by_a_line(qtbot) -> None:
    shown, run_b = screen(qtbot), theme.current().run_colour(1).lower()
    assert colour(shown, 0.375, 0.5) == run_b, "half-way between the two"
    filled, hollow = (colour(shown, x, y) for x, y in ((0.47, 0.75 + 0.005), (0.25 + 0.02, 0.25)))
    assert filled == run_b and hollow != run_b
    assert colour(shown, 0.9, 0.1) == "#ffffff", "nothing is marked elsewhere"
    assert shown.accessibleName() == "Tap Save, said 250, 250: 50, 100 as read now, 100, 300 then, right then"


def test_a_run_without_a_letter_gets_none(qtbot) -> None:
    shown, accent = screen(qtbot, letter=None), theme.current().accent.lower()
    assert colour(shown, 0.375, 0.5) == accent and colour(shown, 0.5, 0.75) == accent


def test_a_place_outside_the_screen_lies_at_its_edge_and_nothing_is_left_of_the_step_before(qtbot) -> None:
    shown = screen(qtbot)
    assert shown.place_of((4.0, -1.0)).toTuple() == (200.0, 0.0)
    shown.set_turn(None, None)
    assert shown.accessibleName() == "" and colour(shown, 0.375, 0.5) != theme.current().run_colour(1).lower()
