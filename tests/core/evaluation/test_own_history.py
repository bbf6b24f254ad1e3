"""A model that is asked with its own answers before: an episode's steps in turn, episodes side by side, also after a
stop."""

from dataclasses import replace

import pytest

from stepscope.core.domain.action import AskUser, Tap
from stepscope.core.domain.episode import Platform
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey
from stepscope.core.errors import OutOfMemory
from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.predictor import OwnAnswer, StepRequest
from stepscope.core.evaluation.runner import evaluate as evaluated
from stepscope.core.evaluation.runs import EvaluationRun


@pytest.fixture
def own(fakes):
    """Says of each step how many it answered before, and keeps what it was shown of them."""

    class Own(fakes.FakePredictor):
        batch_size, fingerprint = 2, ""
        info = replace(fakes.FakePredictor().info, batches=True, own_history=True)
        broken = frozenset()
        waves: list

        def __init__(self):
            super().__init__()
            self.waves = []
            self.seen = {}

        def prepare(self, request):
            return request

        def predict_batch(self, prepared):
            self.waves.append([(one.episode, one.step) for one in prepared])
            return [self._answer(one) for one in prepared]

        def _answer(self, request):
            key = (request.episode, request.step)
            self.seen[key] = request.own
            if key in self.broken:
                return Prediction(*key, None, PredictionStatus.MALFORMED, raw="???")
            tap = ActionAnswer(Tap(Point(request.step, 0, fakes.SIZE)))
            return Prediction(*key, tap, raw=f"{request.episode}{request.step}")

        def warm_up(self):
            """Nothing to warm."""

        def close(self):
            """Nothing to close."""

    return Own


def told(own):
    return tuple(one.raw for one in own)


def test_each_step_is_asked_with_the_answers_before_it_and_episodes_go_side_by_side(own, fakes):
    model = own()
    model.broken = {("a", 1)}
    source = fakes.FakeSource.of(a=3, b=1, c=2)
    done = [one.key for one in evaluated(source, list(source.episodes), model, fakes.FakeScorer(), {"limit": 0.5})]
    assert model.waves == [  # c begins where b has ended
        [("a", 0), ("b", 0)], [("a", 1), ("b", 1)], [("a", 2), ("c", 0)], [("a", 3), ("c", 1)], [("c", 2)],
    ]  # fmt: skip
    assert [one.step for one in done if one.episode == "a"] == [0, 1, 2, 3] and len(done) == 9
    assert told(model.seen["a", 2]) == ("a0", "???") and told(model.seen["c", 1]) == ("c0",)
    assert model.seen["a", 2][1] == OwnAnswer(None, "???"), "an answer that could not be read is one too"
    assert model.seen["a", 0] == ()


def test_an_episode_that_cannot_be_read_costs_no_other(own, fakes):
    model = own()
    source = fakes.FakeSource({"a": fakes.episode("a", 1), "x": None, "c": fakes.episode("c", 1)})
    found = [one.key for one in evaluated(source, ["a", "x", "c"], model, fakes.FakeScorer(), {"limit": 0.5})]
    assert sorted(found, key=str) == sorted(
        [ItemKey("a", 0), ItemKey("a", 1), ItemKey("x", -1), ItemKey("c", 0), ItemKey("c", 1)], key=str
    )
    again = evaluated(source, ["x"], model, fakes.FakeScorer(), {}, done=frozenset({ItemKey("x", -1)}))
    assert list(again) == []


def test_out_of_memory_halves_the_wave_and_loses_nothing(own, fakes):
    model = own()
    plain = model.predict_batch

    def small(prepared):
        if len(prepared) > 1:
            raise OutOfMemory("too much")
        return plain(prepared)

    model.predict_batch = small
    source = fakes.FakeSource.of(a=1, b=1)
    found = list(evaluated(source, ["a", "b"], model, fakes.FakeScorer(), {"limit": 0.5}))
    assert len(found) == 4 and all(one.score.status != "error" for one in found)
    assert told(model.seen["b", 1]) == ("b0",)


def test_a_stopped_run_goes_on_with_what_it_had_answered(own, fakes, database, evaluate):
    source = fakes.FakeSource.of(a=4, b=4)
    first = own()
    run_id = evaluate(source, first, until=4)
    asked = [key for wave in first.waves for key in wave]
    second = own()
    run = EvaluationRun.resume(database, run_id, source, second, fakes.FakeScorer())
    list(run.updates())
    stored = set(asked) - set(second.seen)
    assert stored, "what was stored is not asked again"
    for (episode, step), shown in second.seen.items():
        assert told(shown) == tuple(f"{episode}{n}" for n in range(step))
    assert set(second.seen) | stored == {(e, n) for e in "ab" for n in range(5)}


def test_of_an_agent_that_asks_its_question_is_its_answer(fakes):
    from stepscope.core.evaluation.runner import _Lane

    lane = _Lane(iter(()), "a")
    place = Tap(Point(1, 1, fakes.SIZE))
    lane.hear(Prediction("a", 0, AskAnswer("Which?")))
    lane.hear(Prediction("a", 1, AskAnswer(None, action=place), raw="tap"))
    lane.hear(RuntimeError("broken"))
    assert lane.own == (OwnAnswer(AskUser("Which?")), OwnAnswer(place, "tap"), OwnAnswer(None))


def test_answers_before_are_part_of_the_question(fakes):
    request = StepRequest("a", 1, "goal", Platform.ANDROID, fakes.episode("a", 1).steps[0].observation)
    other = replace(request, own=(OwnAnswer(None, "x"),))
    keys = {request_key("w", one) for one in (request, other, replace(other, own=(OwnAnswer(None, "y"),)))}
    assert len(keys) == 3 and request_key("w", replace(other, own=())) in keys
