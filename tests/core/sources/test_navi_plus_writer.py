"""Ambiguous tasks in Navi-plus's layout, and as recordings: what is written reads back equal."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Hover,
    Key,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
    action_point,
    action_target,
)
from stepscope.core.domain.ambiguous_task import AmbiguousTask, MissingPiece, PieceKind, StepReading, TaskSlot
from stepscope.core.domain.episode import (
    Ask,
    Encoding,
    Episode,
    Observation,
    Picture,
    Platform,
    Problem,
    Slice,
    Step,
)
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.ambiguous_episodes import ambiguous_episode, own_episode
from stepscope.core.sources.ask_records import ask_record_of
from stepscope.core.sources.navi_plus import open_navi_plus
from stepscope.core.sources.navi_plus_writer import NaviPlusWriter
from stepscope.core.sources.recording import open_recording
from stepscope.core.sources.recording_writer import write_recording

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
SIZE = Size(30, 40)
GOAL = "Track the moon on March 4"


def task_of(goal: str, *pieces: MissingPiece, original: str = GOAL, steps: int = 3) -> AmbiguousTask:
    readings = tuple(StepReading(index, f"Do {index}") for index in range(steps))
    return AmbiguousTask(TaskSlot("data", "7", "rules", len(pieces)), original, goal, pieces, readings, NOON)


def piece(step: int, question: str = "Which date?", answer: str = "March 4.") -> MissingPiece:
    return MissingPiece(step, "March 4", question, answer, PieceKind.DATE)


def episode_of(*actions: Action | None, picture: Picture | None = None) -> Episode:
    steps = tuple(Step(index, Observation(SIZE, picture), action) for index, action in enumerate(actions))
    return Episode("7", "motif", Platform.ANDROID, GOAL, steps, app="moon", splits=("test",))


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    path = tmp_path / "shot.png"
    assert cv2.imwrite(str(path), np.full((40, 30, 3), 90, np.uint8))
    return Picture(path, SIZE)


def test_an_ask_step_stands_before_each_step_that_needs_what_is_missing() -> None:
    whole = episode_of(OpenApp("Moon"), Type("March 4"), Wait())
    whole = replace(whole, steps=(whole.steps[0], replace(whole.steps[1], index=4), replace(whole.steps[2], index=5)),
                    problems=(Problem("odd", "7", 5), Problem("lost", "7", 2)))  # fmt: skip
    made = ambiguous_episode(
        task_of("Track the moon", piece(4), piece(0, "Which app?", "Moon."), steps=6), whole, "7-2"
    )
    assert (made.id, made.goal, made.original_goal) == ("7-2", "Track the moon", GOAL)
    assert [step.action for step in made.steps] == [
        AskUser("Which app?"), OpenApp("Moon"), AskUser("Which date?"), Type("March 4"), Wait()
    ]  # fmt: skip
    assert [step.index for step in made.steps] == [0, 1, 2, 3, 4]
    assert [step.instruction for step in made.steps] == [None, "Do 0", None, "Do 4", "Do 5"]
    assert made.asks == (Ask(0, "Which app?", "Moon.", "date"), Ask(2, "Which date?", "March 4.", "date"))
    assert [problem.step for problem in made.problems] == [4, None]


def test_a_neutral_record_has_the_steps_of_the_data_itself() -> None:
    record = ask_record_of(own_episode(task_of("Track the moon", piece(1)), "7"))
    assert record == {
        "episode_id": "7", "original_task": GOAL, "ambiguous_task": "Track the moon",
        "asks": [{"step": 1, "question": "Which date?", "answer": "March 4.", "kind": "date"}],
    }  # fmt: skip


def written(folder: Path, *made: tuple[AmbiguousTask, Episode]) -> list[Episode]:
    """The tasks, written and read again."""
    writer = NaviPlusWriter(folder)
    for task, episode in made:
        writer.add(task, episode)
    writer.close()
    source = open_navi_plus(folder)
    rows = list(source.scan())
    assert not any(isinstance(row, Problem) for row in rows), rows
    return [source.read(row.id, row.place) for row in rows if not isinstance(row, Problem)]


def test_pictures_go_along_once_each_wherever_they_lay(tmp_path: Path, picture: Picture) -> None:
    data = picture.path.read_bytes()
    (tmp_path / "shard").write_bytes(b"xx" + data + bytes(range(9)) * 400)
    inside = Picture(tmp_path / "shard", SIZE, Slice(2, len(data)))
    raw = Picture(tmp_path / "shard", SIZE, Slice(2 + len(data), 3600, encoding=Encoding.RGB))
    steps = [Step(index, Observation(SIZE, one), Wait()) for index, one in enumerate((picture, inside, raw))]
    whole = replace(episode_of(), steps=tuple(steps))
    (tmp_path / "out").mkdir()
    (back,) = written(tmp_path / "out", (task_of("Track the moon", piece(1)), whole))
    assert len(list((tmp_path / "out" / "images").iterdir())) == 2, "two are equal"
    shown = [step.observation.screenshot for step in back.steps]
    assert shown[0] == shown[1] == shown[2] != shown[3] and shown[3] is not None and shown[3].size == SIZE
    folder = write_recording(ambiguous_episode(task_of("Track", piece(1)), whole), tmp_path / "recording")
    (row,) = open_recording(folder).scan()
    assert not isinstance(row, Problem) and (row.screens, row.asks) == (4, 1)
    gone = replace(whole, steps=(Step(0, Observation(SIZE, Picture(tmp_path / "no.png", SIZE)), Wait()),))
    (tmp_path / "other").mkdir()
    writer = NaviPlusWriter(tmp_path / "other")
    with pytest.raises(SourceError):
        writer.add(task_of("Track", piece(0)), gone)
    writer.close()


def test_the_papers_own_names_stand_in_the_records(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    written(tmp_path / "out", (task_of("Track the moon", piece(1)), episode_of(Wait(), Wait())))
    (line,) = (tmp_path / "out" / "navi-plus.jsonl").read_text("utf-8").splitlines()
    form = json.loads(line)
    assert form["Full Task"] == GOAL and form["Rephrased Incomplete Task Description"] == "Track the moon"
    assert form["QA Pairs"][0] == {
        "step": 1, "Selected Step to Exclude": "Do 1", "Overlapping Information": "March 4",
        "Follow Up Question": "Which date?", "Human Answer": "March 4.", "kind": "date",
    }  # fmt: skip


WORDS = st.text(max_size=8)
SAID = st.text(min_size=1, max_size=8).filter(lambda text: bool(text.strip())).map(lambda text: " ".join(text.split()))
POINTS = st.builds(Point, st.floats(-99, 99), st.floats(-99, 99), st.just(SIZE))
EDGES = st.tuples(st.floats(0, 99), st.floats(0, 99)).map(sorted)
BOXES = st.builds(lambda x, y: Box(x[0], y[0], x[1], y[1], SIZE), EDGES, EDGES)
TARGETS = st.none() | st.builds(Target, st.none() | BOXES, WORDS)
ACTIONS = st.none() | st.one_of(
    *[st.builds(kind, POINTS, TARGETS) for kind in (Tap, LongPress, DoubleTap, Hover)],
    st.builds(Tap, st.none(), st.builds(Target, st.none() | BOXES, WORDS)),
    *[st.builds(kind, POINTS, POINTS, TARGETS) for kind in (Swipe, Drag)],
    st.builds(Scroll, st.sampled_from(Direction), st.none() | POINTS, TARGETS),
    *[st.builds(kind, WORDS, st.none() | POINTS, TARGETS) for kind in (Type, Select)],
    st.builds(PressKey, st.sampled_from(Key) | st.sampled_from(["volume_up", "tab"])),
    *[st.builds(kind, WORDS) for kind in (OpenApp, AskUser, Say)],
    st.just(Wait()),
    st.builds(Finish, st.sampled_from(FinishStatus)),
)


def as_read(action: Action | None) -> Action | None:
    """What is known of an element's place is the place of the action too."""
    target = action_target(action) if action is not None else None
    if action is not None and target is not None and target.box is not None and action_point(action) is None:
        return replace(action, point=target.box.centre)  # type: ignore[call-arg]
    return action


@given(
    st.lists(ACTIONS, min_size=1, max_size=5), st.data(), SAID, st.lists(st.tuples(SAID, SAID), min_size=1, max_size=2)
)
@settings(max_examples=60)
def test_what_is_written_reads_back_equal(
    actions: list[Action | None], data: st.DataObject, goal: str, said: list[tuple[str, str]]
) -> None:
    steps = data.draw(st.lists(st.integers(0, len(actions) - 1), min_size=1, max_size=len(said), unique=True))
    pieces = [piece(step, question, answer) for step, (question, answer) in zip(steps, said, strict=False)]
    task = task_of(goal, *pieces, original=f"{goal} on March 4", steps=len(actions))
    whole = episode_of(*actions)
    with tempfile.TemporaryDirectory() as folder:
        (back,) = written(Path(folder), (task, whole))
    made = ambiguous_episode(task, whole)
    assert (back.id, back.goal, back.original_goal) == (made.id, made.goal, made.original_goal)
    assert (back.app, back.platform, back.splits, back.problems) == (made.app, made.platform, made.splits, ())
    assert back.asks == made.asks
    assert [step.action for step in back.steps] == [as_read(step.action) for step in made.steps]
    assert [step.instruction for step in back.steps] == [step.instruction for step in made.steps]
    assert {step.observation.size for step in back.steps} == {SIZE}
