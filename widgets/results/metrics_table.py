"""The table of a run's metrics: as high as its rows, so that the page scrolls and not the table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from stepscope.widgets.common import run_letter
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.interval_delegate import LEAST_WIDTH, SIDE, IntervalDelegate, MetricsHeader, common_span
from stepscope.widgets.results.metrics_item_model import PLOT, TITLE, MetricsItemModel
from stepscope.widgets.results.result_rows import ResultDetails

Mode = QHeaderView.ResizeMode


class MetricsTable(RowTable):
    """The plot takes the width that the numbers leave; where that is too little, it is not there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Metrics", parent)
        self.metrics = MetricsItemModel(self)
        self.plot = IntervalDelegate(self)
        self._fitted: tuple[int, ...] = ()
        """letters of the longest words in each column when the columns got their widths"""
        self.setHorizontalHeader(MetricsHeader(self.plot, self))
        self.setModel(self.metrics)
        self.setItemDelegateForColumn(PLOT, self.plot)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerPixel)

    def set_result(self, result: ResultDetails) -> None:
        """Show another run's metrics, or newer ones of the same."""
        plot = self.plot
        plot.run, plot.baseline, plot.paper = result.letter or 0, result.baseline, not result.no_finding
        plot.span = common_span(result.metrics, paper=plot.paper)
        self.metrics.set_metrics(
            result.metrics,
            paper=plot.paper,
            run="" if result.letter is None else run_letter(result.letter),
            baseline="" if result.baseline is None else run_letter(result.baseline),
        )
        if self.metrics.lengths() != self._fitted:
            self.fit()

    def fit(self) -> None:
        """Widths and height for the metrics, the text size and the room there is."""
        header = self.horizontalHeader()
        columns = range(self.metrics.columnCount())
        place = self.metrics.column_of(PLOT)
        self._fitted = self.metrics.lengths()
        widths = [max(self.sizeHintForColumn(column), header.sectionSizeHint(column)) for column in columns]
        room = self.viewport().width() - sum(widths) + widths[place]
        plotted = room >= LEAST_WIDTH + 2 * SIDE
        self.setColumnHidden(place, not plotted)
        widest = place if plotted else TITLE if room > 0 else -1
        for column in columns:
            header.setSectionResizeMode(column, Mode.Stretch if column == widest else Mode.Fixed)
            if column != widest:
                header.resizeSection(column, widths[column])
        bar = 0 if room >= 0 else self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(header.sizeHint().height() + self.metrics.rowCount() * self.row_height() + 2 + bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            QTimer.singleShot(0, self, self.fit)  # the header hears of it after the table
