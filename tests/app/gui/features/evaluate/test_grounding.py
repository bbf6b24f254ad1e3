"""Grounding in the window: from the menu to the results and the marks on the screen."""

from __future__ import annotations

import os
from pathlib import Path

from stepscope.core.domain.prediction import Task
from stepscope.core.store import queries
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.results.metrics_item_model import MetricRole
from tests.app.cli.test_grounding import spots  # noqa: F401 - a fixture
from tests.app.gui.conftest import OpenWindow


def test_from_the_menu_to_the_mark_on_the_screen(open_window: OpenWindow, spots: Path) -> None:  # noqa: F811
    person = open_window(spots)
    person.choose("evaluate.grounding")
    form = person.window.evaluate
    offered = [form.fields.model.itemData(n) for n in range(form.fields.model.count())]
    assert {"text-match", "random", "two-tower"} <= {*offered} and "always-feasible" not in offered
    before = set(person.bench.results.run_ids)
    person.bench.evaluate.show_form(Task.GROUNDING, model="noisy-copy")
    assert "evaluate grounding" in form.command()
    form.run()
    run = person.done(before)

    assert person.bench.results.current.spec.task is Task.GROUNDING
    model = person.window.results.metrics
    shown = {model.index(n, 0).data(MetricRole).title for n in range(model.rowCount())}
    assert {"Micro accuracy", "Macro accuracy", "Text accuracy", "Icon accuracy", "Refusal accuracy"} <= shown
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.resize(1600, 1000)
        person.settle()
        person.window.grab().save(f"{folder}/grounding-results.png")
    person.choose("workspace.replay")
    person.settle()
    with person.bench.context.database.reading() as db:
        items = {outcome.key.episode: outcome for outcome in queries.items(db, run).rows}
    for name, outcome in items.items():
        person.bench.viewer.open_step(name, 0)
        person.until(lambda name=name: person.place == (name, 0), name)
        person.settle()
        (card,) = person.window.inspector.step_page.cards
        assert card.shown.why == outcome.score.why, "it goes by what grounding says"
        assert (card.shown.verdict is ShownVerdict.HIT) == outcome.score.right
    if folder := os.environ.get("STEPSCOPE_PICTURES"):
        person.window.grab().save(f"{folder}/grounding-replay.png")
