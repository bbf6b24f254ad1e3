"""The ends of the scale on web tasks, by hand and on the real tasks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.domain.episode import Episode, EpisodeSummary, Problem
from core.domain.prediction import FieldsAnswer, PredictionStatus
from core.domain.webtask import FieldType, WebField, WebInstance, WebTask
from core.evaluation.predictor import FieldsRequest
from core.evaluation.runner import evaluate
from core.scoring.options import parse_options
from core.scoring.records import Records
from core.scoring.registry import run_scorer, score_records, step_metrics
from core.scoring.rule import ScoredItem
from core.scoring.web_fields import WebFieldsScorer
from core.sources.turkingbench import TurkingBench, open_turkingbench
from models.registry import load
from models.webtask.bounds import DoNothing, Oracle

FIELDS = (
    WebField("good", FieldType.RADIO),
    WebField("why", FieldType.TEXTAREA),
    WebField("boxes", FieldType.CHECKBOX),
    WebField("much", FieldType.RANGE),
)
TASK = WebTask("Rate", "Rate it", "", "", (), FIELDS)
ANSWERS: tuple[dict[str, str], ...] = (
    {"good": "0", "boxes": "a|b", "much": "0"},
    {"good": "1", "why": "nice", "boxes": "b", "much": "6"},
    {"good": "1", "why": "good", "much": "10"},
)


def request(reference: Any = None) -> FieldsRequest:
    return FieldsRequest("Rate/0", TASK, {}, reference)


def test_doing_nothing_names_every_field() -> None:
    found = DoNothing().predict(request())
    assert (found.episode, found.step) == ("Rate/0", None)
    assert found.answer == FieldsAnswer((("good", ""), ("why", ""), ("boxes", ""), ("much", "")))


def test_the_oracle_takes_the_vote_the_first_text_and_the_number_in_the_middle() -> None:
    found = Oracle().predict(request(ANSWERS))
    # Ranges over 10: 0 is off by 16/3, 6 by 10/3, 10 by 14/3.
    assert found.answer == FieldsAnswer((("good", "1"), ("why", "nice"), ("boxes", "a|b"), ("much", "6")))
    blind = Oracle().predict(request())
    assert (blind.status, blind.answer) == (PredictionStatus.MALFORMED, None)


class Placed:
    """The real tasks, their instances read at the places that the index names."""

    def __init__(self, source: TurkingBench) -> None:
        self.source, self.format, self.path = source, source.format, source.path
        self.place_of = {row.id: row.place for row in source.scan() if isinstance(row, EpisodeSummary)}

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        return self.source.scan()

    def read(self, episode_id: str, place: str = "") -> Episode:
        return self.source.read(episode_id, place)

    def read_task(self, name: str) -> WebTask:
        return self.source.read_task(name)

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        return self.source.read_instance(instance_id, self.place_of[instance_id])


@pytest.fixture(scope="module")
def bench(real_data: Path) -> Placed:
    folder = real_data / "turkingbench"
    if not folder.is_dir():
        pytest.skip("no TurkingBench sample")
    return Placed(open_turkingbench(folder))


def score_of(bench: Placed, model: str, rules: str) -> tuple[float | None, int]:
    scorer = run_scorer("fields")
    options = parse_options(scorer.info, {"rules": rules})
    found = evaluate(bench, list(bench.place_of), load(model), scorer, options)
    items = [ScoredItem(one.key.episode, one.key.step, one.score) for one in found]
    metrics = step_metrics(scorer, items, options)
    assert metrics.errors == 0
    return metrics.as_dict()["score"], metrics.n_of("score")


@pytest.mark.parametrize("rules", ["official", "paper"])
def test_on_the_real_tasks_the_oracle_is_always_right(bench: Placed, rules: str) -> None:
    assert score_of(bench, "oracle", rules) == (1, 18)


def test_on_the_real_tasks_doing_nothing_scores_what_the_same_records_score(bench: Placed) -> None:
    records = []
    for name in bench.place_of:
        instance = bench.read_instance(name)
        for field in bench.read_task(instance.task).fields:
            answers = [worker.get(field.name, "") for worker in instance.answers]
            record = {"task": instance.task, "instance": name, "field": field.name, "type": field.type.value}
            records.append({**record, "reference": answers, "prediction": ""})
    wanted = score_records(WebFieldsScorer(), Records.of(records), {"rules": "official"}).metrics
    score, tasks = score_of(bench, "do-nothing", "official")
    assert score == pytest.approx(wanted.as_dict()["score"], abs=1e-12) == pytest.approx(0.084, abs=5e-4)
    assert tasks == wanted.n_of("score")
