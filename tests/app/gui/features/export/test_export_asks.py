"""File ▸ Export ▸ Questions of the Data: written beside, told with their number, cancelled without a trace."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.sources import ask_records
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.source import Source
from tests.patience import PATIENCE

LAMP = {
    "episode_id": "lamp",
    "original_task": "Buy a lamp",
    "ambiguous_task": "Buy a lamp",
    "asks": [{"step": 1, "question": "Which lamp?", "answer": "The red one", "kind": ""}],
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def asking(tmp_path: Path) -> Path:
    """Three recordings that ask for a date each."""
    folder = tmp_path / "asking"
    for name in ("a", "b", "c"):
        steps = tuple(Step(index, Observation(Size(9, 9)), instruction=f"Do {index}") for index in range(2))
        asks = (Ask(1, "Which?", "May 5", "date"),)
        episode = Episode(name, "recording", Platform.WEB, "Book a day", steps, asks=asks, original_goal="Book May 5")
        write_recording(episode, folder / name)
    return folder


class Gate:
    """Episodes are read for an export one by one, as they are let."""

    def __init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.begun = 0

    def asking_episodes(self, source: Source, places: Iterable[tuple[str, str]]) -> Iterator[Episode | Problem]:
        for place in places:
            self.begun += 1
            assert self.permits.acquire(timeout=PATIENCE)
            yield from ask_records.asking_episodes(source, [place])


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    gate = Gate()
    monkeypatch.setattr("stepscope.app.services.asks.asking_episodes", gate.asking_episodes)
    return gate


def test_the_questions_of_what_is_open_are_written(person, pick, tmp_path) -> None:
    pick(tmp_path / "asks.jsonl")
    person.choose("export.asks")
    person.until(lambda: person.told, "the end of the export")
    person.settle()
    assert person.told == ["Wrote asks.jsonl, 1 record"]
    assert lines(tmp_path / "asks.jsonl") == [LAMP]
    assert [path.name for path in tmp_path.iterdir()] == ["asks.jsonl"]
    assert not person.window.task_chip.isVisible()


def test_the_same_from_data_that_are_open_as_procedures(open_window, asking, pick, tmp_path) -> None:
    person = open_window(asking)
    person.choose("open.procedures")
    person.until(lambda: person.selection.source.as_procedures, "the procedures")
    person.settle()
    pick(tmp_path / "asks.jsonl")
    person.choose("export.asks")
    person.until(lambda: "Wrote asks.jsonl, 3 records" in person.told, "the end of the export")
    assert [(form["episode_id"], form["original_task"]) for form in lines(tmp_path / "asks.jsonl")] == [
        ("a", "Book May 5"),
        ("b", "Book May 5"),
        ("c", "Book May 5"),
    ]


def test_an_export_shows_how_far_it_is_and_is_cancelled_without_a_trace(
    open_window, asking, pick, tmp_path, gate
) -> None:
    person = open_window(asking)
    (tmp_path / "asks.jsonl").write_text("old")
    pick(tmp_path / "asks.jsonl")
    person.choose("export.asks")
    chip = person.window.task_chip
    gate.permits.release()
    person.until(lambda: chip.words().startswith("Writing asks.jsonl 1 of 3"), "one of three in the chip")
    assert not chip.pause.isVisible()
    person.click(chip)
    assert person.window.replay.isVisible(), "the chip leads to no run"
    person.until(lambda: gate.begun == 2, "the second one begun")
    person.click(chip.cancel)
    gate.permits.release(9)
    person.until(lambda: not chip.isVisible(), "the end of the work")
    person.settle()
    assert (person.told, gate.begun) == ([], 2)
    assert (tmp_path / "asks.jsonl").read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"asking", "asks.jsonl"}


def test_an_export_and_an_evaluation_share_the_chip(open_window, asking, pick, tmp_path, gate, gated, shop) -> None:
    """Each is cancelled by its own row alone."""
    person = open_window(asking)
    pick(tmp_path / "asks.jsonl")
    person.choose("export.asks")
    chip = person.window.task_chip
    person.until(lambda: "Writing asks.jsonl" in chip.words(), "the export in the chip")
    opening = person.bench.library.opening
    opening.open_paths([str(shop)])
    person.until(lambda: person.selection.source.title == "shop", "other data")
    person.until(lambda: not opening.is_reading(person.selection.source), "all of the other data")
    person.choose("evaluate.automation")
    person.bench.evaluate.show_form(model="noisy-copy", protocol="aitw")
    person.window.evaluate.run()
    gated.let(1)
    person.until(lambda: "(+1) 1 of 29" in chip.words(), "both")
    person.click(chip.cancel)
    gated.let(29)
    person.until(lambda: not person.bench.evaluate.is_running, "the end of the run")
    assert chip.words().startswith("Writing asks.jsonl 0 of 3")
    gate.permits.release(3)
    person.until(lambda: "Wrote asks.jsonl, 3 records" in person.told, "the end of the export")
    person.settle()


def test_data_without_questions_say_so(open_window, asking, tmp_path, pick) -> None:
    quiet = tmp_path / "quiet"
    write_recording(Episode("q", "recording", Platform.WEB, "Be quiet", (Step(0, Observation(Size(9, 9))),)), quiet)
    person = open_window(quiet)
    pick(tmp_path / "asks.jsonl")
    person.choose("export.asks")
    person.until(lambda: person.told, "a message")
    assert person.told == ["No episode of quiet has questions."]
    assert not (tmp_path / "asks.jsonl").exists()


def test_an_episode_that_has_become_unreadable_is_told(open_window, asking, pick, tmp_path) -> None:
    person = open_window(asking)
    (asking / "b" / "episode.json").write_text("{")
    pick(tmp_path / "asks.jsonl")
    person.choose("export.asks")
    person.until(lambda: person.told, "the end of the export")
    (said,) = person.told
    assert said.startswith("Wrote asks.jsonl, 2 records. 1 episode could not be read; b: ")
    assert [form["episode_id"] for form in lines(tmp_path / "asks.jsonl")] == ["a", "c"]


def test_a_place_that_cannot_be_written_is_told(person, pick, tmp_path) -> None:
    pick(tmp_path / "no such folder" / "asks.jsonl")
    person.choose("export.asks")
    person.until(lambda: any("cannot be written" in words for words in person.told), "the failure")
    person.settle()
    assert person.alive() and not person.window.task_chip.isVisible()


def test_without_data_the_command_rests(person) -> None:
    person.press("Ctrl+W")
    person.settle()
    assert not person.bench.commands.actions["export.asks"].isEnabled()
