"""A served model that several threads ask: no more at once than the server takes, and an end when the run ends."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.progress import CancelToken
from stepscope.models.chat import keys
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.chat import STOPPED, ServedChat
from stepscope.models.chat.client import ServerError
from tests.models.chat.faults import Act, Stage, Waiting, completion

pytestmark = pytest.mark.needs("openai")

HELLO = [{"role": "user", "content": "?"}]


def test_it_says_what_was_said_and_counts_tokens(stage: Stage) -> None:
    keys.set("lab", "s3cret")
    stage.plays(completion("good", usage={}), completion("good")[:-1] + ', "usage": {"prompt_tokens": 12, '
                '"completion_tokens": 3, "total_tokens": 15}}')  # fmt: skip
    chat = ServedChat(stage.server(), "m")
    first, second = chat.ask(HELLO, 9), chat.ask(HELLO, 9)
    assert isinstance(first, ChatAnswer) and (first.text, first.tokens_in, first.tokens_out) == ("good", None, None)
    assert isinstance(second, ChatAnswer) and (second.text, second.tokens_in, second.tokens_out) == ("good", 12, 3)
    assert stage.bodies[0] == {"model": "m", "messages": HELLO, "temperature": 0.0, "max_tokens": 9}
    assert stage.seen[0][1]["Authorization"] == "Bearer s3cret"


@pytest.mark.parametrize("usage", ["3", {"prompt_tokens": -1}, {"prompt_tokens": True}, {"prompt_tokens": "9"}, None])
def test_usage_that_cannot_be_is_none(stage: Stage, usage: Any) -> None:
    form = json.loads(completion("good"))
    stage.plays(json.dumps({**form, "usage": usage}))
    found = ServedChat(stage.server(), "m").ask(HELLO, 9)
    assert isinstance(found, ChatAnswer) and (found.status, found.tokens_in) == (PredictionStatus.OK, None)


def test_an_answer_at_its_limit_is_there_as_far_as_it_came(stage: Stage) -> None:
    stage.plays(completion("modify_text('a', 'b')\nmod", "length"))
    found = ServedChat(stage.server(), "m").ask(HELLO, 9)
    assert isinstance(found, ChatAnswer) and found.unended and found.raw.endswith("mod")
    assert found.status is PredictionStatus.MALFORMED


def test_threads_ask_no_more_at_once_than_the_server_takes(stage: Stage) -> None:
    """Of three, two reach a server that hangs; cancelled, all three come back."""
    stage.plays(Act(how="hang"))
    token, chat = CancelToken(), ServedChat(stage.server(parallel=2), "m")
    chat.set_token(token)
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(chat.ask, HELLO, 9) for _ in range(3)]
        assert stage.hung.wait(10)
        for _ in range(500):
            if len(stage.seen) == 2:
                break
            threading.Event().wait(0.01)
        assert len(stage.seen) == 2
        token.cancel()
        found = [one.result(10) for one in asked]
    assert [str(one) for one in found] == [STOPPED] * 3 and len(stage.seen) == 2
    chat.set_token(CancelToken())
    stage.plays(completion("back"))
    again = chat.ask(HELLO, 9)
    assert isinstance(again, ChatAnswer) and again.text == "back"


def test_an_error_that_lasts_ends_the_asking_for_that_run(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(status=401))
    chat = ServedChat(stage.server(), "m", patience=waiting.patience())
    for _ in range(3):
        found = chat.ask(HELLO, 9)
        assert isinstance(found, ServerError) and "refuses the key" in str(found)
    assert len(stage.seen) == 1
    stage.plays(completion("again"))
    chat.set_token(CancelToken())
    assert isinstance(chat.ask(HELLO, 9), ChatAnswer)
