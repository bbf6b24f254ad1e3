"""Element affordance in the window: from the menu to the results and the letters on the screen."""

from __future__ import annotations

import os

from PySide6.QtCore import QPointF

from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import AffordanceMark
from stepscope.core.domain.prediction import Task
from stepscope.widgets.results.metrics_item_model import MetricRole
from tests.app.gui.conftest import OpenWindow

EPISODE = "settings-larch-house"


def test_from_the_menu_to_the_letters_on_the_screen(open_window: OpenWindow) -> None:
    person = open_window(fresh=True)
    person.until(lambda: bool(person.bench.library.ids), "the sample")
    person.choose("evaluate.affordance")
    form = person.window.evaluate
    offered = {form.fields.model.itemData(n) for n in range(form.fields.model.count())}
    assert {"class-prior", "tap-everything"} <= offered and "text-match" not in offered
    before = set(person.bench.results.run_ids)
    person.bench.evaluate.show_form(Task.AFFORDANCE, model="class-prior")
    assert "evaluate affordance" in form.command()
    form.run()
    person.done(before)

    assert person.bench.results.current.spec.task is Task.AFFORDANCE
    model = person.window.results.metrics
    shown = {model.index(n, 0).data(MetricRole).title for n in range(model.rowCount())}
    assert {"Macro F1", "Macro AP", "Tap precision", "Long press recall", "Screen accuracy", "Done recall"} <= shown

    person.choose("workspace.replay")
    person.bench.viewer.open_step(EPISODE, 0)
    person.until(lambda: person.place == (EPISODE, 0), EPISODE)
    person.settle()
    found = [mark for mark in person.screen.content.marks if isinstance(mark, AffordanceMark)]
    assert found and all(mark.kinds for mark in found)
    assert person.window.replay.layers.chip(Layer.AFFORDANCE) is not None
    (card,) = person.window.inspector.step_page.cards
    assert [name for name, _ in card.shown.facts] == ["Allowed", "UI tree"]
    mark = min(found, key=lambda one: one.box.area)
    at = person.screen.viewport.to_view(mark.box.centre)
    assert f"A: {mark.text}" in person.screen.tip_at(QPointF(*at)).splitlines() and "the tree says" in mark.text
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.resize(1600, 1000)
        for theme in ("dark", "light"):
            person.bench.context.prefer(theme=theme)
            person.settle()
            person.window.grab().save(f"{folder}/affordance-{theme}.png")
    person.choose("layer.affordance")
    assert not any(isinstance(mark, AffordanceMark) for mark in person.screen.content.marks)
    person.choose("layer.affordance")
    assert any(isinstance(mark, AffordanceMark) for mark in person.screen.content.marks)
