"""The kept index: first rows when a data set is opened again, and what 700,000 rows take in memory.

Everything is measured in a fresh process, as after a start of the program.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.fingerprint import fingerprint
from stepscope.core.store.repositories import sources
from tests.benchmarks.figures import Tell

EPISODES = 10_000
MANY = 700_000
LISTED = 50
"""Rows that a list paints at first."""

FIRST_ROWS = """
import json, sys, time
from pathlib import Path
began = time.perf_counter()
from stepscope.app.services.library import open_indexed
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import episodes, matching
imported = time.perf_counter()
with Database.open(sys.argv[1]) as database:
    opened = time.perf_counter()
    index = next(open_indexed(database, Path(sys.argv[2]), CancelToken()))
    with database.reading() as db:
        ids = matching(db, index.source_id)
        rows = episodes(db, index.source_id, ids[:50])
    shown = time.perf_counter()
print(json.dumps({"imports": imported - began, "store": opened - imported, "rows": shown - opened, "n": len(ids)}))
"""

RESIDENT = """
import json, sys
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import episodes, matching
def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
with Database.open(sys.argv[1]) as database, database.reading() as db:
    before = resident()
    ids = matching(db, 1)
    place = {episode: n for n, episode in enumerate(ids)}  # as the window keeps them
    rows = episodes(db, 1, ids[350_000:350_050])
    print(json.dumps({"before": before, "after": resident(), "n": len(ids), "rows": len(rows)}))
"""


def measured(code: str, *arguments: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def row(number: int) -> EpisodeSummary:
    goal = f"Find the cheapest flight number {number} and put it into the calendar"
    return EpisodeSummary(
        f"{number:020}", goal, "com.example.app", Platform.ANDROID, 7, 7, (("tap", 5), ("type", 1)),
        splits=("standard/train",), place=f"general-{number // 1000:05}-of-00700\t{number} 12345678", checked=True,
    )  # fmt: skip


def test_first_rows_of_ten_thousand_episodes(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    data = tmp_path / "data"
    for number in range(EPISODES):
        folder = data / f"app{number % 100}" / f"trace_{number}"
        folder.mkdir(parents=True)
        (folder / "gestures.json").write_text("{}", "utf-8")
    url = store_url(tmp_path / "store.db")
    with Database.open(url) as database, database.unit_of_work() as db:
        sources.replace_index(db, data.resolve(), "rico", fingerprint(data), (row(n) for n in range(EPISODES)))
    measured(FIRST_ROWS, url, str(data))
    found = sorted((measured(FIRST_ROWS, url, str(data)) for _ in range(5)), key=lambda times: times["rows"])
    times = found[len(found) // 2]
    figure("first rows with a kept index", times["rows"], "s", budget=0.3)
    with capsys.disabled():
        print(
            f"\nfirst rows of {EPISODES:,} episodes with a kept index: {times['rows']:.3f} s (budget 0.3); "
            f"before that imports {times['imports']:.2f} s, store {times['store']:.2f} s"
        )
    assert all(times["n"] == EPISODES for times in found)


def test_memory_of_seven_hundred_thousand_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = store_url(tmp_path / "store.db")
    with Database.open(url) as database, database.unit_of_work() as db:
        source = sources.begin_index(db, tmp_path, "aitw")
        for first in range(0, MANY, 10_000):
            sources.add_index(db, source, first, [row(n) for n in range(first, first + 10_000)])
        sources.finish_index(db, source, "f")
    found = measured(RESIDENT, url)
    assert found["after"] < 500 * 1024, "the budget of memory"
    with capsys.disabled():
        print(
            f"\n{MANY:,} rows listed: {found['after'] / 1024:.0f} MB resident in all (budget 500), "
            f"{(found['after'] - found['before']) / 1024:.0f} MB of them for the list"
        )
    assert found["n"] == MANY and found["rows"] == LISTED
