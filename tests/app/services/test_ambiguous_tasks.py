"""Making ambiguous tasks: cancelled and killed work goes on, and nothing of recordings is sent without consent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services import ambiguous_tasks
from stepscope.app.services.ambiguous_estimate import making_estimate
from stepscope.app.services.ambiguous_reviews import ReviewChange as Change
from stepscope.app.services.ambiguous_reviews import edit_by, listed_tasks, review, task_named, verdict_of
from stepscope.app.services.ambiguous_tasks import MakingCount, MakingRequest, make_tasks
from stepscope.app.services.library import IndexProgress, whole_index
from stepscope.app.services.prices import set_price
from stepscope.core.domain.action import Tap, Target
from stepscope.core.domain.ambiguous_task import ReviewVerdict, TaskStanding
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.price import TokenPrice
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.settings import store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.models.ask.making.maker import EpisodeDrafts
from stepscope.models.ask.making.rules import RuleTaskMaker
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer

SIZE = Size(100, 200)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("Ann", "Ben", "Cy"):
        target = Target(Box(0, 0, 9, 9, SIZE), name)
        steps = (Step(0, Observation(SIZE), Tap(Point(5, 5, SIZE), target)),)
        label = Feasibility(FeasibilityLabel.INFEASIBLE if name == "Cy" else FeasibilityLabel.FEASIBLE)
        goal = f"Tell {name} that it rains"
        write_recording(Episode(name, "r", Platform.ANDROID, goal, steps, feasibility=label), tmp_path / "walks" / name)
    return tmp_path / "walks"


@pytest.fixture
def database(tmp_path: Path, own_home: Path) -> Iterator[Database]:
    with Database.open(store_url(tmp_path / "store.db")) as found:
        yield found


def made(database: Database, data: Path, token: CancelToken | None = None, **more: Any) -> MakingCount:
    found = whole_index(database, data, CancelToken())
    assert isinstance(found, IndexProgress)
    work = make_tasks(database, found.source_id, found.source, str(data), MakingRequest(**more), token)
    while True:
        try:
            assert isinstance(next(work), Progress)
        except StopIteration as ended:
            return ended.value  # type: ignore[no-any-return]


def test_what_was_cancelled_goes_on(database: Database, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token, asked, real = CancelToken(), [], RuleTaskMaker.make

    def make(self: RuleTaskMaker, episode: Episode, removed: Any) -> EpisodeDrafts:
        asked.append(episode.id)
        token.cancel()
        return real(self, episode, removed)

    monkeypatch.setattr(RuleTaskMaker, "make", make)
    first = made(database, data, token)
    assert (first.made, asked) == (1, ["Ann"]), "what was done is kept"
    second = made(database, data)
    assert (second.known, second.made, second.infeasible, asked) == (1, 1, 1, ["Ann", "Ben"])
    assert made(database, data, removed=(1, 2)).made == 2, "tasks that leave out more are not there yet"
    assert made(database, data, seed=3).made == 2, "another seed is another version"


def test_an_episode_that_cannot_be_made_is_told_and_tried_again(
    database: Database, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(RuleTaskMaker, "make", lambda *_: EpisodeDrafts(failed="busy"))
        count = made(database, data)
    assert count.failed == [("Ann", "busy"), ("Ben", "busy")] and count.made == 0
    assert made(database, data).made == 2


def test_reviews_are_undone_and_forgotten_when_the_words_change(database: Database, data: Path) -> None:
    made(database, data)
    (one, other) = listed_tasks(database, str(data))
    done = review(database, Change(after=(verdict_of(one.task, "ann", ReviewVerdict.REJECTED),)))
    assert task_named(database, str(data), one.task.id).standing is TaskStanding.REJECTED
    again = review(database, Change(after=(edit_by(one.task, "ann", "Tell somebody that it rains", []),)))
    assert again.before == done.after
    assert task_named(database, str(data), one.task.id).settled.goal == "Tell somebody that it rains"
    review(database, again.reverse)
    assert task_named(database, str(data), one.task.id).standing is TaskStanding.REJECTED
    review(database, done.reverse)
    assert task_named(database, str(data), one.task.id).standing is TaskStanding.OPEN
    assert listed_tasks(database, str(data))[1] == other


def test_tasks_that_fail_a_check_come_last(database: Database, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        ambiguous_tasks, "failed_checks", lambda task, _steps: ("bad",) if "Ann" in task.original else ()
    )
    count = made(database, data)
    assert count.failing == 1
    assert [one.task.slot.episode for one in listed_tasks(database, str(data))] == ["Ben", "Ann"]


def test_a_budget_needs_a_price(database: Database, data: Path) -> None:
    servers.add(ChatServer("lab", "http://127.0.0.1:9/v1", "m"))
    request = MakingRequest("served:lab/m?tokens=99", budget=1.5)
    with pytest.raises(UsageError, match="has no price"):
        ambiguous_tasks.budget_of(request)
    set_price("served:lab/m#automation?screens=2", TokenPrice(1.0, 2.0))
    assert ambiguous_tasks.budget_of(request).cost == 0.0


def test_questions_are_counted_before_they_are_put(database: Database, data: Path) -> None:
    """Three episodes of one step, two questions each; one more each for a second step left out."""
    found = whole_index(database, data, CancelToken())
    assert isinstance(found, IndexProgress)

    def told(**more: Any) -> int:
        request = MakingRequest("served:lab/m", **more)
        estimate = making_estimate(database, found.source_id, found.source, request)
        assert estimate is not None and estimate.cost is not None and estimate.cost.tokens_in
        return estimate.questions

    servers.add(ChatServer("lab", "http://127.0.0.1:9/v1", "m", pictures=False))
    assert (told(), told(removed=(1, 2)), told(limit=1), told(most_questions=4)) == (6, 9, 2, 4)
    assert making_estimate(database, found.source_id, found.source, MakingRequest()) is None
    set_price("served:lab/m", TokenPrice(1e6, 0.0))
    estimate = making_estimate(database, found.source_id, found.source, MakingRequest("served:lab/m"))
    assert estimate is not None and estimate.cost is not None
    assert estimate.cost.cost == estimate.cost.tokens_in and "at most 6 questions" in estimate.cost.words


@pytest.mark.parametrize("removed", [(), (0,), (10,)])
def test_numbers_of_steps_that_cannot_be_are_refused(removed: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="no number of steps"):
        MakingRequest(removed=removed)
