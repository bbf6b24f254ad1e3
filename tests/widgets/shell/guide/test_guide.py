from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from stepscope.widgets.shell.guide import DocumentPage, GuideView, sections_of

GUIDE = """# Guide

Begin [here](other.md#second-part).

## `Play`, and go on

Space plays.

```
# no heading
```
"""
OTHER = "# Other\n\n" + "words\n\n" * 200 + "## Second part\n\nThe loupe is `Z`.\n\n### Deep\n\nWhales.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "guide.md").write_text(GUIDE)
    (docs / "other.md").write_text(OTHER)
    (tmp_path / "secret.md").write_text("# Secret")
    return docs


@pytest.fixture
def view(qtbot: QtBot, themed: object, folder: Path) -> GuideView:
    shown = GuideView(folder)
    qtbot.addWidget(shown)
    shown.resize(900, 500)
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_sections([*sections_of("guide.md", GUIDE), *sections_of("other.md", OTHER)])
    shown.open("guide.md")
    return shown


def titles(view: GuideView) -> list[str]:
    return [view.list.item(row).text().strip() for row in range(view.list.count())]


def test_headings_are_found_with_what_stands_below_them() -> None:
    first, second = sections_of("guide.md", GUIDE)
    assert (first.title, first.slug, first.level) == ("Guide", "guide", 1)
    assert (second.title, second.slug, second.level) == ("Play, and go on", "play-and-go-on", 2)
    assert second.has(("space", "plays")) and not second.has(("space", "whales"))


def test_the_contents_show_the_headings_of_the_document_and_links_lead_to_a_heading(view: GuideView) -> None:
    assert titles(view) == ["Guide", "Play, and go on", "Other"]
    view.page.anchorClicked.emit(QUrl("other.md#second-part"))
    assert view.page.file == "other.md" and titles(view) == ["Guide", "Other", "Second part"]
    assert view.page.verticalScrollBar().value() > 1000 and view.page.textCursor().block().text() == "Second part"
    view.page.backward()
    assert view.page.file == "guide.md"


def test_searching_looks_through_all_documents_and_marks_the_place(view: GuideView, qtbot: QtBot) -> None:
    qtbot.keyClicks(view.search, "whales")
    view.search.settled.emit("whales")
    assert titles(view) == ["Deep"]
    view.list.setCurrentRow(0)
    assert view.page.file == "other.md" and view.page.textCursor().selectedText() == "Whales"


@pytest.mark.parametrize("name", ["../secret.md", "file:///etc/passwd", "nothing.md", "http://localhost/x.png"])
def test_nothing_outside_the_folder_is_read(view: GuideView, name: str) -> None:
    page: DocumentPage = view.page
    page.open(name)
    assert page.file == "guide.md"
    for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.MarkdownResource):
        assert page.loadResource(kind, QUrl(name)) is None


def test_links_to_the_web_are_told(view: GuideView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.outside) as told:
        view.page.anchorClicked.emit(QUrl("https://example.org/x"))
    assert told.args == [QUrl("https://example.org/x")] and view.page.file == "guide.md"
    assert view.list.focusPolicy() != Qt.FocusPolicy.NoFocus
