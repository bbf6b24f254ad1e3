"""Preferences in the window: limits are written, refused, taken back, kept, and in force for what is read next."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from stepscope.app.gui.shell.preferences import Preferences, load_preferences
from stepscope.core import limits
from stepscope.widgets.preferences import LimitsPage


@pytest.fixture(autouse=True)
def usual_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(limits.VARIABLE, raising=False)
    limits.choose({})
    yield
    limits.choose({})


@pytest.fixture
def page(person) -> LimitsPage:
    person.choose("app.preferences")
    person.window.preferences.show_page("Limits")
    person.settle()
    found = person.window.findChild(LimitsPage)
    assert found is not None and found.isVisible()
    return found


def put(person, page: LimitsPage, name: str, words: str) -> None:
    field = page.field(name)
    field.setFocus()
    field.selectAll()
    person.write(words)
    field.editingFinished.emit()
    person.settle()


def test_what_is_written_is_in_force_at_once_and_kept(person, page) -> None:
    put(person, page, "json-bytes", "2GB")
    assert limits.limit("json-bytes") == 2 << 30 and page.field("json-bytes").text() == "2 GB"
    assert page.told.text().endswith(", 1 changed")
    kept = load_preferences(person.bench.context.places.preferences)
    assert kept.limits == (("json-bytes", 2 << 30),)


def test_what_is_no_figure_is_refused_under_its_field(person, page) -> None:
    put(person, page, "json-nodes", "many")
    assert limits.chosen_limits() == {} and page.field("json-nodes").property("state") == "error"
    put(person, page, "json-nodes", "7,000,000")
    assert limits.limit("json-nodes") == 7_000_000 and page.field("json-nodes").property("state") is None


def test_changes_are_taken_back_one_by_one_and_all_at_once(person, page) -> None:
    put(person, page, "json-nodes", "7000000")
    put(person, page, "page-memory", "8GB")
    person.click(person.window.preferences.undo)
    assert limits.chosen_limits() == {"json-nodes": 7_000_000}
    put(person, page, "page-memory", "8GB")
    person.click(page.reset_all)
    assert limits.chosen_limits() == {} and not page.reset_all.isEnabled()
    person.click(person.window.preferences.undo)
    assert limits.chosen_limits() == {"json-nodes": 7_000_000, "page-memory": 8 << 30}


def test_a_search_narrows_the_limits(person, page) -> None:
    page.search.setFocus()
    person.write("vocabulary gguf")
    assert page.shown() == ["model-entries"]
    page.search.empty()
    assert len(page.shown()) == len(limits.LIMITS)


def test_each_limit_stands_once_under_its_group(person, page) -> None:
    assert sorted(page.shown()) == sorted(limits.LIMITS)
    groups = [line.row.group for line in page._lines.values()]
    assert len(dict.fromkeys(groups)) == sum(a != b for a, b in zip([None, *groups], groups, strict=False)) > 4


def test_limits_of_the_last_time_are_in_force_again_beside_those_of_the_command(person) -> None:
    from stepscope.app.gui.features.preferences.feature import PreferencesFeature

    limits.choose({"json-nodes": 5})  # --limit-json-nodes 5
    context = person.bench.context
    context.preferences = Preferences(limits=(("json-nodes", 9), ("page-memory", 7), ("gone-since", 3)))
    PreferencesFeature(context, person.window)
    assert limits.chosen_limits() == {"json-nodes": 5, "page-memory": 7}


def test_senseless_limits_in_the_settings_are_passed_over(tmp_path) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(json.dumps({"limits": [["json-nodes", 9], ["page-memory", "much"], 3, ["a"]], "theme": "dark"}))
    assert load_preferences(path) == Preferences(theme="dark", limits=(("json-nodes", 9),))
