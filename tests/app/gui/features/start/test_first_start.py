"""The first start: the sample, where the two runs that come with it differ."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from stepscope.app.services.provenance import SAMPLE, is_shipped
from stepscope.app.services.sample_runs import EPISODE, STEP, shipped_runs
from stepscope.core.settings import store_url
from stepscope.widgets.library.episodes_list import EpisodesList

PLACE = (EPISODE, STEP)


def first(open_window):
    """At a window that was started for the first time."""
    person = open_window()
    person.until(lambda: person.place == PLACE and len(person.selection.runs) == 2, "the step with its runs")
    person.settle()
    return person


def listed(store: Path) -> list[str]:
    """The runs that the command line lists in the store."""
    command = [sys.executable, "-m", "stepscope.app.main", "runs", "list", "--json", "--store", store_url(store)]
    return [row["run"] for row in json.loads(subprocess.run(command, capture_output=True, check=True).stdout)]


def test_the_sample_opens_where_one_run_is_right_and_the_other_wrong(open_window, store) -> None:
    assert listed(store) == [], "before the window was opened there are none"
    person = first(open_window)
    a, b = shipped_runs()
    assert [(run, person.selection.letter_of(run)) for run in (a.id, b.id)] == [(a.id, "A"), (b.id, "B")]
    judged, rule = person.bench.details.current, person.selection.rule
    verdicts = [judged.score(rule, run.id, STEP).right for run in (a, b)]
    assert verdicts == [True, False]
    assert person.window.workspace == "replay" and person.bench.results.name_of(a.id) == "text-match · aitw"
    assert person.told == ["This is the sample. Its runs are no finding."]
    buttons = [one.text() for one in person.window.messages.findChildren(QPushButton)]
    assert buttons == ["Open a folder", "Connect a phone", "Tour"]
    listed_at = person.window.episodes.findChild(EpisodesList).currentIndex().row()
    assert listed_at == person.bench.library.position_of(EPISODE), "the list stands at the episode"
    person.press("N", person.screen)
    person.arrive(EPISODE, STEP + 1)


@pytest.mark.parametrize("leave", ["app.preferences", "workspace.results", "source.close"])
def test_the_bar_of_the_sample_goes_with_the_sample(open_window, leave) -> None:
    person = first(open_window)
    assert person.told
    person.choose(leave)
    person.settle()
    assert person.told == []
    person.choose("workspace.replay")
    person.settle()
    assert person.told == []


def test_the_bar_of_the_sample_does_not_stay_over_other_data(open_window, shop) -> None:
    person = first(open_window)
    person.open(shop)
    assert person.told == []


def test_the_runs_are_shipped_and_neither_new_nor_a_finding(open_window) -> None:
    person = first(open_window)
    rows = {row.id: row for row in person.bench.results.rows()}
    assert all(rows[run.id].shipped and not rows[run.id].is_new for run in shipped_runs())
    assert {rows[run.id].when for run in shipped_runs()} == {"shipped, not a finding"}
    assert all(is_shipped(run) for run in person.bench.results.runs())
    person.press("Ctrl+2")
    person.settle()
    assert person.window.rail.button_of("results").accessibleName() == "Results", "no dot: nothing new"


def test_the_next_window_is_where_this_one_was_and_has_them_once(open_window) -> None:
    person = first(open_window)
    person.press("Home", person.screen)
    person.close()
    again = open_window()
    again.arrive(EPISODE, 0)
    assert set(again.bench.results.run_ids) == {run.id for run in shipped_runs()}
    again.choose("open.sample")
    again.arrive(*PLACE)
    assert set(again.bench.results.run_ids) == {run.id for run in shipped_runs()}


def test_one_that_was_deleted_stays_deleted(open_window) -> None:
    person = first(open_window)
    a, b = shipped_runs()
    person.bench.results.delete_now(a.id)
    person.until(lambda: person.bench.results.run_ids == (b.id,), "one run less")
    person.choose("open.sample")
    person.settle()
    assert person.bench.results.run_ids == (b.id,)


def test_what_a_person_shows_on_the_sample_stays(open_window, person) -> None:
    """The sample's own runs take no letters where others have them."""
    person.choose("open.sample")
    person.arrive(*PLACE)
    a, b = shipped_runs()
    person.selection.hide_run(a.id)
    person.choose("open.sample")
    person.arrive(*PLACE)
    person.settle()
    assert dict(person.selection.runs) == {b.id: 1}
    assert person.selection.source is not None and person.selection.source.key == str(SAMPLE)
