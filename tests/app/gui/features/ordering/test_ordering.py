"""A person orders the steps of procedures: in plain sight, and blind; kept, undone, and never overwritten."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.core.domain.human_order import HelpfulInput, HumanOrder, StepInput
from stepscope.core.domain.prediction import Task
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.procedures import read_procedure
from stepscope.core.store.repositories import human_orders
from stepscope.widgets.ordering import YourRow

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
KITE, BOAT, TEA = (f"https://www.wikihow.com/{name}###0" for name in ("Kite", "Boat", "Tea"))
RIGHT = tuple("12345")


@pytest.fixture(scope="session")
def crafts(tmp_path_factory) -> Path:
    """Three procedures of five steps with pictures; of the first the second and third step may change places."""
    folder = tmp_path_factory.mktemp("data") / "crafts"
    pictures = folder / "www.wikihow.com" / "images"
    pictures.mkdir(parents=True)
    (pictures / "1.png").write_bytes(encode_png(np.full((30, 40, 3), 90, np.uint8)))
    lines = []
    for name in ("Kite", "Boat", "Tea"):
        steps = [
            {
                "step_headline": f"{name} part {n}", "step_text": {"text": f"Do part {n}."},
                "step_assets": {"image-large": "images/1.png"},
            }
            for n in range(1, 6)
        ]  # fmt: skip
        article = {"url": f"https://www.wikihow.com/{name}", "title": f"Make {name}", "sections": [{"steps": steps}]}
        lines.append(article | ({"multiref_gt": [[1, 2, 3, 4, 5], [1, 3, 2, 4, 5]]} if name == "Kite" else {}))
    (folder / "wikihow-test.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def go_ordering(person):
    person.choose("workspace.ordering")
    person.until(lambda: person.bench.ordering.yours.order is not None, "the person's order")
    person.settle()
    return person


@pytest.fixture
def orderer(open_window, crafts):
    """At the board, before anything was evaluated."""
    return go_ordering(open_window(crafts))


@pytest.fixture
def judged(open_window, crafts):
    """At the board, where run A left the steps as they were shuffled."""
    person = open_window(crafts)
    before = set(person.bench.results.run_ids)
    person.choose("evaluate.ordering")
    person.bench.evaluate.show_form(Task.ORDERING, "as-given", "ordering")
    person.window.evaluate.run()
    person.done(before)
    return go_ordering(person)


def shuffled(person, procedure: str, seed: int = 0) -> tuple[str, ...]:
    found = read_procedure(person.selection.source.source, procedure)
    return tuple(step.id for step in found.shuffled(seed))


def yours(person) -> tuple[str, ...]:
    (row,) = (line for line in person.window.ordering.board.lines if isinstance(line, YourRow))
    return row.order


def stored(person, procedure: str = KITE, *, blind: bool = False, who: str = "") -> HumanOrder | None:
    source, name = person.bench.ordering.procedures.source, who or person.bench.ordering.procedures.person
    with person.bench.context.database.reading() as db:
        return human_orders.get(db, (source, procedure, name, blind))


def put(person, *orders: HumanOrder) -> None:
    with person.bench.context.database.unit_of_work() as db:
        human_orders.replace(db, (), orders)


def by(person, who: str, procedure: str, steps: str, **more) -> HumanOrder:
    source = person.bench.ordering.procedures.source
    return HumanOrder(source, procedure, who, True, (tuple(steps),), NOON, submitted=NOON, **more)


def metrics(person) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in person.window.ordered.grid.shown[1:]}


def taus(person) -> dict[str, tuple[float | None, ...]]:
    return {line.id: line.values for line in person.window.procedures.table.items.lines}


def tau(person, row: str) -> float:
    return float(metrics(person)[row][5].replace("−", "-"))


def swap(order: tuple[str, ...], at: int) -> tuple[str, ...]:
    """The steps at a place and behind it the other way round."""
    return (*order[:at], order[at + 1], order[at], *order[at + 2 :])


def test_runs_that_ordered_and_are_not_shown_come_by_one_click(judged) -> None:
    panel = judged.window.orders
    (run,) = judged.selection.runs
    judged.selection.hide_run(run)
    judged.settle()
    assert panel.waiting.words().startswith("1 run of this task waits")
    judged.click(panel.waiting._buttons[0])
    judged.settle()
    assert list(judged.selection.runs) == [run] and not panel.waiting.isVisible() and "Run A" in metrics(judged)


def test_in_a_small_window_whoever_orders_blind_sees_more_cards_than_tools(orderer) -> None:
    orderer.window.resize(1024, 680)
    orderer.choose("ordering.blind")
    orderer.settle()
    centre = orderer.window.ordering
    assert centre.annotate.sure.isVisible() and 2 * centre.board.height() >= centre.height()


def test_moves_by_key_count_at_once_are_kept_and_undone(judged, open_window, crafts) -> None:
    person = judged
    first = shuffled(person, KITE)
    assert yours(person) == first, "shuffled as for the run"
    assert metrics(person)["You"] == metrics(person)["Run A"]
    assert taus(person)[KITE][0] is None and taus(person)[KITE][1] == pytest.approx(tau(person, "Run A"))
    person.press("Home", person.window.ordering.board)
    person.press("Ctrl+Shift+Right", person.window.ordering.board)
    person.settle()
    assert yours(person) == swap(first, 0) and stored(person).order == swap(first, 0)
    assert metrics(person)["You"] != metrics(person)["Run A"]
    person.press("Ctrl+Z")
    person.until(lambda: stored(person).order == first, "the undone move")
    assert yours(person) == first
    person.press("Ctrl+Shift+Z")
    person.until(lambda: stored(person).order == swap(first, 0), "the move again")
    person.settle()
    assert taus(person)[KITE][0] == pytest.approx(tau(person, "You")), "the list knows the draft"
    person.close()
    again = go_ordering(open_window(crafts))
    assert yours(again) == swap(first, 0)
    again.press("Return", again.window.ordering.board)
    again.until(lambda: stored(again).submitted, "the accepted order")
    again.settle()
    assert [line.mark for line in again.window.procedures.table.items.lines] == ["done", "", ""]
    again.press("R", again.window.ordering.board)
    again.until(lambda: stored(again).seed == 1, "another shuffle")
    assert stored(again).submitted is None and yours(again) == shuffled(again, KITE, 1)


def test_a_drag_scores_while_it_hovers_and_names_the_reference_used(orderer) -> None:
    person, board = orderer, orderer.window.ordering.board
    for place, step in enumerate("13254"):
        board.card_moved.emit(step, place)
    person.settle()
    assert yours(person) == tuple("13254") and metrics(person)["You"][-2:] == ["position 4", "2 of 2 orders"]
    start, end = board.card_rect(0, 4).center(), board.card_rect(0, 3).center()
    QTest.mousePress(board.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for share in (0.5, 1.0):
        QTest.mouseMove(board.viewport(), start + (end - start) * share)
    right = ["1.000", "1", "0.000", "5", "5", "1.000", "none", "2 of 2 orders"]
    assert metrics(person) == {"You, as dropped": right} and yours(person) == tuple("13254"), "not dropped yet"
    QTest.mouseRelease(board.viewport(), Qt.MouseButton.LeftButton, pos=end)
    person.settle()
    assert yours(person) == stored(person).order == tuple("13245") and metrics(person) == {"You": right}
    assert person.window.ordering.references.currentText() == "2 of 2 orders"


def test_blind_nothing_is_seen_until_it_is_accepted_then_the_next_comes(judged) -> None:
    person, centre, board = judged, judged.window.ordering, judged.window.ordering.board
    person.choose("ordering.blind")
    person.settle()
    assert [type(line) for line in board.lines] == [YourRow] and not centre.references.isVisible()
    assert person.window.orders._empty.isVisible() and not person.window.orders.matrix.isVisible()
    assert metrics(person) == {} and "Hidden until you accept" in person.window.ordered.words.text()
    assert set(taus(person).values()) == {(None, None)}
    QTest.mouseDClick(board.viewport(), Qt.MouseButton.LeftButton, pos=board.card_rect(0, 1).center())
    assert person.window.workspace == "ordering", "Replay would show the order"
    board.setFocus()
    first = shuffled(person, KITE)
    person.press("Home")
    for keys in ("Ctrl+Shift+Right", "A", "Ctrl+Shift+Right", "4", "Shift+T", "T"):
        person.press(keys)
        person.settle()
    draft = stored(person, blind=True)
    assert draft.order == swap(swap(first, 0), 1) and draft.orders[1:] == (swap(first, 0),)
    assert (draft.confidence, draft.helped, draft.submitted) == (4, HelpfulInput.TEXT, None), "a kill loses nothing"
    assert person.bench.ordering.yours.clock.is_running
    person.press("Space")
    assert not person.bench.ordering.yours.clock.is_running
    assert board.lines == () and "The clock stands" in board._empty.words(), "no time without a look, no look without"
    person.press("Return")
    assert stored(person, blind=True).submitted is None
    person.press("Space")
    assert yours(person) == draft.order
    board.setFocus()
    person.press("Return")
    person.until(lambda: person.place[0] == BOAT, "the next procedure")
    person.settle()
    person.press("Ctrl+Z")
    person.until(lambda: stored(person, blind=True).submitted is None, "taken back at once")
    person.press("Ctrl+Shift+Z")
    person.until(lambda: stored(person, blind=True).submitted, "accepted again")
    person.settle()
    done = stored(person, blind=True)
    assert done.submitted and done.seconds > 0 and done.shown is StepInput.BOTH, "pictures were seen, then text alone"
    assert board.lines and not person.window.ordered.grid.isVisible(), "blind again"
    person.choose("episode.previous")
    person.settle()
    assert len(board.lines) == 3 and "You" in metrics(person) and centre.references.isVisible()
    board.setFocus()
    person.press("Ctrl+Shift+Right")
    person.settle()
    assert stored(person, blind=True) == done, "what was blind stays so"
    person.press("Ctrl+Z")
    person.until(lambda: any("seen the reference" in words for words in person.told), "why not")
    assert stored(person, blind=True) == done and person.bench.ordering.yours.is_locked
    assert stored(person) is None, "plain sight has an order of its own"


def test_blind_is_still_blind_after_a_restart_and_time_goes_on(orderer, open_window, crafts) -> None:
    person = orderer
    person.choose("ordering.blind")
    person.settle()
    person.bench.ordering.yours.clock.reset(30.0)
    person.choose("workspace.replay")
    person.until(lambda: stored(person, blind=True), "the time of a draft that was only looked at")
    assert not person.bench.ordering.yours.clock.is_running and stored(person, blind=True).seconds >= 30
    person.close()
    again = go_ordering(open_window(crafts))
    assert again.bench.ordering.yours.hides and again.bench.ordering.yours.clock.seconds >= 30
    assert again.window.ordering.annotate.clock.isVisible()


def test_what_the_same_name_did_elsewhere_meanwhile_is_not_overwritten(orderer) -> None:
    person = orderer
    theirs = by(person, person.bench.ordering.procedures.person, KITE, "54321")
    theirs = replace(theirs, blind=False, submitted=None)
    put(person, theirs)
    person.press("Ctrl+Shift+Right", person.window.ordering.board)
    person.until(lambda: yours(person) == theirs.order, "theirs")
    assert stored(person).said == theirs.said
    assert any("Somebody else has changed" in words for words in person.told)


def test_people_agree_with_each_other_with_runs_and_the_reference(judged) -> None:
    person = judged
    put(
        person,
        by(person, "ann", KITE, "13245", helped=HelpfulInput.PICTURE), by(person, "ann", BOAT, "12345"),
        by(person, "bob", KITE, "12354", helped=HelpfulInput.BOTH), by(person, "bob", BOAT, "12345"),
    )  # fmt: skip
    person.choose("workspace.replay")
    go_ordering(person)
    left, right = person.window.procedures, person.window.orders
    assert left._agreement_title.text() == "Agreement of 2 people"
    assert left.agreement.shown[0] == ["Standard order, κ", "0.800", "n 2"], "0.6 and 1: two of ten pairs turned"
    pairs = {row[0]: row[1:] for row in right.agreement.shown[1:]}
    assert pairs["ann – bob"] == ["50.0 %", "0.800", "2, few"]
    assert pairs["ann – Reference"] == ["100.0 %", "1.000", "2, few"], "the second of two references"
    assert pairs["bob – Reference"] == ["50.0 %", "0.900", "2, few"]
    assert set(pairs) == {"ann – bob", "ann – A", "bob – A", "ann – Reference", "bob – Reference"}
    assert right.totals.shown[0] == ["Metric", "A", "People"] and right.totals.shown[-1] == ["n", "3, few", "4, few"]
    assert right.totals.shown[2] == ["PMR", "0.000", "0.750"]
    assert right.helped.shown[1:3] == [["Both", "50.0 %", "1"], ["Text", "0.0 %", "0"]]
    assert [line.people for line in left.table.items.lines] == [2, 2, 0]
    left.person.setFocus()
    left.person.selectAll()
    person.write("ann")
    person.press("Return", left.person)
    person.settle()
    person.choose("ordering.blind")
    person.settle()
    assert yours(person) == tuple("13245") and person.bench.ordering.yours.is_locked, "it is ann's"
    assert [line.mark for line in left.table.items.lines] == ["done", "done", ""]
    assert person.bench.ordering.procedures.next_open(KITE) == TEA


def test_the_table_has_all_metrics_sorts_and_opens(judged) -> None:
    person, centre = judged, judged.window.ordering
    person.press("V", centre.board)
    person.settle()
    table = centre.table
    assert table.isVisible() and table.items.columnCount() == 1 + 2 * 6
    assert [table.items.headerData(at, Qt.Orientation.Horizontal) for at in (1, 12)] == ["You Accuracy", "A Kendall τ"]
    table.sortByColumn(12, Qt.SortOrder.AscendingOrder)
    found = [line.values[11] for line in table.items.lines]
    assert found == sorted(found) and None not in found
    last = table.items.lines[-1].id
    table.setFocus()
    person.press("End")
    table.setCurrentIndex(table.items.index(2, 0))
    person.press("Return", table)
    person.until(lambda: person.place[0] == last and centre.board.isVisible(), "the opened procedure")
    person.settle()
    person.press("/")
    person.write("boat")
    person.until(lambda: person.bench.library.ids == (BOAT,), "the filtered list")
    person.settle()
    assert [line.id for line in person.window.procedures.table.items.lines] == [BOAT]
    person.window.procedures.filter_settled.emit("colour:red")
    assert person.window.procedures.problem.isVisible() and person.bench.library.ids == (BOAT,)


def test_pages_of_web_tasks_are_no_procedures(person) -> None:
    """As the Evaluate form has it: there is nothing to put in order."""
    person.choose("open.sample_web")
    person.until(lambda: person.selection.source is not None and person.selection.source.has_web_tasks, "the pages")
    person.until(lambda: bool(person.bench.library.ids), "their list")
    person.settle()  # their own workspace comes to the front when they are read
    person.choose("workspace.ordering")
    person.settle()
    board = person.window.ordering.board
    person.until(lambda: "Pages of web tasks have no steps" in board._empty.words(), "the words about pages")
    assert board._empty.isVisible()
    assert not person.window.procedures.table.items.lines


def test_what_is_built_after_one_has_come_here_shows_what_is_open(person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its modules are loaded while the first episode comes: nobody is told of either again."""
    person.choose("open.sample_web")
    person.until(lambda: person.selection.source is not None and person.selection.source.has_web_tasks, "the pages")
    person.until(lambda: person.selection.episode is not None, "the first page")
    person.settle()
    assert not person.bench._ordering.is_built
    with monkeypatch.context() as patch:
        patch.setattr(person.bench.context.workspaces, "workspace", "ordering")
        person.bench._ordering.build()
        assert "Pages of web tasks have no steps" in person.window.ordering.board._empty.words()
