"""Attention on a run's card: words with grounds, streams to choose from, and what lights what."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QEnterEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_text_size, apply_theme
from stepscope.core.domain.attention import (
    NOWHERE,
    AttentionArea,
    AttentionPointer,
    AttentionStream,
    AttentionText,
    AttentionWord,
    WordElementMatch,
)
from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.inspector import StepInspector
from stepscope.widgets.inspector.attended_words import MOST_LETTERS, AttendedWords
from stepscope.widgets.inspector.attention import AttentionSection
from stepscope.widgets.inspector.cards import RunCardView
from stepscope.widgets.inspector.step_details import RunCard, StepDetails

GROUNDING = AttentionStream(
    "grounding",
    AttentionText.INSTRUCTION,
    "Turn on dark mode.",
    (AttentionWord(0, 4, 0.2), AttentionWord(8, 12, 0.8), AttentionWord(13, 17, 0.4)),
    elements=(AttentionArea(0, 0, 1, 0.5, 0.25, "Turn off"), AttentionArea(0, 0.5, 1, 1, 0.75, "Dark mode")),
    matches=(WordElementMatch(0, 0, 0.5), WordElementMatch(1, 1, 1.0), WordElementMatch(2, 1, 0.6)),
)
ACTION = AttentionStream(
    "action", AttentionText.GOAL, "Make it dark", (AttentionWord(8, 12, 1.0),), (AttentionArea(0, 0, 1, 1, 1.0),)
)
CARD = RunCard(0, "Northstar 7B", ShownVerdict.HIT, "right", "tap 5, 5", raw="{}", attention=(GROUNDING, ACTION))


@pytest.fixture
def inspector(qtbot: QtBot, themed: object) -> StepInspector:
    shown = StepInspector()
    qtbot.addWidget(shown)
    shown.resize(340, 900)
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_step(StepDetails(2, "tap 506, 867", runs=(CARD,)))
    return shown


def section_of(inspector: StepInspector) -> AttentionSection:
    section = inspector.step_page.cards[0].attention
    assert section is not None
    return section


def lit(section: AttentionSection) -> tuple[set[int], set[int]]:
    """Words of the chosen stream, elements."""
    line = section.lines[section._streams.index(section.stream)]
    return set(line.lit), {row.place for row in section.rows if row.is_lit}


def over(line: AttendedWords, word: int) -> QPoint:
    return line.place_of(word).center().toPoint()


def test_pointing_at_a_word_lights_its_elements_and_at_an_element_its_words(
    inspector: StepInspector, qtbot: QtBot
) -> None:
    section = section_of(inspector)
    line = section.lines[0]
    assert lit(section) == (set(), set())
    assert [one for one in QApplication.topLevelWidgets() if one.isVisible()] == [inspector.window()]
    with qtbot.waitSignal(inspector.attention_pointed) as told:
        QTest.mouseMove(line, over(line, 2))
    assert told.args == [0, AttentionPointer(word=2)] and lit(section) == ({2}, {1})
    QTest.mouseMove(line, over(line, 0))
    assert lit(section) == ({0}, {0})
    with qtbot.waitSignal(inspector.attention_pointed) as told:
        QApplication.sendEvent(line, QEvent(QEvent.Type.Leave))
    assert told.args == [0, NOWHERE] and lit(section) == (set(), set())

    dark = next(row for row in section.rows if row.text() == "Dark mode")
    with qtbot.waitSignal(inspector.attention_pointed) as told:
        QApplication.sendEvent(dark, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert told.args == [0, AttentionPointer(element=1)] and lit(section) == ({1, 2}, {1})
    assert [line.strength(word) for word in range(3)] == [0.0, 1.0, 0.6], "as like as they are to the element"
    QApplication.sendEvent(dark, QEvent(QEvent.Type.Leave))
    assert [line.strength(word) for word in range(3)] == [0.25, 1.0, 0.5], "beside the heaviest"


def test_the_keyboard_goes_from_word_to_word_and_to_elements(inspector: StepInspector, qtbot: QtBot) -> None:
    section = section_of(inspector)
    line = section.lines[0]
    line.setFocus(Qt.FocusReason.TabFocusReason)
    assert lit(section) == ({0}, {0})
    qtbot.keyClick(line, Qt.Key.Key_Right)
    assert lit(section) == ({1}, {1}) and line.accessibleDescription() == "dark, weight 0.80"
    qtbot.keyClick(line, Qt.Key.Key_End)
    qtbot.keyClick(line, Qt.Key.Key_Right)
    assert lit(section) == ({2}, {1}), "no further than the last"
    qtbot.keyClick(line, Qt.Key.Key_Home)
    assert lit(section) == ({0}, {0})
    section.rows[0].setFocus(Qt.FocusReason.TabFocusReason)
    assert section.rows[0].accessibleName() == "Element Dark mode, weight 0.75", "the heaviest first"
    assert lit(section) == ({1, 2}, {1})
    inspector.step_page._rules.setFocus()
    assert lit(section) == (set(), set())


def test_arrows_are_kept_from_the_windows_shortcuts(inspector: StepInspector) -> None:
    def is_kept(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
        asked = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
        asked.ignore()
        QApplication.sendEvent(section_of(inspector).lines[0], asked)
        return asked.isAccepted()

    assert is_kept(Qt.Key.Key_Left) and is_kept(Qt.Key.Key_End)
    assert not is_kept(Qt.Key.Key_N) and not is_kept(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)


def test_one_of_several_streams_is_chosen(inspector: StepInspector, qtbot: QtBot) -> None:
    section = section_of(inspector)
    assert [choice.text() for choice in section.choices] == ["Grounding, instruction", "Action, goal"]
    assert section.choices[0].isChecked() and len(section.rows) == 2
    with qtbot.waitSignal(inspector.stream_chosen) as told:
        qtbot.keyClick(section.choices[1], Qt.Key.Key_Space)
    assert told.args == ["action, goal"]
    inspector.choose_stream("action, goal")
    assert section.choices[1].isChecked() and section.rows == []
    with qtbot.assertNotEmitted(inspector.attention_pointed):
        QTest.mouseMove(section.lines[0], over(section.lines[0], 1))  # not of the stream that is shown
    inspector.set_step(StepDetails(3, "tap 1, 2", runs=(replace(CARD, why="wrong"),)))
    assert section_of(inspector) is not section and section_of(inspector).stream == ACTION, "holds on the next step"
    inspector.set_step(StepDetails(4, "tap 1, 2", runs=(replace(CARD, attention=(GROUNDING,)),)))
    assert section_of(inspector).stream == GROUNDING and section_of(inspector).choices == []
    assert "Grounding, instruction" in {label.text() for label in section_of(inspector).findChildren(QLabel)}


def test_what_is_pointed_at_elsewhere_stands_out_here(inspector: StepInspector, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(inspector.attention_pointed):
        inspector.light_attention(1, AttentionPointer(element=1))
        assert lit(section_of(inspector)) == (set(), set()), "another run's"
        inspector.light_attention(0, AttentionPointer(element=1))
    assert lit(section_of(inspector)) == ({1, 2}, {1})


def test_a_card_keeps_its_parts_where_they_were(qtbot: QtBot, themed: object) -> None:
    """Attention comes last: nothing above it moves."""
    both = []
    for card in (CARD, replace(CARD, attention=())):
        view = RunCardView(card)
        qtbot.addWidget(view)
        view.resize(320, view.heightForWidth(320) if view.hasHeightForWidth() else view.sizeHint().height())
        view.show()
        qtbot.waitExposed(view)
        both.append(view)
    with_attention, without = both
    assert without.attention is None and with_attention.raw_link is not None and without.raw_link is not None
    assert with_attention.raw_link.y() == without.raw_link.y()
    assert with_attention.attention is not None and with_attention.attention.y() > with_attention.raw_link.y()


def test_a_narrow_card_with_large_text_shows_every_line_of_words(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, theme.Theme.dark(), 170)
    try:
        inspector = StepInspector()
        qtbot.addWidget(inspector)
        inspector.resize(300, 900)
        inspector.show()
        qtbot.waitExposed(inspector)
        text = "Use the plain Wi-Fi, the other one does not reach the attic"
        long = replace(ACTION, name="a stream with a long name", text=text, words=(AttentionWord(0, 3, 1.0),))
        inspector.set_step(StepDetails(2, "tap 5, 6", runs=(replace(CARD, attention=(GROUNDING, long)),)))
        section = section_of(inspector)
        line = section.lines[1]
        qtbot.waitUntil(lambda: line.height() == line.heightForWidth(line.width()) > 3 * line.fontMetrics().height())
        page = inspector.step_page._page
        assert page.widget().width() <= page.viewport().width()
        shown = section.choices[1].text()
        assert shown.endswith("…") and section.choices[1].toolTip().startswith("A stream with a long name, goal")
    finally:
        qapp.setStyleSheet("")
        apply_text_size(qapp, 100)


def test_the_ground_is_the_denser_the_heavier_and_words_on_it_stay_readable(qtbot: QtBot, themed: object) -> None:
    line = AttendedWords("words", "aaaa bbbb cccc", [AttentionWord(0, 4, 1.0), AttentionWord(5, 9, 0.5)], 0)
    qtbot.addWidget(line)
    line.resize(300, line.heightForWidth(300))
    line.setAutoFillBackground(True)
    line.show()
    qtbot.waitExposed(line)

    def colour_at(x: float, y: float) -> QColor:
        palette = line.palette()
        palette.setColor(line.backgroundRole(), QColor(theme.current().raised))
        line.setPalette(palette)
        return line.grab().toImage().pixelColor(round(x), round(y))

    beside = [QPointF(place.left() - 1, place.center().y()) for place in map(line.place_of, (0, 1))]
    heavy, light, plain = (colour_at(place.x(), place.y()) for place in (*beside, QPointF(290, beside[0].y())))
    assert heavy.red() > light.red() > plain.red(), "run A is amber"
    try:
        for colours in (theme.Theme.dark(), theme.Theme.light(), theme.Theme.high_contrast()):
            theme.set_current(colours)
            densest = colour_at(beside[0].x(), beside[0].y()).name()
            assert densest != colours.raised.lower() and theme.contrast(densest, colours.text) >= theme.READABLE
    finally:
        theme.set_current(theme.Theme.dark())


def test_a_text_wraps_between_words_and_a_long_one_is_cut(qtbot: QtBot, themed: object) -> None:
    line = AttendedWords("words", "one (two), three", [AttentionWord(5, 8, 1.0), AttentionWord(11, 16, 0.5)], 0)
    qtbot.addWidget(line)
    assert [[piece.text for piece in group] for group in line._groups] == [["one"], ["(", "two", "),"], ["three"]]
    assert line.heightForWidth(60) > line.heightForWidth(400)
    far = MOST_LETTERS + 5
    cut = AttendedWords("words", "a " * far, [AttentionWord(0, 1, 1.0), AttentionWord(2 * far - 2, 2 * far - 1, 1)], 0)
    qtbot.addWidget(cut)
    assert len(cut._words) == 1 and len(cut._groups) <= MOST_LETTERS
    empty = AttendedWords("words", "", [], 0)
    qtbot.addWidget(empty)
    assert empty.focusPolicy() is Qt.FocusPolicy.NoFocus
