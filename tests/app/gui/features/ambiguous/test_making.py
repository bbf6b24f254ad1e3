"""Ambiguous tasks from the sample: made by rules from the menu, reviewed, counted, written out, and open again."""

from __future__ import annotations

import json

import pytest
from PySide6.QtGui import QGuiApplication

from stepscope.app.services import ambiguous_tasks, prices
from stepscope.app.services.worker_child import make_job
from stepscope.core.domain.ambiguous_task import RULES, ReviewVerdict
from stepscope.core.domain.price import TokenPrice
from stepscope.core.store.repositories import ambiguous_tasks as task_rows
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from stepscope.widgets.ambiguous.export_dialog import ExportTasksDialog
from stepscope.widgets.ambiguous.make_dialog import MakeTasksDialog
from tests.app.gui.features.ambiguous.test_review import source, stored, title


def made(person) -> list:
    with person.bench.context.database.reading() as db:
        return task_rows.tasks_of(db, source(person))


def dialog_of(person, kind):
    person.settle()
    (found,) = person.window.findChildren(kind)
    return found


def make(person) -> MakeTasksDialog:
    person.choose("ambiguous.make")
    return dialog_of(person, MakeTasksDialog)


@pytest.mark.chain
def test_from_a_fresh_start_tasks_are_made_reviewed_and_written(open_window, tmp_path) -> None:
    person = open_window(fresh=True)
    person.until(lambda: person.selection.episode is not None, "the sample")
    person.bench.context.prefer(annotator="ana")
    dialog = make(person)
    assert dialog.plan_words() == "52 episodes: a task of each, where its goal has enough to leave out."
    assert dialog.estimate_words() == "" and dialog.command().endswith("sample/episodes --removed 1")
    dialog.numbers[1].setChecked(True)
    assert dialog.command().endswith("--removed 1,2")
    dialog.run.click()
    person.until(lambda: person.window.workspace == "ambiguous", "Review")
    person.settle()
    told = next(one for one in person.told if "Made" in one)
    assert "7 episodes ask already, 9 episodes cannot reach the goal" in told, "with 36, all of 52"
    tasks = made(person)
    good = [task for task in tasks if task.is_enough]
    assert len(good) >= 10 and {task.slot.removed for task in good} == {1, 2}
    assert {task.slot.made_by for task in tasks} == {RULES}
    assert person.window.ambiguous_list.states.choices()["open"] == len(good)
    assert title(person).endswith(f"of {len(good)}")
    person.window.activateWindow()  # the form that had the keyboard is gone
    person.until(person.window.isActiveWindow, "the window in front")
    person.press("A")
    person.settle()
    person.press("E")
    person.press("End")
    person.write(" now")
    person.press("Return")
    person.settle()
    person.press("R")
    person.press("Return")
    person.settle()
    assert sorted(one.verdict for one in stored(person).values()) == ["accepted", "edited", "rejected"]

    person.choose("ambiguous.statistics")
    person.settle()
    page = person.window.ambiguous.statistics
    ones = [task for task in tasks if task.slot.removed == 1]
    assert sum(bar.count for bar in page.lengths.bars()) == len({task.slot.episode for task in tasks})
    assert [row[1] for row in page.rows("What is left out")] and page.enough.isVisible()
    page.copy.click()
    figures = [line.split(",") for line in QGuiApplication.clipboard().text().splitlines()]
    assert [RULES, "", "enough", "1", str(sum(task.is_enough for task in ones)), str(len(ones))] in figures

    person.choose("ambiguous.export")
    export = dialog_of(person, ExportTasksDialog)
    export.path.setText(str(tmp_path / "written"))
    assert export.command().endswith("--as recordings --output " + str(tmp_path / "written") + " --accepted")
    export.run.click()
    person.until(lambda: person.selection.source.source.path == (tmp_path / "written"), "what was written, open")
    person.until(lambda: len(person.bench.library.ids) == 2, "two recordings")
    person.settle()
    episodes = [person.selection.source.source.read(name) for name in person.bench.library.ids]
    assert all(len(one.asks) >= 1 and one.original_goal for one in episodes)
    assert any(one.goal.endswith(" now") for one in episodes)
    assert any(" ".join(one.split()).startswith("Wrote written, 2 tasks") for one in person.told)


def test_tasks_made_again_are_kept_and_those_of_the_shown_episode_can_be_made_alone(person) -> None:
    dialog = make(person)
    dialog.scope.setCurrentIndex(dialog.scope.findData("shown"))
    assert dialog.plan_words().startswith("1 episode: ") and "--filter 'id=\"lamp\"'" in dialog.command()
    dialog.close_button.click()
    assert made(person) == []
    dialog = make(person)
    dialog.run.click()
    person.until(lambda: person.window.workspace == "ambiguous", "Review")
    person.settle()
    assert any("ask already" in one for one in person.told), "lamp has a question"
    again = make(person)
    assert again.again.isVisible() == bool(made(person))
    for box in again.numbers:
        box.setChecked(False)
    assert not again.run.isEnabled() and again.plan_words() == "Choose how many steps are left out."
    again.close_button.click()


@pytest.mark.needs("openai")
def test_a_model_is_asked_after_an_estimate_with_no_more_questions_than_allowed(open_window, shop, monkeypatch) -> None:
    """Lamp asks already; chair has two taps and tour 23: of each of 25 steps one question for its instruction, and one
    for the goal without it."""
    servers.add(ChatServer("lab", "http://127.0.0.1:9", "m", parallel=1))
    prices.set_price("served:lab/m", TokenPrice(1000.0, 0.0, "USD"))
    asked = []

    def work(database, source_id, reader, known_as, request, token):
        asked.append(request)
        yield from ()
        return ambiguous_tasks.MakingCount(3, asked=2, over=True)

    monkeypatch.setattr(ambiguous_tasks, "make_tasks", work)
    person = open_window(shop)
    person.bench.making.elsewhere = make_job
    dialog = make(person)
    dialog.maker.setCurrentIndex(dialog.maker.findData("served:lab/m"))
    person.settle()
    assert "USD" in dialog.estimate_words() and "at most 50 questions" in dialog.estimate_words()
    fields = {field.option.name: field for field in dialog.settings}
    assert {"prompt", "instructions", "tokens"} <= fields.keys()
    dialog.questions.setValue(2)
    dialog.limit.setValue(5)
    person.settle()
    assert "at most 2 questions" in dialog.estimate_words()
    assert dialog.command().endswith("--model served:lab/m --removed 1 --limit 5 --most-questions 2")
    dialog.run.click()
    person.until(lambda: bool(asked), "the work")
    person.settle()
    (request,) = asked
    assert (request.model, request.limit, request.most_questions) == ("served:lab/m", 5, 2)
    assert any("The questions are spent" in one for one in person.told)


def test_what_is_written_of_nothing_is_told(person) -> None:
    person.choose("ambiguous.export")
    person.settle()
    assert person.window.findChildren(ExportTasksDialog) == []
    assert any("There is no task to write" in one for one in person.told)


def test_records_have_the_words_of_the_latest_edit(person, tmp_path) -> None:
    from tests.app.gui.features.ambiguous.test_review import keep_three

    person.bench.context.prefer(annotator="ana")
    keep_three(person)
    person.press("Ctrl+8")
    person.settle()
    person.press("E")
    person.window.ambiguous.task.pieces[0].question_field.setPlainText("Which thing?")
    person.press("Return", person.window.ambiguous.task.goal.field)
    person.settle()
    assert stored(person)["lamp", "ana"].verdict is ReviewVerdict.EDITED
    person.choose("ambiguous.export")
    dialog = dialog_of(person, ExportTasksDialog)
    dialog.form.setCurrentIndex(dialog.form.findData("asks"))
    assert not dialog.opens.isVisible()
    dialog.path.setText(str(tmp_path / "asks.jsonl"))
    dialog.run.click()
    person.until(lambda: (tmp_path / "asks.jsonl").exists(), "the file")
    person.settle()
    (line,) = (tmp_path / "asks.jsonl").read_text().splitlines()
    assert "Which thing?" in json.dumps(json.loads(line)) and "Buy something" in line
