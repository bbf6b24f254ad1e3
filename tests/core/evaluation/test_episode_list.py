"""The list of episodes as a file, against what a person reads off two episodes and a run."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary, Feasibility, FeasibilityLabel, InfeasibilityReason, Platform
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.episode_list import EpisodeListContent, csv_list_steps, json_list_steps, listed_runs
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations, outcomes, runs, sources
from stepscope.core.store.worker import WorkerClaim

DATA = "data/phones"
SPEC = RunSpec(Task.AUTOMATION, "northstar", DATA, "motif", "aitw")
SUMMARIES = (
    EpisodeSummary(
        "e1", "=Play a song", "music", Platform.ANDROID, 3, 3, (("tap", 3),), splits=("train", "app"),
        feasibility=Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR), asks=1,
    ),
    EpisodeSummary("e2", "Stop", None, Platform.ANDROID, 1, 1, (("tap", 1),)),
)  # fmt: skip


def tapped(step: int, value: float | None, confidence: float | None) -> Outcome:
    answer = ActionAnswer(Tap(Point(1, 2, Size(10, 20))))
    score = Score.unscored("") if value is None else Score.scored(value, "")
    return Outcome(ItemKey("e1", step), Prediction("e1", step, answer, confidence=confidence), score, "tap")


@pytest.fixture
def wanted() -> tuple[Database, EpisodeListContent]:
    database = Database.open("sqlite://")
    with database.unit_of_work() as db:
        source_id = sources.replace_index(db, DATA, "motif", "f", SUMMARIES).id
        run = runs.add(db, SPEC, ["e1"], WorkerClaim.here(), total=3)
        scoring = outcomes.scoring(db, run, "aitw", "1", (), own=True)
        outcomes.add_many(db, run, scoring, [tapped(0, 1, 0.9), tapped(1, 0, 0.2), tapped(2, None, None)])
        for step, kind, value in (
            (None, AnnotationKind.STAR, ""), (1, AnnotationKind.NOTE, "too far"), (1, AnnotationKind.TAG, "b"),
        ):  # fmt: skip
            annotations.put(db, Annotation(DATA, "e1", step, kind, value, "", datetime(2026, 1, 1, tzinfo=UTC)))
    with database.reading() as db:
        listed = listed_runs(db, {"A": run}, {}, "aitz")
    steps = {"e1": (1,)}
    yield (
        database,
        EpisodeListContent(source_id, DATA, ("e2", "e1"), listed, lambda e: steps.get(e, ()), "wrong:A", "9.9"),
    )
    database.close()


def written(write, database: Database, wanted: EpisodeListContent) -> tuple[str, int]:
    stream = io.StringIO()
    steps = write(database, wanted, stream, CancelToken())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return stream.getvalue(), end.value


def test_csv_has_one_row_an_episode_in_the_lists_order(wanted) -> None:
    text, number = written(csv_list_steps, *wanted)
    second, first = csv.DictReader(io.StringIO(text))
    assert number == 2
    assert (second["episode"], second["app"], second["A_hits"], second["A_first_wrong"]) == ("e2", "", "0", "")
    for name, cell in {
        "episode": "e1", "goal": "'=Play a song", "split": "train; app", "steps": "3", "label": "infeasible",
        "reason": "unclear", "asks": "1", "star": "1", "checked": "0", "note": "too far", "tags": "b", "defect": "",
        "matching_steps": "1", "A_model": "northstar", "A_rule": "aitw", "A_hits": "1", "A_misses": "1",
        "A_unscored": "1", "A_first_wrong": "1", "A_lowest_confidence": "0.2", "filter": "wrong:A", "version": "9.9",
    }.items():  # fmt: skip
        assert first[name] == cell, name


def test_json_lines_say_the_same(wanted) -> None:
    text, number = written(json_list_steps, *wanted)
    second, first = map(json.loads, text.splitlines())
    assert number == 2
    assert second["runs"]["A"]["first_wrong"] is None
    assert (first["goal"], first["split"], first["matching_steps"]) == ("=Play a song", ["train", "app"], [1])
    assert first["runs"]["A"] | {"run": ""} == {
        "run": "", "model": "northstar", "rule": "aitw", "hits": 1, "misses": 1, "malformed": 0, "unscored": 1,
        "first_wrong": 1, "lowest_confidence": 0.2,
    }  # fmt: skip


def test_a_cancelled_list_writes_no_further_rows(wanted) -> None:
    database, chosen = wanted
    token = CancelToken()
    token.cancel()
    stream = io.StringIO()
    assert list(json_list_steps(database, chosen, stream, token)) == []
    assert stream.getvalue() == ""
