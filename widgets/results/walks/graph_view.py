"""The drawn graph: screens as nodes, the person's way and the runs' ways as numbered edges."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QAbstractAnimation, QPoint, QRect, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsScene, QGraphicsView, QToolTip, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.results.walks.graph_items import CAPTION, HIGH, WIDE, EdgeItem, ScreenItem
from stepscope.widgets.results.walks.layout import placed, unwalked
from stepscope.widgets.results.walks.walk_values import HUMAN, WalkLane, WalkScreen, WalkState

ACROSS, DOWN = WIDE + 104.0, HIGH + CAPTION + 56.0
"""From screen to screen."""
ZOOM_STEP, LEAST_ZOOM, MOST_ZOOM = 1.2, 0.08, 4.0
MOST_FITTED = 1.4
"""A graph of few screens is not drawn larger than so."""
MARGIN = 48.0
_PULSE_MS = 1_600
_BENDS = (-44.0, 38.0, 96.0)
"""How far the edges of each lane are bent aside, so that their words do not cover each other."""


class WalkGraphView(QGraphicsView):
    """The wheel zooms, a drag pans, a click chooses a screen and a double click opens it; fitted until somebody
    zooms."""

    screen_chosen = Signal(str)
    screen_opened = Signal(str)
    move_chosen = Signal(str, int)
    """the lane and the step of an edge"""
    pictures_wanted = Signal(object)
    """names of screens that are shown and have no picture yet"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Graph of the walk")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setScene(QGraphicsScene(self))
        self._state: WalkState | None = None
        self._images: dict[str, QImage] = {}
        self._screens: dict[str, ScreenItem] = {}
        self._edges: list[EdgeItem] = []
        self._hidden: frozenset[str] = frozenset()
        self._others = True
        self._opened: set[str] = set()
        self._move: tuple[str, int] | None = None
        self._fitted = True
        self._pressed: QPoint | None = None
        self._pulse = QVariantAnimation(self)
        self._pulse.setStartValue(1.0)
        self._pulse.setKeyValueAt(0.5, 0.0)
        self._pulse.setEndValue(1.0)
        self._pulse.setDuration(_PULSE_MS)
        self._pulse.setLoopCount(-1)
        self._pulse.valueChanged.connect(self._show_pulse)
        theme.notifier().changed.connect(self._build)

    # what the owner tells

    def set_state(self, state: WalkState | None) -> None:
        """Another goal, or other walks to the same; pictures that were given stay."""
        if state is None or self._state is None or state.goal.episode != self._state.goal.episode:
            self._opened.clear()
            self._fitted = True
            self._move = None
        self._state = state
        self._build()

    def set_image(self, name: str, image: QImage) -> None:
        """The picture of a screen."""
        self._images[name] = image
        if name in self._screens:
            self._screens[name].set_image(image)

    def forget_images(self) -> None:
        """Other data is shown: its screens may have the same names."""
        self._images.clear()

    def set_shown(self, hidden: Collection[str], *, others: bool) -> None:
        """Lanes that are not drawn, and whether screens are that nobody walked over."""
        if (frozenset(hidden), others) != (self._hidden, self._others):
            self._hidden, self._others = frozenset(hidden), others
            self._build()

    def set_move(self, lane: str, number: int) -> None:
        """Mark a step: the screen on which it was done, and its edge."""
        self._move = (lane, number)
        self._mark()
        place = self._place_of_move()
        if place is not None and not self._fitted:
            self.ensureVisible(place, 40, 40)

    def fit(self) -> None:
        """All that is shown."""
        self._fitted = True
        self._fit(self.scene().sceneRect())

    def _fit_ways(self) -> None:
        """What was walked; what lies around it is a drag or F away."""
        ways = QRectF()
        for item in self._screens.values():
            if item.walked:
                ways = ways.united(item.sceneBoundingRect())
        self._fit(ways.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN / 2))

    def _fit(self, whole: QRectF) -> None:
        room = self.viewport().size()
        self.resetTransform()
        if whole.isEmpty() or room.isEmpty():
            return
        scale = max(min(room.width() / whole.width(), room.height() / whole.height(), MOST_FITTED), LEAST_ZOOM)
        self.scale(scale, scale)
        self.centerOn(whole.center())

    @property
    def percent(self) -> int:
        """The zoom."""
        return round(100 * self.transform().m11())

    @property
    def screens(self) -> dict[str, ScreenItem]:
        """The screens that are drawn, by name."""
        return self._screens

    @property
    def edges(self) -> list[EdgeItem]:
        """The edges that are drawn."""
        return self._edges

    # inside

    def _build(self) -> None:
        scene, state = self.scene(), self._state
        scene.clear()
        self._screens, self._edges = {}, []
        if state is None:
            self._set_pulsing()
            return
        lanes = [lane for lane in state.lanes if lane.id not in self._hidden]
        ways = [lane.places for lane in state.lanes[:1]] + [lane.places for lane in lanes if lane.id != HUMAN]
        walked = dict.fromkeys(place for lane in lanes for place in lane.places)
        all_walked = [place for way in ways for place in way]
        beside = unwalked(state.screens, all_walked, self._opened) if self._others else []
        cells = placed(ways, beside)
        shown = {name: cell for name, cell in cells.items() if name in walked or self._others}
        for number, (name, cell) in enumerate(sorted(shown.items(), key=lambda one: (one[1][1], one[1][0])), start=1):
            self._screens[name] = self._screen(state, name, number, cell, name in walked)
        for pair in self._recorded_edges(state):
            self._add_edge(*pair, [], QColor(theme.current().line), 14.0, "")
        for place, lane in enumerate(lanes):
            self._add_lane(lane, _BENDS[min(place, len(_BENDS) - 1)])
        self._mark_more(state)
        self._mark()
        self._set_pulsing()
        whole = scene.itemsBoundingRect()
        scene.setSceneRect(whole.adjusted(-MARGIN, -MARGIN / 2, MARGIN, MARGIN / 2))
        if self._fitted:
            self._fit_ways()
        missing = [name for name in self._screens if name not in self._images and state.screens[name].recorded]
        if missing:
            self.pictures_wanted.emit(missing)

    @property
    def pulses(self) -> bool:
        """Whether the ring of the screen on which a walk is moves."""
        return self._pulse.state() is QAbstractAnimation.State.Running

    def _set_pulsing(self) -> None:
        """It moves where it can be seen and nobody wants things to stand still."""
        moves = self.isVisible() and not theme.is_still() and any(item.is_now for item in self._screens.values())
        if moves and not self.pulses:
            self._pulse.start()
        elif not moves:
            self._pulse.stop()

    def _show_pulse(self, weight: float) -> None:
        for item in self._screens.values():
            if item.is_now:
                item.pulse = weight
                item.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._set_pulsing()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._set_pulsing()

    def _screen(self, state: WalkState, name: str, number: int, cell: tuple[int, int], walked: bool) -> ScreenItem:
        item = ScreenItem(state.screens[name], number, self.font())
        item.walked, item.is_goal, item.is_now = walked, name == state.goal_screen, name == state.now
        shown = state.shown
        item.is_last = shown is not None and shown.id not in self._hidden and shown.places[-1:] == (name,)
        item.setPos(cell[0] * ACROSS, cell[1] * DOWN)
        if name in self._images:
            item.set_image(self._images[name])
        self.scene().addItem(item)
        return item

    def _recorded_edges(self, state: WalkState) -> list[tuple[str, str, str]]:
        """Edges between screens that are shown, which no way that is shown goes along."""
        if not self._others:
            return []
        lanes = [lane for lane in state.lanes if lane.id not in self._hidden]
        along = {(move.place, move.to) for lane in lanes for move in lane.moves}
        return [
            (name, other, words)
            for name in self._screens
            for other, words in state.screens[name].near
            if other in self._screens and other != name and (name, other) not in along
        ]

    def _add_lane(self, lane: WalkLane, bend: float) -> None:
        colours = theme.current()
        colour = QColor(
            colours.reference if lane.id == HUMAN
            else colours.text if lane.letter is None else colours.run_colour(lane.letter)
        )  # fmt: skip
        numbers: dict[tuple[str, str], list[int]] = {}
        for number, move in enumerate(lane.moves):
            if move.place != move.to or not move.led:
                numbers.setdefault((move.place, move.to), []).append(number)
        for (place, to), steps in numbers.items():
            if lane.moves[steps[0]].icon != "finish":
                self._add_edge(place, to, lane.moves[steps[0]].label, steps, colour, bend, lane.id)

    def _add_edge(
        self, place: str, to: str, words: str, numbers: list[int], colour: QColor, bend: float, lane: str
    ) -> None:
        edge = EdgeItem(self._screens[place], self._screens[to], words, numbers, colour, bend, self.font())
        edge.lane = lane
        self.scene().addItem(edge)
        self._edges.append(edge)

    def _mark_more(self, state: WalkState) -> None:
        for name, item in self._screens.items():
            near = {other for other, _words in state.screens[name].near}
            item.more = len(near - self._screens.keys()) if self._others else 0
            item.update()

    def _mark(self) -> None:
        place = self._place_of_move()
        for item in self._screens.values():
            item.chosen = item is place
            item.update()
        for edge in self._edges:
            edge.chosen = self._move is not None and edge.lane == self._move[0] and self._move[1] in edge.numbers
            edge.update()

    def _place_of_move(self) -> ScreenItem | None:
        if self._state is None or self._move is None:
            return None
        lane = next((one for one in self._state.lanes if one.id == self._move[0]), None)
        if lane is None or not 0 <= self._move[1] < len(lane.moves):
            return None
        return self._screens.get(lane.moves[self._move[1]].place)

    # events

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(ZOOM_STEP if event.angleDelta().y() > 0 else 1 / ZOOM_STEP)
        event.accept()

    def zoom(self, factor: float) -> None:
        if LEAST_ZOOM <= self.transform().m11() * factor <= MOST_ZOOM:
            self._fitted = False
            self.scale(factor, factor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Plus: lambda: self.zoom(ZOOM_STEP), Qt.Key.Key_Minus: lambda: self.zoom(1 / ZOOM_STEP),
        }  # fmt: skip
        if event.key() in keys:
            keys[event.key()]()
        elif event.text().isprintable() and event.text():
            event.ignore()  # letters go to the page
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, None
        here = event.position().toPoint()
        if pressed is None or (here - pressed).manhattanLength() > QApplication.startDragDistance():
            return
        item = self.itemAt(here)
        if isinstance(item, ScreenItem):
            at = item.mapFromScene(self.mapToScene(here))
            if item.more and item.more_place().adjusted(-4, -4, 4, 4).contains(at):
                self._opened.add(item.screen.name)
                self._build()
            else:
                self.screen_chosen.emit(item.screen.name)
        elif isinstance(item, EdgeItem) and item.numbers:
            self.move_chosen.emit(item.lane, item.numbers[0])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if isinstance(item, ScreenItem) and item.screen.recorded:
            self.screen_opened.emit(item.screen.name)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def viewportEvent(self, event: object) -> bool:
        if isinstance(event, QHelpEvent):
            item = self.itemAt(event.pos())
            words = _tip(item.screen) if isinstance(item, ScreenItem) else ""
            QToolTip.showText(event.globalPos(), tip_words(words), self.viewport())
            return True
        return super().viewportEvent(event)  # type: ignore[arg-type]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self._fit_ways()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(theme.current().canvas))


def _tip(screen: WalkScreen) -> str:
    if not screen.recorded:
        return f"{screen.words}: no demonstration shows it"
    return f"{screen.words}. A double click opens it in Replay."
