"""Two plots of runs over web tasks: demonstrations against score, and two runs task by task.

Source of both: TurkingBench (Xu et al. 2024), figures 7 and 6.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.marked import MarkedLabel, StyledText
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.web_points import PlotDot, PointsPlot
from stepscope.widgets.results.web_values import SettingLine, TaskPlane, TaskPoint
from stepscope.widgets.scores.breakdown_values import Key
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.scores.plot import QUARTERS, dashes

TITLE = "Text against vision, task by task"
PLOT_HEIGHT = 300
"""The least that a card with a plot needs."""
ROOM = 0.04
"""Beyond 0 and 1, so that points on the edge are whole."""


class DemosCard(ResultCard):
    """`opened` carries the id of the run behind a point."""

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Demonstrations against score", parent=parent)
        self.plot = DemosPlot()
        self.legend, self.note = MarkedLabel(), _note()
        self.legend.setWordWrap(True)
        self.body.addWidget(self.legend)
        self.body.addWidget(self.plot, 1)
        self.body.addWidget(self.note)
        self.plot.chosen.connect(self.opened)
        theme.notifier().changed.connect(self._show_legend)

    def set_lines(self, lines: tuple[SettingLine, ...], note: str, run: int) -> None:
        """`run` (0 for A) is that of the run shown; without lines the note says why there are none."""
        _make_room(self, bool(lines))
        self.plot.set_lines(lines, run)
        self.note.setText(straight(note))
        self._show_legend()

    def _show_legend(self) -> None:
        named = self.plot.names()
        pieces = [
            piece for name, colour in named for piece in (StyledText("●", colour), StyledText(f"\u00a0{name}    "))
        ]
        self.legend.set_pieces(*pieces)
        self.legend.setVisible(bool(named))


class DemosPlot(PointsPlot):
    """A line for each way the model was given the page."""

    def __init__(self) -> None:
        super().__init__("Demonstrations against score")
        self._lines: tuple[SettingLine, ...] = ()
        self._run = 0
        self.set_label("Demonstrations")

    def set_lines(self, lines: tuple[SettingLine, ...], run: int) -> None:
        self._lines, self._run = lines, run
        demos = sorted({point.demos for line in lines for point in line.points})
        low, high = (demos[0], demos[-1]) if demos else (0, 1)
        room = max(0.5, (high - low) * 0.08)
        self.set_axes([(one, str(one)) for one in demos], QUARTERS, (low - room, high + room), (0, 1 + ROOM))
        self.renew()

    def renew(self) -> None:
        self.clear_items()
        dots = []
        for number, line in enumerate(self._lines):
            colour = self._colour(number)
            xs, ys = [point.demos for point in line.points], [point.value for point in line.points]
            self.draw(pg.PlotCurveItem(xs, ys, pen=pg.mkPen(colour, width=1.6), antialias=True))
            for one in line.points:
                words = f"{line.name}, {formats.counted(one.demos, 'demonstration')}: {formats.score(one.value)}"
                words += f", 95 % interval {formats.interval(one.interval)}" if one.interval else ""
                words = f"{words}\n{one.words}"
                dots.append(PlotDot(one.demos, one.value, words, colour, one.run, one.current, one.interval))
        self.set_dots(dots)

    def names(self) -> list[tuple[str, str]]:
        """Each line's name and colour."""
        return [(line.name, self._colour(number)) for number, line in enumerate(self._lines)]

    def _colour(self, number: int) -> str:
        """The line of the run shown has its colour, the others those of the theme that stand for nothing else here."""
        colours = theme.current()
        if any(point.current for point in self._lines[number].points):
            return colours.run_colour(self._run)
        return (colours.reference, colours.secondary, colours.hit, colours.dim)[number % 4]


class PlaneCard(ResultCard):
    """`chosen` carries the key of a task."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TITLE, parent=parent)
        self.plot = PlanePlot()
        self.note = _note()
        self.body.addWidget(self.plot, 1)
        self.body.addWidget(self.note)
        self.plot.chosen.connect(self.chosen)

    def set_plane(self, plane: TaskPlane | None, note: str, run: int) -> None:
        """Show the plane; without one the note says why."""
        _make_room(self, plane is not None)
        self.set_title(TITLE if plane is None else plane.title)
        self.plot.set_plane(plane, run)
        self.note.setText(straight(note))
        self.detail.setText("" if plane is None else formats.counted(len(plane.points), "task"))

    def set_chosen(self, key: Key) -> None:
        self.plot.set_chosen(key)


class PlanePlot(PointsPlot):
    """Above the diagonal the run on the upright axis is better; filled points are notably apart."""

    def __init__(self) -> None:
        super().__init__("Two runs task by task")
        self._plane: TaskPlane | None = None
        self._run = 0
        self.set_axes(QUARTERS, QUARTERS, (-ROOM, 1 + ROOM), (-ROOM, 1 + ROOM))

    def set_plane(self, plane: TaskPlane | None, run: int) -> None:
        self._plane, self._run = plane, run
        self.set_label("" if plane is None else f"{plane.x} (across), {plane.y} (up)")
        self.renew()

    def renew(self) -> None:
        self.clear_items()
        colours = theme.current()
        self.draw(pg.PlotCurveItem([0, 1], [0, 1], pen=dashes(QColor(colours.dim), 1, 3, 3), antialias=True))
        points = () if self._plane is None else self._plane.points
        colour = colours.run_colour(self._run)
        self.set_dots(
            [PlotDot(max(one.x, 0.0), max(one.y, 0.0), _words(one), colour, one.key, one.notable) for one in points]
        )


def _words(one: TaskPoint) -> str:
    said = f"{one.name}: {formats.score(one.x)} across, {formats.score(one.y)} up, {formats.signed(one.y - one.x)}"
    if one.interval is not None:
        said += " (95 % {} to {})".format(*map(formats.signed, one.interval))
    return f"{said}, {formats.counted(one.pages, 'page')}" + (", notably apart" if one.notable else "")


def _make_room(card: DemosCard | PlaneCard, drawn: bool) -> None:
    """Put the note below the title where nothing is drawn."""
    card.plot.setVisible(drawn)
    card.body.setStretchFactor(card.note, 0 if drawn else 1)
    card.setMinimumHeight(PLOT_HEIGHT if drawn else 0)


def _note() -> QLabel:
    label = QLabel()
    label.setProperty("role", "tiny")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label
