"""The Notes page by itself: what it shows, what it tells, and what it keeps while somebody writes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from stepscope.widgets.annotate.annotation_notes import DEFECT, NOTE, STAR, Choices, LabelNotes, PlaceNotes, Statement
from stepscope.widgets.annotate.note_field import NoteField
from stepscope.widgets.annotate.title_marks import TitleMarks
from stepscope.widgets.annotate.view import NotesPage

CHOICES = Choices(("wrong reference", "wrong picture"), ("impossible", "unclear"))
ADA = "ada, 3 May 2024, 12:00"


def step(**said: object) -> PlaceNotes:
    return PlaceNotes("Step 3", **said)


@pytest.fixture
def page(qtbot, themed) -> NotesPage:
    page = NotesPage(CHOICES)
    qtbot.addWidget(page)
    page.resize(344, 900)
    page.show()
    qtbot.waitExposed(page)
    page.show_notes(step(), PlaceNotes("Whole episode"), LabelNotes())
    return page


def told(signal) -> list:
    heard: list = []
    signal.connect(lambda *values: heard.append(values[0] if len(values) == 1 else values))
    return heard


def test_it_says_who_said_what_when(page) -> None:
    defects = (Statement("wrong picture", ADA), Statement("wrong reference", "bo, 4 May 2024, 9:30"))
    page.show_notes(
        step(
            star=Statement("", ADA),
            defects=defects,
            note=Statement("odd", ADA),
            tags=(Statement("login", ADA), Statement("slow", ADA)),
        ),
        PlaceNotes("Whole episode", checked=Statement("", ADA)),
        LabelNotes("infeasible", "unclear", ("Which?", "When?"), ADA, "The data says: feasible"),
    )
    assert page.step.said() == (
        f"Star: {ADA}\nDefect, wrong picture: {ADA}\nDefect, wrong reference: bo, 4 May 2024, 9:30"
    )
    assert page.episode.said() == f"Checked: {ADA}"
    assert [page.step.star.isChecked(), page.step.checked.isChecked(), page.step.defect.isChecked()] == [
        True,
        False,
        True,
    ]
    assert [entry.isChecked() for entry in page.step.menu.entries.values()] == [True, True]
    assert page.step.note.toPlainText() == "odd"
    assert page.step.tags.tags() == ["login", "slow"]
    assert (page.label.label.currentText(), page.label.reason.currentText()) == ("Infeasible", "Unclear")
    assert page.label.questions.toPlainText() == "Which?\nWhen?"


def test_showing_tells_nobody(page) -> None:
    section, label = page.step, page.label
    heard = [
        told(signal)
        for signal in (
            section.star_toggled, section.checked_toggled, section.defect_toggled, section.note_edited,
            section.tag_added, section.tag_removed, label.labelled,
        )
    ]  # fmt: skip
    said = Statement("x", ADA)
    page.show_notes(step(star=said, note=said, tags=(said,)), PlaceNotes("Whole episode"), LabelNotes("feasible"))
    page.show_notes(None, PlaceNotes("Whole episode"), LabelNotes())
    page.show_notes(None, None, LabelNotes())
    page.keep()
    assert heard == [[]] * 7


def test_an_episode_without_steps_has_no_section_for_one(page) -> None:
    page.show_notes(None, PlaceNotes("Whole episode"), LabelNotes())
    assert (page.step.isVisible(), page.episode.isVisible()) == (False, True)
    page.show_notes(None, None, LabelNotes())
    assert not page.episode.isVisible()


def test_a_pause_keeps_the_note(qtbot, themed, monkeypatch) -> None:
    monkeypatch.setattr("stepscope.widgets.annotate.note_field.PAUSE_MS", 0)
    field = NoteField("Note", "Note")
    qtbot.addWidget(field)
    heard = told(field.edited)
    QTest.keyClicks(field, "abc")
    qtbot.waitUntil(lambda: heard[-1:] == ["abc"])
    field.keep()
    assert heard.count("abc") == 1, "what was told is not told again"


def test_what_is_being_typed_is_not_overwritten(page) -> None:
    field = page.step.note
    QTest.keyClicks(field, "half a sen")
    page.show_notes(step(note=Statement("from elsewhere", ADA)), PlaceNotes("Whole episode"), LabelNotes())
    assert field.toPlainText() == "half a sen"
    QTest.keyClicks(field, "tence ")
    field.keep()
    page.show_notes(step(note=Statement("half a sentence", ADA)), PlaceNotes("Whole episode"), LabelNotes())
    assert field.toPlainText() == "half a sentence ", "nor the space before the next word"
    page.show_notes(step(note=Statement("from elsewhere", ADA)), PlaceNotes("Whole episode"), LabelNotes())
    assert field.toPlainText() == "from elsewhere"


def test_leaving_the_field_keeps_the_note_and_ends_the_change(page) -> None:
    kept, left = told(page.step.note_edited), told(page.note_left)
    page.go_to_note()
    QTest.keyClicks(page.step.note, "x")
    QTest.keyClick(page.step.note, Qt.Key.Key_Tab)
    assert kept == ["x"]
    assert len(left) == 1


def test_tags_are_trimmed_and_taken_away_by_their_cross(page) -> None:
    added, removed = told(page.step.tag_added), told(page.step.tag_removed)
    for text in ("  two   words ", "   "):
        QTest.keyClicks(page.step.tags.line, text)
        QTest.keyClick(page.step.tags.line, Qt.Key.Key_Return)
    assert added == ["two words"]
    assert page.step.tags.line.text() == ""
    page.show_notes(step(tags=(Statement("a", ADA), Statement("b", ADA))), PlaceNotes("Whole episode"), LabelNotes())
    chip = page.step.tags.chips()[1]
    assert chip.cross.accessibleName() == "Remove tag b"
    QTest.mouseClick(chip.cross, Qt.MouseButton.LeftButton)
    assert removed == ["b"]


def test_many_tags_stand_in_rows_inside_the_page(page, qtbot) -> None:
    tags = tuple(Statement(f"a rather long tag, number {number}", ADA) for number in range(5))
    page.show_notes(step(tags=tags), PlaceNotes("Whole episode"), LabelNotes())
    qtbot.waitUntil(lambda: page.step.tags.chips()[-1].y() > 0)
    assert all(chip.geometry().right() < page.step.tags.width() for chip in page.step.tags.chips())


def test_a_label_is_told_as_a_whole(page) -> None:
    heard = told(page.label.labelled)
    page.show_notes(step(), PlaceNotes("Whole episode"), LabelNotes("infeasible", "unclear", ("Which?",)))
    page.label.reason.setFocus()
    QTest.keyClick(page.label.reason, Qt.Key.Key_Up)
    QTest.keyClick(page.label.questions, Qt.Key.Key_Return)
    QTest.keyClicks(page.label.questions, "When? ")
    page.keep()
    page.label.label.setFocus()
    QTest.keyClick(page.label.label, Qt.Key.Key_Up)
    assert heard == [
        ("infeasible", "impossible", ["Which?"]),
        ("infeasible", "impossible", ["Which?", "When?"]),
        ("feasible", "", ["Which?", "When?"]),
    ]


def test_in_a_narrow_dock_the_switches_lose_their_words_but_not_their_names(page, qtbot) -> None:
    beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
    assert page.step.star.toolButtonStyle() is beside
    page.resize(200, 900)
    qtbot.waitUntil(lambda: page.step.star.toolButtonStyle() is alone)
    assert page.step.star.accessibleName() == "Star: Step 3"
    assert page.step.star.toolTip() == "Star: Step 3 (S)"
    assert page.episode.defect.toolTip() == "Defect: Whole episode (Shift+X)"
    assert page.step.width() <= 200
    page.resize(400, 900)
    qtbot.waitUntil(lambda: page.step.star.toolButtonStyle() is beside)


def test_every_button_has_a_name(page) -> None:
    assert [button for button in page.findChildren(QToolButton) if not button.accessibleName()] == []


def test_title_buttons_are_down_where_there_is_a_mark(qtbot, themed) -> None:
    marks = TitleMarks()
    qtbot.addWidget(marks)
    marks.show_notes(step(star=Statement("", ADA), note=Statement("n", ADA)))
    assert {name: button.isChecked() for name, button in marks.buttons.items()} == {
        DEFECT: False,
        STAR: True,
        NOTE: True,
    }
    heard = told(marks.pressed)
    marks.buttons[DEFECT].click()
    assert heard == [DEFECT]
    assert marks.buttons[NOTE].toolTip() == "Note of this step (W)"
    marks.show_notes(None)
    assert marks.isHidden()
