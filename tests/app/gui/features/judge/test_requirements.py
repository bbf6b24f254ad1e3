"""The requirements below a model's reasons: hidden until the pair is finished, then each leads to its steps."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from stepscope.app.gui.features.judge.trajectory_controller import DrawnScreen, outlines_on
from stepscope.app.services import judging
from stepscope.core.domain.action import PressKey, Tap, Target, Type
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.judgement import JudgeId, Judgement, PairAnswers, side_seed
from stepscope.widgets.judge.screen_outlines import ScreenOutline
from tests.app.gui.conftest import SEARCH, at, box, write_episode
from tests.app.gui.features.judge.test_judge import NOON, pair, stored_run

COUNT = box(20, 160, 90, 190)
ACTIONS = [
    Tap(at(54, 120), Target(SEARCH, "Search")),
    Type("red lamp", target=Target(SEARCH, "Search")),
    Type("3", target=Target(COUNT, "Pieces")),
    PressKey("back"),
    None,
]
DETAIL = {
    "questions": [
        {
            "question": "first_fulfilled",
            "why": "The lamp is looked for.",
            "requirements": [{"text": "act: find", "met": True}, {"text": "lamp", "met": True}],
        },
        {
            "question": "second_fulfilled",
            "requirements": [{"text": "two red lamps", "met": False}, {"text": "with a warm light", "met": False}],
        },
    ]
}


@pytest.fixture
def judged_lamp(open_window, own_shop: Path):
    """Ben, in front of the lamp, of which a model has listed requirements."""
    shutil.rmtree(own_shop / "1")
    write_episode(own_shop / "1", "lamp", "Buy a lamp", ACTIONS, app="org.example.shop")
    person = open_window(own_shop)
    person.bench.context.prefer(annotator="ben")
    run = stored_run(person)
    one = pair(person, run, "lamp")
    answers = PairAnswers(True, False, False, False)
    said = Judgement(one, JudgeId("lab", True), answers, NOON, detail=json.dumps(DETAIL))
    judging.make(person.bench.context.database, judging.JudgingChange(after=(said,)))
    person.press("Ctrl+5")
    person.settle()
    person.is_swapped = side_seed(one.key, "ben") % 2 == 1
    return person


def test_a_requirement_leads_to_its_step_and_outlines_the_element(judged_lamp) -> None:
    person = judged_lamp
    listed, picture = person.window.judged.answers.requirements, person.window.judge.trajectory.picture
    for _ in range(3):
        person.choose("judge.yes")
    person.settle()
    assert listed.words() == [], "judging is blind"
    person.choose("judge.yes")
    person.until(lambda: listed.buttons, "the requirements")
    first, second = ("B", "A") if person.is_swapped else ("A", "B")
    title = "What {} asks for, as lab took it apart"
    assert sorted(listed.words()) == sorted(
        [
            f"{title.format(first)}: act: find: Supported at steps 1, 2: touched “Search”",
            f"{title.format(first)}: lamp: Supported at step 2: typed “red lamp”",
            f"{title.format(second)}: two red lamps: Contradicted at step 3: typed “3”",
            f"{title.format(second)}: with a warm light: No step shows it",
        ]
    )
    buttons = {one.shown.text: one for one in listed.buttons}
    assert not buttons["with a warm light"].isEnabled()
    buttons["two red lamps"].click()
    person.until(lambda: person.place == ("lamp", 2), "the step")
    person.until(picture.outlines, "the outline")
    (outline,) = picture.outlines()
    assert (outline.left, outline.top, outline.right, outline.bottom) == (20, 160, 90, 190) and not outline.supports
    _save(person, "requirement-contradicted")
    buttons["act: find"].click()
    person.until(lambda: person.place == ("lamp", 0) and picture.outlines(), "the first step")
    assert picture.outlines()[0].supports and buttons["act: find"].isChecked()
    _save(person, "requirement-supported")
    buttons["act: find"].click()
    person.until(lambda: person.place == ("lamp", 1), "the next step of the same")
    person.press("Ctrl+Z")
    person.until(lambda: not listed.buttons, "open again, so hidden")
    person.until(lambda: not picture.outlines(), "no outline either")


def test_another_pair_has_other_requirements(judged_lamp) -> None:
    person = judged_lamp
    listed = person.window.judged.answers.requirements
    for _ in range(4):
        person.choose("judge.yes")
    person.until(lambda: listed.buttons, "the requirements")
    person.press("Return")
    person.settle()
    assert person.window.judge.title() == "Pair 2 of 3" and listed.words() == [] and not listed.isVisible()


def test_on_a_long_page_that_is_cut_the_outline_stands_where_the_element_is() -> None:
    """The page is shown from row 3720 on, at twice the size that the tree has: 2 · 2000 - 3720 = 280."""
    drawn = DrawnScreen(QImage(600, 600, QImage.Format.Format_RGB888), Size(600, 5000), 3720)
    small = Size(300, 2500)
    inside, above = Box(50, 2000, 100, 2020, small), Box(50, 10, 100, 20, small)
    edge = Box(250, 2150, 320, 2200, small)
    assert outlines_on(drawn, [(inside, True), (above, True), (edge, False)]) == [
        ScreenOutline(100, 280, 200, 320, supports=True),
        ScreenOutline(500, 580, 600, 600, supports=False),
    ]


def _save(person, name: str) -> None:
    folder = os.environ.get("STEPSCOPE_PICTURES")
    if not folder:
        return
    person.window.resize(1600, 1000)
    for theme in ("dark", "light"):
        person.bench.appearance.set_theme(theme)
        person.settle()
        person.window.judged._scrolled.ensureWidgetVisible(person.window.judged.answers.requirements)
        person.settle()
        person.window.grab().save(f"{folder}/{name}-{theme}.png")
