"""The blocks one below the other. Only what is in view is laid out and painted; of the others no more is known than
their height."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.transcript.block_layout import BlockLayout, head_height, lay_out
from stepscope.widgets.transcript.block_painting import BlockState, paint_body, paint_ground, paint_head
from stepscope.widgets.transcript.hit_bar import HitBar
from stepscope.widgets.transcript.text_pane import TextPane
from stepscope.widgets.transcript.transcript_values import PartKind, TextHit, TranscriptBlock

MOST_MARKS = 2_000
"""Hits that are marked in the scroll bar."""
SCROLLED_MS = 120
"""So long after the last scrolling the step in view becomes the shown one."""
OWN_KEYS = frozenset(
    (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
)


class TranscriptScroll(QAbstractScrollArea):
    """`step_chosen` gives the place of a step that a person has chosen here, `scrolled_to` that of the one that they
    have scrolled to. `at_end_changed` tells whether the end is in view, `picture_wanted` which picture as sent is to be
    fetched, `picture_chosen` one that was clicked."""

    step_chosen = Signal(int)
    scrolled_to = Signal(int)
    at_end_changed = Signal(bool)
    picture_wanted = Signal(str)
    picture_chosen = Signal(int, str)
    follow_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setAccessibleName("Transcript")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.hits_bar = HitBar(self)
        self.setVerticalScrollBar(self.hits_bar)
        self.blocks: tuple[TranscriptBlock, ...] = ()
        self.laid_out = 0
        """how often a block was measured, for what counts it"""
        self._shown = frozenset(PartKind)
        self._open: set[int] = set()
        self._opened_itself = -1
        self._whole: set[tuple[int, int]] = set()
        self._current = -1
        self._layouts: dict[int, BlockLayout] = {}
        self._tops: list[float] = [0.0]
        self._hits: tuple[TextHit, ...] = ()
        self._hits_of: dict[int, dict[int, list[tuple[int, int]]]] = {}
        self._hit = -1
        self._images: dict[str, QImage] = {}
        self._asked: set[str] = set()
        self._was_at_end = True
        self._moving = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(SCROLLED_MS)
        self._rest.timeout.connect(self._tell_scrolled)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        theme.notifier().changed.connect(self.viewport().update)

    # What is shown ---------------------------------------------------------------------------------------------------

    def set_blocks(self, blocks: Sequence[TranscriptBlock], *, anew: bool) -> None:
        """Show these; not `anew`: they are the same ones with more behind or in them, and what is open stays open."""
        end = self.at_end()
        self.blocks = tuple(blocks)
        if anew:
            self._open, self._whole, self._current, self._hit = set(), set(), -1, -1
            self._opened_itself = -1
            self._images, self._asked = {}, set()
        self._layouts.clear()
        self._measure()
        if anew:
            self._move_to(0)
        elif end:
            self.to_end()
        self.viewport().update()

    def set_shown(self, shown: frozenset[PartKind]) -> None:
        """Show parts of these kinds only."""
        self._shown = shown
        self._layouts.clear()
        self._measure()
        self.viewport().update()

    def set_hits(self, hits: tuple[TextHit, ...], current: int) -> None:
        """Mark these places of the search, and show the one with this number."""
        self._hits, self._hit = hits, current
        self._hits_of = {}
        for hit in hits:
            self._hits_of.setdefault(hit.block, {}).setdefault(hit.part, []).append((hit.start, hit.end))
        if 0 <= current < len(hits):
            self._show_hit(hits[current])
        self._mark_hits()
        self.viewport().update()

    def set_picture(self, key: str, image: QImage) -> None:
        """The picture that was asked for; a null image where there is none."""
        self._images[key] = image
        self.viewport().update()

    def set_current(self, number: int, *, reveal: bool = True) -> None:
        """Light the block with this number; `reveal`: open it and bring it into view."""
        if not 0 <= number < len(self.blocks):
            self._current = -1
        else:
            self._current = number
            if reveal:
                self._open_only(number)
                self._reveal(number)
            block = self.blocks[number]
            self.setAccessibleDescription(straight(f"Step {block.number}. {block.title} {block.detail}"))
        self.viewport().update()

    @property
    def current(self) -> int:
        return self._current

    @property
    def open_blocks(self) -> frozenset[int]:
        return frozenset(self._open)

    def set_open(self, number: int, is_open: bool) -> None:
        """Unfold or fold a block, as the person wants it."""
        if number == self._opened_itself:
            self._opened_itself = -1
        if 0 <= number < len(self.blocks) and is_open != (number in self._open):
            (self._open.add if is_open else self._open.discard)(number)
            self._measure()
            self.viewport().update()

    def at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - 4

    def to_end(self) -> None:
        """Bring the end into view, as it is."""
        self._move_to(self.verticalScrollBar().maximum())

    def _open_only(self, number: int) -> None:
        """Open the current block, and fold the one that was opened in this way before; what the person has unfolded
        stays as it is."""
        before = self._opened_itself
        if before not in (-1, number) and before not in self._pinned:
            self._open.discard(before)
        if number not in self._open:
            self._open.add(number)
            self._opened_itself = number
        elif before != number:
            self._opened_itself = -1
        self._measure()

    @property
    def _pinned(self) -> set[int]:
        """Blocks in which the person has opened something, and those with the hit that is shown."""
        pinned = {number for number, _ in self._whole}
        if 0 <= self._hit < len(self._hits):
            pinned.add(self._hits[self._hit].block)
        return pinned

    # Heights ---------------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        """The tops of all blocks: open ones are laid out, of which there are few."""
        head = head_height(self.font())
        for gone in [number for number in self._layouts if number not in self._open]:
            del self._layouts[gone]
        heights = [head] * len(self.blocks)
        for number in self._open:
            if number < len(heights):
                heights[number] = self._layout(number).height
        self._tops = [0.0, *accumulate(heights)]
        bar, page = self.verticalScrollBar(), self.viewport().height()
        self._moving = True
        bar.setPageStep(page)
        bar.setSingleStep(round(head / 2))
        bar.setRange(0, max(0, round(self._tops[-1]) - page))
        self._moving = False
        self._mark_hits()
        self._tell_end()

    def _layout(self, number: int) -> BlockLayout:
        found = self._layouts.get(number)
        if found is None:
            whole = [part for block, part in self._whole if block == number]
            found = lay_out(self.blocks[number], self.font(), self.viewport().width(), self._shown, whole)
            self._layouts[number] = found
            self.laid_out += 1
        return found

    def _block_at(self, y: float) -> int:
        """The block at this height of the whole scroll, -1 for none."""
        number = bisect_right(self._tops, y) - 1
        return number if 0 <= number < len(self.blocks) else -1

    def _reveal(self, number: int) -> None:
        """The least scrolling that shows the block, its head at least."""
        top, bottom = self._tops[number], self._tops[number + 1]
        value, page = self.verticalScrollBar().value(), self.viewport().height()
        if top < value:
            self._move_to(top)
        elif bottom > value + page:
            self._move_to(min(top, bottom - page))

    def _move_to(self, value: float) -> None:
        """Scroll without the step following."""
        self._moving = True
        self.verticalScrollBar().setValue(round(value))
        self._moving = False
        self._rest.stop()
        self._tell_end()

    def _scrolled(self) -> None:
        self.viewport().update()
        self._tell_end()
        if not self._moving:
            self._rest.start()

    def _tell_scrolled(self) -> None:
        """The step at the line that goes from the top of the view to its bottom as one scrolls to the end."""
        bar = self.verticalScrollBar()
        share = bar.value() / bar.maximum() if bar.maximum() else 0.0
        number = self._block_at(bar.value() + share * (self.viewport().height() - 1))
        if number >= 0 and self.blocks[number].place is not None:
            self.scrolled_to.emit(number)

    def _tell_end(self) -> None:
        if (end := self.at_end()) != self._was_at_end:
            self._was_at_end = end
            self.at_end_changed.emit(end)

    # Hits ------------------------------------------------------------------------------------------------------------

    def _show_hit(self, hit: TextHit) -> None:
        self._open.add(hit.block)
        pane = self._part_pane(hit)
        if pane is None or hit.end > pane.shown:
            self._whole.add((hit.block, hit.part))
            self._layouts.pop(hit.block, None)
        self._measure()
        y = self._hit_y(hit)
        bar, page = self.verticalScrollBar(), self.viewport().height()
        if not bar.value() + 24 <= y <= bar.value() + page - 48:
            self._move_to(y - page / 3)

    def _part_pane(self, hit: TextHit) -> TextPane | None:
        placed = self._layout(hit.block).part_at(hit.part)
        return None if placed is None else placed.pane

    def _mark_hits(self) -> None:
        """Where hits lie in the scroll bar, as shares of the whole; those of a folded block at its head."""
        whole = max(1.0, self._tops[-1])
        known = [hit for hit in self._hits[:MOST_MARKS] if hit.block < len(self.blocks)]
        shown = self._hits[self._hit] if 0 <= self._hit < len(self._hits) else None
        current = None if shown is None or shown.block >= len(self.blocks) else self._hit_y(shown) / whole
        self.hits_bar.set_marks(sorted({self._hit_y(hit) / whole for hit in known}), current)

    def _hit_y(self, hit: TextHit) -> float:
        """How far down the whole scroll a hit lies."""
        top = self._tops[hit.block]
        placed = self._layout(hit.block).part_at(hit.part) if hit.block in self._open else None
        if placed is None or placed.pane is None:
            return top + 10
        return top + placed.place.top() + placed.pane.y_of(min(hit.start, placed.pane.shown))

    # Painting --------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(theme.current().panel))
        value, width = self.verticalScrollBar().value(), self.viewport().width()
        clip = QRectF(self.viewport().rect())
        first = max(0, self._block_at(value))
        head = head_height(self.font())
        for number in range(first, len(self.blocks)):
            top = self._tops[number] - value
            if top > clip.bottom():
                break
            block, state = self.blocks[number], self._state(number)
            place = QRectF(0, top, width, self._tops[number + 1] - self._tops[number])
            paint_head(painter, QRectF(0, top, width, head), block, self.font(), state)
            if state.is_open:
                painter.save()
                layout = self._layout(number)
                paint_body(painter, QPointF(0, top), layout, block, self.font(), state, clip, self._picture)
                painter.restore()
            paint_ground(painter, place, state)
        painter.end()

    def _state(self, number: int) -> BlockState:
        hits = self._hits_of.get(number, {}) if number in self._open else {}
        shown = None
        if 0 <= self._hit < len(self._hits) and self._hits[self._hit].block == number:
            one = self._hits[self._hit]
            shown = one.part, (one.start, one.end)
        return BlockState(number in self._open, number == self._current, self.hasFocus(), hits, shown)

    def _picture(self, key: str) -> QImage | None:
        if key not in self._images and key not in self._asked:
            self._asked.add(key)
            self.picture_wanted.emit(key)
        return self._images.get(key)

    # Hand and keys ---------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Arrows and End belong to the scroll while it has the keyboard; J and K always step."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            bare = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
            if (bare and Qt.Key(event.key()) in OWN_KEYS) or event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                self._choose(self._current + (1 if event.key() == Qt.Key.Key_Down else -1))
            case Qt.Key.Key_Right | Qt.Key.Key_Left:
                self.set_open(self._current, event.key() == Qt.Key.Key_Right)
                if 0 <= self._current < len(self.blocks):
                    self._reveal(self._current)
            case Qt.Key.Key_Home:
                self._choose(0)
            case Qt.Key.Key_End:
                self.follow_requested.emit()
            case _ if event.matches(QKeySequence.StandardKey.Copy):
                self._copy(self._current, "copy")
            case _:
                super().keyPressEvent(event)

    def _choose(self, number: int) -> None:
        if not self.blocks:
            return
        number = min(max(number, 0), len(self.blocks) - 1)
        self.set_current(number)
        self.step_chosen.emit(number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        y = event.position().y() + self.verticalScrollBar().value()
        number = self._block_at(y)
        if number >= 0:
            self._press(number, QPointF(event.position().x(), y - self._tops[number]))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What a press does is done when it goes down."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        y = event.position().y() + self.verticalScrollBar().value()
        number = self._block_at(y)
        at = QPointF(event.position().x(), y - self._tops[number]) if number >= 0 else QPointF()
        acts = number >= 0 and (at.y() < head_height(self.font()) or bool(self._acts_at(number, at)))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if acts else Qt.CursorShape.ArrowCursor)

    def _acts_at(self, number: int, at: QPointF) -> str:
        """What a press at this place of an open block does: `whole PART`, `picture KEY`, `copy`, `request`."""
        if number not in self._open:
            return ""
        layout = self._layout(number)
        for placed in layout.parts:
            if any(box is not None and box.contains(at) for box in (placed.more, placed.fold)):
                return f"whole {placed.number}"
        for place, box in layout.pictures:
            if box.contains(at):
                return f"picture {self.blocks[number].pictures[place].key}"
        return next((link.name for link in layout.links if link.place.contains(at)), "")

    def _press(self, number: int, at: QPointF) -> None:
        act, _, about = self._acts_at(number, at).partition(" ")
        if act == "whole":
            key = number, int(about)
            self._whole ^= {key}
            self._layouts.pop(number, None)
            self._measure()
        elif act == "picture":
            self.picture_chosen.emit(number, about)
        elif act in ("copy", "request"):
            self._copy(number, act)
        elif at.y() < head_height(self.font()):
            self._press_head(number)
        self.viewport().update()

    def _press_head(self, number: int) -> None:
        if number == self._current:
            self.set_open(number, number not in self._open)
        else:
            self._choose(number)

    def menu_for(self, number: int) -> QMenu:
        """What can be copied of a block."""
        block = self.blocks[number]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        prompt = "\n\n".join(part.text for part in block.parts if part.kind is PartKind.PROMPT)
        choices = (("Copy prompt", prompt), ("Copy raw output", block.raw), ("Copy request as JSON", block.request))
        for words, text in choices:
            entry = menu.addAction(plain_label(words))
            entry.setEnabled(bool(text))
            entry.triggered.connect(lambda _checked=False, said=text: QGuiApplication.clipboard().setText(said))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        value = self.verticalScrollBar().value()
        number = self._current if by_key else self._block_at(event.pos().y() + value)
        if 0 <= number < len(self.blocks):
            spot = event.pos() if not by_key else QPointF(INDENT_OF_MENU, self._tops[number] - value + 20).toPoint()
            self.menu_for(number).popup(self.viewport().mapToGlobal(spot))

    def _copy(self, number: int, what: str) -> None:
        if 0 <= number < len(self.blocks):
            block = self.blocks[number]
            QGuiApplication.clipboard().setText(block.request if what == "request" else block.raw)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        end = self._was_at_end
        if event.size().width() != event.oldSize().width():
            self._layouts.clear()
        self._measure()
        if end and self.blocks and self._tops[-1] > self.viewport().height() and self._current < 0:
            self.to_end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._layouts.clear()
            self._measure()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()


INDENT_OF_MENU = 60
"""Pixels from the left at which the menu of the current block opens by key."""
