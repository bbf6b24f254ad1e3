"""The UI tree and the screen, what changed since the step before, and words read from pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.worker import TextJob
from core.domain.elements import TreeOrigin, UIElement, UITree
from core.domain.episode import Picture
from core.domain.geometry import Box, Point, Size
from core.domain.mark import ChangeMark, ChangeSign, Layer, TreeMark
from core.errors import SourceError, UnavailableError
from core.imaging.decode import decode
from core.progress import CancelToken
from models.ocr.kept import KeptTexts
from models.ocr.lines import TextLine
from widgets.hierarchy import OverlapMenu

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
    person.press("Alt+Up")
    assert chosen(person) == 2, "nothing was chosen: the reference's element"
    ways = [("Alt+Up", 1), ("Alt+Right", 1), ("Alt+Down", 2), ("Alt+Down", 2), ("Alt+Up", 1), ("Alt+Up", 0)]
    for keys, index in ways:
        person.press(keys)
        assert chosen(person) == index, keys
    assert person.screen._selected_box == person.selection.step.observation.tree.elements[0].box


def test_overlapping_elements_are_offered_lit_and_chosen_by_key(person) -> None:
    place = QPointF(*person.screen.viewport.to_view(Point(54, 120, SIZE))).toPoint()
    QTest.mouseClick(person.screen, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, place)
    menu = offered(person)
    words = [action.text() for action in menu.actions()]
    assert words == ["Button “Search”", "LinearLayout", "FrameLayout"], "the smallest first"
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    assert person.screen._hover_box == person.selection.step.observation.tree.elements[1].box
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert chosen(person) == 1 and person.screen._hover_box is None


def test_the_menu_key_lists_what_is_around_the_chosen_element(person) -> None:
    person.press("Alt+Up")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(person.screen, event)
    menu = offered(person)
    assert [action.data() for action in menu.actions() if action.isChecked()] == [2]
    menu.close()


def test_an_element_is_copied_by_command_once_one_is_chosen(person) -> None:
    assert not person.bench.commands.actions["element.locator"].isEnabled()
    person.press("Alt+Up")
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


def test_changes_are_marked_and_listed_and_lead_to_their_place(person) -> None:
    person.press("D")
    person.settle()
    assert marks(person, ChangeMark) == [], "the first step has none before it"
    person.click(segment(person, "Changes"))
    panel = person.window.tree.changes
    assert panel.words() == "This is the first step: there is none before it."
    person.press("J")
    person.until(lambda: panel.rows(), "the changes")
    assert panel.words() == "Since step 1: no UI trees to compare, 1 area of the picture."
    assert marks(person, ChangeMark) == [ChangeMark(ChangeSign.REGION, Box(0, 0, 108, 240, SIZE))]
    person.click(panel.list.viewport(), panel.list.visualRect(panel.list.model().index(0, 0)).center())
    assert person.screen._selected_box == Box(0, 0, 108, 240, SIZE)
    person.press("D")
    assert marks(person, ChangeMark) == []


def test_steps_with_equal_trees_differ_in_their_pictures_alone(person) -> None:
    person.press("PgDown")
    person.press("PgDown")
    person.arrive("tour", 0)
    person.press("D")
    person.press("J")
    person.settle()
    person.until(lambda: marks(person, ChangeMark), "the marks")
    assert {mark.sign for mark in marks(person, ChangeMark)} == {ChangeSign.REGION}
    assert Layer.DIFF in person.window.replay.layers.layers
    assert person.window.replay.layers.chip(Layer.DIFF) is not None


# Words of pictures --------------------------------------------------------------------------------------------------


def lines(words: str) -> UITree:
    box = Box(10, 20, 60, 40, SIZE)
    return UITree((UIElement(0, box, text=words, class_name="Text"),), TreeOrigin.OCR, SIZE)


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
    words = person.window.messages.words()
    assert "1 picture cannot be read" in words and "cut off" in words
    found = []
    for _ in range(4):
        person.press("J")
        person.settle()
        found.append(person.window.tree._header.detail())
    assert found == ["OCR, 1 element", "", "OCR, 1 element", "OCR, 1 element"]


def test_a_step_with_a_tree_needs_no_reading(person) -> None:
    person.choose("text.read")
    assert "UI tree of its own" in person.window.messages.words()


def test_what_is_missing_is_told(person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.ocr.reader.lack", lambda: "Reading text needs rapidocr: pip install 'stepscope[ocr]'.")
    person.press("J")
    person.choose("text.read")
    assert "stepscope[ocr]" in person.window.messages.words()


def test_an_error_of_the_reader_ends_the_work_and_is_told(person) -> None:
    def broken(_job: TextJob, _token: CancelToken) -> Iterator[tuple[Picture, object]]:
        raise UnavailableError("rapidocr is not installed", hint="Install it.")
        yield

    person.bench.elements.reading.work = broken
    person.press("J")
    person.choose("text.read")
    person.settle()
    assert "rapidocr is not installed. Install it." in person.window.messages.words()
    assert segment(person, "Read text of this screen").isVisible()


def test_what_was_read_at_another_time_is_there_at_once(open_window, shop: Path) -> None:
    picture = next(iter((shop / "1").rglob("*1.png")))
    pixels = decode(Picture(picture, SIZE))
    KeptTexts().put(pixels, [TextLine("From before", (1, 2, 30, 20), 0.9)])
    person = open_window(shop)
    person.press("J")
    person.until(lambda: person.window.tree._header.detail() == "OCR, 1 element", "the kept words")
    assert person.window.tree.model.tree.elements[0].text == "From before"
