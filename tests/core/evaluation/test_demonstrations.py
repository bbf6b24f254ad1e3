"""Which solved pages a model is shown: never its own task's, the same for the same seed, of the training split."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.core.domain.episode import EpisodeSummary, Platform, Problem
from stepscope.core.domain.prediction import FieldsAnswer, Prediction, Task
from stepscope.core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.evaluation.demonstrations import demonstrations_for
from stepscope.core.evaluation.predictor import FieldsRequest, ModelInfo
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.scoring.options import default_options
from stepscope.core.scoring.registry import run_scorer

FIELD = WebField("good", FieldType.TEXT)


class Pages:
    """Tasks by name, each with its splits and two instances; the second of "shy" cannot be read and the first of it is
    empty; nobody answered "blank"."""

    format, path = "test", Path("data/test")

    def __init__(self, **splits: tuple[str, ...]) -> None:
        self.splits, self.scans, self.reads = splits, 0, 0

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        self.scans += 1
        yield Problem("broken", "x")
        for name, splits in self.splits.items():
            for number in range(2):
                yield EpisodeSummary(
                    f"{name}/{number}", name, name, Platform.WEB, 1, 0, (), splits=splits, kind="instance", place="p"
                )

    def read(self, episode_id: str, place: str = "") -> None:
        raise UsageError("these are no episodes")

    def read_task(self, name: str) -> WebTask:
        return WebTask(name, name, "", "<input name=good>", (), (FIELD,), splits=self.splits[name])

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        self.reads += 1
        name = instance_id.partition("/")[0]
        if instance_id == "shy/1":
            raise SourceError("gone")
        answers = () if instance_id == "shy/0" or name == "blank" else ({"good": instance_id}, {})
        return WebInstance(instance_id, name, {"n": instance_id}, answers)


def names(source: Pages, task: str, count: int, seed: int = 0) -> list[str]:
    return [one.task.name for one in demonstrations_for(source, task, count, seed)]


def test_they_are_of_other_tasks_one_each_and_the_same_for_the_same_seed() -> None:
    source = Pages(a=(), b=(), c=(), d=(), blank=(), shy=())
    for task in "abcd":
        assert sorted(names(source, task, 7)) == sorted(set("abcd") - {task})
    assert names(source, "a", 2) == names(source, "a", 7)[:2]
    assert names(source, "a", 0) == []
    assert {tuple(names(source, "a", 3, seed)) for seed in range(20)} > {tuple(names(source, "a", 3))}
    assert source.scans == 1
    before = source.reads
    names(source, "b", 7)
    assert source.reads == before


def test_they_are_solved_pages() -> None:
    (one,) = demonstrations_for(Pages(a=(), shy=(), blank=()), "z", 5, 0)
    assert one.instance in ("a/0", "a/1") and one.inputs == {"n": one.instance}
    assert one.answers == ({"good": one.instance}, {}) and one.task.name == "a"


@pytest.mark.parametrize("task", ["exam", "first"])
def test_the_training_split_goes_first(task: str) -> None:
    source = Pages(exam=("test",), first=("train",), second=("train",), hard=("challenge",))
    assert sorted(names(source, task, 7)) == sorted({"first", "second"} - {task})


def test_data_of_one_task_has_none() -> None:
    assert names(Pages(a=()), "a", 3) == []


class Seeing:
    def __init__(self, wants: int) -> None:
        self.info = ModelInfo("seeing", "Seeing", Task.WEBTASK, "", "tests", demonstrations=wants)
        self.saw: list[int] = []

    def predict(self, request: FieldsRequest) -> Prediction:
        self.saw.append(len(request.demonstrations))
        assert request.reference is None and all(one.task != request.task for one in request.demonstrations)
        return Prediction(request.instance, None, FieldsAnswer((("good", ""),)))


@pytest.mark.parametrize("wants", [0, 2])
def test_a_run_shows_as_many_as_the_model_wants(wants: int) -> None:
    source, model, rule = Pages(a=(), b=(), c=()), Seeing(wants), run_scorer("fields")
    assert len(list(evaluate(source, ["a/0", "b/1"], model, rule, default_options(rule.info)))) == 2
    assert model.saw == [wants, wants] and source.scans == (1 if wants else 0)
