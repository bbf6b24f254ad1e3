"""Where tiles lie, and where the arrows lead."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Size
from stepscope.widgets.grid.grid_values import Tile, TileGroup
from stepscope.widgets.grid.tile_layout import CUT, GAP, HEADING, MARGIN, TileLayout
from stepscope.widgets.grid.tile_painting import cut_from

PHONE, PAGE = Size(100, 200), Size(200, 100)


def tile(name: int, size: Size = PHONE, middle: float = 0.5) -> Tile:
    return Tile(("e", name), "", "", "", "", size, middle, ())


def group(title: str, *names: int) -> TileGroup:
    return TileGroup(title, tuple(tile(name) for name in names))


def test_rows_of_equal_tiles_under_headings() -> None:
    """In 360 pixels less the margins of 16 two tiles of 150 with 14 between them fit, each 157 wide."""
    laid = TileLayout([group("a", 0, 1, 2), group("b", 3)], 360, 150, 50, whole=False)
    assert laid.columns == 2
    wide = (360 - 2 * MARGIN - GAP) // 2
    high = round(wide * CUT)
    assert [(place.left, place.width, place.picture) for place in laid.places] == [
        (MARGIN, wide, high), (MARGIN + wide + GAP, wide, high), (MARGIN, wide, high), (MARGIN, wide, high)
    ]  # fmt: skip
    tops = [place.top for place in laid.places]
    assert tops == [4 + HEADING, 4 + HEADING, 4 + HEADING + high + 50 + GAP, 4 + 2 * HEADING + 2 * (high + 50 + GAP)]
    assert laid.at(MARGIN + 1, tops[2] + 1) == 2 and laid.at(2, tops[2]) is None
    assert [list(laid.group_of(number)) for number in (1, 3)] == [[0, 1, 2], [3]]


def test_arrows_go_along_rows_and_stay_in_their_column() -> None:
    laid = TileLayout([group("a", 0, 1, 2), group("b", 3, 4)], 360, 150, 50, whole=False)
    assert [laid.moved(0, 1, 0), laid.moved(0, -1, 0), laid.moved(4, 1, 0)] == [1, 0, 4]
    assert laid.moved(1, 0, 1) == 2, "the row has no second one"
    assert laid.moved(2, 0, 1) == 3 and laid.moved(4, 0, -1) == 2 and laid.moved(4, 0, 1) == 4


def test_a_cut_is_around_the_middle_and_within_the_screen() -> None:
    """A phone's screen of 100 × 200 at scale 2 is 400 high; the picture is 180."""
    assert cut_from(tile(0, middle=0.5), 2.0, 180) == 110
    assert cut_from(tile(0, middle=0.0), 2.0, 180) == 0
    assert cut_from(tile(0, middle=1.0), 2.0, 180) == 220
    assert cut_from(tile(0, PAGE, 0.9), 0.5, 180) == 0, "a low one is whole"


@given(st.lists(st.integers(0, 9), max_size=6), st.integers(120, 900), st.integers(110, 420))
def test_no_two_tiles_overlap_and_all_are_found(sizes: list[int], wide: int, width: int) -> None:
    names = iter(range(100))
    groups = [group(str(number), *(next(names) for _ in range(size))) for number, size in enumerate(sizes)]
    laid = TileLayout(groups, wide, width, 50, whole=False)
    assert len(laid.tiles) == sum(sizes)
    for number, place in enumerate(laid.places):
        assert laid.at(place.left + 1, place.top + 1) == number
        assert laid.at(place.left + place.width - 1, place.bottom - 1) == number
        assert place.bottom <= laid.height
