"""Papers' numbers beside runs: parts and unfinished runs are not their data, and none stands beside the sample."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.app.services.provenance import SAMPLE, not_a_finding
from stepscope.app.services.published_numbers import all_beside, beside_run
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.rules import Scoring, scoring_of
from stepscope.core.scoring.registry import record_scorer

SPEC = RunSpec(Task.FEASIBILITY, "m", "/data/motif", "motif", "feasibility", split="feasibility/test")
RUN = Run("r1", SPEC, RunState.DONE, datetime(2026, 1, 5, tzinfo=UTC))
RULE = scoring_of("feasibility", {})
METRICS = record_scorer("feasibility").info.metrics


def test_a_run_on_the_papers_split() -> None:
    found = beside_run(RUN, RULE, METRICS)
    assert set(found) == {"f1"}
    assert (found["f1"].value, found["f1"].elsewhere) == (0.611, False)
    assert "CLIP (screen, ET, ID), cat" in found["f1"].words and "This run" not in found["f1"].words


@pytest.mark.parametrize(
    ("run", "left_out", "words"),
    [
        (replace(RUN, spec=replace(SPEC, split="")), False, "another split"),
        (replace(RUN, spec=replace(SPEC, limit=50)), False, "a part of it"),
        (replace(RUN, spec=replace(SPEC, filter="app:maps")), False, "a part of it"),
        (replace(RUN, spec=replace(SPEC, chosen=3)), False, "a part of it"),
        (replace(RUN, state=RunState.RUNNING), False, "a part of it"),
        (RUN, True, "a part of it"),
        (replace(RUN, spec=replace(SPEC, format="recording")), False, "other data"),
    ],
)
def test_a_run_on_anything_else(run: Run, left_out: bool, words: str) -> None:
    found = beside_run(run, RULE, METRICS, left_out=left_out)["f1"]
    assert (found.value, found.elsewhere) == (0.611, True)
    assert found.words.endswith(f"This run is on {words}.")


def test_no_number_stands_beside_a_score_of_the_sample() -> None:
    run = replace(RUN, spec=replace(SPEC, source=str(SAMPLE / "one")))
    assert beside_run(run, RULE, METRICS) == {} and all_beside(run, RULE, "f1") == []
    assert not_a_finding(run) == "sample, not a finding" and not_a_finding(RUN) == ""


def test_the_rule_that_is_shown_counts_and_not_the_runs_own() -> None:
    found = beside_run(RUN, scoring_of("motif", {"grounding": "box"}), ("both_partial", "ground_complete"))
    assert {name: one.value for name, one in found.items()} == {"both_partial": 0.386, "ground_complete": 0.213}


def test_a_rule_that_is_not_known_here() -> None:
    with pytest.raises(UsageError):
        beside_run(RUN, Scoring("nonsense", ()), ("f1",))


def test_all_numbers_of_a_paper_are_told_with_its_bounds() -> None:
    run = replace(RUN, spec=RunSpec(Task.WEBTASK, "m", "/data/crowd", "turkingbench", "fields"))
    found = dict(all_beside(run, scoring_of("fields", {"rules": "paper"}), "score"))
    assert {model: number.value for model, number in found.items()} == {
        "Doing nothing": 0.078, "GPT-4, relevant part of the page": 0.213, "GPT-4, full page": 0.393,
        "GPT-4V, relevant part of the page": 0.245, "GPT-4V, full page": 0.417, "Claude 2.1, full page": 0.226,
        "Oracle": 1.0,
    }  # fmt: skip
    assert all(number.elsewhere for number in found.values()), "the paper's split is not known to be the run's"
    assert all("table 4" in number.words for number in found.values())
    assert all_beside(run, scoring_of("fields", {}), "no metric") == []
