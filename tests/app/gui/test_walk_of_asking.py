"""From a fresh start to an agent that asks, all in the window: ambiguous tasks out of the sample, three reviewed, a
tiny checkpoint fine-tuned on those that stand, evaluated beside two baselines, its rescued steps, its question answered
on the simulated phone, and table and data written.

The checkpoint learns its few tasks by heart and is measured on them: that all parts fit together is what is shown.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialog

from stepscope.app.services.live.agent_events import QuestionAsked
from stepscope.app.services.worker import predicting_worker
from stepscope.app.services.worker_child import tune_job
from stepscope.core.domain.prediction import Task
from stepscope.core.sources.recording import read_recording
from stepscope.models.checkpoints import checkpoint
from stepscope.widgets.ambiguous.export_dialog import ExportTasksDialog
from stepscope.widgets.ambiguous.make_dialog import MakeTasksDialog
from stepscope.widgets.live import OWN, SurveyAnswers
from stepscope.widgets.live.conversation import TurnKind
from stepscope.widgets.results.lanes.ask_lanes_page import KINDS_CSV, LANES_CSV, TABLE_CSV, TABLE_LATEX
from stepscope.widgets.results.lanes.lane_values import LanesGroup
from tests.app.cli.test_walk_of_asking import (
    AGENT,
    BASELINES,
    FALLS,
    GOAL,
    QUESTION,
    STANDS,
    WORDED,
    put_short_codes,
)
from tests.app.gui.conftest import OpenWindow, Person
from tests.app.gui.features.ambiguous.test_making import dialog_of, make
from tests.app.gui.features.results.test_lanes import settings, show_lanes
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.chain,
    pytest.mark.timeout(1200),
    pytest.mark.xdist_group("simulated phone"),
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]
LESS = {
    STANDS: GOAL,
    WORDED: "Keep something at the top of my messages",
    FALLS: "I just put the item on, start that timer and give it one minute more",
}
"""What the rules make of their goals."""
QUICK = {"tokens": "40", "rank": "16", "rate": "0.005", "batch": "1", "epochs": "120", "dropout": "0"}
Look = Callable[[str], None]


@pytest.fixture
def somebody(open_window: OpenWindow, loud: Path) -> Any:  # noqa: F811
    """At a window that shows the sample, with an untaught checkpoint whose questions are short."""
    put_short_codes()
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud), adapter="codes"), replaces=True)
    person = open_window(fresh=True)
    person.patience = 300.0
    person.until(lambda: person.selection.episode is not None, "the sample")
    person.bench.context.prefer(annotator="ana")
    yield person
    predicting_worker().close()


def look_of(person: Person) -> Look:
    """Keeps pictures of the window in both themes where somebody wants to look at them."""

    def look(name: str) -> None:
        folder = os.environ.get("STEPSCOPE_PICTURES")
        if folder is None:
            return
        person.window.resize(1600, 1000)
        for theme in ("light", "dark"):
            person.bench.context.prefer(theme=theme)
            person.settle()
            person.window.grab().save(f"{folder}/{name}-{theme}.png")
            for dialog in person.window.findChildren(QDialog):
                if dialog.isVisible():
                    dialog.grab().save(f"{folder}/{name}-form-{theme}.png")

    return look


def test_from_a_fresh_start_to_an_agent_that_asks(
    somebody: Person, tmp_path: Path, pick: Callable[[Path], None]
) -> None:
    look = look_of(somebody)
    written = tmp_path / "tasks"
    review_three(somebody, look)
    write_those_that_stand(somebody, written, look)
    tune(somebody, look)
    runs = {model: evaluate(somebody, model) for model in (*BASELINES, AGENT)}
    assert len(set(runs.values())) == 3
    see_rescued_steps(somebody, look)
    write_tables(somebody, tmp_path, pick)
    answer_on_the_phone(somebody, look)


def review_three(person: Person, look: Look) -> None:
    """Make tasks by rules; let one stand, word another, reject a third."""
    dialog = make(person)
    look("make")
    assert isinstance(dialog, MakeTasksDialog)
    dialog.run.click()
    person.until(lambda: person.window.workspace == "ambiguous", "Review")
    person.settle()
    person.window.activateWindow()
    person.until(person.window.isActiveWindow, "the window in front")
    for episode, keys in ((STANDS, "A"), (WORDED, "E"), (FALLS, "R")):
        choose_task(person, episode)
        look(f"review-{episode}")
        person.press(keys)
        if keys == "E":
            person.press("End")
            person.write(", please")
        if keys != "A":
            look(f"review-{keys}")
            person.press("Return")
        person.settle()
    choices = person.window.ambiguous_list.states.choices()
    assert [choices[one] for one in ("accepted", "edited", "rejected")] == [1, 1, 1]
    person.choose("ambiguous.statistics")
    person.settle()
    look("statistics")


def choose_task(person: Person, episode: str) -> None:
    tasks = person.window.ambiguous_list
    titles = [tasks.model.row_at(place).title for place in range(tasks.model.rowCount())]
    tasks.list.setCurrentIndex(tasks.model.index(titles.index(LESS[episode])))
    person.until(lambda: person.place is not None and person.place[0] == episode, episode)
    person.settle()


def write_those_that_stand(person: Person, folder: Path, look: Look) -> None:
    """As recordings, which open at once."""
    person.choose("ambiguous.export")
    dialog = dialog_of(person, ExportTasksDialog)
    dialog.path.setText(str(folder))
    look("export")
    dialog.run.click()
    person.until(lambda: person.selection.source.source.path == folder, "what was written, open")
    person.until(lambda: len(person.bench.library.ids) == 2, "two recordings")
    person.settle()
    assert read_recording(folder / STANDS).goal == GOAL


def tune(person: Person, look: Look) -> None:
    """Models ▸ Fine-Tune a Checkpoint, on full and ambiguous goals."""
    person.choose("models.train")  # the feature is built
    tuning = person.bench._training.tuning
    tuning.work = tune_job
    person.choose("models.tune")
    person.until(lambda: tuning.dialog is not None, "the form")
    dialog = tuning.dialog
    dialog.base.setCurrentIndex(2)
    dialog.mixture.setCurrentIndex(1)
    dialog.preset.setCurrentIndex(1)
    fields = {one.option.name: one for one in (*dialog.asked, *dialog.learning)}
    for name, value in QUICK.items():
        fields[name].set(value)
    dialog.name.setText("asking")
    look("tune")
    dialog.run.click()
    person.until(lambda: any(row.name.startswith("Tuning asking: move") for row in rows(person)), "its moves")
    person.until(lambda: any("local:asking#ask" in told for told in person.told), "the tuned checkpoint")
    person.settle()


def rows(person: Person) -> list[Any]:
    return list(person.bench.context.long_work.chip._rows)


def evaluate(person: Person, model: str) -> str:
    """Evaluate ▸ ASK…, Run, and wait for the results; the run's id."""
    before = set(person.bench.results.run_ids)
    person.choose("evaluate.ask")
    person.bench.evaluate.show_form(Task.ASK, model)
    person.settle()
    assert person.window.evaluate.fields.model_name() == model
    person.window.evaluate.run()
    return person.done(before)


def see_rescued_steps(person: Person, look: Look) -> None:
    page = show_lanes(person)
    look("lanes")
    table = settings(page)
    assert [float(table[name][0]) for name in ("Original", "+ dual stream")] == [1.0, 1.0]
    assert float(table["Incomplete"][0]) < 1 and table["+ dual stream"][3] == "100 %"
    assert page.filters.rows[LanesGroup.WHEN_DUE].count == 2
    assert any(row.rescued for row in page.shown_rows)


def write_tables(person: Person, folder: Path, pick: Callable[[Path], None]) -> None:
    lanes = person.window.results.lanes
    for kind, name in ((TABLE_CSV, "t.csv"), (TABLE_LATEX, "t.tex"), (LANES_CSV, "l.csv"), (KINDS_CSV, "k.csv")):
        pick(folder / name)
        lanes.export_chosen.emit(kind)
        person.until((folder / name).exists, name)
        person.settle()
    lines = list(csv.reader((folder / "t.csv").read_text("utf-8").splitlines()))
    assert len(lines) >= 5
    assert r"\begin{tabular}" in (folder / "t.tex").read_text("utf-8")


def answer_on_the_phone(person: Person, look: Look) -> None:
    """The agent asks, the person answers, and what was said is in the recording."""
    person.choose("workspace.live")
    person.choose("device.simulated")
    live, agent = person.bench.live, person.bench.live.agent
    parts = person.window.live
    person.until(lambda: parts.centre.view.frame is not None and not parts.centre.view.notice, "the phone's picture")
    task = parts.left.task
    person.until(lambda: task.agents.findData("local:asking#ask") > 0, "the agents in the list")
    task.set_goal(GOAL)
    task.set_agents(agent._choices, "local:asking#ask")
    task.set_mode(OWN)
    look("live-task")
    task.start.click()
    person.until(lambda: isinstance(agent.waiting, QuestionAsked), "its question")
    assert agent.waiting.question == QUESTION and not agent.waiting.unsure
    talk = parts.side.conversation
    look("live-question")
    talk.answer.field.setPlainText("Tea.")
    talk.answer.button.click()
    person.until(lambda: parts.side.conversation.turns.turns().turns(), "the talk")
    person.until(lambda: [t.text for t in talk.turns.turns().turns() if t.kind is TurnKind.SAY] == ["Tea."], "it")
    person.until(lambda: not agent.is_at_work or agent.waiting is not None, "what it does then")
    look("live-after")
    assert [t.text for t in talk.turns.turns().turns() if t.kind is TurnKind.ASK][:1] == [QUESTION]
    agent.stop()
    label = parts.left.label
    person.until(lambda: not live.recording.is_running and label.save.isEnabled(), "the survey")
    folders: list[Path] = []
    live.recording.finished.connect(lambda folder, _episode: folders.append(folder))
    label.show_survey(SurveyAnswers("feasible"))
    label.save.click()
    person.until(lambda: folders, "the recording on the disk")
    recorded = read_recording(folders[0])
    assert [(one.question, one.answer) for one in recorded.asks] == [(QUESTION, "Tea.")]
    person.choose("record.open")
    person.until(lambda: person.selection.episode is not None and person.selection.episode.id == recorded.id, "it")
    person.settle()
    look("replay")
    person.choose("device.disconnect")
    person.settle()
