"""Opening data sets in the window: outlines first, the rest behind, stopping, kept indexes, other ways to open."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.gui.features.library import opening_controller
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.progress import CancelToken
from stepscope.core.regular_files import FileProgress
from stepscope.core.sources.reader_process import Piece, ReadRequest
from stepscope.core.store.repositories import index_claims, sources
from stepscope.core.store.worker import WorkerClaim, hold, let_go
from tests.app.gui.conftest import ReaderHere
from tests.patience import PATIENCE

SIZE = Size(100, 200)


class SlowSource:
    """Six episodes known by their outlines; the last three rows and every whole episode wait behind gates."""

    format = "recording"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows, self.whole = threading.Event(), threading.Event()

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        row = EpisodeSummary("", "", None, Platform.ANDROID, 1, 0, (), checked=False)
        for number in range(6):
            if number == 3:
                assert self.rows.wait(PATIENCE)
            yield replace(row, id=f"e{number}", goal=f"Goal {number}", place=f"at {number}")

    def read(self, episode_id: str, place: str = "") -> Episode:
        if threading.current_thread().name != "MainThread" and place and not self.whole.is_set():
            assert self.whole.wait(PATIENCE)
        assert place == f"at {episode_id[1:]}"
        problems = (Problem("a tree is broken", episode_id, 0, "view_hierarchy"),) if episode_id == "e2" else ()
        steps = (Step(0, Observation(SIZE)),)
        return Episode(episode_id, self.format, Platform.ANDROID, f"Goal {episode_id[1:]}", steps, problems=problems)


def test_outlines_are_listed_first_and_completed_behind(open_window, tmp_path, read_here) -> None:
    source = SlowSource(tmp_path)
    source.rows.set()
    person = open_window()
    read_here(source)
    person.drop(tmp_path)
    person.until(lambda: len(person.goals) == 6, "all outlines")
    assert person.selection.source.problems == 0, "what is inside the episodes is not known yet"
    source.whole.set()
    person.until(lambda: person.selection.source.problems == 1, "the problem inside an episode")
    person.settle()
    assert person.window.episodes._partial.words() == "⚠ 1 problem"
    person.choose("source.problems")
    person.settle()
    (row,) = [row.cells for row in person.bench.tools.pages["Check Source"].shown() if len(row.cells) == 4]
    assert (row[1], row[3]) == ("e2, step 1", "a tree is broken")


def test_reading_is_stopped_and_what_was_found_stays_open(open_window, tmp_path, read_here) -> None:
    source = SlowSource(tmp_path)
    source.whole.set()
    person = open_window()
    read_here(source)
    assert not person.bench.commands.actions["source.stop"].isEnabled()
    person.drop(tmp_path)
    person.until(lambda: len(person.goals) == 1, "the first row")
    person.choose("source.stop")
    source.rows.set()
    person.settle()
    assert "Stopped reading" in person.told[0] and "found and are open" in person.told[0]
    assert len(person.goals) < 6 and person.goals[0] == "Goal 0"
    assert not person.bench.commands.actions["source.stop"].isEnabled()
    person.choose("source.rescan")
    person.until(lambda: len(person.goals) == 6, "all rows after all")
    person.settle()


def test_the_row_at_the_bottom_tells_what_is_read_and_stops_it(open_window, tmp_path, read_here) -> None:
    source = SlowSource(tmp_path)
    source.whole.set()
    person = open_window()
    read_here(source)
    person.drop(tmp_path)
    bar = person.window.episodes._reading
    person.until(bar.isVisible, "the row that tells of reading")
    assert bar.words().startswith(f"Reading {tmp_path.name}")
    person.click(bar._stop)
    source.rows.set()
    person.settle()
    assert not bar.isVisible() and bar.words() == ""


class ReaderOfOneFile(ReaderHere):
    """Tells how far a large file is before it finds anything in it."""

    def run(self, request: ReadRequest, token: CancelToken) -> Iterator[Piece | FileProgress]:
        if request.check is None:
            yield FileProgress(request.path / "all.json", 90 << 20, 200 << 20)
        yield from super().run(request, token)


def test_how_far_a_large_file_is_is_told_before_anything_is_found(
    open_window, tmp_path, read_here, monkeypatch
) -> None:
    source, gate = SlowSource(tmp_path), threading.Event()
    source.whole.set()
    source.rows.set()
    scan = source.scan

    def late() -> Iterator[EpisodeSummary | Problem]:
        assert gate.wait(PATIENCE)
        yield from scan()

    source.scan = late
    person = open_window()
    read_here(source)
    monkeypatch.setattr("stepscope.app.services.library.borrowed_reader", lambda: nullcontext(ReaderOfOneFile(source)))
    person.drop(tmp_path)
    bar = person.window.episodes._reading
    wanted = f"Reading {tmp_path.name}: 0 episodes, 45 % of all.json (200 MB)"
    person.until(lambda: bar.words() == wanted, "how far the file is")
    gate.set()
    person.until(lambda: len(person.goals) == 6, "all outlines")
    person.settle()


def test_what_another_program_reads_is_followed_and_its_rows_come_when_it_ends(open_window, own_shop) -> None:
    person = open_window()
    person.settle()
    database, owner, before = person.bench.context.database, WorkerClaim.here(), person.goals
    hold(owner)
    with database.unit_of_work() as db:
        made = sources.begin_index(db, own_shop.resolve(), "recording", owner)
        sources.add_index(db, made, 0, [EpisodeSummary("e1", "Half", None, Platform.ANDROID, 1, 0, ())], owner.claim)
    person.drop(own_shop)
    bar = person.window.episodes._reading
    person.until(lambda: "Another program is reading this data: 1 episode so far" in bar.words(), "whose work it is")
    assert person.goals == before, "nobody but the owner has half an index"
    with database.unit_of_work() as db:
        index_claims.release(db, made, owner.claim)
    let_go(owner)
    person.until(lambda: person.goals == ["Buy a lamp", "Order a chair", "Take the tour"], "the whole")
    person.settle()


def test_waiting_for_another_program_is_stopped(open_window, own_shop) -> None:
    person = open_window()
    person.settle()
    database, owner, before = person.bench.context.database, WorkerClaim.here(), person.goals
    hold(owner)
    with database.unit_of_work() as db:
        sources.begin_index(db, own_shop.resolve(), "recording", owner)
    person.drop(own_shop)
    person.until(lambda: "Another program" in person.window.episodes._reading.words(), "whose work it is")
    person.choose("source.stop")
    person.settle()
    assert person.goals == before
    let_go(owner)


def test_a_source_that_is_read_anew_stays_the_one_that_is_open(open_window, own_shop) -> None:
    person = open_window(own_shop)
    before = person.selection.source.id
    person.choose("source.rescan")
    person.until(lambda: person.selection.source.id != before, "another index")
    person.settle()
    assert len(person.bench.context.sources) == 1
    assert person.goals == ["Buy a lamp", "Order a chair", "Take the tour"]


def test_a_kept_index_is_renewed_when_a_file_deep_inside_has_changed(open_window, own_shop) -> None:
    person = open_window(own_shop)
    assert person.goals == ["Buy a lamp", "Order a chair", "Take the tour"]
    person.press("Ctrl+W")
    person.settle()
    file = own_shop / "2" / "episode.json"
    before = file.stat()
    file.write_text(file.read_text("utf-8").replace("Order a chair", "Order a table"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # same size, same time: its bytes tell
    person.drop(own_shop)
    person.until(lambda: person.goals == ["Buy a lamp", "Order a table", "Take the tour"], "the new goal")
    person.settle()


def test_episodes_open_as_procedures(open_window, own_shop) -> None:
    for episode in sorted(own_shop.glob("*/episode.json")):
        form = json.loads(episode.read_text("utf-8"))
        for step in form["steps"]:
            step["instruction"] = f"do number {step['index']}"
        episode.write_text(json.dumps(form), "utf-8")
    person = open_window(own_shop)
    person.choose("open.procedures")
    person.until(lambda: len(person.bench.context.sources) == 2, "the procedures")
    person.settle()
    assert person.window.windowTitle() == "own shop (procedures) – Stepscope"
    shown = person.selection.episode
    assert shown is not None and shown.platform is Platform.TEXT
    assert [step.instruction for step in shown.steps][:2] == ["do number 0", "do number 1"]
    state = person.bench.session.state()
    assert state["sources"] == [str(own_shop), f"{own_shop}#procedures"] and state["source"] == state["sources"][1]
    person.bench.close()
    later = open_window()
    later.until(lambda: later.window.windowTitle() == "own shop (procedures) – Stepscope", "the session")
    later.settle()
    assert later.selection.episode is not None and later.selection.episode.platform is Platform.TEXT


@pytest.mark.parametrize("kind", ["zip", "xztar"])
def test_an_archive_is_unpacked_by_another_process_and_opened(
    open_window, own_shop, tmp_path, kind: str, monkeypatch
) -> None:
    def never(_path: Path) -> None:
        raise AssertionError("a thread of the window unpacks")

    monkeypatch.setattr("stepscope.core.archives.unpack.open_archive", never)
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), kind, own_shop))
    person = open_window()
    person.drop(archive)
    person.until(lambda: person.goals == ["Buy a lamp", "Order a chair", "Take the tour"], "the list")
    person.arrive("lamp", 0)
    assert person.shade == 40


def test_a_data_set_in_json_lines_is_no_file_of_predictions(open_window, shop, tmp_path) -> None:
    record = {"episode_id": "7", "original_task": "Book for Friday", "ambiguous_task": "Book", "asks": []}
    (tmp_path / "asks.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    person = open_window(shop)
    person.drop(tmp_path / "asks.jsonl")
    person.until(lambda: person.goals == ["Book"], "the episode of the record")
    person.settle()
    assert person.selection.source.source.path == tmp_path / "asks.jsonl" and not person.window.evaluate.isVisible()


def test_of_several_the_first_is_shown_and_where_it_cannot_be_opened_the_next(open_window, own_shop, tmp_path) -> None:
    paths = [tmp_path / name for name in ("first", "second", "third")]
    for path in paths:
        shutil.copytree(own_shop, path)
    person = open_window(own_shop)
    person.drop(*paths)
    person.until(lambda: {*paths} <= {one.source.path for one in person.bench.context.sources}, "all three")
    person.settle()
    assert person.selection.source.source.path == paths[0]
    gone = tmp_path / "gone"
    person.drop(gone, paths[2], paths[1])
    person.until(lambda: person.selection.source.source.path == paths[2], "the first that is there")
    person.settle()
    assert person.selection.source.source.path == paths[2]


def test_one_that_was_given_before_takes_its_place_unless_the_person_went_on() -> None:
    together = opening_controller._OpenedTogether()
    first, second, third = (opening_controller._Turn(together, place) for place in range(3))
    assert second.may_show("")
    second.show("b")
    assert not third.may_show("b") and first.may_show("b") and not first.may_show("elsewhere")
    first.show("a")
    assert not second.may_show("a") and not third.may_show("a")
