"""Data that goes, or changes, while a run is at work: an error for each episode that was lost, the score that it should
have for each other, and the rest once the data is back.

Six episodes of three steps; the data is damaged when the model is asked about the third. The first two are answered by
then; what is in the model's hands may break either way; of the last three the model must not be shown anything but what
was there when the index was made. With STEPSCOPE_SOAK=1 all damages are tried with all tasks (a minute).
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.app.services.evaluation import scorer_for
from stepscope.app.services.library import check_indexed, whole_index
from stepscope.app.services.verified_index_source import as_indexed
from stepscope.core.domain.action import Finish, Tap
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Ask, Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    FeasibilityAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    Task,
)
from stepscope.core.domain.run import Outcome, RunSpec, RunState
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runs import EvaluationRun, reopen_errors
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.core.store import queries
from stepscope.core.store.engine import Database

SIZE = Size(27, 60)
NAMES = [f"e{number}" for number in range(6)]
TASKS = {
    Task.AUTOMATION: "aitw",
    Task.FEASIBILITY: "feasibility",
    Task.GOAL: "goal_text",
    Task.ASK: "ask",
    Task.ORDERING: "ordering",
}
ANSWERS: dict[Task, Callable[[Any], Any]] = {
    Task.AUTOMATION: lambda _: ActionAnswer(Tap(Point(10, 20, SIZE))),
    Task.FEASIBILITY: lambda _: FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.5),
    Task.GOAL: lambda _: GoalAnswer("Goal"),
    Task.ASK: lambda _: AskAnswer(None),
    Task.ORDERING: lambda request: OrderAnswer(tuple(step.id for step in request.steps)),
}


def write_data(root: Path) -> None:
    for number, name in enumerate(NAMES):
        steps = []
        for place in range(3):
            elements = (
                UIElement(0, Box(0, 0, 27, 60, SIZE)),
                UIElement(1, Box(5, 5, 20 + place, 30, SIZE), 0, 1, text=f"Go {number}", clickable=True),
            )
            action = Finish() if place == 2 else Tap(Point(10 + place, 20, SIZE))
            seen = Observation(SIZE, tree=UITree(elements, TreeOrigin.DUMP, SIZE))
            steps.append(Step(place, seen, action, instruction=f"do {place}"))
        label = Feasibility(FeasibilityLabel.FEASIBLE)
        writer = RecordingWriter(root / str(number), durable=False)
        for step in steps:
            writer.add(step, encode_png(np.full((60, 27, 3), 20 + 40 * step.index + number, np.uint8)))
        asks = (Ask(1, "Which?", "That"),)
        writer.save(
            Episode(name, "recording", Platform.ANDROID, f"Goal {number}", tuple(steps), feasibility=label, asks=asks)
        )


class Looker:
    """Looks at all that it is shown, then answers; `then` happens when it is asked about the third episode."""

    def __init__(self, task: Task, then: Callable[[], object] | None) -> None:
        self.info = ModelInfo("looker", "Looker", task, "for tests", "tests")
        self._then = then
        self.blind: list[str] = []
        """episodes of which it was shown a step without its picture or its tree"""

    def predict(self, request: Any) -> Prediction:
        name = getattr(request, "episode", "") or request.procedure
        if name == "e2" and self._then is not None:
            self._then()
            self._then = None
        one = getattr(request, "observation", None)
        for seen in getattr(request, "observations", (one,) if one else ()):
            if seen.screenshot is None or seen.tree is None:
                self.blind.append(name)
            else:
                decode(seen.screenshot)
        return Prediction(name, getattr(request, "step", None), ANSWERS[self.info.task](request))


def each(suffix: str, do: Callable[[Path], object], root: Path) -> None:
    for path in sorted(root.rglob(f"*{suffix}")):
        if path.is_file():
            do(path)


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def elsewhere(root: Path) -> None:
    root.rename(root.with_name("away"))
    (root.parent / "other").mkdir()
    root.symlink_to(root.parent / "other")


def as_file(root: Path) -> None:
    root.rename(root.with_name("away"))
    root.write_text("no folder")


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGE: dict[str, Callable[[Path], object]] = {
    "deleted": shutil.rmtree,
    "renamed": lambda root: root.rename(root.with_name("away")),
    "a file in its place": as_file,
    "a link to another folder": elsewhere,
    "all emptied": partial(each, "", lambda path: path.write_bytes(b"")),
    "all cut": partial(each, "", halved),
    "pictures deleted": partial(each, ".png", Path.unlink),
    "pictures emptied": partial(each, ".png", lambda path: path.write_bytes(b"")),
    "pictures cut": partial(each, ".png", halved),
    "pictures became pipes": partial(each, ".png", as_pipe),
    "pictures became folders": partial(each, ".png", as_folder),
    "pictures became links out": partial(each, ".png", as_link),
    "trees deleted": lambda root: [shutil.rmtree(one) for one in root.rglob("trees")],
    "trees cut": lambda root: [each("", halved, one) for one in root.rglob("trees")],
    "trees became pipes": lambda root: [each("", as_pipe, one) for one in root.rglob("trees")],
    "the disk fails": lambda root: None,
}


EVERYDAY = ("deleted", "pictures deleted", "trees cut", "the disk fails")


def outcomes(database: Database, run: str) -> dict[tuple[str, int], Outcome]:
    with database.reading() as db:
        return {(one.key.episode, one.key.step): one for one in queries.each_item(db, run)}


def scores(found: dict[tuple[str, int], Outcome]) -> dict[tuple[str, int], tuple[Any, ...]]:
    return {key: (one.score.status, one.score.value, one.score.why) for key, one in found.items()}


def start(database: Database, source: Any, root: Path, looker: Looker) -> EvaluationRun:
    task = looker.info.task
    spec = RunSpec(task, "looker", str(root), "recording", TASKS[task], ())
    return EvaluationRun.start(database, spec, source, NAMES, looker, scorer_for(task, TASKS[task]))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[Task, dict[Any, Any]]:
    root = tmp_path_factory.mktemp("calm") / "data"
    write_data(root)
    found = {}
    with Database.open("sqlite://") as database:
        indexed = whole_index(database, root, CancelToken())
        assert indexed is not None
        for task in TASKS:
            run = start(database, as_indexed(database, indexed.source_id, indexed.source), root, Looker(task, None))
            assert list(run.updates())[-1].state is RunState.DONE
            found[task] = scores(outcomes(database, run.run_id))
            assert not any(score[0] is ScoreStatus.ERROR for score in found[task].values())
    return found


def chosen() -> Iterator[Any]:
    """Every damage for one task, and some of them for each other."""
    for task in TASKS:
        for damage in DAMAGE:
            for whole in (False, True):
                everyday = (not whole) if task is Task.AUTOMATION else whole and damage in EVERYDAY
                if everyday or os.environ.get("STEPSCOPE_SOAK"):
                    yield pytest.param(task, damage, whole, id=f"{task}, {damage}{', read whole' * whole}")


@pytest.mark.parametrize(("task", "damage", "whole"), list(chosen()))
def test_an_error_for_what_is_lost_and_the_rest_once_it_is_back(
    tmp_path: Path, undisturbed: Any, monkeypatch: pytest.MonkeyPatch, task: Task, damage: str, whole: bool
) -> None:
    root, copy = tmp_path / "data", tmp_path / "copy"
    write_data(root)
    shutil.copytree(root, copy)  # with its times
    failing: list[Path] = []
    real = os.open

    def opened(path: Any, *rest: Any, **more: Any) -> int:
        if any(str(path).startswith(str(one)) for one in failing):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", opened)

    def happens() -> None:
        DAMAGE[damage](root)
        if damage == "the disk fails":
            failing.append(root)

    with Database.open("sqlite://") as database:
        indexed = whole_index(database, root, CancelToken())
        assert indexed is not None
        if whole:
            assert list(check_indexed(database, indexed.source_id, indexed.source, CancelToken()))
        source = as_indexed(database, indexed.source_id, indexed.source)
        looker = Looker(task, happens)
        run = start(database, source, root, looker)
        assert list(run.updates())[-1].state is RunState.DONE
        found = outcomes(database, run.run_id)
        told = scores(found)
        assert looker.blind == [], "it answered about a screen without seeing it"
        for key, score in told.items():
            if score[0] is ScoreStatus.ERROR:
                assert key[0] not in ("e0", "e1") and str(root) in score[2], score[2]
            else:
                assert score == undisturbed[task][key]
        lost = {name for name in NAMES if any(key[0] == name and told[key][0] is ScoreStatus.ERROR for key in told)}
        assert lost >= {"e3", "e4", "e5"} or (task is Task.ORDERING and damage.startswith(("pictures", "trees")))

        if not lost:
            return
        failing.clear()
        for left in (root, root.with_name("away")):
            if left.is_symlink() or left.is_file():
                left.unlink()
            elif left.exists():
                shutil.rmtree(left)
        shutil.copytree(copy, root)
        reopen_errors(database, run.run_id)
        scorer = scorer_for(task, TASKS[task])
        again = EvaluationRun.resume(database, run.run_id, source, Looker(task, None), scorer)
        assert list(again.updates())[-1].state is RunState.DONE
        assert scores(outcomes(database, run.run_id)) == undisturbed[task]
