"""As what results may be shown: data that this project made is known as such, and models that learned from its apps."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stepscope.app.services.provenance import (
    BUILD_MANIFEST,
    PROCEDURES,
    SAMPLE,
    UNSEEN_APPS,
    is_generated,
    is_made_here,
    is_sample,
    not_a_finding,
    runs_badge,
    sample_badge,
    trained_on_words,
)
from stepscope.app.services.published_numbers import beside_run
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.evaluation.rules import Scoring
from stepscope.resources.sample.generator import build, choose


@pytest.fixture
def generated(tmp_path: Path) -> Path:
    """What `sample build` leaves before its first episode."""
    folder = tmp_path / "episodes"
    build.Build(build.BuildSpec(3, 0, Size(270, 600), ("clock",), "1"), folder)
    (folder / "00000-clock").mkdir()
    return folder


def run_of(model: str, source: Path | str, split: str = "") -> Run:
    spec = RunSpec(Task.AUTOMATION, model, str(source), "recording", "aitw", split=split)
    return Run("a", spec, RunState.DONE, datetime.now(UTC))


def test_what_it_looks_for_is_what_the_generator_writes(generated: Path) -> None:
    assert (build.MANIFEST, choose.UNSEEN) == (BUILD_MANIFEST, UNSEEN_APPS)
    assert is_generated(generated) and is_generated(str(generated / "00000-clock"))
    assert not is_sample(generated) and is_made_here(f"{generated}{PROCEDURES}")
    assert sample_badge(generated) == "generated, not a finding"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": "another"}', "x" * 100_000, " " * 600 + '{"format": "stepscope-sample-build"}'],
    ids=range(6),
)
def test_other_folders_with_a_manifest_are_not_generated(text: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / BUILD_MANIFEST).write_text(text)
    assert not is_made_here(tmp_path / "data") and sample_badge(tmp_path / "data") == ""


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / BUILD_MANIFEST)
    assert not is_generated(tmp_path) and not is_generated(tmp_path / "not there" / "at all")


def test_a_model_that_learned_from_these_apps_says_so(generated: Path) -> None:
    assert not_a_finding(run_of("two-tower", SAMPLE)) == "sample, its apps were trained on, not a finding"
    assert not_a_finding(run_of("two-tower", generated)) == "generated, its apps were trained on, not a finding"
    assert not_a_finding(run_of("two-tower?instructions=hidden", SAMPLE)).startswith("sample, its apps")
    assert not_a_finding(run_of("two-tower", generated, UNSEEN_APPS)) == "generated, not a finding"
    assert not_a_finding(run_of("sentence-match", generated)) == "generated, not a finding", "it learned from no app"
    assert not_a_finding(run_of("two-tower", "/data/motif")) == ""
    elsewhere = run_of("two-tower", SAMPLE)
    elsewhere = replace(elsewhere, spec=replace(elsewhere.spec, predictions="/x.jsonl"))
    assert not_a_finding(elsewhere) == "sample, not a finding"


def test_who_begins_such_an_evaluation_is_told(generated: Path) -> None:
    words = "two-tower was trained on apps of {}: its scores show the machinery and are no finding."
    assert trained_on_words("two-tower", SAMPLE) == words.format("the sample")
    assert trained_on_words("two-tower?instructions=hidden", generated) == words.format("this data")
    assert trained_on_words("two-tower", generated, UNSEEN_APPS) == ""
    for split in ("Feasibility/test", "app_unseen_task_unseen/test", "app_unseen_task_seen/test"):
        assert trained_on_words("two-tower", generated, split) == "", "dealt out by the apps that are in no training"
        assert trained_on_words("two-tower", SAMPLE, split), "the sample holds no app back"
    for split in ("feasibility/train", "app_unseen_task_seen/train", "app_seen_task_unseen_all/test"):
        assert trained_on_words("two-tower", generated, split)
    assert trained_on_words("text-match", SAMPLE) == trained_on_words("two-tower", "/data/motif") == ""


def test_a_stand_in_is_one_on_all_data(generated: Path) -> None:
    foreign = run_of("text-match", "/data/motif")
    assert not_a_finding(foreign) == "stand-in model, not a finding"
    assert not_a_finding(run_of("text-match", SAMPLE)) == "stand-in model on the sample, not a finding"
    assert not_a_finding(run_of("text-match", generated)) == "stand-in model on generated data, not a finding"
    real = run_of("two-tower", "/data/motif")
    assert runs_badge([real, foreign]) == "with a stand-in model, not a finding"
    assert runs_badge([real]) == runs_badge([]) == ""
    assert runs_badge([run_of("two-tower", generated), run_of("text-match", generated)]) == "generated, not a finding"


def test_no_papers_number_stands_beside_generated_data(generated: Path) -> None:
    rule = Scoring("feasibility", ())
    found = run_of("two-tower", "/data/motif")
    assert beside_run(found, rule, ["f1"]) and not beside_run(run_of("two-tower", generated), rule, ["f1"])


def test_the_manifest_of_a_whole_build_is_known_too(generated: Path) -> None:
    form = json.loads((generated / BUILD_MANIFEST).read_text())
    assert next(iter(form)) == "format", "what it is told by stands in its head"
