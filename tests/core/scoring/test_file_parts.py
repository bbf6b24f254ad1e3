"""A long file that several processes read in parts gives what one process makes of it: values, refusals, lines."""

from __future__ import annotations

import io
import json
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.process.children import Child
from stepscope.core.scoring import aitw_records, file_parts, part_child, part_readers
from stepscope.core.scoring.file_parts import FilePart, parts_of
from stepscope.core.scoring.options import default_options
from stepscope.core.scoring.part_readers import PartAnswer, PartQuestion
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import record_scorer, score_file
from tests.core.scoring.test_aitw_reading import Outcome, ends, file_of, lines, outcome

SMALL = 2000
"""Bytes of a part in these tests."""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_parts, "WORTH", 1)
    monkeypatch.setattr(file_parts, "PART", SMALL)
    monkeypatch.setattr(part_readers, "_LONGEST", 2 * SMALL)
    for one in (file_parts, part_readers):
        monkeypatch.setattr(one, "usable_cores", lambda: 2)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """The children that were started."""
    started: list[Child] = []
    launch = part_readers._launched

    def noted() -> Child | None:
        child = launch()
        assert child is not None
        started.append(child)
        return child

    monkeypatch.setattr(part_readers, "_launched", noted)
    return started


def line_of(number: int) -> bytes:
    tap = {"type": 4, "touch": [0.1, number / 1000], "lift": [0.1, 0.2]}
    record = {"episode": f"e{number // 7}", "step": number % 7, "reference": tap, "prediction": tap}
    boxes = [[0.1, 0.2, 0.3, number / 500]] * (number % 3)
    return json.dumps(record | {"boxes": boxes}).encode()


GOOD = [line_of(number) for number in range(60)]


def file_at(folder: Path, content: Sequence[bytes], end: bytes = b"\n") -> Path:
    path = folder / "records.jsonl"
    path.write_bytes(end.join(content) + end)
    return path


def in_parts(path: Path, *, skip_bad: bool = False, cluster: str = "") -> Outcome:
    with path.open("rb") as stream:
        return outcome(Records.from_stream(stream, path=path, skip_bad=skip_bad, cluster=cluster))


def by_one(path: Path, *, skip_bad: bool = False) -> Outcome:
    return outcome(Records.from_stream(io.BytesIO(path.read_bytes()), skip_bad=skip_bad))


# --- by children -----------------------------------------------------------------------------------------------------


def test_a_good_file_is_read_by_children_and_gives_the_same(tmp_path: Path, launched: list[Child]) -> None:
    path = file_at(tmp_path, GOOD)
    assert in_parts(path) == by_one(path)
    assert len(launched) == 2
    assert all(child.returncode is not None for child in launched)


def test_every_part_of_a_good_file_is_answered(tmp_path: Path) -> None:
    """Else the comparison above would compare one process with itself."""
    path = file_at(tmp_path, GOOD)
    with path.open("rb") as stream:
        parts = parts_of(stream)
        answers = list(part_readers.read_by_children(aitw_records._read, stream, path, parts, skip_bad=False))
    assert len(parts) > 5
    assert sum(answer.lines for answer in answers if answer) == len(GOOD)
    assert all(answers)


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize(
    "bad",
    [{0: b"{"}, {59: b"[]"}, {31: b'{"episode": 1}', 44: b"\xff"}, {20: b"", 21: b" ", 40: b"{}"}, {30: b"x" * 9000},
     {5: GOOD[5] + b" " * 9000}],
)  # fmt: skip
def test_bad_lines_are_told_as_by_one_process(tmp_path: Path, bad: dict[int, bytes], skip_bad: bool) -> None:
    path = file_at(tmp_path, [bad.get(number, line) for number, line in enumerate(GOOD)])
    assert in_parts(path, skip_bad=skip_bad) == by_one(path, skip_bad=skip_bad)


def test_children_leave_bad_records_out(tmp_path: Path) -> None:
    path = file_at(tmp_path, [*GOOD[:20], b"{", *GOOD[20:]])
    with path.open("rb") as stream:
        answers = part_readers.read_by_children(aitw_records._read, stream, path, parts_of(stream), skip_bad=True)
        found = [answer.skipped if answer else None for answer in answers]
    assert [message for skipped in found for _, message in skipped or ()] == [by_one(path)[0]]
    assert None not in found


def test_the_scores_of_a_file_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, scorer = file_at(tmp_path, [*GOOD[:30], b"{", *GOOD[30:]]), record_scorer("aitw")

    def scored() -> tuple[Any, ...]:
        found = score_file(scorer, path, default_options(scorer.info), skip_bad=True)
        return found.metrics, found.skipped, [dict(row) for row in found.details]

    several = scored()
    monkeypatch.setattr(file_parts, "WORTH", 1 << 40)
    assert several == scored()
    with pytest.raises(UserError, match=r"records\.jsonl") as caught:
        score_file(scorer, path, default_options(scorer.info))
    assert caught.value.record == "31"


def test_a_child_that_is_killed_is_stood_in_for(tmp_path: Path, launched: list[Child]) -> None:
    path = file_at(tmp_path, GOOD)
    with path.open("rb") as stream:
        given = Records.from_stream(stream, path=path)
        parts = given.in_parts(aitw_records._read)
        found = [next(parts)]
        for child in launched:
            child.kill()
        found += parts
    read = [line + more for sheet, more in found for line in sheet.lines.tolist()]
    assert read == list(range(1, len(GOOD) + 1))


def test_children_that_cannot_work_are_stood_in_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_at(tmp_path, GOOD)
    monkeypatch.setattr(part_readers, "_CHILD", "stepscope.core.nothing_of_this_name")
    assert in_parts(path) == by_one(path)

    def no_more_processes(*_: object, **__: object) -> Child:
        raise OSError

    monkeypatch.setattr(part_readers.children, "launch", no_more_processes)
    assert in_parts(path) == by_one(path)


def test_children_end_when_whoever_asked_is_interrupted(tmp_path: Path, launched: list[Child]) -> None:
    path = file_at(tmp_path, GOOD)
    with path.open("rb") as stream:
        parts = Records.from_stream(stream, path=path).in_parts(aitw_records._read)
        next(parts)
        with pytest.raises(KeyboardInterrupt):
            parts.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert [child.returncode is not None for child in launched] == [True, True]


# --- what a child does, in this process ------------------------------------------------------------------------------


def at_once(
    read: Callable[[Any], Any], stream: BinaryIO, path: Path, parts: Sequence[FilePart], *, skip_bad: bool
) -> Iterator[Any]:
    """In the place of `read_by_children`; what goes through pipes is pickled."""
    about = os.fstat(stream.fileno())
    for part in parts:
        question = PartQuestion(read, path, (about.st_dev, about.st_ino), part, skip_bad)
        yield pickle.loads(pickle.dumps(part_child.answer_to(pickle.loads(pickle.dumps(question))), 5))


@given(lines, ends, st.booleans(), st.integers(0, 5), st.booleans(), st.sampled_from([1, 100, 1000]))
def test_any_file_in_parts_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    content: list[bytes], end: bytes, mark: bool, cut: int, skip_bad: bool, size: int,
) -> None:  # fmt: skip
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(file_of([*GOOD[:3], *content, *GOOD[3:6]], end, mark, cut))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_parts, "PART", size)
        patch.setattr(part_readers, "read_by_children", at_once)
        assert in_parts(path, skip_bad=skip_bad) == by_one(path, skip_bad=skip_bad)


def test_a_child_serves_until_nothing_more_is_asked(tmp_path: Path) -> None:
    path = file_at(tmp_path, GOOD)
    about = path.stat()
    asked, answers = io.BytesIO(), io.BytesIO()
    for part in (FilePart(0, len(GOOD[0]) + 1), FilePart(len(GOOD[0]) + 1, None)):
        pickle.dump(PartQuestion(aitw_records._read, path, (about.st_dev, about.st_ino), part, False), asked)
    part_child.serve(io.BytesIO(asked.getvalue()), answers)
    answers.seek(0)
    assert [pickle.load(answers).lines for _ in range(2)] == [1, len(GOOD) - 1]


def test_a_file_in_the_place_of_the_one_that_was_opened_is_not_read(tmp_path: Path) -> None:
    path = file_at(tmp_path, GOOD)
    about = path.stat()
    question = PartQuestion(aitw_records._read, path, (about.st_dev, about.st_ino), FilePart(0, None), False)
    assert isinstance(part_child.answer_to(question), PartAnswer)
    assert part_child.answer_to(question._replace(file=(about.st_dev, about.st_ino + 1))) is None


# --- parts -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([b"", b"a", b"b" * 30, b"c" * 300]), min_size=1), st.integers(1, 100), st.booleans())
def test_parts_are_whole_lines_and_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, content: list[bytes], size: int, ended: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "parts.txt"
    data = b"\n".join(content) + b"\n" * ended
    path.write_bytes(data)
    with path.open("rb") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_parts, "PART", size)
        parts = parts_of(stream)
        assert stream.tell() == 0
    starts = [part.start for part in parts]
    assert starts == ([] if not data else [0, *(one.start + (one.size or 0) for one in parts[:-1])])
    assert all(data[start - 1 : start] == b"\n" for start in starts[1:])
    assert all(part.size is not None and part.size >= size for part in parts[:-1])
    assert all(part.size is None for part in parts[-1:])


def test_what_one_process_reads_as_soon_is_not_parted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_at(tmp_path, GOOD)
    inlet, outlet = os.pipe()
    with os.fdopen(inlet, "rb") as pipe, os.fdopen(outlet, "wb"), path.open("rb") as stream:
        assert parts_of(pipe) == ()
        assert len(parts_of(stream)) > 1
        monkeypatch.setattr(file_parts, "usable_cores", lambda: 1)
        assert parts_of(stream) == ()
        monkeypatch.setattr(file_parts, "usable_cores", lambda: 2)
        monkeypatch.setattr(file_parts, "WORTH", path.stat().st_size + 1)
        assert parts_of(stream) == ()


def test_records_that_are_grouped_by_a_field_are_read_by_one_process(tmp_path: Path, launched: list[Child]) -> None:
    path = file_at(tmp_path, GOOD)
    assert in_parts(path, cluster="episode") == by_one(path)
    assert not launched
