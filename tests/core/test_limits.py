"""Limits: one table, what a person may write, and how they reach child processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.errors import UsageError


@pytest.fixture(autouse=True)
def usual_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(limits.VARIABLE, raising=False)
    limits.choose({})
    yield
    limits.choose({})


def test_every_limit_has_words_and_a_reason() -> None:
    assert all(row.words and row.reason.endswith(".") and row.value > 0 for row in limits.LIMITS.values())


def test_a_chosen_limit_is_in_force_until_another_choice() -> None:
    usual = limits.limit("json-nodes")
    limits.choose({"json-nodes": 7})
    assert limits.limit("json-nodes") == 7
    limits.choose({})
    assert limits.limit("json-nodes") == usual


def test_child_processes_follow_what_was_chosen() -> None:
    limits.choose({"json-nodes": 7, "page-memory": 1 << 20})
    code = "from core import limits; print(limits.limit('json-nodes'), limits.limit('page-memory'))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["7", str(1 << 20)]


def test_an_unknown_or_senseless_limit_in_the_environment_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "json-nodes=9,nothing=3,file-records=x,page-memory=0,,answer-tokens")
    monkeypatch.setattr(limits, "_chosen", None)
    assert limits.chosen_limits() == {"json-nodes": 9}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("json-bytes", "512MB", 512 << 20),
        ("json-bytes", "1.5 GiB", 3 << 29),
        ("json-bytes", "700", 700),
        ("json-nodes", "10,000,000", 10_000_000),
        ("json-nodes", "2M", 2_000_000),
        ("answer-seconds", "90", 90),
    ],
)
def test_figures_are_read_as_people_write_them(name: str, text: str, value: int) -> None:
    assert limits.parsed_figure(name, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json-bytes", "much"),
        ("json-bytes", "-1"),
        ("json-bytes", "0"),
        ("file-records", "9" * 400),
        ("json-bytes", "9" * 18 + "T"),
        ("json-nodes", "5MB"),
        ("nothing", "5"),
    ],
)
def test_what_is_no_figure_is_refused_with_an_example(name: str, text: str) -> None:
    with pytest.raises(UsageError) as refused:
        limits.parsed_figure(name, text)
    assert refused.value.hint


@given(st.sampled_from(sorted(limits.LIMITS)), st.integers(1, 1 << 50))
def test_what_is_written_is_read_again(name: str, value: int) -> None:
    unit = limits.LIMITS[name].unit
    text = limits.written_figure(unit, value).removesuffix(" s").replace(" bytes", "")
    assert limits.parsed_figure(name, text) == pytest.approx(value, rel=1e-3)


def test_the_hint_can_be_typed_as_it_stands() -> None:
    words = limits.hint("json-bytes")
    option, value = words[words.index("--limit-") :].split()[:2]
    assert option == "--limit-json-bytes" and limits.parsed_figure("json-bytes", value) == 2 * limits.limit(
        "json-bytes"
    )
