"""What an agent that asks is tuned on: the question where it is due, and the step once it is answered."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.app.services.library import whole_index
from stepscope.app.services.tuning_lessons import (
    Lessons,
    Taught,
    TuningData,
    check_mixture,
    example_of,
    lessons,
    mixture_of,
)
from stepscope.core.domain.action import AskUser, Tap, Type
from stepscope.core.domain.episode import Ask, Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.models.agents.adapter import adapter_named, read_answer
from stepscope.models.agents.settings import AskingSettings
from tests.models.checkpoints.teaching import SMALL, png

SETTINGS = AskingSettings(adapter_named("json"))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(f"sqlite:///{tmp_path / 'store.db'}") as opened:
        yield opened


@pytest.fixture
def data(tmp_path: Path, database: Database) -> TuningData:
    """ "Send it" without to whom: the question is due at the second step."""
    folder = tmp_path / "asks"
    folder.mkdir()
    (tmp_path / "screen.png").write_bytes(png(SMALL))
    seen = Observation(SMALL, Picture(tmp_path / "screen.png", SMALL))
    steps = (Step(0, seen, Tap(Point(20, 40, SMALL))), Step(1, seen, Type("Ana")), Step(2, seen))
    episode = Episode(
        "e", "recording", Platform.ANDROID, "Send it", steps, asks=(Ask(1, "To whom?", "To Ana"),),
        original_goal="Send it to Ana",
    )  # fmt: skip
    write_recording(episode, folder / "e")
    indexed = whole_index(database, folder, CancelToken())
    assert indexed is not None
    return TuningData(indexed.source, indexed.source_id)


def found(database: Database, data: TuningData, task: Task) -> Lessons:
    *_, last = lessons(database, [data], Taught(task, SETTINGS), CancelToken())
    assert isinstance(last, Lessons)
    return last


def test_a_step_at_which_a_question_is_due_is_two_lessons(database: Database, data: TuningData) -> None:
    taught = Taught(Task.ASK, SETTINGS)
    several = found(database, data, Task.ASK).lessons
    assert [one.name for one in several] == ["e, step 1", "e, step 2", "e, step 2, answered"]
    examples = [example_of(one, taught) for one in several]
    said = [
        read_answer(SETTINGS.adapter, one.answer, SMALL, SETTINGS.adapter.sent(SMALL)).actions[0] for one in examples
    ]
    assert [one.kind for one in said] == ["tap", "ask", "type"]
    assert said[1].text == "To whom?" and said[2].text == "Ana"
    words = [str([part for part in one.messages if part["role"] == "user"][-1]["content"][0]) for one in examples]
    assert ["To Ana" in one for one in words] == [False, False, True], "the answer is told only once it was asked for"
    assert not any("Send it to Ana" in str(one.messages) for one in examples), (
        "what is left out of the goal is not told"
    )


def test_behind_a_question_the_answer_is_told(database: Database, data: TuningData, tmp_path: Path) -> None:
    """Two questions, each a step of its own as it is written of ambiguous tasks: on one screen with the next step."""
    seen = Observation(SMALL, Picture(tmp_path / "screen.png", SMALL))
    actions = (AskUser("To whom?"), Type("Ana"), AskUser("What?"), Type("Hello"), Tap(Point(20, 40, SMALL)))
    episode = Episode(
        "e", "recording", Platform.ANDROID, "Send it", tuple(Step(at, seen, did) for at, did in enumerate(actions)),
        asks=(Ask(0, "To whom?", "To Ana"), Ask(2, "What?", "A greeting")), original_goal="Send a greeting to Ana",
    )  # fmt: skip
    shutil.rmtree(data.source.path / "e")
    write_recording(episode, data.source.path / "e")
    indexed = whole_index(database, data.source.path, CancelToken())
    assert indexed is not None
    now = TuningData(indexed.source, indexed.source_id)
    taught = Taught(Task.ASK, SETTINGS)
    several = found(database, now, Task.ASK).lessons
    assert [one.name for one in several] == [
        "e, step 1", "e, step 2", "e, step 3", "e, step 4", "e, step 5",
    ]  # fmt: skip
    told = [str(example_of(one, taught).messages) for one in several]
    assert [("To Ana" in one, "A greeting" in one) for one in told] == [
        (False, False), (True, False), (True, False), (True, True), (True, True),
    ]  # fmt: skip
    assert len(set(told[:4])) == 4, "nothing that is asked in one way has two answers"


def test_every_action_is_a_lesson_of_an_agent(database: Database, data: TuningData) -> None:
    several = found(database, data, Task.AUTOMATION).lessons
    assert [one.name for one in several] == ["e, step 1", "e, step 2"]
    assert "Ana" in example_of(several[1], Taught(Task.AUTOMATION, SETTINGS)).answer


def test_a_cancelled_reading_gives_nothing(database: Database, data: TuningData) -> None:
    token = CancelToken()
    token.cancel()
    assert not any(isinstance(one, Lessons) for one in lessons(database, [data], Taught(Task.ASK, SETTINGS), token))


@pytest.fixture
def mixed(data: TuningData, database: Database, tmp_path: Path) -> TuningData:
    """The same beside an episode of which nothing was left out, and one that leaves something out unasked."""
    seen = Observation(SMALL, Picture(tmp_path / "screen.png", SMALL))
    steps = (Step(0, seen, Tap(Point(20, 40, SMALL))), Step(1, seen))
    for name, goal, whole in (("f", "Open it", None), ("u", "Open something", "Open the door")):
        episode = Episode(name, "recording", Platform.ANDROID, goal, steps, original_goal=whole)
        write_recording(episode, data.source.path / name)
    indexed = whole_index(database, data.source.path, CancelToken())
    assert indexed is not None
    return TuningData(indexed.source, indexed.source_id)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", ["e, step 1", "e, step 2", "e, step 2, answered", "f, step 1", "u, step 1"]),
        ("full", ["e, step 1, whole goal", "e, step 2, whole goal", "f, step 1", "u, step 1, whole goal"]),
        ("ambiguous", ["e, step 1", "e, step 2", "e, step 2, answered", "u, step 1"]),
        (
            "ambiguous, full",
            ["e, step 1", "e, step 2", "e, step 2, answered", "e, step 1, whole goal", "e, step 2, whole goal",
             "f, step 1", "u, step 1", "u, step 1, whole goal"],
        ),
    ],
)  # fmt: skip
def test_one_ambiguous_data_set_gives_full_and_ambiguous_tasks(
    database: Database, mixed: TuningData, words: str, named: list[str]
) -> None:
    taught = Taught(Task.ASK, SETTINGS, mixture=mixture_of(words))
    *_, last = lessons(database, [mixed], taught, CancelToken())
    assert isinstance(last, Lessons)
    assert [one.name for one in last.lessons] == named
    for one in last.lessons:
        example = example_of(one, taught)
        told = str(example.messages)
        assert ("to Ana" in told or "the door" in told) == one.whole, example.name
        assert not (one.whole and ("To whom?" in told or '"ask"' in example.answer)), (
            "nothing is asked, nothing answered"
        )


def test_a_mixture_of_other_words_or_of_another_task_is_refused() -> None:
    with pytest.raises(UsageError, match="has no 'half'"):
        mixture_of("full,half")
    with pytest.raises(UsageError, match="agents that ask only"):
        check_mixture(("full",), Task.AUTOMATION)
    check_mixture((), Task.GOAL)


def test_what_was_answered_stays_in_the_context_of_what_is_learned(tmp_path: Path, database: Database) -> None:
    """Questions are due at the first and the third of four steps."""
    (tmp_path / "screen.png").write_bytes(png(SMALL))
    seen = Observation(SMALL, Picture(tmp_path / "screen.png", SMALL))
    steps = tuple(Step(place, seen, Tap(Point(20, 40, SMALL))) for place in range(4))
    asks = Ask(0, "To whom?", "Ana"), Ask(2, "When?", "Noon")
    write_recording(Episode("e", "recording", Platform.ANDROID, "Send it", steps, asks=asks), tmp_path / "asks" / "e")
    indexed = whole_index(database, tmp_path / "asks", CancelToken())
    assert indexed is not None
    several = found(database, TuningData(indexed.source, indexed.source_id), Task.ASK).lessons
    told = [str(example_of(one, Taught(Task.ASK, SETTINGS)).messages) for one in several]
    assert [one.name for one in several] == [
        "e, step 1", "e, step 1, answered", "e, step 2", "e, step 3", "e, step 3, answered", "e, step 4",
    ]  # fmt: skip
    assert ["Ana" in one for one in told] == [False, True, True, True, True, True]
    assert ["Noon" in one for one in told] == [False, False, False, False, True, True]
