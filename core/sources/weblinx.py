"""WebLINX demonstrations: `<demo>/replay.json` with `form.json`, `screenshots/`, `pages/`, `bboxes/`.

A demonstration is a talk between an instructor and a navigator who uses a browser; each turn is a step. Places and
boxes are CSS pixels of the viewport that the turn names, stretched over the screenshot. Checked on a fixture only, made
by the layout that the released package reads. Facts: Lù, Kasner, Reddy, "WebLINX", ICML 2024, arXiv:2402.05930;
github.com/McGill-NLP/weblinx (`weblinx/__init__.py`, `weblinx/utils/format.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Picture, Platform, Step, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import check_steps, mapping_of, read_json, safe_join, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.sniffers.weblinx import FORM, FORMAT, REPLAY, locate
from stepscope.core.sources.split_files import SplitFile, split_table
from stepscope.core.sources.tree_builder import Placement
from stepscope.core.sources.weblinx_actions import ScrollPositions, action_of, metadata_of, number_of
from stepscope.core.sources.weblinx_page import Pages

_SPLITS = (SplitFile("splits.json"),)
_FALLBACK = Size(1366, 657)
"""A viewport of the release, used where a demonstration tells none and has no screenshot."""
_BROKEN = "broken"


@dataclass
class _TurnReading:
    """The state that is carried from turn to turn. `deep` False: no picture is opened and no tree is made."""

    folder: Path
    deep: bool
    findings: Findings
    pages: Pages
    scrolled: ScrollPositions = field(default_factory=ScrollPositions)
    viewport: Size | None = None
    picture: Picture | None = None
    page: str = ""
    address: str = ""


def read_episode(path: Path, episode_id: str) -> Episode:
    """The demonstration whose turns are in the file at `path`; SourceError when there are none."""
    return _episode(path, episode_id, True)


def outline(path: Path, episode_id: str) -> EpisodeSummary:
    """The episode's summary for lists; opens no picture and makes no UI tree. Raises SourceError where there are no
    turns."""
    return summarise(_episode(path, episode_id, False))


def _episode(path: Path, episode_id: str, deep: bool) -> Episode:
    folder = path.parent
    findings = Findings(episode_id, folder)
    turns = mapping_of(read_json(path)).get("data")
    if not isinstance(turns, list) or not turns:
        raise SourceError("no list of turns", place=path, field="data")
    check_steps(len(turns), path, "data")
    demo = _TurnReading(folder, deep, findings, Pages(folder))
    steps = tuple(_step(index, mapping_of(turn), demo) for index, turn in enumerate(turns))
    table = split_table(folder, _SPLITS)
    findings.problems.extend(table.problems)
    return Episode(
        id=episode_id,
        format="weblinx",
        platform=Platform.WEB,
        goal=_goal(folder, steps, findings),
        steps=steps,
        splits=table.of(identify(path)),
        problems=findings.as_tuple(),
    )


def _step(index: int, turn: Mapping[str, Any], demo: _TurnReading) -> Step:
    metadata = metadata_of(turn)
    demo.viewport = _viewport(metadata) or demo.viewport
    demo.address = text_of(metadata.get("url")) or demo.address
    state = mapping_of(turn.get("state"))
    _see(index, state, demo)
    frame = demo.viewport or _FALLBACK
    size = demo.picture.size if demo.picture else frame
    placement = Placement.stretched(frame.width, frame.height, size) if demo.viewport else Placement(size)
    tree = None
    if demo.deep and demo.page:
        tree = demo.pages.tree(demo.page, placement, index, demo.findings)
    observation = Observation(size, demo.picture, tree, number_of(turn.get("timestamp")), demo.address)
    action, heard = _done(index, turn, placement, demo)
    return Step(index, observation, action, heard)


def _done(
    index: int, turn: Mapping[str, Any], placement: Placement, demo: _TurnReading
) -> tuple[Action | None, str | None]:
    """The navigator's action, or else what the instructor said."""
    if turn.get("type") == "chat" and turn.get("speaker") != "navigator":
        return None, text_of(turn.get("utterance")) or None
    try:
        return action_of(turn, placement, demo.scrolled), None
    except ValueError as error:
        demo.findings.add(str(error), step=index, field="action", file=REPLAY)
        return None, None


def _see(index: int, state: Mapping[str, Any], demo: _TurnReading) -> None:
    """The turn's own screenshot and page; where it has none, those before it stay, as the released loader does."""
    demo.page = text_of(state.get("page")) or demo.page
    name = text_of(state.get("screenshot"))
    if not name:
        return
    if state.get("screenshot_status") == _BROKEN:
        demo.findings.add("the data says that this screenshot is broken", step=index, field="screenshot", file=name)
    if demo.deep:
        demo.picture = find_picture(demo.folder, f"screenshots/{name}", index, demo.findings)
    else:
        demo.picture = Picture(demo.folder / "screenshots" / name, demo.viewport or _FALLBACK)


def _viewport(metadata: Mapping[str, Any]) -> Size | None:
    width, height = number_of(metadata.get("viewportWidth")), number_of(metadata.get("viewportHeight"))
    if width is None or height is None or not (1 <= width <= 100_000 and 1 <= height <= 100_000):
        return None
    return Size(round(width), round(height))


def _goal(folder: Path, steps: tuple[Step, ...], findings: Findings) -> str:
    """The description in the form, else what the instructor said first."""
    try:
        form = mapping_of(read_json(safe_join(folder, FORM)))
    except SourceError as error:
        findings.add_error(error, field="goal", file=FORM)
        form = {}
    heard = next((step.instruction for step in steps if step.instruction), "")
    return shortened(text_of(form.get("description")).strip() or heard, 2_000)


def identify(path: Path) -> str:
    """The demonstration's folder: its name of seven letters."""
    return path.absolute().parent.name


def open_weblinx(path: Path) -> FolderSource:
    """The demonstrations' folder, one demonstration, or its `replay.json`."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_episode, outline=outline)
