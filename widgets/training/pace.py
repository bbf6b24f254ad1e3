"""How fast an epoch goes, where its time goes, and what memory it takes."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.thin_bar import ThinBar
from stepscope.widgets.format import byte_words, count, time_left
from stepscope.widgets.format import rate as rate_words
from stepscope.widgets.scores.card import mix
from stepscope.widgets.training.training_status import EpochPace

PARTS = ("data", "forward", "backward", "rest")
TIPS = {
    "data": "Waiting for the next batch: more workers may help where this is large",
    "forward": "The network's answers and their loss",
    "backward": "The gradient, and the step of the optimizer",
    "rest": "All else, such as keeping what was learned",
}
BAR_HEIGHT, RADIUS, SWATCH, GAP, PIXELS = 8, 2, 8, 4, 11


class PaceView(QWidget):
    """Shows an `EpochPace`; hidden before there is one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar, self.times = ThinBar(), TimeShares()
        self.bar.setAccessibleName("This epoch")
        self._place, self._left = ElidedLabel("", "secondary"), QLabel()
        self._speed, self._memory = QLabel(), QLabel()
        for label in (self._left, self._speed, self._memory):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("role", "dim")
        for label in (self._speed, self._memory):
            label.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._place, 1)
        head.addWidget(self._left)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self._speed)
        column.addWidget(self.times)
        column.addWidget(self._memory)
        self.set_pace(None)

    def set_pace(self, pace: EpochPace | None, *, paused: bool = False) -> None:
        """None hides it; while paused nothing is left."""
        self.setVisible(pace is not None)
        if pace is None:
            return
        self._place.setText(f"Batch {count(pace.batch)} of {count(pace.batches)}")
        self._left.setText("" if paused else time_left(pace.seconds_left))
        self.bar.set_progress(pace.batch, pace.batches, "stopped" if paused else "")
        self.bar.setAccessibleDescription(self._place.text())
        self._speed.setText(straight(speed_words(pace)))
        self.times.set_pace(pace)
        self._memory.setText(straight(memory_words(pace)))

    def words(self) -> str:
        """All that is told."""
        labels = (self._place, self._left, self._speed, self._memory)
        return "\n".join([*(label.text() for label in labels), self.times.accessibleDescription()])


class TimeShares(QWidget):
    """The shares of the time as one bar of four parts, with their names and figures below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Where the time goes")
        self._bar = _PartsBar()
        self._entries = {part: _PartWords(part) for part in PARTS}
        flow = FlowLayout(8)
        for entry in self._entries.values():
            flow.addWidget(entry)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._bar)
        column.addLayout(flow)

    def set_pace(self, pace: EpochPace) -> None:
        shares = {part: float(getattr(pace, part)) for part in PARTS}
        self._bar.set_shares(tuple(shares.values()))
        for part, share in shares.items():
            self._entries[part].set_share(share)
        self.setAccessibleDescription(", ".join(entry.words for entry in self._entries.values()))


class _PartsBar(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._shares: tuple[float, ...] = ()
        self.setFixedHeight(BAR_HEIGHT)
        theme.notifier().changed.connect(self.update)

    def set_shares(self, shares: tuple[float, ...]) -> None:
        self._shares = shares
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        left, whole = 0.0, max(1.0, sum(self._shares))
        for part, share in zip(PARTS, self._shares, strict=False):
            width = self.width() * share / whole
            painter.setBrush(part_colour(part))
            painter.drawRect(QRectF(left, 0, max(0.0, width - 1), self.height()))
            left += width
        painter.end()


class _PartWords(QWidget):
    """A part's colour, name and share."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self._part, self.words = part, part
        self.setToolTip(TIPS[part])
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def set_share(self, share: float) -> None:
        self.words = f"{self._part} {round(100 * share)} %"
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(derived(self.font(), PIXELS))
        return QSize(math.ceil(SWATCH + GAP + metrics.horizontalAdvance(self.words)) + 1, math.ceil(metrics.height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(part_colour(self._part))
        painter.drawRoundedRect(QRectF(0, (self.height() - SWATCH) / 2, SWATCH, SWATCH), RADIUS, RADIUS)
        painter.setPen(QColor(theme.current().secondary))
        painter.setFont(derived(self.font(), PIXELS))
        painter.drawText(self.rect().adjusted(SWATCH + GAP, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.words)
        painter.end()


def part_colour(part: str) -> QColor:
    """What waits for data is the colour of warnings, work that of progress."""
    colours = theme.current()
    return {
        "data": mix(colours.warn, 0.8, colours.panel),
        "forward": mix(colours.accent, 0.5, colours.panel),
        "backward": QColor(colours.accent),
        "rest": mix(colours.dim, 0.5, colours.panel),
    }[part]


def speed_words(pace: EpochPace) -> str:
    """Items a second, learning rate and loss."""
    speed = rate_words(pace.items_per_second).replace("/s", " items/s")
    loss = f"{pace.loss:.4f}" if math.isfinite(pace.loss) else "no number"
    return " · ".join(filter(None, (speed, f"rate {pace.rate:.3g}", f"loss {loss}")))


def memory_words(pace: EpochPace) -> str:
    """Memory of the process and of the GPU, and how busy that is."""
    words = [f"Memory {byte_words(pace.memory)}"]
    if pace.gpu_memory or pace.gpu_use is not None:
        busy = f", {round(100 * pace.gpu_use)} % busy" if pace.gpu_use is not None else ""
        words.append(f"GPU {byte_words(pace.gpu_memory)}{busy}")
    return " · ".join(words)
