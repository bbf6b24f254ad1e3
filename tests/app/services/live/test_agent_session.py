"""An agent let act without a window: how it ends, and that what was done is there in every case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.live.agent_events import (
    ActionPerformed,
    ActionProposed,
    AgentEvent,
    AgentOutcome,
    AnswerOrigin,
    QuestionAsked,
)
from stepscope.app.services.live.agent_session import (
    NOBODY,
    AgentReport,
    DataCompany,
    GivenAnswer,
    NoCompany,
    let_act,
)
from stepscope.app.services.live.data_answers import DataAnswers
from stepscope.core.device.confirmation_policy import ConfirmationPolicy
from stepscope.core.device.session import observe
from stepscope.core.domain.action import AskUser, Finish, FinishStatus
from stepscope.core.domain.episode import Ask
from stepscope.core.errors import SourceError, UserError
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording import read_recording, recording_meta
from stepscope.core.sources.recording_writer import RecordingWriter
from tests.app.services.live.scripted import ALONE, Script, does, taps
from tests.core.device.fake import FakeDevice

DONE = does(Finish(FinishStatus.COMPLETE))
GUARDED = replace(ALONE, confirmation=ConfirmationPolicy())


class Agreeing(NoCompany):
    """Somebody who confirms everything."""

    def confirm(self, proposed: ActionProposed) -> bool:
        return True


def act(folder: Path, *answers: Any, phone: FakeDevice | None = None, **more: Any) -> tuple[AgentReport, FakeDevice]:
    phone = phone or FakeDevice()
    given: dict[str, Any] = {"company": NoCompany(), "settings": ALONE, "durable": False, "rest": 0.0} | more
    return let_act(phone, (Script(list(answers)), None), "buy a kettle", folder, given.pop("company"), **given), phone


def test_to_its_end(tmp_path: Path) -> None:
    report, phone = act(tmp_path / "walk", taps("Shop"), taps("Kettle"), DONE)
    assert (report.how, report.steps, report.questions) == (AgentOutcome.COMPLETE, 2, 0)
    assert phone.closed
    walk = read_recording(report.folder)
    assert [step.action.kind for step in walk.steps if step.action] == ["tap", "tap"]
    assert walk.steps[-1].observation.activity == "org.example.shop/.Kettle"
    assert recording_meta(report.folder)["finished"]
    assert (report.folder / "predictions.jsonl").is_file()


@pytest.mark.parametrize(("company", "bought"), [(NoCompany(), False), (Agreeing(), True)])
def test_what_always_asks_is_done_only_where_somebody_confirms_it(
    company: NoCompany, bought: bool, tmp_path: Path
) -> None:
    phone = FakeDevice(page="kettle")
    report, _ = act(tmp_path / "walk", taps("Buy now"), DONE, phone=phone, company=company, settings=GUARDED)
    assert (phone.page == "bought", bool(phone.done)) == (bought, bought)
    assert report.how is (AgentOutcome.COMPLETE if bought else None)
    assert ("Nobody was there to confirm it." in report.why) is not bought


def test_interrupted_it_keeps_what_was_done(tmp_path: Path) -> None:
    token = CancelToken()

    def heard(event: AgentEvent) -> None:
        if isinstance(event, ActionPerformed):
            token.cancel()

    report, _ = act(tmp_path / "walk", taps("Shop"), taps("Kettle"), DONE, tell=heard, token=token)
    assert (report.how, report.why, report.steps) == (None, "It was interrupted.", 1)
    assert read_recording(report.folder).steps[0].action is not None


def test_stuck_or_at_its_limit_it_ends_with_the_reason(tmp_path: Path) -> None:
    report, _ = act(tmp_path / "walk", taps("Shop"), settings=replace(ALONE, step_limit=1))
    assert (report.how, report.why) == (None, "1 step was done, which is the limit.")


def test_where_nothing_more_can_be_written_nothing_more_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> None:
        raise SourceError("the disk is full")

    monkeypatch.setattr(RecordingWriter, "add", full)
    phone = FakeDevice()
    with pytest.raises(UserError, match="the disk is full"):
        act(tmp_path / "walk", *[taps("Shop"), taps("Kettle")], *[taps("Buy now")] * 30, phone=phone)
    assert phone.closed


def test_a_folder_that_cannot_be_made_closes_the_device(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    phone = FakeDevice()
    with pytest.raises(UserError):
        act(tmp_path / "file" / "walk", DONE, phone=phone)
    assert phone.closed


def test_the_data_leaves_questions_of_the_workbench_alone() -> None:
    asked: Callable[..., QuestionAsked] = lambda unsure: QuestionAsked(  # noqa: E731
        1, 0, "Which?", (), unsure, None, observe(FakeDevice(), lambda: None)
    )
    company = DataCompany(DataAnswers("lamp", (Ask(0, "Which lamp?", "The red one"),)))
    assert company.answer(asked(True)) == NOBODY
    assert company.answer(asked(False)) == GivenAnswer("The red one", by=AnswerOrigin.DATA)
    assert company.answer(replace(asked(False), question="Which shop?")) == "The data's answers were given: lamp has 1."


def test_several_are_asked_and_answered_of_which_some_have_none(tmp_path: Path) -> None:
    company = DataCompany(DataAnswers("e", (Ask(0, "?", "the shop"),)))
    script = [does(AskUser("Where?")), taps("Shop"), does(AskUser("What?")), taps("Kettle"), DONE]
    report, _ = act(tmp_path / "walk", *script, company=company)
    assert (report.how, report.questions, report.answered) == (AgentOutcome.COMPLETE, 2, 1)
    assert [one.answer for one in read_recording(report.folder).asks] == [
        "the shop", "There is no answer. Go on without asking.",
    ]  # fmt: skip
