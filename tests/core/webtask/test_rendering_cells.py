"""What runs in cell values: nothing, but where the template put the variable into a script; told by a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html as lxml_html

from stepscope.core.domain.webtask import WebTask
from stepscope.core.webtask.cells import harmless
from stepscope.core.webtask.page import Page
from stepscope.core.webtask.rendering import render

HARMLESS = st.lists(
    st.sampled_from(
        ["<b>", "</b>", "<p class='x' style=\"color:red\">", "<br/>", "<img src=\"https://x.org/a.png\" alt=''>",
         "<table>", "<tr><td>", "</table>", "&amp;", "&lt;script&gt;", "<a href='https://x.org/?a=1&b=javascript:'>",
         "<ul><li>", "é", "once = 5", "<", ">", "\"", "'", "<!-- note -->", "javascript: the good parts", "\r\n",
         "<span data-on=1>", "<iframe src='https://x.org/embed/x'></iframe>", "<img src='data:image/png;base64,AAAA'>"]
    ),
    max_size=12,
).map("".join)  # fmt: skip
ANYTHING = st.lists(
    st.sampled_from(
        ["<script>", "</script>", "<scr", "ipt", "<img ", "onerror=", "run()", "src=", "javascript:", "\"", "'", ">",
         "<", "/", "<svg>", "<style>", "</style>", "<!--", "-->", "<textarea>", "</textarea>", " ", "\n", "=",
         "srcdoc=", "<iframe ", "<a href=", "java\nscript:", "&#106;avascript:", "<![CDATA[", "]]>", "<noscript>",
         "<title>", "<body ", "x"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def put(template: str, *values: str) -> str:
    """The template with `@` for each value, made harmless."""
    parts = template.split("@")
    text, spans = parts[0], []
    for value, part in zip(values, parts[1:], strict=True):
        spans.append((len(text), len(text) + len(value)))
        text += value + part
    return harmless(text, spans)


@pytest.mark.parametrize(
    ("template", "value", "expected"),
    [
        ("<p>@</p>", "<script>run()</script>", "<p><script type=text/plain >run()</script></p>"),
        ("<p>@</p>", "<SCRIPT/src=x></script>", "<p><SCRIPT type=text/plain /src=x></script></p>"),
        ("<p>@</p>", "<b onclick='run()' class=a>x</b>", "<p><b data-onclick='run()' class=a>x</b></p>"),
        ("<p>@</p>", "<a href=' java\nscript:run()'>", "<p><a href='# java\nscript:run()'></p>"),
        ("<p>@</p>", "<a href=&#106;avascript:run()>", "<p><a href=#&#106;avascript:run()></p>"),
        ("<p>@</p>", "<iframe srcdoc='<script>'></iframe>", "<p><iframe data-srcdoc='<script>'></iframe></p>"),
        ("<p>@</p>", "<iframe src='data:text/html,x'>", "<p><iframe src='#data:text/html,x'></p>"),
        ("@", "<base href='https://x.org'>", "<base data-href='https://x.org'>"),
        ("@", "<meta http-equiv=refresh content='0;url=x'>", "<meta data-http-equiv=refresh content='0;url=x'>"),
        ("@", "<meta name=a content=b>", "<meta name=a content=b>"),
        ("@", "<object data=x>words</object>", "<object data-data=x>words</object>"),
        ("@", "<embed src=x>", "<embed data-src=x>"),
        # Attributes of the template, and values that end them
        (
            "<input value='@'>",
            "' onfocus='run()' autofocus x='",
            "<input value='' data-onfocus='run()' autofocus x=''>",
        ),
        ("<input value='@'>", 'a " b > c', "<input value='a \" b > c'>"),
        ("<a href='@'>", "javascript:run()", "<a href='#javascript:run()'>"),
        ("<a href='@'>", "https://x.org/javascript:", "<a href='https://x.org/javascript:'>"),
        ("<iframe srcdoc='@'>", "<b>x</b>", "<iframe sandbox  srcdoc='<b>x</b>'>"),
        ("<p @>", "onclick=run()", "<p data-onclick=run()>"),
        # Meant to be code
        ("<script>f('@')</script>", "run()", "<script>f('run()')</script>"),
        ("<script>f('@')</script>", "x</script><b onclick=a>", "<script>f('x</script><b data-onclick=a>')</script>"),
        ("<b onclick='f(@)'>", "1' onfocus='run()", "<b onclick='f(1' data-onfocus='run())'>"),
        ("<b onclick=\"f('@')\">", "run()", "<b onclick=\"f('run()')\">"),
        ("<a href=\"javascript:f('@')\">", "1", "<a href=\"javascript:f('1')\">"),
        # Where an svg has come before, raw texts may be none
        ("<svg><title>@</title>", "<b onclick=run()>", "<svg><title><b data-onclick=run()></title>"),
        ("<svg></svg><textarea>@</textarea>", "<b onclick=a>", "<svg></svg><textarea><b data-onclick=a></textarea>"),
        ("<math><textarea>@</textarea>", '<img title="', '<math><textarea>< img title="</textarea>'),
        ("<svg><title>@</title>", "<!--", "<svg><title>< !--</title>"),
        ("<svg><title>@</title>", "<![CDATA[ > ", "<svg><title><!-[CDATA[ > </title>"),
        ("<svg><title>@</title>", "5 < 6 <b>x</b>", "<svg><title>5 < 6 <b>x</b></title>"),
        ("<svg><script>f('@')</script>", "run()", "<svg><script>f('run()')</script>"),
        # Mere letters there
        ("<textarea>@</textarea>", "<script>run()</script>", "<textarea><script>run()</script></textarea>"),
        (
            "<textarea>@</textarea>",
            "</textarea><script>run()</script>",
            "<textarea></textarea><script type=text/plain >run()</script></textarea>",
        ),
        ("<!-- @ -->", "<b onclick=run()>", "<!-- <b onclick=run()> -->"),
        ("<!-- @ -->", "--><b onclick=run()>", "<!-- --><b data-onclick=run()> -->"),
    ],
)
def test_what_is_put_in(template: str, value: str, expected: str) -> None:
    assert put(template, value) == expected


def test_an_unclosed_script_of_a_value_swallows_the_page_and_runs_nothing() -> None:
    assert put("@<script>a('@')</script>", "<script>", "x") == "<script type=text/plain ><script>a('x')</script>"


@given(HARMLESS)
@example("<p>it's <b>5 < 6</b>")
def test_harmless_html_is_unchanged(value: str) -> None:
    assert put("<div>@</div>", value) == f"<div>{value}</div>"


@given(ANYTHING)
def test_nothing_is_taken_away(value: str) -> None:
    """Taking out what was put in gives the value again."""
    left = put("<div>@</div>", value).removeprefix("<div>").removesuffix("</div>")
    letters = iter(left)
    assert all(character in letters for character in value), "each, in this order"


@given(ANYTHING)
def test_no_script_and_no_handler_of_a_value_is_left(value: str) -> None:
    """Told by another parser (libxml2), which mends pages in its own way."""
    page = lxml_html.document_fromstring(f"<html><body><i>{put('<div>@</div>', value)}</body></html>".replace("\0", ""))
    for element in page.iter():
        if not isinstance(element.tag, str):
            continue
        assert element.tag != "script" or element.get("type") == "text/plain"
        assert not [name for name in element.attrib if name.startswith("on")]
        assert not re.match(r"[\x00-\x20]*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t:", element.get("href", ""))


ATTACKS = [
    "<script>run(0)</script>",
    "<script type='module'>run(1)</script>",
    "<img src=nothing onerror=run(2)>",
    "<svg onload=run(3)></svg>",
    "<svg><script>run(4)</script></svg>",
    "<iframe src='javascript:parent.run(5)'></iframe>",
    "<iframe srcdoc='<script>parent.run(6)</script>'></iframe>",
    "<details open ontoggle=run(7)>x</details>",
    "<input autofocus onfocus=run(8)>",
    "<svg><style><img src=x onerror=run(9)></style></svg>",
    "<svg><![CDATA[><a title=\"]]><img src=x onerror=run(10)>\"></svg>",
    "<math><mtext><style><img title='</style><img src=x onerror=run(11)>'></style></mtext></math>",
    "<object data='javascript:parent.run(12)'></object>",
    "<template shadowrootmode=open></template><img src=x onerror='run(13)'>",
    "<img src=x\nonerror\n=\nrun(14)>",
    "<img/src='x'/onerror=run(15)>",
    "<video><source onerror=run(16)></video>",
    "<script src='data:text/javascript,run(17)'></script>",
    "<style>@keyframes k{}</style><b style='animation:k 1s' onanimationstart=run(18)>x</b>",
    "<noscript><p title='</noscript><img src=x onerror=run(19)>'></noscript>",
]  # fmt: skip
CONTEXTS = [
    "<div>@</div>",
    "<textarea></textarea>@",
    "<input name=q value='@'>",
    "<textarea>@</textarea>",
    "<!-- @ -->",
]
BREAKS = {"<input name=q value='@'>": "'>", "<textarea>@</textarea>": "</textarea>", "<!-- @ -->": "-->"}
COUNTS = "<title>none</title><script>function run(n) { document.title += ' ' + n; }</script>"


def attacked(context: str, fill: Callable[[str, str], str]) -> str:
    broken = BREAKS.get(context, "")
    return COUNTS + "".join(f"<section>{fill(context, broken + attack)}</section>" for attack in ATTACKS)


def run_in(page: Page) -> str:
    """What ran, once pictures had the time to fail."""
    return page.look([]).title


@pytest.mark.parametrize("context", CONTEXTS)
def test_no_value_runs_in_a_real_browser(opened: Callable[..., Page], context: str) -> None:
    assert run_in(opened(attacked(context, put))) == "none"


def foreign_pages(fill: Callable[..., str]) -> list[str]:
    image = "<img src=nothing onerror=run(0)>"
    return [
        COUNTS + page
        for page in (
            fill("<svg><title>@</title></svg>", image),
            fill("<svg viewBox='0 0 1 1'><style></style><title>@</title></svg>", image),
            fill("@<textarea>@</textarea>", "<svg>", image),
            fill("@<title>@</title>", "<math><mtext><svg>", image),
            fill("@<textarea>@</textarea>@", "<svg>", '<img src=nothing title="', '" onerror=run(0)>'),
            fill("@<textarea>@</textarea><b title='@'></b>", "<svg>", "<!--", f"-->{image}"),
            fill("@<textarea>@</textarea><b title='@'></b>", "<svg>", "<![CDATA[ > ", f"]]>{image}"),
        )
    ]


def test_no_value_runs_in_raw_texts_that_a_browser_takes_for_tags(opened: Callable[..., Page]) -> None:
    assert [run_in(opened(page)) for page in foreign_pages(put)] == ["none"] * 7


def test_these_do_run_when_they_are_left_as_they_are(opened: Callable[..., Page]) -> None:
    def plain(template: str, *values: str) -> str:
        for value in values:
            template = template.replace("@", value, 1)
        return template

    assert [run_in(opened(page)) for page in foreign_pages(plain)] == ["none 0"] * 7


def test_the_same_values_do_run_when_they_are_left_as_they_are(opened: Callable[..., Page]) -> None:
    page = opened(attacked("<div>@</div>", lambda context, value: context.replace("@", value)))
    assert len(run_in(page).split()) > 12


def test_values_that_are_meant_to_be_code_do_run(opened: Callable[..., Page]) -> None:
    template = COUNTS + "<script>run('${a}');</script><img src=nothing onerror=\"run('${a}')\">${a}"
    page = opened(render(WebTask("t", "t", "", template, (), ()), {"a": "cell"}).html)
    assert run_in(page) == "none cell cell"
