"""The list's own widget: rows of episodes, lower rows of headings that fold."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent

from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.library.delegate import EpisodeDelegate
from stepscope.widgets.library.episodes_item_model import EpisodesItemModel

FOLD = {Qt.Key.Key_Left: True, Qt.Key.Key_Right: False}


class EpisodesList(PagedList):
    """A heading folds by a click, by Enter, and by Left and Right; Left in a row of an episode goes to its heading."""

    def __init__(self, model: EpisodesItemModel) -> None:
        self.delegate = EpisodeDelegate()
        self._model = model
        self._low: list[int] = []
        super().__init__("Episodes", self.delegate)
        self.setModel(model)
        model.modelReset.connect(self._measure_headings)
        model.rowsInserted.connect(self._note_headings)
        model.rowsRemoved.connect(self._note_headings)
        self.clicked.connect(self._toggle)
        self.taken.connect(self._toggle)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure_headings()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, fold = self.currentIndex().row(), FOLD.get(Qt.Key(event.key()))
        if fold is None or not self._model.headings or row < 0:
            super().keyPressEvent(event)
        elif self._model.heading(row) is not None:
            self._fold(row, fold)
        elif fold:
            self.setCurrentIndex(self._model.index(self._model.heading_row_of(row), 0))

    def _toggle(self, index: QModelIndex) -> None:
        heading = self._model.heading(index.row())
        if heading is not None:
            self._fold(index.row(), not heading.folded)

    def _fold(self, row: int, folded: bool) -> None:
        """Fold with the heading as the current row: Qt would choose another one for a row that goes away."""
        self.setCurrentIndex(self._model.index(row, 0))
        self._model.fold(row, folded)

    def _note_headings(self) -> None:
        self._low = self._model.headings

    def _measure_headings(self) -> None:
        """Rows of headings are lower. Without updates Qt looks at the sizes once, not once for each of them."""
        header, wanted = self.verticalHeader(), self._model.headings
        if not wanted and not self._low:
            return
        usual, low = header.defaultSectionSize(), self.delegate.heading_height(self.font())
        header.setUpdatesEnabled(False)
        for row in self._low:
            header.resizeSection(row, usual)
        for row in wanted:
            header.resizeSection(row, low)
        header.setUpdatesEnabled(True)
        self._low = wanted
