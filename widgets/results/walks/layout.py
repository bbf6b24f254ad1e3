"""Where the screens of walks stand: the person's way in a row from left to right, what a run saw besides below it,
screens that were recorded and not walked above. No Qt.

A layered way has an order that layouts for any graph do not keep, so it is placed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from stepscope.widgets.results.walks.walk_values import WalkScreen

MOST_SCREENS = 60
"""Of an app with more only those within two recorded actions of a way are shown."""
NEAR = 2

Cell = tuple[int, int]
"""Column and row; the person's row is 0."""


def placed(ways: Sequence[Sequence[str]], others: Iterable[tuple[str, str]] = ()) -> dict[str, Cell]:
    """The cell of each screen of the ways, the person's first; `others` are pairs of a screen that is placed and one
    beside it."""
    cells: dict[str, Cell] = {}
    taken: set[Cell] = set()

    def put(name: str, column: int, row: int, down: int) -> None:
        while (column, row) in taken:
            row += down
        cells[name] = column, row
        taken.add((column, row))

    for way in ways[:1]:
        for name in dict.fromkeys(way):
            put(name, len(cells), 0, 1)
    for way in ways[1:]:
        before: Cell = (-1, 0)
        for name in way:
            if name not in cells:
                put(name, before[0] + 1, max(1, before[1]), 1)
            before = cells[name]
    for name, other in others:
        if other not in cells and name in cells:
            put(other, cells[name][0] + 1, -1, -1)
    return cells


def unwalked(
    screens: Mapping[str, WalkScreen], walked: Iterable[str], opened: Iterable[str] = ()
) -> list[tuple[str, str]]:
    """Pairs of a screen and one that a recorded action leads to, neither of a way: all that can be reached from the
    ways, in an app with many screens those within `NEAR` of them, and the neighbours of those that are `opened`."""
    ways, opened = list(dict.fromkeys(walked)), set(opened)
    deep = len(screens) if len(screens) <= MOST_SCREENS else NEAR
    found: list[tuple[str, str]] = []
    seen, edge = set(ways), ways
    for _ in range(deep):
        following: list[str] = []
        for name in edge:
            for other, _words in screens[name].near if name in screens else ():
                if other not in seen:
                    seen.add(other)
                    found.append((name, other))
                    following.append(other)
        edge = following
        if not edge:
            return found
    waiting = [name for name in seen if name in opened]
    while waiting:
        name = waiting.pop()
        for other, _words in screens[name].near if name in screens else ():
            if other not in seen:
                seen.add(other)
                found.append((name, other))
                if other in opened:
                    waiting.append(other)
    return found
