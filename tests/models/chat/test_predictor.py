"""A served model in the engine: the prompt, the run that goes on, the answers that are remembered, the registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import Action, AskUser, Finish, FinishStatus, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import GoalAnswer, PredictionStatus
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.prediction_cache import CachedPredictor, PredictionCache
from stepscope.core.evaluation.predictor import Cancellable, EpisodeRequest, is_batching
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.imaging.draw import encode_png
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.models import registry
from stepscope.models.agents.asked import load
from stepscope.models.chat import servers, trajectory
from stepscope.models.chat.servers import ChatServer
from stepscope.models.goal.asking import goal_question, goal_settings
from tests.models.chat.faults import Act, Stage, Waiting, completion
from tests.models.chat.goals import served_goals

pytestmark = pytest.mark.needs("openai")

SIZE = Size(90, 160)
TAP = Tap(Point(10, 10, SIZE), Target(Box(0, 0, 20, 20, SIZE), "Save", None))


@pytest.fixture
def seen(tmp_path: Path) -> Observation:
    file = tmp_path / "screen.png"
    file.write_bytes(encode_png(np.full((160, 90, 3), 200, np.uint8)))
    return Observation(SIZE, Picture(file, SIZE))


def request(seen: Observation, *actions: Action | None, episode: str = "e") -> EpisodeRequest:
    return EpisodeRequest(episode, None, Platform.ANDROID, (seen,) * len(actions), actions, "com.example.mail")


def asked(made: EpisodeRequest, *, sees: bool = True, **given: str) -> list[dict[str, Any]]:
    """The messages that are put to a model with these settings."""
    messages = goal_question(made, goal_settings("m", given, sees=sees)[0]).messages
    assert messages is not None
    return messages


def parts(message: dict[str, Any]) -> list[str]:
    return [part.get("text") or "picture" for part in message["content"]]


def test_each_step_is_told_with_its_picture(seen: Observation) -> None:
    system, user = asked(request(seen, TAP, AskUser("Which?"), Type("milk"), None), prompt="sentence")
    assert parts(user) == [
        "Step 1: Tap “Save”", "picture", "Step 2: Type “milk”", "picture", "At the end:", "picture",
        "What was the goal? One imperative sentence.",
    ]  # fmt: skip
    assert "blue plus" in system["content"]
    finished = asked(request(seen, TAP, Finish(FinishStatus.IMPOSSIBLE)))
    assert finished == asked(request(seen, TAP, None))


def test_a_long_way_is_sent_in_part_with_its_last_screen(seen: Observation) -> None:
    told = parts(asked(request(seen, *[TAP] * 300, None))[1])
    assert told.count("picture") == trajectory.PICTURES and told[-3:-1] == ["At the end:", "picture"]
    assert sum(one.startswith("Step") for one in told) == trajectory.STEPS - 1
    assert "Step 300: Tap “Save”" not in told[:-20] and told[0] == "Step 1: Tap “Save”", "numbers are those of the way"


def test_words_alone_for_a_model_that_sees_nothing_and_no_password(seen: Observation) -> None:
    field = UIElement(0, Box(0, 0, 90, 20, SIZE), text="Password", editable=True, focused=True, password=True)
    screen = Observation(SIZE, seen.screenshot, UITree((field,), TreeOrigin.VIEW_HIERARCHY, SIZE))
    system, user = asked(request(screen, Type("hunter2"), None), sees=False, prompt="sentence")
    assert user["content"].splitlines() == [
        "Step 1: Type “●●●●●●●●”", "At the end:",
        "What was the goal? One imperative sentence.",
    ]  # fmt: skip
    assert "no pictures" in system["content"] and "hunter2" not in user["content"]


def test_every_item_is_told_what_became_of_it(stage: Stage, waiting: Waiting, seen: Observation) -> None:
    stage.plays(completion("Save it"), "<html>", completion("I cannot", "content_filter"), Act(status=500))
    model = served_goals(stage.server(parallel=1), patience=waiting.patience(1))
    empty = EpisodeRequest("none", None, Platform.ANDROID, (), ())
    asked = [request(seen, TAP, episode=str(number)) for number in range(4)]
    found = model.predict_batch([model.prepare(one) for one in (*asked, empty)])
    assert [one.status for one in found] == [
        PredictionStatus.OK, PredictionStatus.MALFORMED, PredictionStatus.REFUSED, PredictionStatus.FAILED,
        PredictionStatus.EMPTY,
    ]  # fmt: skip
    assert found[0].answer == GoalAnswer("Save it") and found[0].latency_ms is not None
    assert [one.episode for one in found] == ["0", "1", "2", "3", "none"]
    assert all(one.why for one in found[1:]) and is_batching(model)


def test_a_refused_key_ends_the_asking_until_the_next_run(stage: Stage, waiting: Waiting, seen: Observation) -> None:
    stage.plays(Act(status=401))
    model = served_goals(stage.server(), patience=waiting.patience())
    for _ in range(3):
        assert model.predict(request(seen, TAP)).status is PredictionStatus.FAILED
    assert len(stage.seen) == 1
    model.set_token(CancelToken())
    stage.plays(completion())
    assert model.predict(request(seen, TAP)).status is PredictionStatus.OK


def test_what_was_answered_is_not_asked_again(
    stage: Stage, waiting: Waiting, seen: Observation, tmp_path: Path
) -> None:
    cache = PredictionCache(tmp_path / "answers.db")
    stage.plays(Act(status=500), completion())
    for _ in range(4):
        model = CachedPredictor(served_goals(stage.server(), patience=waiting.patience(1)), cache)
        last = model.predict(request(seen, TAP))
    assert len(stage.seen) == 2  # the failure is not kept, the answer is
    assert last.answer == GoalAnswer("Open the door") and model.remembered == 1
    other = CachedPredictor(served_goals(stage.server(), "another"), cache)
    other.predict(request(seen, TAP))
    assert len(stage.seen) == 3
    cache.close()


def test_a_cancelled_run_ends_while_the_server_hangs(stage: Stage, sample: Any, tmp_path: Path) -> None:
    source, units = sample
    token = CancelToken()
    model = CachedPredictor(served_goals(stage.server(pictures=False)), PredictionCache(tmp_path / "answers.db"))
    assert isinstance(model, Cancellable)
    scorer = run_scorer("goal_text")
    stage.plays(Act(how="hang"))
    ended = evaluate(
        source, units[:3], model, scorer, parse_options(scorer.info, {}), token=token,
        waiting=lambda: token.cancel() if stage.hung.is_set() else None,
    )  # fmt: skip
    assert list(ended) == []


def test_the_engine_runs_it_and_goes_on(stage: Stage, waiting: Waiting, sample: Any) -> None:
    source, units = sample
    stage.plays("<html>", completion("Open the clock"))
    model = served_goals(stage.server(pictures=False, parallel=1), patience=waiting.patience())
    scorer = run_scorer("goal_text")
    found = list(evaluate(source, units[:3], model, scorer, parse_options(scorer.info, {})))
    assert [one.prediction.status for one in found] == ["malformed", "ok", "ok"]


def test_models_of_servers_are_named_like_any_other(stage: Stage) -> None:
    servers.add(ChatServer("lab", stage.url, "small"))
    servers.add(ChatServer("bare", stage.url))
    listed = registry.registry().models
    assert "served:lab/small" in listed and not any(name.startswith("served:bare") for name in listed)
    info = registry.model_info("served:lab/org/large")
    assert (info.name, info.runtime, info.weights, info.task) == ("served:lab/org/large", "service", "none", "goal")
    assert registry.load("served:lab").info.name == "served:lab/small"
    for name, why in (("served:nowhere/m", "no server 'nowhere'"), ("served:bare", "no model of its own")):
        with pytest.raises(UsageError, match=why):
            load(name)
    servers.LIST.file.write_text("{")
    assert any("servers.json" in one.message for one in registry.registry().problems)
