"""Attempts at a page that are kept as recordings: under which name, and whether they ended well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.gui.features.webtask.webtask_keep_controller import ended_well, folder_name
from stepscope.app.services.webtask.tasks import filled_by
from stepscope.app.services.webtask.trajectories import Attempt
from stepscope.core.domain.prediction import FieldsAnswer, Prediction, PredictionStatus
from stepscope.core.webtask.actions import ModifyText
from stepscope.core.webtask.page import ExecutedCall

ATTEMPT = Attempt("page:lab/m", (ExecutedCall(ModifyText("why", "tea"), 1.0, 0.1),), "run-1")
HERE = Path("data/tasks")


def test_an_attempt_that_is_kept_again_has_the_same_name() -> None:
    later = replace(ATTEMPT, log=(replace(ATTEMPT.log[0], at=9.0),))
    name = folder_name(HERE, "Rate it/3", ATTEMPT)
    assert name == folder_name(HERE, "Rate it/3", later)
    assert name.startswith("Rate-it-3-page-lab-m-") and len(name.rpartition("-")[2]) == 8


@pytest.mark.parametrize(
    ("source", "instance", "attempt"),
    [
        (Path("data/other/tasks"), "Rate it/3", ATTEMPT),
        (HERE, "Rate it!3", ATTEMPT),
        (HERE, "Rate it/3", replace(ATTEMPT, run="run-2")),
        (HERE, "Rate it/3", replace(ATTEMPT, log=(ExecutedCall(ModifyText("why", "\ud83d"), 1.0, 0.1),))),
    ],
)
def test_no_other_attempt_takes_its_place(source: Path, instance: str, attempt: Attempt) -> None:
    assert folder_name(source, instance, attempt) != folder_name(HERE, "Rate it/3", ATTEMPT)


def test_what_a_model_gave_up_did_not_end_well() -> None:
    good = Prediction("Rate it/3", None, FieldsAnswer(()), PredictionStatus.OK)
    assert ended_well(filled_by(good, None)) and ended_well(None)
    assert not ended_well(filled_by(replace(good, answer=None, status=PredictionStatus.FAILED), None))
