"""Orders of a stored run read with the data's and people's right orders, and put into tables."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from stepscope.app.services.order_results import OrderParty, OrderStudy, people_of, read_orders
from stepscope.app.services.order_tables import NO_SEVERAL, Column, cell_words, order_tables, words_of_row
from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.domain.prediction import OrderAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.ordering import OrderingScorer
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import human_orders, outcomes, runs
from stepscope.core.store.worker import WorkerClaim

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
JOINT = {"multi_reference": "joint"}
STEPS = tuple(ProcedureStep(step, step) for step in "abc")
TEA = Procedure("tea", "test", "Make tea", STEPS, (("a", "c", "b"),), category="Food")
TENT = Procedure("tent", "test", "Pitch a tent", STEPS, category="Home")
TART = Procedure("tart", "test", "Bake a tart", STEPS, category="Food")
SAID = {
    "tea": OrderAnswer(tuple("abc"), ((0.5, 0.9, 0.8), (0.1, 0.5, 0.5), (0.2, 0.5, 0.5))),
    "tent": OrderAnswer(tuple("bac"), ((0.5, 0.7, 1.0), (0.3, 0.5, 1.0), (0.0, 0.0, 0.5))),
    "tart": None,
}


class Manuals:
    format, path = "test", Path("data/manuals")

    def scan(self):
        return iter(())

    def read_procedure(self, name, place=""):
        if name == "tart":
            raise UsageError("it is gone")
        return {"tea": TEA, "tent": TENT}[name]

    def read(self, name, place=""):
        raise UsageError("there are no episodes")


@pytest.fixture
def database():
    with Database.open("sqlite://") as opened:
        yield opened


@pytest.fixture
def run(database):
    spec = RunSpec(Task.ORDERING, "a model that is gone", "data/manuals", "test", "ordering")
    found = []
    for procedure in (TEA, TENT, TART):
        answer = SAID[procedure.id]
        status = PredictionStatus.OK if answer else PredictionStatus.MALFORMED
        prediction = Prediction(procedure.id, None, answer, status)
        score = OrderingScorer().score_item(procedure, prediction, JOINT)
        found.append(Outcome(ItemKey(procedure.id, -1), prediction, score, ""))
    with database.unit_of_work() as db:
        name = runs.add(db, spec, list(SAID), WorkerClaim.here(), total=3)
        scoring = outcomes.scoring(db, name, "ordering", "1", (("multi_reference", "joint"),), own=True)
        outcomes.add_many(db, name, scoring, found)
        for who, orders in {"ann": ("abc", "bac"), "bob": ("bca", "cab")}.items():
            given = tuple(map(tuple, orders))
            human_orders.replace(
                db, (), [HumanOrder("data/manuals", "tent", who, who == "ann", given, NOON, submitted=NOON)]
            )
        return runs.get(db, name)


def read(database, run, source=Manuals(), **asked):  # noqa: B008 - it keeps nothing
    *before, last = read_orders(database, OrderStudy(run, draws=20, **asked), source, CancelToken())
    assert [update.progress.done for update in before] == [1, 2, 3] and all(one.result is None for one in before)
    return last.result


def rows(found):
    return {table.name: [words_of_row(table, row) for row in table.rows] for table in order_tables(found)}


def test_blind_people_and_the_data_tell_what_is_right(database, run):
    """Of tea b c may change places, which the model does not know either; of tent a b by ann, which it nearly knows;
    bob looked. Pairs by doubt: b c 1 (is), b a 0.6 (is), a c of tea 0.4, a b of tea 0.2, two 0: both found first."""
    found = read(database, run)
    assert (found.n, found.errors.unread, found.references.by_people) == (3, 1, 1)
    doubts = rows(found)["interchangeable"]
    assert [line[:3] for line in doubts[:3]] == [
        ["Average precision", "6", "1.000"], ["F1, doubt from 0.5", "6", "1.000"], ["Base rate", "6", "0.333"],
    ]  # fmt: skip
    assert [line[4] for line in doubts[:2]] == ["0.333", "0.500"], "2/6, and 2 · 2 / (6 + 2)"
    assert [line[1] for line in doubts[3:]] == ["2", "0", "0"]
    assert [line[:4] for line in rows(found)["references"]][1::6] == [
        ["PMR", "all", "2", "0.500"], ["PMR", "with several", "2", "0.500"],
    ]  # fmt: skip
    assert [line[4] for line in rows(found)["references"]][1::6] == ["1.000", "1.000"], "ann calls b a c right"
    assert [line[0] for line in rows(found)["categories"]] == ["unknown", "Home", "Food"], "tart's is not to be read"


def test_people_are_a_party(database, run):
    (ann,) = people_of(database, run)
    assert ann == OrderParty("people:ann", "ann"), "bob was not blind"
    found = read(database, run, against=ann)
    assert rows(found)["changes"] == [["Pitch a tent", "right → wrong", "1.000", "0.333", "−0.667"]]


def test_without_the_data_scores_alone_tell(database, run):
    found = read(database, run, source=None, against=OrderParty(run.id, "itself"))
    assert found.errors.unread == 3 and found.flips.n == 3 and found.flips.changes == ()
    assert [line[1:3] for line in rows(found)["categories"]] == [["3", "0.333"]]
    (doubts,) = (table for table in order_tables(found) if table.name == "interchangeable")
    assert doubts.note == NO_SEVERAL


def test_it_ends_when_cancelled_and_refuses_other_tasks(database, run):
    token = CancelToken()
    updates = read_orders(database, OrderStudy(run), Manuals(), token)
    next(updates)
    token.cancel()
    assert list(updates) == []
    with database.unit_of_work() as db:
        spec = RunSpec(Task.GOAL, "m", "data/manuals", "test", "goal_text")
        other = runs.get(db, runs.add(db, spec, [], WorkerClaim.here(), total=0))
    with pytest.raises(UsageError, match="orders no steps"):
        next(read_orders(database, OrderStudy(other), None, token))


@pytest.mark.parametrize(
    ("cell", "column", "words"),
    [
        (None, Column.VALUE, "–"), ("<b>", Column.WORDS, "<b>"), (4724, Column.COUNT, "4,724"),
        (0.12, Column.SHARE, "12.0 %"), (-0.25, Column.SIGNED, "−0.250"), (-0.0001, Column.VALUE, "0.000"),
        (0.0004, Column.P, "< 0.001"),
        ((-0.5, 0.25), Column.INTERVAL, "−0.500 – 0.250"),
    ],
)  # fmt: skip
def test_cells_in_words(cell, column, words):
    assert cell_words(cell, column) == words
