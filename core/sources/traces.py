"""One reader for the trace schema that RICO and MoTIF share: a picture, a view hierarchy and a gesture per state.

Facts: the released RICO traces (interactionmining.org/rico; Deka et al., UIST 2017) and MoTIF's released preprocessing
(github.com/aburns4/MoTIF, `all_in_one_motif_preprocess.py`; Burns et al., ECCV 2022). What the two differ in — folder
names, the frame of the boxes, words about the task — stands in a `TraceLayout` (see `rico` and `motif`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, Swipe, Tap
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Episode, EpisodeSummary, Feasibility, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import read_bytes, safe_join
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.rico import VIEW_FOLDER
from stepscope.core.sources.trace_states import Gesture, find_states
from stepscope.core.sources.tree_builder import Placement, target_at
from stepscope.core.sources.view_hierarchies import ViewHierarchy, read_view_hierarchy

FRAME = Size(1440, 2560)
"""The device on which RICO's traces were recorded (seq2act's configuration has the same numbers)."""

SWIPE_DISTANCE = 0.01
"""A gesture is a swipe when its last point lies further than this from its first, as a fraction of the screen
(MoTIF's released `gesture_to_ui`); otherwise several points are a slow tap."""


@dataclass(frozen=True, slots=True)
class TraceMetadata:
    """The metadata of a trace as a whole. `has_trees`: a missing view hierarchy is a problem."""

    goal: str = ""
    feasibility: Feasibility = field(default_factory=Feasibility)
    splits: tuple[str, ...] = ()
    has_trees: bool = True


@dataclass(frozen=True, slots=True)
class TraceState:
    """One recorded state. `gesture` None: none was recorded under its name; empty: recorded as no gesture."""

    name: str
    gesture: Gesture | None
    picture: Picture | None
    hierarchy: ViewHierarchy | None
    hierarchy_file: str


@dataclass(frozen=True, slots=True)
class TraceLayout:
    """The additions of a data set to the shared schema.

    `frame` gives the size of the view hierarchies' frame from all states; `place` lays that frame on a picture's size.
    `refine` may replace the actions once all trees are known. `numbered`: states are in the order of their numbers.
    `gesture_file` is named where a gesture is broken.
    """

    format: str
    pictures: str
    gestures: Callable[[Path], Mapping[str, Any]]
    task: Callable[[Path, Findings], TraceMetadata]
    frame: Callable[[Path, list[TraceState], Findings], Size]
    place: Callable[[Size, Size], Placement]
    refine: Callable[[list[Step]], list[Step]] = lambda steps: steps
    numbered: bool = False
    gesture_file: str = ""


def trace_id(folder: Path) -> str:
    """`<app>/<trace>`, whatever part of the data set was opened."""
    folder = folder.absolute()
    return f"{folder.parent.name}/{folder.name}" if folder.parent.name else folder.name


def read_trace(folder: Path, episode_id: str, layout: TraceLayout) -> Episode:
    """One trace folder as an episode; SourceError when its gestures cannot be read or it has no states."""
    findings = Findings(episode_id, folder)
    task = layout.task(folder, findings)
    states = _states(folder, task, layout, findings)
    frame = layout.frame(folder, states, findings)
    default = common_size(state.picture for state in states) or frame
    steps = [_step(index, state, frame, default, layout, findings) for index, state in enumerate(states)]
    return Episode(
        id=episode_id,
        format=layout.format,
        platform=Platform.ANDROID,
        goal=task.goal,
        steps=tuple(layout.refine(steps)),
        app=_package(folder) or _seen_app(steps),
        feasibility=task.feasibility,
        splits=task.splits,
        problems=findings.as_tuple(),
    )


def outline_trace(folder: Path, episode_id: str, layout: TraceLayout) -> EpisodeSummary:
    """The trace's index row from its gestures, its words and its files' names; SourceError as `read_trace`.

    No picture and no view hierarchy is opened, so what only those tell (typing, an app that the folder is not named
    after, their damage) is missing from it; and where pictures and gestures agree on the states, no further state is
    looked for.
    """
    findings = Findings(episode_id, folder)
    task = layout.task(folder, findings)
    recording = find_states(folder, layout.gestures(folder), layout.pictures, layout.numbered, trees_needed=False)
    counts: dict[str, int] = {}
    for index in range(len(recording.views)):
        gesture = recording.gesture(index, findings, layout.gesture_file)
        if gesture:
            kind = (Swipe if _is_swipe(gesture) else Tap).kind
            counts[kind] = counts.get(kind, 0) + 1
    return EpisodeSummary(
        id=episode_id,
        goal=task.goal,
        app=_package(folder),
        platform=Platform.ANDROID,
        steps=len(recording.views),
        screens=sum(view in recording.pictures for view in recording.views),
        actions=tuple(counts.items()),
        feasibility=task.feasibility,
        splits=task.splits,
        problems=findings.as_tuple(),
        checked=False,
    )


def _states(folder: Path, task: TraceMetadata, layout: TraceLayout, findings: Findings) -> list[TraceState]:
    recording = find_states(folder, layout.gestures(folder), layout.pictures, layout.numbered)
    return [
        TraceState(
            view,
            recording.gesture(index, findings, layout.gesture_file),
            _picture(folder, layout.pictures, view, recording.pictures, index, findings),
            _hierarchy(folder, view, recording.trees, index, findings, task.has_trees),
            recording.trees.get(view, ""),
        )
        for index, view in enumerate(recording.views)
    ]


def _picture(
    folder: Path, inside: str, view: str, names: Mapping[str, str], step: int, findings: Findings
) -> Picture | None:
    if view in names:
        return find_picture(folder, f"{inside}/{names[view]}", step, findings)
    findings.add("the screenshot is not there", step=step, field="screenshot", file=f"{inside}/{view}")
    return None


def _hierarchy(
    folder: Path, view: str, names: Mapping[str, str], step: int, findings: Findings, needed: bool
) -> ViewHierarchy | None:
    """A view hierarchy, None when there is none that can be read (a finding says why)."""
    if view not in names:
        if needed:
            findings.add("no view hierarchy", step=step, field="view_hierarchy", file=f"{VIEW_FOLDER}/{view}")
        return None
    try:
        path = safe_join(folder, f"{VIEW_FOLDER}/{names[view]}")
        found = read_view_hierarchy(_hierarchy_bytes(path), path)
    except SourceError as error:
        findings.add_error(error, step=step, field="view_hierarchy", file=folder / VIEW_FOLDER / names[view])
        return None
    if found.is_null:
        name = f"{VIEW_FOLDER}/{names[view]}"
        findings.add("the view hierarchy is null", step=step, field="view_hierarchy", file=name)
        return None
    return found


def _hierarchy_bytes(path: Path) -> bytes:
    """MoTIF stores view hierarchies under `.jpg` names: what the file holds decides, not what it is called."""
    data = read_bytes(path)
    if data.startswith((b"\xff\xd8", b"\x89PNG")):
        raise SourceError("this is a picture, not a view hierarchy", place=path)
    return data


def _step(index: int, state: TraceState, frame: Size, default: Size, layout: TraceLayout, findings: Findings) -> Step:
    size = state.picture.size if state.picture else default
    tree: UITree | None = None
    if state.hierarchy is not None:
        reading = state.hierarchy.tree(layout.place(frame, size))
        name = f"{VIEW_FOLDER}/{state.hierarchy_file}"
        tree = findings.tree(reading.tree, reading.notes, step=index, file=name)
    seen = Observation(size, state.picture, tree, activity=tree.activity if tree else "")
    return Step(index, seen, gesture_action(state.gesture, size, tree) if state.gesture else None)


def gesture_action(gesture: Gesture, size: Size, tree: UITree | None) -> Action:
    """A tap at the first point, or a swipe when the last lies further than `SWIPE_DISTANCE` from it."""
    start = Point.from_fraction(*gesture[0], size)
    end = Point.from_fraction(*gesture[-1], size)
    if _is_swipe(gesture):
        return Swipe(start, end, target_at(tree, start))
    return Tap(start, target_at(tree, start))


def _is_swipe(gesture: Gesture) -> bool:
    return math.dist(gesture[0], gesture[-1]) > SWIPE_DISTANCE


def _package(folder: Path) -> str | None:
    """The app's package, which the folder above a trace is named after."""
    name = folder.absolute().parent.name
    return name if "." in name and " " not in name else None


def _seen_app(steps: list[Step]) -> str | None:
    """The package of the activity seen most often."""
    seen = [step.observation.activity.split("/")[0] for step in steps if "/" in step.observation.activity]
    return Counter(seen).most_common(1)[0][0] if seen else None
