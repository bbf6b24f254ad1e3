"""Filtering by the causes of errors, which somebody else has worked out."""

import pytest

from stepscope.core.domain.error_cause import ErrorCause
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.store.filter_search import FilterInputs, find


@pytest.fixture
def hits(stocked):
    def found(text, causes):
        with stocked.database.reading() as db:
            inputs = FilterInputs(stocked.runs, causes=causes)
            return list(find(db, stocked.source_id, parse(text), inputs=inputs).hits())

    return found


def test_steps_are_found_by_the_causes_of_errors(stocked, hits):
    a = stocked.runs["A"]
    wrong = hits("wrong:A", {})
    assert len(wrong) >= 2
    causes = {a: {place: ErrorCause.ROW if number == 0 else ErrorCause.FAR for number, place in enumerate(wrong)}}
    assert hits("cause:row", causes) == hits("wrong:A cause:ROW", causes) == wrong[:1]
    assert hits("cause:far", causes) == wrong[1:]
    assert hits("cause:row,far", causes) == wrong
    assert hits("cause:near", causes) == hits("right:A cause:row", causes) == []
    assert set(wrong[1:]) <= set(hits("wrong:A -cause:row", causes))
    assert hits("cause:row", {a: {("gone", 0): ErrorCause.ROW}}) == [], "of an episode that is not here"


def test_what_cannot_be_looked_up_is_told(stocked, hits):
    with pytest.raises(FilterError, match="not worked out yet"):
        hits("cause:row", {})
    with pytest.raises(FilterError, match="no cause “rwo”") as told:
        hits("cause:rwo", {stocked.runs["A"]: {}})
    assert told.value.suggestion == "row"
