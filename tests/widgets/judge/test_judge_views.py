"""The views of Judge as a person meets them: figures in little room, questions, the strip and the large screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from stepscope.widgets.judge.agreement_page import AgreementPage
from stepscope.widgets.judge.answer_rows import JudgeQuestionRow
from stepscope.widgets.judge.judge_side import JudgeSide
from stepscope.widgets.judge.judge_values import AgreementShown, JudgedPair, QuestionWords
from stepscope.widgets.judge.trajectory import StripStep, TrajectoryView
from stepscope.widgets.scores.figure_grid import FigureGrid
from stepscope.widgets.scores.figure_values import FigureCell, FigureTable

WORDS = tuple(QuestionWords(f"Is it {letter}?", "What it means") for letter in "ABCD")
TABLE = FigureTable(
    "Agreement", ("Judges", "Fulfilled", "Satisfies", "Verdict"),
    ((FigureCell("somebody, somebody else"), *(FigureCell("0.50", "tip", below="n 20") for _ in range(3))),),
)  # fmt: skip


def test_names_stand_above_their_figures_where_there_is_little_room(qtbot) -> None:
    grid = FigureGrid("Agreement")
    qtbot.addWidget(grid)
    grid.resize(600, 200)
    grid.show()
    grid.set_table(TABLE)

    def top(words: str) -> int:
        there = [one for one in grid.findChildren(QLabel) if one.text() == words and one.isVisible()]
        return there[0].mapTo(grid, QPoint()).y() if there else -1

    qtbot.waitUntil(lambda: 0 < top("0.50") <= top("somebody, somebody else") <= top("n 20"))
    grid.resize(240, 200)
    qtbot.waitUntil(lambda: top("0.50") > top("somebody, somebody else"))


def test_intervals_of_two_lines_need_no_more_room_than_one_and_break_where_there_is_little(qtbot, themed) -> None:
    """A name stands in the line of its figures where it has room; in a small window nothing is wider than the page."""
    cells = tuple(FigureCell("1.000", below="0.439 – 1.000\nn 3, few") for _ in range(5))
    columns = ("Judge", "1 fulfilled", "2 fulfilled", "Match", "Partial match", "Non match")
    page = AgreementPage()
    qtbot.addWidget(page)
    page.resize(860, 500)
    page.show()
    table = FigureTable("How they compare", columns, ((FigureCell("People together"), *cells),))
    page.show_agreement(AgreementShown(table, (table,), sample=True, note="Text 1 is the reference."))

    def place(words: str) -> QRect:
        found = [one for one in page.grids[0].findChildren(QLabel) if one.text() == words and one.isVisible()]
        return QRect(found[0].mapTo(page.grids[0], QPoint()), found[0].size()) if found else QRect()

    qtbot.waitUntil(lambda: page.grids[0].width() > 800 and place("People together").isValid())
    qtbot.waitUntil(lambda: abs(place("People together").center().y() - place("1.000").center().y()) <= 2)
    page.resize(440, 500)
    qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width())
    qtbot.waitUntil(lambda: place("Partial\nmatch").isValid())
    qtbot.waitUntil(lambda: place("People together").bottom() <= place("1.000").top() + 1)
    assert place("Partial\nmatch").right() < page.viewport().width()


def test_an_answer_that_holds_is_taken_back_by_the_same_click(qtbot) -> None:
    row = JudgeQuestionRow(0)
    qtbot.addWidget(row)
    row.show()
    said = []
    row.answered.connect(said.append)
    row.show_question(WORDS[0], None, chosen=True, enabled=True)
    QTest.mouseClick(row.no, Qt.MouseButton.LeftButton)
    row.show_question(WORDS[0], False, chosen=True, enabled=True)
    QTest.keyClick(row.no, Qt.Key.Key_Space)
    assert said == [False, None] and row.no.accessibleName() == "Is it A? No"


def test_what_is_bad_data_can_be_answered_no_more(qtbot) -> None:
    side = JudgeSide()
    qtbot.addWidget(side)
    side.resize(380, 900)
    side.show()
    side.show_pair(JudgedPair("left", "right", WORDS, rejected="a screen is broken", done=True))
    assert not any(row.yes.isEnabled() for row in side.answers.questions)
    assert side.answers.take_back.isVisible() and side.answers.on.isEnabled()
    side.show_pair(JudgedPair("left", "right", WORDS))
    assert side.answers.questions[0].is_chosen() and not side.answers.on.isEnabled()
    assert side.answers.others_words() == "" and not side.answers.take_back.isVisible()


@pytest.mark.parametrize(("width", "height"), [(40, 80), (80, 40)])
def test_the_strip_follows_the_shape_of_the_screens_and_the_large_one_can_be_zoomed(qtbot, width, height) -> None:
    view = TrajectoryView()
    qtbot.addWidget(view)
    view.resize(900, 800)
    view.show()
    view.set_steps([StripStep(1, "Tap “Search”"), StripStep(2, "")])
    image = QImage(width, height, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.red)
    view.thumbs.set_picture(0, image)
    thumb = view.thumbs.thumb()
    assert (thumb.height() > thumb.width()) == (height > width)
    chosen = []
    view.step_chosen.connect(chosen.append)
    QTest.mouseClick(view.thumbs, Qt.MouseButton.LeftButton, pos=view.thumbs.tile(0, 1).center().toPoint())
    view.set_current(1)
    QTest.mouseClick(view.back, Qt.MouseButton.LeftButton)
    assert chosen == [1, 0] and view.place_words() == "Step 2 of 2" and not view.on.isEnabled()
    view.set_screen(image)
    assert view.picture.transform().m11() == 1.0, "never above its own size"
    view.picture.zoom(2.0)
    assert view.picture.transform().m11() == 2.0
    view.picture.fit()
    assert view.picture.transform().m11() == 1.0
