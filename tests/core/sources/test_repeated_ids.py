"""Ids that occur twice in files of many episodes, and files of them that hold nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem, summarise
from stepscope.core.sources.ask_records import open_asks
from stepscope.core.sources.look import Listing
from stepscope.core.sources.shards import ShardSource


def episode(name: str) -> Episode:
    return Episode(name, "lines", Platform.TEXT, "goal", (), problems=(Problem("something", name),))


def lines(folder: Path, *, checked: bool) -> ShardSource:
    """A format of one id a line, whose rows are outlines unless they are `checked`."""

    def locate(listing: Listing) -> Iterator[Path]:
        return (listing.folder / name for name in listing.files_ending(".ids"))

    def outline(file: Path) -> Iterator[EpisodeSummary]:
        for place, name in enumerate(file.read_text().splitlines()):
            yield replace(summarise(episode(name), f"\t{place}" if name == "tab" else str(place)), checked=checked)

    def load(file: Path, place: str, name: str) -> Episode:
        assert name.startswith(file.read_text().splitlines()[int(place)])
        return episode(name)

    return ShardSource("lines", folder, locate=locate, outline=outline, load=load)


def rows_of(source: ShardSource) -> list[EpisodeSummary]:
    return [row for row in source.scan() if isinstance(row, EpisodeSummary)]


def test_reading_whole_still_tells_that_an_id_was_taken(tmp_path: Path) -> None:
    (tmp_path / "a.ids").write_text("7\n8\n7\n")
    source = lines(tmp_path, checked=False)
    assert [row.id for row in rows_of(source)] == ["7", "8", "7~2"]
    place = rows_of(source)[2].place
    for found in (source.read("7~2", place), source.read("7~2")):
        assert [(one.episode, one.field, one.file) for one in found.problems] == [
            ("7~2", "id", "a.ids"),
            ("7~2", "", ""),
        ]
    assert [one.field for one in source.read("7").problems] == [""]


def test_an_id_that_looks_numbered_is_not_taken_for_a_repeated_one(tmp_path: Path) -> None:
    (tmp_path / "a.ids").write_text("7~2\n")
    source = lines(tmp_path, checked=False)
    assert [one.field for one in source.read("7~2", rows_of(source)[0].place).problems] == [""]


def test_a_place_that_begins_with_a_tab_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.ids").write_text("tab\n")
    source = lines(tmp_path, checked=False)
    assert source.read("tab", rows_of(source)[0].place).id == "tab"


def test_problems_of_a_renamed_row_are_told_under_its_new_id(tmp_path: Path) -> None:
    (tmp_path / "a.ids").write_text("7\n7\n")
    second = rows_of(lines(tmp_path, checked=True))[1]
    assert {problem.episode for problem in second.problems} == {"7~2"}


def test_a_file_of_many_episodes_without_a_byte_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.ids").write_text("7\n")
    (tmp_path / "b.ids").write_bytes(b"")
    problems = [row for row in lines(tmp_path, checked=True).scan() if isinstance(row, Problem)]
    assert [(problem.file, problem.message[:17]) for problem in problems] == [("b.ids", "the file is empty")]


def test_an_empty_file_beside_records_is_told_and_a_broken_line_has_no_line_of_its_own(tmp_path: Path) -> None:
    record = {"episode_id": "1", "original_task": "o", "ambiguous_task": "a", "asks": []}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + '\n{"episode_id": "3", \n')
    (tmp_path / "b.jsonl").write_bytes(b"")
    problems = [row for row in open_asks(tmp_path).scan() if isinstance(row, Problem)]
    assert [problem.file for problem in problems] == ["a.jsonl", "b.jsonl"]
    assert problems[0].message.startswith("record 2: broken JSON at line 1")
