"""The crowd platform's elements in a real browser: fields under the platform's names that can be filled in.

Names and answers after the public reference of Crowd HTML Elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from stepscope.core.domain.webtask import FieldType, WebTask
from stepscope.core.webtask.actions import (
    Click,
    GetHtml,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifyText,
    PageAction,
    TypeText,
)
from stepscope.core.webtask.page import Page, PageField
from stepscope.core.webtask.rendering import render

Opens = Callable[..., Page]
LOADER = '<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>'


@pytest.fixture
def crowd(opened: Opens) -> Opens:
    def open_page(inside: str, **inputs: str) -> Page:
        template = f"{LOADER}<crowd-form answer-format='flatten-objects'>{inside}</crowd-form>"
        return opened(render(WebTask("t", "t", "", template, (), ()), inputs).html)

    return open_page


def fields(page: Page) -> Mapping[str, PageField]:
    return {one.name: one for one in page.look().fields}


@pytest.mark.parametrize(
    ("inside", "name", "kind", "before", "action", "after"),
    [
        ("<crowd-input name=a label=Word></crowd-input>", "a", "text", "", ModifyText("a", "hé"), "hé"),
        ("<crowd-input name=a value=x>", "a", "text", "x", ModifyText("a", ""), ""),
        ("<crowd-text-area name=a rows=4 value=x>", "a", "textarea", "x", ModifyText("a", "y\nz"), "y\nz"),
        ("<crowd-slider name=a min=1 max=300 value=200></crowd-slider>", "a", "range", "200", ModifyRange("a", 7), "7"),
        ("<crowd-checkbox name=a>yes</crowd-checkbox>", "a", "checkbox", "", ModifyCheckbox("a", ("on",)), "on"),
        (
            "<crowd-checkbox name=a value=Red checked>R</crowd-checkbox><crowd-checkbox name=a value=Blue>B",
            "a", "checkbox", "Red", ModifyCheckbox("a", ("Blue", "Red")), "Red|Blue",
        ),
        (
            "<crowd-radio-group><crowd-radio-button name=a value=1>1</crowd-radio-button>"
            "<crowd-radio-button name=a value=2 checked>2</crowd-radio-button></crowd-radio-group>",
            "a", "radio", "2", ModifyRadio("a", "1"), "1",
        ),
        (
            "<crowd-classifier name=a categories=\"['Yes', 'No']\" header=Which></crowd-classifier>",
            "a.label", "radio", "", ModifyRadio("a.label", "No"), "No",
        ),
        (
            "<crowd-image-classifier name=a categories='[\"Cat\", \"Dog\"]' src=x.png></crowd-image-classifier>",
            "a.label", "radio", "", ModifyRadio("a.label", "Cat"), "Cat",
        ),
        (
            "<crowd-classifier-multi-select name=a categories='[\"P\"]' exclusion-category=\"{ text: 'None' }\">",
            "a.labels", "checkbox", "", ModifyCheckbox("a.labels", ("P", "None")), "P|None",
        ),
    ],
)  # fmt: skip
def test_a_field_is_found_and_filled_in(
    crowd: Opens, inside: str, name: str, kind: str, before: str, action: PageAction, after: str
) -> None:
    page = crowd(inside)
    (field,) = page.look().fields
    assert (field.name, field.type, field.value) == (name, FieldType(kind), before) and field.box is not None
    page.do(action)
    assert page.look().values == {name: after}


def test_words_of_attributes_and_contents_are_labels(crowd: Opens) -> None:
    found = fields(
        crowd(
            "<crowd-input name=a label='A word'></crowd-input>"
            "<crowd-checkbox name=b value=1>Does <b>not</b> fit</crowd-checkbox>"
            "<crowd-classifier name=c header='Which?' categories=\"['it\\'s', 'no']\"></crowd-classifier>"
        )
    )
    assert found["a"].label == "A word" and found["b"].options[0].label == "Does not fit"
    assert found["c.label"].label == "Which?"
    assert [(one.value, one.label) for one in found["c.label"].options] == [("it's", "it's"), ("no", "no")]


def test_a_group_holds_one_button_though_each_has_a_name_of_its_own(crowd: Opens) -> None:
    page = crowd(
        "<crowd-radio-group><crowd-radio-button name=a value=1 checked>1</crowd-radio-button>"
        "<crowd-radio-button name=b value=1>2</crowd-radio-button></crowd-radio-group>"
    )
    assert page.look().values == {"a": "1", "b": ""}
    page.do(ModifyRadio("b", "1"))
    assert page.look().values == {"a": "", "b": "1"}


def test_words_of_a_box_can_be_pressed_and_a_box_that_is_off_cannot(crowd: Opens) -> None:
    page = crowd(
        "<crowd-checkbox name=a><b>press this</b></crowd-checkbox><br>"
        "<crowd-checkbox name=b disabled><b>or this</b></crowd-checkbox>"
    )
    for name in "ab":
        box = fields(page)[name].options[0].box
        assert box is not None
        page.do(Click(box.right - 10, box.centre.y))
    assert page.look().values == {"a": "on", "b": ""} and fields(page)["b"].disabled


def test_a_page_works_with_its_elements_as_the_platform_lets_it(crowd: Opens) -> None:
    page = crowd(
        "<crowd-input name=a value=x></crowd-input><crowd-checkbox name=b></crowd-checkbox><p id=made></p>"
        "<script>"
        "const input = document.querySelector('crowd-input'); input.value += 'y'; input.disabled = false;"
        "document.querySelector('crowd-checkbox').checked = true;"
        "document.getElementById('made').innerHTML = '<crowd-input name=later value=z required></crowd-input>';"
        "document.addEventListener('all-crowd-elements-ready', () => { document.title = 'ready'; });"
        "</script>"
    )
    look = page.look()
    assert look.values == {"a": "xy", "b": "on", "later": "z"} and look.title == "ready"


def test_the_form_submits_once_it_is_complete(crowd: Opens) -> None:
    page = crowd(
        "<crowd-input name=a required></crowd-input><crowd-button form-action=submit>Send</crowd-button>"
        "<script>document.querySelector('crowd-form').onsubmit = (event) => {"
        " event.preventDefault(); document.title = 'sent ' + document.querySelector('crowd-input').value; };"
        "function send() { document.querySelector('crowd-button').click(); }</script>"
        "<input type=button onclick='send()' value=go style='position:fixed;left:0;top:300px;width:80px;height:40px'>"
    )
    page.do(Click(40, 320))
    assert page.look().title == "t"
    box = fields(page)["a"].box
    assert box is not None
    page.do(Click(box.centre.x, box.centre.y))
    page.do(TypeText("ok"))
    page.do(Click(40, 320))
    assert page.look().title == "sent ok"


def test_tabs_dialogs_and_what_is_drawn_are_shown(crowd: Opens) -> None:
    page = crowd(
        "<crowd-tabs><crowd-tab header=One><input name=a></crowd-tab><crowd-tab header=Two><input name=b></crowd-tab>"
        "</crowd-tabs><crowd-modal><input name=c></crowd-modal>"
        "<crowd-bounding-box name=d src=x.png labels=\"['Cat']\" header='Draw it'></crowd-bounding-box>"
        "<full-instructions header='How to'>All of it</full-instructions>"
    )
    found = fields(page)
    assert found["a"].box is not None and found["b"].box is None and found["c"].box is None and "d" not in found
    assert "Marking and drawing are not offered here." in page.do(GetHtml()).text


def test_cells_in_attributes_make_the_choices(crowd: Opens) -> None:
    page = crowd(
        "<crowd-classifier name=a categories='${choices}'><classification-target>${text}</classification-target>"
        "</crowd-classifier>",
        choices='["one", "two"]',
        text="<b>words</b>",
    )
    assert [one.value for one in fields(page)["a.label"].options] == ["one", "two"]
