"""The board, the matrix and the panel of the ordering workspace, as a person meets them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.ordering import (
    OrderBoard,
    OrderBoardContent,
    OrderMetrics,
    OrderPanel,
    OrderRow,
    PairMatrix,
    StepCard,
)

CARDS = tuple(StepCard(name, f"Do {name}", has_picture=True) for name in "abcd")
SWAPPED = OrderRow(0, "Pointer", ("a", "c", "b", "d"), ShownVerdict.MISS)
RIGHT = OrderRow(1, "Copy", ("a", "b", "c", "d"), ShownVerdict.HIT)
BROKEN = OrderRow(2, "Chat", (), ShownVerdict.MALFORMED, "It names a step twice.")
BOARD = OrderBoardContent("Make tea", CARDS, ("a", "b", "c", "d"), (SWAPPED, RIGHT, BROKEN), "as recorded")


@pytest.fixture
def board(qtbot: QtBot, themed: object) -> OrderBoard:
    shown = OrderBoard()
    qtbot.addWidget(shown)
    shown.resize(900, 560)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


@pytest.fixture
def panel(qtbot: QtBot, themed: object) -> OrderPanel:
    shown = OrderPanel()
    qtbot.addWidget(shown)
    shown.resize(328, 700)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def test_the_reference_stands_between_the_runs_and_moved_cards_are_known(board: OrderBoard) -> None:
    board.set_board(BOARD)
    assert [line.run if line else None for line in board.lines] == [0, 1, None, 2]
    assert [board.is_moved(0, place) for place in range(4)] == [False, True, True, False]
    assert not any(board.is_moved(1, place) for place in range(4))


def test_a_line_is_grey_and_straight_where_right_and_in_the_runs_colour_where_moved(board: OrderBoard) -> None:
    board.set_board(OrderBoardContent("Make tea", CARDS, ("a", "b", "c", "d"), (SWAPPED,)))
    shot = board.viewport().grab().toImage()
    below = board.card_rect(0, 0).bottom() + 26

    def warmth(position: int) -> list[int]:
        """How much redder than blue the places around the card's line are; grey has none."""
        middle = board.card_rect(0, position).center().x()
        seen = [shot.pixelColor(x, below) for x in range(middle - 110, middle + 111)]
        return [colour.red() - colour.blue() for colour in seen]

    def drawn(position: int) -> int:
        middle = board.card_rect(0, position).center().x()
        ground = QColor(theme.current().window)
        return sum(shot.pixelColor(x, below) != ground for x in range(middle - 3, middle + 4))

    assert max(warmth(3)) < 30 and drawn(3), "straight down, and grey"
    assert max(warmth(1) + warmth(2)) > 100 and not drawn(2)


def test_arrows_go_from_card_to_card_and_down_to_the_same_step(board: OrderBoard, qtbot: QtBot) -> None:
    board.set_board(BOARD)
    board.setFocus()
    focused: list[str] = []
    board.card_focused.connect(focused.append)
    assert board.focused() == "a"
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(board, key)
    assert focused == ["b", "b", "b", "d", "a"], "b is the third of run A, after it comes d; End has nowhere to go"
    assert board.accessibleDescription() == "Run A. 1. Do a"
    qtbot.keyClick(board, Qt.Key.Key_Right)
    assert board.accessibleDescription() == "Run A. 2. Do c In the reference at place 3."
    with qtbot.waitSignal(board.card_opened) as opened:
        qtbot.keyClick(board, Qt.Key.Key_Return)
    assert opened.args == ["c"]


def test_a_click_rings_a_card_and_a_double_click_opens_it(board: OrderBoard, qtbot: QtBot) -> None:
    board.set_board(BOARD)
    place = board.card_rect(2, 3).center()
    with qtbot.waitSignal(board.card_focused) as focused:
        qtbot.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert focused.args == ["d"] and board.tip_at(place.x(), place.y()) == "4. Do d"
    with qtbot.waitSignal(board.card_opened):
        qtbot.mouseDClick(board.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert board.tip_at(3, 3) == ""


def test_the_ring_stays_on_its_step_when_other_runs_are_shown(board: OrderBoard) -> None:
    board.set_board(BOARD)
    board.focus_step("c")
    board.set_board(OrderBoardContent("Make tea", CARDS, ("a", "b", "c", "d"), (RIGHT,)))
    assert board.focused() == "c"
    board.set_board(None)
    assert board.focused() == "" and board.lines == ()


def test_pictures_are_asked_for_once_and_painted(board: OrderBoard) -> None:
    asked: list[str] = []
    board.picture_wanted.connect(asked.append)
    board.set_board(BOARD)
    board.set_board(OrderBoardContent("Make tea", CARDS, ("a", "b", "c", "d"), (RIGHT,)))
    assert sorted(asked) == ["a", "b", "c", "d"]
    picture = QImage(100, 200, QImage.Format.Format_RGB32)
    picture.fill(QColor("#10c040"))
    board.set_picture("a", picture)
    spot = board.card_rect(0, 0).topLeft() + QPoint(22, 36)
    assert board.viewport().grab().toImage().pixelColor(spot) == QColor("#10c040")


def test_three_hundred_steps_ask_only_for_what_is_seen(board: OrderBoard) -> None:
    many = tuple(str(place) for place in range(300))
    cards = tuple(StepCard(name, f"Do {name}", has_picture=True) for name in many)
    asked: list[str] = []
    board.picture_wanted.connect(asked.append)
    board.set_board(OrderBoardContent("Long", cards, many, (OrderRow(0, "Back", many[::-1]),)))
    assert 0 < len(asked) < 20
    board.focus_step("299")
    board.viewport().grab()
    assert board.viewport().rect().intersects(board._rect_of_spot())


def test_the_matrix_outlines_pairs_against_the_reference(panel: OrderPanel, qtbot: QtBot) -> None:
    before = ((0.5, 0.9, 0.8), (0.1, 0.5, 0.38), (0.2, 0.62, 0.5))
    matrix = PairMatrix(0, "Pointer", ("Grind", "Pour", "Stir"), before)
    assert [matrix.is_against(row, column) for row in range(3) for column in range(3)] == [
        False, False, False, False, False, True, False, True, False,
    ]  # fmt: skip
    metrics = [
        OrderMetrics("Accuracy", (1 / 3,)),
        OrderMetrics("Distance", (2 / 3,), low=True),
        OrderMetrics("LCS subsequence", (2.0,), whole=True),
    ]
    panel.set_orders([matrix], metrics, [0])
    assert panel.shown == [["Accuracy", "0.333"], ["Distance", "0.667"], ["LCS subsequence", "2"]]
    assert panel.pair.text() == "A puts “Stir” before “Pour”: 0.62."
    assert panel.matrix.tip(2, 1) == "Stir before Pour: 0.62, against the reference."
    assert panel.matrix.tip(1, 1) == ""
    with qtbot.waitSignal(panel.step_chosen) as chosen:
        qtbot.mouseClick(panel.matrix, Qt.MouseButton.LeftButton, pos=panel.matrix.cell(0, 2).center())
    assert chosen.args == [0] and panel.pair.text() == "Grind before Stir: 0.80."
    assert not panel.runs.isVisible(), "one matrix, no choice"


def test_without_runs_or_pairs_the_panel_says_what_is_missing(panel: OrderPanel) -> None:
    assert panel._empty.isVisible() and not panel._inside.isVisible()
    panel.set_orders([], [OrderMetrics("Accuracy", (None, 1.0))], [0, 1])
    assert not panel.matrix.isVisible() and "do not say" in panel._how.text()
    assert panel.shown == [["Accuracy", "–", "1.000"]]
