"""The rows that fit the query, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepscope.widgets.shell.palette.fuzzy import WORDS, FuzzyMatch, find
from stepscope.widgets.shell.palette.palette_row import PREFIXES, PaletteRow

Index = QModelIndex | QPersistentModelIndex
RowRole = int(Qt.ItemDataRole.UserRole)
PlacesRole = RowRole + 1
"""Places of the title that matched."""

MOST_SHOWN = 60
DETAIL_SHARE, PATH_SHARE = 0.5, 0.8
"""What a match in the detail, and in detail and title as one path, counts."""
QUIET_KINDS = ("step", "episode", "app", "run", "setting")
"""Too many to be listed before anything is typed."""


class PaletteItemModel(QAbstractListModel):
    """`made_of` makes a row of the query itself, such as a link; it then is all that is offered."""

    def __init__(
        self, parent: QObject | None = None, made_of: Callable[[str], PaletteRow | None] = lambda _query: None
    ) -> None:
        super().__init__(parent)
        self._rows: list[PaletteRow] = []
        self._query = ""
        self._found: list[tuple[PaletteRow, tuple[int, ...]]] = []
        self._total = 0
        self._made_of = made_of

    @property
    def total(self) -> int:
        """How many rows fit; only the best are listed."""
        return self._total

    def set_rows(self, rows: Sequence[PaletteRow]) -> None:
        self._rows = list(rows)
        self.search(self._query)

    def add_rows(self, rows: Sequence[PaletteRow]) -> None:
        """Further rows that took longer to come."""
        self.set_rows([*self._rows, *rows])

    def search(self, query: str) -> None:
        """List what fits `query`, which may begin with one of PREFIXES."""
        self._query = query
        made = self._made_of(query)
        alone: list[tuple[PaletteRow, tuple[int, ...]]] = [] if made is None else [(made, ())]
        fitting = alone or fit(self._rows, query)
        self.beginResetModel()
        self._total = len(fitting)
        self._found = fitting[:MOST_SHOWN]
        self.endResetModel()

    def row(self, place: int) -> PaletteRow | None:
        return self._found[place][0] if 0 <= place < len(self._found) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, places = self._found[index.row()]
        if role == RowRole:
            return row
        if role == PlacesRole:
            return places
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (row.title, row.detail, row.shortcut, "" if row.enabled else row.why)))
        return None


def fit(rows: Sequence[PaletteRow], query: str) -> list[tuple[PaletteRow, tuple[int, ...]]]:
    """Rows that fit with the matched places of their titles: best first, what can be chosen before what cannot."""
    kind = PREFIXES.get(query[:1])
    words = (query[1:] if kind else query).strip()
    scored: list[tuple[bool, float, int, PaletteRow, tuple[int, ...]]] = []
    for order, row in enumerate(rows):
        if (kind and row.kind != kind) or (not kind and not words and row.kind in QUIET_KINDS):
            continue
        found = _found(words, row)
        if found is not None:
            scored.append((not row.enabled, -found.score, order, row, found.places))
    scored.sort(key=lambda entry: entry[:3])
    return [(row, places) for *_rank, row, places in scored]


def _found(words: str, row: PaletteRow) -> FuzzyMatch | None:
    """The best of the title, the detail (the menus above a command), and both as one path; places are the title's."""
    in_title = find(words, row.title)
    if not words or not row.detail:
        return in_title
    path = f"{row.detail} {row.title}"
    before = len(path) - len(row.title)
    found = [in_title] if in_title else []
    if (in_detail := find(words, row.detail)) is not None:
        found.append(FuzzyMatch(in_detail.score * DETAIL_SHARE, ()))
    if (on_path := find(words, path)) is not None and on_path.score >= WORDS / 2:
        places = tuple(place - before for place in on_path.places if place >= before)
        found.append(FuzzyMatch(on_path.score * PATH_SHARE, places))
    return max(found, key=lambda one: one.score, default=None)
