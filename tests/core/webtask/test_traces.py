"""Traces of solving that are kept as text and read back."""

from __future__ import annotations

import pytest

from core.webtask.solving import trace_from_json


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 100_000, '{"version": ' + "9" * 4_000 + "}", "[]", "{}"])
def test_nonsense_is_no_trace(text: str) -> None:
    with pytest.raises(ValueError):
        trace_from_json(text)
