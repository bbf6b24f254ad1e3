"""Words of strangers in a terminal: what may not reach it, what must stay, and JSON that means the same."""

from __future__ import annotations

import json
import logging
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stepscope.core.plain_text import PlainFormatter, calm_logs, safe, safe_json, site_of

STEERING = {
    "ESC": "\x1b[31m", "a title for the window": "\x1b]0;title\x07", "a link of the terminal": "\x1b]8;;file:///x\x1b\\",
    "CSI in one character": "\x9b31m", "OSC in one character": "\x9d0;x\x9c", "DEL": "\x7f", "NEL": "\x85", "NUL": "\0",
    "right to left override": "\u202e", "left to right embedding": "\u202a", "isolate": "\u2066", "end of it": "\u2069",
    "right to left mark": "\u200f", "left to right mark": "\u200e", "Arabic letter mark": "\u061c",
    "line separator": "\u2028", "paragraph separator": "\u2029", "zero-width space": "\u200b", "word joiner": "\u2060",
    "byte order mark": "\ufeff", "soft hyphen": "\xad", "Hangul filler": "\u3164", "half of a pair": "\ud800",
    "tag A": "\U000e0041", "cancel tag": "\U000e007f", "hidden selector": "\U000e0100", "joined ASCII": "a\u200db",
    "loose selector": "a\ufe0f", "annotation": "\ufff9", "grapheme joiner": "\u034f",
}  # fmt: skip
KEPT = {
    "Persian": "می\u200cخواهم", "Hindi": "क्\u200dष", "family": "👨\u200d👩\u200d👧", "heart": "❤\ufe0f",
    "kiss": "👩\u200d❤\ufe0f\u200d💋\u200d👨", "keycap": "3\ufe0f\u20e3", "accents": "é e\u0301 ß", "Hebrew": "שלום",
    "no-break space": "a\xa0b", "Chinese": "购物车",
}  # fmt: skip
TEXTS = st.text() | st.text(st.sampled_from('a é\n\t\x1b\x7f\x9b\u200b\u200d\ufe0f\u202e\u2028\ud800\U000e0041"\\👩'))


@pytest.mark.parametrize("words", STEERING.values(), ids=STEERING)
def test_what_steers_or_hides_is_replaced(words: str) -> None:
    assert "\ufffd" in safe(words) and "\ufffd" in safe(words, keep_lines=True)
    kept = set(safe(words))
    assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Mn") for sign in kept)


@pytest.mark.parametrize("words", KEPT.values(), ids=KEPT)
def test_what_writing_needs_stays(words: str) -> None:
    assert safe(words) == words
    assert safe_json(words) == json.dumps(words, ensure_ascii=False)


def test_line_ends_and_tabs_stay_where_they_are_wanted() -> None:
    assert safe("a\tb\nc") == "a\ufffdb\ufffdc"
    assert safe("a\tb\nc\rd", keep_lines=True) == "a\tb\nc\ufffdd"


@given(words=TEXTS)
def test_as_many_characters_come_out_as_go_in_and_again_changes_nothing(words: str) -> None:
    for keep in (False, True):
        shown = safe(words, keep_lines=keep)
        assert len(shown) == len(words)
        assert all(a in (b, "\ufffd") for a, b in zip(shown, words, strict=True))
        assert safe(shown, keep_lines=keep) == shown
        assert not any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t" for sign in shown)


@given(
    document=st.recursive(
        st.none() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
    )
)
@settings(max_examples=max(1, settings().max_examples // 3))
@example(document={"\u200b\ufe0f": "a\ufe0f\u200d漢"})
@example(document={"\u202e\x9b": ["\U000e0041\x7f", "\ud83d"]})
def test_json_means_the_same_and_shows_nothing_that_steers(document: object) -> None:
    for indent in (None, 2):
        text = safe_json(document, indent)
        assert json.loads(text) == document
        assert safe(text, keep_lines=True) == text
        text.encode()


def test_a_log_line_is_plain() -> None:
    record = logging.LogRecord(
        "stepscope", logging.WARNING, "", 0, "%s cannot be read\n\x1b[2J", ("\x9b\u202ename",), None
    )
    assert PlainFormatter("%(message)s").format(record) == "\ufffd\ufffdname cannot be read\n\ufffd[2J"
    calm_logs()
    assert logging.lastResort is not None and isinstance(logging.lastResort.formatter, PlainFormatter)


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://www.shop.com/cart?a=b", "shop.com"),
        ("http://travel.example.org?locale=en-us", "travel.example.org"),
        ("https://a.b#top", "a.b"),
        ("com.google.android.apps.maps", "com.google.android.apps.maps"),
        ("://", "://"),
        ("", ""),
    ],
)
def test_the_site_of_an_address(address: str, site: str) -> None:
    assert site_of(address) == site
