"""Fields are found with type, options, label and place, and filled in by actions and by real events."""

from __future__ import annotations

import json

import pytest

from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.actions import (
    Click,
    GetHtml,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollTo,
    TypeText,
)
from stepscope.core.webtask.browser import OpenPage
from stepscope.core.webtask.page import PageError, PageField
from tests.core.webtask.conftest import Opens

EVERY = """<!doctype html><meta charset="utf-8"><title>every type</title>
<style>body { margin: 0; font: 16px sans-serif } .row { height: 60px }</style>
<form name="body">
<div class="row">Your name: <input name="name" value="Ann"></div>
<div class="row"><label for="s">Your story</label> <textarea id="s" name="story"></textarea></div>
<div class="row"><fieldset style="border: 0; padding: 0"><legend>Colour</legend>
  <label><input type="radio" name="colour" value="1">Red</label>
  <label><input type="radio" name="colour" value="2.0" checked>Green</label></fieldset></div>
<div class="row">Which are true? <input type="checkbox" name="facts" value="a"> first
  <input type="checkbox" name="facts" value="b" checked> second
  <input type="checkbox" name="facts" value="c"> third</div>
<div class="row"><select name="fruit" aria-label="Fruit"><option value="">choose</option>
  <option value="A">Apple</option><option value="B" disabled>Banana</option><option>Cherry</option></select></div>
<div class="row"><input type="range" name="sure" min="0" max="100" step="10" value="50"></div>
<input type="hidden" name="spent" value="0">
<div class="row"><input type="number" name="count"> <input name="fixed" value="x" readonly>
<input name="off" value="y" disabled></div>
<input type="file" name="file"><button name="send" type="button" value="z">send</button>
</form>
<script>
  const heard = [];
  for (const kind of ['input', 'change', 'click', 'keydown'])
    addEventListener(kind, (event) => heard.push(`${event.target.name} ${kind} ${event.isTrusted}`), true);
</script>"""
NAMES = ("name", "story", "colour", "facts", "fruit", "sure", "spent", "count", "fixed", "off")
HEARD = "<script>setInterval(() => { document.title = JSON.stringify(heard); }, 5)</script>"


def field(page: OpenPage, name: str) -> PageField:
    (one,) = page.look((name,)).fields
    return one


def test_fields_are_found_with_type_value_and_label(opened: Opens) -> None:
    look = opened(EVERY).look()
    assert tuple((one.name, one.type.value, one.value, one.label, one.disabled) for one in look.fields) == (
        ("name", "text", "Ann", "Your name:", False),
        ("story", "textarea", "", "Your story", False),
        ("colour", "radio", "2.0", "Colour", False),
        ("facts", "checkbox", "b", "Which are true?", False),
        ("fruit", "select", "", "Fruit", False),
        ("sure", "range", "50", "", False),
        ("spent", "hidden", "0", "", False),
        ("count", "text", "", "", False),
        ("fixed", "text", "x", "", True),
        ("off", "text", "y", "", True),
    )
    assert look.title == "every type"


def test_options_are_found_with_value_label_and_state(opened: Opens) -> None:
    page = opened(EVERY)
    said = {name: [(o.value, o.label, o.chosen) for o in field(page, name).options] for name in ("colour", "facts")}
    assert said["colour"] == [("1", "Red", False), ("2.0", "Green", True)]
    assert said["facts"] == [("a", "first", False), ("b", "second", True), ("c", "third", False)]
    assert [(o.value, o.label) for o in field(page, "fruit").options] == [
        ("", "choose"), ("A", "Apple"), ("B", "Banana"), ("Cherry", "Cherry"),
    ]  # fmt: skip


def test_names_are_given_in_the_order_asked_for_and_those_that_there_are_not_are_told(opened: Opens) -> None:
    look = opened(EVERY).look(("sure", "nothing", "name", "file"))
    assert [one.name for one in look.fields] == ["sure", "name"]
    assert look.missing == ("nothing", "file")


def test_every_type_is_filled_in_by_its_action(opened: Opens) -> None:
    page = opened(EVERY)
    actions: dict[PageAction, str] = {
        ModifyText("name", "Zoë & Søren"): "11 characters",
        ModifyText("story", "two\nlines"): "9 characters",
        ModifyText("spent", "12"): "2 characters",
        ModifyText("count", "3.5"): "3 characters",
        ModifyRadio("colour", "1"): "Red",
        ModifyCheckbox("facts", ("a", "c")): "2 of 3 ticked",
        ModifySelect("fruit", "A"): "Apple",
        ModifyRange("sure", 74): "70",
    }
    assert {action: page.do(action).said for action in actions} == actions
    assert page.look().values == {
        "name": "Zoë & Søren", "story": "two\nlines", "colour": "1", "facts": "a|c", "fruit": "A", "sure": "70",
        "spent": "12", "count": "3.5", "fixed": "x", "off": "y",
    }  # fmt: skip
    assert [one.ok for one in page.log] == [True] * 8
    page.do(ModifyCheckbox("facts", ()))
    assert field(page, "facts").value == ""


@pytest.mark.parametrize(
    ("action", "value"),
    [
        (ModifyRadio("colour", "2"), "2.0"),  # numbers are even
        (ModifyRadio("colour", " red "), "1"),  # so are what is shown, case and space
        (ModifySelect("fruit", "cherry"), "Cherry"),
        (ModifySelect("fruit", "Apple"), "A"),
        (ModifyCheckbox("facts", ("Third", "A")), "a|c"),
        (ModifyRange("sure", 1e9), "100"),
        (ModifyRange("sure", -3), "0"),
    ],
)
def test_values_are_met_as_a_person_would_mean_them(opened: Opens, action: PageAction, value: str) -> None:
    page = opened(EVERY)
    page.do(action)
    assert field(page, action.field).value == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (ModifyText("nothing", "x"), "The page has no field “nothing”."),
        (ModifyText("colour", "1"), "Field “colour” is a radio field: use modify_radio."),
        (ModifyRadio("colour", "blue"), "Field “colour” has no option “blue”. It has “1”, “2.0”."),
        (ModifyCheckbox("facts", ("a", "d")), "Field “facts” has no option “d”. It has “a”, “b”, “c”."),
        (ModifySelect("fruit", "B"), "“B” of field “fruit” cannot be chosen: it is disabled."),
        (ModifyText("fixed", "z"), "Field “fixed” cannot be changed: it is read-only."),
        (ModifyText("off", "z"), "Field “off” cannot be changed: it is disabled."),
        (ModifyText("count", "many"), "Field “count” takes a number, and “many” is none."),
        (GetHtml("nothing"), "The page has no field “nothing”."),
        (Click(1280, 5), "(1280, 5) is outside of the screen of 1280 × 800."),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(opened: Opens, action: PageAction, words: str) -> None:
    page = opened(EVERY)
    before = page.look().values
    with pytest.raises(PageError) as refused:
        page.do(action)
    assert str(refused.value) == words
    assert page.look().values == before
    assert [(one.action, one.ok, one.said) for one in page.log] == [(action, False, words)]


def test_the_page_hears_of_what_actions_change(opened: Opens) -> None:
    page = opened(EVERY + HEARD)
    page.do(ModifyText("name", "x"))
    page.do(ModifyRadio("colour", "1"))
    page.do(ModifyCheckbox("facts", ("a", "b")))
    page.do(ModifySelect("fruit", "A"))
    page.do(ModifyRange("sure", 10))
    heard = [one.rsplit(" ", 1)[0] for one in json.loads(page.look().title)]
    assert heard == [
        "name input", "name change", "colour click", "colour input", "colour change", "facts click", "facts input",
        "facts change", "fruit input", "fruit change", "sure input", "sure change",
    ]  # fmt: skip


def centre(page: OpenPage, name: str, option: int | None = None) -> tuple[float, float]:
    """Where to click on the screen."""
    look = page.look((name,))
    box = look.fields[0].box if option is None else look.fields[0].options[option].box
    assert box is not None
    return box.centre.x - look.scroll.x, box.centre.y - look.scroll.y


def test_every_type_is_filled_in_by_real_events(opened: Opens) -> None:
    page = opened(EVERY + HEARD)
    page.do(Click(*centre(page, "name")))
    page.do(TypeText("\b\b\b\bZoë 1!"))
    page.do(Click(*centre(page, "story")))
    page.do(TypeText("a\nb 漢字"))
    page.do(Click(*centre(page, "colour", 0)))
    page.do(Click(*centre(page, "facts", 0)))
    page.do(Click(*centre(page, "facts", 1)))
    page.do(Click(*centre(page, "fruit")))
    page.do(TypeText("Che"))
    box = field(page, "sure").box
    assert box is not None
    page.do(Click(box.left + 0.8 * box.width, box.centre.y))
    values = page.look().values
    assert (values["name"], values["story"], values["colour"], values["facts"], values["fruit"], values["sure"]) == (
        "Zoë 1!", "a\nb 漢字", "1", "a", "Cherry", "80",
    )  # fmt: skip
    heard = set(json.loads(page.look().title))
    assert {
        "name keydown true",
        "name input true",
        "colour click true",
        "fruit change true",
        "sure input true",
    } <= heard
    assert not {one for one in heard if one.endswith("false")}


def test_boxes_are_where_the_elements_are(opened: Opens) -> None:
    """Rows of 100 pixels; a place is counted from the top of the document, whatever is scrolled."""
    rows = "".join(
        f'<div style="position:absolute;left:20px;top:{100 * row}px"><input name="f{row}" '
        'style="box-sizing:border-box;width:200px;height:30px;margin:0"></div>'
        for row in range(30)
    )
    page = opened(f'<!doctype html><body style="margin:0">{rows}')
    page.do(ScrollTo("f25"))
    look = page.look(("f0", "f25"))
    assert [(b.left, b.top, b.right, b.bottom) for b in (one.box for one in look.fields) if b] == [
        (20, 0, 220, 30), (20, 2500, 220, 2530),
    ]  # fmt: skip
    assert look.size.height == 2930
    assert look.scroll.y == 2500 + 15 - 400  # in the middle of 800
    assert look.viewport.width == 1280


def test_what_a_scrolling_part_hides_is_not_drawn(opened: Opens) -> None:
    page = opened(
        """<!doctype html><body style="margin:0"><div style="height:100px;overflow:auto">
        <input name="top" style="position:relative;top:10px"><div style="height:500px"></div><input name="low"></div>
        <input name="none" style="display:none"><label style="opacity:0.5"><input name="styled" type="checkbox"
        style="display:none">words</label>"""
    )
    assert {one.name: one.box is not None for one in page.look().fields} == {
        "top": True, "low": False, "none": False, "styled": True,
    }  # fmt: skip
    page.do(ScrollTo("low"))
    assert {one.name: one.box is not None for one in page.look(("top", "low")).fields} == {"top": False, "low": True}


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ("<table><tr><td>Name</td><td><input name=f></td></tr></table>", "Name"),
        ("<p>Tell us <b>more</b></p><div><textarea name=f></textarea></div>", "Tell us more"),
        ("<span id=a>One</span><span id=b>two</span><input name=f aria-labelledby='a b'>", "One two"),
        ("<input name=f placeholder='Write here'>", "Write here"),
        ("<p>First</p><input name=e><input name=f>", ""),
        (
            "<div role=radiogroup aria-label=Kind><input type=radio name=f value=1><input type=radio name=f></div>",
            "Kind",
        ),
        (
            "<p>Is it?</p><label><input type=radio name=f value=1>y</label><label><input type=radio name=f>n</label>",
            "Is it?",
        ),
        ("<script>var words</script><style>p {}</style><input name=f>", ""),
    ],
)
def test_labels_are_what_a_person_would_read(opened: Opens, html: str, label: str) -> None:
    assert field(opened(html), "f").label == label


def test_a_page_cannot_mislead_about_its_fields(opened: Opens) -> None:
    """Elements named like the document's own parts, and scripts that turn the page's own functions round."""
    page = opened(
        """<!doctype html><form name="querySelectorAll"><input name="f" value="true"></form>
        <img name="documentElement"><form name="activeElement"></form><form name="scrollingElement"></form>
        <script>
        Document.prototype.querySelectorAll = () => [];
        JSON.stringify = () => '"no"';
        Object.defineProperty(HTMLInputElement.prototype, 'value', { get: () => 'a lie', set: () => {} });
        console.info = () => {};
        </script>"""
    )
    assert page.look().values == {"f": "true"}
    page.do(ModifyText("f", "x"))
    assert field(page, "f").value == "x"
    assert 'value="x"' in page.do(GetHtml()).text


def test_fields_that_scripts_make_and_take_away_are_as_they_stand(opened: Opens) -> None:
    page = opened(
        """<body><input name=old><script>onload = () => {
        document.open(); document.write('<p>Anew</p><textarea name=fresh>words</textarea>'); document.close();
        }</script>"""
    )
    assert page.look().values == {"fresh": "words"}
    page.do(ModifyText("fresh", "others"))
    page.do(Click(*centre(page, "fresh")))
    page.do(TypeText("!"))
    assert field(page, "fresh").value in ("others!", "!others")
    assert field(page, "fresh").type is FieldType.TEXTAREA


def test_the_html_shows_what_is_filled_in(opened: Opens) -> None:
    page = opened(EVERY)
    page.do(ModifyText("name", 'a "b"'))
    page.do(ModifyText("story", "<tale>"))
    page.do(ModifyRadio("colour", "1"))
    page.do(ModifySelect("fruit", "A"))
    html = page.do(GetHtml()).text
    assert html.startswith("<!DOCTYPE html>\n<html>")
    assert '<input name="name" value="a &quot;b&quot;">' in html
    assert '<textarea id="s" name="story">&lt;tale&gt;</textarea>' in html
    assert '<input type="radio" name="colour" value="1" checked="">' in html
    assert '<input type="radio" name="colour" value="2.0">' in html
    assert '<option value="A" selected="">' in html


def test_a_form_whose_fields_are_called_like_its_properties_has_a_tree(opened: Opens) -> None:
    page = opened(
        """<form id="outer">words <input name="id"><input name="disabled"><input name="type"></form>
        <form><input name="id"><input name="nodeName" disabled></form>"""
    )
    seen = [(one.class_name, one.resource_id, one.enabled) for one in page.tree()]
    assert seen == [
        ("body", "", True),
        ("form", "outer", True),
        ("input", "id", True),
        ("input", "disabled", True),
        ("input", "type", True),
        ("form", "", True),
        ("input", "id", True),
        ("input", "nodeName", False),
    ]
