"""Links to a step survive every name that data has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.link import LONGEST, DeepLink, parse_link
from stepscope.core.errors import UsageError
from stepscope.core.plain_text import safe

names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=300)


def test_a_link_reads_as_documented() -> None:
    link = DeepLink("AitZ test", "GENERAL/12", 3, ("A", "B"), "aitw")
    assert str(link) == "stepscope://AitZ%20test/GENERAL%2F12/3?runs=A,B&rule=aitw"
    assert parse_link(str(link)) == link
    assert parse_link("stepscope://Sample/clock/0") == DeepLink("Sample", "clock", 0)


def test_a_link_may_say_which_runs_had_the_letters() -> None:
    link = DeepLink("shop", "lamp", 0, ("A", "C"), "aitw", ("3f9a", "77c0", "ab12"))
    assert str(link) == "stepscope://shop/lamp/0?runs=A,C&rule=aitw&ids=3f9a,77c0,ab12"
    assert parse_link(str(link)) == link


def test_runs_that_cannot_be_are_passed_over() -> None:
    link = parse_link("stepscope://shop/lamp/0?runs=b,,Z,AB,b&ids=77c0,..%2Fetc,XYZ&rule=no+such&more=1")
    assert (link.runs, link.ids, link.rule) == (("B",), ("77c0",), "no such")


@given(names, names, st.integers(0, 10**9 - 1))
def test_every_name_comes_back(source: str, episode: str, step: int) -> None:
    link = DeepLink(source, episode, step)
    assert parse_link(str(link)) == link


@pytest.mark.parametrize(
    "text",
    [
        "stepscope://",
        "stepscope://a/b",
        "stepscope://a/b/x",
        "http://a/b/1",
        "stepscope:///b/1",
        "stepscope://a/b/²",
    ],
)
def test_what_is_no_link_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="no link"):
        parse_link(text)


NO_LINK = {
    "empty": "", "blank": " ", "scheme alone": "stepscope:", "one slash": "stepscope:/a/b/1",
    "no slashes": "stepscope:a/b/1", "other scheme": "http://a/b/1", "file": "file:///etc/passwd",
    "nested": "stepscope:stepscope://a/b/1", "upper case": "STEPSCOPE://a/b/1", "blank before": " stepscope://a/b/1",
    "line before": "\nstepscope://a/b/1", "option": "stepscope:--store=x", "bare option": "--store=sqlite:///x",
    "script": "javascript:alert(1)", "no episode": "stepscope://a", "no step": "stepscope://a/b",
    "empty step": "stepscope://a/b/", "empty source": "stepscope:///b/1", "empty episode": "stepscope://a//1",
    "empty all": "stepscope:////", "more parts": "stepscope://a/b/c/1", "slash behind": "stepscope://a/b/1/",
    "bare path": "stepscope:///etc/passwd/1", "bare parents": "stepscope://../../etc/passwd/1",
    "slashes turned": "stepscope:\\\\host\\share/1", "bare UNC": "stepscope:////host/share/1",
    "negative": "stepscope://a/b/-1", "plus": "stepscope://a/b/+1", "fraction": "stepscope://a/b/1.5",
    "power": "stepscope://a/b/1e3", "hexadecimal": "stepscope://a/b/0x1", "other digits": "stepscope://a/b/²",
    "Arabic digits": "stepscope://a/b/١", "quoted digits": "stepscope://a/b/%31",
    "ten digits": "stepscope://a/b/1000000000", "many digits": f"stepscope://a/b/{'9' * 5000}",
    "blank step": "stepscope://a/b/ 1", "line end": "stepscope://a/b/1\n", "fragment": "stepscope://a/b/1#x",
    "NUL in source": "stepscope://a%00b/b/1", "bare NUL": "stepscope://a\0b/b/1", "NUL as episode": "stepscope://a/%00/1",
    "NUL in rule": "stepscope://a/b/1?rule=%00", "NUL in step": "stepscope://a/b/1%00",
    "half a pair": "stepscope://a\udc80/b/1", "half in rule": "stepscope://a/b/1?rule=\udfff",
    "very long": f"stepscope://a/{'b' * LONGEST}/1", "long query": f"stepscope://a/b/1?ids={'abcd,' * LONGEST}",
    "many fields": f"stepscope://a/b/1?{'x&' * LONGEST}", "ESC": "\x1b[2Jstepscope://a/b/1",
}  # fmt: skip


@pytest.mark.parametrize("text", NO_LINK.values(), ids=NO_LINK)
def test_none_of_these_is_a_link_and_the_message_stays_short_and_plain(text: str) -> None:
    with pytest.raises(UsageError, match="no link") as told:
        parse_link(text)
    assert len(str(told.value)) < 250 and safe(told.value.place) == told.value.place


AS_NAMES = {
    "a quoted path": ("stepscope://%2Fetc%2Fpasswd/b/1", DeepLink("/etc/passwd", "b", 1)),
    "quoted parents": ("stepscope://..%2F..%2Fetc/%2E%2E/1", DeepLink("../../etc", "..", 1)),
    "parents": ("stepscope://../../1", DeepLink("..", "..", 1)),
    "a file's address": ("stepscope://file%3A%2F%2F%2Fetc/b/1", DeepLink("file:///etc", "b", 1)),
    "UNC": ("stepscope://%5C%5Chost%5Cshare/b/1", DeepLink("\\\\host\\share", "b", 1)),
    "an option": ("stepscope://--store=x/--set/1", DeepLink("--store=x", "--set", 1)),
    "user and port": ("stepscope://me@host:80/b/1", DeepLink("me@host:80", "b", 1)),
    "quoted twice": ("stepscope://%252e%252e/b/1", DeepLink("%2e%2e", "b", 1)),
    "a bad quote": ("stepscope://%zz/%/1", DeepLink("%zz", "%", 1)),
    "broken UTF-8": ("stepscope://%ff%fe/%ED%A0%80/1", DeepLink("\ufffd\ufffd", "\ufffd\ufffd\ufffd", 1)),
    "markup": ("stepscope://%3Cimg%20src=x%3E/b/1", DeepLink("<img src=x>", "b", 1)),
    "a bracket": ("stepscope://[/b/1", DeepLink("[", "b", 1)),
    "home": ("stepscope://~root/b/1", DeepLink("~root", "b", 1)),
    "SQL": ("stepscope://a'%3B%20drop%20table%20runs%3B--/b/1", DeepLink("a'; drop table runs;--", "b", 1)),
    "a filter": ("stepscope://a/goal%3A%22x%22/1", DeepLink("a", 'goal:"x"', 1)),
    "ESC": ("stepscope://%1b%5b2J/b/1", DeepLink("\x1b[2J", "b", 1)),
    "a line end": ("stepscope://a%0Ab/b/1", DeepLink("a\nb", "b", 1)),
    "right to left": ("stepscope://%E2%80%AEa/b/1", DeepLink("\u202ea", "b", 1)),
    "unknown letters": ("stepscope://a/b/1?runs=Z,%00,AA,%2F", DeepLink("a", "b", 1)),
    "all letters twice": ("stepscope://a/b/1?runs=" + "A,B,C,D,E,F,G,H," * 2, DeepLink("a", "b", 1, tuple("ABCDEFGH"))),
    "letters between that no run has": (
        "stepscope://a/b/1?ids=,abcd,,no,77c0,",
        DeepLink("a", "b", 1, ids=("", "abcd", "", "", "77c0")),
    ),
    "one id often": ("stepscope://a/b/1?ids=abcd,abcd,abcd", DeepLink("a", "b", 1, ids=("abcd",))),
    "ids that are paths": ("stepscope://a/b/1?ids=..%2F..,abcg,abc,ABCD,%00abcd", DeepLink("a", "b", 1)),
    "more ids than letters": (
        f"stepscope://a/b/1?ids={','.join(f'{place:04x}' for place in range(1000))}",
        DeepLink("a", "b", 1, ids=tuple(f"{place:04x}" for place in range(8))),
    ),
    "a field twice": ("stepscope://a/b/1?rule=x&rule=y&runs=A&runs=B", DeepLink("a", "b", 1, ("A",), "x")),
    "a rule that is a path": ("stepscope://a/b/1?rule=..%2Fx", DeepLink("a", "b", 1, rule="../x")),
    "a fragment behind": ("stepscope://a/b/1?runs=A#x", DeepLink("a", "b", 1, ("A",))),
    "unknown fields": ("stepscope://a/b/1?store=x&path=/etc&open=1", DeepLink("a", "b", 1)),
}


@pytest.mark.parametrize(("text", "link"), AS_NAMES.values(), ids=AS_NAMES)
def test_all_that_a_link_says_is_a_name(text: str, link: DeepLink) -> None:
    """Nothing of it is a place on the disk; whether such data is known is asked of the store."""
    assert parse_link(text) == link


def test_a_name_that_no_link_can_say_can_be_copied() -> None:
    assert str(DeepLink("shop", "\ud800", 0)) == "stepscope://shop/%3F/0"


@given(st.text(max_size=80) | st.text("stepcope:/?&=#%.,0123456789abAB\0\n\u202e\ud800", max_size=80))
def test_whatever_is_written_is_a_link_or_is_none(text: str) -> None:
    for written in (text, f"stepscope://{text}", f"stepscope://a/b/1?{text}"):
        try:
            link = parse_link(written)
        except UsageError:
            continue
        assert parse_link(str(link)) == link
