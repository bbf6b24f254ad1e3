"""A run out of a stranger's bundle: what it says of its doings is believed only where it can be."""

from __future__ import annotations

import pytest

from stepscope.app.services.webtask.tasks import filled_by
from stepscope.core.domain.prediction import FieldsAnswer, Prediction

ANSWER = FieldsAnswer((("good", "1"),), ("why",))


@pytest.mark.parametrize("trace", ["[]", "{", '{"version": 1}', '{"version": 1, "log": [{"action": {"do": "eval"}}]}'])
def test_the_answers_are_shown_and_it_is_said_why_the_rest_is_not(trace: str) -> None:
    found = filled_by(Prediction("Task/0", None, ANSWER, trace=trace), None)
    assert (found.values, found.missing, found.trace) == ({"good": "1"}, ("why",), None)
    assert found.trouble.startswith("What was done on this page cannot be read: ")


def test_where_nothing_is_said_nothing_is_wrong() -> None:
    assert filled_by(Prediction("Task/0", None, ANSWER), None).trouble == ""
