"""What is kept in memory for filters: true after whoever wrote, and safe to use from several threads."""

import threading

from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.filter_search import find
from stepscope.core.store.repositories import sources


def episode(name, text):
    steps = (StepSummary(0, "tap", texts=(text,)),)
    return EpisodeSummary(name, "", None, Platform.WEB, 1, 0, (("tap", 1),), details=steps)


def ids(database, source, text):
    with database.reading() as db:
        return find(db, source, parse(text)).ids


def test_what_another_program_writes_is_found_at_once(tmp_path):
    url = store_url(tmp_path / "s.db")
    with Database.open(url) as mine, Database.open(url) as other:
        with mine.unit_of_work() as db:
            source = sources.replace_index(db, "data", "motif", "f", [episode("a", "red"), episode("b", "blue")]).id
        assert ids(mine, source, "text:red") == ids(other, source, "text:red") == ["a"]
        with other.unit_of_work() as db:
            sources.add_index(db, source, 2, [episode("c", "red")])
        assert ids(mine, source, "text:red") == ["a", "c"]
        with mine.unit_of_work() as db:
            sources.add_index(db, source, 3, [episode("d", "red and blue")])
        with other.unit_of_work() as db:
            source = sources.replace_index(db, "data", "motif", "f", [episode("b", "red")]).id
        assert ids(mine, source, "text:red") == ids(other, source, "text:red") == ["b"]
        assert ids(mine, source, "text:blue") == []


def test_what_was_taken_back_is_not_found(tmp_path):
    with Database.open(store_url(tmp_path / "s.db")) as database:
        with database.unit_of_work() as db:
            source = sources.replace_index(db, "data", "motif", "f", [episode("a", "red")]).id
        try:
            with database.unit_of_work() as db:
                sources.add_index(db, source, 1, [episode("b", "green"), episode("c", "red")])
                assert find(db, source, parse("text:green | text:red")).ids == ["a", "b", "c"]
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
        assert ids(database, source, "text:green | text:red") == ["a"]
        with database.unit_of_work() as db:
            sources.add_index(db, source, 1, [episode("d", "green")])
        assert ids(database, source, "text:green") == ["d"]
        assert ids(database, source, "text:red") == ["a"]


def test_several_threads_ask_at_once(tmp_path):
    with Database.open(store_url(tmp_path / "s.db")) as database:
        with database.unit_of_work() as db:
            source = sources.replace_index(
                db, "data", "motif", "f", [episode(f"e{n}", f"text {n % 7}") for n in range(500)]
            ).id
        found = {}

        def ask(number):
            found[number] = ids(database, source, f'text="text {number}"')

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == {number: [f"e{n}" for n in range(500) if n % 7 == number] for number in range(7)}
