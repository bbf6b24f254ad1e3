"""What is kept of a question to a server: the prompt as sent, attempts, tokens; never a key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.sent_pictures import sent_file
from stepscope.core.domain.model_call import PictureMaker, SentPicture, digest_of
from stepscope.core.domain.run import RunSpec
from stepscope.core.evaluation.prediction_cache import CachedPredictor, PredictionCache
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls
from stepscope.models.chat.client import ServerError, ask
from stepscope.models.chat.secret import MARKER
from tests.models.chat.faults import Act, Stage, Waiting, completion
from tests.models.chat.goals import served_goals

pytestmark = pytest.mark.needs("openai")

KEY = "sk-a-long-secret-of-the-lab"
BODY = {
    "model": "m",
    "messages": [{"role": "system", "content": f"Be brief. {KEY}"}, {"role": "user", "content": "What now?"}],
    "temperature": 0.0,
    "max_tokens": 9,
}


def answered(text: str, tokens_in: int, tokens_out: int, finish: str = "stop") -> str:
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return json.dumps({**json.loads(completion(text, finish)), "usage": usage})


def test_the_prompt_and_every_attempt_are_kept_and_no_key(stage: Stage, waiting: Waiting) -> None:
    unwanted = '{"error": {"message": "temperature is not supported"}}'
    busy = Act(status=503, headers={"Retry-After": "2.5"})
    stage.plays(Act(unwanted, 400), busy, answered(f"Tap {KEY}", 120, 7, "length"))
    (found,) = ask(stage.server(), [BODY], key=KEY, patience=waiting.patience())
    assert not isinstance(found, ServerError) and found.call is not None
    call = found.call
    assert [(one.role, one.parts) for one in call.messages] == [
        ("system", (f"Be brief. {MARKER}",)), ("user", ("What now?",)),
    ]  # fmt: skip
    assert [(one.why, one.waited_ms) for one in call.attempts] == [
        ("does not take temperature", 0.0), ("busy (503)", 2500.0), ("", 0.0),
    ]  # fmt: skip
    assert all(one.ms is not None and one.ms > 0 for one in call.attempts) and call.ms == call.attempts[-1].ms
    assert call.settings == (("model", "m"), ("max_tokens", "9")), "as it was sent at last"
    assert (call.tokens_in, call.tokens_out, call.stop, call.first_ms) == (120, 7, "length", None)
    assert call.output == f"Tap {MARKER}" and KEY not in repr(call)


def test_what_was_never_answered_is_kept_too(stage: Stage, waiting: Waiting) -> None:
    stage.plays(Act(status=500))
    (found,) = ask(stage.server(), [BODY], patience=waiting.patience(2))
    assert isinstance(found, ServerError) and found.call is not None
    assert [one.why for one in found.call.attempts] == ["broke (500)", "broke (500)"]
    assert (found.call.output, found.call.retries, found.call.tokens_in) == ("", 1, None)


@pytest.fixture
def run(stage: Stage, sample: Any, tmp_path: Path) -> Any:
    """Evaluates two episodes of the sample, whose store and source it gives back with the run's id."""
    source, units = sample
    stage.plays(answered("Open the clock", 3000, 12))
    with Database.open(store_url(tmp_path / "s.db")) as database:

        def evaluate(predictor: Any) -> str:
            spec = RunSpec(predictor.info.task, "", str(source.path), source.format, "goal_text")
            made = EvaluationRun.start(database, spec, source, units[:2], predictor, run_scorer("goal_text"))
            list(made.updates())
            return made.run_id

        yield evaluate, database, source, units


def test_pictures_are_made_again_byte_for_byte(stage: Stage, run: Any) -> None:
    evaluate, database, source, units = run
    run_id = evaluate(served_goals(stage.server(parallel=1)))
    with database.reading() as db:
        ((step, (call,)),) = model_calls.of_episode(db, run_id, units[0]).items()
        assert model_calls.picture_digests(db, run_id) == [], "no pixels are kept"
    urls = [part["image_url"]["url"] for part in stage.bodies[0]["messages"][1]["content"] if "image_url" in part]
    assert step == -1 and len(call.pictures) == len(urls) > 1
    episode = source.read(units[0])
    for one in call.pictures:
        found = sent_file(database, run_id, one, episode)
        assert one.maker is PictureMaker.TRAJECTORY and found is not None and found.same
        assert digest_of(found.data) == one.digest
    gone = SentPicture("ab" * 32, 4, 4)
    assert sent_file(database, run_id, gone, episode) is None


def test_a_remembered_answer_keeps_its_prompt_and_costs_nothing(stage: Stage, run: Any, tmp_path: Path) -> None:
    evaluate, database, _, units = run
    cache = PredictionCache(tmp_path / "answers.db")
    first, again = (evaluate(CachedPredictor(served_goals(stage.server()), cache)) for _ in range(2))
    assert len(stage.seen) == 2
    with database.reading() as db:
        ((was,), (now,)) = (model_calls.of_episode(db, one, units[0])[-1] for one in (first, again))
        assert not was.remembered and now.remembered and now.messages == was.messages
        paid = [model_calls.totals(db, one) for one in (first, again)]
    assert [(one.tokens_in, one.paid_in, one.paid_out) for one in paid] == [(6000, 6000, 24), (6000, 0, 0)]
    cache.close()
