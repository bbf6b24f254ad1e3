"""The baselines and score tables of TurkingBench, recomputed from its tasks and its released field scores."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records
from stepscope.core.scoring.web_fields import WebFieldsScorer
from stepscope.core.sources.turkingbench import open_turkingbench

SCORER = WebFieldsScorer()
TEXTS = ("text", "textarea", "hidden")

RELEASED = (
    ("claude_scores_2024-02-25-09-43-55.json", "claude_test_easy_scores_2024-02-25-09-43-55.csv"),
    (
        "gpt4-text_scores_2024-02-16-03-29-39.json",
        "gpt4-text_1_use-relevant-html_True_test_easy_scores_2024-02-16-03-29-39.csv",
    ),
)


@pytest.fixture(scope="module")
def bench(real_data: Path) -> Path:
    folder = real_data / "turkingbench"
    if not folder.is_dir():
        pytest.skip("no TurkingBench sample")
    return folder


@pytest.fixture(scope="module")
def fields(bench: Path) -> list[dict[str, Any]]:
    """A record for every field of every instance; a worker who left it empty gives an empty answer."""
    source = open_turkingbench(bench)
    tasks: dict[str, Any] = {}
    found = []
    for row in source.scan():
        assert isinstance(row, EpisodeSummary)
        instance = source.read_instance(row.id, row.place)
        if instance.task not in tasks:
            tasks[instance.task] = source.read_task(instance.task)
        task = tasks[instance.task]
        for field in task.fields:
            answers = [worker.get(field.name, "") for worker in instance.answers]
            names = {"task": task.name, "instance": instance.id, "field": field.name, "type": field.type.value}
            found.append({**names, "reference": answers})
    return found


def score(records: list[dict[str, Any]], **options: str) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, options))


def oracle(field: dict[str, Any]) -> str:
    """What the paper's oracle fills in: the vote's winner, or some worker's answer, not an empty one if it is text."""
    answers = field["reference"]
    if field["type"] in ("radio", "select"):
        return Counter(answers).most_common(1)[0][0]
    return next((answer for answer in answers if answer or field["type"] not in TEXTS), "")


@pytest.mark.parametrize("rules", ["official", "paper"])
def test_the_oracle_is_always_right(fields: list[dict[str, Any]], rules: str) -> None:
    result = score([field | {"prediction": oracle(field)} for field in fields], rules=rules)
    assert len(result.extra["by_task"]) == 18 and set(result.extra["by_task"].values()) <= {1, None}
    assert {row["score"] for row in result.details} == {1, None} and result.metrics.n > 10_000
    assert result.metrics.as_dict() == {"score": 1}


def test_doing_nothing_is_right_only_where_the_workers_did_nothing(fields: list[dict[str, Any]]) -> None:
    result = score([field | {"prediction": ""} for field in fields])
    expected: dict[str, list[float]] = {}
    for field, row in zip(fields, result.details, strict=True):
        answers = field["reference"]
        if field["type"] in TEXTS:
            empty = not [answer for answer in answers if answer not in ("", "nan")]
            assert row["score"] == (None if empty else 0)
        elif field["type"] == "checkbox":
            assert row["score"] == ("" in answers)
        else:
            assert row["score"] == (Counter(answers).most_common(1)[0][0] == "")
        if row["score"] is not None:
            expected.setdefault(field["task"], []).append(row["score"])
    means = {task: sum(values) / len(values) for task, values in expected.items()}
    assert {task: mean for task, mean in result.extra["by_task"].items() if mean is not None} == pytest.approx(means)
    assert result.metrics.as_dict()["score"] == pytest.approx(sum(means.values()) / len(means))


@pytest.mark.parametrize(("scores", "table"), RELEASED)
def test_released_tables_from_released_field_scores(bench: Path, scores: str, table: str) -> None:
    """Each field score goes in as a range with the answer 1: its own score then is the prediction."""
    released = json.loads((bench / "scores" / scores).read_text("utf-8"))
    records = [
        {"task": f"{task} · {kind}" if split else task, "instance": 0, "field": place, "type": "range",
         "reference": [1], "prediction": value}
        for split in (False, True)
        for task, kinds in released.items()
        for kind, values in kinds.items()
        for place, value in enumerate(values)
    ]  # fmt: skip
    by_task = score(records).extra["by_task"]
    with (bench / "scores" / table).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            task = row.pop("project")
            assert by_task[task] == pytest.approx(float(row.pop("all")), abs=1e-12)
            shown = {kind: float(mean) for kind, mean in row.items() if mean}
            assert {kind: by_task[f"{task} · {kind}"] for kind in shown} == pytest.approx(shown, abs=1e-12)
