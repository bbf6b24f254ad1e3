"""Procedures given to people: each under every condition to several, nobody one twice; by file too."""

from collections import Counter
from datetime import UTC, datetime
from itertools import product

import pytest

from stepscope.app.services.campaigns import campaigns as demonstrations
from stepscope.app.services.order_assignment_files import import_assignments, read_assignments, write_assignments
from stepscope.app.services.order_assignments import AssignmentRequest, assign, drop, keep, next_task, plan, tasks
from stepscope.core.domain.campaign import Campaign, CampaignContents, CampaignTask
from stepscope.core.domain.human_order import HumanOrder, StepInput
from stepscope.core.domain.order_assignment import OrderAssignment
from stepscope.core.errors import UsageError, UserError
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns, human_orders, moving

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT, PICTURE, BOTH = StepInput.TEXT, StepInput.PICTURE, StepInput.BOTH
PEOPLE, SOURCE = ("ann", "bob", "cem", "dan", "eve", "fay"), "data/kites"


@pytest.fixture
def database():
    with Database.open("sqlite://") as database:
        yield database


def request(k=2, shown=(TEXT, PICTURE, BOTH), people=PEOPLE, seed=0):
    return AssignmentRequest(people, k, shown, seed)


def order(who, procedure, shown=BOTH, *, done=True):
    submitted = NOON if done else None
    return HumanOrder(SOURCE, procedure, who, True, (("1", "2"),), NOON, shown=shown, submitted=submitted)


def test_every_condition_has_its_people_and_nobody_a_procedure_twice():
    names = [f"p{n}" for n in range(5)]
    found = plan(request(), names)
    counts = Counter((one.procedure, one.shown) for one in found.given)
    assert counts == dict.fromkeys(product(names, (TEXT, PICTURE, BOTH)), 2) and not found.short
    assert max(Counter(one.key for one in found.given).values()) == 1
    assert set(Counter(one.annotator for one in found.given).values()) == {5}, "30 among 6 people"


def test_the_seed_decides_and_the_order_of_names_does_not():
    names = ["p", "q", "r"]
    assert plan(request(1), names) == plan(request(1, people=PEOPLE[::-1]), names)
    assert any(plan(request(1), names) != plan(request(1, seed=seed), names) for seed in (1, 2, 3))


def test_too_few_people_are_told_and_no_condition_is_always_the_last():
    found = plan(request(1, (TEXT, BOTH), ("ann",)), ["p", "q"])
    assert [(one.procedure, one.shown) for one in found.given] == [("p", TEXT), ("q", BOTH)]
    assert found.short == {("p", BOTH): 1, ("q", TEXT): 1}


def test_a_plan_goes_on_with_what_is_there_and_other_rounds_count(database):
    assert len(assign(database, SOURCE, ["p"], request(1, (BOTH,), PEOPLE[:2])).given) == 1
    assert assign(database, SOURCE, ["p"], request(1, (BOTH,), PEOPLE[:2])).given == ()
    (first,) = tasks(database, SOURCE)
    with database.unit_of_work() as db:
        human_orders.replace(db, (), [order("cem", "p")])
    again = assign(database, SOURCE, ["p"], request(1, (TEXT,), PEOPLE[:3]), "second round")
    other = "bob" if first.assignment.annotator == "ann" else "ann"
    assert [one.annotator for one in again.given] == [other], "one has it, and one ordered it unasked"
    assert len(tasks(database, SOURCE)) == 2 and len(tasks(database, SOURCE, campaign="second round")) == 1
    assert tasks(database, "elsewhere") == []


def test_what_is_next_and_how_far_follow_from_the_orders(database):
    given = [OrderAssignment("ann", name, shown) for name, shown in (("p", TEXT), ("q", BOTH))]
    keep(database, SOURCE, given)
    assert next_task(database, SOURCE, "ann").assignment == given[0]
    with database.unit_of_work() as db:
        human_orders.replace(db, (), [order("ann", "p"), order("ann", "q", done=False)])
    first, second = tasks(database, SOURCE)
    assert (first.is_done, first.elsewhere, second.is_done, second.elsewhere) == (True, True, False, False)
    assert next_task(database, SOURCE, "ann").assignment == given[1] and next_task(database, SOURCE, "bob") is None
    drop(database, SOURCE, [given[1]])
    assert [one.assignment for one in tasks(database, SOURCE)] == given[:1]
    drop(database, SOURCE, given)
    with database.reading() as db:
        assert campaigns.contents(db, "Step ordering") == CampaignContents(), "nothing is left over"


def test_campaigns_of_the_two_kinds_do_not_mix(database):
    keep(database, SOURCE, [OrderAssignment("ann", "p", TEXT)])
    with pytest.raises(UsageError, match="people order steps"):
        demonstrations.read(database, "Step ordering")
    with pytest.raises(UsageError, match="people order steps"):
        demonstrations.next_task(database, "Step ordering", "ann")
    with database.unit_of_work() as db:
        campaigns.add(db, Campaign("shop"))
        assert campaigns.names(db, CampaignTask.ORDERING) == ["Step ordering"]
        assert campaigns.get(db, "Step ordering").task is CampaignTask.ORDERING
    with pytest.raises(UsageError, match="people demonstrate goals"):
        keep(database, SOURCE, [], "shop")


def test_assignments_go_along_with_data_that_moves(database):
    keep(database, SOURCE, [OrderAssignment("ann", "p", TEXT)])
    with database.unit_of_work() as db:
        moving.move_data(db, SOURCE, "data/moved")
    assert [one.assignment.procedure for one in tasks(database, "data/moved")] == ["p"]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_file_brings_back_what_was_written(tmp_path, name):
    given = [OrderAssignment("Ann, B.", "=p", TEXT), OrderAssignment("bob", "q\u00e9", BOTH)]
    with (tmp_path / name).open("wb") as stream:
        write_assignments(tmp_path / name, given)(stream)
    found, problems = read_assignments(tmp_path / name)
    assert [one for _, one in found] == given and problems == []


def test_lines_that_cannot_be_are_told_with_line_and_field(database, tmp_path):
    file = tmp_path / "a.csv"
    rows = ["ann,p,text", "ann,p,both", "bob,gone,text", "bob,p,sound", ",p,text", "cem,p,", "ann,p,text", "dan,p,both"]
    file.write_text("Annotator,procedure,shown\n" + "\n".join(rows) + "\n")
    keep(database, SOURCE, [OrderAssignment("dan", "p", TEXT)])
    keep(database, SOURCE, [OrderAssignment("cem", "p", TEXT)], "second round")
    found = import_assignments(database, SOURCE, lambda name: object() if name == "p" else None, file)
    assert (found.taken, found.known) == (1, 1)
    assert [(one.line, one.message) for one in found.problems] == [
        (3, "shown: ann is to see text of it by line 2"),
        (4, "procedure: there is no 'gone' in the data"),
        (5, "shown 'sound' is not one of text, picture, both"),
        (6, "annotator is empty"),
        (7, "procedure: cem has it in the campaign “second round”"),
        (9, "shown: dan is to see text of it"),
    ]
    (tmp_path / "b.csv").write_text("who,what\na,b\n")
    with pytest.raises(UserError, match="has no column 'annotator'"):
        read_assignments(tmp_path / "b.csv")
