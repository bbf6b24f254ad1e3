"""One document of the documentation, as a page with links; nothing from outside its folder is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from stepscope.widgets import theme
from stepscope.widgets.shell.guide.sections import slug_of

INDEX = "README.md"
MARGIN, GAP, HEADING_GAP = 24, 8, 22
"""Pixels around the page, below a paragraph, and above a heading."""
CODE = int(QTextFormat.Property.BlockCodeFence)
"""A block is one of code, fenced or indented."""


class DocumentPage(QTextBrowser):
    """`outside(QUrl)`: a link that leads out of the documentation was pressed. `shown(file)`: another document."""

    outside = Signal(QUrl)
    shown = Signal(str)

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder.resolve()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Page of the guide")
        self.setOpenLinks(False)
        self.document().setDocumentMargin(MARGIN)
        self.anchorClicked.connect(self._follow)
        self.sourceChanged.connect(self._dress)
        self.historyChanged.connect(lambda: self.shown.emit(self.file))

    @property
    def file(self) -> str:
        """Path of the shown document below the folder, "" before the first."""
        source = self.source()
        return "" if source.isEmpty() else Path(source.toLocalFile()).relative_to(self._folder).as_posix()

    def open(self, file: str, heading: str = "") -> None:
        """Show a document of the folder, at the heading with this slug."""
        path = (self._folder / file).resolve()
        if path.is_dir():
            path /= INDEX
        if path.is_relative_to(self._folder) and path.is_file():
            if self.file != path.relative_to(self._folder).as_posix():
                self.setSource(QUrl.fromLocalFile(str(path)), QTextDocument.ResourceType.MarkdownResource)
            self.go_to(heading)

    def go_to(self, heading: str) -> None:
        """Scroll so that the heading with this slug is the first line; "" to the top."""
        self.moveCursor(QTextCursor.MoveOperation.Start)
        for block in self._blocks():
            if heading and block.blockFormat().headingLevel() and slug_of(block.text()) == heading:
                self.moveCursor(QTextCursor.MoveOperation.End)  # who comes from below stops when its line appears
                self.setTextCursor(QTextCursor(block))
                return

    def find_words(self, words: str, *, backwards: bool = False) -> bool:
        """Select the next place of the words, around the end; False where there is none."""
        flags = QTextDocument.FindFlag.FindBackward if backwards else QTextDocument.FindFlag(0)
        if self.find(words, flags):
            return True
        self.moveCursor(QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start)
        return self.find(words, flags)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Only files of the folder; pictures no wider than the page."""
        link = QUrl(name)
        url = self.source().resolved(link) if link.isRelative() else link
        path = Path(url.toLocalFile()).resolve() if url.isLocalFile() else None
        if path is None or not path.is_relative_to(self._folder) or not path.is_file():
            return None
        if kind == QTextDocument.ResourceType.ImageResource:
            picture, width = QImage(str(path)), self.viewport().width() - 3 * MARGIN
            if picture.width() > width > 0:
                return picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
            return picture
        return path.read_text("utf-8")

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _follow(self, link: QUrl) -> None:
        url = self.source().resolved(link)
        if not url.isLocalFile():
            self.outside.emit(url)
            return
        path = Path(url.toLocalFile()).resolve()
        if path.is_relative_to(self._folder):
            self.open(path.relative_to(self._folder).as_posix(), url.fragment())

    def _dress(self) -> None:
        """Distances, grounds of code, and lines around tables, which Markdown itself does not have."""
        colours = theme.current()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for block in self._blocks():
            level, is_code = block.blockFormat().headingLevel(), block.blockFormat().hasProperty(CODE)
            change = QTextBlockFormat()
            if level:
                change.setTopMargin(HEADING_GAP if level > 1 else 0)
                change.setBottomMargin(GAP)
            elif is_code:
                change.setBackground(QColor(colours.chrome))
                change.setLeftMargin(GAP)
            elif not block.textList() and QTextCursor(block).currentTable() is None:
                change.setBottomMargin(GAP)
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(change)
        for table in self.document().rootFrame().childFrames():
            layout = table.frameFormat()
            layout.setBorder(1)
            layout.setBorderBrush(QColor(colours.line))
            table.setFrameFormat(layout)
        cursor.endEditBlock()
