"""A person judges pairs of descriptions by key: blind, with undo, beside others and models; and writes their own."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.services import judging
from stepscope.core.domain.judgement import (
    REFERENCE,
    WHOLE,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    pair_of,
    side_seed,
)
from stepscope.core.domain.prediction import AskAnswer, GoalAnswer, Prediction, Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.imported_predictions import ImportedPredictor
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store.repositories import judgements as judgement_rows

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
GOALS = {"lamp": "Buy a lamp", "chair": "Order a chair", "tour": "Take the tour"}
ANSWERS = {"lamp": "Get a red lamp", "chair": "Sit down", "tour": "Look around"}


def stored_run(person, task: Task = Task.GOAL, said=None) -> str:
    """A finished run over all episodes, once it stands in the list."""
    context, source = person.bench.context, person.selection.source.source
    protocol = {Task.GOAL: "goal_text", Task.ASK: "ask"}[task]
    said = said or [Prediction(name, None, GoalAnswer(text)) for name, text in ANSWERS.items()]
    spec = RunSpec(task, "told", str(source.path), source.format, protocol)
    model = ImportedPredictor.of(said, task=task, model="told")
    run = EvaluationRun.start(context.database, spec, source, list(GOALS), model, run_scorer(protocol))
    for _update in run.updates():
        pass
    context.events.publish(RunsChanged())
    person.until(lambda: run.run_id in person.bench.results.run_ids, "the run in the list")
    person.settle()
    return run.run_id


def pair(person, run: str, episode: str):
    texts = (REFERENCE, GOALS[episode]), (TextOrigin(OriginKind.RUN, run), ANSWERS[episode])
    return pair_of(str(person.selection.source.source.path), episode, WHOLE, *texts)


def judged(person) -> list[Judgement]:
    with person.bench.context.database.reading() as db:
        return judgement_rows.of_pairs(db, str(person.selection.source.source.path))


def say(person, run: str, who: str, episode: str, *answers, by_model: bool = False) -> None:
    one = Judgement(pair(person, run, episode), JudgeId(who, by_model), PairAnswers(*answers), NOON, seconds=9.0)
    judging.make(person.bench.context.database, judging.JudgingChange(after=(one,)))


def states(person) -> list[str]:
    model = person.window.pairs.model
    return [model._rows[row].state for row in range(model.rowCount())]


def shown(person) -> tuple[str, str]:
    answers = person.window.judged.answers
    return answers.left.text(), answers.right.text()


@pytest.fixture
def judge(person):
    """Ana, in front of the first of three pairs: the reference, and a run's answer."""
    person.bench.context.prefer(annotator="ana")
    person.run = stored_run(person)
    person.press("Ctrl+5")
    person.settle()
    return person


def test_without_a_run_the_empty_state_leads_to_an_evaluation(person) -> None:
    person.press("Ctrl+5")
    person.settle()
    assert person.window.pairs.words().startswith("No run of goal identification yet.")
    person.click(person.window.judge._empty._buttons[0])
    person.settle()
    assert person.window.evaluate.isVisible() and person.window.evaluate.fields.tasks.currentData() == Task.GOAL


def test_a_pair_is_judged_by_key_written_at_once_and_undone(judge) -> None:
    """Whichever side the reference stands on, the answers are about the texts."""
    texts = set(shown(judge))
    assert texts == {"Buy a lamp", "Get a red lamp"} and states(judge) == ["open"] * 3
    swapped = side_seed(pair(judge, judge.run, "lamp").key, "ana") % 2 == 1
    assert shown(judge)[0] == ("Get a red lamp" if swapped else "Buy a lamp")
    for key in ("Y", "N", "4", "Y"):
        judge.press(key)
    judge.settle()
    answers = judge.window.judged.answers
    assert [row.answer() for row in answers.questions] == [True, False, None, True]
    assert answers.questions[2].is_chosen() and states(judge)[0] == "3 of 4"
    assert answers.outlook_words() == ["match if yes", "partial match if no"]
    judge.press("Return")
    assert judge.window.judge.title() == "Pair 1 of 3", "one question is open"
    judge.press("N")
    judge.settle()
    assert (states(judge)[0], answers.outlook_words()) == ("partial", ["partial match"])
    (one,) = judged(judge)
    shown_answers = PairAnswers(True, False, False, True)
    assert one.answers == (shown_answers.swapped() if swapped else shown_answers) and one.done
    assert (one.judge, one.pair.first, one.pair.second) == (JudgeId("ana"), "Buy a lamp", "Get a red lamp")
    judge.press("Ctrl+Z")
    judge.settle()
    assert judged(judge)[0].answers.given == 3 and states(judge)[0] == "3 of 4"
    judge.press("Ctrl+Shift+Z")
    judge.settle()
    assert judged(judge) == [one]
    for _ in range(4):
        judge.press("Ctrl+Z")
    judge.settle()
    assert judged(judge) == [] and states(judge)[0] == "open"


def test_enter_goes_on_skip_leaves_open_and_backspace_goes_back(judge) -> None:
    for key in "YYYY":
        judge.press(key)
    judge.press("Return")
    judge.settle()
    assert (judge.window.judge.title(), judge.selection.episode.id) == ("Pair 2 of 3", "chair")
    judge.press("S")
    judge.settle()
    assert judge.window.judge.title() == "Pair 3 of 3" and states(judge) == ["match", "open", "open"]
    judge.press("Backspace")
    judge.settle()
    assert judge.window.judge.title() == "Pair 2 of 3"
    judge.press("S")
    judge.press("S")
    judge.settle()
    assert judge.window.judge.title() == "Pair 2 of 3", "after the last comes the first that is open"


def test_bad_data_needs_a_reason_and_can_be_taken_back(judge) -> None:
    judge.press("X")
    judge.settle()
    answers = judge.window.judged.answers
    assert answers.is_asking_for_reason and judged(judge) == []
    judge.press("Escape")
    judge.settle()
    assert not answers.is_asking_for_reason and judged(judge) == []
    judge.press("X")
    judge.write("the screens are yellow")
    judge.press("Return")
    judge.settle()
    assert judged(judge)[0].rejected == "the screens are yellow" and states(judge)[0] == "bad data"
    judge.press("Y")
    judge.settle()
    assert judged(judge)[0].answers.given == 0, "what is bad data is not answered"
    judge.press("Return")
    judge.settle()
    assert judge.window.judge.title() == "Pair 2 of 3", "a rejected pair is done"
    judge.press("Backspace")
    judge.press("X")
    judge.settle()
    assert judged(judge) == [] and states(judge)[0] == "open"


def test_a_run_that_ends_meanwhile_disturbs_nobody(judge) -> None:
    """The texts that are judged stay those that were chosen, and who types a reason goes on typing."""
    for key in ("Y", "S", "X"):
        judge.press(key)
    judge.write("the last ")
    origins = judge.bench.judge.origins
    other = stored_run(judge)
    judge.write("screen is white")
    assert judge.bench.judge.origins == origins and other != judge.run
    assert judge.window.judge.title() == "Pair 2 of 3" and judge.window.judged.answers.is_asking_for_reason
    judge.press("Return")
    judge.settle()
    assert [one.rejected for one in judged(judge)] == ["the last screen is white", ""]


def test_a_remark_is_kept_when_one_goes_on_and_letters_in_it_answer_nothing(judge) -> None:
    judge.window.judged.answers.remark.setFocus()
    judge.write("yes, nearly")
    judge.press("Return")
    judge.settle()
    assert judged(judge)[0].remark == "yes, nearly" and judged(judge)[0].answers.given == 0
    judge.press("Y")
    judge.settle()
    assert judged(judge)[0].answers.given == 1, "the keys answer again"


def test_the_trajectory_leaves_out_nothing_that_was_done_and_follows_the_keys(judge) -> None:
    trajectory = judge.window.judge.trajectory
    words = [step.words for step in trajectory.thumbs.steps()]
    assert words == ["Tap “Search”", "Type “lamp”", "Swipe up", "Press back", ""], "as the request tells them"
    judge.press("J")
    judge.press("J")
    judge.settle()
    assert (trajectory.place_words(), judge.selection.step_index) == ("Step 3 of 5", 2)
    assert trajectory.picture.has_image()
    judge.press("End")
    judge.settle()
    assert trajectory.place_words() == "Step 5 of 5"
    tile = trajectory.thumbs.tile(0, 1).center().toPoint()
    judge.click(trajectory.thumbs, tile)
    judge.settle()
    assert trajectory.place_words() == "Step 2 of 5" and judge.selection.step_index == 1


def test_a_model_stays_hidden_until_the_person_has_finished_the_pair(judge) -> None:
    say(judge, judge.run, "gpt", "lamp", None, None, True, True, by_model=True)
    say(judge, judge.run, "gpt", "chair", None, None, True, True, by_model=True)
    say(judge, judge.run, "ben", "lamp", True, True, True, False)
    judge.bench.judge.reload()
    judge.settle()
    answers = judge.window.judged.answers
    for key in "YYY":
        judge.press(key)
    judge.settle()
    assert answers.others_words() == ""
    assert [row[0] for row in answers.agreement.rows() if "Paper" not in row[0]] == ["ana, ben"]
    judge.press("Y")
    judge.settle()
    assert "gpt (model)" in answers.others_words() and "match" in answers.others_words()
    rows = {row[0]: row[1:] for row in answers.agreement.rows()}
    assert set(rows) >= {"ana, ben", "ana, gpt (model)", "ben, gpt (model)"}
    assert rows["ana, gpt (model)"][0] == "–", "it said nothing of fulfilment"
    cells = {row[0].text: row for row in answers.agreement._shown.rows}
    assert cells["ana, gpt (model)"][2].below == "n 2, few", "two directions: the second pair is not finished"


def test_the_papers_numbers_stand_beside_with_their_source(judge) -> None:
    say(judge, judge.run, "ben", "lamp", True, True, True, True)
    judge.bench.judge.reload()
    judge.settle()
    table = judge.window.judged.answers.agreement._shown
    rows = {row[0].text: row for row in table.rows}
    assert [cell.text for cell in rows["Paper, people on AitZ"][1:3]] == ["0.91", "0.86"]
    assert [cell.text for cell in rows["Paper, model judge"][1:3]] == ["–", "0.48"]
    assert "section 3.2" in rows["Paper, people on AitZ"][1].tip


def test_rates_of_the_run_are_shown_with_n_and_interval(judge) -> None:
    for key in "YYYY":
        judge.press(key)
    judge.press("A")
    judge.settle()
    grid = judge.window.judge.agreement.grids[0]
    assert grid.isVisible() and grid.rows()[0][0] == "ana"
    match = grid._shown.rows[0][3]
    assert (match.text, match.below) == ("1.000", "0.207 – 1.000\nn 1, few")
    judge.press("A")
    judge.settle()
    assert judge.window.judge.trajectory.isVisible()


def test_one_goes_on_where_one_was_and_others_begin_for_themselves(judge, open_window, shop) -> None:
    for key in "YYYY":
        judge.press(key)
    judge.press("Return")
    judge.press("Y")
    judge.settle()
    judge.close()
    again = open_window()
    again.until(lambda: again.selection.episode is not None, "the episode")
    again.settle()
    assert again.window.workspace == "judge" and again.window.judge.title() == "Pair 2 of 3"
    assert states(again) == ["match", "1 of 4", "open"]
    again.bench.judge.name_judge("ben")
    again.settle()
    assert states(again) == ["open"] * 3 and again.bench.context.preferences.annotator == "ben"


def test_writing_hides_the_reference_and_gives_a_text_that_can_be_judged(judge) -> None:
    judge.press("W")
    judge.settle()
    assert judge.window.judge.title() == "Episode 1 of 3"
    judge.window.judged.writing.text.setFocus()
    judge.write("Find a lamp")
    judge.press("Return")
    judge.settle()
    assert judge.window.judge.title() == "Episode 2 of 3" and states(judge)[0] == "written"
    judge.write("Find a chair")
    judge.press("Ctrl+Return")
    judge.bench.judge.set_mode("judge")
    judge.settle()
    path = str(judge.selection.source.source.path)
    with judge.bench.context.database.reading() as db:
        assert [one.text for one in judgement_rows.written_of(db, path)] == ["Find a chair", "Find a lamp"]
    judge.bench.judge._choose_origins("reference", "person:ana")
    judge.settle()
    assert judge.window.judge.title() == "Pair 1 of 2" and "Find a lamp" in shown(judge)


def test_pairs_are_shared_out_and_each_sees_their_own(judge) -> None:
    judge.window.pairs.share_wanted.emit(["ana", "ben"], 1)
    judge.settle()
    path = str(judge.selection.source.source.path)
    with judge.bench.context.database.reading() as db:
        given = judgement_rows.assignments_of(db, path)
    mine = [one.key.episode for one in given if one.annotator == "ana"]
    assert len(given) == 4 and len(states(judge)) == len(mine) == 2
    assert judge.window.pairs.only_given.isVisible()
    judge.click(judge.window.pairs.only_given)
    judge.settle()
    assert len(states(judge)) == 3
    judge.press("Ctrl+Z")
    judge.settle()
    with judge.bench.context.database.reading() as db:
        assert judgement_rows.assignments_of(db, path) == []


def test_what_another_window_said_is_not_overwritten(judge) -> None:
    say(judge, judge.run, "ana", "lamp", False, False, False, False)
    judge.press("Y")
    judge.settle()
    assert any("Somebody else has changed this meanwhile" in words for words in judge.told)
    assert judged(judge)[0].answers == PairAnswers(False, False, False, False)
    assert states(judge)[0] == "non match", "theirs is shown now"


def test_files_are_taken_over_and_written(judge, tmp_path: Path, monkeypatch) -> None:
    file, out = tmp_path / "model.jsonl", tmp_path / "all.jsonl"
    line = {
        "judgement": "gpt", "by_model": True, "episode": "lamp", "first": "reference", "second": f"run:{judge.run}",
        "first_text": "Buy a lamp", "second_text": "Get a red lamp",
        "first_satisfies": "[SATISFACTION] NO [/SATISFACTION]", "second_satisfies": "no idea",
    }  # fmt: skip
    file.write_text(f"{json.dumps(line)}\nnonsense\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    judge.choose("judge.import")
    judge.settle()
    (one,) = judged(judge)
    assert (one.judge, one.answers) == (JudgeId("gpt", True), PairAnswers(None, None, False, None))
    assert any("1 line of model.jsonl kept out; line 2" in words for words in judge.told), judge.told
    judge.choose("judge.export")
    judge.settle()
    assert json.loads(out.read_text())["judgement"] == "gpt"
    judge.press("Ctrl+Z")
    judge.settle()
    assert judged(judge) == []


def test_questions_of_an_ask_run_are_judged_against_the_one_that_was_due(person) -> None:
    run = stored_run(person, Task.ASK, [Prediction("lamp", 1, AskAnswer("Red or blue?"))])
    person.press("Ctrl+5")
    person.settle()
    assert set(shown(person)) == {"Which lamp?", "Red or blue?"} and person.selection.step_index == 1
    assert person.bench.judge.origins == (REFERENCE, TextOrigin(OriginKind.RUN, run))
    assert person.window.judged.answers.questions[0]._title.text() == "Does A ask for what is missing?"


def test_enter_in_who_takes_the_name_and_goes_no_further(judge) -> None:
    judge.window.pairs.judge.setFocus()
    judge.press("Ctrl+A")
    judge.write("dora")
    judge.press("Return")
    judge.settle()
    assert judge.bench.context.preferences.annotator == "dora" and judge.window.pairs.judge.currentText() == "dora"
    assert judge.window.judge.title() == "Pair 1 of 3" and judge.told == []


def test_undo_in_an_untouched_field_takes_the_last_text_back(judge) -> None:
    judge.press("W")
    judge.settle()
    judge.window.judged.writing.text.setFocus()
    judge.write("Find a lamp")
    judge.press("Return")
    judge.settle()
    judge.write("Find")
    judge.press("Ctrl+Z")
    assert judge.window.judged.writing.text.text() == "" and states(judge)[0] == "written", "first what is typed"
    judge.press("Ctrl+Z")
    judge.settle()
    assert states(judge)[0] == "open" and judge.window.judge.title() == "Episode 1 of 3"


def test_pairs_are_shared_out_in_a_form_that_esc_leaves_and_enter_takes(judge) -> None:
    """Who has some of the pairs is told that the numbers are of those."""
    form = judge.window.pairs.form
    judge.click(judge.window.pairs.share)
    judge.press("Escape")
    assert not form.isVisible()
    judge.click(judge.window.pairs.share)
    judge.press("Ctrl+A")
    judge.write("ana, ben")
    form.overlap.setFocus()
    judge.press("Ctrl+A")
    judge.write("1")
    judge.press("Return")
    judge.settle()
    assert not form.isVisible() and len(states(judge)) == 2
    assert judge.window.judge.title().endswith("of 2 of yours")
    judge.click(judge.window.pairs.only_given)
    judge.settle()
    assert judge.window.judge.title().endswith("of 3")
