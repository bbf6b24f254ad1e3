"""The ends of the scale on the real tasks, in a real browser."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.prediction import FieldsAnswer, Prediction
from stepscope.core.domain.score import Score
from stepscope.core.domain.webtask import FieldType, WebInstance, WebTask
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records
from stepscope.core.scoring.web_fields import FilledPage, WebFieldsScorer
from stepscope.core.sources.turkingbench import TurkingBench, open_turkingbench
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.predictor import PreparedPage, solve
from stepscope.core.webtask.rendering import render
from stepscope.core.webtask.solving import Solver, trace_from_json
from stepscope.models.webtask.bounds import UnchangedPage, WorkerAnswerOracle
from stepscope.models.webtask.random_fields import FillByChance

TASKS = 18


@pytest.fixture(scope="module")
def bench(real_data: Path) -> TurkingBench:
    folder = real_data / "turkingbench"
    if not folder.is_dir():
        pytest.skip("no TurkingBench sample")
    return open_turkingbench(folder)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if importlib.util.find_spec("PySide6") is None:
        pytest.skip("there is no browser engine (PySide6)")
    browser = Browser()
    yield browser
    browser.close()


Rows = dict[str, list[EpisodeSummary]]


@pytest.fixture(scope="module")
def rows(bench: TurkingBench) -> Rows:
    """The instances of each task."""
    found: Rows = {}
    for row in bench.scan():
        assert isinstance(row, EpisodeSummary)
        found.setdefault(row.app or "", []).append(row)
    return found


def read(bench: TurkingBench, row: EpisodeSummary) -> tuple[WebTask, WebInstance]:
    instance = bench.read_instance(row.id, row.place)
    return bench.read_task(instance.task), instance


def solved(browser: Browser, task: WebTask, instance: WebInstance, solver: Solver) -> tuple[FieldsAnswer, str]:
    request = FieldsRequest(instance.id, task, instance.inputs, instance.answers)
    found = solve(browser, PreparedPage(request, render(task, instance.inputs)), solver)
    assert isinstance(found.answer, FieldsAnswer), found.why
    return found.answer, found.trace


def scored(task: WebTask, instance: WebInstance, browser: Browser, solver: Solver, rules: str) -> Score:
    answer, trace = solved(browser, task, instance, solver)
    assert answer.missing == () == trace_from_json(trace).missing
    page = FilledPage(task.fields, instance.answers)
    return WebFieldsScorer().score_item(page, Prediction(instance.id, None, answer), {"rules": rules})


def test_the_oracle_is_right_on_every_task(bench: TurkingBench, rows: Rows, browser: Browser) -> None:
    scores = {}
    for name, instances in rows.items():
        task, instance = read(bench, instances[len(instances) // 2])
        scores[name] = scored(task, instance, browser, WorkerAnswerOracle(scrolls=False), "official").value
    assert scores == dict.fromkeys(scores, 1.0) and len(scores) == TASKS


DEFAULTS = ("Essential Terms in Questions 2", "Ethical rule-of-thumb quality", "Winogrande plausiblity", "Event effect")
"""Tasks whose fields are all in the template, as they load."""


def loaded(template: str) -> dict[str, str]:
    """What a browser puts into the fields of a page without scripts, told by another parser."""
    values: dict[str, str] = {}
    for element in html.document_fromstring(template).iter("input", "textarea", "select"):
        name, kind = element.get("name"), element.get("type", "text")
        if name is None:
            continue
        if kind in ("radio", "checkbox"):
            chosen = [element.get("value", "on")] if "checked" in element.attrib else []
            values[name] = "|".join(filter(None, [values.get(name, ""), *chosen]))
        elif element.tag == "select":
            options = list(element.iter("option"))
            chosen_one = next((one for one in options if "selected" in one.attrib), options[0])
            values[name] = chosen_one.get("value", chosen_one.text or "")
        else:
            values[name] = (element.text or "") if element.tag == "textarea" else element.get("value", "")
    return values


@pytest.mark.parametrize("name", DEFAULTS)
def test_doing_nothing_scores_what_the_template_comes_with(
    bench: TurkingBench, rows: Rows, browser: Browser, name: str
) -> None:
    task, instance = read(bench, rows[name][0])
    values = loaded(render(task, instance.inputs).html)
    records = [
        {
            "task": name,
            "instance": instance.id,
            "field": field.name,
            "type": field.type.value,
            "reference": [worker.get(field.name, "") for worker in instance.answers],
            "prediction": values[field.name],
        }
        for field in task.fields
    ]
    wanted = score_records(WebFieldsScorer(), Records.of(records), {"rules": "official"}).metrics.as_dict()["score"]
    assert wanted is not None
    assert scored(task, instance, browser, UnchangedPage(), "official").value == pytest.approx(
        max(wanted, 0), abs=1e-12
    )


def test_doing_nothing_on_a_page_counted_by_hand(bench: TurkingBench, rows: Rows, browser: Browser) -> None:
    """46 fields: 15 goals that nobody chose are wrong, 30 boxes that most left empty are right, and the chosen button
    of the example is wrong, for the table has it empty."""
    task, instance = read(bench, rows["WikiHow Goal Membership"][0])
    assert scored(task, instance, browser, UnchangedPage(), "official").value == pytest.approx(30 / 46)


def test_chance_fills_in_what_can_be_filled_in_and_the_same_again(
    bench: TurkingBench, rows: Rows, browser: Browser
) -> None:
    for name in ("ANLI Generation", "Story Relations", "Event effect"):
        task, instance = read(bench, rows[name][0])
        once, trace = solved(browser, task, instance, FillByChance(5))
        again, _ = solved(browser, task, instance, FillByChance(5))
        assert once == again and all(one.ok for one in trace_from_json(trace).log)
        values = dict(once.fields)
        for field in task.fields:
            if field.type in (FieldType.RADIO, FieldType.SELECT) and field.options:
                assert values[field.name] in field.options
            elif field.type is not FieldType.CHECKBOX:
                assert values[field.name]
