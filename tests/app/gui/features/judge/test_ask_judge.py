"""Tools ▸ Judge ▸ Ask a Judge: from the menu to the stored judgements, beside people's, and stopped on the way."""

from __future__ import annotations

import json

import pytest

from stepscope.app.services.worker_child import judge_job
from stepscope.core.domain.judgement import JudgeId
from stepscope.models.chat import consents, servers
from stepscope.models.chat.servers import ChatServer
from stepscope.models.checkpoints import checkpoint
from stepscope.widgets.judge.ask_judge_dialog import AskJudgeDialog
from tests.app.gui.features.judge.test_judge import judged, stored_run
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act, completion
from tests.models.checkpoints.conftest import tiny  # noqa: F401 - a fixture


def dialog_of(person) -> AskJudgeDialog:
    person.choose("judge.ask")
    (found,) = person.window.findChildren(AskJudgeDialog)
    return found


def begun(open_window, shop):
    person = open_window(shop)
    person.bench.context.prefer(annotator="ana")
    stored_run(person)
    person.press("Ctrl+5")
    person.settle()
    return person


def test_rules_go_through_all_pairs_and_what_they_said_is_seen_after_ones_own(open_window, shop) -> None:
    person = begun(open_window, shop)
    dialog = dialog_of(person)
    assert dialog.plan_words() == "3 of 3 pairs to judge." and "--judge rules" in dialog._command.text()
    dialog.run.click()
    person.until(lambda: len(judged(person)) == 3, "three judgements")
    person.settle()
    assert {one.judge for one in judged(person)} == {JudgeId("rules", by_model=True)}
    side = person.window.judged.answers
    assert side.others_words() == "", "hidden until the person has answered"
    for _ in range(4):
        person.choose("judge.yes")
    person.until(lambda: "rules (model)" in side.others_words(), "what the rules said")
    assert "Not met: " in side.others_words()
    again = dialog_of(person)
    assert again.plan_words() == "0 of 3 pairs to judge, 3 are judged already." and not again.run.isEnabled()
    again.again.setChecked(True)
    assert again.run.isEnabled() and again._command.text().endswith("--judge rules --again")
    again.close_button.click()


@pytest.mark.needs("openai")
def test_a_served_judge_is_stopped_and_keeps_what_it_said(open_window, shop, stage, ring) -> None:  # noqa: F811
    servers.add(ChatServer("lab", stage.url, "m", parallel=1))
    yes = completion("[SATISFACTION] YES [/SATISFACTION]")
    stage.plays(yes, yes, Act(how="hang"))
    person = begun(open_window, shop)
    dialog = dialog_of(person)
    dialog.judge.setCurrentIndex(dialog.judge.findData("served:lab/m"))
    fields = {field.option.name: field for field in dialog.settings}
    fields["fulfilment"].set("0")
    assert "--judge 'served:lab/m?fulfilment=0'" in dialog._command.text()
    fields["samples"].set("2")
    dialog.run.click()
    person.until(lambda: "samples must be odd" in dialog.plan_words(), "what cannot be is told before")
    assert dialog.isVisible()
    fields["samples"].set("1")
    dialog.run.click()
    person.until(stage.hung.is_set, "the second pair")
    chip = person.bench.context.long_work.chip
    chip.cancel_requested.emit("judging")
    person.settle()
    (one,) = judged(person)
    assert one.judge.name == "served:lab/m?fulfilment=0" and one.answers.first_satisfies is True
    assert json.loads(one.detail)["questions"][0]["raw"] == ["[SATISFACTION] YES [/SATISFACTION]"]


@pytest.mark.needs("torch", "transformers", "torchvision", "peft")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_a_checkpoint_judges_in_a_process_of_its_own(open_window, shop, tiny) -> None:  # noqa: F811
    checkpoint.add(checkpoint.Checkpoint("small", str(tiny("qwen2.5-vl"))), replaces=True)
    person = begun(open_window, shop)
    person.bench._judge.asking.elsewhere = judge_job
    dialog = dialog_of(person)
    dialog.judge.setCurrentIndex(dialog.judge.findData("local:small"))
    fields = {field.option.name: field for field in dialog.settings}
    assert "samples" not in fields, "it gives the same answer every time"
    fields["tokens"].set("16")
    fields["fulfilment"].set("0")
    fields["inputs"].set("words")
    dialog.run.click()
    person.until(lambda: len(judged(person)) == 3, "three judgements")
    person.settle()
    (who,) = {one.judge for one in judged(person)}
    assert who.by_model and who.name.startswith("local:small?fulfilment=0&inputs=words&tokens=16")
    assert all(one.answers.first_satisfies is None for one in judged(person)), "random weights say no verdict"


def test_pairs_on_which_a_judge_differs_are_found(open_window, shop) -> None:
    """The rules call all three no match; whoever calls the first one a match has one that differs."""
    person = begun(open_window, shop)
    dialog_of(person).run.click()
    person.until(lambda: len(judged(person)) == 3, "three judgements")
    person.settle()
    panel = person.window.pairs
    assert not panel.only_differing.isVisibleTo(panel), "nothing is told before one has answered"
    for _ in range(4):
        person.choose("judge.yes")
    person.until(lambda: panel.only_differing.isVisibleTo(panel), "one differs")
    assert panel.only_differing.text() == "Only the 1 where a judge differs"
    panel.only_differing.click()
    person.until(lambda: panel.model.rowCount() == 1, "only that one")
    panel.only_differing.click()
    person.until(lambda: panel.model.rowCount() == 3, "all again")


@pytest.mark.needs("openai")
def test_a_judge_elsewhere_is_asked_only_once_the_person_agrees(
    open_window,
    shop,
    stage,  # noqa: F811 - a fixture
    ring,  # noqa: F811 - a fixture
    monkeypatch,
) -> None:
    """The listener is this machine's, called another one for the test."""
    servers.add(ChatServer("lab", stage.url, "m", parallel=1))
    stage.plays(completion("[SATISFACTION] YES [/SATISFACTION]"))
    monkeypatch.setattr(ChatServer, "is_here", property(lambda _self: False))
    asked: list[str] = []
    answers = iter([False, True])

    def confirmed(_parent, question, *_words, **_more) -> bool:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr("stepscope.app.gui.shell.recordings_question.confirmed", confirmed)
    person = begun(open_window, shop)
    dialog = dialog_of(person)
    dialog.judge.setCurrentIndex(dialog.judge.findData("served:lab/m"))
    dialog.run.click()
    person.until(lambda: len(asked) == 1, "the question")
    person.settle()
    assert dialog.isVisible() and not stage.seen and judged(person) == []
    dialog.run.click()
    person.until(lambda: len(judged(person)) == 3, "three judgements")
    person.settle()
    assert len(asked) == 2 and [one.server for one in consents.load()] == ["lab"]
