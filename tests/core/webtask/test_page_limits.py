"""Pages of a stranger's: a cell that stands in the page very often is refused, and nothing takes time by the square."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stepscope.core import limits
from stepscope.core.domain.webtask import WebTask
from stepscope.core.errors import SourceError
from stepscope.core.webtask.html_parts import lines_of
from stepscope.core.webtask.rendering import missing_columns, render


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


def task(template: str) -> WebTask:
    return WebTask(
        name="T", title="t", description="", template=template, columns=("a",), fields=(), keywords="", splits=()
    )


def test_a_long_cell_in_many_places_is_refused_with_its_column() -> None:
    limits.choose({"page-bytes": 1_000})
    assert "x" * 900 in render(task("${a}"), {"a": "x" * 900}).html
    with pytest.raises(SourceError, match="larger than 1000 bytes with the cells") as caught:
        render(task("${a}" * 2), {"a": "x" * 900})
    assert caught.value.field == "a" and "--limit-page-bytes" in caught.value.hint


def test_a_tag_of_very_many_variables_takes_no_minutes() -> None:
    template = "<p " + " ".join(f'a{number}="${{a}}"' for number in range(20_000)) + ">"
    assert render(task(template), {"a": "word"}).html.count("word") == 20_000
    handlers = template.replace(" a", " on")
    assert missing_columns(task(handlers), {}) == () and missing_columns(task(template), {}) == ("a",)


def test_beginnings_of_a_question_without_end_take_no_minutes() -> None:
    assert missing_columns(task("<HTMLContent " * 100_000), {}) == ()


def test_one_line_of_very_many_end_tags_takes_no_minutes() -> None:
    assert lines_of("a" + "</b>" * 100_000) == ("a" + "</b>" * 100_000,)
