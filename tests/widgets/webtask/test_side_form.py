"""The form by which a person does one action of the library."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.core.webtask.actions import (
    CaptureScreen,
    Click,
    GetHtml,
    Maximize,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollBy,
    ScrollTo,
    TypeText,
    WaitTillLoaded,
    action_from_json,
)
from stepscope.widgets.webtask.action_form import ActionForm
from stepscope.widgets.webtask.action_kinds import KINDS
from stepscope.widgets.webtask.side_values import FieldChoice
from stepscope.widgets.webtask.value_editors import (
    ChoiceEditor,
    NumberEditor,
    PartEditor,
    PlaceEditor,
    TextEditor,
    TicksEditor,
)

CHOICES = (("a", "First"), ("b", "Second"), ("c", ""))
FIELDS = (
    FieldChoice("title", "text", (), "as loaded"),
    FieldChoice("reasons", "checkbox", CHOICES, "a|c"),
    FieldChoice("mood", "radio", CHOICES, "b"),
    FieldChoice("speaker", "select", CHOICES, "c"),
    FieldChoice("sure", "range", (), "50"),
)
EXPECTED: dict[str, PageAction] = {
    "modify_text": ModifyText("title", "as loaded"),
    "modify_checkbox": ModifyCheckbox("reasons", ("a", "c")),
    "modify_radio": ModifyRadio("mood", "b"),
    "modify_select": ModifySelect("speaker", "c"),
    "modify_range": ModifyRange("sure", 50.0),
    "get_html": GetHtml(),
    "capture_screen": CaptureScreen(),
    "click": Click(0.0, 0.0),
    "type": TypeText(""),
    "scroll": ScrollBy(0.0, 240.0),
    "maximize": Maximize(),
    "wait_till_loaded": WaitTillLoaded(),
    "scroll_to": ScrollTo("title"),
}


@pytest.fixture
def form(show) -> ActionForm:
    form = show(ActionForm(), 360, 300)
    form.set_fields(FIELDS)
    form.set_folded(False)
    return form


def take(form: ActionForm, name: str) -> None:
    form.kinds.setCurrentIndex(form.kinds.findData(name))
    form.kinds.activated.emit(form.kinds.currentIndex())


@pytest.mark.parametrize("name", [kind.name for kind in KINDS])
def test_every_action_begins_with_what_the_page_holds(form, heard, name: str) -> None:
    told = heard(form.do_requested)
    take(form, name)
    form.do.click()
    assert [action_from_json(one) for one in told] == [EXPECTED[name]]


def test_values_are_given_by_hand(form) -> None:
    take(form, "modify_checkbox")
    ticks = form.editor()
    assert isinstance(ticks, TicksEditor)
    assert [(value, box.text(), box.isChecked()) for value, box in ticks.boxes] == [
        ("a", "First", True), ("b", "Second", False), ("c", "c", True)
    ]  # fmt: skip
    ticks.boxes[0][1].click()
    ticks.boxes[1][1].click()
    assert action_from_json(form.form()) == ModifyCheckbox("reasons", ("b", "c"))
    take(form, "modify_select")
    choice = form.editor()
    assert isinstance(choice, ChoiceEditor)
    choice.combo.setCurrentIndex(0)
    assert action_from_json(form.form()) == ModifySelect("speaker", "a")
    take(form, "modify_range")
    number = form.editor()
    assert isinstance(number, NumberEditor) and number.number.text() == "50"
    number.number.setValue(62.5)
    assert action_from_json(form.form()) == ModifyRange("sure", 62.5)
    take(form, "click")
    place = form.editor()
    assert isinstance(place, PlaceEditor)
    place.across.setValue(1280)
    place.down.setValue(0.25)
    assert (place.across.text(), place.down.text()) == ("1280", "0.25")
    assert action_from_json(form.form()) == Click(1280.0, 0.25)


def test_boxes_say_what_the_page_says(form) -> None:
    form.set_fields((FieldChoice("reasons", "checkbox", (('<img src="x">', "Q&A"),)),))
    take(form, "modify_checkbox")
    ticks = form.editor()
    assert isinstance(ticks, TicksEditor)
    ((value, box),) = ticks.boxes
    assert (value, box.text()) == ('<img src="x">', "Q&&A") and box.toolTip() == value


def test_enter_in_a_text_does_it_and_shift_enter_begins_a_line(form, heard) -> None:
    told = heard(form.do_requested)
    take(form, "modify_text")
    editor = form.editor()
    assert isinstance(editor, TextEditor)
    editor.text.selectAll()
    QTest.keyClicks(editor.text, " two")
    QTest.keyClick(editor.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(editor.text, "lines ")
    QTest.keyClick(editor.text, Qt.Key.Key_Return)
    assert told == [{"do": "modify_text", "field": "title", "text": " two\nlines "}], "blanks are kept"


def test_the_page_or_a_field_of_it(form) -> None:
    take(form, "get_html")
    assert [form.field.itemText(place) for place in range(form.field.count())][:2] == ["Whole page", "title"]
    form.field.setCurrentIndex(form.field.findData("sure"))
    assert action_from_json(form.form()) == GetHtml("sure", 4)
    take(form, "capture_screen")
    editor = form.editor()
    assert isinstance(editor, PartEditor) and not form.field.isVisible()
    editor.combo.setCurrentIndex(2)
    editor.combo.activated.emit(2)
    assert form.field.isVisible() and action_from_json(form.form()) == CaptureScreen("element", "sure")


def test_a_field_chosen_elsewhere_brings_its_action(form) -> None:
    form.set_field("mood")
    assert action_from_json(form.form()) == ModifyRadio("mood", "b")
    take(form, "scroll_to")
    form.set_field("sure")
    assert action_from_json(form.form()) == ScrollTo("sure"), "the action stays where it can be done to the field"
    form.set_field("not there")
    assert action_from_json(form.form()) == ScrollTo("sure")


def test_an_action_without_a_field_to_do_it_to_rests_and_says_why(form, heard) -> None:
    told = heard(form.do_requested)
    form.set_fields(FIELDS[:1])
    take(form, "modify_range")
    assert not form.do.isEnabled() and form.missing() == "The page has no range field."
    form._do()
    assert told == []
    form.set_fields((*FIELDS[:1], FieldChoice("mood", "radio")))
    take(form, "modify_radio")
    assert form.missing() == "The field has nothing to choose from."


def test_what_is_being_written_stays_while_the_page_changes(form) -> None:
    take(form, "modify_text")
    editor = form.editor()
    assert isinstance(editor, TextEditor)
    editor.text.selectAll()
    QTest.keyClicks(editor.text, "half a sen")
    form.set_fields((FieldChoice("title", "text", (), "changed by the page"), *FIELDS[1:]))
    assert editor.text.toPlainText() == "half a sen"


def test_undo_and_reload_are_at_hand_folded_or_not(form, heard) -> None:
    asked = heard(form.undo_requested), heard(form.reload_requested)
    assert not form.undo.isEnabled()
    form.set_can_undo(True)
    form.unfold.click()
    assert form.folded() and not form.do.isVisible() and form.unfold.text() == "Add an action…"
    form.undo.click()
    form.reload.click()
    assert [len(one) for one in asked] == [1, 1]
