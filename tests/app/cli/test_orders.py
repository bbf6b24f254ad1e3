"""`stepscope orders`: people's orders listed, compared, scored, and carried from one store to another."""

import json
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.human_order import HelpfulInput, HumanOrder
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import human_orders

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
KITE = "https://www.wikihow.com/Make-a-Kite###0"


@pytest.fixture
def kites(tmp_path):
    """One procedure of five steps, of which the second and third may change places."""
    steps = [
        {"step_headline": f"Headline {n}.", "step_text": {"text": f"Text {n}."}, "step_assets": {}} for n in range(1, 6)
    ]
    article = {
        "url": KITE.partition("###")[0], "title": "How to Make a Kite", "sections": [{"steps": steps}],
        "multiref_gt": [[1, 2, 3, 4, 5], [1, 3, 2, 4, 5]],
    }  # fmt: skip
    folder = tmp_path / "kites"
    folder.mkdir()
    (folder / "wikihow-test.json").write_text(json.dumps(article) + "\n")
    return folder


@pytest.fixture
def ordered(kites, store):
    """Ann is right by the second reference, bob turned the last two round; a look and a draft count nowhere."""
    said = [
        ("ann", True, ("13245", "12345"), NOON), ("bob", True, ("12354",), NOON), ("eve", True, ("54321",), None),
        ("ann", False, ("54321",), NOON),
    ]  # fmt: skip
    with Database.open(store_url(store)) as database, database.unit_of_work() as db:
        for who, blind, orders, done in said:
            given = tuple(tuple(order) for order in orders)
            one = HumanOrder(str(kites), KITE, who, blind, given, NOON, 20.0, 4, HelpfulInput.BOTH, submitted=done)
            human_orders.replace(db, (), [one])
    return kites


def test_nothing_is_there_at_first(cli, kites, store):
    assert "Nobody ordered anything here yet" in cli("orders", "list", kites).out
    assert "Nobody accepted a blind order" in cli("orders", "agreement", kites).out
    ended = cli("orders", "export", kites, "-o", kites.parent / "out.jsonl")
    assert ended.status == 2 and "nobody accepted an order here" in ended.line


def test_list_and_agreement(cli, ordered):
    found = cli("orders", "list", ordered, "--json").json["orders"]
    assert [(one["annotator"], one["blind"], one["submitted"] is not None) for one in found] == [
        ("ann", False, True), ("ann", True, True), ("bob", True, True), ("eve", True, False),
    ]  # fmt: skip
    assert "draft" in cli("orders", "list", ordered, "--annotator", "eve").out
    said = cli("orders", "agreement", ordered, "--json").json
    assert said["people"] == ["ann", "bob"] and said["standard"] == {"kappa": pytest.approx(0.6), "n": 1}
    assert said["alternative"] == {"kappa": 1.0, "n": 1}, "ann's is the original, bob has none: left over, 1"
    assert [(one["first"], one["second"], one["n"], one["exact"], one["tau"]) for one in said["pairs"]] == [
        ("ann", "bob", 1, 0.0, pytest.approx(0.6)), ("ann", "Reference", 1, 1.0, 1.0),
        ("bob", "Reference", 1, 0.0, pytest.approx(0.8)),
    ], "two of ten pairs turned between ann and bob, none and one against the nearer reference"  # fmt: skip
    assert "Reference" in cli("orders", "agreement", ordered).out


def test_what_is_exported_can_be_scored_and_comes_back(cli, ordered, tmp_path):
    out = tmp_path / "orders.jsonl"
    assert cli("orders", "export", ordered, "-o", out, "--annotator", "ann").status == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["prediction"] for line in lines] == [list("54321"), list("13245")]
    scored = cli("score", "ordering", out, "--json").json["metrics"]
    assert scored["pmr"] == 0.5 and scored["kendall_tau"] == 0, "the middle is right: -1 and 1"
    assert cli("orders", "export", ordered, "-o", out, "--as", "agreement").status == 0
    assert cli("score", "order_agreement", out, "--json").json["metrics"]["kappa"] == pytest.approx(0.6)
    assert cli("orders", "export", ordered, "-o", out, "--as", "alternatives").status == 0
    assert json.loads(out.read_text())["annotators"] == {"ann": [list("12345")], "bob": []}
    assert cli("orders", "export", ordered, "-o", out, "--drafts", "--json").json["written"] == 4
    before = cli("orders", "list", ordered, "--json").json
    other = f"sqlite:///{tmp_path / 'other.db'}"
    taken = cli("orders", "import", ordered, out, "--store", other, "--json").json
    assert taken == {"imported": 4, "replaced": 0, "bad_lines": []}
    assert cli("orders", "list", ordered, "--store", other, "--json").json == before
    assert cli("orders", "import", ordered, out, "--store", other, "--json").json["replaced"] == 4


def test_lines_that_do_not_fit_are_kept_out(cli, kites, store, tmp_path):
    bad = tmp_path / "bad.jsonl"
    good = {"id": KITE, "prediction": list("12345"), "annotator": "ann"}
    forms = [good, good, good | {"id": "gone"}, good | {"prediction": ["1", "2"]}, []]
    bad.write_text("".join(json.dumps(form) + "\n" for form in forms))
    ended = cli("orders", "import", kites, bad, "--json")
    assert ended.status == 1 and ended.json["imported"] == 1
    assert [(one["line"], one["message"]) for one in ended.json["bad_lines"]] == [
        (2, "line 1 is the same person's order of this procedure"),
        (3, "there is no procedure 'gone' in the data"),
        (4, f"the steps are not those of {KITE!r}"),
        (5, "an order is an object"),
    ]
    assert cli("orders", "export", kites, "-o", tmp_path, "--as", "else").status == 2
