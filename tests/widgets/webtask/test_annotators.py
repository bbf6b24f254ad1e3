"""The page about the people who fill in web tasks: it shows what it was given and tells what is wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.agreement import FieldAgreement, TaskAgreement, WorkerComparison
from stepscope.widgets.theme import Theme
from stepscope.widgets.webtask.annotators import NOBODY_YET, SHUFFLED, TOO_FEW, PageDeliveryForm, PeoplePage
from stepscope.widgets.webtask.people_values import (
    PageDeliveryOptions,
    PeopleView,
    PersonRow,
)

VIEW = PeopleView(
    PageDeliveryOptions("ann", 7, 2, True),
    ("ann", "bob"),
    (PersonRow("Rate", "ann", 12, 1, 250, 600.0), PersonRow("Rate", "bob", 0, 3, 250, 0.0)),
    TaskAgreement(
        "Rate",
        ("ann", "bob"),
        12,
        (
            FieldAgreement("good", FieldType.RADIO, "kappa", 0.612, 0.75, 0.4, 11, 1, 12),
            FieldAgreement("much", FieldType.RANGE, "difference", None, None, None, 0, 0, 0),
        ),
        (WorkerComparison("ann", 0.83, 24, 12), WorkerComparison("bob", None, 0, 0)),
    ),
)


@pytest.fixture
def page(show) -> PeoplePage:
    return show(PeoplePage(), 640, 700)


def words(table) -> list[tuple[str, ...]]:
    model = table.model()
    return [tuple(model.index(row, column).data() for column in range(model.columnCount()))
            for row in range(model.rowCount())]  # fmt: skip


def test_everybody_and_their_agreement_are_shown(page):
    page.set_view(VIEW)
    assert words(page.people) == [
        ("Rate", "ann", "12 of 250", "1", "50.0 s", "10 min"),
        ("Rate", "bob", "0 of 250", "3", "–", "–"),
    ]
    assert words(page.fields) == [
        ("good", "radio", "Cohen's kappa", "0.61", "75.0 %", "11", "12"),
        ("much", "range", "difference", "–", "–", "0", "0"),
    ]
    assert words(page.workers)[0][0] == "ann" and words(page.workers)[1] == ("bob", "–", "0")
    assert page._people_head.detail() == "12 pages by 2 people"
    assert page._fields_head.detail() == "Rate" and page.export.isEnabled()
    for table in (page.people, page.fields, page.workers):
        QAbstractItemModelTester(table.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_nobody_has_answered_yet(page):
    assert page._people_head.detail() == NOBODY_YET and page._fields_head.detail() == TOO_FEW
    assert not page.export.isEnabled() and not page.delete.isEnabled() and page.take.isEnabled()


def test_a_row_is_opened_and_deleted(page, heard, qtbot):
    page.set_view(VIEW)
    opened, gone = heard(page.opened), heard(page.delete_requested)
    page.people.choose(("Rate", "bob"))
    assert page.delete.isEnabled()
    qtbot.keyClick(page.people, Qt.Key.Key_Return)
    qtbot.keyClick(page.people, Qt.Key.Key_Delete)
    page.delete.click()
    assert opened == [("Rate", "bob")] and gone == [(("Rate", "bob"),)] * 2


def test_buttons_tell(page, heard, qtbot):
    page.set_view(VIEW)
    out, taken = heard(page.export_requested), heard(page.import_requested)
    page.export.click()
    page.take.click()
    assert (len(out), len(taken)) == (1, 1)


def test_showing_habits_tells_nothing_and_changing_them_does(page, heard, qtbot):
    told = heard(page.habits_changed)
    page.set_view(VIEW)
    form: PageDeliveryForm = page.form
    assert form.habits() == VIEW.habits and told == []
    form.enough.setValue(0)
    form.blind.setChecked(False)
    assert told == [replace(VIEW.habits, enough=0), PageDeliveryOptions("ann", 7, 0, False)]
    qtbot.mouseClick(form.order._group.button(0), Qt.MouseButton.LeftButton)
    assert told[-1].seed is None and not form.seed.isEnabled()
    qtbot.mouseClick(form.order._group.button(1), Qt.MouseButton.LeftButton)
    form.seed.setValue(9)
    assert told[-1].seed == 9 and form.order.value() == SHUFFLED


def test_somebody_new_writes_their_name(page, heard, qtbot):
    page.set_view(VIEW)
    told, field = heard(page.habits_changed), page.form.name.lineEdit()
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, " Zoe  Bee")
    assert told == [], "not while it is written"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert [one.annotator for one in told] == ["Zoe Bee"]
    field.clear()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert len(told) == 1 and page.form.habits().annotator == "Zoe Bee", "a name that is none is the one before"


@pytest.mark.parametrize("theme", [Theme.light(), Theme.dark()], ids=["light", "dark"])
def test_all_parts_have_names_and_are_drawn_in_both_themes(page, theme, qapp: QApplication):
    apply_theme(qapp, theme)
    page.set_view(VIEW)
    form = page.form
    for part in (form.name, form.order, form.seed, form.enough, page.people, page.fields, page.workers):
        assert part.accessibleName()
    assert not page.grab().isNull()
