"""A text whose words have weights: each on a ground that is the stronger the heavier it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from stepscope.core.domain.attention import AttentionWord
from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words

MOST_LETTERS = 2000
"""Of a text that are laid out; what follows is not shown."""
GROUND = 0.5
"""How dense the ground of the heaviest word is, as far as the word on it stays readable."""
_MARGIN, _LEADING = 4, 5
_MOVES: dict[int, int] = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Home: -MOST_LETTERS,
    Qt.Key.Key_End: MOST_LETTERS,
}


@dataclass(frozen=True, slots=True)
class _Piece:
    """Letters that are drawn together; `word`: which one they are, None for what lies between words."""

    text: str
    word: int | None


class AttendedWords(QWidget):
    """Wraps like a paragraph. `pointed(int)`: the word under the pointer, or the one that arrows chose; −1 for none."""

    pointed = Signal(int)

    def __init__(self, name: str, text: str, words: Sequence[AttentionWord], run: int) -> None:
        super().__init__()
        self._words, self._run = [one for one in words if one.end <= MOST_LETTERS], run
        self._text = text
        cut = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"
        self._groups = _groups(cut, self._words)
        self._most = max((one.weight for one in self._words), default=0.0) or 1.0
        self._places: list[tuple[_Piece, QRectF]] = []
        self._lit: Mapping[int, float] = {}
        self._only_lit = False
        self._pointed = self._chosen = -1
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if self._words else Qt.FocusPolicy.NoFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.notifier().changed.connect(self.update)

    def show_light(self, words: Mapping[int, float], *, only: bool = False) -> None:
        """Frame these words; `only`: they alone have a ground, as dense as they are given."""
        self._lit, self._only_lit = dict(words), only
        self.update()

    @property
    def lit(self) -> frozenset[int]:
        """The words that are framed."""
        return frozenset(self._lit)

    def strength(self, word: int) -> float:
        """How dense a word's ground is, 0..1 of the densest."""
        return self._lit.get(word, 0.0) if self._only_lit else self._words[word].weight / self._most

    def place_of(self, word: int) -> QRectF:
        """Where a word is drawn."""
        return next(rect for piece, rect in self._places if piece.word == word)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._laid_out(width)[1]

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(100, self._line_height() + 2 * _MARGIN)

    def _line_height(self) -> int:
        return round(QFontMetricsF(derived(self.font(), 12.5)).height()) + _LEADING

    def _laid_out(self, width: int) -> tuple[list[tuple[_Piece, QRectF]], int]:
        """Each piece with its place, groups in lines of at most `width`; and how high all is."""
        metrics, line = QFontMetricsF(derived(self.font(), 12.5)), self._line_height()
        space, x, y = metrics.horizontalAdvance(" "), float(_MARGIN), float(_MARGIN)
        places = []
        for group in self._groups:
            widths = [metrics.horizontalAdvance(straight(piece.text)) for piece in group]
            if x > _MARGIN and x + sum(widths) > width - _MARGIN:
                x, y = float(_MARGIN), y + line
            for piece, wide in zip(group, widths, strict=True):
                places.append((piece, QRectF(x, y, wide, line - _LEADING + 2)))
                x += wide
            x += space
        return places, round(y) + line + _MARGIN

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._places = self._laid_out(event.size().width())[0]
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._places = self._laid_out(self.width())[0]
            self.updateGeometry()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(derived(self.font(), 12.5))
        colour, densest = QColor(colours.run_colour(self._run)), _densest(colours, self._run)
        for piece, place in self._places:
            if piece.word is not None:
                ground = QColor(colour)
                ground.setAlphaF(densest * min(1.0, self.strength(piece.word)))
                painter.setPen(QPen(colour, 1.5) if piece.word in self._lit else Qt.PenStyle.NoPen)
                painter.setBrush(ground)
                painter.drawRoundedRect(place.adjusted(-2, -1, 2, 1), 3, 3)
            painter.setPen(QColor(colours.text if piece.word is not None else colours.secondary))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, straight(piece.text))
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    # Pointing --------------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._word_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(self._chosen)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (move := _move_of(event)) == 0:
            super().keyPressEvent(event)
            return
        self._chosen = min(len(self._words) - 1, max(0, self._chosen + move))
        self._point(self._chosen)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first word, so that arrows have somewhere to go from."""
        super().focusInEvent(event)
        self._chosen = max(0, self._chosen)
        self._point(self._chosen)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._chosen = -1
        self._point(-1)

    def event(self, event: QEvent) -> bool:
        """Arrows, Home and End come before shortcuts of the window. Words have tooltips."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _move_of(event):
            event.accept()
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            word = self._word_at(event.pos())
            QToolTip.showText(event.globalPos(), tip_words(self._said(word)) if word >= 0 else "", self)
            return True
        return super().event(event)

    def _word_at(self, place: QPoint) -> int:
        under = (piece.word for piece, rect in self._places if rect.adjusted(-2, -2, 2, 2).contains(place.toPointF()))
        return next((word for word in under if word is not None), -1)

    def _point(self, word: int) -> None:
        if word == self._pointed:
            return
        self._pointed = word
        self.setAccessibleDescription(self._said(word) if word >= 0 else "")
        self.pointed.emit(word)

    def _said(self, word: int) -> str:
        one = self._words[word]
        return f"{self._text[one.start : one.end]}, weight {one.weight:.2f}"


def _move_of(event: QKeyEvent) -> int:
    """By how many words a key moves, 0 for one that does not."""
    bare = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return _MOVES.get(event.key(), 0) if bare else 0


def _groups(text: str, words: Sequence[AttentionWord]) -> list[list[_Piece]]:
    """What stands between spaces, in pieces; no line is broken inside."""
    edges = sorted({0, len(text), *(edge for one in words for edge in (one.start, one.end))})
    number = {one.start: place for place, one in enumerate(words)}
    groups: list[list[_Piece]] = []
    open_group = False
    for begin, end in pairwise(edges):
        word = number.get(begin)
        for part in _parts(text[begin:end]):
            if part.isspace():
                open_group = False
                continue
            if not open_group or not groups:
                groups.append([])
            groups[-1].append(_Piece(part, word))
            open_group = True
    return groups


def _parts(text: str) -> list[str]:
    """Runs of spaces and of other letters, in order."""
    found: list[str] = []
    for letter in text:
        if found and found[-1].isspace() == letter.isspace():
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _densest(colours: theme.Theme, run: int) -> float:
    """The densest ground of the run's colour on a card on which text can still be read."""
    over, under = QColor(colours.run_colour(run)), QColor(colours.raised)
    for percent in range(round(100 * GROUND), 0, -2):
        share = percent / 100
        mixed = QColor.fromRgbF(
            under.redF() + (over.redF() - under.redF()) * share,
            under.greenF() + (over.greenF() - under.greenF()) * share,
            under.blueF() + (over.blueF() - under.blueF()) * share,
        )
        if theme.contrast(mixed.name(), colours.text) >= theme.READABLE:
            return share
    return 0.0
