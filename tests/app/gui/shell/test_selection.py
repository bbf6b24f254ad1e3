"""The shared selection and the history of places."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.selection import OpenSource, Selection
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.scoring.named_rules import RULES, rule_by_id
from stepscope.core.sources.source import Source


def episode(steps: int) -> Episode:
    seen = Observation(Size(100, 200))
    return Episode("e", "test", Platform.ANDROID, "do it", tuple(Step(i, seen) for i in range(steps)))


def test_steps_stay_inside_the_episode(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    selection.set_episode(episode(3), step=9)
    assert selection.step_index == 2
    selection.set_step(-5)
    assert selection.step_index == 0
    changes: list[int] = []
    selection.step_changed.connect(lambda: changes.append(selection.step_index))
    selection.set_step(0)
    selection.set_step(1)
    assert changes == [1]


def test_an_episode_without_steps_has_no_step(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    selection.set_episode(episode(0))
    selection.set_step(1)
    assert selection.step is None


def data(path: str) -> OpenSource:
    """Open data of which nothing but its place matters here."""
    source = cast("Source", SimpleNamespace(path=Path(path)))
    return OpenSource(1, source, path, 1, 0, 0)


def test_letters_stay_and_a_ninth_run_is_refused(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    wanting: list[bool] = []
    selection.letters_wanting.connect(lambda: wanting.append(True))
    for number in range(9):
        selection.toggle_run(f"run{number}")
    assert list(selection.runs) == [f"run{number}" for number in range(8)] and wanting == [True]
    selection.toggle_run("run0")
    assert (selection.letter_of("run0"), selection.letter_of("run1")) == ("", "B")
    selection.toggle_run("run8")
    assert (selection.letter_of("run8"), selection.letter_of("run1")) == ("A", "B")


def test_runs_are_shown_over_their_own_data(qtbot: QtBot) -> None:
    selection = Selection(RULES[0])
    seen: list[dict[str, int]] = []
    selection.runs_changed.connect(lambda: seen.append(dict(selection.runs)))
    selection.set_source(data("/shop"))
    selection.show_run("a")
    selection.show_run("b", "/bank")
    selection.show_run("c")
    assert dict(selection.runs) == {"a": 0, "c": 1} and selection.runs_on("/bank") == {"b": 0}
    selection.set_source(data("/bank"))
    assert dict(selection.runs) == {"b": 0} and selection.letter_of("a") == ""
    selection.set_source(data("/elsewhere"))
    selection.set_source(data("/shop"))
    assert selection.letter_of("c") == "B"
    assert seen == [{"a": 0}, {"a": 0, "c": 1}, {"b": 0}, {}, {"a": 0, "c": 1}], "told only where it is another"
    selection.keep_runs({"b": None, "c": None})
    assert dict(selection.runs) == {"c": 1}


def test_letters_of_all_data_are_kept_for_the_next_start(qtbot: QtBot) -> None:
    before, after = Selection(RULES[0]), Selection(RULES[0])
    before.set_source(data("/shop"))
    for run in "abc":
        before.show_run(run)
    before.hide_run("b")
    before.show_run("d", "/bank#procedures")
    after.set_source(data("/shop"))
    after.restore_letters(json.loads(json.dumps(before.letters_state())))
    assert dict(after.runs) == {"a": 0, "c": 2} and after.runs_on("/bank") == {"d": 0}
    after.show_run("b")
    assert after.letter_of("b") == "B"


def test_an_unknown_rule_becomes_the_first_one() -> None:
    assert rule_by_id("no such rule") is RULES[0]
    assert [rule_by_id(rule.id) for rule in RULES] == list(RULES)
