"""A file that many steps name is read once, and what all screens of an episode hold together is bounded: a small data
set can name one large page in every step."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.core import limits
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import probe_picture
from stepscope.core.sources import screens
from stepscope.core.sources.recording import open_recording
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import open_source
from stepscope.core.sources.source import Source
from stepscope.core.sources.weblinx import open_weblinx

STEPS = 40


def recording(folder: Path, trees: list[str], screenshot: str | None = None) -> Source:
    """An episode whose steps name these trees, each of 10 elements."""
    elements = [{"box": [0, 0, 9, 9]}] * 10
    for name in set(trees):
        (folder / name).write_text(json.dumps({"origin": "dump", "size": [9, 9], "elements": elements}))
    steps = [{"size": [9, 9], "tree": name, "screenshot": screenshot} for name in trees]
    form = {"format": "stepscope-recording", "version": 1, "id": "one", "platform": "android", "steps": steps}
    (folder / "episode.json").write_text(json.dumps(form))
    return open_recording(folder)


def trees_of(episode: Episode) -> list[object]:
    return [step.observation.tree for step in episode.steps]


def test_one_tree_of_all_steps_is_read_once_and_held_once(tmp_path: Path) -> None:
    source = recording(tmp_path, ["tree.json"] * STEPS)
    limits.choose({"episode-elements": 10})
    trees = trees_of(source.read("one"))
    assert len(trees) == STEPS and trees[0] is not None and {id(tree) for tree in trees} == {id(trees[0])}


def test_a_broken_tree_is_told_of_each_step_that_names_it(tmp_path: Path) -> None:
    source = recording(tmp_path, ["tree.json"] * 3)
    (tmp_path / "tree.json").write_text("{")
    problems = source.read("one").problems
    assert [(one.step, one.field, one.file) for one in problems] == [(n, "tree", "tree.json") for n in range(3)]


def test_the_elements_of_all_screens_together_are_bounded(tmp_path: Path) -> None:
    source = recording(tmp_path, ["a.json", "b.json", "a.json", "c.json"])
    limits.choose({"episode-elements": 30})
    assert len(source.read("one").steps) == 4
    limits.choose({"episode-elements": 29})
    with pytest.raises(SourceError, match="more than 29 elements together") as caught:
        source.read("one")
    assert caught.value.place.endswith("c.json") and "--limit-episode-elements 58" in caught.value.hint


def test_a_picture_that_all_steps_name_is_looked_at_once(
    tmp_path: Path, write_picture: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_picture(tmp_path / "a.png", 9, 7)
    looked: list[Path] = []

    def probed(path: Path) -> Any:
        looked.append(path)
        return probe_picture(path)

    monkeypatch.setattr(screens, "probe_picture", probed)
    episode = recording(tmp_path, ["tree.json"] * STEPS, "a.png").read("one")
    assert [step.observation.screenshot.size for step in episode.steps if step.observation.screenshot] == (
        [Size(9, 7)] * STEPS
    )
    assert looked == [tmp_path / "a.png"]


def test_a_shared_tree_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.core.sources import recording_writer

    episode = recording(tmp_path, ["tree.json"] * STEPS).read("one")
    written: list[object] = []

    def encoded(tree: Any) -> Any:
        written.append(tree)
        return {"origin": "dump", "size": [9, 9], "elements": []}

    monkeypatch.setattr(recording_writer, "tree_to_json", encoded)
    write_recording(episode, tmp_path / "copy")
    assert len(written) == 1


def weblinx(folder: Path, turns: list[tuple[str, int]]) -> Source:
    """A demonstration whose turns show these pages in viewports of these widths; each page has two elements."""
    for number in (1, 2):
        page = f"<body data-webtasks-id=a><a data-webtasks-id=b>{number}</a></body>"
        boxes = {name: {"x": 0, "y": 0, "width": 9, "height": 9} for name in "ab"}
        for name, text in ((f"pages/page-{number}-0.html", page), (f"bboxes/bboxes-{number}.json", json.dumps(boxes))):
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            (folder / name).write_text(text)
    data = [
        {
            "type": "chat",
            "speaker": "navigator",
            "utterance": "Hm",
            "state": {"page": page},
            "action": {"arguments": {"metadata": {"viewportWidth": width, "viewportHeight": 100}}},
        }
        for page, width in turns
    ]
    (folder / "replay.json").write_text(json.dumps({"data": data}))
    return open_weblinx(folder)


def test_pages_that_turns_come_back_to_are_one_tree_each(tmp_path: Path) -> None:
    source = weblinx(tmp_path / "demo", [("page-1-0.html", 100), ("page-2-0.html", 100)] * 10)
    limits.choose({"episode-elements": 4})
    trees = trees_of(source.read("demo"))
    assert len(trees) == 20 and trees[0] is not None and len({id(tree) for tree in trees}) == 2


def test_one_page_in_many_viewports_is_bounded(tmp_path: Path) -> None:
    source = weblinx(tmp_path / "demo", [("page-1-0.html", 100 + number) for number in range(10)])
    limits.choose({"episode-elements": 19})
    with pytest.raises(SourceError, match="more than 19 elements together") as caught:
        source.read("demo")
    assert "--limit-episode-elements" in caught.value.hint


@pytest.mark.parametrize(
    ("folder", "episode"),
    [
        ("aitz_coat", "523638528775825151"),
        ("androidarena", "GPT4-Search_for_large_language_model_in_Firefox"),
        ("llamatouch", "18"),
        ("miniwob_demos", "social-media_30OG32W0SV5A9B48QKLQBDG3U0GNEP_d5"),
        ("rico_traces", "aa.apps.dailyreflections/trace_1"),
        ("uibert_refexp", "42796"),
        ("webvoyager", "Apple--17"),
    ],
)
def test_readers_of_real_samples_count_their_elements(real_data: Path, folder: str, episode: str) -> None:
    source = open_source(real_data / folder)
    assert source.read(episode).steps
    limits.choose({"episode-elements": 1})
    with pytest.raises(SourceError, match="more than 1 elements together"):
        source.read(episode)
