"""Attention from a stored prediction's raw output to the painted screen and the card, by command, pointer and keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import AttentionHeat, AttentionMark
from tests.app.gui.conftest import at, shade_of

SIZE = Size(108, 240)
GOAL = "Buy a lamp"
WEST = {
    "stream": "action", "text": "goal", "words": [[0, 3, 0.25], [6, 10, 0.75]],
    "cells": [[0, 0, 0.5, 1, 0.8], [0.5, 0, 1, 1, 0]],
}  # fmt: skip
EAST = WEST | {"stream": "grounding", "cells": [[0, 0, 0.5, 1, 0], [0.5, 0, 1, 1, 0.1]]}
ELEMENTS = {
    "text": GOAL,
    "elements": [
        {"words": "Lamps", "p": 0.75, "like": {"lamp": 0.9}, "box": [0, 0.5, 0.5, 1]},
        {"words": "Buy now", "p": 0.25, "like": {"buy": 1.0}, "box": [0.5, 0, 1, 0.5]},
    ],
}
BOXES = [Box(0, 120, 54, 240, SIZE), Box(54, 0, 108, 120, SIZE)]


def tap(step: int, raw: object) -> dict[str, object]:
    return {"episode": "lamp", "step": step, "action": {"kind": "tap", "point": [54, 120]}, "raw": json.dumps(raw)}


@pytest.fixture
def looking(person, tmp_path: Path):
    """A person at the first step of `lamp`, where a run's answers tell where its model looked: in two streams on
    steps 0 and 1, as Seq2Act does on step 2, not at all on step 3."""
    lines = [{"run": {"model": "elsewhere"}}, *(tap(step, {"attention": [WEST, EAST]}) for step in (0, 1)),
             tap(2, ELEMENTS), tap(3, {"attention": "none"})]  # fmt: skip
    file = tmp_path / "looks.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    person.score(file)
    person.choose("workspace.replay")
    person.bench.viewer.open_step("lamp", 0)
    person.arrive("lamp", 0)
    return person


def marks(person, kind: type) -> list:
    return [mark for mark in person.screen.content.marks if isinstance(mark, kind)]


def colour_at(person, x: float, y: float) -> tuple[int, int, int]:
    image = person.screen.grab().toImage()
    left, top = person.screen.viewport.to_view(at(x, y))
    colour = image.pixelColor(round(left * image.devicePixelRatio()), round(top * image.devicePixelRatio()))
    return colour.red(), colour.green(), colour.blue()


def section(person):
    return person.window.inspector.step_page.cards[0].attention


def test_from_the_command_to_the_screen(looking) -> None:
    person, grey = looking, (shade_of(0),) * 3
    bar = person.window.replay.layers
    assert bar.chip(Layer.ATTENTION) is not None, "there is something to show"
    assert marks(person, AttentionHeat) == [] and section(person) is None
    person.choose("layer.attention")
    person.settle()
    assert person.bench.commands.actions["layer.attention"].isChecked() and "attention" in person.layers()
    assert colour_at(person, 10, 20) == pytest.approx(
        [part + 0.65 * (other - part) for part, other in zip(grey, (255, 176, 32), strict=True)], abs=4
    )
    assert colour_at(person, 98, 20) == grey
    assert [line.accessibleName() for line in section(person).lines] == [
        "Action, goal: words",
        "Grounding, goal: words",
    ]

    person.press("Ctrl+Shift+E")
    person.settle()
    assert colour_at(person, 10, 20) == grey != colour_at(person, 98, 20), "the next stream, as its card says"
    assert section(person).choices[1].isChecked()
    person.press("Right")
    person.arrive("lamp", 1)
    assert section(person).stream.title == "grounding, goal", "the choice holds from step to step"
    person.click(section(person).choices[0])
    person.settle()
    assert marks(person, AttentionHeat)[0].cells[0].weight == 0.8
    bar.choice_changed.emit(Layer.ATTENTION, "grounding, goal")
    person.settle()
    assert marks(person, AttentionHeat)[0].cells[1].weight == 0.1 and section(person).choices[1].isChecked()

    person.bench.viewer.open_step("lamp", 3)
    person.arrive("lamp", 3)
    assert section(person) is None and not marks(person, AttentionHeat), "nothing is told of this step"
    person.press("Left")
    person.arrive("lamp", 2)
    person.press("2")  # run A off
    assert marks(person, AttentionMark) == []
    person.press("2")
    assert [mark.box for mark in marks(person, AttentionMark)] == BOXES
    person.press("Shift+E")
    person.settle()
    assert marks(person, AttentionMark) == [] and section(person) is None


def test_words_light_elements_and_elements_words(looking) -> None:
    person = looking
    person.press("Shift+E")
    person.bench.viewer.open_step("lamp", 2)
    person.arrive("lamp", 2)
    first, second = marks(person, AttentionMark)
    assert [first.box, second.box] == BOXES and (first.strength, second.strength) == (1.0, pytest.approx(1 / 3))
    assert (first.lit, second.lit) == (False, False)
    (line,) = section(person).lines
    QTest.mouseMove(line, line.place_of(0).center().toPoint())  # Buy
    assert [mark.lit for mark in marks(person, AttentionMark)] == [False, True]
    QApplication.sendEvent(line, QEvent(QEvent.Type.Leave))
    assert [mark.lit for mark in marks(person, AttentionMark)] == [False, False]

    person.screen.hovered.emit(at(20, 200))  # on Lamps
    assert line.lit == {1} and [row.is_lit for row in section(person).rows] == [True, False]
    assert [mark.lit for mark in marks(person, AttentionMark)] == [True, False]
    person.screen.hovered.emit(at(20, 20))
    assert line.lit == frozenset() and not any(mark.lit for mark in marks(person, AttentionMark))
    person.screen.hovered.emit(at(90, 20))
    assert line.lit == {0}
    person.screen.hovered.emit(None)
    assert line.lit == frozenset()
    section(person).rows[1].setFocus()
    assert [mark.lit for mark in marks(person, AttentionMark)] == [False, True]
    person.press("J")
    person.arrive("lamp", 3)
    person.press("K")
    person.arrive("lamp", 2)
    assert not any(mark.lit for mark in marks(person, AttentionMark)), "nothing is pointed at on a step that comes"


def test_without_attention_there_is_no_chip_and_no_stream(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    person.settle()
    assert person.window.replay.layers.chip(Layer.ATTENTION) is None
    person.press("Ctrl+Shift+E")
    person.press("Shift+E")
    person.settle()
    assert marks(person, AttentionHeat) == marks(person, AttentionMark) == [] and person.alive()
