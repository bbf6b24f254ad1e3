"""Opening through the store: what is counted as lost, and data that goes away while it is read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import delete

from stepscope.app.services.library import check_indexed, open_indexed, passing
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.source import web_tasks_of
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.core.store.tables import StepsRow


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    steps = (Step(0, Observation(Size(10, 20))),)
    for name in ("a", "b"):
        write_recording(Episode(name, "recording", Platform.ANDROID, name, steps), folder / name)
    return folder


def test_a_note_about_several_formats_is_no_lost_record(data: Path) -> None:
    (data / "order.csv").write_text("goal,steps,ordered?\nHow to X,Do a. Do b.,1\n", "utf-8")
    with Database.open("sqlite://") as database:
        *_, index = open_indexed(database, data, CancelToken())
        assert (index.source.format, index.episodes, index.problems, index.skipped) == ("mixed", 3, 1, 0)
        *_, again = open_indexed(database, data, CancelToken())
        assert (again.episodes, again.skipped, again.whole) == (3, 0, True)


def test_data_that_went_away_is_told_and_not_read_on(data: Path) -> None:
    with Database.open("sqlite://") as database:
        *_, index = open_indexed(database, data, CancelToken())
        shutil.rmtree(data)
        with pytest.raises(SourceError, match="not there any more"):
            list(check_indexed(database, index.source_id, index.source, CancelToken()))


def test_steps_that_were_not_read_are_told_and_read_once(data: Path) -> None:
    query = parse("step:1 -text:x")
    with Database.open("sqlite://") as database:
        *_, index = open_indexed(database, data, CancelToken())
        with database.reading() as db, pytest.raises(UsageError, match="steps of 2 episodes have not been read"):
            passing(db, index.source_id, query)
        assert [step.progress.done for step in check_indexed(database, index.source_id, index.source, CancelToken())]
        with database.reading() as db:
            assert passing(db, index.source_id, query) == ["a", "b"]
        assert list(check_indexed(database, index.source_id, index.source, CancelToken())) == []


def test_an_index_of_a_time_without_steps_is_completed(data: Path) -> None:
    with Database.open("sqlite://") as database:
        *_, index = open_indexed(database, data, CancelToken())
        list(check_indexed(database, index.source_id, index.source, CancelToken()))
        with database.unit_of_work() as db:
            db.execute(delete(StepsRow))
        *_, last = check_indexed(database, index.source_id, index.source, CancelToken())
        assert last.progress.done == last.progress.total == 2
        with database.reading() as db:
            assert sources.unchecked(db, index.source_id) == []


def test_an_indexed_source_reads_web_tasks_at_the_places_of_the_index(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tasks" / "Rate"
    folder.mkdir(parents=True)
    (folder / "template.html").write_text('<form><input type="radio" name="good" value="1">${goal}</form>')
    (folder / "batch.csv").write_text("Title,goal,Answer.good\nRate it,tea,1\nRate it,soup,\n")
    with Database.open("sqlite://") as database:
        *_, index = open_indexed(database, folder.parent, CancelToken())
        source = web_tasks_of(index.source)
        assert source.read_task("Rate").columns == ("goal",)
        instance = source.read_instance("Rate/1")
        assert (instance.task, instance.inputs["goal"], instance.answers) == ("Rate", "soup", ({},))
        *_, other = open_indexed(database, data, CancelToken())
        with pytest.raises(UsageError, match="there are no web tasks"):
            web_tasks_of(other.source).read_instance("a")
