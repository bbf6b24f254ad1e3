"""Pulling the plug: an evaluation, and a rescoring, in a process of its own gets SIGKILL, and goes on as if nothing had
been."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.core.domain.run import ItemKey, RunState
from stepscope.core.evaluation.rescore import count_items_to_score, metrics_under, rescore, scoring_of
from stepscope.core.evaluation.runs import BATCH_ITEMS, EvaluationRun
from stepscope.core.evaluation.summaries import summary
from stepscope.core.scoring import registry
from stepscope.core.settings import store_url
from stepscope.core.store import queries
from stepscope.core.store.abandoned_runs import mark_interrupted
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls, runs

HERE = Path(__file__).parent
EPISODES = {"a": 40, "b": 40, "c": 20}
ITEMS = [ItemKey(name, step) for name, taps in EPISODES.items() for step in range(taps + 1)]
ENOUGH = 50


def keys(database, run_id):
    with database.reading() as db:
        return [outcome.key for outcome in queries.each_item(db, run_id)]


@pytest.fixture(params=["file", "postgresql"])
def url(request, tmp_path):
    """An empty store that two processes can open."""
    if request.param == "file":
        yield store_url(tmp_path / "s.db")
        return
    with request.getfixturevalue("postgresql").database() as made:
        yield made


@pytest.fixture
def killed(url):
    """(store URL, run id, items the model had answered) of a run that was killed while its model was thinking."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[2])}
    child = subprocess.Popen(
        [sys.executable, str(HERE / "killed_child.py"), url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment,
    )  # fmt: skip
    try:
        run_id = child.stdout.readline().strip()
        committed = answered = 0
        while committed < ENOUGH or answered < committed + 2:
            line = child.stdout.readline()
            assert line, "the child ended by itself"
            if line.startswith("committed"):
                committed = int(line.split()[1])
            else:
                answered += 1
                child.stdin.write("\n")
                child.stdin.flush()
        while not (line := child.stdout.readline()).startswith("next"):
            pass
        child.send_signal(signal.SIGKILL)
        assert child.wait(30) == -signal.SIGKILL
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
    return url, run_id, answered


def test_a_killed_run_is_resumed_with_every_item_exactly_once(killed, fakes):
    url, run_id, answered = killed
    source = fakes.FakeSource.of(**EPISODES)
    with Database.open(url) as database:
        left = keys(database, run_id)
        assert left == ITEMS[: len(left)]
        assert ENOUGH <= len(left) < answered <= len(left) + BATCH_ITEMS

        assert mark_interrupted(database) == [run_id]
        with database.reading() as db:
            assert runs.get(db, run_id).state is RunState.INTERRUPTED
            sent = {name: model_calls.of_episode(db, run_id, name) for name in EPISODES}
        assert [(name, step) for name, found in sent.items() for step in found] == [(k.episode, k.step) for k in left]
        prompts = [(call.messages[0].parts, step) for found in sent.values() for step, (call,) in found.items()]
        assert all(parts[0].endswith("kept once.") and parts[1] == f"Step {step}" for parts, step in prompts)

        predictor = fakes.FakePredictor()
        run = EvaluationRun.resume(database, run_id, source, predictor, fakes.FakeScorer())
        assert list(run.updates())[-1].state is RunState.DONE
        assert [ItemKey(request.episode, request.step) for request in predictor.requests] == ITEMS[len(left) :]
        assert keys(database, run_id) == ITEMS

        unbroken = EvaluationRun.start(
            database, fakes.SPEC, source, list(EPISODES), fakes.FakePredictor(), fakes.FakeScorer()
        )
        list(unbroken.updates())
        broken_summary, whole_summary = (
            summary(database, one, fakes.FakeScorer()) for one in (run_id, unbroken.run_id)
        )
        assert {**broken_summary, "run": ""} == {**whole_summary, "run": ""}
        assert broken_summary["n"] == 100


def test_a_killed_rescoring_goes_on_with_every_item_scored_once(fakes, url, monkeypatch):
    episodes = {"a": 200, "b": 200, "c": 200}
    source, total = fakes.FakeSource.of(**episodes), 603
    monkeypatch.setitem(registry.PROTOCOLS._loaded, "side", fakes.FakeScorer())
    with Database.open(url) as database:
        run = EvaluationRun.start(
            database, fakes.SPEC, source, list(episodes), fakes.FakePredictor(), fakes.FakeScorer()
        )
        list(run.updates())
    child = subprocess.Popen(
        [sys.executable, str(HERE / "killed_rescoring_child.py"), url, run.run_id],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        env={**os.environ, "PYTHONPATH": str(HERE.parents[2])},
    )  # fmt: skip
    with child:
        committed = done = 0
        while committed <= 201 or done < committed + 2:  # all of a is safe in the store
            committed, done = map(int, child.stdout.readline().split())
            child.stdin.write("\n")
            child.stdin.flush()
        child.send_signal(signal.SIGKILL)
        child.stdin.close()
    assert committed < done < total
    wide = scoring_of("side", {"limit": "2"})
    with Database.open(url) as database:
        left = count_items_to_score(database, run.run_id, [wide])
        assert total - done <= left <= total - committed
        source.read_ids.clear()
        *_, last = rescore(database, run.run_id, source, [wide])
        assert last.complete and count_items_to_score(database, run.run_id, [wide]) == 0
        assert "a" not in source.read_ids, "what was scored before the kill is not read again"
        assert metrics_under(database, run.run_id, wide).as_dict() == {"accuracy": 1.0}
        with database.reading() as db:
            assert [one.items for one in queries.scorings(db, run.run_id)] == [total, total]
