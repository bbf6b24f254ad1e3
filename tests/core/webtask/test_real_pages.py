"""The pages of TurkingBench: all cells are put in, and every answer field is found in a real browser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.webtask import FieldType
from stepscope.core.sources.turkingbench import TurkingBench, open_turkingbench
from stepscope.core.webtask.actions import GetHtml
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.html_parts import without_noise
from stepscope.core.webtask.rendering import missing_columns, render

TASKS = (
    "ANLI Generation", "ATOMIC - Event Sequences", "ATOMIC - Required Objects (Sequence)",
    "Associate countries and languages with Ethnologue", "Clarifiction", "Elicitation subj",
    "Essential Terms in Questions 2", "Ethical rule-of-thumb quality", "Evaluate Questions", "Event effect",
    "Formalize sentence", "Goal feasibility", "Photo Collection GVDB", "RocStories 1", "Spanish Word Alignment",
    "Story Relations", "WikiHow Goal Membership", "Winogrande plausiblity",
)  # fmt: skip
NOT_SEEN = {
    # Opened by what is chosen before.
    "Event effect": {"xeff2a", "xeff3b", "xeff3c", "xeff3d", "oeff4a", "oeff4b", "oeff4c", "oeff4d", "norational"},
    # Text fields that the page's own script fills in when the form is sent.
    "Photo Collection GVDB": {"victim-names", "shooter-names", "victim-photos", "shooter-photos"},
    # The example is opened by "show/hide an example".
    "WikiHow Goal Membership": {"example1"},
}
"""Fields that are found but not drawn as the page loads."""


@pytest.fixture(scope="module")
def bench(real_data: Path) -> TurkingBench:
    root = real_data / "turkingbench"
    if not root.is_dir():
        pytest.skip("no turkingbench")
    source = open_turkingbench(root)
    assert isinstance(source, TurkingBench)
    return source


@pytest.fixture(scope="module")
def instances(bench: TurkingBench) -> Mapping[str, list[EpisodeSummary]]:
    found: dict[str, list[EpisodeSummary]] = defaultdict(list)
    for one in bench.scan():
        assert isinstance(one, EpisodeSummary)
        found[one.app].append(one)
    return found


def test_all_tasks_are_looked_at(instances: Mapping[str, list[EpisodeSummary]]) -> None:
    assert tuple(sorted(instances)) == tuple(sorted(TASKS))


@pytest.mark.parametrize("name", TASKS)
def test_every_field_is_found_in_the_first_the_middle_and_the_last_page(
    name: str, bench: TurkingBench, instances: Mapping[str, list[EpisodeSummary]], shared_browser: Browser
) -> None:
    task = bench.read_task(name)
    rows = instances[name]
    for row in {0: rows[0], len(rows) // 2: rows[len(rows) // 2], len(rows) - 1: rows[-1]}.values():
        inputs = bench.read_instance(row.id, row.place).inputs
        assert missing_columns(task, inputs) == ()
        page = shared_browser.open(render(task, inputs))
        look = page.look([field.name for field in task.fields])
        assert look.missing == () and page.dialogs == ()
        assert [(one.name, one.type) for one in look.fields] == [(one.name, one.type) for one in task.fields]
        unseen = {one.name for one in look.fields if one.box is None and one.type is not FieldType.HIDDEN}
        assert unseen == NOT_SEEN.get(name, set())
        # Nothing is asked for that could have been answered here.
        assert not [one.url for one in page.blocked if one.kind in ("script", "document", "request")]


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("Goal feasibility/0", ["<strong>Being interviewed on live television</strong>"]),
        # Made by the page's script from the cells that stand in it.
        ("Spanish Word Alignment/0", ["victory", "victoria"]),
    ],
)
def test_cells_are_seen_on_the_page(row: str, shown: list[str], bench: TurkingBench, shared_browser: Browser) -> None:
    instance = bench.read_instance(row)
    page = shared_browser.open(render(bench.read_task(instance.task), instance.inputs))
    html = without_noise(page.do(GetHtml()).text)
    assert "${" not in html and not [words for words in shown if words not in html]
