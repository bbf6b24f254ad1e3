"""What was sent to models: kept whole and once, summed, counted against, and gone with its run."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from stepscope.core import limits
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.model_call import (
    CallAttempt,
    CoordinateSpace,
    ModelCall,
    PictureMaker,
    SaidPoint,
    SentMessage,
    SentPicture,
    digest_of,
    shortened,
)
from stepscope.core.domain.price import TokenPrice
from stepscope.core.store.call_codec import SentParts, call_from_json, call_to_json, check_sent_text
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls, runs
from stepscope.core.store.tables import ModelCallRow, SentPictureRow, SentTextRow, storable
from tests.core.store.conftest import outcome, store_run

SYSTEM = "You act on a phone, and answer with one call of a function and nothing else at all, whatever it is."
FILE = b"a file that cannot be made again"
SENT = SentPicture(digest_of(FILE), 1092, 2408, "image/jpeg", blocks=28, data=FILE)
REMADE = SentPicture("ab" * 32, 512, 1024, step=3, maker=PictureMaker.TRAJECTORY, box=Box(0, 0, 4, 5, Size(9, 9)))


def call(goal, **more):
    prompt = SentMessage("system", (SYSTEM,)), SentMessage("user", (goal, SENT, REMADE))
    return ModelCall(prompt, **{"output": "tap", "tokens_in": 100, "tokens_out": 7, **more})


def asked(step, *calls, latency=None):
    one = outcome("e1", step, 1, latency=latency)
    return replace(one, prediction=replace(one.prediction, raw="tap", calls=calls))


@pytest.fixture
def database():
    with Database.open("sqlite://") as opened:
        yield opened


def count(db, row):
    return db.scalar(select(func.count()).select_from(row))


def test_calls_come_back_as_they_were_and_equal_texts_stand_once(database):
    busy = CallAttempt("busy (503)", 300.0, 1000.0), CallAttempt("", 2100.0)
    first = call("Buy milk", attempts=busy, ms=2100.0, first_ms=420.0, stop="stop", settings=(("model", "m"),),
                 said=(SaidPoint(546, 1866, CoordinateSpace.SENT),))  # fmt: skip
    second = call("Buy tea", output="another output", remembered=True)
    run_id = store_run(database, asked(0, first), asked(1, first, second), asked(2))
    with database.reading() as db:
        assert model_calls.of_episode(db, run_id, "e1") == {0: (first,), 1: (first, second)}
        assert [count(db, row) for row in (ModelCallRow, SentTextRow, SentPictureRow)] == [3, 1, 1]
        assert list(db.scalars(select(ModelCallRow.output))) == [None, None, "another output"]
        assert model_calls.picture(db, run_id, SENT.digest) == FILE
        assert model_calls.picture(db, run_id, REMADE.digest) is None
    with database.unit_of_work() as db:
        runs.remove(db, run_id)
    with database.reading() as db:
        assert [count(db, row) for row in (ModelCallRow, SentTextRow, SentPictureRow)] == [0, 0, 0]


def test_sums_of_a_run_and_of_an_episode(database):
    retried = call("a", attempts=(CallAttempt("busy (503)", 1.0), CallAttempt("", 2.0)), first_ms=400.0)
    known = call("b", tokens_in=1000, tokens_out=None, remembered=True, first_ms=600.0)
    run_id = store_run(
        database, asked(0, retried, latency=1000), asked(1, known, latency=3000), asked(2, latency=8000), asked(3)
    )
    with database.reading() as db:
        found = model_calls.totals(db, run_id)
        assert model_calls.totals(db, run_id, "e1") == found
        assert model_calls.totals(db, run_id, "another").tokens_in is None
    assert (found.calls, found.items, found.retries, found.remembered) == (2, 4, 1, 1)
    assert (found.tokens_in, found.tokens_out, found.paid_in, found.paid_out) == (1100, 7, 100, 7)
    assert (found.sum_ms, found.latency_ms, found.first_ms) == (12_000, 3000, 500)
    assert TokenPrice(2.5, 10).of(found.paid_in, found.paid_out) == pytest.approx(0.00032)


def test_files_beyond_the_limit_are_told_and_not_kept(database, monkeypatch):
    limits.choose({"sent-pictures-bytes": len(FILE) + 5})
    try:
        other = SentPicture(digest_of(b"another"), 8, 8, data=b"another")
        prompt = SentMessage("user", (SENT, other))
        run_id = store_run(database, asked(0, ModelCall((prompt,))))
    finally:
        limits.choose({})
    with database.reading() as db:
        assert len(model_calls.picture_digests(db, run_id)) == 1
        assert model_calls.of_episode(db, run_id, "e1")[0][0].pictures == (SENT, other)


texts = st.text(max_size=120) | st.sampled_from((SYSTEM, "\ud800\0", ""))
numbers = st.none() | st.floats(0, 1e9)
tokens = st.none() | st.integers(0, 2**31 - 1)
calls = st.builds(
    ModelCall,
    st.lists(st.builds(SentMessage, texts, st.lists(texts | st.sampled_from((SENT, REMADE)), max_size=4).map(tuple)),
             max_size=3).map(tuple),
    texts, st.lists(st.tuples(texts, texts), max_size=2).map(tuple), tokens, tokens, numbers, numbers,
    st.lists(st.builds(CallAttempt, texts, numbers, st.floats(0, 1e6)), max_size=3).map(tuple), texts,
    st.lists(st.builds(SaidPoint, st.floats(-9, 9), st.floats(-9, 9), st.sampled_from(CoordinateSpace)),
             max_size=2).map(tuple),
    st.booleans(),
)  # fmt: skip


def stored(text):
    return storable(text)


@given(calls)
def test_no_call_is_lost_on_its_way_through_json(one):
    parts = SentParts()
    back = call_from_json(call_to_json(one, parts), parts.texts.__getitem__)
    assert back.output == stored(one.output) and back.attempts == tuple(
        replace(each, why=stored(each.why)) for each in one.attempts
    )
    assert [message.parts for message in back.messages] == [
        tuple(stored(part) if isinstance(part, str) else part for part in message.parts) for message in one.messages
    ]
    same = replace(back, messages=one.messages, output=one.output, settings=one.settings, attempts=one.attempts,
                   stop=one.stop)  # fmt: skip
    assert same == one
    for digest, text in parts.texts.items():
        check_sent_text(digest, text)


@pytest.mark.parametrize(
    "change",
    [
        {"tokens_in": -1}, {"tokens_out": 2**31}, {"ms": float("nan")}, {"messages": [["user", [{"html": "x"}]]]},
        {"messages": [["user", [{"text": "../../etc"}]]]}, {"said": [[1, 2, "miles"]]}, {"output": 3},
        {"messages": [["user", [{"picture": {"digest": "ab" * 32, "size": [1, -2], "media": "image/png"}}]]]},
    ],
)  # fmt: skip
def test_what_is_no_call_is_refused(change):
    with pytest.raises((ValueError, TypeError, KeyError)):
        call_from_json({**call_to_json(call("a"), SentParts()), **change}, str)


def test_a_text_that_is_too_long_says_how_much_is_left_out():
    assert shortened("a" * 400_001) == "a" * 400_000 + "… [1 letters left out here]"
