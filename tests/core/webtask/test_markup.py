"""HTML cut where a browser cuts it; compared with the standard library's parser on what both read alike."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.webtask.markup import Token, tokens

PIECES = st.sampled_from(
    ["<", ">", "<p", "</p>", "<!--", "-->", "<script>", "</script>", "<style>", "</style>", "<textarea>", "=", "'", '"',
     " a", "=b", "/", "\n", "text", "<!DOCTYPE html>", "<![CDATA[", "]]>", "</", "é", "\0", "<svg>", "&amp;"]
)  # fmt: skip
NAMES = st.text("abcdefg-", min_size=1, max_size=5).map(lambda name: f"x{name}")
VALUES = st.text("abc &<>é\n=/", max_size=8)


def cut(html: str) -> list[tuple[str, str, str]]:
    return [(token.kind, token.name, html[token.start : token.end]) for token in tokens(html)]


@given(st.lists(PIECES, max_size=30).map("".join), st.booleans())
def test_nothing_is_lost_or_read_twice(html: str, raw_texts: bool) -> None:
    found = list(tokens(html, raw_texts=raw_texts))
    assert "".join(html[token.start : token.end] for token in found) == html
    for token in found:
        for one in token.attributes:
            assert token.start < one.start <= one.name_end <= one.value_start <= one.value_end <= one.end <= token.end


@given(st.lists(st.tuples(NAMES, st.dictionaries(NAMES, VALUES, max_size=3), VALUES), max_size=5))
def test_tags_and_attributes_are_those_of_the_standard_library(elements: list[tuple[str, dict[str, str], str]]) -> None:
    def tag(name: str, given: dict[str, str]) -> str:
        return " ".join((f"<{name}", *(f'{key}="{value}"' for key, value in given.items()))) + ">"

    html = "".join(tag(name, given) + text.replace("<", "") + f"</{name}>" for name, given, text in elements)
    theirs: list[tuple[str, list[str]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            theirs.append((tag, [key for key, _ in attrs]))

    Reader().feed(html)
    ours = [(token.name, [one.name for one in token.attributes]) for token in tokens(html) if token.kind == "start"]
    assert ours == theirs == [(name, list(given)) for name, given, _ in elements]


def test_values_with_and_without_quotes() -> None:
    html = '<input NAME=a value=\'b "c\' checked data-x = "d>e"/disabled>'
    (tag,) = tokens(html)
    assert [(one.name, html[one.value_start : one.value_end]) for one in tag.attributes] == [
        ("name", "a"),
        ("value", 'b "c'),
        ("checked", ""),
        ("data-x", "d>e"),
        ("disabled", ""),
    ]
    assert tag.attribute("value") == tag.attributes[1] and tag.attribute("none") is None


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<script>if (a < b) '</p>'</script>x", ["<script>", "if (a < b) '</p>'", "</script>", "x"]),
        (
            "<script><!-- <script> </script> --></script>x",
            ["<script>", "<!-- <script> </script> -->", "</script>", "x"],
        ),
        ("<script><!--> <script> </script>x", ["<script>", "<!--> <script> ", "</script>", "x"]),
        ("<textarea><b></textareas></TEXTAREA >", ["<textarea>", "<b></textareas>", "</TEXTAREA >"]),
        ("<!--><p>--><!-- a --!><b>", ["<!-->", "<p>", "-->", "<!-- a --!>", "<b>"]),
        ("a < b</><?x?></ 1>", ["a < b", "</>", "<?x?>", "</ 1>"]),
        ("<p title='a", ["<p title='a"]),
        ("<style>a</style", ["<style>", "a</style"]),
        ("<plaintext><b></plaintext>", ["<plaintext>", "<b></plaintext>"]),
        ("<![CDATA[ a > b ]]>", ["<![CDATA[ a >", " b ]]>"]),
    ],
)
def test_where_the_html_standard_cuts(html: str, expected: list[str]) -> None:
    assert [text for _, _, text in cut(html)] == expected


def test_a_tag_that_never_ends_is_told() -> None:
    found: list[Token] = list(tokens("<p>a<b class='"))
    assert [token.closed for token in found] == [True, True, False]
