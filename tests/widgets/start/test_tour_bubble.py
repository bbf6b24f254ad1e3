"""Where the bubble of the tour stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize

from stepscope.widgets.start.tour_bubble import BubbleSide, place_bubble

ROOM, SIZE = QRect(0, 0, 1000, 700), QSize(300, 150)
SIDES = st.integers(0, 1200)


def test_it_stands_on_the_first_side_with_the_place() -> None:
    assert place_bubble(QRect(0, 200, 60, 50), SIZE, ROOM) == (QPoint(60, 149), BubbleSide.RIGHT)
    assert place_bubble(QRect(760, 100, 240, 400), SIZE, ROOM) == (QPoint(460, 224), BubbleSide.LEFT)
    assert place_bubble(QRect(300, 40, 500, 40), SIZE, ROOM) == (QPoint(399, 80), BubbleSide.BELOW)
    assert place_bubble(QRect(300, 600, 500, 100), SIZE, ROOM) == (QPoint(399, 450), BubbleSide.ABOVE)
    assert place_bubble(ROOM, SIZE, ROOM)[1] is BubbleSide.INSIDE


@given(SIDES, SIDES, SIDES, SIDES)
def test_it_is_whole_and_beside_its_anchor_where_there_is_room(left: int, top: int, width: int, height: int) -> None:
    anchor = QRect(left, top, width + 1, height + 1).intersected(ROOM)
    corner, side = place_bubble(anchor, SIZE, ROOM)
    card = QRect(corner, SIZE)
    assert ROOM.contains(card)
    assert side is BubbleSide.INSIDE or not card.intersects(anchor)
