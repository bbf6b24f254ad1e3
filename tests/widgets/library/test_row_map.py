"""Rows under headings, against a list made row by row."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.widgets.library.row_map import RowMap

groups = st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1, max_size=6)


def plain(counts: list[int], folded: list[bool]) -> list[tuple[str, int]]:
    """Every row: a heading with its group, or an episode with its position."""
    rows: list[tuple[str, int]] = []
    position = 0
    for group, count in enumerate(counts):
        rows.append(("heading", group))
        if not folded[group]:
            rows += [("episode", position + place) for place in range(count)]
        position += count
    return rows


@given(groups, st.data())
def test_rows_and_positions_lead_to_each_other(wanted: list[tuple[int, bool]], data: st.DataObject) -> None:
    counts, folded = [count for count, _ in wanted], [fold for _, fold in wanted]
    rows = RowMap(sum(counts), counts, folded)
    group = data.draw(st.integers(0, len(counts) - 1))
    folded[group] = not folded[group]
    rows.fold(group, folded[group])
    expected = plain(counts, folded)
    assert rows.rows == len(expected)
    assert rows.headings == [row for row, (kind, _) in enumerate(expected) if kind == "heading"]
    for row, (kind, value) in enumerate(expected):
        assert rows.heading_at(row) == (value if kind == "heading" else -1)
        assert rows.position_at(row) == (value if kind == "episode" else -1)
        if kind == "episode":
            assert rows.row_of(value) == row
    hidden = [at for at in range(sum(counts)) if ("episode", at) not in expected]
    assert all(expected[rows.row_of(position)][0] == "heading" for position in hidden)


def test_without_groups_a_row_is_a_position() -> None:
    rows = RowMap(3)
    assert (rows.rows, rows.headings, rows.heading_at(0)) == (3, [], -1)
    assert [rows.position_at(row) for row in (-1, 0, 2, 3)] == [-1, 0, 2, -1]
    assert rows.row_of(2) == 2
