"""Items of web tasks: the page with its inputs, and the answers of people only to those that may see them."""

from pathlib import Path

import pytest

from stepscope.core.domain.prediction import FieldsAnswer, Prediction, Task
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.scoring.registry import run_scorer

KIND = task_kind(Task.WEBTASK)
RATE = WebTask("Rate", "Rate it", "", "<p>${goal}</p>", ("goal",), (WebField("good", FieldType.RADIO, ("0", "1")),))
TEA = WebInstance("Rate/0", "Rate", {"goal": "tea"}, ({"good": "1"}, {"good": "1"}, {"good": "0"}))
SOUP = WebInstance("Rate/1", "Rate", {"goal": "soup"}, ())


class Pages:
    """One task and two instances, nobody having answered the second."""

    format = "test"
    path = Path("data/test")

    def scan(self):
        return iter(())

    def read(self, episode_id, place=""):
        raise UsageError("these are no episodes")

    def read_task(self, name):
        assert name == "Rate"
        return RATE

    def read_instance(self, instance_id, place=""):
        return {"Rate/0": TEA, "Rate/1": SOUP}[instance_id]


@pytest.mark.parametrize("shown", [True, False])
def test_the_page_is_shown_and_its_answers_only_to_those_that_need_them(shown):
    (found,) = KIND.items(Pages(), "Rate/0", Setting(show_reference=shown))
    assert (found.key.episode, found.key.step, found.reference) == ("Rate/0", -1, "")
    assert (found.request.instance, found.request.task, found.request.inputs) == ("Rate/0", RATE, {"goal": "tea"})
    assert found.request.reference == (TEA.answers if shown else None)


class Yes:
    info = ModelInfo("yes", "Yes", Task.WEBTASK, "", "tests")

    def predict(self, request):
        return Prediction(request.instance, None, FieldsAnswer((("good", "1"),)))


def test_a_run_over_pages(fakes):
    found = list(evaluate(Pages(), ["Rate/0", "Rate/1"], Yes(), run_scorer("fields"), {"rules": "official"}))
    assert [outcome.score.value for outcome in found] == [1, None]
    (other,) = evaluate(fakes.FakeSource.of(a=1), ["a"], Yes(), run_scorer("fields"), {"rules": "official"})
    assert "there are no web tasks" in other.score.why
