"""What a run will take is told before it: by the newest run of the same model, else by its first question."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from stepscope.app.services import cost_estimates, evaluation
from stepscope.app.services.library import open_indexed
from stepscope.app.services.prices import set_price
from stepscope.core.domain.action import Wait
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.price import TokenPrice
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
from stepscope.models.chat import servers
from tests.app.cli.test_agents_run import EPISODES, TAPS, rows  # noqa: F401 - a fixture
from tests.models.chat.conftest import own_home, ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act, Stage, completion

if TYPE_CHECKING:
    from stepscope.core.sources.source import Source

pytestmark = pytest.mark.needs("openai")

MODEL = "served:lab/Qwen2.5-VL-7B#automation"
USAGE = {"prompt_tokens": 500, "completion_tokens": 20}


def counted() -> Act:

    said = '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait"}}\n</tool_call>'
    return Act(json.dumps(json.loads(completion(said)) | {"usage": USAGE}))


@pytest.fixture
def plan(tmp_path: Path, rows: Path, stage: Stage, own_home: Path):  # noqa: F811 - fixtures
    """`plan(limit)` of the model behind the server, and `run(limit)` of it."""
    stage.plays(counted())
    servers.add(stage.server(model="Qwen2.5-VL-7B", parallel=1))
    with Database.open(f"sqlite:///{tmp_path}/one.db") as database:
        *_, index = open_indexed(database, rows, CancelToken())

        def planned(limit: int | None = None, model: str = MODEL) -> evaluation.EvaluationPlan:
            request = evaluation.EvaluationRequest(model=model, limit=limit)
            return evaluation.plan(database, index.source_id, request, index.source)

        def run(limit: int) -> evaluation.PreparedRun:
            request = evaluation.EvaluationRequest(model=MODEL, limit=limit)
            prepared = evaluation.start(database, index.source, index.source_id, request)
            list(prepared.run.updates())
            return prepared

        yield planned, run


def test_at_first_by_the_question_then_as_it_was(plan) -> None:
    planned, run = plan
    first = planned().cost
    assert first is not None and first.source.startswith("by its first question")
    steps = EPISODES * (TAPS + 2)
    picture = steps * 280 * 588 / 784  # 210 tokens a step
    assert picture < first.tokens_in < picture + steps * 800 and first.tokens_out is None
    assert planned(model="text-match").cost is None

    prepared = run(1)
    assert prepared.cost is not None and prepared.cost.tokens_in == pytest.approx(first.tokens_in / EPISODES, abs=1)
    again = planned().cost
    assert again is not None and again.source == f"as in run {prepared.run.run_id}"
    assert (again.tokens_in, again.tokens_out) == (500 * steps, 20 * steps) and again.cost is None
    set_price(MODEL, TokenPrice(2.0, 10.0, "USD"))
    priced = planned().cost
    assert priced is not None and priced.cost == pytest.approx(500 * steps * 2e-6 + 20 * steps * 10e-6)
    assert priced.words == f"about 15 thousand tokens in, 600 out, 0.0360 USD (as in run {prepared.run.run_id})"


def test_goals_are_counted_by_some_of_their_trajectories(
    tmp_path: Path, rows: Path, stage: Stage, own_home: Path  # noqa: F811 - fixtures
) -> None:  # fmt: skip
    servers.add(stage.server(model="m"))
    with Database.open(f"sqlite:///{tmp_path}/one.db") as database:
        *_, index = open_indexed(database, rows, CancelToken())
        request = evaluation.EvaluationRequest(model="served:lab/m", task=Task.GOAL)
        found = evaluation.plan(database, index.source_id, request, index.source).cost
        few = evaluation.EvaluationRequest(model="served:lab/m?inputs=words", task=Task.GOAL)
        words = evaluation.plan(database, index.source_id, few, index.source).cost
    assert found is not None and words is not None and found.tokens_out is None
    assert "of its questions" in found.source and "pictures; " in found.source and "pictures" not in words.source
    assert found.tokens_in is not None and words.tokens_in is not None and found.tokens_in > words.tokens_in > 0
    assert stage.seen == [], "nothing is sent for it"


def test_an_agent_that_is_told_the_whole_goal_too_costs_twice_as_much(stage: Stage, own_home: Path) -> None:  # noqa: F811
    servers.add(stage.server(model="m", pictures=False))
    ask, seen = Ask(0, "How long?", "45 minutes"), Observation(Size(90, 160))
    steps = (Step(0, seen, Wait()), Step(1, seen, Wait()))

    def tokens(name: str, whole: str | None) -> int:
        timer = Episode("e", "t", Platform.ANDROID, "Set a timer", steps, asks=(ask,), original_goal=whole)
        source = cast("Source", SimpleNamespace(read=lambda name, place="": timer))
        with Database.open("sqlite://") as database:
            found = cost_estimates.estimate(database, source, Task.ASK, name, ["e"], 2)
        assert found is not None and found.tokens_in is not None
        assert found.source.endswith("what runs again once it asks comes on top")
        return found.tokens_in

    once = tokens("served:lab/m#ask?streams=two", "Set a timer for 45 minutes")
    assert tokens("served:lab/m#ask", "Set a timer for 45 minutes") == pytest.approx(2 * once, abs=1)
    assert tokens("served:lab/m#ask", None) == once


def test_numbers_are_rounded_and_unknown_ones_left_out() -> None:
    one = cost_estimates.CostEstimate("as before", 3.0, 3_140_000, 1_234, None)
    assert one.words == "about 3.1 million tokens in, 1,200 out (as before)"
    assert cost_estimates.CostEstimate("x", 3.0).words == ""
