"""Which tests can reach the real samples: those that ask for them, and no other. The others need not be run without."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
THEIR_OWN = {
    TESTS / "conftest.py",
    TESTS / "core/scoring/test_published_numbers.py",
    TESTS / "soak/__main__.py",
    Path(__file__),
}
"""The fixtures; the test of the papers' numbers, which skips without their texts; and what is no test."""
NAMES = re.compile(r"STEPSCOPE_(REAL_DATA|PAPERS)|shared[\"']?\s*/\s*[\"']?(data|papers)")


def test_no_test_finds_them_by_itself() -> None:
    found = [path for path in TESTS.rglob("*.py") if path not in THEIR_OWN and NAMES.search(path.read_text("utf-8"))]
    assert found == []


def test_whoever_takes_them_where_they_are_is_tried_without_them_too(
    real_data_if_here: Path | None, request: object
) -> None:
    way = request.node.callspec.id  # type: ignore[attr-defined]
    assert (real_data_if_here is None) == (way == "without real samples")
