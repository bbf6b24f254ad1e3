"""An index has one owner, counts when it is whole, and lets nobody see or write what is not."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select, update

from stepscope.core.domain.filter_parser import parse
from stepscope.core.errors import UsageError
from stepscope.core.store import queries
from stepscope.core.store.filter_search import find
from stepscope.core.store.repositories import index_claims, sources
from stepscope.core.store.repositories.index_claims import IndexClaimLostError
from stepscope.core.store.tables import EpisodeRow, SourceRow, StepTextRow
from stepscope.core.store.worker import WorkerClaim

PATH = "data/phones"


@pytest.fixture
def owner():
    return WorkerClaim("here", 7, "a start", "owner's claim", "machine")


def begin(database, worker, path=PATH):
    with database.unit_of_work() as db:
        return sources.begin_index(db, path, "motif", worker)


def add(database, source_id, start, entries, claim=""):
    with database.unit_of_work() as db:
        return sources.add_index(db, source_id, start, entries, claim)


def test_an_index_is_found_when_it_is_whole(database, summaries, owner):
    made = begin(database, owner)
    add(database, made, 0, summaries[:2], owner.claim)
    with database.reading() as db:
        assert sources.find(db, PATH) is None
        assert sources.all_sources(db) == []
        assert queries.matching(db, made) == ["e1", "e2"]  # whoever makes it sees what there is
    with database.unit_of_work() as db:
        sources.add_index(db, made, 2, summaries[2:], owner.claim)
        whole = sources.finish_index(db, made, "f", owner.claim)
    with database.reading() as db:
        assert (whole.id, whole.path, whole.episodes) == (made, PATH, 3)
        assert sources.find(db, PATH) == whole
        assert sources.all_sources(db) == [whole]


def test_others_see_who_makes_it_and_how_far_it_is(database, summaries, owner):
    made = begin(database, owner)
    with database.reading() as db:
        first = index_claims.making(db, PATH)
        assert (first.source_id, first.worker, first.episodes) == (made, owner, 0)
    add(database, made, 0, summaries[:2], owner.claim)
    with database.reading() as db:
        then = index_claims.making(db, PATH)
        assert (then.episodes, then.problems, then.beat > first.beat) == (2, 1, True)
        assert index_claims.making(db, "data/other") is None


def test_a_sign_of_life_is_another_number_each_time(database, owner):
    made = begin(database, owner)
    seen = set()
    for _ in range(3):
        with database.unit_of_work() as db:
            index_claims.beat(db, made, owner.claim)
            seen.add(index_claims.making(db, PATH).beat)
    assert len(seen) == 3


def test_who_was_taken_over_cannot_write(database, summaries, owner):
    stale = begin(database, owner)
    add(database, stale, 0, summaries[:1], owner.claim)
    other = replace(owner, claim="other's claim")
    made = begin(database, other)
    assert made != stale
    for write in (
        lambda db: sources.add_index(db, stale, 1, summaries[1:], owner.claim),
        lambda db: sources.add_index(db, made, 1, summaries[1:], owner.claim),
        lambda db: sources.finish_index(db, stale, "f", owner.claim),
        lambda db: index_claims.beat(db, stale, owner.claim),
    ):
        with pytest.raises(IndexClaimLostError, match="read anew by another program"), database.unit_of_work() as db:
            write(db)
    with database.unit_of_work() as db:
        index_claims.release(db, made, owner.claim)
    add(database, made, 0, summaries, other.claim)
    with database.unit_of_work() as db:
        assert sources.finish_index(db, made, "f", other.claim).episodes == 3


def test_what_was_given_up_is_nobodys_and_no_whole(database, summaries, owner):
    made = begin(database, owner)
    add(database, made, 0, summaries[:1], owner.claim)
    with database.unit_of_work() as db:
        index_claims.release(db, made, owner.claim)
    with database.reading() as db:
        assert index_claims.making(db, PATH) is None
        assert queries.matching(db, made) == ["e1"]
        with pytest.raises(UsageError, match="reading stopped behind 1 episode"):
            index_claims.check_whole(db, made)


def test_the_old_index_stands_until_the_new_one_is_whole_and_then_a_day(database, source_id, summaries, owner):
    made = begin(database, owner)
    add(database, made, 0, summaries[:1], owner.claim)
    with database.reading() as db:
        assert sources.find(db, PATH).id == source_id
        assert find(db, source_id, parse("steps>3")).ids == ["e1", "e3"]
    with database.unit_of_work() as db:
        sources.finish_index(db, made, "f2", owner.claim)
    with database.unit_of_work() as db:
        assert sources.find(db, PATH).id == made
        assert queries.matching(db, source_id) == ["e1", "e2", "e3"]  # for who is using it
        index_claims.check_whole(db, source_id)
        assert not index_claims.sweep(db)
        db.execute(update(SourceRow).where(SourceRow.id == source_id).values(changed=0))
        while index_claims.sweep(db):
            pass
        assert queries.matching(db, source_id) == []
        assert queries.matching(db, made) == ["e1"]
        with pytest.raises(UsageError, match="read anew by another program"):
            index_claims.check_whole(db, source_id)


def test_only_the_last_of_several_that_were_replaced_is_kept(database, source_id, summaries):
    with database.unit_of_work() as db:
        second = sources.replace_index(db, PATH, "motif", "f2", summaries[:2]).id
        third = sources.replace_index(db, PATH, "motif", "f3", summaries[:1]).id
        while index_claims.sweep(db):
            pass
        assert [sources.get(db, one) is not None for one in (source_id, second, third)] == [False, True, True]


def test_sweeping_takes_everything_in_pieces(database, source_id, summaries, monkeypatch):
    monkeypatch.setattr(index_claims, "SWEPT_ROWS", 2)
    with database.unit_of_work() as db:
        db.execute(update(SourceRow).values(path=f"{PATH}{index_claims.REPLACED}{source_id}", changed=0))
        rounds = 0
        while index_claims.sweep(db):
            rounds += 1
        assert rounds >= 3
        for table in (SourceRow, EpisodeRow, StepTextRow):
            assert db.scalar(select(func.count()).select_from(table)) == 0


def test_a_run_is_refused_on_what_is_not_whole_and_told_who_is_at_it(database, summaries, owner):
    made = begin(database, owner)
    add(database, made, 0, summaries[:2], owner.claim)
    with database.reading() as db:
        with pytest.raises(UsageError) as told:
            index_claims.check_whole(db, made)
        assert str(told.value) == (
            "data/phones: This data is still being read, by process 7 on here: 2 episodes so far. "
            "Wait until it has been read to its end, then start again."
        )
        with pytest.raises(UsageError, match="still being read"):
            index_claims.check_none_unfinished(db, PATH)
        index_claims.check_none_unfinished(db, "data/other")


def test_completing_has_an_owner_too(database, source_id, summaries, owner):
    with database.unit_of_work() as db:
        index_claims.claim(db, source_id, owner)
    with database.reading() as db:
        assert index_claims.completing(db, source_id).worker == owner
    with pytest.raises(IndexClaimLostError), database.unit_of_work() as db:
        sources.update_index(db, source_id, summaries[:1], "another's claim")
    with database.unit_of_work() as db:
        sources.update_index(db, source_id, summaries[:1], owner.claim)
        sources.replace_index(db, PATH, "motif", "f2", summaries)
    for write in (
        lambda db: sources.update_index(db, source_id, summaries[:1], owner.claim),
        lambda db: index_claims.claim(db, source_id, owner),
    ):
        with pytest.raises(IndexClaimLostError), database.unit_of_work() as db:
            write(db)


def test_paths_of_data_are_told_from_those_of_its_other_indexes():
    for path in ("/data/a", "//host/a", "/data/a#procedures", "relative"):
        for beside in (path, f"{path}{index_claims.MAKING}", f"{path}{index_claims.REPLACED}12"):
            assert index_claims.data_path(beside) == path
