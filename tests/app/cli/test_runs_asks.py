"""`stepscope runs asks` and `reproduce naviplus-table1|2`: the settings of a run out of its stored answers, by hand.

Two episodes of four taps. `cake` leaves out a time: a question is due at step 2, and the agent asks at 1. `walk` leaves
out nothing, and it asks at 0 all the same.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.reproduction.asking_cells import AskingCells
from stepscope.app.services.reproduction.tables import find_table
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.settings import store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

pytestmark = pytest.mark.usefixtures("store")

SIZE = Size(100, 200)
RIGHT, WRONG = {"kind": "tap", "point": [10, 10]}, {"kind": "tap", "point": [90, 190]}


def episode(name: str, *asks: Ask, whole: str | None = None) -> Episode:
    steps = tuple(Step(n, Observation(SIZE), Tap(Point(10, 10, SIZE))) for n in range(4))
    return Episode(name, "recording", Platform.ANDROID, "Set a timer", steps, asks=asks, original_goal=whole)


def line(name: str, step: int, ask: str | None, score: float, **does: Any) -> dict[str, Any]:
    return {"episode": name, "step": step, "ask": ask, "score": score, **does}


LINES = [
    line("cake", 0, None, 0.1, does=RIGHT, does_after=RIGHT, does_whole=RIGHT),
    line("cake", 1, "How long?", 0.8, does=WRONG, does_after=RIGHT, does_whole=RIGHT),
    line("cake", 2, None, 0.3, does=WRONG, does_after=RIGHT, does_whole=RIGHT),
    line("cake", 3, None, 0.2, does=WRONG, does_after=RIGHT, does_whole=WRONG),
    line("walk", 0, "Where to?", 0.6, does=RIGHT),
    *(line("walk", n, None, 0.05, does=RIGHT) for n in (1, 2, 3)),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "asks"
    ask = Ask(2, "For how long shall it run?", "45 minutes")
    for one in (episode("cake", ask, whole="Set a timer for 45 minutes"), episode("walk")):
        write_recording(one, folder / one.id)
    return folder


@pytest.fixture
def run(cli: Any, data: Path, tmp_path: Path) -> str:
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in LINES))
    ended = cli("evaluate", "ask", data, "--predictions", file)
    assert ended.status == 0 and "Four settings: " in ended.out and "incomplete task" in ended.out
    return str(cli("runs", "list", "--json").json[0]["run"])


def ssrs(form: dict[str, Any], place: int = 0) -> list[float | None]:
    return [row["values"].get("ssr") for row in form["runs"][place]["settings"]]


def test_the_four_settings_and_their_switches(cli: Any, run: str) -> None:
    form = cli("runs", "asks", run, "--json").json
    # walk: 3/4 where it may ask, 1 where it cannot. cake: whole 3/4, alone 1/4, one stream 0 and 3 of 4, two 4/4.
    assert ssrs(form) == pytest.approx([(3 / 4 + 1) / 2, (1 / 4 + 1) / 2, (2 / 4 + 3 / 4) / 2, (1 + 3 / 4) / 2])
    dual = form["runs"][0]["settings"][3]
    assert dual["recovery"] == pytest.approx((7 / 8 - 5 / 8) / (7 / 8 - 5 / 8))
    assert (dual["values"]["asks"], dual["values"]["ask_precision"]) == (1, 0)
    credit = cli("runs", "asks", run, "--early-ask", "credit", "--json").json
    assert credit["runs"][0]["settings"][3]["values"]["ask_precision"] == 1 / 2
    assert form["outcomes"]["not_when_due"] == ["cake"] and form["outcomes"]["not_needed"] == ["walk"]
    assert form["episodes"][0]["rescued"] == [1, 2, 3]


def test_the_curve_and_another_run_beside_it(cli: Any, run: str, data: Path) -> None:
    ended = cli("evaluate", "ask", data, "--model", "never-ask")
    assert ended.status == 0 and "--set-model actor=text-match" in ended.out
    other = next(one["run"] for one in cli("runs", "list", "--json").json if one["run"] != run)
    form = cli("runs", "asks", run, other, "--curve", "--bootstrap", "10", "--json").json
    cost = form["cost"]
    assert [one["threshold"] for one in cost["points"]] == [None, 0.8, 0.6, 0.3, 0.2, 0.1, 0.05]
    assert cost["own_place"] == 2 and cost["best"] == 1, "walk's question is not worth it"
    assert [one["ssr"] for one in cost["others"]] == [None] and ssrs(form, 1) == [None] * 4
    text = cli("runs", "asks", run, "--curve").out
    assert "as it asked" in text and "never" in text and "Published: SpiritSight-Agent-8B" in text


def test_an_episode_as_lanes(cli: Any, run: str) -> None:
    lanes = cli("runs", "asks", run, "--lanes", "cake", "--json").json["lanes"]
    assert [step["counts"] for step in lanes["steps"]] == ["first", "second", "second", "second"]
    assert [step["rescued"] for step in lanes["steps"]] == [False, True, True, True]
    asked = lanes["steps"][1]
    assert asked["offset"] == -1 and asked["first"]["question"] == "How long?"
    assert asked["second"]["right"] is True and lanes["steps"][0]["second"] is None
    (question,) = lanes["questions"]
    assert (question["kind"], question["step"], question["due"]) == ("number", 1, 2)
    single = cli("runs", "asks", run, "--lanes", "cake", "--dual", "off", "--json").json["lanes"]
    assert [step["right"] for step in single["steps"]] == [True, False, False, True]
    assert "asked 1 step early" in cli("runs", "asks", run, "--lanes", "cake").out
    missing = cli("runs", "asks", run, "--lanes", "none")
    assert missing.status == 2 and "has no episode 'none'" in missing.line


def test_what_is_removed(cli: Any, run: str) -> None:
    rows = cli("runs", "asks", run, "--removed", "--json").json["removed"]
    assert [(row["removed"], row["episodes"]) for row in rows] == [(0, 2), (1, 1)]
    assert rows[1]["change"]["ssr"] == pytest.approx((1 / 4) / (3 / 4) - 1)
    assert rows[0]["change"] == {"ssr": None, "sr": None}


def test_files(cli: Any, run: str, tmp_path: Path) -> None:
    file = tmp_path / "asks.csv"
    assert cli("runs", "asks", run, "--format", "csv", "-o", file).status == 0
    rows = list(csv.reader(io.StringIO(file.read_text())))
    assert rows[0][:3] == ["table", "setting", "SSR"] and float(rows[1][2]) == 0.875
    latex = cli("runs", "asks", run, "--format", "latex").out
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") > 4 and "$0.875$" in latex
    assert json.loads(cli("runs", "asks", run, "--format", "json").out)["switches"]["answered"] == "asked"


def test_what_cannot_be(cli: Any, run: str, store: Path, recordings: Path, predictions: Path) -> None:
    assert cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw").status == 0
    other = next(one["run"] for one in cli("runs", "list", "--json").json if one["run"] != run)
    ended = cli("runs", "asks", other)
    assert ended.status == 2 and "is about automation, not about asking" in ended.line
    assert cli("runs", "asks", run, "-o", "x.txt").status == 2
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("update scoring set scorer_version = '1' where scorer = 'ask'")
        raw.commit()
    old = cli("runs", "asks", run)
    assert old.status == 2 and "runs rescore" in old.line


def test_cells_of_the_papers_tables(run: str, store: Path) -> None:
    with Database.open(store_url(store)) as database:
        with database.reading() as db:
            found = runs.get(db, run)
        cells = AskingCells(database)
        table = find_table("naviplus-table1")
        columns = {column.id: column for column in table.columns}
        rows = {row.setting: row for row in table.rows if (row.like or row.id) == "ask-timing"}
        assert cells.of_run(rows["original"], columns["ssr"], found).value == 7 / 8
        assert cells.of_run(rows["dual"], columns["recovery"], found).value == pytest.approx(1)
        assert cells.of_run(rows["incomplete"], columns["precision"], found).value is None
        sweep = find_table("naviplus-table2")
        (row,) = (row for row in sweep.rows if row.id == "ask-timing")
        by_id = {column.id: column for column in sweep.columns}
        assert cells.of_run(row, by_id["ssr-1"], found).value == 1 / 4
        assert cells.of_run(row, by_id["ssr-0"], found).n == 2
        assert "No episode of the data leaves out 2" in cells.of_run(row, by_id["ssr-2"], found).missing


def test_the_tables_are_made_by_command(cli: Any, data: Path) -> None:
    ended = cli("reproduce", "naviplus-table1", "--data", data, "--model", "ask-timing=never-ask")
    assert ended.status == 0 and "67.6" in ended.out
    assert "The agent only asks" in ended.out, "a model without actions has no success"
    form = cli("reproduce", "naviplus-table1", "--data", data, "--model", "ask-timing=never-ask", "--json").json
    assert len({run for row in form["rows"] for cell in row["cells"] for run in cell["runs"]}) == 1
