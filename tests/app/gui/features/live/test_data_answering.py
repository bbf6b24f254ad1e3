"""The data's answers are looked up where they are: in what is walked as a phone, else in the open data."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.app.gui.features.live.data_answering import DataAnswering, search
from stepscope.app.services.library import whole_index
from stepscope.app.services.live.agent_events import QuestionAsked
from stepscope.app.services.live.data_answers import DataAnswers
from stepscope.core.device.session import observe
from stepscope.core.domain.episode import Ask, Episode, Platform
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.widgets.live.conversation import PendingQuestion
from tests.core.device.fake import FakeDevice

LAMP = Ask(2, "Which lamp?", "The red one")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_recording(
        Episode("lamp", "recording", Platform.ANDROID, "Buy a lamp", (), asks=(LAMP,)), tmp_path / "d" / "1"
    )
    return tmp_path / "d"


def context(source: Any = None, database: Any = None) -> Any:
    return SimpleNamespace(selection=SimpleNamespace(source=source), database=database)


def asked(*, unsure: bool = False) -> QuestionAsked:
    return QuestionAsked(1, 0, "Which?", (), unsure, None, observe(FakeDevice(), lambda: None), count=int(not unsure))


def test_in_the_recordings_that_are_walked_as_a_phone(data: Path) -> None:
    for serial in (f"replay:{data}", f"replay:{data}#shop"):
        found = search(context(), serial, "buy a LAMP")()
        assert found is not None and found.asks == (LAMP,)
    assert search(context(), f"replay:{data / 'gone'}", "Buy a lamp")() is None


def test_in_the_open_data_and_nowhere(data: Path, tmp_path: Path) -> None:
    with Database.open(store_url(tmp_path / "store.db")) as database:
        indexed = whole_index(database, data, CancelToken())
        assert indexed is not None
        chosen = SimpleNamespace(id=indexed.source_id, source=indexed.source)
        found = search(context(chosen, database), "simulated", "Buy a lamp")()
        assert found is not None and found.episode == "lamp"
    assert search(context(), "simulated", "Buy a lamp")() is None


def test_the_question_says_what_the_data_has_and_whether_there_is_data() -> None:
    answering, plain = DataAnswering(), PendingQuestion(changes=(("At step", "1"),))
    assert answering.offered(asked(), plain) == plain, "no data is open"
    answering.data = DataAnswers("lamp", (LAMP,))
    offered = answering.offered(asked(), plain)
    assert offered.from_data == "The red one"
    assert offered.changes == (("At step", "1"), ("In the data", "“The red one”, due at step 3"))
    assert answering.offered(asked(unsure=True), plain) == plain, "the workbench's own question"
    answering.data = answering.data.having_answered(0, "Something else?")
    nothing = answering.offered(asked(), plain)
    assert (nothing.from_data, nothing.changes[1][1]) == ("", "The data's answers were given: lamp has 1.")
