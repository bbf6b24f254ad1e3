"""Evaluating from the menu, in the whole window: the form, runs at work, results, exports."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import threading
from pathlib import Path

import cv2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QMessageBox, QPushButton, QToolButton

from stepscope.app.gui.features.evaluate import evaluation_work
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.rail import RailDot
from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.presets import load_presets
from stepscope.app.services.provenance import SAMPLE_WEB
from stepscope.app.services.worker import AnswerWords, evaluation_worker
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import each_item
from stepscope.widgets.results.metrics_item_model import MetricRole
from tests.patience import PATIENCE

ITEMS = 29


def headless(store: Path, data: Path, model: str, protocol: str) -> dict:
    """The same evaluation without a window, in a store of its own."""
    with Database.open(store_url(store)) as database:
        *_, index = open_indexed(database, data, CancelToken())
        prepared = start(database, index.source, index.source_id, EvaluationRequest(protocol, model))
        list(prepared.run.updates())
        return summary(database, prepared.run.run_id)


def table(person) -> dict[str, float | None]:
    """The metrics on the screen."""
    model = person.window.results.metrics
    rows = [model.index(place, 0).data(MetricRole) for place in range(model.rowCount())]
    return {row.title: row.value for row in rows}


def items(person) -> list[tuple[str, int | None, str]]:
    """Episode, step and verdict of the rows in the table of items."""
    person.window.results.show_page("items")
    person.settle()
    model = person.window.results.items
    rows = [model.value(place) for place in range(model.rowCount())]
    return [(row.episode, row.step, row.verdict.value) for row in rows if row]


def stored(person, run: str) -> list[tuple[str, int]]:
    """What the store has of a run."""
    with person.bench.context.database.reading() as db:
        return [(outcome.key.episode, outcome.key.step) for outcome in each_item(db, run)]


def begin(person, model: str) -> None:
    """Press Run for a model and do not wait."""
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model=model, protocol="aitw")
    person.window.evaluate.run()


def button(person, words: str) -> QPushButton:
    """A button of a message."""
    buttons = [one for item in person.window.messages.items() for one in item.findChildren(QPushButton)]
    return next(one for one in buttons if one.text() == words)


# The form and the numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["aitw", "motif"])
def test_the_menu_gives_the_numbers_of_the_command_line(person, shop, empty_store, tmp_path, protocol) -> None:
    run = person.evaluate("noisy-copy", protocol)
    alone = headless(Path(shutil.copy(empty_store, tmp_path)), shop, "noisy-copy", protocol)
    mine = summary(person.bench.context.database, run)
    assert {**mine, "run": ""} == {**alone, "run": ""}
    assert (mine["state"], mine["n"] + mine["unscored"] + mine["errors"]) == ("done", ITEMS)
    shown = {name.replace("_", " ").capitalize(): value for name, value in alone["metrics"].items()}
    assert table(person) == pytest.approx(shown)
    assert len(set(stored(person, run))) == ITEMS
    assert person.window.workspace == "results"
    assert person.told_at_the_end == [f"Evaluated 29 items with noisy-copy · {protocol}."] and person.told == []


def test_instructions_and_the_goal_alone_are_two_runs_told_apart(person) -> None:
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model="text-match", protocol="aitw")
    form = person.window.evaluate
    form.fields.instructions.setCurrentIndex(form.fields.instructions.findData("both"))
    assert "--instructions both" in form.command()
    before = set(person.bench.results.run_ids)
    form.run()
    person.until(lambda: len(set(person.bench.results.run_ids) - before) == 2, "both runs in the list")
    both = set(person.bench.results.run_ids) - before
    person.until(lambda: all(person.state_of(run) is RunState.DONE for run in both), "the end of both")
    person.until(lambda: not person.bench.evaluate.is_running, "the end of the evaluations")
    found = {summary(person.bench.context.database, run)["model"]: run for run in both}
    assert set(found) == {"text-match", "text-match?instructions=hidden"}
    names = [person.bench.results.name_of(run) for run in found.values()]
    assert sorted(names) == ["text-match · aitw", "text-match?instructions=hidden · aitw"]
    person.bench.results.choose(found["text-match?instructions=hidden"])
    person.settle()
    person.bench.evaluate.run_again("")
    person.settle()
    assert form.request().instructions == "hidden" and form.request().model == "text-match"


def test_the_end_of_an_evaluation_leaves_the_person_where_they_are(person) -> None:
    shown = [person.evaluate("noisy-copy"), person.evaluate("random")]
    person.press("Ctrl+1")
    person.settle()
    begin(person, "text-match")
    person.screen.setFocus()
    place = person.place
    before = set(shown)
    person.until(lambda: set(person.bench.results.run_ids) - before, "the third run in the list")
    (third,) = set(person.bench.results.run_ids) - before
    person.until(lambda: person.state_of(third) is RunState.DONE and not person.bench.evaluate.is_running, "its end")
    person.settle()
    assert (person.window.workspace, person.place) == ("replay", place)
    assert person.screen.hasFocus() and person.window.evaluate.isVisible()
    assert tuple(person.selection.runs) == tuple(shown), "two are shown already"
    assert person.bench.results.current.id == shown[1], "what Results showed before is still there"
    rail = person.window.rail.widgetForAction(person.bench.commands.actions["workspace.results"])
    assert rail.accessibleName() == "Results, something new" and rail.findChild(RailDot).isVisible()
    assert person.told == ["Evaluated 29 items with text-match · aitw."]
    button(person, "Show").click()
    person.settle()
    assert person.window.workspace == "results" and person.bench.results.current.id == third
    assert person.told == [] and rail.findChild(RailDot) is None and rail.accessibleName() == "Results"
    rows = {row.id: row.is_new for row in person.window.runs.model.runs()}
    assert rows == dict.fromkeys((*shown, third), False), "it was looked at"


def test_who_looks_at_results_keeps_them_and_finds_the_new_run_in_the_list(person) -> None:
    first = person.evaluate("noisy-copy")
    begin(person, "random")
    person.until(lambda: len(person.bench.results.run_ids) == 2, "the second run in the list")
    (second,) = set(person.bench.results.run_ids) - {first}
    person.until(lambda: person.state_of(second) is RunState.DONE and not person.bench.evaluate.is_running, "its end")
    person.settle()
    assert person.bench.results.current.id == first
    assert {row.id: row.is_new for row in person.window.runs.model.runs()} == {first: False, second: True}
    spoken = person.window.runs.model.index_of(second).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("random · aitw, new")
    person.window.runs.list.setCurrentIndex(person.window.runs.model.index_of(second))
    person.settle()
    assert person.bench.results.current.id == second
    assert not any(row.is_new for row in person.window.runs.model.runs())


def test_the_form_says_what_will_be_run_and_starts_by_key(person, shop) -> None:
    person.press("Ctrl+R")
    form = person.window.evaluate
    assert form.isVisible()
    request = form.request()
    assert (request.task, request.data, request.protocol) == (Task.AUTOMATION, "all", "motif")
    assert form.findChild(QComboBox, "data").currentText() == "shop, 3 episodes"
    assert form.command().startswith(f"stepscope evaluate automation {shop} --model {request.model} --protocol motif")
    person.press("Ctrl+Return", form)
    (run,) = [person.done(set())]
    assert tuple(person.selection.runs) == (run,), "the new run is shown as A"
    assert not form.isVisible()
    assert not person.window.task_chip.isVisible()


def test_escape_closes_the_form_and_brings_the_docks_back(person) -> None:
    person.press("Ctrl+R")
    assert not person.window.docks["inspector"].isVisible()
    person.press("Esc", person.window.evaluate)
    assert not person.window.evaluate.isVisible()
    assert person.window.docks["inspector"].isVisible()
    assert person.window.docks["tree"].isVisible()


def test_a_form_made_before_it_is_wanted_is_filled_when_it_is(person) -> None:
    """It is made while the window rests, and until somebody opens it nothing is done for it."""
    assert person.bench.evaluate.forms is not None
    combo = person.window.evaluate.findChild(QComboBox, "data")
    person.bench.library.set_filter("app:org.example.tour", tell_view=True)
    person.until(lambda: person.goals == ["Take the tour"], "the filtered list")
    assert combo.count() == 0
    person.choose("evaluate.automation")
    assert [combo.itemText(place)[:7] for place in range(2)] == ["Current", combo.currentText()[:7]]
    assert combo.currentIndex() == 1


def test_the_current_filter_can_be_evaluated_alone(person) -> None:
    person.bench.library.set_filter("app:org.example.tour", tell_view=True)
    person.until(lambda: person.goals == ["Take the tour"], "the filtered list")
    person.choose("evaluate.automation")
    combo = person.window.evaluate.findChild(QComboBox, "data")
    assert combo.itemText(0) == "Current filter, 1 episode"
    combo.setCurrentIndex(0)
    person.window.evaluate.run()
    run = person.done(set())
    assert stored(person, run) == [("tour", step) for step in range(23)]


def test_results_of_predictions_are_those_worked_out_by_hand(person, guesses) -> None:
    run = person.score(guesses)
    assert table(person)["Step accuracy"] == pytest.approx(3 / 6)
    assert items(person) == [
        ("lamp", 0, "hit"), ("lamp", 1, "hit"), ("lamp", 2, "hit"), ("lamp", 3, "miss"),
        ("chair", 0, "malformed"), ("chair", 1, "miss"),
    ]  # fmt: skip
    assert person.window.runs.model.index(1, 0).data() is not None
    found = summary(person.bench.context.database, run)
    assert (found["model"], found["n"], found["malformed"]) == ("elsewhere", 6, 1)


def test_bad_lines_of_a_prediction_file_are_named_and_the_rest_is_scored(person, guesses) -> None:
    lines = guesses.read_text("utf-8").splitlines()
    guesses.write_text("\n".join([*lines[:2], "{not json", *lines[2:], '{"episode": "lamp"}']) + "\n", "utf-8")
    run = person.score(guesses)
    (warning,) = [words.lower() for words in person.told if "kept out" in words.lower()]
    assert "line 3" in warning
    assert "other lines are scored" in warning
    assert len(stored(person, run)) == 6


def test_predictions_for_other_data_are_refused_in_words(person, guesses) -> None:
    guesses.write_text('{"episode": "nowhere", "step": 0, "action": {"kind": "wait"}}\n', "utf-8")
    person.drop(guesses)
    person.settle()
    person.window.evaluate.run()
    person.until(lambda: person.told, "a message")
    person.settle()
    assert len(person.told) == 1
    assert "guesses.jsonl" in person.told[0]
    assert person.bench.results.run_ids == ()
    assert person.alive()


def test_predictions_without_data_ask_for_the_data_first(person, guesses) -> None:
    person.press("Ctrl+W")
    person.settle()
    person.drop(guesses)
    person.settle()
    assert person.told == ["Open the episodes first that the predictions are about."]


# Runs at work -------------------------------------------------------------------------------------------------------


def test_pause_go_on_cancel_and_resume_keep_every_item_once(person, gated, shop, empty_store, tmp_path) -> None:
    begin(person, "noisy-copy")
    chip = person.window.task_chip
    gated.let(3)
    person.until(lambda: "3 of 29" in chip.words(), "three items in the chip")
    (run,) = person.selection.runs
    person.until(lambda: gated.asked == 4, "the fourth item begun")
    person.click(chip.pause)
    gated.let(1)
    person.until(lambda: "4 of 29 · paused" in chip.words(), "the pause in the chip")
    person.until(
        lambda: person.state_of(run) is RunState.PAUSED or person.bench.results.reload(), "the pause in the list"
    )
    assert len(stored(person, run)) == 4, "what is done is safe while it rests"

    person.choose("workspace.results")
    card = person.window.runs.progress_of(run)
    person.click(card.pause)
    person.until(lambda: "paused" not in chip.words(), "going on")
    gated.let(2)
    person.until(lambda: "6 of 29" in chip.words() and gated.asked == 7, "six items, the seventh begun")
    person.press("Ctrl+.")
    gated.let(1)
    person.until(lambda: person.state_of(run) is RunState.CANCELLED, "the end of the run")
    person.settle()
    assert not chip.isVisible()
    assert person.told == ["Cancelled. 7 of 29 items are kept."]
    assert len(stored(person, run)) == 7

    gated.let(ITEMS)
    person.click(button(person, "Resume"))
    person.until(lambda: person.state_of(run) is RunState.DONE, "the whole run")
    person.settle()
    keys = stored(person, run)
    assert len(keys) == len(set(keys)) == ITEMS
    gated.let(ITEMS)
    alone = headless(Path(shutil.copy(empty_store, tmp_path)), shop, "noisy-copy", "aitw")
    assert summary(person.bench.context.database, run)["metrics"] == alone["metrics"]


def test_all_open_data_can_be_chosen_and_a_task_says_which_of_it_fits(person) -> None:
    person.choose("open.sample_web")
    person.until(lambda: person.selection.source.source.path == SAMPLE_WEB, "the web tasks")
    shop = person.bench.context.sources[0]
    person.bench.library.choose_source(shop)
    person.settle()
    person.choose("evaluate.webtask")
    person.settle()
    form = person.window.evaluate
    assert form.problem() == "The data has no web tasks. Sample web tasks fits: choose it at Data."
    offered = [form.fields.data.itemText(place) for place in range(form.fields.data.count())]
    assert [words.split(",")[0] for words in offered] == ["shop", "Sample web tasks"], "what is looked at comes first"
    form.fields.data.setFocus()
    person.press("Down")
    person.until(lambda: person.selection.source.source.path == SAMPLE_WEB, "the other data")
    person.settle()
    assert form.problem() == "" and form.fields.data.currentText().startswith("Sample web tasks")
    person.close()


def test_a_second_run_waits_for_the_first(person, gated) -> None:
    begin(person, "noisy-copy")
    gated.let(2)
    person.until(lambda: "2 of 29" in person.window.task_chip.words(), "the first run at work")
    begin(person, "text-match")
    person.until(lambda: "(+1)" in person.window.task_chip.words(), "the second run behind it")
    person.until(lambda: len(person.bench.results.run_ids) == 2, "both runs in the list")
    waiting = next(run for run in person.bench.results.run_ids if person.state_of(run) is RunState.QUEUED)
    assert person.window.runs.progress_of(waiting).words() == "waits for its turn", "as the menu row's chip says"
    gated.let(ITEMS)
    person.until(lambda: not person.bench.evaluate.is_running, "the end of both")
    person.settle()
    names = {run: person.bench.results.name_of(run) for run in person.bench.results.run_ids}
    assert [names[run] for run in person.selection.runs] == ["noisy-copy · aitw", "text-match · aitw"]
    assert {person.state_of(run) for run in names} == {RunState.DONE}


def test_a_run_that_waits_can_be_cancelled_and_resumed(person, gated) -> None:
    begin(person, "noisy-copy")
    gated.let(1)
    person.until(lambda: "1 of 29" in person.window.task_chip.words(), "the first run at work")
    begin(person, "text-match")
    person.until(lambda: len(person.bench.results.run_ids) == 2, "both runs in the list")
    waiting = next(run for run in person.bench.results.run_ids if person.state_of(run) is RunState.QUEUED)
    person.click(person.window.runs.progress_of(waiting).cancel)
    gated.let(ITEMS)
    person.until(lambda: not person.bench.evaluate.is_running, "the end")
    person.until(lambda: person.state_of(waiting) is RunState.CANCELLED, "the run given up")
    person.bench.evaluate.resume(waiting)
    person.until(lambda: person.state_of(waiting) is RunState.DONE, "the run done after all")


def test_what_waits_is_kept_when_the_window_closes(person, gated, open_window, answer) -> None:
    begin(person, "noisy-copy")
    gated.let(1)
    person.until(lambda: "1 of 29" in person.window.task_chip.words(), "the first run at work")
    begin(person, "text-match")
    person.until(lambda: len(person.bench.results.run_ids) == 2, "both runs in the list")
    answer("Stop and keep results")
    gated.let(ITEMS)
    person.close()
    again = open_window()
    states = sorted(again.state_of(run) for run in again.bench.results.run_ids)
    assert len(states) == 2
    assert set(states) <= {RunState.CANCELLED, RunState.DONE}


def test_the_process_for_evaluations_gives_the_same_and_may_die(open_window, shop, guesses) -> None:
    person = open_window(shop, worker=True)
    run = person.score(guesses)
    assert table(person)["Step accuracy"] == pytest.approx(3 / 6)
    assert person.state_of(run) is RunState.DONE
    pid = evaluation_worker().pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    other = person.evaluate("noisy-copy", "aitw")
    assert person.state_of(other) is RunState.DONE, "a new process took its place"


def test_every_task_that_fits_is_offered_and_the_last_choice_remembered(open_window) -> None:
    person = open_window(fresh=True)
    person.until(lambda: bool(person.bench.library.ids), "the sample")
    person.choose("evaluate.feasibility")
    form = person.window.evaluate
    person.until(lambda: form.findChild(QComboBox, "task").count() == 9, "the tasks")
    tasks = form.findChild(QComboBox, "task")
    assert [tasks.itemText(row) for row in range(9)] == [
        "Feasibility", "Task automation", "Goal identification", "Step ordering", "ASK", "Web tasks", "Grounding",
        "Roll-out", "Element affordance",
    ]  # fmt: skip
    rests = {tasks.itemText(row) for row in range(9) if not tasks.model().item(row).isEnabled()}
    assert rests == {"Web tasks"}
    model = form.findChild(QComboBox, "model")
    model.setCurrentIndex(model.findData("never-feasible"))
    before = set(person.bench.results.run_ids)
    form.run()
    person.done(before)
    assert table(person)["Recall"] == 1.0
    person.choose("evaluate.automation")
    assert form.request().task is Task.AUTOMATION
    person.choose("evaluate.feasibility")
    assert form.request().model == "never-feasible"


def test_a_preset_is_saved_chosen_and_forgotten(person, monkeypatch) -> None:
    monkeypatch.setattr(person.window.evaluate.fields.presets, "_ask", lambda *_: "mine")
    person.bench.evaluate.show_form(model="random", protocol="aitz")
    form = person.window.evaluate
    form.fields.seed.setValue(4)
    person.click(form.fields.presets.save_button)
    person.bench.evaluate.show_form(model="text-match", protocol="aitw")
    form.fields.seed.setValue(0)
    names = form.fields.presets.names
    names.setCurrentIndex(names.findData("mine"))
    names.activated.emit(names.currentIndex())
    chosen = form.request()
    assert (chosen.model, chosen.protocol, chosen.seed) == ("random", "aitz", 4)
    person.settle()
    assert load_presets().named["mine"].seed == 4
    person.click(form.fields.presets.delete_button)
    person.settle()
    assert load_presets().named == {}


def test_closing_while_a_run_is_at_work_asks_and_keeps(person, gated, open_window, monkeypatch, answer) -> None:
    begin(person, "noisy-copy")
    gated.let(5)
    person.until(lambda: "5 of 29" in person.window.task_chip.words(), "five items")
    (run,) = person.selection.runs
    asked = answer("Go back")
    person.press("Ctrl+Q")
    assert asked == ["An evaluation is running."]
    assert person.alive()
    gated.let(1)
    person.until(lambda: "6 of 29" in person.window.task_chip.words(), "one more item")
    person.until(lambda: gated.asked == 7, "the seventh item begun")
    tasks, stop_all = person.bench.context.tasks, person.bench.context.tasks.stop_all

    def stop_while_the_model_thinks() -> None:
        for task in tasks.tasks:
            task.cancel()
        gated.let(1)
        stop_all()

    monkeypatch.setattr(tasks, "stop_all", stop_while_the_model_thinks)
    answer("Stop and keep results")
    person.close()
    again = open_window()
    assert again.state_of(run) is RunState.CANCELLED
    assert len(stored(again, run)) == 7
    assert tuple(again.selection.runs) == (run,)


def test_deleting_a_run_asks_first(person, guesses, answer) -> None:
    run = person.score(guesses)
    asked = answer("Keep")
    person.choose("run.delete")
    person.settle()
    assert asked == ["Delete elsewhere · aitw with 6 items?"]
    assert person.bench.results.run_ids == (run,)
    answer("Delete")
    person.choose("run.delete")
    person.until(lambda: person.bench.results.run_ids == (), "the run gone")
    person.settle()
    assert not person.selection.runs
    assert stored(person, run) == []
    assert not person.bench.commands.actions["run.delete"].isEnabled()
    assert person.window.findChildren(QMessageBox) == []


# From results to steps ------------------------------------------------------------------------------------------------


def test_n_and_p_go_from_wrong_step_to_wrong_step_across_episodes(person, guesses) -> None:
    """Wrong are step 3 of lamp and steps 0 and 1 of chair."""
    person.score(guesses)
    person.choose("workspace.replay")
    person.screen.setFocus()
    for key, place in (("N", ("lamp", 3)), ("N", ("chair", 0)), ("N", ("chair", 1)), ("P", ("chair", 0))):
        person.press(key)
        person.arrive(*place)
    person.press("P")
    person.arrive("lamp", 3)


def test_the_table_of_items_is_filtered_and_enter_opens_the_step(person, guesses) -> None:
    person.score(guesses)
    results = person.window.results
    shown = next(combo for combo in results.findChildren(QComboBox) if combo.accessibleName() == "Items shown")
    shown.setFocus()
    person.press("Down", shown)
    shown.activated.emit(shown.currentIndex())
    assert shown.currentText() == "Wrong"
    wrong = [("lamp", 3, "miss"), ("chair", 0, "malformed"), ("chair", 1, "miss")]
    person.until(lambda: items(person) == wrong, "the wrong items")
    results.items_page.table.setFocus()
    results.items_page.table.setCurrentIndex(results.items.index(2, 0))
    person.press("Return")
    person.arrive("chair", 1)
    assert person.window.workspace == "replay"
    assert "Run B" not in person.screen.accessibleDescription()
    assert "Run A miss" in person.screen.accessibleDescription()


# Exports --------------------------------------------------------------------------------------------------------------


def test_exports_are_written(person, guesses, pick, tmp_path, shop) -> None:
    run = person.score(guesses)

    def export(command: str, name: str) -> Path:
        pick(tmp_path / name)
        person.choose(command)
        person.until(lambda: any(words.startswith(f"Wrote {name}") for words in person.told), f"{name} told")
        return tmp_path / name

    rows = list(csv.DictReader(export("export.csv", "run.csv").read_text("utf-8").splitlines()))
    assert [(row["run"], row["episode"], row["step"]) for row in rows] == [
        (run, episode, str(step)) for episode, step in stored(person, run)
    ]
    report = export("export.html", "report.html").read_text("utf-8")
    assert report.lower().startswith("<!doctype html>")
    assert "elsewhere" in report
    assert "data:image/webp" in report
    lines = export("export.predictions", "again.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line).get("episode") for line in lines} >= {"lamp", "chair"}
    person.choose("workspace.replay")
    person.press("Home", person.screen)
    person.settle()
    pixels = cv2.imread(str(export("export.picture", "step.png")))
    assert pixels.shape == (240, 108, 3)
    assert pixels[5, 5].tolist() == [40, 40, 40], "the picture"
    assert pixels[120, 54].tolist() != [40, 40, 40], "the mark of the reference"
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".html", ".jsonl", ".jsonl", ".png"]


def test_an_export_that_cannot_be_written_is_told(person, guesses, pick, tmp_path) -> None:
    person.score(guesses)
    person.window.messages.clear_messages()
    for command, name in (("export.csv", "a.csv"), ("export.html", "a.html"), ("export.picture", "a.png")):
        pick(tmp_path / "no such folder" / name)
        person.choose(command)
        person.until(lambda name=name: any(name in words for words in person.told), f"the failure of {name}")
        person.settle()
    assert person.alive()


def test_the_export_button_of_the_results_offers_the_exports(person, guesses) -> None:
    person.score(guesses)
    export = next(
        one
        for one in (*person.window.results.findChildren(QPushButton), *person.window.results.findChildren(QToolButton))
        if one.text().strip() == "Export"
    )
    person.click(export)
    menu = person.bench.commands.menu("&File/&Export")
    person.until(menu.isVisible, "the menu of exports")
    assert QApplication.activePopupWidget() is menu
    menu.close()


# A store that cannot be written ---------------------------------------------------------------------------------------


def test_a_read_only_store_shows_everything_and_saves_nothing(open_window, shop, guesses) -> None:
    person = open_window(shop)
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.close()
    person = open_window(read_only=True)
    assert any("read-only" in words for words in person.told)
    assert person.window.status.text("saved") == "Read-only store"
    assert tuple(person.selection.runs) == (run,)
    person.press("Right")
    person.settle()
    assert person.shade == 70
    person.window.messages.clear_messages()
    begin(person, "noisy-copy")
    person.until(lambda: person.told, "a message")
    person.settle()
    assert len(person.told) == 1
    assert "read-only" in person.told[0]
    assert person.bench.results.run_ids == (run,)
    assert person.alive()
    person.close()


def test_an_evaluation_waits_for_a_server_that_is_away_and_says_so(
    open_window, shop, gated, postgresql_servers
) -> None:
    with postgresql_servers() as server, server.database() as url:
        person = open_window(shop, url=url)
        chip = person.window.task_chip
        begin(person, "noisy-copy")
        gated.let(3)
        person.until(lambda: "3 of 29" in chip.words(), "three items in the chip")
        (run,) = person.bench.results.run_ids
        server.stop()
        gated.let(26)
        person.until(lambda: "the store's server is away: waiting for " in chip.words(), "waiting in the chip")
        server.start()
        person.until(lambda: not person.bench.evaluate.is_running, "the end of the evaluation")
        person.until(lambda: person.state_of(run) is RunState.DONE, "the run done")
        assert len(set(stored(person, run))) == ITEMS and gated.asked == ITEMS
        person.close()


def test_a_user_of_a_server_who_may_only_read_sees_everything_and_is_told(
    open_window, shop, guesses, postgresql
) -> None:
    with postgresql.store() as url, postgresql.reader(url) as readers:
        person = open_window(shop, url=url)
        run = person.score(guesses)
        person.choose("workspace.replay")
        person.close()
        person = open_window(shop, url=readers)
        assert person.told[0].startswith("The store is read-only.") and "ask the owner" in person.told[0]
        assert person.window.status.text("saved") == "Read-only store"
        person.until(lambda: person.bench.results.run_ids == (run,), "the run")
        person.press("Right")
        person.choose("workspace.results")
        person.settle()
        person.window.messages.clear_messages()
        person.choose("workspace.replay")
        person.bench.annotating.book.toggle_star(AnnotationTarget(str(shop), "lamp", 0))
        person.settle()
        assert len(person.told) == 1 and "read-only" in person.told[0]
        person.window.messages.clear_messages()
        begin(person, "noisy-copy")
        person.until(lambda: person.told, "a message")
        person.settle()
        assert len(person.told) == 1 and "read-only" in person.told[0]
        assert person.alive()
        person.close()


def test_a_store_that_cannot_be_opened_costs_only_the_saving(open_window, shop, store) -> None:
    store.write_bytes(b"this is no database, but somebody's letter")
    person = open_window(shop)
    assert person.place == ("lamp", 0)
    assert any("No store." in words for words in person.told)
    run = person.evaluate()
    assert len(stored(person, run)) == ITEMS
    person.close()
    assert store.read_bytes() == b"this is no database, but somebody's letter"


def test_an_item_opens_the_data_that_its_run_is_about(person, guesses, shop, own_shop) -> None:
    """Another source is current: the run's own comes back, once from the open ones, once from the disk."""
    person.score(guesses)
    about = items(person)[0]
    for forget in (False, True):
        if forget:
            person.choose("source.close")
        person.open(own_shop)
        person.choose("workspace.results")
        person.window.results.item_opened.emit(about[0], about[1])
        person.arrive(about[0], about[1])
        assert person.selection.source.source.path == shop
        assert person.window.workspace == "replay"


def test_what_the_model_is_writing_stands_in_the_card_of_its_run(person) -> None:
    gate, read = threading.Event(), threading.Event()

    def work(database, job, token):
        updates = evaluation_work.here(database, job, token)
        yield next(updates)
        yield AnswerWords('Thought: the list is open.\n{"action": "click", "coordinate": [494, 1679]}')
        gate.wait(PATIENCE)
        yield from updates
        read.set()

    person.bench.evaluate.work = work
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model="noisy-copy", protocol="aitw")
    before = set(person.bench.results.run_ids)
    person.window.evaluate.run()
    person.until(lambda: set(person.bench.results.run_ids) - before, "the run")
    (run,) = set(person.bench.results.run_ids) - before
    card = person.window.runs.progress_of
    try:
        person.until(lambda: card(run) and card(run).writing().endswith("[494, 1679]}"), "its words")
        person.window.set_workspace("results")
        person.until(lambda: card(run).writing().startswith("…"), "the end, which is what there is room for")
    finally:
        gate.set()
    person.until(lambda: read.is_set() and not person.bench.evaluate.is_running, "the end of the run")
    person.settle()
    assert person.state_of(run) is RunState.DONE
