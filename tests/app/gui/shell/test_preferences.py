"""Preferences survive being written, damaged, and read by another version."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.gui.shell.preferences import RECENT_LIMIT, Preferences, load_preferences, save_preferences
from stepscope.core.errors import UserError
from tests.full_disk import files_of_at_most


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "preferences.json"
    saved = (("Both wrong", "wrong:A wrong:B"), ("Zip", 'target:"zip"'))
    chosen = replace(Preferences(), theme="light", speed=2.0, recent=("/a", "/b"), saved_filters=saved)
    save_preferences(chosen, file)
    assert load_preferences(file) == chosen
    assert [entry.name for entry in file.parent.iterdir()] == ["preferences.json"]


def test_damage_costs_only_what_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    file.write_text(json.dumps({"theme": "dark", "speed": "fast", "recent": 7, "from_the_future": 1}), "utf-8")
    assert load_preferences(file) == replace(Preferences(), theme="dark")
    file.write_text(json.dumps({"saved_filters": [["a", "star"], ["half"], 7], "list_parts": ["app", 3]}), "utf-8")
    assert load_preferences(file) == replace(Preferences(), saved_filters=(("a", "star"),), list_parts=("app", "3"))
    file.write_text("{", "utf-8")
    assert load_preferences(file) == Preferences()
    assert load_preferences(tmp_path / "none.json") == Preferences()


def test_numbers_that_nothing_can_hold_are_told_with_file_and_field(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "preferences.json"
    limits = [["json-bytes", 2**70], ["json-nodes", -1], ["archive-files", 5]]
    form = {"annotation_seed": 2**70, "annotation_enough": -(2**70), "cache_megabytes": 2**31, "limits": limits}
    file.write_text(json.dumps({**form, "speed": float("nan"), "theme": "dark"}), "utf-8")
    assert load_preferences(file) == replace(Preferences(), theme="dark", limits=(("archive-files", 5),))
    told = [record.getMessage() for record in caplog.records]
    assert [line.removeprefix(f"{file}: ").split()[0] for line in told] == [
        "speed", "cache_megabytes", "annotation_seed", "annotation_enough", "json-bytes", "json-nodes"
    ]  # fmt: skip
    file.write_text('{"annotation_seed": ' + "9" * 5_000_000 + "}", "utf-8")
    assert load_preferences(file) == Preferences()
    assert "cannot be read" in caplog.records[-1].getMessage()


def test_a_full_disk_is_told_and_the_old_ones_stay(tmp_path: Path) -> None:
    file = tmp_path / "config" / "preferences.json"
    save_preferences(Preferences(theme="light"), file)
    with files_of_at_most(10), pytest.raises(UserError, match="preferences cannot be saved: the disk is full"):
        save_preferences(Preferences(theme="dark"), file)
    assert load_preferences(file).theme == "light"
    assert [path.name for path in file.parent.iterdir()] == ["preferences.json"]


def test_the_newest_of_the_recent_is_first_and_once() -> None:
    preferences = Preferences()
    for number in range(RECENT_LIMIT + 3):
        preferences = preferences.with_recent(f"/data/{number}")
    preferences = preferences.with_recent("/data/9")
    assert preferences.recent[0] == "/data/9"
    assert len(preferences.recent) == RECENT_LIMIT == len(set(preferences.recent))


def test_what_is_pinned_does_not_fall_off_the_recent_list() -> None:
    preferences = Preferences(recent=("/data/kept",), recent_pinned=("/data/kept",))
    for number in range(RECENT_LIMIT + 3):
        preferences = preferences.with_recent(f"/data/{number}", f"2026-01-{number + 1:02}")
    assert len(preferences.recent) == RECENT_LIMIT and "/data/kept" in preferences.recent
    assert dict(preferences.recent_times)["/data/14"] == "2026-01-15" and "/data/0" not in dict(
        preferences.recent_times
    )
    assert "/data/kept" not in preferences.without_recent("/data/kept").recent_pinned


def test_keys_and_colours_come_back_and_damaged_ones_are_as_usual(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    chosen = replace(
        Preferences(), keys=(("mark.star", ("Ctrl+9",)), ("mark.checked", ())),
        run_colours=("#000000", "#111111", "#222222", "#AbCdEf"),
    )  # fmt: skip
    save_preferences(chosen, file)
    assert load_preferences(file) == chosen
    file.write_text(json.dumps({"keys": [["a", "B"], 3, ["b", ["X", 4]]], "run_colours": ["#000", "red"]}), "utf-8")
    assert load_preferences(file) == replace(Preferences(), keys=(("b", ("X", "4")),))
