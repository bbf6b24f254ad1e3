"""A server that misbehaves: what is tried again, after how long, what is told, and what is never sent."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.progress import CancelToken
from stepscope.models.chat import client
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.client import Cancelled, ServerError, ask, check
from stepscope.models.chat.servers import ChatServer
from tests.models.chat.faults import Act, Stage, Waiting, completion

pytestmark = pytest.mark.needs("openai")

BODY = {"model": "m", "messages": [{"role": "user", "content": "?"}], "temperature": 0.0, "max_tokens": 9}


def one(stage: Stage, waiting: Waiting, attempts: int = 5, **fields: Any) -> ChatAnswer | ServerError:
    (found,) = ask(stage.server(**fields), [BODY], patience=waiting.patience(attempts))
    return found


def test_an_answer(stage: Stage, waiting: Waiting) -> None:
    found = one(stage, waiting)
    assert isinstance(found, ChatAnswer) and (found.status, found.text) == (PredictionStatus.OK, "Open the door")
    assert found.ms is not None and found.ms > 0
    assert stage.seen[0][0] == "/v1/chat/completions" and stage.bodies == [BODY]


def test_it_waits_as_long_as_it_is_asked_to(stage: Stage, waiting: Waiting) -> None:
    date = "Mon, 12 Jan 1970 13:46:47 GMT"  # seven seconds after the clock of the test
    stage.plays(
        Act(status=429, headers={"Retry-After": "2.5"}), Act(status=503, headers={"Retry-After": date}), completion()
    )
    assert isinstance(one(stage, waiting), ChatAnswer)
    assert waiting.waits == [2.5, 7.0]


def test_else_it_doubles_and_spreads(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(status=500))
    found = one(stage, waiting)
    assert isinstance(found, ServerError) and str(found) == "lab broke (500), asked 5 times."
    assert len(stage.seen) == 5 and len(waiting.waits) == 4
    for attempt, wait in enumerate(waiting.waits):
        assert 0.5 * 2**attempt <= wait <= 1.5 * 2**attempt


def test_who_asks_for_too_long_a_wait_is_left(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act('{"error": {"message": "Come back tomorrow"}}', 429, {"Retry-After": "86400"}))
    found = one(stage, waiting)
    assert "has too much to do (429), asked once. The server says: Come back tomorrow" in str(found)
    assert waiting.waits == [] and len(stage.seen) == 1


@pytest.mark.parametrize("how", ["close", "hang", "trickle"])
def test_a_connection_that_breaks_or_never_ends(stage: Stage, waiting: Waiting, how: str) -> None:
    stage.plays(Act(how=how))
    found = one(stage, waiting, attempts=2, timeout=20.0 if how == "close" else 0.4)
    words = "cannot be reached, tried 2 times" if how == "close" else "gave no answer within 0.4 s, asked 2 times"
    assert isinstance(found, ServerError) and words in str(found)
    assert len(waiting.waits) == 1


def test_nobody_listens(free_port: int, waiting: Waiting) -> None:
    server = ChatServer("lab", f"http://127.0.0.1:{free_port}/v1")
    (found,) = ask(server, [BODY], patience=waiting.patience(2))
    assert f"lab (http://127.0.0.1:{free_port}/v1) cannot be reached" in str(found)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, '{"error": {"message": "Wrong key s3cret"}}', "refuses the key (401). The server says: Wrong key •••"),
        (404, "<html>", "has no such model or address (404)."),
        (429, '{"error": {"message": "Pay", "code": "insufficient_quota"}}', "has nothing left to spend (429)."),
        (302, "", "sends on to another address (302)."),
    ],
)
def test_what_lasts_is_not_asked_again(stage: Stage, waiting: Waiting, status: int, body: str, words: str) -> None:
    stage.plays(Act(body, status, {"Location": f"{stage.url}/elsewhere"}))
    found = ask(stage.server(parallel=1), [BODY] * 3, key="s3cret", patience=waiting.patience())
    assert all(isinstance(error, ServerError) and error.lasting and words in str(error) for error in found)
    assert not any("s3cret" in str(error) for error in found)
    assert len(stage.seen) == 1 and waiting.waits == []


def test_fields_that_a_model_will_not_have_are_left_out(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act('{"error": {"message": "Unsupported parameter: max_tokens"}}', 400), completion())
    assert isinstance(one(stage, waiting), ChatAnswer)
    assert "max_tokens" not in stage.bodies[1] and "temperature" in stage.bodies[1]
    stage.plays(Act('{"error": {"message": "Too long"}}', 400))
    assert "did not take the request (400). The server says: Too long" in str(one(stage, waiting))


def test_only_what_is_meant_for_the_server_is_sent(
    stage: Stage, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-somebody-else")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "organisation")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: private")
    ask(stage.server(), [BODY], patience=waiting.patience())
    ask(stage.server(), [BODY], key="mine", patience=waiting.patience())
    without, with_key = ({name.lower(): value for name, value in headers.items()} for _, headers, _ in stage.seen)
    assert with_key.pop("authorization") == "Bearer mine"
    allowed = {"host", "connection", "accept", "accept-encoding", "content-type", "content-length", "user-agent"}
    allowed.add("x-stainless-raw-response")  # says nothing about anybody
    assert set(without) == set(with_key) <= allowed
    assert without["user-agent"] == "stepscope"


def test_several_at_once_and_one_bad_among_them(stage: Stage, waiting: Waiting) -> None:
    stage.plays(completion("One"), Act("<html>no</html>"), completion("Three"))
    found = ask(stage.server(parallel=1), [BODY] * 3, patience=waiting.patience())
    assert [one.status for one in found if isinstance(one, ChatAnswer)] == ["ok", "malformed", "ok"]


def test_a_cancelled_run_waits_no_longer(stage: Stage) -> None:
    stage.plays(Act(how="hang"))
    token = CancelToken()
    ended: list[float] = []

    def cancel() -> None:
        assert stage.hung.wait(20)
        ended.append(time.monotonic())
        token.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(Cancelled):
        ask(stage.server(), [BODY] * 6, token=token)
    thread.join()
    assert time.monotonic() - ended[0] < 1.0
    with pytest.raises(Cancelled):  # nor while it waits between two attempts
        stage.plays(Act(status=500))
        ask(stage.server(), [BODY], token=token)


def test_checking_asks_for_the_models(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.plays('{"object": "list", "data": [{"id": "small"}, {"id": "large"}]}')
    monkeypatch.setenv("STEPSCOPE_KEY_LAB", "of-the-lab")
    assert check(stage.server()).models == ("small", "large")
    path, headers, _ = stage.seen[0]
    assert path == "/v1/models" and headers["Authorization"] == "Bearer of-the-lab"
    for body in ("<html>", "[1]", "", '{"data": 3}'):
        stage.plays(body)
        with pytest.raises(ServerError, match="lab gives no list of models"):
            check(stage.server())
    stage.plays(Act(status=500))
    with pytest.raises(ServerError, match=r"lab broke \(500\)\."):
        check(stage.server())
    assert client.ATTEMPTS == 5
