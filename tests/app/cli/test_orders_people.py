"""`stepscope orders`: several people are given procedures, ordered them, and what that comes to."""

import json
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.human_order import HelpfulInput, HumanOrder, StepInput
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import human_orders

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
KITE, BOAT = (f"https://www.wikihow.com/{name}###0" for name in ("Kite", "Boat"))
RIGHT, TURNED, BACK = "12345", "21345", "54321"


@pytest.fixture
def crafts(tmp_path):
    """Two procedures of five steps in words."""
    steps = [{"step_headline": f"Part {n}.", "step_text": {"text": f"Do {n}."}, "step_assets": {}} for n in range(1, 6)]
    lines = [
        {"url": f"https://www.wikihow.com/{name}", "title": f"Make {name}", "sections": [{"steps": steps}]}
        for name in ("Kite", "Boat")
    ]
    folder = tmp_path / "crafts"
    folder.mkdir()
    (folder / "wikihow-test.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def ordered(crafts, store):
    """Of the kite ann and bob saw both and call the turned order right too, eve has it backwards; of the boat cem saw
    the text, ann both."""
    said = [
        ("ann", KITE, (RIGHT, TURNED), StepInput.BOTH), ("bob", KITE, (RIGHT, TURNED), StepInput.BOTH),
        ("eve", KITE, (BACK,), StepInput.BOTH), ("cem", BOAT, (TURNED,), StepInput.TEXT),
        ("ann", BOAT, (RIGHT,), StepInput.BOTH),
    ]  # fmt: skip
    with Database.open(store_url(store)) as database, database.unit_of_work() as db:
        for who, name, orders, shown in said:
            given = tuple(map(tuple, orders))
            one = HumanOrder(
                str(crafts), name, who, True, given, NOON, 20.0, 4, HelpfulInput.BOTH, shown, submitted=NOON
            )
            human_orders.replace(db, (), [one])
    return crafts


def test_assignments_are_made_carried_and_followed(cli, crafts, store, tmp_path):
    made = cli("orders", "assignments", "make", crafts, "--people", "ann,bob,cem", "--k", "1", "--shown", "text,both",
               "--json")  # fmt: skip
    assert made.status == 0 and made.json["assigned"] == 4 and made.json["short"] == []
    file = tmp_path / "given.csv"
    assert cli("orders", "assignments", "export", crafts, "-o", file, "--json").json["written"] == 4
    other = f"sqlite:///{tmp_path / 'other.db'}"
    taken = cli("orders", "assignments", "import", crafts, file, "--store", other, "--json").json
    assert taken == {"campaign": "Step ordering", "imported": 4, "known": 0, "bad_lines": []}
    assert cli("orders", "assignments", "import", crafts, file, "--json").json["known"] == 4
    task = cli("orders", "assignments", "next", crafts, "--annotator", "ann", "--json").json["task"]
    assert task["procedure"] in (KITE, BOAT)
    with Database.open(store_url(store)) as database, database.unit_of_work() as db:
        shown = StepInput(task["shown"])
        one = HumanOrder(str(crafts), task["procedure"], "ann", True, (tuple(RIGHT),), NOON, shown=shown,
                         submitted=NOON)  # fmt: skip
        human_orders.replace(db, (), [one])
    people = cli("orders", "assignments", "progress", crafts, "--json").json["people"]
    ann = next(one for one in people if one["annotator"] == "ann")
    assert (ann["done"], ann["seen_otherwise"]) == (1, 0) and sum(one["open"] for one in people) == 3
    assert "seen otherwise" in cli("orders", "assignments", "progress", crafts).out
    listed = cli("campaign", "list", "--json").json["campaigns"]
    assert [(one["name"], one["task"], one["k"]) for one in listed] == [("Step ordering", "ordering", 1)]
    assert "people order steps" in cli("campaign", "show", "Step ordering").line
    assert cli("orders", "assignments", "drop", crafts, "--json").json["dropped"] == 3
    assert cli("orders", "assignments", "export", crafts, "-o", file, "--open").status == 2


def test_procedures_without_an_order_are_not_given_out(cli, tmp_path):
    lines = ['goal,steps,"ordered?"', '"How to Fly - Kite","Run with it. Let it go. Hold the line.",1',
             '"How to Fly - Style","Wear a cape. Wear goggles. Wear boots.",0']  # fmt: skip
    (tmp_path / "wikihow.csv").write_text("\n".join(lines) + "\n")
    made = cli("orders", "assignments", "make", tmp_path / "wikihow.csv", "--people", "ann", "--k", "1", "--json")
    assert (made.status, made.json["assigned"], made.json["without_order"]) == (0, 1, 1)
    again = cli("orders", "assignments", "make", tmp_path / "wikihow.csv", "--people", "ann", "--k", "1")
    assert "left out: 1 procedure" in again.err


def test_too_few_people_and_other_conditions_are_told(cli, crafts):
    few = cli("orders", "assignments", "make", crafts, "--people", "ann", "--k", "2", "--limit", "1", "--json")
    assert few.status == 1 and few.json["short"] == [{"procedure": KITE, "shown": "both", "missing": 1}]
    bad = cli("orders", "assignments", "make", crafts, "--people", "ann", "--shown", "sound")
    assert bad.status == 2 and "text, picture, both" in bad.line
    assert cli("orders", "assignments", "make", crafts, "--people", " , ").status == 2


def test_people_are_measured_flagged_and_left_out(cli, ordered):
    said = cli("orders", "people", ordered, "--bootstrap", "50", "--json").json
    workers = {one["annotator"]: one for one in said["workers"]}
    # ann: bob 1, eve -1. eve: the third stands right, 1/5; that is not below 20 %.
    assert workers["ann"]["kappa"] == 0 and workers["eve"]["kappa"] == -1 and workers["eve"]["accuracy"] == 0.2
    assert said["flagged"] == ["ann", "bob", "eve"]
    assert said["paired"] == 1, "the boat"
    assert said["both_against_text"][0]["difference"] == pytest.approx(0.4), "1 less 3 of 5"
    kept = cli("orders", "people", ordered, "--least-agreement", "-0.5", "--without-flagged", "--json").json
    assert kept["left_out"] == ["eve"] and kept["flagged"] == [] and kept["orders"] == 4
    shown = cli("orders", "people", ordered, "--procedures", "--without-flagged", "--least-agreement", "-0.5").out
    assert "Left out as flagged: eve" in shown and "Both against text, over 1 procedure" in shown and BOAT in shown


def test_orders_that_are_right_too_are_voted_into_references_that_count(cli, ordered, tmp_path):
    out = tmp_path / "references.jsonl"
    assert cli("orders", "references", ordered, "-o", out, "--json").json == {
        "file": str(out), "procedures": 1, "added": 1,
    }  # fmt: skip
    (line,) = map(json.loads, out.read_text().splitlines())
    assert line == {
        "id": KITE, "references": [list(RIGHT), list(TURNED)], "voters": 2,
        "voted": [{"order": list(RIGHT), "votes": 2}, {"order": list(TURNED), "votes": 2}],
    }  # fmt: skip
    orders = tmp_path / "orders.jsonl"
    orders.write_text(json.dumps({"id": KITE, "references": [list(RIGHT)], "prediction": list(TURNED)}) + "\n")
    assert cli("score", "ordering", orders, "--json").json["metrics"]["pmr"] == 0
    assert cli("score", "ordering", orders, "--set", f"references={out}", "--json").json["metrics"]["pmr"] == 1
    predictions = tmp_path / "model.jsonl"
    predictions.write_text(json.dumps({"episode": KITE, "order": list(TURNED)}) + "\n")
    run = cli("evaluate", "ordering", ordered, "--predictions", predictions, "--set", f"references={out}", "--json")
    assert run.status == 0 and run.json["metrics"]["pmr"] == 1
    plain = cli("evaluate", "ordering", ordered, "--predictions", predictions, "--json").json
    again = cli("runs", "rescore", plain["run"], "--protocol", "ordering", "--set", f"references={out}", "--json").json
    assert plain["metrics"]["pmr"] == 0 and again["metrics"]["pmr"] == 1
    for command in (("evaluate", "ordering", ordered, "--predictions", predictions),
                    ("runs", "rescore", plain["run"], "--protocol", "ordering")):  # fmt: skip
        ended = cli(*command, "--set", "references=gone.jsonl")
        assert ended.status == 2 and "no such file of references" in ended.err, "before anything is scored"
    assert cli("orders", "references", ordered, "-o", out, "--least", "3", "--json").json["added"] == 0
    ended = cli("orders", "references", ordered, "-o", out, "--without-flagged")
    assert ended.status == 2 and "nobody called another order right" in ended.line


def test_orders_of_people_are_runs_beside_those_of_models(cli, ordered):
    ann = cli("orders", "run", ordered, "--annotator", "ann", "--json").json
    assert (ann["task"], ann["model"], ann["n"], ann["metrics"]["pmr"]) == ("ordering", "ann", 2, 1)
    middle = cli("orders", "run", ordered, "--shown", "both", "--one-of", "middle", "--json").json
    assert (middle["model"], middle["n"], middle["metrics"]["pmr"]) == ("people, both", 2, 1), "ann's or bob's"
    text = cli("orders", "run", ordered, "--shown", "text", "--json").json
    assert (text["n"], text["metrics"]["accuracy"]) == (1, 0.6)
    listed = cli("runs", "list", "--json").json
    assert {one["model"] for one in listed} == {"ann", "people, both", "people, text"}
    for asked, said in (
        (("--annotator", "zoe"), "zoe has accepted no blind order here."),
        (("--shown", "picture"), "Nobody has accepted a blind order here with picture shown."),
    ):
        assert said in cli("orders", "run", ordered, *asked).line
