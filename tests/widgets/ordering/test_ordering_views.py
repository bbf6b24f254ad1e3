"""The board, the matrix and the panel of the ordering workspace, as a person meets them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.ordering import (
    GridCell,
    OrderBoard,
    OrderBoardContent,
    OrderPanel,
    OrderRow,
    PairMatrix,
    ProcedureLine,
    ProceduresPanel,
    StepCard,
    ValueColumn,
    YourRow,
)
from stepscope.widgets.ordering.board_layout import BoardLayout, BoardSizes
from stepscope.widgets.theme import Theme

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
        seen = [shot.pixelColor(x, below) for x in range(middle - 90, middle + 91)]
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
    assert 0 < len(asked) < 40
    board.focus_step("299")
    board.viewport().grab()
    assert board.viewport().rect().contains(board.card_rect(board.lines.index(None), 299))


def test_the_matrix_outlines_pairs_against_the_reference(panel: OrderPanel, qtbot: QtBot) -> None:
    before = ((0.5, 0.9, 0.8), (0.1, 0.5, 0.38), (0.2, 0.62, 0.5))
    matrix = PairMatrix(0, "Pointer", ("Grind", "Pour", "Stir"), before)
    assert [matrix.is_against(row, column) for row in range(3) for column in range(3)] == [
        False, False, False, False, False, True, False, True, False,
    ]  # fmt: skip
    panel.set_matrices([matrix])
    assert panel.pair.text() == "A puts “Stir” before “Pour”: 0.62."
    assert panel.matrix.tip(2, 1) == "Stir before Pour: 0.62, against the reference."
    assert panel.matrix.tip(1, 1) == ""
    with qtbot.waitSignal(panel.step_chosen) as chosen:
        qtbot.mouseClick(panel.matrix, Qt.MouseButton.LeftButton, pos=panel.matrix.cell(0, 2).center())
    assert chosen.args == [0] and panel.pair.text() == "Grind before Stir: 0.80."
    assert not panel.runs.isVisible(), "one matrix, no choice"


def test_attention_between_steps_is_a_reading_of_its_own(panel: OrderPanel, qtbot: QtBot) -> None:
    labels = ("Grind", "Pour", "Stir")
    pairs = PairMatrix(0, "Pointer", labels, ((0.5, 0.9, 0.8), (0.1, 0.5, 0.38), (0.2, 0.62, 0.5)))
    looked = PairMatrix(0, "Pointer", labels, ((0.2, 0.7, 0.1), (0.1, 0.1, 0.8), (0.9, 0.05, 0.05)), attention=True)
    panel.set_matrices([pairs, looked])
    assert [panel.runs.itemText(place) for place in (0, 1)] == ["A  Pointer", "A  Pointer, attention"]
    assert panel._header._title.text() == "Pairwise confidence"
    panel.runs.setCurrentIndex(1)
    panel.runs.activated.emit(1)
    assert panel._header._title.text() == "Attention between steps" and panel._how.text().startswith(
        "How much the row's step"
    )
    assert panel.pair.text() == "Of other steps “Stir” looks most at “Grind”: 0.90."
    assert panel.matrix.accessibleDescription().startswith("Grind looks at Pour: 0.70. Pour looks at Stir: 0.80.")
    assert (looked.strongest, pairs.strongest) == (0.9, 1.0)
    assert not any(looked.is_against(row, column) for row in range(3) for column in range(3))
    qtbot.mouseClick(panel.matrix, Qt.MouseButton.LeftButton, pos=panel.matrix.cell(1, 1).center())
    assert panel.pair.text() == "Pour looks at itself: 0.10."
    panel.set_matrices([pairs, looked])
    assert panel.runs.currentIndex() == 1, "the reading that was chosen stays"


@pytest.mark.parametrize(
    ("surest", "in_order", "said"),
    [
        (0.9, True, "No pair is against the reference."),
        (0.9, False, "No pair is against the reference, yet A's order is."),
        (0.2, False, "A puts “Pour” before “Grind”: 0.80."),
        (0.2, True, "A puts “Pour” before “Grind”: 0.80, yet its order does not."),
    ],
)  # fmt: skip
def test_an_order_that_does_not_follow_its_pairs_is_told(panel: OrderPanel, surest, in_order, said) -> None:
    before = ((0.5, surest), (1 - surest, 0.5))
    panel.set_matrices([PairMatrix(0, "Pointer", ("Grind", "Pour"), before, in_order)])
    assert panel.pair.text() == said and panel._header.detail() == "Pointer"


def test_runs_of_the_task_that_are_not_shown_are_offered(panel: OrderPanel, qtbot: QtBot) -> None:
    panel.set_matrices((), 2)
    assert panel.waiting.words().startswith("2 runs of this task wait") and not panel._how.isVisible()
    with qtbot.waitSignal(panel.runs_wanted):
        qtbot.mouseClick(panel.waiting._buttons[0], Qt.MouseButton.LeftButton)
    panel.set_matrices((), 0)
    assert not panel.waiting.isVisible() and panel._how.text().startswith("No run has ordered these steps yet")


def test_small_tables_and_the_matrix_follow_the_text_size(panel: OrderPanel, themed: QApplication) -> None:
    panel.set_totals("All", [[GridCell("Metric"), GridCell("A", 0)], [GridCell("PMR"), GridCell("0.500", 0)]])
    panel.set_matrices([PairMatrix(0, "Pointer", ("Grind", "Pour"), ((0.5, 0.9), (0.1, 0.5)))])
    usual, cell = panel.totals._labels[1][1].font().pixelSize(), panel.matrix.cell(0, 0).width()
    apply_theme(themed, Theme.dark(), 200)
    assert panel.totals._labels[1][1].font().pixelSize() == 2 * usual
    assert panel.matrix.cell(0, 0).width() > cell


def test_many_steps_fit_into_the_panel_without_their_words(panel: OrderPanel) -> None:
    count = 40
    even = tuple((0.5,) * count for _ in range(count))
    panel.set_matrices([PairMatrix(0, "Pointer", tuple(f"Do {place}" for place in range(count)), even)])
    assert panel.matrix.cell(0, count - 1).right() <= panel.matrix.width()


def test_names_have_their_share_of_the_list_and_the_rest_can_be_scrolled_to(qtbot: QtBot, themed: QApplication) -> None:
    panel = ProceduresPanel()
    qtbot.addWidget(panel)
    panel.resize(260, 400)
    panel.show()
    table = panel.table
    columns = [ValueColumn(f"τ {name}", short=True) for name in ("You", *"ABCD")]
    panel.set_lines(columns, [ProcedureLine("1", "Set an alarm", 5, values=(None, 0.8, 0.6, 0.4, 0.2))])
    assert table.isColumnHidden(1), "nothing is known of the person's orders"
    assert table.columnWidth(0) >= 0.55 * table.viewport().width() - 1
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    place = table.visualRect(table.model().index(0, 5))
    assert table.viewport().rect().contains(place.adjusted(0, 0, -1, 0))
    wide = table.columnWidth(5)
    apply_theme(themed, Theme.dark(), 200)
    assert table.columnWidth(5) > wide


def test_without_pairs_or_numbers_the_panel_says_what_is_missing(panel: OrderPanel) -> None:
    assert not panel.matrix.isVisible() and "do not say" in panel._how.text()
    assert not panel.totals.isVisible() and not panel.agreement.isVisible() and not panel.helped.isVisible()
    panel.set_totals(
        "All 3 procedures", [[GridCell("Metric"), GridCell("A", 0)], [GridCell("PMR"), GridCell("0.5", 0)]]
    )
    assert panel.totals.isVisible() and panel.totals.shown == [["Metric", "A"], ["PMR", "0.5"]]
    panel.hide_all("You order blind", "Hidden.")
    assert panel._empty.isVisible() and not panel.totals.isVisible()
    panel.hide_all("", "")
    assert panel.totals.isVisible() and not panel._empty.isVisible()


# The person's own row -------------------------------------------------------------------------------------------------

MINE = replace(BOARD, you=YourRow(("d", "c", "b", "a")))
"""The person's row stands first, then runs A and B, the reference, and run C."""


def test_your_row_is_moved_by_its_keys_and_stays_in_its_bounds(board: OrderBoard) -> None:
    moves: list[tuple[str, int]] = []
    board.card_moved.connect(lambda step, to: moves.append((step, to)))
    board.set_board(MINE)
    assert board.focused() == "d" and board.lines[0] is MINE.you
    board.move_focused(-1)
    board.move_focused(2)
    board.move_focused(0, 1)
    assert moves == [("d", 2), ("d", 3)], "the first has nowhere to go; a line down is the end of the only line"
    board.focus_step("b")
    board.set_board(replace(MINE, you=YourRow(("d", "c", "b", "a"), locked=True)))
    board.move_focused(1)
    assert len(moves) == 2


def test_enter_accepts_and_a_run_s_card_moves_its_step_in_your_row(board: OrderBoard, qtbot: QtBot) -> None:
    board.set_board(MINE)
    board.setFocus()
    with qtbot.waitSignal(board.accept_wanted):
        qtbot.keyClick(board, Qt.Key.Key_Return)
    qtbot.keyClick(board, Qt.Key.Key_Down)
    assert board.accessibleDescription().startswith("Run A. 4. Do d")
    with qtbot.waitSignal(board.card_moved) as moved:
        board.move_focused(1)
    assert moved.args == ["d", 1] and board.accessibleDescription().startswith("You. 1.")


def test_a_card_is_dragged_with_a_preview_and_esc_lets_it_fall_back(board: OrderBoard, qtbot: QtBot) -> None:
    board.set_board(MINE)
    board.setFocus()
    previews: list[object] = []
    board.order_previewed.connect(previews.append)
    start, end = board.card_rect(0, 0).center(), board.card_rect(0, 2).center()

    def drag() -> None:
        qtbot.mousePress(board.viewport(), Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(board.viewport(), start + QPoint(2, 0))
        assert previews == [], "not far enough to be a drag"
        qtbot.mouseMove(board.viewport(), end)

    drag()
    assert previews == [("c", "b", "d", "a")] and board.focused() == "d"
    with qtbot.waitSignal(board.card_moved) as moved:
        qtbot.mouseRelease(board.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert moved.args == ["d", 2] and previews[-1] is None
    previews.clear()
    drag()
    with qtbot.assertNotEmitted(board.card_moved):
        qtbot.keyClick(board, Qt.Key.Key_Escape)
        qtbot.mouseRelease(board.viewport(), Qt.MouseButton.LeftButton, pos=end)
    assert previews[-1] is None and board._order(0) == ("d", "c", "b", "a")


def test_the_wheel_with_ctrl_makes_cards_larger_within_bounds(board: OrderBoard) -> None:
    board.set_board(MINE)
    wide = [board.card_rect(1, 0).height()]
    place = QPointF(400, 200)
    for _ in range(12):
        delta, none = QPoint(0, 120), QPoint()
        wheel = QWheelEvent(
            place, board.viewport().mapToGlobal(place), none, delta, Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(board.viewport(), wheel)
        wide.append(board.card_rect(1, 0).height())
    assert wide == sorted(wide) and wide[-1] > 2 * wide[0] and board.zoom == 2.5
    assert board.card_rect(0, 3).right() < board.viewport().width(), "larger cards go on in the next line"
    board.set_zoom(1.0)
    assert board.card_rect(1, 0).height() == wide[0]


def test_text_alone_asks_for_no_picture_and_needs_less_room(board: OrderBoard) -> None:
    asked: list[str] = []
    board.picture_wanted.connect(asked.append)
    board.set_shown("text")
    board.set_board(MINE)
    low = board.card_rect(0, 0).height()
    assert asked == []
    board.set_shown("picture")
    assert sorted(asked) == ["a", "b", "c", "d"] and board.card_rect(0, 0).height() > low


SIZES = BoardSizes(124, 22, 132, 72, 230, 12, 52, 24)


@given(
    st.integers(120, 1600), st.lists(st.integers(0, 40), min_size=1, max_size=5), st.booleans(),
    st.integers(0, 4000), st.integers(0, 900),
)  # fmt: skip
def test_no_card_leaves_the_width_and_none_lies_on_another(
    width: int, counts: list[int], mine: bool, top: int, high: int
) -> None:
    layout = BoardLayout(width, counts, 0 if mine else -1, SIZES)
    cards = {(row, at): layout.card(row, at) for row, count in enumerate(counts) for at in range(count)}
    for (row, at), place in cards.items():
        assert place.left() >= 0 and place.right() < width and place.bottom() < layout.height
        assert layout.nearest(row, place.center().x(), place.center().y()) == at
        assert layout.label(row, at // layout.per_line).intersected(place).isEmpty()
    places = sorted(cards.values(), key=lambda place: (place.top(), place.left()))
    assert not any(a.intersects(b) for a, b in pairwise(places))
    for row, count in enumerate(counts):
        seen = set(layout.seen(row, top, top + high))
        meant = {at for at in range(count) if cards[row, at].bottom() >= top and cards[row, at].top() <= top + high}
        assert meant <= seen <= set(range(count))


def test_procedures_are_sorted_by_a_column_and_those_without_a_value_come_last(qtbot: QtBot, themed: object) -> None:
    panel = ProceduresPanel()
    qtbot.addWidget(panel)
    panel.resize(300, 500)
    panel.show()
    lines = [
        ProcedureLine("p", "Pack", 5, "", 0, (None, 0.2)), ProcedureLine("q", "Quilt", 4, "done", 2, (1.0, -0.4)),
        ProcedureLine("r", "Roast", 3, "draft", 0, (0.5, None)),
    ]  # fmt: skip
    panel.set_lines([ValueColumn("τ You", short=True), ValueColumn("τ A", 0, short=True)], lines)
    panel.show_chosen("q")
    table = panel.table
    table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert [line.id for line in table.items.lines] == ["p", "q", "r"]
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert [line.id for line in table.items.lines] == ["r", "q", "p"]
    assert table.currentIndex().row() == 1 and table.items.index(1, 2).data() == "−0.40"
    table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert [line.id for line in table.items.lines] == ["p", "q", "r"]
    with qtbot.waitSignal(panel.procedure_chosen) as chosen:
        table.setFocus()
        qtbot.keyClick(table, Qt.Key.Key_Down)
    assert chosen.args == ["r"]
    assert "You have begun to order it." in table.items.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
