"""`stepscope runs orders`: mistakes, categories, references, flips and doubts of a stored run, worked out by hand."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import human_orders, runs
from stepscope.core.store.worker import WorkerClaim

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
NAMES = ("Kite", "Tent", "Tart")
ORDERS = {"Kite": "13245", "Tent": "21345", "Tart": "45123"}
"""The second reference of the kite is met; of the tent the first two are swapped, of the tart two were moved."""


def name(title):
    return f"https://www.wikihow.com/Make-a-{title}###0"


@pytest.fixture
def manuals(tmp_path):
    """Three procedures of five steps; the second and third of the kite may change places."""
    articles = []
    for title in NAMES:
        steps = [
            {"step_headline": f"{title} {n}.", "step_text": {"text": f"Text {n}."}, "step_assets": {}}
            for n in range(1, 6)
        ]
        article = {
            "url": name(title).partition("###")[0],
            "title": f"How to Make a {title}",
            "sections": [{"steps": steps}],
        }
        if title == "Kite":
            article["multiref_gt"] = [[1, 2, 3, 4, 5], [1, 3, 2, 4, 5]]
        articles.append(article)
    folder = tmp_path / "manuals"
    folder.mkdir()
    (folder / "wikihow-test.json").write_text("".join(json.dumps(one) + "\n" for one in articles))
    return folder


def imported(cli, manuals, model, orders):
    file = manuals.parent / f"{model}.jsonl"
    lines = [{"run": {"model": model}}, *({"episode": name(title), "order": list(orders[title])} for title in orders)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return cli("evaluate", "ordering", manuals, "--predictions", file, "--json").json["run"]


def test_a_run_against_another(cli, manuals, store):
    run = imported(cli, manuals, "both", ORDERS)
    text = imported(cli, manuals, "text", {"Kite": "12354", "Tent": "12345", "Tart": "45123"})
    form = cli("runs", "orders", run, "--against", text, "--json").json
    assert (form["n"], form["unread"], form["against"]["party"]) == (3, 0, text)
    assert {kind: one["procedures"] for kind, one in form["errors"].items() if one["n"]} == {
        "right": [name("Kite")], "swap": [name("Tent")], "block": [name("Tart")],
        "first_wrong": [name("Tent"), name("Tart")], "last_wrong": [name("Tart")],
    }  # fmt: skip
    parts = form["references"]
    assert (parts["all"]["n"], parts["several"]["n"], parts["by_people"]) == (3, 1, 0)
    assert [parts[part]["metrics"]["pmr"][of] for part in ("all", "several") for of in ("single", "all")] == [
        0, pytest.approx(1 / 3), 0, 1,
    ]  # fmt: skip
    flips = form["flips"]
    assert (flips["n_common"], flips["to_right"], flips["to_wrong"]) == (3, [name("Kite")], [name("Tent")])
    assert flips["metrics"]["pmr"] | {"ci": None} == {
        "own": pytest.approx(1 / 3), "other": pytest.approx(1 / 3), "difference": 0, "ci": None, "p": 1,
        "test": "mcnemar",
    }  # fmt: skip
    assert [one["difference"] for one in flips["procedures"]] == pytest.approx([0.2, -0.2]), "a pair of ten each"
    (category,) = form["categories"]
    assert (category["category"], category["n"], category["gap"]["n_common"]) == (None, 3, 3), "this data tells none"
    assert form["interchangeable"]["silent"] == 1, "predictions of a file tell no chances"
    shown = cli("runs", "orders", run, "--against", text).out
    assert "Two neighbours swapped" in shown and "Flips. Against text" in shown and "no chances of pairs" in shown


def test_against_people_whose_other_orders_are_references(cli, manuals, store):
    run = imported(cli, manuals, "both", ORDERS)
    said = {"ann": ("12345", "21345"), "bob": ("54321",)}
    with Database.open(store_url(store)) as database, database.unit_of_work() as db:
        for who, orders in said.items():
            given = tuple(map(tuple, orders))
            human_orders.replace(
                db, (), [HumanOrder(str(manuals), name("Tent"), who, True, given, NOON, submitted=NOON)]
            )
    form = cli("runs", "orders", run, "--against", "people", "--json").json
    assert (form["references"]["several"]["n"], form["references"]["by_people"]) == (2, 1)
    assert form["references"]["all"]["metrics"]["pmr"]["all"] == pytest.approx(2 / 3)
    (change,) = form["flips"]["procedures"]
    assert (change["procedure"], change["flip"], change["other_tau"]) == (name("Tent"), 0, 0), "1 and -1"
    assert form["flips"]["metrics"]["pmr"]["other"] == 0.5
    alone = cli("runs", "orders", run, "--against", "people:ann", "--json").json["flips"]
    assert alone["to_wrong"] == [name("Tent")] and alone["metrics"]["pmr"]["test"] == "mcnemar"
    ended = cli("runs", "orders", run, "--against", "people:eve")
    assert ended.status == 2 and "nobody accepted a blind order here" in ended.line


def test_as_files_and_what_is_refused(cli, manuals, store):
    run = imported(cli, manuals, "both", ORDERS)
    rows = list(csv.DictReader(io.StringIO(cli("runs", "orders", run, "--format", "csv").out)))
    swapped = {row["column"]: row for row in rows if row["row"] == "Two neighbours swapped"}
    assert (swapped["n"]["value"], float(swapped["Share"]["value"])) == ("1", pytest.approx(1 / 3))
    assert float(swapped["95 % interval"]["low"]) == pytest.approx(0.0615, abs=1e-3), "Wilson's of 1 of 3"
    text = cli("runs", "orders", run, "--format", "markdown").out
    assert "### Kinds of mistakes" in text and "| Two neighbours swapped | 1 | 33.3 % | 0.061 – 0.792 |" in text
    with Database.open(store_url(store)) as database, database.unit_of_work() as db:
        spec = RunSpec(Task.GOAL, "template", str(manuals), "wikihow", "goal_text")
        other = runs.add(db, spec, [], WorkerClaim.here(), total=0)
    for command in (["runs", "orders", other], ["runs", "orders", run, "--against", other]):
        ended = cli(*command)
        assert ended.status == 2 and "is about goal" in ended.err
