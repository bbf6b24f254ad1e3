"""The process that reads data sets: rows come back in pieces, trouble is told, and its end ends nothing else."""

from __future__ import annotations

import io
import os
import pickle
import queue
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.core import regular_files
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UserError
from stepscope.core.progress import CancelToken
from stepscope.core.regular_files import FileProgress, open_regular
from stepscope.core.sources import reader_process
from stepscope.core.sources.reader_process import EpisodePlace, Piece, ReaderProcess, ReadRequest
from stepscope.core.sources.recording_writer import write_recording


@pytest.fixture
def reader() -> Iterator[ReaderProcess]:
    made = ReaderProcess()
    yield made
    made.close()


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for name in ("a", "b", "c"):
        steps = tuple(Step(index, Observation(Size(10, 20))) for index in range(2))
        write_recording(Episode(name, "recording", Platform.ANDROID, f"goal {name}", steps), folder / name)
    return folder


def flat(pieces: Iterable[Piece | FileProgress]) -> list[EpisodeSummary | Problem]:
    return [entry for piece in pieces if not isinstance(piece, FileProgress) for entry in piece]


def test_rows_of_a_source_come_out_of_the_process(reader: ReaderProcess, recordings: Path) -> None:
    rows = flat(reader_process.scan(reader, recordings, "recording", CancelToken()))
    assert [row.id for row in rows if isinstance(row, EpisodeSummary)] == ["a", "b", "c"]
    again = flat(reader_process.scan(reader, recordings, "recording", CancelToken()))
    assert again == rows, "the same process answers again"


def test_rows_come_as_procedures(reader: ReaderProcess, recordings: Path) -> None:
    rows = flat(reader_process.scan(reader, recordings, "recording", CancelToken(), as_procedures=True))
    assert [row.kind for row in rows if isinstance(row, EpisodeSummary)] == ["procedure"] * 3


def test_episodes_are_read_whole(reader: ReaderProcess, recordings: Path) -> None:
    (recordings / "b" / "episode.json").write_text("{", "utf-8")
    wanted = [EpisodePlace(name, name, "episode") for name in ("a", "b", "c")]
    first, second, third = flat(reader_process.check(reader, recordings, "recording", wanted, CancelToken()))
    assert isinstance(first, EpisodeSummary) and first.checked and first.place == "a"
    assert isinstance(second, Problem) and second.episode == "b" and "JSON" in second.message
    assert isinstance(third, EpisodeSummary) and third.id == "c"


def test_an_error_of_the_source_is_raised_here(reader: ReaderProcess, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file or folder"):
        flat(reader_process.scan(reader, tmp_path / "none", "recording", CancelToken()))
    with pytest.raises(UserError, match="there is no format 'junk'"):
        flat(reader_process.scan(reader, Path(__file__), "junk", CancelToken()))


def test_a_cancelled_reading_ends_and_the_next_one_works(reader: ReaderProcess, recordings: Path) -> None:
    token = CancelToken()
    token.cancel()
    assert flat(reader_process.scan(reader, recordings, "recording", token)) == []
    assert len(flat(reader_process.scan(reader, recordings, "recording", CancelToken()))) == 3


def test_the_end_of_the_process_is_an_error_and_no_more(
    reader: ReaderProcess, recordings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.start()
    assert reader._process is not None
    reader._process.kill()
    reader._process.wait()
    with monkeypatch.context() as patch:
        patch.setattr(reader, "start", lambda: None)
        with pytest.raises(SourceError, match="reading ended abruptly"):
            flat(reader_process.scan(reader, recordings, "recording", CancelToken()))
    assert len(flat(reader_process.scan(reader, recordings, "recording", CancelToken()))) == 3


class Fragile:
    """A reader in this process that dies at one episode; `sent` notes what was asked."""

    def __init__(self, deadly: str) -> None:
        self._deadly = deadly
        self.sent: list[ReadRequest] = []

    def run(self, request: ReadRequest, _token: CancelToken) -> Iterator[Piece]:
        self.sent.append(request)
        piece: Piece = []
        for place in request.check or ():
            if place.id == self._deadly:
                raise SourceError("reading ended abruptly", place=request.path)
            piece.append(EpisodeSummary(place.id, "", None, Platform.ANDROID, 1, 0, ()))
            if request.one_by_one:
                yield piece
                piece = []
        yield piece


def test_an_episode_that_ends_the_process_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    reader = Fragile("c")
    wanted = [EpisodePlace(name, name, "episode") for name in "abcde"]
    found = flat(reader_process.check(reader, tmp_path, "recording", wanted, CancelToken()))  # type: ignore[arg-type]
    assert [entry.id if isinstance(entry, EpisodeSummary) else entry.episode for entry in found] == list("abcde")
    assert [type(entry) for entry in found].count(Problem) == 1
    assert [request.one_by_one for request in reader.sent] == [False, True, True]


def test_two_callers_wait_for_each_other(reader: ReaderProcess, recordings: Path) -> None:
    found: list[int] = []

    def read() -> None:
        found.append(len(flat(reader_process.scan(reader, recordings, "recording", CancelToken()))))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [3, 3, 3]


def test_what_was_found_before_a_failure_is_not_lost() -> None:
    def failing() -> Iterator[EpisodeSummary]:
        yield EpisodeSummary("a", "", None, Platform.ANDROID, 1, 0, ())
        yield EpisodeSummary("b", "", None, Platform.ANDROID, 1, 0, ())
        raise OSError("gone")

    came: list[EpisodeSummary | Problem] = []
    with pytest.raises(OSError, match="gone"):
        for piece in reader_process.pieces(failing()):
            came += piece
    assert [entry.id for entry in came if isinstance(entry, EpisodeSummary)] == ["a", "b"]


def test_the_process_ends_when_there_is_nothing_more_to_ask() -> None:
    made = ReaderProcess()
    made.start()
    process = made._process
    assert process is not None and process.pid != os.getpid() and process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 0
    made.close()


def test_what_a_reader_prints_does_no_harm(
    reader: ReaderProcess, recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = tmp_path / "site" / "chatty-0.1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: chatty\nVersion: 0.1\n", "utf-8")
    (facts / "entry_points.txt").write_text("[stepscope.sources]\nchatty = chatty:FORMAT\n", "utf-8")
    code = "import dataclasses\nfrom stepscope.core.sources.recording import FORMAT\nprint('hello')\n"
    code += "FORMAT = dataclasses.replace(FORMAT, name='chatty')\n"
    (facts.parent / "chatty.py").write_text(code, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(facts.parent))
    assert len(flat(reader_process.scan(reader, recordings, "chatty", CancelToken()))) == 3


def test_how_far_a_large_file_is_is_told_while_nothing_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child's part, in a thread: each step of its reader waits until what stands before it was told."""
    monkeypatch.setattr(regular_files, "LARGE", 100)
    monkeypatch.setattr(reader_process, "PIECE_SECONDS", 0.001)
    data = tmp_path / "data.json"
    data.write_bytes(bytes(200))
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    heard: list[str] = []

    def slowly(_request: ReadRequest) -> Iterator[Piece]:
        with open_regular(data, buffering=0) as stream:
            for _ in range(2):
                stream.read(100)
                heard.append(told.get(timeout=20))
        yield [Problem("nothing is in it")]

    class Answers(io.BytesIO):
        def write(self, data: Any) -> int:
            answer = pickle.loads(bytes(data))
            if isinstance(answer, FileProgress) and answer.percent >= 50:  # not from before the first reading
                told.put(str(answer))
            return super().write(data)

    monkeypatch.setattr(reader_process, "_answer", slowly)
    asked, answers = io.BytesIO(pickle.dumps(ReadRequest(data, "any"))), Answers()
    monkeypatch.setattr(reader_process, "bound_own_memory", lambda _most: None)
    reader_process.serve(asked, answers)
    assert heard == ["50 % of data.json (200 bytes)", "100 % of data.json (200 bytes)"]
    answers.seek(0)
    last = [pickle.load(answers) for _ in range(answers.getvalue().count(b"\x80\x05"))][-2:]
    assert last == [[Problem("nothing is in it")], None]
