"""A template and a row become a page: what is put in, what is mended, what is told as missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.webtask import FieldType, WebField, WebTask
from stepscope.core.webtask.rendering import missing_columns, render

START = '<!DOCTYPE html><meta charset="utf-8"><title>Rate it</title>\n'
FORM = '<form id="mturk_form" name="mturk_form" method="post">'
END = '<p><input type="submit" id="submitButton" value="Submit"></p></form>'


def task(template: str, *fields: WebField, title: str = "Rate it") -> WebTask:
    return WebTask("Rate 1", title, "", template, (), fields)


def html(template: str, **inputs: str) -> str:
    return render(task(template), inputs).html


def inner(template: str, **inputs: str) -> str:
    """The page without what is around every page without a form."""
    page = html(template, **inputs)
    assert page.startswith(START + FORM) and page.endswith(END)
    return page.removeprefix(START + FORM).removesuffix(END)


def test_a_source_names_the_task_its_fields_and_their_types() -> None:
    source = render(task("<input name=a>", WebField("b", FieldType.RADIO), WebField("a", FieldType.TEXT)), {})
    assert (source.title, source.names) == ("Rate it", ("b", "a"))
    assert source.types == {"b": FieldType.RADIO, "a": FieldType.TEXT}
    assert render(task("x", title=""), {}).title == "Rate 1" and render(task("x"), {}, title="Mine").title == "Mine"


@pytest.mark.parametrize(
    ("template", "inputs", "expected"),
    [
        ("<p>${a}</p>", {"a": "make <b>tea</b> &amp; so<br>"}, "<p>make <b>tea</b> &amp; so<br></p>"),
        ("${a}${a} ${b}", {"a": "1", "b": ""}, "11 "),
        ("<p>${two words} ${a.b-1}</p>", {"two words": "x", "a.b-1": "y"}, "<p>x y</p>"),
        ("${ a }", {"a": "x"}, "x"),
        ("${none} ${} ${a{b}}", {"a": "x"}, "${none} ${} ${a{b}}"),
        ("${a}", {"a": "${b}", "b": "never"}, "${b}"),
        ("<img src=\"${a}\" alt='${b}'>", {"a": "https://x.org/1.png?a=1&b=2", "b": "it"}, None),
        ("<script>const t = `${js} ${a}`</script>", {"a": "v"}, "<script>const t = `${js} v`</script>"),
        ("<style>p { color: ${a} }</style>", {"a": "red"}, "<style>p { color: red }</style>"),
        ("<textarea>${a}</textarea>", {"a": "1\r\n<b>2</b>"}, "<textarea>1\r\n<b>2</b></textarea>"),
        ("\ufeff<p>x", {}, "<p>x"),
    ],
)
def test_variables_become_cells_as_they_are(template: str, inputs: dict[str, str], expected: str | None) -> None:
    if expected is None:
        expected = template.replace("${a}", inputs["a"]).replace("${b}", inputs["b"])
    assert inner(template, **inputs) == expected


@given(st.dictionaries(st.sampled_from("abc"), st.text("xyz éü,.\n\"'&;${}", max_size=20), min_size=3))
def test_words_of_cells_come_out_letter_by_letter(inputs: dict[str, str]) -> None:
    template = "<p>${a}</p><script>f(`${b}`)</script><td>${c}<td>"
    expected = f"<p>{inputs['a']}</p><script>f(`{inputs['b']}`)</script><td>{inputs['c']}<td>"
    assert inner(template, **inputs) == expected


def test_a_document_of_its_own_keeps_its_parts() -> None:
    page = html(
        '<!doctype HTML PUBLIC "x">\n<html><head><title>Own</title></head><body class=b><form action="https://x.org" '
        'target="_top" method=post><button formaction="/y" name=go>Go</button></form></body></html>'
    )
    assert page == (
        '<!doctype HTML PUBLIC "x"><meta charset="utf-8">\n\n<html><head><title>Own</title></head><body class=b>'
        "<form   method=post><button  name=go>Go</button></form></body></html>"
    )


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("<head>h</head><body id=x>b</body>", f"<head>h</head><body id=x>{FORM}b</body>{END}"),
        ("<head>h</head>b", f"<head>h</head>{FORM}b{END}"),
        ("<input type=SUBMIT value=Send>", f"{FORM}<input type=SUBMIT value=Send></form>"),
        ("<button>Send</button>", f"{FORM}<button>Send</button></form>"),
        ("<button type=button>More</button>", f"{FORM}<button type=button>More</button>{END}"),
        ("<!-- <form> -->", f"{FORM}<!-- <form> -->{END}"),
        ("<FORM>a</FORM>", "<FORM>a</FORM>"),
    ],
)
def test_a_page_without_a_form_is_one_and_has_a_button(template: str, expected: str) -> None:
    assert html(template) == START + expected


def test_check_sums_go_because_libraries_are_answered_locally() -> None:
    given_ = '<script src="https://x.org/jquery.js" integrity="sha384-abc" crossorigin="anonymous"></script>'
    assert inner(given_) == '<script src="https://x.org/jquery.js"  ></script>'


@pytest.mark.parametrize(
    "question",
    [
        '<?xml version="1.0"?>\n<HTMLQuestion xmlns="http://mechanicalturk.amazonaws.com/x.xsd">\n<HTMLContent><![CDATA[\n'
        "<p>${a}</p>]]></HTMLContent><FrameHeight>0</FrameHeight></HTMLQuestion>",
        '<HTMLQuestion xmlns="x"><HTMLContent>\n&lt;p&gt;${a}&lt;/p&gt;</HTMLContent></HTMLQuestion>',
    ],
)
def test_the_platforms_xml_is_taken_off(question: str) -> None:
    assert inner(question, a="<b>1</b>").strip() == "<p><b>1</b></p>"
    assert missing_columns(task(question), {}) == ("a",)


def test_a_page_that_only_speaks_of_the_xml_keeps_it() -> None:
    assert inner("<p>Use <HTMLContent>this</HTMLContent>") == "<p>Use <HTMLContent>this</HTMLContent>"


def test_elements_of_the_crowd_platform_bring_their_stand_ins_and_are_a_form() -> None:
    page = html("<crowd-form><crowd-input name=a></crowd-input></crowd-form>")
    assert page.index("<style>") < page.index("customElements") < page.index("<crowd-form><form method")
    assert page.endswith(
        '<crowd-form><form method="post"><crowd-input name=a></crowd-input>'
        '<p><input type="submit" id="submitButton" value="Submit"></p></form></crowd-form>'
    )
    assert "customElements" not in html("<p>crowd-form")
    own = html('<crowd-form><crowd-button form-action="submit">Go</crowd-button></crowd-form>')
    assert "submitButton" not in own.rsplit("</script>", 1)[1]


def test_columns_that_the_page_would_show_are_missing_and_those_of_scripts_are_not() -> None:
    page = (
        "<!-- ${comment} --><p title='${in title}'>${b} ${a} ${b}</p><script>`${js}`</script>"
        '<a onclick="f(`${handler}`)" href="${link}"><style>${css}</style><textarea>${area}</textarea>'
    )
    assert missing_columns(task(page), {"a": ""}) == ("in title", "b", "link", "area")


def test_a_large_page_takes_no_long_time() -> None:
    """Each character is looked at a few times at most: 1 MB with 10,000 variables, far within the test's limit."""
    template = "<td><b>${a}</b> some words of a cell that go on until the line is as long as lines of tables are</td>\n"
    page = html(template * 10_000, a="<i onclick='x()'>v</i>")
    assert page.count("<i data-onclick='x()'>v</i>") == 10_000
