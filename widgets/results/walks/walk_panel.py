"""A walk step by step, the screen of a step, and what the model said there."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import icons, theme
from stepscope.widgets.common import PanelHeader, text_button
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.fonts import derived, monospace
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.walks.walk_values import COURSE_BADGES, WalkLane, WalkMove, WalkState

Index = QModelIndex | QPersistentModelIndex
MoveRole = Qt.ItemDataRole.UserRole
_NONE = QModelIndex()
_THUMB = QSize(26, 54)
_NUMBER, _GAP = 30, 8
NOTHING_SAID = "The stored answer has no raw output."


class MoveItemModel(QAbstractListModel):
    """The steps of a walk."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._moves: tuple[WalkMove, ...] = ()
        self.images: dict[str, QImage] = {}

    def set_moves(self, moves: tuple[WalkMove, ...]) -> None:
        self.beginResetModel()
        self._moves = moves
        self.endResetModel()

    @property
    def moves(self) -> tuple[WalkMove, ...]:
        return self._moves

    def set_image(self, name: str, image: QImage) -> None:
        """The picture of a screen."""
        self.images[name] = image
        rows = [row for row, move in enumerate(self._moves) if move.place == name]
        for row in rows:
            self.dataChanged.emit(self.index(row, 0), self.index(row, 0))

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._moves)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        move = self._moves[index.row()]
        if role == MoveRole:
            return move
        words = f"{index.row() + 1}. {move.title} {move.detail}"
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{words}, {move.course}" if move.course else words
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(f"{words} {move.why}".strip())
        return None


class _MoveDelegate(QStyledItemDelegate):
    """Number, screen, what was done, to what; the course at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        move, colours, place = index.data(MoveRole), theme.current(), option.rect
        model = index.model()
        painter.save()
        paint_row_ground(painter, option)
        painter.setFont(derived(option.font, 12))
        painter.setPen(QColor(colours.secondary))
        number = QRect(place.left() + 8, place.top(), _NUMBER - 10, place.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(index.row() + 1))
        box = QRect(QPoint(place.left() + _NUMBER + _GAP, place.center().y() - _THUMB.height() // 2), _THUMB)
        image = model.images.get(move.place) if isinstance(model, MoveItemModel) else None
        painter.fillRect(box, QColor(colours.inset))
        if image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            fitted = QRect(box.topLeft(), image.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio))
            fitted.moveCenter(box.center())
            painter.drawImage(fitted, image)
        inside = place.adjusted(_NUMBER + 2 * _GAP + _THUMB.width() + 4, 0, -10, 0)
        if move.course is not None:
            painter.setFont(derived(option.font, 11.5))
            course, kind = move.course.value, COURSE_BADGES[move.course]
            width = painter.fontMetrics().horizontalAdvance(course) + 10
            paint_badge(painter, inside.right() - width, place.center().y() + 0.5, course, kind)
            inside.setRight(inside.right() - width - _GAP)
        lines = [(move.title, 13.0, colours.text, QFont.Weight.Medium)]
        below = move.why if move.why else move.detail
        if below:
            lines.append((below, 12.0, colours.secondary, QFont.Weight.Normal))
        heights = [QFontMetrics(derived(option.font, size)).height() + 2 for _, size, _, _ in lines]
        top = place.center().y() - sum(heights) // 2
        for (words, size, ink, weight), height in zip(lines, heights, strict=True):
            painter.setFont(derived(option.font, size, weight=weight))
            painter.setPen(QColor(ink))
            cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(QRect(inside.left(), top, inside.width(), height), Qt.AlignmentFlag.AlignVCenter, cut)
            top += height
        painter.restore()


class _MoveList(RowTable):
    def __init__(self) -> None:
        super().__init__("Steps of the walk")
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _measure(self) -> None:
        self.verticalHeader().setDefaultSectionSize(_THUMB.height() + 10)


class StepScreen(QWidget):
    """A screen as large as there is room, with the place that was touched."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self._at: tuple[float, float] | None = None
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 160)

    def set_screen(self, image: QImage | None, words: str, at: tuple[float, float] | None) -> None:
        """`at` is in fractions of the screen; without a picture its words are shown."""
        self._image, self._words, self._at = image or QImage(), words, at
        self.setAccessibleName(words)
        self.update()

    @property
    def image(self) -> QImage:
        return self._image

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if self._image.isNull():
            painter.setPen(QColor(colours.dim))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), flags, straight(self._words))
            return
        size = self._image.size().scaled(self.size() - QSize(16, 16), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF((self.width() - size.width()) / 2, 8, size.width(), size.height())
        painter.drawImage(place, self._image)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawRect(place)
        if self._at is not None:
            point = QPointF(place.left() + self._at[0] * place.width(), place.top() + self._at[1] * place.height())
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for ink, width in ((colours.panel, 5.0), (colours.accent, 2.5)):
                painter.setPen(QPen(QColor(ink), width))
                painter.drawEllipse(point, 11, 11)


class WalkPanel(QWidget):
    """Stands beside the graph."""

    move_chosen = Signal(str, int)
    """lane and step"""
    replay_requested = Signal()
    """open what is chosen in Replay"""
    phone_requested = Signal()
    """let the same model walk this goal on the simulated phone"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lane: WalkLane | None = None
        self._header = PanelHeader("Walk")
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("Part of the walk")
        for words in ("Walk", "Screen", "Raw output"):
            self.tabs.addTab(plain_label(words))
        self.model, self.list = MoveItemModel(self), _MoveList()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_MoveDelegate(self.list))
        self.step_screen, self.raw = StepScreen(), QPlainTextEdit()
        self.raw.setReadOnly(True)
        self.raw.setAccessibleName("Raw output")
        self.raw.setFont(monospace(self.raw.font()))
        self._pages = QStackedWidget()
        self._facts = QWidget()
        self._fact_row = QHBoxLayout(self._facts)
        self.check = QLabel()
        self.check.setWordWrap(True)
        self._check_icon = QLabel()
        self.replay = text_button("Open in Replay", icon="replay", tip="Open this screen in Replay (Enter)")
        self.phone = text_button(
            "Walk on the phone", icon="device", tip="Let the same model walk this goal on the simulated phone"
        )
        self._told = True
        self._lay_out()
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self.list.selectionModel().currentRowChanged.connect(self._tell)
        self.list.opened.connect(lambda _index: self.replay_requested.emit())
        self.replay.clicked.connect(self.replay_requested)
        self.phone.clicked.connect(self.phone_requested)
        self.set_state(None, on_phone=False)

    def set_state(self, state: WalkState | None, *, on_phone: bool) -> None:
        """The walk of the run that is shown; `on_phone`: its goal can be walked on the simulated phone."""
        self._lane = state.shown if state is not None else None
        self._told = False
        self.model.set_moves(self._lane.moves if self._lane is not None else ())
        self._told = True
        self._header.set_detail("" if self._lane is None else self._lane.title)
        self._header.set_run(None if self._lane is None else self._lane.letter)
        self._set_facts(() if state is None else state.facts)
        self.check.setText("" if state is None else straight(state.check_words))
        holds = state is not None and state.check_holds
        mark = icons.icon("check" if holds else "cross", lambda: theme.current().hit if holds else theme.current().miss)
        self._check_icon.setPixmap(mark.pixmap(QSize(14, 14)))
        self._check_icon.setVisible(state is not None and bool(state.check_words))
        self.phone.setVisible(on_phone)
        self.replay.setEnabled(state is not None)

    def choose(self, lane: str, number: int) -> None:
        """Mark a step of the walk that is listed; tells nobody."""
        self._told = False
        if self._lane is not None and lane == self._lane.id and number < self.model.rowCount():
            index = self.model.index(number, 0)
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)
        else:
            self.list.clearSelection()
        self._told = True

    def show_step(self, move: WalkMove | None, image: QImage | None, words: str) -> None:
        """The screen of a step and what was said there; without a step a screen alone."""
        self.step_screen.set_screen(image, words, None if move is None else move.at)
        self.raw.setPlainText((move.raw or NOTHING_SAID) if move is not None else "")

    def _set_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        while self._fact_row.count():
            item = self._fact_row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        for name, value in facts:
            cell = QWidget()
            column = QVBoxLayout(cell)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            for words, role in ((name, "tiny"), (value, "heading")):
                label = QLabel(straight(words))
                label.setProperty("role", role)
                column.addWidget(label)
            self._fact_row.addWidget(cell, 1)
        self._facts.setVisible(bool(facts))

    def _tell(self, now: QModelIndex, _before: QModelIndex) -> None:
        if self._told and now.isValid() and self._lane is not None:
            self.move_chosen.emit(self._lane.id, now.row())

    def _lay_out(self) -> None:
        for page in (self.list, self.step_screen, self.raw):
            self._pages.addWidget(page)
        self._fact_row.setContentsMargins(12, 8, 12, 8)
        self._fact_row.setSpacing(8)
        heading = QLabel("Goal check")
        heading.setProperty("role", "heading")
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self._check_icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.check, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.replay)
        buttons.addWidget(self.phone)
        buttons.addStretch(1)
        foot = QWidget()
        below = QVBoxLayout(foot)
        below.setContentsMargins(12, 8, 12, 12)
        below.setSpacing(8)
        below.addWidget(heading)
        below.addLayout(line)
        below.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self._header, self.tabs, self._facts):
            column.addWidget(part)
        column.addWidget(self._pages, 1)
        column.addWidget(foot)
