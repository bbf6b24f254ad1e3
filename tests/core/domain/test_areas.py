from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.areas import half, inside, nearer, outside, rectangle, without
from stepscope.core.domain.geometry import Patch, Point, Size

SIZE = Size(100, 100)
numbers = st.integers(0, 100)
boxes = st.tuples(numbers, numbers, numbers, numbers).map(
    lambda e: (float(min(e[0], e[2])), float(min(e[1], e[3])), max(e[0], e[2]) + 1.0, max(e[1], e[3]) + 1.0)
)


def area(piece: tuple[tuple[float, float], ...]) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(piece, piece[1:] + piece[:1], strict=True)) / 2


def holds(edges: tuple[float, float, float, float], x: float, y: float) -> bool:
    return edges[0] <= x <= edges[2] and edges[1] <= y <= edges[3]


def test_a_box_in_the_middle_leaves_four_pieces() -> None:
    """100 × 100 less 20 × 20: left and right strips over the whole height, two between them."""
    pieces = outside(rectangle((0, 0, 100, 100)), (40, 40, 60, 60))
    assert [abs(area(piece)) for piece in pieces] == [4000, 4000, 800, 800]


def test_what_is_apart_stays_whole_and_what_is_covered_goes() -> None:
    square = rectangle((0, 0, 10, 10))
    assert outside(square, (10, 0, 20, 10)) == [square]
    assert outside(square, (-1, -1, 11, 11)) == []
    assert inside(square, (10, 0, 20, 10)) == ()


def test_the_nearer_half_of_a_square() -> None:
    """Between (0, 50) and (100, 50) the middle is x = 50; between the same two places there is none."""
    square = rectangle((0, 0, 100, 100))
    assert abs(area(nearer(square, (0, 50), (100, 50)))) == 5000
    assert max(x for x, _ in nearer(square, (0, 50), (100, 50))) == 50
    assert nearer(square, (7, 7), (7, 7)) == square


def test_a_corner_cut_off_by_a_slanted_line() -> None:
    """x + y <= 100 leaves the upper left triangle."""
    assert half(rectangle((0, 0, 100, 100)), 1, 1, 100) == ((0, 0), (100, 0), (0, 100))


@given(boxes, st.lists(boxes, max_size=5), st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_pieces_hold_exactly_what_the_boxes_leave(
    whole: tuple[float, float, float, float],
    taken: list[tuple[float, float, float, float]],
    places: list[tuple[int, int]],
) -> None:
    patch = Patch(tuple(without([rectangle(whole)], taken)), SIZE)
    for x, y in places:
        at = Point(x + 0.5, y + 0.5, SIZE)  # no box has its edge there
        left = holds(whole, at.x, at.y) and not any(holds(edges, at.x, at.y) for edges in taken)
        assert patch.contains(at) is left
