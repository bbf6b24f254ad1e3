"""The UI tree and the screen, what changed since the step before, and words read from pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from stepscope.app.services.worker import TextJob
from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import ChangeMark, ChangeSign, TreeMark
from stepscope.core.errors import SourceError, UnavailableError
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.models.ocr.lines import TextLine
from stepscope.models.ocr.text_cache import TextCache
from stepscope.widgets.hierarchy import OverlapMenu

SIZE = Size(108, 240)


def chosen(person) -> int:
    return person.window.tree.selected_element()


def marks(person, kind: type) -> list:
    return [mark for mark in person.screen.content.marks if isinstance(mark, kind)]


def segment(person, words: str) -> QAbstractButton:
    buttons = person.window.tree.findChildren(QAbstractButton)
    return next(button for button in buttons if button.text() == words and button.isVisible())


def offered(person) -> OverlapMenu:
    return next(menu for menu in person.screen.findChildren(OverlapMenu) if menu.isVisible())


# Choosing -----------------------------------------------------------------------------------------------------------


def test_alt_arrows_go_through_the_tree(person) -> None:
    person.press("Ctrl+Alt+Up")
    assert chosen(person) == 2, "nothing was chosen: the reference's element"
    ways = [
        ("Ctrl+Alt+Up", 1),
        ("Ctrl+Alt+Right", 1),
        ("Ctrl+Alt+Down", 2),
        ("Ctrl+Alt+Down", 2),
        ("Ctrl+Alt+Up", 1),
        ("Ctrl+Alt+Up", 0),
    ]
    for keys, index in ways:
        person.press(keys)
        assert chosen(person) == index, keys
    assert person.screen._selected_box == person.selection.step.observation.tree.elements[0].box


def test_overlapping_elements_are_offered_lit_and_chosen_by_key(person) -> None:
    place = QPointF(*person.screen.viewport.to_view(Point(54, 120, SIZE))).toPoint()
    QTest.mouseClick(person.screen, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, place)
    menu = offered(person)
    words = [action.text() for action in menu.actions()]
    assert [word.split("\t")[0] for word in words] == ["Button “Search”", "LinearLayout", "FrameLayout"]
    assert [word.split("\t")[1] for word in words] == ["40 × 20", "88 × 60", "108 × 240"], "the smallest first"
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    assert person.screen._hover_box == person.selection.step.observation.tree.elements[1].box
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert chosen(person) == 1 and person.screen._hover_box is None


def test_the_menu_key_lists_what_is_around_the_chosen_element(person) -> None:
    person.press("Ctrl+Alt+Up")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(person.screen, event)
    menu = offered(person)
    assert [action.data() for action in menu.actions() if action.isChecked()] == [2]
    menu.close()


def test_an_element_is_copied_by_command_once_one_is_chosen(person) -> None:
    assert not person.bench.commands.actions["element.locator"].isEnabled()
    person.press("Ctrl+Alt+Up")
    copied = {}
    for command in ("element.locator", "element.bounds", "element.text"):
        person.choose(command)
        copied[command] = QGuiApplication.clipboard().text()
    assert list(copied.values()) == ['//*[@text="Search"]', "[34,110][74,130]", "Search"]
    person.press("Right")
    assert not person.bench.commands.actions["element.locator"].isEnabled(), "another screen"


def test_the_kinds_of_elements_listed_are_those_drawn(person) -> None:
    person.press("U")
    assert len(marks(person, TreeMark)[0].boxes) == 3
    person.click(segment(person, "Clickable"))
    assert len(marks(person, TreeMark)[0].boxes) == 2
    person.click(segment(person, "With text"))
    assert marks(person, TreeMark)[0].boxes == (Box(34, 110, 74, 130, SIZE),)


# Changes ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def dialog(tmp_path: Path) -> Path:
    """Two steps: a screen with a button, then a dialog over its upper left with a question and without the button."""

    def screen(*elements: UIElement) -> UITree:
        whole = UIElement(0, Box(0, 0, 108, 240, SIZE), class_name="Frame")
        return UITree((whole, *elements), TreeOrigin.DUMP, SIZE)

    kept = UIElement(1, Box(0, 200, 108, 240, SIZE), 0, 1, text="Bar", class_name="Text")
    button = UIElement(2, Box(60, 150, 100, 180, SIZE), 0, 1, text="Delete", class_name="Button", clickable=True)
    question = UIElement(2, Box(0, 16, 64, 48, SIZE), 0, 1, text="Sure?", class_name="Text")
    pixels = np.full((240, 108, 3), 255, np.uint8)
    later = pixels.copy()
    later[16:48, 0:64] = 90
    writer = RecordingWriter(tmp_path / "dialog")
    steps = [
        Step(0, Observation(SIZE, tree=screen(kept, button)), Tap(Point(80, 165, SIZE))),
        Step(1, Observation(SIZE, tree=screen(kept, question)), None),
    ]
    for step, picture in zip(steps, (pixels, later), strict=True):
        writer.add(step, encode_png(picture))
    writer.save(Episode("dialog", "recording", Platform.ANDROID, "Delete it", tuple(steps)))
    return tmp_path / "dialog"


def test_changes_are_marked_and_listed_and_lead_to_their_place(open_window, dialog: Path) -> None:
    person = open_window(dialog)
    person.press("D")
    person.settle()
    assert marks(person, ChangeMark) == [], "the first step has none before it"
    person.click(segment(person, "Changes"))
    panel = person.window.tree.changes
    assert panel.words() == "This is the first step: there is none before it."
    person.press("J")
    person.until(lambda: panel.rows(), "the changes")
    assert panel.words() == "Since step 1: 1 appeared, 1 vanished, 1 area of the picture."
    asked, gone, area = Box(0, 16, 64, 48, SIZE), Box(60, 150, 100, 180, SIZE), Box(0, 16, 64, 48, SIZE)
    assert marks(person, ChangeMark) == [
        ChangeMark(ChangeSign.REGION, area), ChangeMark(ChangeSign.APPEARED, asked),
        ChangeMark(ChangeSign.VANISHED, gone),
    ]  # fmt: skip
    assert [row.name for row in panel.rows()] == ["Text “Sure?”", "Button “Delete”", "64 × 32 at 0, 16"]
    rows = panel.list
    person.click(rows.viewport(), rows.visualRect(rows.model().index(1, 0)).center())
    assert person.screen._selected_box == gone and chosen(person) == -1, "it is not in this tree"
    QTest.keyClick(rows, Qt.Key.Key_Up)
    assert person.screen._selected_box == asked and chosen(person) == 2
    person.press("D")
    assert marks(person, ChangeMark) == []


def test_a_step_without_a_tree_is_compared_by_its_picture(person) -> None:
    person.press("D")
    person.click(segment(person, "Changes"))
    person.press("J")
    person.until(lambda: person.window.tree.changes.rows(), "the changes")
    words = person.window.tree.changes.words()
    assert words == "Since step 1: no UI trees to compare, 1 area of the picture."
    assert marks(person, ChangeMark) == [], "all of the picture is other: a tint over it would tell nothing"
    assert person.window.replay.layers.chip(Layer.DIFF) is not None


# Words of pictures --------------------------------------------------------------------------------------------------


def lines(words: str) -> UITree:
    box = Box(10, 20, 60, 40, SIZE)
    return UITree((UIElement(0, box, text=words),), TreeOrigin.OCR, SIZE)


def reader(*wrong: int) -> Callable[[TextJob, CancelToken], Iterator[tuple[Picture, object]]]:
    """Stands for the process that reads: says of each picture which one it is, and fails on some."""

    def read(job: TextJob, _token: CancelToken) -> Iterator[tuple[Picture, object]]:
        for place, picture in enumerate(job.pictures):
            yield picture, SourceError("cut off", place="x.png") if place in wrong else lines(f"picture {place}")

    return read


def test_the_words_of_a_screen_are_read_shown_and_drawn(person) -> None:
    person.bench.elements.reading.work = reader()
    person.press("J")
    person.settle()
    person.click(segment(person, "Read text of this screen"))
    person.settle()
    panel = person.window.tree
    assert panel._header.detail() == "OCR, 1 element"
    person.press("U")
    assert marks(person, TreeMark)[0].boxes == (Box(10, 20, 60, 40, SIZE),)
    person.click_pixel(30, 30)
    assert chosen(person) == 0
    assert person.screen._words_at(Point(30, 30, SIZE)) == "picture 0 · OCR"
    person.press("K")
    person.settle()
    assert panel._header.detail() == "dump, 3 elements"
    person.press("J")
    person.settle()
    assert panel._header.detail() == "OCR, 1 element", "it is kept"


def test_a_whole_episode_is_read_and_what_cannot_be_is_told(person) -> None:
    person.bench.elements.reading.work = reader(1)
    person.choose("text.read_episode")
    person.settle()
    words = " ".join(person.told)
    assert "1 picture cannot be read" in words and "cut off" in words
    found = []
    for _ in range(4):
        person.press("J")
        person.settle()
        found.append(person.window.tree._header.detail())
    assert found == ["OCR, 1 element", "", "OCR, 1 element", "OCR, 1 element"]


def test_a_step_with_a_tree_needs_no_reading(person) -> None:
    person.choose("text.read")
    assert "UI tree of its own" in " ".join(person.told)


def test_what_is_missing_is_told(person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "stepscope.models.ocr.reader.lack", lambda: "Reading text needs rapidocr: pip install 'stepscope[ocr]'."
    )
    person.press("J")
    person.choose("text.read")
    assert "stepscope[ocr]" in " ".join(person.told)


def test_an_error_of_the_reader_ends_the_work_and_is_told(person) -> None:
    def broken(_job: TextJob, _token: CancelToken) -> Iterator[tuple[Picture, object]]:
        yield from ()
        raise UnavailableError("rapidocr is not installed", hint="Install it.")

    person.bench.elements.reading.work = broken
    person.press("J")
    person.choose("text.read")
    person.settle()
    assert "rapidocr is not installed. Install it." in " ".join(person.told)
    assert segment(person, "Read text of this screen").isVisible()


def test_what_was_read_at_another_time_is_there_at_once(open_window, shop: Path) -> None:
    picture = next(iter((shop / "1").rglob("*1.png")))
    pixels = decode(Picture(picture, SIZE))
    TextCache().put(pixels, [TextLine("From before", (1, 2, 30, 20), 0.9)])
    person = open_window(shop)
    person.press("J")
    person.until(lambda: person.window.tree._header.detail() == "OCR, 1 element", "the kept words")
    assert person.window.tree.model.tree.elements[0].text == "From before"
