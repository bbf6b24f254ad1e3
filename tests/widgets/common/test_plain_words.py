"""Words of others are shown as they are: in every tooltip, label and dialog, on every button and in every menu."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence, QTextDocument, QTextLayout
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QProgressDialog,
    QPushButton,
    QTabBar,
    QTableView,
    QToolTip,
    QWidget,
)

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.annotate.annotation_notes import Statement
from stepscope.widgets.annotate.tag_row import TagChip
from stepscope.widgets.common.buttons import LinkButton
from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.marked import MarkedLabel, MarkedPage, StyledText
from stepscope.widgets.common.plain_words import (
    MOST_LINES,
    MOST_OF_A_LINE,
    plain_label,
    straight,
    tip_words,
    window_title,
)
from stepscope.widgets.scores.plot import Plot
from stepscope.widgets.theme import Theme

PLAIN = Qt.TextFormat.PlainText
SHOWN = st.characters(codec="utf-8", categories=["L", "N", "P", "S"], include_characters=" ")
TEXTS = st.text(max_size=60) | st.text("<>&;bigr=\"'/ \n\tf:#x01!-\u2028\u202e", max_size=60)


def tip() -> QLabel:
    """The tooltip that is shown."""
    (shown,) = (
        one for one in QApplication.topLevelWidgets() if one.metaObject().className() == "QTipLabel" and one.isVisible()
    )
    assert isinstance(shown, QLabel)
    return shown


def hover(widget: QWidget, place: QPoint | None = None) -> QLabel:
    QToolTip.hideText()
    place = place or widget.rect().center()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
    shown = tip()
    shown.grab()
    return shown


class Words(QAbstractTableModel):
    """One cell and one heading; both say the same to every role that takes words."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words

    def rowCount(self, _parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 1

    def columnCount(self, _parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 1

    def data(self, _index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return self._words if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) else None

    def headerData(self, _section: int, _way: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return self.data(None, role)


def test_hovering_opens_no_file(themed, lure) -> None:
    table = QTableView()
    table.setModel(model := Words(lure.html))
    line, menu, tabs = QListWidget(), QMenu(), QTabBar()
    item = QListWidgetItem("row", line)
    item.setToolTip(lure.html)
    action = menu.addAction("entry")
    action.setToolTip(lure.html)
    menu.setToolTipsVisible(True)
    tabs.setTabToolTip(tabs.addTab("tab"), lure.html)
    chip, button = TagChip(Statement(lure.html, "somebody")), QPushButton("button")
    button.setToolTip(lure.html)
    for widget in (table, line, menu, tabs, chip, button):
        widget.show()
    places = [
        (table.viewport(), table.visualRect(model.index(0, 0)).center()),
        (table.horizontalHeader().viewport(), QPoint(10, 10)),
        (line.viewport(), line.visualItemRect(item).center()),
        (menu, menu.actionGeometry(action).center()),
        (tabs, tabs.tabRect(0).center()),
        (button, None),
    ]
    for widget, place in places:
        shown = hover(widget, place)
        assert shown.textFormat() == PLAIN and shown.text() == lure.html
    assert hover(chip).text() == f"{lure.html}\nsomebody"
    assert hover(chip.cross).text() == f"Remove tag {lure.html}"
    assert not lure.opened()
    QToolTip.hideText()
    for widget in (table, line, menu, tabs, chip, button):
        widget.close()


def test_without_the_rules_the_same_words_open_the_file(qapp, lure) -> None:
    """So that the tests here can fail."""
    qapp.setStyleSheet("")
    QToolTip.showText(QPoint(1, 1), lure.html)
    tip().grab()
    QToolTip.hideText()
    assert lure.opened()


def test_labels_and_dialogs_of_qt_show_words_as_they_are(themed, lure) -> None:
    form, message = QWidget(), QMessageBox()
    QFormLayout(form).addRow(lure.html, QLineEdit())
    message.setText(lure.html)
    message.setInformativeText(lure.html)
    message.setDetailedText(lure.html)
    asked = QInputDialog()
    asked.setLabelText(lure.html)
    progress = QProgressDialog(lure.html, "Cancel", 0, 10)
    alone = QLabel(lure.html)
    alone.setWordWrap(True)
    windows: list[QWidget] = [form, message, asked, progress, alone]
    for window in windows:
        window.show()
        window.grab()
        for label in (*window.findChildren(QLabel), *([alone] if window is alone else [])):
            assert label.textFormat() == PLAIN, label
    message.setInformativeText(f"other {lure.html}")
    alone.setText(f"other {lure.html}")
    apply_theme(themed, Theme.light())
    for window in windows:
        window.grab()
    assert not lure.opened()
    for window in windows:
        window.close()


def test_axes_take_their_label_as_it_is(themed, lure) -> None:
    plot = Plot("words")
    plot.set_label(lure.html)
    plot.show()
    plot.grab()
    assert plot.getAxis("bottom").label.toPlainText().strip() == lure.html
    plot.close()


def test_a_marked_page_loads_nothing(themed, lure) -> None:
    page = MarkedPage("page")
    for fill in (page.setHtml, page.setMarkdown):
        fill(f'{lure.html}\n\n![picture]({lure.path.as_uri()})\n\n<link rel="stylesheet" href="{lure.path.as_uri()}">')
        page.show()
        page.grab()
    page.close()
    assert not lure.opened()


@given(words=TEXTS.filter(bool))
@example(words='<img src="file:///dev/null">')
@example(words="&lt;b&gt;&amp;")
@settings(max_examples=max(1, settings().max_examples // 2))
def test_a_tooltip_says_exactly_its_words(themed, words: str) -> None:
    QToolTip.hideText()
    QToolTip.showText(QPoint(1, 1), words)
    assert (tip().textFormat(), tip().text()) == (PLAIN, words)


@given(
    words=st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"], include_characters=" "), max_size=60)
)
@example(words='  <img src="file:///dev/null">  <b>x</b> &lt;&amp;')
def test_a_marked_label_says_exactly_its_words(words: str) -> None:
    label = MarkedLabel()
    label.set_pieces(StyledText(words, "#123456", bold=True), StyledText("end"))
    document = QTextDocument()
    document.setHtml(label.text())
    assert document.toPlainText() == f"{words}end"


@given(words=TEXTS)
@example(words="Q&A && more")
def test_no_words_make_a_shortcut(words: str) -> None:
    assert QKeySequence.mnemonic(plain_label(words)).isEmpty()
    action = QAction(plain_label(words))
    assert "\t" not in action.text() and action.shortcut().isEmpty()


def test_and_signs_stand_for_themselves() -> None:
    assert plain_label("Q&A && more\twith\ttabs\nand lines") == "Q&&A &&&& more with tabs and lines"


def test_a_button_of_our_own_says_its_words_and_has_no_shortcut(themed) -> None:
    link = LinkButton("Show &all")
    assert link.text() == "Show &all" and link.shortcut().isEmpty()
    link.setText("&Q && A")
    assert link.text() == "&Q && A" and link.shortcut().isEmpty()


pytestmark = pytest.mark.usefixtures("qapp")


def places_of(text: str, words: str) -> list[float]:
    """Where the letters of the words, behind others in the text, begin on their line."""
    layout = QTextLayout(text.replace("\n", "\u2028"))  # as a label does
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(10_000)
    if "\n" in text:
        line = layout.createLine()
        line.setLineWidth(10_000)
    layout.endLayout()
    start = text.rindex(words)
    return [line.cursorToX(start + place)[0] for place in range(len(words))]  # type: ignore[index]


@pytest.mark.parametrize("mark", [*"\u202a\u202b\u202d\u202e\u2066\u2067\u2068", "\u202e\u2067\u202d"])
@pytest.mark.parametrize("between", ["\n", " · "])
def test_no_mark_turns_the_words_behind_it(qapp, mark: str, between: str) -> None:
    ours = "bounds 12, 30 to 40"
    told = places_of(f"{straight(f'Buy {mark}a lamp')}{between}{ours}", ours)
    assert told == sorted(told)
    if mark in "\u202e":
        turned = places_of(f"Buy {mark}a lamp{between}{ours}", ours)
        assert turned != sorted(turned), "else the test cannot fail"


@pytest.mark.parametrize(
    "words", ["שלום, עולם (3)", "مرحبا بالعالم 12", "abc \u200fשלום\u200e (5)", "plain", "é ＝ 漢"]
)
def test_words_that_are_written_from_right_to_left_stay_as_they_are(words: str) -> None:
    assert straight(words) == tip_words(words) == plain_label(words) == words
    assert ElidedLabel(words).text() == words


@given(TEXTS | st.text(max_size=60))
def test_words_without_marks_stay_and_none_stands_in_others(words: str) -> None:
    kept = straight(words)
    assert len(kept) == len(words) and not set(kept) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert all(one == other or other == "\ufffd" for one, other in zip(words, kept, strict=True))


def test_a_goal_of_megabytes_is_a_tooltip_of_some_lines() -> None:
    assert tip_words(None) == tip_words("") == ""
    assert tip_words("one\ntwo") == "one\ntwo"
    assert tip_words("x" * 5_000_000 + "\nbounds") == "x" * MOST_OF_A_LINE + "…"
    assert tip_words("x" * 500 + "\nbounds") == "x" * MOST_OF_A_LINE + "…\nbounds"
    assert tip_words("y\n" * 1_000_000).splitlines() == ["y"] * MOST_LINES + ["…"]


def test_a_windows_title_is_what_it_says(qapp) -> None:
    window = QWidget()
    window.setWindowTitle(window_title("data [*] and \u202e[*]"))
    window.winId()
    assert window.windowHandle().title() == "data [*] and \ufffd[*]"
