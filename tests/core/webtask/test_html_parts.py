"""Parts of a page for models: without noise, around a field, as much as fits."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.webtask.html_parts import HtmlExcerpt, cut_to, lines_of, relevant, without_noise
from stepscope.core.webtask.markup import tokens

PAGE = "\n".join(
    [
        "<p>Instructions</p>",
        *(f"<p>words {number}</p>" for number in range(1, 10)),
        "<label for=w>Why</label>",
        *(f"<p>more {number}</p>" for number in range(1, 10)),
        "<input name=why id=w>",
        *(f"<p>last {number}</p>" for number in range(1, 10)),
        "<textarea name='other'>a",
        "b</textarea>",
        "<p>end</p>",
    ]
)


def test_noise_goes_and_what_a_person_reads_or_fills_in_stays() -> None:
    page = """<!DOCTYPE html><html><head><meta charset="utf-8"><link rel=x href=y><title>T</title>
    <style>p { color: red }</style><script>if (a < b) run()</script></head>


    <body onload="run()" class="b"><!-- note --><p style="color: red">Some    words
       go on</p><p style='display : NONE' id=x>hidden</p><noscript>Turn it on</noscript>
    <textarea>two
  lines  here</textarea><pre>  as
    it is  </pre><template><p>no</p></template><input name=a value="x" onclick='f("a>b")'></body></html>"""
    assert without_noise(page) == (
        "<!DOCTYPE html><html><head><title>T</title>\n</head>\n"
        "<body class=\"b\"><p>Some words\ngo on</p><p style='display : NONE' id=x>hidden</p>\n"
        "<textarea>two\n  lines  here</textarea><pre>  as\n    it is  </pre>"
        '<input name=a value="x"></body></html>'
    )


def test_long_addresses_of_data_are_shortened() -> None:
    short = "data:image/gif;base64,R0lGODlhAQABAAA="
    long = "data:image/png;base64," + "A" * 5000
    assert without_noise(f'<img src="{short}">') == f'<img src="{short}">'
    assert without_noise(f'<img src="{long}" alt=x>') == '<img src="data:image/png;base64,AAAAAAAAAAAAAAAAA…" alt=x>'


def test_lines_are_those_of_the_page_and_long_ones_end_before_a_tag() -> None:
    assert lines_of("<p>a</p>\n\n  <p>b\nc</p>\n") == ("<p>a</p>", "  <p>b", "c</p>")
    long = "".join(f"<td class=cell>{number:03}</td>" for number in range(30))
    lines = lines_of(long)
    # 7 cells of 23 characters are the first to be more than 160.
    assert "".join(lines) == long and len(lines) == 5 and all(line.startswith("<td") for line in lines)
    assert lines_of("<input name='a\nb'>") == ("<input name='a b'>",)
    assert lines_of("") == ()


def test_the_relevant_part_is_the_field_its_label_and_some_lines_around() -> None:
    assert relevant(PAGE, "why", 1).split("\n") == [
        "<p>words 9</p>",
        "<label for=w>Why</label>",
        "<p>more 1</p>",
        "<!-- 7 lines left out -->",
        "<p>more 9</p>",
        "<input name=why id=w>",
        "<p>last 1</p>",
    ]
    assert relevant(PAGE, "other", 0) == "<textarea name='other'>a\nb</textarea>"
    assert relevant(PAGE, "other", 1).split("\n")[0] == "<p>last 9</p>"
    assert relevant(PAGE, "none") == ""
    # 4 + 1 + 4 lines around the label and around the field, and "more 5" between them.
    around = relevant(PAGE, "why").split("\n")
    assert len(around) == 19 and around[9] == "<!-- 1 line left out -->"


def test_noise_around_a_field_does_not_count_as_its_lines() -> None:
    noise = "<script>\n\n1\n2\n</script>\n<!-- x\ny -->\n\n"
    page = f"<p>above</p>\n{noise}<select name=a>\n<option>b\n</select>\n<p>under</p>"
    assert relevant(page, "a", 1) == "<p>above</p>\n<select name=a>\n<option>b\n</select>\n<p>under</p>"


def fitting(length: int, keep: tuple[str, ...] = ("why",)) -> HtmlExcerpt:
    return cut_to(PAGE, lambda text: len(text) <= length, keep)


def test_what_fits_is_not_cut() -> None:
    assert fitting(10_000) == HtmlExcerpt(PAGE, 0, 32)
    noisy = "<script>" + "x" * 5000 + "</script><p>a</p>"
    assert cut_to(noisy, lambda text: len(text) < 100) == HtmlExcerpt("<p>a</p>", 0, 1)


def test_the_field_stays_with_what_is_around_it_and_the_top_as_far_as_it_fits() -> None:
    cut = fitting(400)
    lines = cut.html.split("\n")
    assert lines[:2] == ["<p>Instructions</p>", "<p>words 1</p>"]
    assert "<input name=why id=w>" in lines and "<label for=w>Why</label>" in lines and "<p>last 4</p>" in lines
    assert lines[-1] == "<!-- 7 lines left out -->"
    assert cut.lines == 32 and cut.left_out == sum(map(int, re.findall(r"<!-- (\d+) lines? left", cut.html)))


def test_fewer_lines_around_fields_then_the_first_fields_then_nothing() -> None:
    bare = (
        "<!-- 10 lines left out -->\n<label for=w>Why</label>\n<!-- 9 lines left out -->\n<input name=why id=w>\n"
        "<!-- 11 lines left out -->"
    )
    assert fitting(len(bare)) == HtmlExcerpt(bare, 30, 32)
    one = "<!-- 10 lines left out -->\n<label for=w>Why</label>\n<!-- 21 lines left out -->"
    assert fitting(len(bare) - 1) == HtmlExcerpt(one, 31, 32)
    assert fitting(len(one) - 1) == HtmlExcerpt("", 32, 32)


def test_without_a_field_the_top_stays() -> None:
    assert fitting(60, ()).html == "<p>Instructions</p>\n<!-- 31 lines left out -->"
    assert fitting(60, ("no such field",)).left_out == 31


FIELDS = ("input", "select", "textarea")
PIECES = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "words ", "\n", "  ", "<input name=a>", "<input name=b id=i>", "<label for=i>", "</label>",
         "<textarea name=a>", "</textarea>", "<script>", "</script>", "<!--", "-->", "<style>", "</style>", "<pre>",
         "<", "<select name=b>", "</select>", "é", "<td>" * 30, "\r\n", "<template>", "</template>", '"']
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(PIECES)
def test_any_page_is_read_and_loses_no_field_to_noise(html: str) -> None:
    quiet = without_noise(html)
    tags = [token for token in tokens(quiet) if token.kind == "start"]
    assert not {"script", "style", "template"} & {tag.name for tag in tags}
    assert all(line.strip() for line in lines_of(html))
    for name in "ab":
        there = any(tag.name in FIELDS and quiet[tag.start : tag.end].find(f"name={name}") > 0 for tag in tags)
        assert not there or f"name={name}" in relevant(html, name, 1)


@given(PIECES, st.integers(0, 400))
def test_a_cut_fits_and_is_made_of_the_pages_lines(html: str, length: int) -> None:
    cut = cut_to(html, lambda text: len(text) <= length, ("b", "a"))
    assert len(cut.html) <= length and 0 <= cut.left_out <= cut.lines
