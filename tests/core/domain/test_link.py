"""Links to a step survive every name that data has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.link import Link, parse_link
from core.errors import UsageError

names = st.text(min_size=1).filter(lambda name: name.encode("utf-8", "ignore").decode() == name)


def test_a_link_reads_as_documented() -> None:
    link = Link("AitZ test", "GENERAL/12", 3, ("A", "B"), "aitw")
    assert str(link) == "stepscope://AitZ%20test/GENERAL%2F12/3?runs=A,B&rule=aitw"
    assert parse_link(str(link)) == link
    assert parse_link("stepscope://Sample/clock/0") == Link("Sample", "clock", 0)


def test_a_link_may_say_which_runs_had_the_letters() -> None:
    link = Link("shop", "lamp", 0, ("A", "C"), "aitw", ("3f9a", "77c0", "ab12"))
    assert str(link) == "stepscope://shop/lamp/0?runs=A,C&rule=aitw&ids=3f9a,77c0,ab12"
    assert parse_link(str(link)) == link


def test_runs_that_cannot_be_are_passed_over() -> None:
    link = parse_link("stepscope://shop/lamp/0?runs=b,,Z,AB,b&ids=77c0,..%2Fetc,XYZ&rule=no+such&more=1")
    assert (link.runs, link.ids, link.rule) == (("B",), ("77c0",), "no such")


@given(names, names, st.integers(0, 10**9 - 1))
def test_every_name_comes_back(source: str, episode: str, step: int) -> None:
    link = Link(source, episode, step)
    assert parse_link(str(link)) == link


@pytest.mark.parametrize(
    "text",
    [
        "stepscope://",
        "stepscope://a/b",
        "stepscope://a/b/x",
        "http://a/b/1",
        "stepscope:///b/1",
        "stepscope://[/b/1",
        "stepscope://a/b/²",
    ],
)
def test_what_is_no_link_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="no link"):
        parse_link(text)
