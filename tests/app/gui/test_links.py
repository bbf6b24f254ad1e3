"""Links to a step survive every name that data has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.links import Link, parse_link
from core.errors import UsageError

names = st.text(min_size=1).filter(lambda name: name.encode("utf-8", "ignore").decode() == name)


def test_a_link_reads_as_documented() -> None:
    link = Link("AitZ test", "GENERAL/12", 3, ("A", "B"), "aitw")
    assert str(link) == "stepscope://AitZ%20test/GENERAL%2F12/3?runs=A,B&rule=aitw"
    assert parse_link(str(link)) == link
    assert parse_link("stepscope://Sample/clock/0") == Link("Sample", "clock", 0)


@given(names, names, st.integers(0, 10**9))
def test_every_name_comes_back(source: str, episode: str, step: int) -> None:
    link = Link(source, episode, step)
    assert parse_link(str(link)) == link


@pytest.mark.parametrize(
    "text", ["stepscope://", "stepscope://a/b", "stepscope://a/b/x", "http://a/b/1", "stepscope:///b/1"]
)
def test_what_is_no_link_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="no link"):
        parse_link(text)
