"""People at work on one store: `python -m tests.benchmarks.store_people URL SOURCE RUN SECONDS PACE WHAT…` does each
WHAT in a thread with a connection of its own, once a line comes in, and prints how long each piece of work took, as
JSON.

A WHAT is a kind of work and a number: `annotate3`, `batch0`, `assign1`, `page5`, `filter2`, `notes9`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from sqlalchemy import select

from stepscope.app.services.annotations import AnnotationChange, make
from stepscope.app.services.campaigns import campaigns
from stepscope.core.domain.action import Tap
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.store import columns
from stepscope.core.store.engine import Database
from stepscope.core.store.filter_search import FilterInputs, find
from stepscope.core.store.repositories import annotations, outcomes, runs
from stepscope.core.store.tables import PredictionRow
from stepscope.core.store.worker import WorkerClaim

BATCH, PAGE, CAMPAIGN = 32, 100, "load"
FILTERS = ("wrong:A steps>=7", "text:settings", "note:word wrong:A", "action:tap conf:A<0.4")
READING = ("page", "filter", "notes")
SCREEN = Size(1000, 2000)
Work = Iterator[None]


def annotate(database: Database, number: int) -> Work:
    """Notes about steps that nobody else writes about."""
    for step in range(sys.maxsize):
        made = datetime.now(UTC)
        note = Annotation("data", f"{os.getpid()}-own", step, AnnotationKind.NOTE, f"word {step}", f"p{number}", made)
        make(database, AnnotationChange(after=(note,)), seen=())
        yield


def batch(database: Database, number: int) -> Work:
    """The results of a run, as an evaluation keeps them."""
    worker, spec = WorkerClaim.here(), RunSpec(Task.AUTOMATION, f"model{number}", "data", "aitw", "aitw")
    with database.unit_of_work() as db:
        run = runs.add(db, spec, [], worker, total=None)
        scoring = outcomes.scoring(db, run, "aitw", "1", (), own=True)
    for first in range(0, sys.maxsize, BATCH):
        some = [outcome(f"{number:012}-own", step) for step in range(first, first + BATCH)]
        with database.unit_of_work() as db:
            runs.beat(db, run, worker)
            outcomes.add_many(db, run, scoring, some)
        yield


def outcome(episode: str, step: int) -> Outcome:
    answer = ActionAnswer(Tap(Point(step % 1000, 7, SCREEN)))
    return Outcome(ItemKey(episode, step), Prediction(episode, step, answer, raw="CLICK"), Score.scored(1.0, ""), "tap")


def assign(database: Database, number: int) -> Work:
    """Take the next task of a campaign, and leave it to others."""
    while (task := campaigns.next_task(database, CAMPAIGN, f"p{number}")) is not None:
        campaigns.skip(database, CAMPAIGN, task.key)
        yield


def page(database: Database, number: int, run: str) -> Work:
    """A page of a results table, further down each time, as the window asks for it."""
    with database.reading() as db:
        ids = list(db.scalars(select(PredictionRow.id).where(PredictionRow.run_id == run).order_by(PredictionRow.id)))
    for place in range(number, sys.maxsize):
        first = place % (len(ids) // PAGE) * PAGE
        with database.reading() as db:
            columns.rows(db, run, ids[first : first + PAGE])
        yield


def filtered(database: Database, number: int, source: int, run: str) -> Work:
    """The list of episodes under a filter."""
    for place in range(number, sys.maxsize):
        with database.reading() as db:
            find(db, source, parse(FILTERS[place % len(FILTERS)]), inputs=FilterInputs({"A": run}))
        yield


def notes(database: Database, number: int) -> Work:
    """What was said about the episodes of a list's page."""
    for place in range(number, sys.maxsize):
        names = [f"{one * 7919:012}-trace" for one in range(place % 40 * 50, place % 40 * 50 + 50)]
        with database.reading() as db:
            annotations.of_episodes(db, "data", names)
        yield


def timed(work: Work, seconds: float, pace: float, into: list[float]) -> None:
    """Do one piece after the other for so many seconds, each at the earliest `pace` seconds after the one before
    began."""
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        if next(work, False) is False:
            return
        into.append(time.perf_counter() - began)
        time.sleep(max(0.0, began + pace - time.perf_counter()))


def main(url: str, source: str, run: str, seconds: str, pace: str, *whats: str) -> None:
    with Database.open(url) as database:
        kinds: dict[str, Callable[[int], Work]] = {
            "annotate": lambda number: annotate(database, number),
            "batch": lambda number: batch(database, number),
            "assign": lambda number: assign(database, number),
            "page": lambda number: page(database, number, run),
            "filter": lambda number: filtered(database, number, int(source), run),
            "notes": lambda number: notes(database, number),
        }
        took: dict[str, list[float]] = {what: [] for what in whats}
        work = {
            what: kinds[what.rstrip("0123456789")](int(what.lstrip("abcdefghijklmnopqrstuvwxyz"))) for what in whats
        }
        for what, one in work.items():
            if what.startswith(READING):
                for _ in FILTERS:
                    next(one)  # a window that is open has read what filters work on
        print("ready", flush=True)
        sys.stdin.readline()
        with ThreadPoolExecutor(len(work)) as threads:
            ends = [threads.submit(timed, one, float(seconds), float(pace), took[what]) for what, one in work.items()]
        for end in ends:
            end.result()  # what went wrong there is raised here
        print(json.dumps(took))


if __name__ == "__main__":
    main(*sys.argv[1:])
