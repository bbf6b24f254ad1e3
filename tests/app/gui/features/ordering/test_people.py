"""Several people in the ordering workspace: what each is given, their figures, and what is made of their orders."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from stepscope.app.services import order_assignments
from stepscope.core.domain.human_order import HelpfulInput, StepInput
from stepscope.core.domain.order_assignment import OrderAssignment
from stepscope.widgets.ordering.people_values import AssignChoice
from tests.app.gui.features.ordering.test_ordering import BOAT, KITE, TEA, by, crafts, go_ordering, put, stored

__all__ = ["crafts"]


@pytest.fixture
def orderer(open_window, crafts):
    return go_ordering(open_window(crafts))


@pytest.fixture
def people(orderer):
    """The page of people: of the kite ann and bob call another order right; eve has it backwards; of the boat cem saw
    the text, ann both."""
    one, other = tuple("12345"), tuple("21345")
    put(
        orderer,
        replace(by(orderer, "ann", KITE, "12345", seconds=20.0, confidence=4, helped=HelpfulInput.BOTH),
                orders=(one, other)),
        replace(by(orderer, "bob", KITE, "12345", seconds=40.0), orders=(one, other)),
        by(orderer, "eve", KITE, "54321"), by(orderer, "ann", BOAT, "12345"),
        by(orderer, "cem", BOAT, "21345", shown=StepInput.TEXT),
    )  # fmt: skip
    orderer.choose("ordering.people")
    orderer.until(lambda: bool(rows(orderer)), "the people")
    orderer.settle()
    return orderer


def page(person):
    return person.window.ordering.people


def rows(person) -> dict[str, tuple[str, ...]]:
    return {row.key: row.words for row in page(person).people.cells.rows}


def give(person, *given: OrderAssignment) -> None:
    order_assignments.keep(person.bench.context.database, person.bench.ordering.procedures.source, given)


def me(person) -> str:
    return person.bench.ordering.procedures.person


def test_the_page_has_everybodys_figures_and_flags(people) -> None:
    found = rows(people)
    assert found["ann"] == ("ann", "low κ", "0.000", "1.000", "2", "", "", "0.000", "0:20", "4.0")
    assert found["eve"][2:5] == ("\N{MINUS SIGN}1.000", "0.200", "1")
    assert found["cem"][1:4] == ("", "–", "0.600"), "nobody else saw the text alone"
    grid = page(people).conditions.shown
    assert (
        grid[0] == ["Metric", "Text", "Both"]
        and grid[1] == ["Accuracy", "0.600", "0.800"]
        and grid[-1][1:] == ["1", "4"]
    )
    assert page(people).helped.shown[1] == ["Both", "100.0 %", "1"]
    assert page(people).test.shown[1][:2] == ["Accuracy", "0.400"], "the boat"
    page(people).least.setValue(-0.5)
    page(people).leave_out.setChecked(True)
    people.settle()
    assert rows(people)["ann"][1] == "" and rows(people)["eve"][1] == "low κ"
    assert page(people).conditions.shown[1] == ["Accuracy", "0.600", "1.000"], "without eve"
    people.choose("ordering.blind")
    people.settle()
    assert rows(people)["ann"][1:5] == ("", "", "", "2") and not page(people).conditions.isVisible()
    before = tuple(people.bench.results.run_ids)
    people.bench.ordering.people.keep_run("ann", "")
    people.settle()
    assert "A run shows how people did" in people.told[-1] and tuple(people.bench.results.run_ids) == before


def test_references_are_voted_orders_are_runs_and_procedures_are_given_out(people, tmp_path) -> None:
    out = tmp_path / "references.jsonl"
    people.bench.ordering.people.write_references(out)
    people.until(out.exists, "the file")
    (line,) = map(json.loads, out.read_text().splitlines())
    assert line["references"] == [list("12345"), list("13245"), list("21345")] and line["voters"] == 2
    before = set(people.bench.results.run_ids)
    menu = page(people).keep.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["All people", "Who saw text", "Who saw both"]
    page(people).run_wanted.emit("ann", "")
    people.until(lambda: set(people.bench.results.run_ids) - before, "the run")
    people.settle()
    (run,) = set(people.bench.results.run_ids) - before
    assert people.bench.results.run_of(run).spec.model == "ann" and people.bench.results.run_of(run).done == 2
    page(people).run_wanted.emit("ann", "")
    people.until(lambda: "ann" in people.told[-1] and "run already" in people.told[-1], "what is told")
    assert set(people.bench.results.run_ids) - before == {run}, "the same orders are kept once"
    controller = people.bench.ordering.people
    controller.open_form()
    form = controller._form
    form.people.setText("fay, gil")
    form.k.setValue(1)
    form.shown["text"].setChecked(True)
    assert form.choice() == AssignChoice(("fay", "gil"), 1, ("text", "both"), 0)
    people.click(form.give)
    people.until(lambda: "fay" in rows(people), "what was given")
    people.settle()
    assert rows(people)["fay"][4:7] == ("", "3", "0")
    out = tmp_path / "given.csv"
    controller.export_assignments(out)
    people.until(out.exists, "the file")
    people.settle()
    people.choose("edit.undo")
    people.until(lambda: "fay" not in rows(people), "undone")
    controller.import_assignments(out)
    people.until(lambda: "fay" in rows(people), "out of the file")
    people.settle()
    assert len(out.read_text().splitlines()) == 7


def test_whoever_was_given_procedures_sees_of_each_what_they_were_given_and_goes_from_one_to_the_next(orderer) -> None:
    person = orderer
    give(person, OrderAssignment(me(person), KITE, StepInput.TEXT), OrderAssignment(me(person), TEA, StepInput.BOTH),
         OrderAssignment("ann", BOAT, StepInput.BOTH))  # fmt: skip
    person.choose("workspace.replay")
    go_ordering(person)
    person.bench.ordering.procedures.people_changed()
    person.settle()
    person.choose("ordering.blind")
    person.settle()
    panel, centre = person.window.procedures, person.window.ordering
    assert panel.tasks.text() == "0 of 2 given to you done" and centre.shown.value() == "text"
    person.choose("ordering.input")
    person.settle()
    assert centre.shown.value() == "text", "that is not theirs to choose"
    centre.board.setFocus()
    person.press("Return")
    person.until(lambda: person.place[0] == TEA, "not the boat, which is ann's")
    person.settle()
    assert stored(person, KITE, blind=True).shown is StepInput.TEXT and centre.shown.value() == "both"
    assert panel.tasks.text() == "1 of 2 given to you done"
    centre.board.setFocus()
    person.press("Return")
    person.until(lambda: any("everything that you were given" in words for words in person.told), "the end")
    person.settle()
    assert not panel.next.isEnabled()
