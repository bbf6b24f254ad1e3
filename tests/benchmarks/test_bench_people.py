"""Eight people who write and 32 who read on one store on a PostgreSQL server that keeps what it says it kept (fsync
on): how many pieces of work a second, how long each takes, and whether anything is lost. Alone, beside bare psycopg.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from sqlalchemy import make_url, text

from stepscope.core.domain.campaign import AppEntry, Campaign, CampaignContents, CampaignGoal, Pair, PairOrigin
from stepscope.core.store.codec import answer_to_text
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns, sources
from stepscope.core.store.server import LOCK
from tests.benchmarks import store_people as people
from tests.benchmarks.figures import Tell
from tests.benchmarks.test_bench_filters import stored_run, summary

EPISODES, SECONDS, ALONE = 5_000, 20, 200
WRITERS = [[f"annotate{n}"] for n in range(3)] + [[f"batch{n}"] for n in range(3)] + [[f"assign{n}"] for n in range(2)]
READING = ("page", "page", "page", "filter", "filter", "filter", "notes", "notes")
READERS = [[f"{kind}{n * 4 + place}" for place in range(4)] for n, kind in enumerate(READING)]
"""A list is a process, what is in it its connections: 8 writers, 32 readers."""
KEEPING = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "80"}


@dataclass(frozen=True)
class Shared:
    url: str
    source: int
    run: str


@pytest.fixture(scope="module")
def shared(postgresql_servers: Any) -> Iterator[Shared]:
    with postgresql_servers(KEEPING) as server, server.database() as url, Database.open(url) as database:
        draw, lengths = random.Random(0), []
        with database.unit_of_work() as db:
            source = sources.begin_index(db, "data", "aitw")
            entries = [summary(number, draw) for number in range(EPISODES)]
            lengths = [entry.steps for entry in entries]
            sources.add_index(db, source, 0, entries)
            sources.finish_index(db, source, "f")
            apps = tuple(AppEntry(f"org.app{n}", f"App {n}", "Tools") for n in range(20))
            goals = tuple(CampaignGoal(app.package, f"Goal {n}", "p") for app in apps for n in range(20))
            pairs = tuple(Pair(goal.app, goal, PairOrigin.APP_SPECIFIC) for goal in goals)
            campaigns.add(db, Campaign(people.CAMPAIGN, "", 9))
            campaigns.replace(db, people.CAMPAIGN, CampaignContents(), CampaignContents(apps, goals, (), pairs))
        run = stored_run(database, lengths, 0)
        with database.unit_of_work() as db:
            answer = answer_to_text(people.outcome("any", 500).prediction.answer)
            db.execute(
                text("UPDATE prediction SET answer = CASE status WHEN 'ok' THEN :answer END"), {"answer": answer}
            )
            db.execute(text("SELECT setval('prediction_id_seq', (SELECT max(id) FROM prediction))"))
        server.execute("ANALYZE", database=str(make_url(url).database))  # as the server does within a minute
        yield Shared(url, source, run)


def started(shared: Shared, pace: float, whats: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.benchmarks.store_people", shared.url, str(shared.source), shared.run]
    child = subprocess.Popen(
        [*command, str(SECONDS), str(pace), *whats], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert child.stdout and child.stdout.readline() == "ready\n"
    return child


@pytest.mark.parametrize("pace", [1.0, 0.0], ids=["one piece of work a second each", "without a pause"])
@pytest.mark.timeout(300)
def test_eight_writers_and_32_readers(
    shared: Shared, pace: float, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    before = kept(shared)
    children = [started(shared, pace, whats) for whats in (*WRITERS, *READERS)]
    for child in children:
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
    took: dict[str, list[float]] = {}
    for child in children:
        out, _ = child.communicate(timeout=SECONDS * 5)
        assert child.returncode == 0
        took |= json.loads(out)
    lines = [f"{pace:g} s from piece to piece:"]
    for kind in dict.fromkeys(what.rstrip("0123456789") for what in took):
        times = [second for what, seconds in took.items() if what.startswith(kind) for second in seconds]
        hands = sum(what.startswith(kind) for what in took)
        p50, p95, p99 = np.percentile(times, (50, 95, 99)) * 1e3
        lines.append(f"{kind} by {hands}: {len(times) / SECONDS:.1f}/s, p50 {p50:.0f} ms, p95 {p95:.0f}, p99 {p99:.0f}")
        figure(f"many people {'at once' if pace else 'without a pause'}: {kind}, p95", p95, "ms")
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    count = {kind: sum(len(times) for what, times in took.items() if what.startswith(kind)) for kind in
             ("annotate", "batch", "assign")}  # fmt: skip
    made = {name: now - before[name] for name, now in kept(shared).items()}
    assert made == {**count, "batch": count["batch"] * people.BATCH}


def kept(shared: Shared) -> dict[str, int]:
    """What the store has of what writers write."""
    counted = {
        "annotate": "SELECT count(*) FROM annotation WHERE author LIKE 'p%'",
        "batch": "SELECT count(*) FROM score JOIN prediction ON prediction.id = prediction_id WHERE run_id <> :run",
        "assign": "SELECT count(*) FROM campaign_assignment WHERE state = 'skipped'",
    }
    with Database.open(shared.url) as database, database.reading() as db:
        return {name: int(db.scalar(text(query), {"run": shared.run}) or 0) for name, query in counted.items()}


def alone(work: Callable[[], object]) -> float:
    """The median of so many, in milliseconds."""
    times = []
    for _ in range(ALONE):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return float(np.median(times)) * 1e3


@pytest.mark.timeout(300)
def test_alone_beside_bare_psycopg(shared: Shared, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    address = make_url(shared.url)
    where = {"host": address.query["host"], "port": address.query["port"], "user": address.username}
    with Database.open(shared.url) as database, psycopg.connect(dbname=address.database, **where) as bare:
        ours: dict[str, Iterator[None]] = {
            "annotate": people.annotate(database, 90), "batch": people.batch(database, 90),
            "page": people.page(database, 0, shared.run),
        }  # fmt: skip
        plain: dict[str, Iterator[None]] = {
            "annotate": bare_annotate(bare), "batch": bare_batch(bare), "page": bare_page(bare, shared.run),
        }  # fmt: skip
        lines = []
        for kind in ours:
            next(ours[kind]), next(plain[kind])
            mine, theirs = alone(lambda kind=kind: next(ours[kind])), alone(lambda kind=kind: next(plain[kind]))
            lines.append(f"{kind} alone: {mine:.1f} ms, bare psycopg {theirs:.1f} ms, {mine / theirs:.2f}")
            figure(f"{kind} on a server, over bare psycopg", mine / theirs)
    with capsys.disabled():
        print("\n" + "\n".join(lines))


def locked(bare: psycopg.Connection[Any]) -> None:
    bare.execute("SET LOCAL lock_timeout = 60000")
    bare.execute(f"SELECT pg_advisory_xact_lock({LOCK})")


def bare_annotate(bare: psycopg.Connection[Any]) -> Iterator[None]:
    for step in range(sys.maxsize):
        with bare.transaction():
            locked(bare)
            bare.execute("SELECT * FROM annotation WHERE source = 'data' AND episode = 'bare'").fetchall()
            bare.execute(
                "INSERT INTO annotation (source, episode, step, kind, slot, value, author, made) "
                "VALUES ('data', 'bare', %s, 'note', '', %s, 'bare', now())", (step, f"word {step}"),
            )  # fmt: skip
        yield


def bare_batch(bare: psycopg.Connection[Any]) -> Iterator[None]:
    form = bare.execute("SELECT * FROM run LIMIT 1")
    row = form.fetchone()
    assert form.description and row
    values = {column.name: value for column, value in zip(form.description, row, strict=True)} | {"id": "bare"}
    bare.execute(
        f"INSERT INTO run ({', '.join(values)}) VALUES ({', '.join(['%s'] * len(values))})".encode(), [*values.values()]
    )
    found = bare.execute(
        "INSERT INTO scoring (run_id, scorer, scorer_version, options, own, changed) "
        "VALUES ('bare', 'aitw', '1', '{}', true, 0) RETURNING id"
    ).fetchone()
    assert found
    bare.commit()
    for first in range(0, sys.maxsize, people.BATCH):
        rows = [("bare", "bare", step, "ok", "tap", "tap", '{"x":7}', "CLICK", "") for step in
                range(first, first + people.BATCH)]  # fmt: skip
        with bare.transaction():
            locked(bare)
            bare.execute("UPDATE run SET heartbeat = now() WHERE id = 'bare' RETURNING id").fetchone()
            marks = ", ".join(["(%s, %s, %s, %s, %s, %s, %s, %s, %s)"] * len(rows))
            statement = (
                "INSERT INTO prediction (run_id, episode, step, status, reference, kind, answer, raw, why) "
                f"VALUES {marks} RETURNING id"
            )
            ids = bare.execute(statement.encode(), [value for row in rows for value in row]).fetchall()
            marks = ", ".join(["(%s, %s, 'scored', 1.0, false, '', '[]')"] * len(ids))
            bare.execute(
                "INSERT INTO score (scoring_id, prediction_id, status, value, malformed, why, parts) "
                f"VALUES {marks}".encode(), [value for (one,) in ids for value in (found[0], one)],
            )  # fmt: skip
            bare.execute("UPDATE scoring SET changed = 1 WHERE id = %s", found)
        yield


def bare_page(bare: psycopg.Connection[Any], run: str) -> Iterator[None]:
    ids = [one for (one,) in bare.execute("SELECT id FROM prediction WHERE run_id = %s ORDER BY id", (run,))]
    for place in range(sys.maxsize):
        first = place % (len(ids) // people.PAGE) * people.PAGE
        with bare.transaction():
            bare.execute(
                "SELECT prediction.*, score.* FROM prediction JOIN score ON prediction.id = prediction_id "
                "JOIN scoring ON scoring.id = scoring_id WHERE prediction.run_id = %s AND own AND "
                "prediction.id = ANY(%s)", (run, ids[first : first + people.PAGE]),
            ).fetchall()  # fmt: skip
        yield
