"""Answers without end and answers that become huge are one error each, which says how to raise the limit."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from stepscope.core import limits
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.models.chat.answers import ChatAnswer, answer_text
from stepscope.models.chat.client import ServerError, ask, check
from tests.models.chat.faults import Act, Stage, Waiting, completion

pytestmark = pytest.mark.needs("openai")

BODY = {"model": "m", "messages": [], "temperature": 0.0, "max_tokens": 9}


@pytest.fixture(autouse=True)
def small_limits() -> Any:
    limits.choose({"answer-bytes": 1 << 20, "answer-text-bytes": 1 << 20, "answer-values": 10_000})
    yield
    limits.choose({})


def one(stage: Stage, waiting: Waiting, **fields: Any) -> ChatAnswer | ServerError:
    (found,) = ask(stage.server(**fields), [BODY], patience=waiting.patience())
    return found


@pytest.mark.parametrize("status", [200, 401, 500])
@pytest.mark.parametrize("how", ["endless", "chunks"])
def test_a_body_without_end_is_read_to_the_limit_once(stage: Stage, waiting: Waiting, how: str, status: int) -> None:
    stage.plays(Act(" " * 65_536, status, how=how))
    assert str(one(stage, waiting)) == (
        "lab sends more than 1 MB in one answer. The limit is 1 MB; if you trust where this comes from, raise it with "
        "--limit-answer-bytes 2MB or in Preferences ▸ Limits."
    )
    assert len(stage.seen) == 1
    with pytest.raises(ServerError, match="more than 1 MB in one answer"):
        check(stage.server())


def test_a_small_body_that_unpacks_to_much(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(headers={"Content-Encoding": "gzip"}, data=gzip.compress(b" " * (2 << 20))))
    assert "lab sends an answer of more than 1 MB, packed. The limit is 1 MB" in str(one(stage, waiting))
    assert len(stage.seen) == 1


@pytest.mark.parametrize(
    ("packing", "data", "words"),
    [
        ("br", b"x", "packs its answers as “br”, which nobody asked for"),
        ("gzip, gzip", b"x", "packs its answers as “gzip, gzip”, which nobody asked for"),
        ("gzip", b"x" * 20, "packs its answers, and wrongly"),
        ("gzip", gzip.compress(completion().encode(), mtime=0)[:-9], "this one ends too early"),
    ],
)
def test_packings_that_cannot_be_read(stage: Stage, waiting: Waiting, packing: str, data: bytes, words: str) -> None:
    stage.plays(Act(headers={"Content-Encoding": packing}, data=data))
    assert words in str(one(stage, waiting))
    assert len(stage.seen) == 1


def test_an_honest_packing_is_read(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(headers={"Content-Encoding": "gzip"}, data=gzip.compress(completion("Open it").encode())))
    found = one(stage, waiting)
    assert isinstance(found, ChatAnswer) and found.text == "Open it"


@pytest.mark.parametrize("status", [200, 400])
def test_a_text_of_too_many_values_is_not_parsed(stage: Stage, waiting: Waiting, status: int) -> None:
    stage.plays(Act('{"error": [' + "[]," * 10_000 + "[]]}", status))
    assert "lab sends an answer of more than 10,000 values. The limit is 10,000" in str(one(stage, waiting))
    stage.plays(json.dumps({"data": [{"id": "m"}] * 5_000}))
    with pytest.raises(ServerError, match="more than 10,000 values"):
        check(stage.server())


def test_the_limit_of_time_is_named_where_it_is_shorter_than_the_servers(stage: Stage, waiting: Waiting) -> None:
    limits.choose({"answer-seconds": 1})
    stage.plays(Act(how="hang"))
    (found,) = ask(stage.server(timeout=60.0), [BODY], patience=waiting.patience(1))
    assert "gave no answer within 1 s. The limit is 1 s" in str(found) and "--limit-answer-seconds 2" in str(found)


def test_what_is_nested_too_deep_is_no_answer(stage: Stage, waiting: Waiting) -> None:
    limits.choose({})
    stage.plays("[" * 100_000, Act("[" * 100_000, 400))
    found = one(stage, waiting)
    assert isinstance(found, ChatAnswer) and found.why == "The server's answer is JSON nested too deep to be one."
    assert str(one(stage, waiting)) == "lab did not take the request (400)."


def test_an_answer_of_too_many_tokens_is_malformed() -> None:
    limits.choose({"answer-tokens": 10})
    assert answer_text(completion("x" * 40)).status is PredictionStatus.OK
    found = answer_text(completion("x" * 41))
    assert found.status is PredictionStatus.MALFORMED
    assert found.why.startswith("The answer has more than 10 tokens, of 4 letters each. The limit is 10;")


@pytest.mark.parametrize("told", ["1" + "0" * 300, "-1", "NaN", "Infinity", "true", '"9"', "[9]"])
def test_a_number_of_tokens_that_cannot_be_is_not_told(told: str) -> None:
    body = completion()[:-1] + f', "usage": {{"prompt_tokens": {told}, "completion_tokens": 7}}}}'
    found = answer_text(body)
    assert (found.tokens_in, found.tokens_out, found.text) == (None, 7, "Open the door")


def test_a_stream_that_nobody_asked_for_is_told_and_not_kept() -> None:
    found = answer_text('data: {"choices": [{"delta": {"content": "half a k"}}]}\n\ndata: [DONE]\n')
    assert found.why == "The server answers in a stream, which nobody asked for." and found.raw == ""


def test_signs_that_steer_a_terminal_are_not_told(stage: Stage, waiting: Waiting) -> None:
    stage.plays(json.dumps({"data": [{"id": "\x1b[2Jone\u202e\x07"}, {"id": "n" * 1_000}]}))
    assert check(stage.server()).models == ("[2Jone", "n" * 199 + "…")
    stage.plays(Act(json.dumps({"error": {"message": "\x1b[31mred"}}), 400))
    assert str(one(stage, waiting)).endswith("The server says: [31mred")
