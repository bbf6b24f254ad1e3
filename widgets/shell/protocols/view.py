"""Protocols at the left, the rules of one at the right. Half the disputes about scores are about who a rule is from, so
every rule has its mark in front of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from stepscope.core.scoring.options import allowed
from stepscope.core.scoring.rule import ProtocolInfo
from stepscope.widgets import theme
from stepscope.widgets.common import SearchField
from stepscope.widgets.common.marked import MarkedPage

LIST_WIDTH = 264


class ProtocolsView(QWidget):
    """Typing narrows the list to protocols whose name, title or rules have the words."""

    def __init__(self, pages: Sequence[ProtocolInfo], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = tuple(pages)
        self.search = SearchField("Find a rule", name="Find a rule")
        self.list = QListWidget()
        self.list.setAccessibleName("Protocols")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page = MarkedPage("Rules")
        left = QVBoxLayout()
        left.setContentsMargins(12, 12, 8, 12)
        left.setSpacing(8)
        left.addWidget(self.search)
        left.addWidget(self.list, 1)
        holder = QWidget()
        holder.setLayout(left)
        holder.setFixedWidth(LIST_WIDTH)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(holder)
        row.addWidget(self.page, 1)
        self.list.currentItemChanged.connect(self._show)
        self.search.textChanged.connect(self._narrow)
        self._narrow("")

    def choose(self, name: str) -> None:
        """Show the page of this protocol."""
        for place in range(self.list.count()):
            item = self.list.item(place)
            if item.data(Qt.ItemDataRole.UserRole).name == name:
                self.list.setCurrentItem(item)

    def _narrow(self, words: str) -> None:
        wanted = words.casefold().split()
        self.list.clear()
        for page in self._pages:
            text = " ".join((page.name, page.title, *(rule.text for rule in page.rules))).casefold()
            if all(word in text for word in wanted):
                item = QListWidgetItem(page.title, self.list)
                item.setData(Qt.ItemDataRole.UserRole, page)
        self.list.setCurrentRow(0)
        if not self.list.count():
            self.page.setHtml("<p>No protocol has these words in its rules.</p>")

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            width = self.page.fontMetrics().horizontalAdvance("paper") + 24
            self.page.setHtml(_html(item.data(Qt.ItemDataRole.UserRole), width))


def _html(page: ProtocolInfo, mark_width: int) -> str:
    """The page; every text is escaped, for options and rules speak of < and >."""
    colours = theme.current()
    marks = {"paper": colours.reference, "code": colours.warn, "ours": colours.secondary}

    def line(mark: str, text: str) -> str:
        cell = f'<td width="{mark_width}" style="color:{marks.get(mark, colours.secondary)}">{escape(mark)}</td>'
        return f"<tr>{cell}<td>{text}</td></tr>"

    rules = "".join(line(rule.mark, escape(rule.text)) for rule in page.rules)
    options = "".join(
        line(
            one.mark,
            f"<b>{escape(one.name)}={escape(str(one.default))}</b> ({escape(allowed(one))}): {escape(one.help)}",
        )
        for one in page.options
    )
    head = f"<h2>{escape(page.title)}</h2><p style='color:{colours.secondary}'>{escape(page.source)}</p>"
    body = f"<h4>Rules</h4><table cellpadding='4'>{rules}</table>"
    if options:
        body += f"<h4>Options</h4><table cellpadding='4'>{options}</table>"
    return f"{head}{body}<h4>Metrics</h4><p>{escape(', '.join(page.metrics))}</p>"
