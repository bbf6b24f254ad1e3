"""An agent that is asked again once it has asked: which questions are put, also after a stop, counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.evaluation.ask_runs import asked_of_run
from stepscope.core.evaluation.ask_settings import four_settings
from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.evaluation.runner import evaluate as evaluated
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.ask_streams import AskSetting
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer

SCORER = run_scorer("ask")
OPTIONS = parse_options(SCORER.info, {})


class Counting:
    """Asks at the steps it is told, and keeps which of its streams were run, as an agent that pays for each."""

    batch_size, fingerprint = 2, "counting"

    def __init__(self, size, asks, again="asked"):
        self.info = ModelInfo("counting", "Counting", Task.ASK, "", "tests", batches=True, asks_again=again)
        self.size, self.asks = size, asks
        self.first, self.second, self.told, self.behind = [], [], {}, {}

    def prepare(self, request):
        return request

    def predict_batch(self, prepared):
        return [self._answer(one) for one in prepared]

    def predict(self, request):
        return self._answer(request)

    def _answer(self, request):
        place = (request.episode, request.step)
        self.first.append(place)
        self.told[place] = request.told
        self.behind[place] = request.behind
        asks = request.step in self.asks
        again = request.reply is not None and (request.asked or asks)
        if again:
            self.second.append(place)
        right, wrong = Tap(Point(5, 5, self.size)), Tap(Point(90, 190, self.size))
        answer = AskAnswer("Size?" if asks else None, action=None if asks else wrong, after=right if again else None,
                           whole=right)  # fmt: skip
        return Prediction(*place, answer)

    def warm_up(self):
        """Nothing to warm."""

    def close(self):
        """Nothing to close."""


@pytest.fixture
def source(fakes):
    """Four episodes of five steps, due at 3; the last has a second question at 4."""
    seen, tap = Observation(fakes.SIZE), Tap(Point(5, 5, fakes.SIZE))

    def one(name, *asks):
        steps = tuple(Step(n, seen, tap) for n in range(5))
        return Episode(
            name, "fake", Platform.ANDROID, "Order it", steps, asks=asks, original_goal="Order a big red one"
        )

    size, colour = Ask(3, "Which size?", "Big"), Ask(4, "Which colour?", "Red")
    return fakes.FakeSource(
        {name: one(name, size) for name in "abc"} | {"d": one("d", Ask(1, "Which size?", "Big"), colour)}
    )


def run(source, model):
    return list(evaluated(source, list(source.episodes), model, SCORER, OPTIONS))


def test_only_the_steps_from_its_first_ask_on_run_again(fakes, source):
    model = Counting(fakes.SIZE, {1})
    assert len(run(source, model)) == 20
    assert sorted(model.first) == [(name, n) for name in "abcd" for n in range(5)], "every step once"
    again = {name: [n for place, n in sorted(model.second) if place == name] for name in "abcd"}
    assert again["a"] == [1, 2, 3, 4], "from the ask to the due step, and after it"
    assert again["d"] == [1], "its second question is not asked"
    assert [model.behind["a", n] for n in range(5)] == [None] * 4 + [True] and not model.behind["d", 3]
    assert model.told["d", 1] == () and model.told["d", 2] == (("Which size?", "Big"),)


def test_who_never_asks_is_never_asked_again(fakes, source):
    model = Counting(fakes.SIZE, set())
    run(source, model)
    assert model.second == []
    always = Counting(fakes.SIZE, set(), "always")
    run(source, always)
    assert sorted(always.second) == [("a", 4), ("b", 4), ("c", 4)], "after the due step, as the paper has it"


def test_a_stopped_run_asks_nothing_twice_and_knows_what_was_asked(fakes, source, database):
    begun = Counting(fakes.SIZE, {1})
    spec = replace(fakes.SPEC, task=Task.ASK, protocol="ask", options=())
    token = CancelToken()
    first = EvaluationRun.start(database, spec, source, list(source.episodes), begun, SCORER, token=token)
    for update in first.updates():
        if update.progress.done == 5:
            token.cancel()
    run_id = first.run_id
    resumed = Counting(fakes.SIZE, {1})
    list(EvaluationRun.resume(database, run_id, source, resumed, SCORER).updates())
    stored = {(name, n) for name in "abcd" for n in range(5)} - set(resumed.first)
    assert stored and stored <= set(begun.first), "what was stored is not asked again"
    assert len(set(resumed.first)) == len(resumed.first)
    once = Counting(fakes.SIZE, {1})
    run(source, once)
    kept = {place for place in begun.second if place in stored}
    assert kept | set(resumed.second) == set(once.second)
    table = four_settings(asked_of_run(database, run_id), draws=0)
    # a, b, c: 0 wrong, 1, 2 and 4 right, 3 asked for: 4/5. d: 1 asked when due; 2, 3 wrong, 4 not asked: 1/5.
    assert table.row(AskSetting.DUAL).ssr == pytest.approx((3 * 4 / 5 + 1 / 5) / 4)
    assert table.row(AskSetting.ORIGINAL).ssr == 1
    assert table.row(AskSetting.INCOMPLETE).ssr == 0


def test_what_was_asked_before_is_part_of_the_question(fakes, source):
    seen = Observation(fakes.SIZE)
    request = StepRequest("a", 1, "goal", Platform.ANDROID, seen)
    others = [replace(request, asked=False), replace(request, asked=True), replace(request, told=(("Q", "A"),))]
    assert len({request_key("w", one) for one in (request, *others)}) == 4
