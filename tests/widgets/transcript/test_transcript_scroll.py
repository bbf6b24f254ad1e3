"""The scroll of a transcript by keys and mouse: what is laid out, what is open, what is marked, what is copied."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.transcript.block_layout import lay_out
from stepscope.widgets.transcript.scroll import TranscriptScroll
from stepscope.widgets.transcript.transcript_values import (
    BlockAttempt,
    BlockPart,
    BlockPicture,
    PartKind,
    TranscriptBlock,
    text_hits,
)

SYSTEM = "You act on a phone. " * 40
ALL = frozenset(PartKind)


def block(number: int, raw: str = "tap(5, 6)") -> TranscriptBlock:
    parts = (
        BlockPart(PartKind.PROMPT, "Prompt", SYSTEM, "800 letters", "system · 800 letters, the same in every step"),
        BlockPart(PartKind.PROMPT, "", f"Goal: buy a lamp. Step {number}."),
        BlockPart(PartKind.RAW, "Raw output", raw),
        BlockPart(PartKind.PARSED, "Parsed action", "tap 5, 6", "hit"),
    )
    pictures = (BlockPicture("ab" * 32, (540, 1200), ("540 × 1200 sent",)),)
    return TranscriptBlock(
        number, number, str(number + 1), "Tap", "Search", ShownVerdict.HIT, tokens="3,870 + 58", time="1.6 s",
        parts=parts, pictures=pictures, attempts=(BlockAttempt("Attempt 1  1.6 s in all", False),),
        request='{"model": "m"}', raw=raw,
    )  # fmt: skip


@pytest.fixture
def scroll(qtbot) -> TranscriptScroll:
    made = TranscriptScroll()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


def test_of_thousands_of_blocks_only_the_open_one_is_laid_out(scroll) -> None:
    scroll.set_blocks([block(number) for number in range(5000)], anew=True)
    scroll.set_current(0)
    assert scroll.laid_out == 1
    bar = scroll.verticalScrollBar()
    assert bar.maximum() > 5000 * 30
    for place in range(50):
        bar.setValue(bar.maximum() * place // 49)
        scroll.viewport().repaint()
    assert scroll.laid_out == 1, "scrolling lays nothing out"
    scroll.set_current(4999)
    assert scroll.laid_out == 2 and scroll.open_blocks == {4999} and scroll.at_end()


def test_an_attempt_is_told_whole_where_the_line_has_room_for_it(qtbot, themed) -> None:
    told = BlockAttempt("Attempt 1  busy (503) after 0.3 s, waited 1.0 s", True)
    one = replace(block(0), attempts=(told, BlockAttempt("Attempt 2  2.0 s in all", False)))
    needed = QFontMetricsF(derived(QApplication.font(), 12)).horizontalAdvance(told.words)
    for width in (needed + 120, needed + 400, needed + 900):
        placed = lay_out(one, QApplication.font(), width, ALL, ())
        assert placed.attempts[0][1].width() >= needed + 20
        boxes = [box for _number, box in placed.attempts] + [link.place for link in placed.links]
        assert not any(a.intersects(b) for a, b in itertools.combinations(boxes, 2))
        assert all(box.right() <= width and box.bottom() <= placed.height for box in boxes)


def test_keys_move_fold_and_copy(scroll) -> None:
    scroll.set_blocks([block(number) for number in range(5)], anew=True)
    scroll.set_current(1)
    chosen: list[int] = []
    scroll.step_chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(scroll, key)
    assert chosen == [2, 1] and scroll.open_blocks == {1}, "the block that opened itself is folded when it is left"
    QTest.keyClick(scroll, Qt.Key.Key_Left)
    assert scroll.open_blocks == set()
    QTest.keyClick(scroll, Qt.Key.Key_Right)
    QTest.keyClick(scroll, Qt.Key.Key_Down)
    assert scroll.open_blocks == {1, 2}, "what the person has unfolded stays"
    QTest.keyClick(scroll, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "tap(5, 6)"
    wanted = []
    scroll.follow_requested.connect(lambda: wanted.append(True))
    QTest.keyClick(scroll, Qt.Key.Key_End)
    assert wanted == [True]


def test_a_press_on_a_head_chooses_and_on_the_words_copies(scroll) -> None:
    scroll.set_blocks([block(number) for number in range(3)], anew=True)
    QTest.mouseClick(scroll.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 12))
    assert scroll.current == 0 and scroll.open_blocks == {0}
    layout = scroll._layout(0)
    request = next(link for link in layout.links if link.name == "request").place.center().toPoint()
    scroll.set_open(0, True)
    bar = scroll.verticalScrollBar()
    bar.setValue(max(0, request.y() - 200))
    QTest.mouseClick(scroll.viewport(), Qt.MouseButton.LeftButton, pos=request - QPoint(0, bar.value()))
    assert QGuiApplication.clipboard().text() == '{"model": "m"}'
    menu = scroll.menu_for(0)
    prompt = menu.actions()[0]
    prompt.trigger()
    assert QGuiApplication.clipboard().text().endswith("Goal: buy a lamp. Step 0.")
    menu.deleteLater()


def test_a_hit_in_a_folded_place_is_unfolded_and_marked_in_the_scroll_bar(scroll) -> None:
    blocks = tuple(block(number, "x\n" * 400 + "needle") if number == 30 else block(number) for number in range(60))
    scroll.set_blocks(blocks, anew=True)
    hits = text_hits(blocks, "NEEDLE", ALL)
    assert [(hit.block, hit.part, hit.start, hit.end) for hit in hits] == [(30, 2, 800, 806)]
    scroll.set_hits(hits, 0)
    assert 30 in scroll.open_blocks
    placed = scroll._layout(30).part_at(2)
    assert placed is not None and placed.pane is not None and placed.pane.shown == 806, "all of it is laid out"
    top = scroll._tops[30] + placed.place.top() + placed.pane.y_of(800)
    assert scroll.hits_bar.marks == (top / scroll._tops[-1],)
    assert scroll.verticalScrollBar().value() < top < scroll.verticalScrollBar().value() + 500
    system = text_hits(blocks, "phone", ALL)
    scroll.set_hits(system, 3)
    assert scroll._layout(0).part_at(0).pane is not None, "the part that is the same in every step opens too"


def test_new_answers_grow_the_scroll_and_it_stays_at_its_end(scroll) -> None:
    scroll.set_blocks([block(number) for number in range(40)], anew=True)
    scroll.to_end()
    scroll.set_blocks([block(number) for number in range(41)], anew=False)
    assert scroll.at_end()
    scroll.verticalScrollBar().setValue(100)
    scroll.set_blocks([block(number) for number in range(45)], anew=False)
    assert scroll.verticalScrollBar().value() == 100, "who has scrolled up stays where they are"


words = st.text(st.sampled_from("abAB ßẞſS"), max_size=30)


@given(words, st.text(st.sampled_from("abS"), min_size=1, max_size=3))
def test_hits_are_what_looking_letter_by_letter_finds(text: str, wanted: str) -> None:
    one = TranscriptBlock(0, 0, "1", "Tap", parts=(BlockPart(PartKind.RAW, "", text),))
    hits = text_hits((one,), wanted, ALL)
    assert all(wanted.casefold() in text[hit.start : hit.end].casefold() for hit in hits)
    assert all(a.end <= b.start for a, b in itertools.pairwise(hits))
    plain = len(text.casefold()) == len(text)
    assert len(hits) == text.casefold().count(wanted.casefold()) or (hits and not plain)
    assert text_hits((one,), wanted, frozenset({PartKind.PROMPT})) == ()
