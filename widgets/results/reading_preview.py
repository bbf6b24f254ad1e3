"""What reading a run's answers again would change, for the space that is chosen in the table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common.badge import Badge
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.results.coordinates_values import SpaceRow
from stepscope.widgets.scores.card import ResultCard

STAYS = "A reading takes the run's place with its letter, colour and name. Ctrl+Z brings the first one back."


class ReadingPreview(ResultCard):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("If read again", parent=parent)
        self.detail.setText("preview, not stored")
        self._grid = QGridLayout()
        self._grid.setColumnStretch(0, 1)
        self._grid.setHorizontalSpacing(12)
        self._cells: list[tuple[QLabel, QLabel, QLabel, QLabel]] = []
        self.better, self.worse = Badge(), Badge()
        badges = QHBoxLayout()
        badges.setSpacing(8)
        badges.addWidget(self.better)
        badges.addWidget(self.worse)
        badges.addStretch(1)
        self._stays = _words("tiny")
        self._stays.setText(STAYS)
        self.body.addLayout(self._grid)
        self.body.addLayout(badges)
        self.body.addWidget(self._stays)
        self.body.addStretch(1)

    def set_rows(self, now: SpaceRow | None, then: SpaceRow | None, episodes: int) -> None:
        """What holds as the run is read `now`, and what would."""
        rows = [] if now is None or then is None else preview_rows(now, then, episodes)
        for place in range(max(len(rows), len(self._cells))):
            cells = self._cells[place] if place < len(self._cells) else self._add(place)
            shown = place < len(rows)
            for cell, words in zip(cells, rows[place] if shown else ("",) * 4, strict=True):
                cell.setText(words)
                cell.setVisible(shown)
            _mark(cells[-1], better=shown and rows[place][-1] != rows[place][1] and then is not None and then.better)
        turning = then is not None and not then.chosen
        self.better.setVisible(turning)
        self.worse.setVisible(turning)
        self._stays.setVisible(turning)
        if then is not None:
            self.better.set_words(f"✓ wrong, then right {formats.count(then.gained)}", "hit")
            self.worse.set_words(f"✕ right, then wrong {formats.count(then.lost)}", "miss" if then.lost else "neutral")

    def lines(self) -> list[str]:
        """Each row in words, for tests and screen readers."""
        return [" ".join(cell.text() for cell in row) for row in self._cells if not row[0].isHidden()]

    def _add(self, place: int) -> tuple[QLabel, QLabel, QLabel, QLabel]:
        cells = _words("secondary"), _words(), _words("dim"), _words()
        for column, cell in enumerate(cells):
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            self._grid.addWidget(cell, place, column, side)
        self._cells.append(cells)
        return cells


def preview_rows(now: SpaceRow, then: SpaceRow, episodes: int) -> list[tuple[str, str, str, str]]:
    """Name, as it is, an arrow, and as it would be."""
    found = [
        ("Points right", formats.count(now.right), formats.count(then.right)),
        ("Step accuracy", formats.score(now.accuracy), formats.score(then.accuracy)),
        ("Malformed", formats.count(now.malformed), formats.count(then.malformed)),
    ]
    if now.whole is not None and then.whole is not None:
        of = f"of {formats.count(episodes)}"
        found.insert(
            2, ("Whole episodes right", f"{formats.count(now.whole)} {of}", f"{formats.count(then.whole)} {of}")
        )
    return [(name, before, "→", after) for name, before, after in found]


def _mark(cell: QLabel, *, better: bool) -> None:
    """Paint a number as one that is better than before, or as any other."""
    role = "better" if better else ""
    if cell.property("role") != role:
        cell.setProperty("role", role)
        restyle(cell)


def _words(role: str = "") -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(role == "tiny")
    if role:
        label.setProperty("role", role)
    return label
