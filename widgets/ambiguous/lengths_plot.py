"""The share of tasks by a number of steps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontMetricsF, QResizeEvent

from stepscope.widgets.ambiguous.review_values import LengthBar
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.scores.columns_plot import ColumnsPlot, PlotColumn
from stepscope.widgets.scores.plot import TICK_PIXELS, Ticks

HALF = 0.36
"""Half the width of a column; the next one stands 1 further."""


class LengthsPlot(ColumnsPlot):
    """A column a number of steps, on a scale that ends above the highest."""

    def __init__(self, name: str, label: str, run: int) -> None:
        super().__init__(name, "No tasks yet")
        self._bars: tuple[LengthBar, ...] = ()
        self._run_of_colour = run
        self.set_label(label)

    def set_bars(self, bars: Sequence[LengthBar]) -> None:
        self._bars = tuple(bars)
        self._set_ticks()
        columns = [PlotColumn(bar.steps - HALF, bar.steps + HALF, bar.share, bar.total, bar.words) for bar in bars]
        self.set_columns(columns, run=self._run_of_colour)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_bars"):
            self._set_ticks()

    def _set_ticks(self) -> None:
        """As many numbers as fit below the columns."""
        steps = [bar.steps for bar in self._bars]
        low, high = min(steps, default=1), max(steps, default=1)
        least = QFontMetricsF(derived(self.font(), TICK_PIXELS)).horizontalAdvance(str(high)) + 10
        fit = max(1, int(max(self.viewport().width() - 60, 60) / least))
        every = max(1, -(-(high - low + 1) // fit))
        ticks = [(step, str(step)) for step in range(low, high + 1, every)]
        top, shares = share_ticks(max((bar.share for bar in self._bars), default=0.0))
        self.set_axes(ticks, shares, (low - 0.6, high + 0.6), (0, top))


def share_ticks(highest: float) -> tuple[float, Ticks]:
    """The end of a scale on which `highest` (0..1) fits, and its ticks in percent."""
    end = next((one for one in (5, 10, 20, 40, 60, 80) if highest * 100 <= one), 100)
    parts = 4 if end in (20, 40, 60, 80, 100) else 5
    return end / 100, [(end * part / parts / 100, f"{end * part // parts} %") for part in range(parts + 1)]
