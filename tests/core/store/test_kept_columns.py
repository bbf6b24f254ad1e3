"""Columns kept as files beside a store: what is read out of them is what the store says, whatever became of either."""

import os
import shutil
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.settings import store_url
from stepscope.core.store import column_files, columns, index_columns, kept_columns, run_items
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.filter_search import FilterInputs, find
from stepscope.core.store.kept_columns import joined, kept, separated, source_state
from stepscope.core.store.repositories import outcomes, runs, sources


@pytest.fixture(autouse=True)
def everything_is_kept(monkeypatch):
    """However small it is, and written in this moment."""
    monkeypatch.setattr(kept_columns, "LEAST_BYTES", 0)
    monkeypatch.setattr(kept_columns, "SETTLED_SECONDS", 0)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """The file of an empty store, which is made once."""
    file = tmp_path_factory.mktemp("empty") / "s.db"
    Database.open(store_url(file)).close()
    return file


@pytest.fixture
def store(tmp_path, empty, two_runs_in):
    """A store in a file, its source and its two runs."""
    shutil.copy(empty, tmp_path)
    with Database.open(store_url(tmp_path / "s.db")) as database:
        with database.unit_of_work() as db:
            both = [episode("e1", "red", "blue", "red"), episode("e3", "blue", "x", "Straße")]
            source = sources.replace_index(db, "data", "motif", "f", both).id
        yield database, source, two_runs_in(database)
        written()


def episode(name, *texts):
    steps = tuple(StepSummary(n, "tap", target=text, texts=(text, "everywhere")) for n, text in enumerate(texts))
    return EpisodeSummary(name, f"Goal of {name}", "shop", Platform.WEB, len(steps), 0, (("tap", 1),), details=steps)


def written():
    """All files are there."""
    for thread in threading.enumerate():
        if thread.name == "keep columns":
            thread.join()


def files(database):
    return sorted(column_files.columns_folder(database._engine.url).glob("*"))


@contextmanager
def nothing_read():
    """Columns come out of files alone."""

    def refuse(*_):
        raise AssertionError("read out of the store")

    with pytest.MonkeyPatch.context() as patch:
        for module in (index_columns, run_items):
            for name in ("all_texts", "all_numbers", "fetched_columns"):
                patch.setattr(module, name, refuse)
        patch.setattr(columns, "_reader", refuse)
        yield


def ask(database, source, *texts, run=None):
    """What a program that was just started finds for each filter: ids, and every step that was meant."""
    with Database.open(database._engine.url.render_as_string()) as mine, mine.reading() as db:
        every = [find(db, source, parse(text), inputs=FilterInputs({"A": run} if run else {})) for text in texts]
        found = [(one.ids, list(one.hits())) for one in every]
    written()
    return found


QUESTIONS = ("text:red", "everywhere | target:blue", "goal:e3", "action:tap", "typed:/x/", "steps>0", "app:shop",
             "wrong:A", "conf:A<0.5", "text:e -target:STRASSE")  # fmt: skip


def test_filters_find_the_same_in_files_as_in_the_store(store):
    database, source, ids = store
    first = ask(database, source, *QUESTIONS, run=ids["A"])
    assert first[0] == (["e1"], [("e1", 0), ("e1", 2)])
    assert first[7] == (["e1", "e3"], [("e1", 1), ("e3", 0)])
    with nothing_read():
        assert ask(database, source, *QUESTIONS, run=ids["A"]) == first


def test_results_are_the_same(store):
    database, _, ids = store
    first = load_columns(database, ids["A"], index=False)
    parts = first.part("distance"), first.latency
    written()
    with nothing_read():
        again = load_columns(database, ids["A"], index=False)
        np.testing.assert_array_equal((again.part("distance"), again.latency), parts)
    for name, value in vars(first).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(again, name), value)
            assert getattr(again, name).dtype == value.dtype
    assert (again.episodes, again.kinds, again.scoring_id) == (first.episodes, first.kinds, first.scoring_id)


word = st.text(st.sampled_from("aBß é\n"), min_size=1, max_size=4)


@settings(max_examples=8, deadline=None)
@given(before=st.lists(word, max_size=4), after=st.lists(word, max_size=3), wanted=word)
def test_what_is_kept_is_what_the_store_has_now(empty, tmp_path_factory, before, after, wanted):
    file = shutil.copy(empty, tmp_path_factory.mktemp("changed"))

    def expected(words):
        return [f"e{n}" for n, one in enumerate(words) if wanted.casefold() in one.casefold()]

    def found():
        return ask(database, source, f'text:"{wanted}"')[0][0]

    with Database.open(store_url(Path(file))) as database:
        with database.unit_of_work() as db:
            episodes = [episode(f"e{n}", one) for n, one in enumerate(before)]
            source = sources.replace_index(db, "data", "motif", "f", episodes).id
        ask(database, source, "text:everywhere")
        with nothing_read():
            assert found() == expected(before)
        with database.unit_of_work() as db:
            more = [episode(f"e{len(before) + n}", one) for n, one in enumerate(after)]
            sources.add_index(db, source, len(before), more)
        assert found() == expected([*before, *after])
        with nothing_read():
            assert found() == expected([*before, *after])


values = st.one_of(
    st.lists(st.integers(-(2**31), 2**31 - 1)).map(lambda of: np.array(of, np.int32)),
    st.lists(st.floats()).map(np.array).map(lambda of: of.astype(np.float64)),
    st.lists(st.booleans()).map(lambda of: np.array(of, np.bool_)),
    st.lists(st.integers(-3, 3)).map(lambda of: np.array(of, np.int16)),
    st.binary(),
)


@given(of=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), values, min_size=1, max_size=5))
def test_a_file_gives_back_what_was_written(tmp_path_factory, of):
    file = tmp_path_factory.getbasetemp() / "round.arrow"
    with file.open("wb") as stream:
        kept_columns._write(stream, "now", of)
    found = kept_columns._loaded(file, "now")
    assert found.keys() == of.keys()
    for name, value in of.items():
        np.testing.assert_array_equal(found[name], value)
        assert isinstance(value, bytes) or found[name].dtype == value.dtype
    assert kept_columns._loaded(file, "then") is None


@given(st.lists(st.text(st.characters(exclude_characters="\0"))))
def test_joined_texts_are_separated(texts):
    assert separated(joined(texts)) == texts


@pytest.fixture
def kept_numbers(store):
    """Asks for columns of the source that are the store's, or `made` anew."""
    database, source, _ = store
    made = []

    def numbers():
        def make():
            made.append(1)
            return {"n": np.arange(5_000), "word": b"more"}

        with database.reading() as db:
            found = kept(db, source_state(db, source), "numbers", make)
        written()
        assert found["n"].tolist() == list(range(5_000))
        return len(made)

    return numbers, database


@pytest.mark.parametrize("harm", ["cut", "cut short", "empty", "no Arrow", "one bit", "one letter"])
def test_a_file_that_is_broken_is_made_anew(kept_numbers, harm):
    numbers, database = kept_numbers
    assert (numbers(), numbers()) == (1, 1)
    (file,) = files(database)
    whole = file.read_bytes()
    at = {"one bit": whole.index(np.arange(4_000, 4_010).tobytes()), "one letter": whole.index(b"more")}.get(harm, 0)
    turned = bytearray(whole)
    turned[at] ^= 4
    broken = {"cut": whole[:-1], "cut short": whole[:200], "empty": b"", "no Arrow": b"x" * len(whole)}
    file.unlink()  # a file that is mapped is not written over
    file.write_bytes(broken.get(harm, bytes(turned)))
    assert (numbers(), numbers()) == (2, 2)
    assert file.read_bytes() == whole


def test_files_may_be_deleted_at_any_time(kept_numbers):
    numbers, database = kept_numbers
    numbers()
    for file in files(database):
        file.unlink()
    column_files.columns_folder(database._engine.url).rmdir()
    assert (numbers(), numbers()) == (2, 2)


def test_files_of_what_is_gone_go_too(store):
    database, source, ids = store

    def things():
        return {file.name.rsplit("-", 2)[0] for file in files(database)}

    for run in ids.values():
        ask(database, source, "wrong:A", run=run)
    scorings = [f"scoring-{load_columns(database, run, index=False).scoring_id}" for run in ids.values()]
    written()
    assert things() == {f"source-{source}", *scorings}
    with database.unit_of_work() as db:
        runs.remove(db, ids["A"])
    assert things() == {f"source-{source}", scorings[1]}
    with database.unit_of_work() as db:
        sources.forget(db, source)
    assert things() == {scorings[1]}


def test_a_deletion_that_is_taken_back_deletes_no_file(store):
    database, source, _ = store
    ask(database, source, "text:red")
    before = files(database)
    with pytest.raises(KeyboardInterrupt), database.unit_of_work() as db:
        sources.forget(db, source)
        raise KeyboardInterrupt
    assert files(database) == before != []


def test_an_older_state_and_drafts_that_were_left_behind_are_swept(store):
    database, source, _ = store
    ask(database, source, "text:red")
    folder = column_files.columns_folder(database._engine.url)
    before = set(files(database))
    old, new = folder / ".source-1-x.arrow.1.partial", folder / ".source-1-x.arrow.2.partial"
    old.write_bytes(b"x")
    new.write_bytes(b"x")
    os.utime(old, (time.time() - 200_000,) * 2)
    with database.unit_of_work() as db:
        sources.add_index(db, source, 2, [episode("e4", "red")])
    assert ask(database, source, "text:red")[0][0] == ["e1", "e4"]
    left = set(files(database))
    assert new in left
    assert not left & {old, *before}


def test_the_oldest_go_where_all_are_too_large(kept_numbers, monkeypatch):
    numbers, database = kept_numbers
    numbers()
    (file,) = files(database)
    older = file.with_name("source-1-0-0.arrow")
    older.write_bytes(b"x" * 60_000)
    os.utime(older, (1, 1))
    file.unlink()
    monkeypatch.setattr(column_files, "clean", lambda *_: None)
    monkeypatch.setattr(kept_columns, "limit", {"kept-columns-bytes": 90_000, "disk-kept-free": 0}.__getitem__)
    numbers()
    assert files(database) == [file]


def test_nothing_is_kept_of_what_is_small_in_motion_or_in_memory(store, monkeypatch):
    database, source, _ = store
    monkeypatch.setattr(kept_columns, "LEAST_BYTES", 1 << 20)
    ask(database, source, "text:red")
    monkeypatch.setattr(kept_columns, "LEAST_BYTES", 0)
    monkeypatch.setattr(kept_columns, "SETTLED_SECONDS", 600)
    ask(database, source, "text:red")
    assert not files(database)
    with Database.open("sqlite://") as in_memory:
        assert column_files.columns_folder(in_memory._engine.url) is None


def test_scores_that_change_are_read_anew(store, make_outcome):
    database, _, ids = store
    assert load_columns(database, ids["B"], index=False).n == 3
    written()
    with database.unit_of_work() as db:
        own = load_columns(database, ids["B"], index=False).scoring_id
        outcomes.add_many(db, ids["B"], own, [make_outcome("e3", 0, 1)])
    assert load_columns(database, ids["B"], index=False).n == 4
