"""The screen that an episode ends on, asked about from the form and seen in Replay."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QComboBox

from stepscope.core.scoring.named_rules import RULES
from stepscope.core.store import queries
from tests.app.cli.test_last_screens import data  # noqa: F401 - a fixture
from tests.app.gui.conftest import OpenWindow


def test_an_end_that_the_rule_adds_is_seen_where_it_was_asked(open_window: OpenWindow, data: Path) -> None:  # noqa: F811
    person = open_window(data)
    before = set(person.bench.results.run_ids)
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model="reference", protocol="android_control")
    fields = {one.option.name: one.widget for one in person.window.evaluate.fields.options}
    for name, value in (("rule", "agentcpm"), ("last_screen", "finish")):
        field = fields[name]
        assert isinstance(field, QComboBox)
        field.setCurrentText(value)
    person.window.evaluate.run()
    run = person.done(before)
    with person.bench.context.database.reading() as db:
        rows = queries.items(db, run, limit=None).rows
    assert len(rows) == 8 and all(row.score.right for row in rows)
    person.selection.show_run(run)
    person.bench.results.open_item("open", 2)
    person.arrive("open", 2)
    assert person.selection.step.action is None, "the data are as they were"
    strip = person.window.timeline.strip
    verdicts = {}
    for rule in RULES:
        person.selection.set_rule(rule)
        person.settle()
        verdicts[rule.id] = strip.accessibleName().rpartition("Run A ")[2]
    know_no_end = {"qwen_vl", "infigui_r1", "ui_s1", "gui_r1", "mind2web"}
    assert verdicts == {rule.id: "unscored" if rule.id in know_no_end else "hit" for rule in RULES}
