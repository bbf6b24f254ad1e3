"""A run with every kind of answer and score, on annotated data, for the tests of bundles. Loaded by conftest.py."""

from dataclasses import replace
from datetime import UTC, datetime

from stepscope.core.domain.action import Swipe, Tap, Type
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.model_call import CallAttempt, ModelCall, SentMessage, SentPicture, digest_of
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec, RunState
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.bundle import read_bundle
from stepscope.core.store import queries
from stepscope.core.store.repositories import annotations, cause_labels, outcomes, runs
from stepscope.core.store.worker import WorkerClaim

SPEC = RunSpec(Task.AUTOMATION, "fake", "data/fake", "fake", "side", (("limit", "0.5"),))
PHONE, TABLET = Size(1080, 1920), Size(7, 9)
MADE = datetime(2026, 11, 1, 12, 0, 0, 5, tzinfo=UTC)
ANSWERS = (
    ActionAnswer(Tap(Point(1.5, 2.25, PHONE)), (Candidate(Tap(Point(3, 4, PHONE)), 0.5), Candidate(Type("ä\0"), 0.1))),
    ActionAnswer(Swipe(Point(1, 2, PHONE), Point(3, 4, TABLET))),
    FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.75),
    GoalAnswer("Öffne “es”\n"),
    OrderAnswer(("b", "a")),
    AskAnswer(None),
    FieldsAnswer((("name", "Ada"), ("", "")), ("lost",)),
)


CAUSE = CauseLabel(ErrorCause.ROW, "ada", MADE)
FILE = b"a picture"
PROMPT = "Say what is to be done next on this phone, in one call of the function, and say nothing else at all."
SENT = SentPicture(digest_of(FILE), 4, 5, "image/png", data=FILE)
CALL = ModelCall(
    (SentMessage("system", (PROMPT,)), SentMessage("user", ("Buy ä", SENT))), "{}", (("model", "m"),), 100, 7, 40.0,
    900.5, (CallAttempt("busy (503)", 1.5, 1000.0), CallAttempt("", 2.0)), "length",
)  # fmt: skip


def item(step, answer, score, **more):
    key = ItemKey("e/1", step)
    return Outcome(key, Prediction("e/1", None if step < 0 else step, answer, **more), score, "tap")


ITEMS = (
    *(item(n, answer, Score.scored(n % 2, "so", far=n / 3), raw="{}", confidence=n / 7)
      for n, answer in enumerate(ANSWERS)),
    item(20, None, Score.unusable("no JSON", null=False), status=PredictionStatus.MALFORMED, raw="\ud800\0", why="no"),
    item(21, None, Score.unusable("none", null=True), status=PredictionStatus.EMPTY),
    item(22, ANSWERS[0], Score.unscored("no reference"), latency_ms=0.1, trace='{"log": ["ä"]}',
         raw="{}", calls=(CALL, replace(CALL, output="another"))),
    item(-1, None, Score.error("broke"), status=PredictionStatus.FAILED, why="broke"),
)  # fmt: skip
SAID = (
    Annotation("data/fake", "e/1", None, AnnotationKind.STAR, "", "ada", MADE),
    Annotation("data/fake", "e/1", 2, AnnotationKind.NOTE, "a note", "ada", MADE),
)


def store_run(database):
    """A finished run with every kind of answer and score, under its own rule and a second one, on annotated data."""
    spec = replace(SPEC, split="test", limit=3, seed=7, predictions="p.jsonl", code_version="1", scorer_version="7")
    with database.unit_of_work() as db:
        made = runs.add(db, spec, ["e/1", "ö"], WorkerClaim.here(), total=len(ITEMS))
        own = outcomes.scoring(db, made, "side", "7", spec.options, own=True)
        outcomes.add_many(db, made, own, ITEMS)
        other = outcomes.scoring(db, made, "side", "7", (("limit", "9"),))
        outcomes.add_scores(db, made, other, [(one.key, Score.scored(1, "wide")) for one in ITEMS[:5]])
        runs.set_note(db, made, "by hand")
        runs.set_made_with(db, made, MachineFacts("a processor", 4, gpus=("a GPU",)), "ab" * 32)
        runs.add_worked(db, made, 2.5)
        runs.set_state(db, made, RunState.DONE)
        cause_labels.put(db, made, {("e/1", 0): CAUSE})
        annotations.replace(db, (), SAID)
    return made


def enter(database, path, **more):
    """Import a bundle; returns the last update."""
    *_, last = read_bundle(database, path, **more)
    return last


def runs_in(database):
    with database.reading() as db:
        return [counts.run.id for counts in queries.run_list(db)]
