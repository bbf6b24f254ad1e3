"""The line in which episodes are filtered: it offers names of fields and their values while one is typed, gives letters
of runs their colours, and underlines what is wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from PySide6 import QtGui, QtWidgets
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QWidget,
)

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived, monospace
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.common.search_field import SearchField
from stepscope.widgets.format import count
from stepscope.widgets.library.episode_list_rows import FilterSuggestion

NAME = r"(?:^|[\s(|])-?([A-Za-z]\w*)$"
"""The name of a field that is being typed: a word at the end, behind a space, a bracket or a minus."""
VALUE = r"""(?:^|[\s(|])-?([A-Za-z]\w*)(?:[:=]|[<>]=?)(?:(?:"[^"]*"|[^\s",()|]+),)*("[^"]*|[^\s",()|:=<>/]*)$"""
"""A field and the value of it that is being typed, perhaps behind other values; quotes may be open."""
RUN_LETTERS = (
    r"(?i)\b(?:wrong|right|malformed|unscored|differs|conf|dist|latency|tokens|cost|retries)"
    r":([A-H](?:,[A-H])*)(?![\w-])"
)
SuggestionRole = int(Qt.ItemDataRole.UserRole)
SHOWN = 9


@dataclass(frozen=True, slots=True)
class PartialWord:
    """The word that is being typed at the cursor: a value of `field`, or the name of a field where that is ""; `prefix`
    is as much of it as is there, from `start` on."""

    field: str
    prefix: str
    start: int


class FilterLine(SearchField):
    """Values are asked for by `suggestions_wanted(field, prefix)` and come by `set_suggestions`."""

    suggestions_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Filter: app:spotify wrong:A", icon="filter", name="Filter episodes", hint="/", parent=parent)
        self.setProperty("mono", True)
        self.setFont(monospace(self.font()))
        self.setMinimumHeight(28)
        self._names: tuple[FilterSuggestion, ...] = ()
        self._wrong: tuple[int, int] | None = None
        self._asked: tuple[str, str] | None = None
        """the field and the beginning for which values are on their way; None for somebody who left the line"""
        self._completer: QtWidgets.QCompleter | None = None
        self._popup: QtWidgets.QListView | None = None
        """made with the first offer"""
        self.textEdited.connect(lambda _text: self.offer())
        self.textChanged.connect(lambda _text: self._colour())
        theme.notifier().changed.connect(self._colour)

    def set_names(self, names: Sequence[FilterSuggestion]) -> None:
        """Names of fields that are offered, with a colon where a value must follow."""
        self._names = tuple(names)

    def set_suggestions(self, field: str, prefix: str, values: Sequence[FilterSuggestion]) -> None:
        """Answer to `suggestions_wanted`; one that comes too late is dropped."""
        typed = self.typed()
        if typed is not None and (typed.field, typed.prefix) == (field, prefix) == self._asked:
            self._show_offers(values, typed)

    def offered(self) -> list[str]:
        """What is offered now."""
        if self._completer is None or self._popup is None or not self._popup.isVisible():
            return []
        offers = self._completer.model()
        return [str(offers.index(row, 0).data()) for row in range(offers.rowCount())]

    def _put_away(self) -> None:
        """Offer nothing any more."""
        if self._popup is not None:
            self._popup.hide()

    def _make_completer(self) -> QtWidgets.QCompleter:
        completer = QtWidgets.QCompleter(QtGui.QStandardItemModel(self), self)
        completer.setWidget(self)
        completer.setCompletionMode(QtWidgets.QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setMaxVisibleItems(SHOWN)
        popup = self._popup = QtWidgets.QListView()
        popup.setAccessibleName("Fields and values of the filter")
        popup.setUniformItemSizes(True)
        completer.setPopup(popup)
        popup.setItemDelegate(_OfferDelegate(popup))  # the completer has put in its own
        completer.activated.connect(self._complete)
        return completer

    def typed(self) -> PartialWord | None:
        """What is being typed at the cursor, None where neither a name nor a value is."""
        before = self.text()[: self.cursorPosition()]
        if found := re.search(NAME, before):
            return PartialWord("", found.group(1), found.start(1))
        if (found := re.search(VALUE, before)) and self._is_field(found.group(1)):
            return PartialWord(found.group(1).lower(), found.group(2).lstrip('"'), found.start(2))
        return None

    def offer(self, *, every: bool = False) -> None:
        """Offer what may be meant here; `every` name of a field where nothing is typed yet."""
        typed, self._asked = self.typed(), None
        if typed is None and every:
            typed = PartialWord("", "", self.cursorPosition())
        if typed is None:
            self._put_away()
        elif typed.field:
            self._put_away()
            self._asked = typed.field, typed.prefix
            self.suggestions_wanted.emit(*self._asked)
        else:
            prefix = typed.prefix.casefold()
            self._show_offers([name for name in self._names if name.text.startswith(prefix)], typed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """While something is offered, Esc puts the offers away and leaves the filter, and Enter without one of them
        chosen takes the filter as it is written."""
        if self._popup is not None and self._popup.isVisible():
            if event.key() == Qt.Key.Key_Escape:
                self._popup.hide()
                return
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self._popup.currentIndex().isValid():
                self._popup.hide()
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._asked = None
        super().focusOutEvent(event)

    def underline(self, token: tuple[int, int] | None) -> None:
        """(start, length) of the wrong token, which turns the frame red too; None when all is well."""
        self.setProperty("state", "" if token is None else "error")
        restyle(self)
        self._wrong = token
        self._colour()

    def _is_field(self, name: str) -> bool:
        return any(known.text.rstrip(":") == name.lower() for known in self._names)

    def _show_offers(self, offers: Sequence[FilterSuggestion], typed: PartialWord) -> None:
        written = typed.prefix.casefold()
        begun = [offer for offer in offers if offer.text.casefold().startswith(written)]
        if not offers or [offer.text.casefold() for offer in begun] == [written]:  # it is written out already
            self._put_away()
            return
        if self._completer is None:
            self._completer = self._make_completer()
        listed = cast(QtGui.QStandardItemModel, self._completer.model())
        listed.clear()
        for offer in offers:
            item = QtGui.QStandardItem(offer.text)
            item.setData(offer, SuggestionRole)
            item.setData(f"{offer.text}, {offer.words}", int(Qt.ItemDataRole.AccessibleTextRole))
            listed.appendRow(item)
        self._completer.setCompletionPrefix(typed.prefix)
        self._completer.complete()

    def _complete(self, chosen: str) -> None:
        at = self.cursorPosition()
        typed = self.typed() or PartialWord("", "", at)
        self.setSelection(typed.start, at - typed.start)
        self.insert(chosen)
        self.textEdited.emit(self.text())

    def _colour(self) -> None:
        """Qt's line edit takes formats of its text only as a composing input method gives them."""
        if not self.text():
            self.update()
            return
        attributes = [self._format(start, 1, run=run) for start, run in self._letters()]
        if self._wrong is not None and self._wrong[1] > 0:
            attributes.append(self._format(*self._wrong))
        self.inputMethodEvent(QtGui.QInputMethodEvent("", attributes))
        self.update()

    def _letters(self) -> list[tuple[int, int]]:
        """Places of letters of runs in the text, and the run of each (0 is A)."""
        found = []
        for match in re.finditer(RUN_LETTERS, self.text()):
            for place, letter in enumerate(match.group(1)):
                if letter != ",":
                    found.append((match.start(1) + place, ord(letter.upper()) - ord("A")))
        return found

    def _format(self, start: int, length: int, run: int | None = None) -> QtGui.QInputMethodEvent.Attribute:
        from PySide6.QtGui import QTextCharFormat as CharFormat

        shape = CharFormat()
        if run is None:
            shape.setUnderlineStyle(CharFormat.UnderlineStyle.WaveUnderline)
            shape.setUnderlineColor(QColor(theme.current().miss))
        else:
            shape.setForeground(QColor(theme.current().run_colour(run)))
        kind = QtGui.QInputMethodEvent.AttributeType.TextFormat
        return QtGui.QInputMethodEvent.Attribute(kind, start - self.cursorPosition(), length, shape)


class _OfferDelegate(QStyledItemDelegate):
    """Paints an offer: what would be written, what it means, and how often it is there."""

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, QFontMetrics(option.font).height() + 8)

    def paint(
        self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        colours = theme.current()
        offer: FilterSuggestion = index.data(SuggestionRole)
        if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(colours.selection))
        inside = option.rect.adjusted(10, 0, -10, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setFont(derived(option.font, 11.5))
        painter.setPen(QColor(colours.dim))
        many = "" if offer.count is None else count(offer.count)
        painter.drawText(inside, int(middle | Qt.AlignmentFlag.AlignRight), many)
        inside.setRight(inside.right() - painter.fontMetrics().horizontalAdvance(many) - 8)
        painter.setFont(monospace(option.font))
        painter.setPen(QColor(colours.text))
        metrics = painter.fontMetrics()
        text = metrics.elidedText(straight(offer.text), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, int(middle), text)
        rest = QRect(inside)
        rest.setLeft(inside.left() + metrics.horizontalAdvance(text) + 8)
        painter.setFont(derived(option.font, 11.5))
        painter.setPen(QColor(colours.secondary))
        words = cut_run_name(painter.fontMetrics(), offer.words, max(rest.width(), 0))
        painter.drawText(rest, int(middle), words)
        painter.restore()
