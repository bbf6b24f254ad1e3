"""Words of data in the whole window: the mouse rests on everything that is shown, and nothing of it is more than words.

Ids, goals, apps, elements, tags, notes, models and raw outputs name a picture as HTML does; the test fails when anybody
opens it.
"""

from __future__ import annotations

import json
import re

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QStyledItemDelegate,
    QToolTip,
    QWidget,
)

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.widgets.common.marked import MarkedLabel
from tests.app.gui.conftest import SEARCH, SIZE, at, box, picture

ROWS = 12
THIRDS = (0.17, 0.5, 0.83)


@pytest.fixture
def hostile(tmp_path, lure):
    return write_episodes(tmp_path / "data <b>x</b> &hid", lure.html)


def write_episodes(folder, words):
    """Two episodes of two steps; the second's goal alone is harmless, so that lists have several rows."""
    for number, goal in enumerate((words, "Buy a lamp")):
        identity = f"{number} {words}"
        elements = (
            UIElement(0, box(0, 0, 108, 240), class_name=words, text=words, resource_id=words),
            UIElement(1, SEARCH, 0, 1, text=words, content_description=words, clickable=True),
        )
        tree = UITree(elements, TreeOrigin.DUMP, SIZE)
        steps = (
            Step(0, Observation(SIZE, tree=tree, time=0.0), Tap(at(54, 120)), instruction=words),
            Step(1, Observation(SIZE, time=1.0), Type(words)),
        )
        writer = RecordingWriter(folder / str(number))
        for step in steps:
            writer.add(step, picture(90))
        asks = (Ask(1, words, words),)
        writer.save(Episode(identity, "recording", Platform.ANDROID, goal, steps, app=words, asks=asks))
    return folder


@pytest.fixture
def answers(tmp_path, lure):
    return write_answers(tmp_path / "answers &hid.jsonl", lure.html)


def write_answers(path, words):
    rows = [{"run": {"model": words}}]
    for number in range(2):
        tap = {"kind": "tap", "point": [54, 125]}
        place = {"episode": f"{number} {words}", "step": 0}
        rows.append({**place, "action": tap, "confidence": 0.5, "raw": words})
        rows.append({**place, "step": 1, "action": {"kind": "type", "text": words}, "raw": words})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def places(widget: QWidget) -> list[QPoint]:
    """Where the mouse rests on it: on the rows of a list, else all over it."""
    view = widget.parentWidget()
    if isinstance(view, QAbstractItemView) and view.viewport() is widget and view.model() is not None:
        indexes = [view.indexAt(QPoint(20, 5 + 14 * row)) for row in range(2 * ROWS)]
        indexes += [view.model().index(row, 0, view.rootIndex()) for row in range(min(ROWS, view.model().rowCount()))]
        return [view.visualRect(index).center() for index in indexes if index.isValid()]
    return [QPoint(round(widget.width() * x), round(widget.height() * y)) for x in THIRDS for y in THIRDS]


def rest_everywhere(window: QWidget) -> set[str]:
    """Let the mouse rest on all that is visible; gives the tooltips that came, each of which was plain."""
    seen = set()
    for widget in [window, *window.findChildren(QWidget)]:
        if not widget.isVisible():
            continue
        for place in places(widget):
            QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
            for shown in QApplication.topLevelWidgets():
                if shown.metaObject().className() == "QTipLabel" and shown.isVisible():
                    assert isinstance(shown, QLabel) and shown.textFormat() == Qt.TextFormat.PlainText
                    seen.add(shown.text())
    QToolTip.hideText()
    return seen


def check_labels(window: QWidget) -> None:
    for label in window.findChildren(QLabel):
        if label.isVisible() and not isinstance(label, MarkedLabel):
            assert label.textFormat() == Qt.TextFormat.PlainText, label.text()


def check_letters(window: QWidget) -> None:
    """No button and no entry of a menu has a shortcut from the words of data."""
    for thing in (*window.findChildren(QAbstractButton), *window.findChildren(QAction)):
        words = thing.text() if isinstance(thing, QAction) else QAbstractButton.text(thing)
        if "hid" in words.replace("hidden", ""):
            assert QKeySequence.mnemonic(words).isEmpty(), words


def test_the_mouse_rests_on_everything_and_no_file_is_opened(open_window, hostile, answers, lure) -> None:
    person = open_window(hostile)
    person.window.resize(1600, 1000)
    person.score(answers)
    page = person.bench.annotating.page
    for section in (page.step, page.episode):
        section.tag_added.emit(lure.html)
        section.note_edited.emit(lure.html)
    person.bench.context.messages.warning(lure.html, title=lure.html)
    person.settle()
    tips: set[str] = set()
    for workspace in ("replay", "results", "compare", "ordering", "judge", "live"):
        person.window.set_workspace(workspace)
        person.settle()
        if workspace == "replay":
            inspector = person.window.inspector
            for tab in range(inspector.count()):
                inspector.setCurrentIndex(tab)
                person.settle()
                tips |= rest_everywhere(person.window)
        tips |= rest_everywhere(person.window)
        check_labels(person.window)
        check_letters(person.window)
        person.window.grab()
        assert not lure.opened(), workspace
    person.press("Ctrl+K")
    person.write("img")
    person.settle()
    tips |= rest_everywhere(person.window)
    person.press("Esc")
    assert len([tip for tip in tips if lure.html in tip]) >= 8, "else the mouse did not rest on words of data"
    assert person.alive()


TURNED = "Call \u202emoor eht\u2066 (5)"
MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def shown_words(window: QWidget) -> set[str]:
    """What labels, buttons, menus and lists show by themselves."""
    seen = {window.windowTitle()}
    for thing in (*window.findChildren(QLabel), *window.findChildren(QAbstractButton), *window.findChildren(QAction)):
        seen.add(thing.text())
    for view in window.findChildren(QAbstractItemView):
        if view.isVisible() and isinstance(view.itemDelegate(), QStyledItemDelegate):
            own = type(view.itemDelegate()).__module__.startswith("stepscope.widgets")  # it paints what it shows itself
            model, root = view.model(), view.rootIndex()
            for row in range(0 if own or model is None else min(ROWS, model.rowCount(root))):
                seen |= {str(model.index(row, place, root).data() or "") for place in range(model.columnCount(root))}
    return seen


@pytest.fixture
def painted(monkeypatch) -> set[str]:
    """All words that the window paints itself."""
    words: set[str] = set()
    paint = QPainter.drawText

    def draw(painter, *rest):
        words.update(one for one in rest if isinstance(one, str))
        return paint(painter, *rest)

    monkeypatch.setattr(QPainter, "drawText", draw)
    return words


def test_no_mark_in_the_data_turns_the_windows_own_words(open_window, tmp_path, painted) -> None:
    data = write_episodes(tmp_path / f"data {TURNED} [*]", TURNED)
    person = open_window(data)
    person.window.resize(1600, 1000)
    person.score(write_answers(tmp_path / f"answers {TURNED}.jsonl", TURNED))
    page = person.bench.annotating.page
    for section in (page.step, page.episode):
        section.tag_added.emit(TURNED)
        section.note_edited.emit(TURNED)
    person.bench.context.messages.warning(TURNED, title=TURNED)
    person.settle()
    tips, words = set[str](), set[str]()
    for workspace in ("replay", "results", "compare", "ordering", "judge", "live"):
        person.window.set_workspace(workspace)
        person.settle()
        inspector = person.window.inspector
        for tab in range(inspector.count() if workspace == "replay" else 1):
            inspector.setCurrentIndex(tab)
            person.settle()
            tips |= rest_everywhere(person.window)
            words |= shown_words(person.window)
            person.window.grab()
    person.press("Ctrl+K")
    person.write("moor")
    person.settle()
    tips |= rest_everywhere(person.window)
    person.window.grab()
    person.press("Esc")
    assert person.window.windowTitle().startswith("data Call \ufffdmoor eht\ufffd (5) [*][*]")
    for shown in (tips, words, painted):
        assert len([one for one in shown if "moor" in one]) >= 8, "else no words of data were shown"
    assert sorted(one for one in tips | words | painted if MARKS.search(one)) == []
