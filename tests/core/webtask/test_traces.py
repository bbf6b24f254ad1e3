"""Traces of solving that are kept as text and read back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.webtask.actions import Click, ModifyCheckbox
from stepscope.core.webtask.exchange import Exchange
from stepscope.core.webtask.page import BlockedRequest, ExecutedCall
from stepscope.core.webtask.solving import Trace, trace_from_json, trace_to_json

WHOLE = Trace(
    (
        ExecutedCall(ModifyCheckbox("sort", ("a", "b")), 0.5, 0.1, said="2 of 4 ticked"),
        ExecutedCall(Click(3, 4.5), 1, 0.2, False),
    ),
    {"sort": ""},
    {"sort": "a|b"},
    ("gone",),
    (Exchange("text", tokens_in=7), Exchange("more", ms=3.5)),
    (BlockedRequest("https://a.b/c", "image", "a.b", 2),),
    ("hello",),
    2.0,
)
FORM: dict[str, Any] = json.loads(trace_to_json(WHOLE))


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 100_000, '{"version": ' + "9" * 4_000 + "}", "[]", "{}"])
def test_nonsense_is_no_trace(text: str) -> None:
    with pytest.raises(ValueError):
        trace_from_json(text)


def test_what_is_kept_comes_back() -> None:
    assert trace_from_json(trace_to_json(WHOLE)) == WHOLE


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("seconds",), "2"), (("seconds",), 10**30), (("loaded",), ["a"]), (("left", "sort"), 5),
        (("missing",), "gone"), (("missing",), [{}]), (("dialogs",), [None]), (("log",), {"a": 1}),
        (("log", 0), "click"), (("log", 0, "ok"), 1), (("log", 0, "at"), True), (("log", 0, "raw"), None),
        (("log", 0, "more"), 1), (("log", 0, "action", "do"), "eval"), (("log", 0, "action", "field"), 7),
        (("log", 0, "action", "values"), "ab"), (("log", 1, "action", "x"), "3"),
        (("log", 1, "action", "y"), 10**30), (("exchanges", 0, "tokens_in"), 1.5),
        (("exchanges", 0, "output"), []), (("blocked", 0, "times"), "2"), (("blocked", 0, "url"), 3),
        (("version",), "1"), (("version",), 2),
    ],
)  # fmt: skip
def test_a_part_of_another_kind_is_no_trace(path: tuple[str | int, ...], value: object) -> None:
    form = json.loads(json.dumps(FORM))
    place = form
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    with pytest.raises(ValueError):
        trace_from_json(json.dumps(form))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data())
def test_any_forged_part_is_refused_or_of_its_kind(data: st.DataObject) -> None:
    """Whatever is taken can be written again, which takes each part for what it is said to be."""
    form = json.loads(json.dumps(FORM))
    place: Any = form
    for _ in range(data.draw(st.integers(1, 4))):
        keys = sorted(place) if isinstance(place, dict) else range(len(place)) if isinstance(place, list) else ()
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        holder, place = place, place[key]
    holder[key] = data.draw(JSON)
    try:
        trace = trace_from_json(json.dumps(form))
    except ValueError:
        return
    assert trace_from_json(trace_to_json(trace)) == trace
    assert all(type(one.said) is str and type(one.ok) is bool for one in trace.log)
