"""Sharing pairs out, and changes that are refused where somebody else has been."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services import judging
from stepscope.core.domain.judgement import (
    REFERENCE,
    WHOLE,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    WrittenText,
    pair_of,
)
from stepscope.core.errors import UsageError
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import judgements as judgement_rows

NOON, LATER = datetime(2024, 5, 1, 12, tzinfo=UTC), datetime(2024, 5, 1, 13, tzinfo=UTC)
RUN = TextOrigin(OriginKind.RUN, "r1")


def pair(episode: str):
    return pair_of("data", episode, WHOLE, (REFERENCE, "goal"), (RUN, "answer"))


@given(st.integers(0, 40), st.integers(1, 5), st.integers(0, 50), st.integers(0, 99))
def test_some_pairs_go_to_everybody_and_the_others_to_one_person_each(pairs, people, overlap, seed) -> None:
    names = [f"person {number}" for number in range(people)]
    given_out = judging.share_out([pair(f"e{number}") for number in range(pairs)], names, overlap, seed)
    per_pair = Counter(one.key.episode for one in given_out)
    common, rest = min(overlap, pairs), max(pairs - overlap, 0)
    assert len(per_pair) == pairs, "every pair is somebody's"
    assert Counter(per_pair.values()) == Counter([people] * common + [1] * rest)
    per_person = Counter(one.annotator for one in given_out)
    loads = [per_person[name] for name in names]
    assert max(loads) - min(loads) <= 1
    for name in names:
        places = sorted(one.position for one in given_out if one.annotator == name)
        assert places == list(range(len(places)))


def test_people_are_named_once_and_somebody_has_to_be() -> None:
    assert judging.checked_people([" ana ", "ben  b", "ana", ""]) == ["ana", "ben b"]
    for nobody in ([], [" "], ["a" * 201]):
        with pytest.raises(UsageError):
            judging.checked_people(nobody)


def test_a_change_is_refused_whole_where_somebody_else_has_been() -> None:
    mine = Judgement(pair("e1"), JudgeId("ana"), PairAnswers(True), NOON)
    theirs = Judgement(pair("e1"), JudgeId("ana"), PairAnswers(False), LATER)
    written = WrittenText("data", "e1", WHOLE, "ana", "Mine", NOON)
    with Database.open("sqlite://") as database:
        judging.make(database, judging.JudgingChange(after=(theirs,)))
        with pytest.raises(RuntimeError):
            judging.make(database, judging.JudgingChange(after=(written, mine)), RuntimeError)
        with database.reading() as db:
            assert judgement_rows.of_pairs(db, "data") == [theirs] and judgement_rows.written_of(db, "data") == []
        judging.make(database, judging.JudgingChange((theirs,), (mine,)), RuntimeError)
        undone = judging.make(database, judging.JudgingChange((mine,), (theirs,)), RuntimeError)
        assert undone.before == (mine,)
