"""MoTIF: RICO's trace schema with a goal, a feasibility label and follow-up questions.

`<app>/<trace id>/{screens,view_hierarchies}/`, `metadata.json` and `trace_info.json` (older packages: `task.txt` and
`feasibility.txt`), and tables of goals, splits and annotations beside them (`motif_tables`), which open without traces
too. Facts: Burns et al., ECCV 2022; github.com/aburns4/MoTIF, READMEs and `all_in_one_motif_preprocess.py`. The traces
were checked against a fixture in that layout only, the text tables against the released ones; the schema shared with
RICO was checked against real traces there. Typing on the annotator's own keyboard left no gesture: typed text is
inferred from what the text fields show.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step, summarise
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.files import mapping_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.motif_places import locate_trace, read_tables
from stepscope.core.sources.motif_tables import Tables
from stepscope.core.sources.motif_task import listed_task, read_task
from stepscope.core.sources.small_files import ABSENT, read_small_json
from stepscope.core.sources.sniffers.motif import EXCEPTIONS, FORMAT, METADATA
from stepscope.core.sources.traces import FRAME, TraceLayout, TraceMetadata, TraceState, outline_trace, read_trace
from stepscope.core.sources.tree_builder import Placement, edge_numbers

STATUS_BAR = 65
"""Height in picture pixels of the status bar that MoTIF's screenshots were cropped by (released preprocessing)."""


class MotifSource:
    """The traces below `path` and, after them, the traces that tables there list and that have no folder.

    The latter are episodes without steps: a goal, a label and the splits. The tables are read once, on first use.
    """

    format = FORMAT.name

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: Tables | None = None
        self._reading = threading.Lock()
        layout = TraceLayout(
            format=self.format,
            pictures="screens",
            gestures=_gestures,
            task=self._task,
            frame=self._frame,
            place=_place,
            refine=infer_typing,
            gesture_file=METADATA,
        )
        self._traces = FolderSource(
            self.format,
            path,
            locate=locate_trace,
            identify=_trace_id,
            load=lambda folder, name: read_trace(folder, name, layout),
            outline=lambda folder, name: outline_trace(folder, name, layout),
        )

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Problems of the tables, the traces in walking order, then the listed ids without a trace."""
        tables = self._tables()
        yield from tables.problems
        seen: set[str] = set()
        for row in self._traces.scan():
            seen.add(row.id if isinstance(row, EpisodeSummary) else row.episode)
            yield row
        for trace, table in tables.listed.items():
            if trace not in seen:
                yield summarise(self._listed(trace, tables), table)

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The trace of that id, else what the tables say of it; errors as those of `FolderSource.read`."""
        tables = self._tables()
        if place and tables.listed.get(episode_id) == place:
            return self._listed(episode_id, tables)
        try:
            return self._traces.read(episode_id, place)
        except UsageError:
            if episode_id not in tables.listed:
                raise
            return self._listed(episode_id, tables)

    def _tables(self) -> Tables:
        with self._reading:
            if self._read is None:
                self._read = read_tables(self.path)
            return self._read

    def _listed(self, trace: str, tables: Tables) -> Episode:
        findings = Findings(trace, tables.base)
        task = listed_task(trace, tables, findings)
        return Episode(
            id=trace,
            format=self.format,
            platform=Platform.ANDROID,
            goal=task.goal,
            steps=(),
            feasibility=task.feasibility,
            splits=task.splits,
            problems=findings.as_tuple(),
        )

    def _task(self, folder: Path, findings: Findings) -> TraceMetadata:
        return read_task(folder, _trace_id(folder), self._tables(), findings)

    def _frame(self, folder: Path, states: list[TraceState], findings: Findings) -> Size:
        listed = self._tables().frames.get(_trace_id(folder))
        return listed or _frame_of(states, findings)


def _trace_id(folder: Path) -> str:
    return folder.name or folder.absolute().name


def _gestures(folder: Path) -> Mapping[str, Any]:
    form = read_small_json(folder, METADATA)
    gestures = mapping_of(form).get("gestures")
    if not isinstance(gestures, dict):
        message = "the file is not there" if form is ABSENT else f"{METADATA} has no object `gestures`"
        raise SourceError(message, place=folder / METADATA, field="gestures")
    return gestures


def _frame_of(states: list[TraceState], findings: Findings) -> Size:
    """Size of the view hierarchies' frame: the first root that starts at (0, 0), as in the released `get_screen_dims`.

    Where there is none RICO's 1440 × 2560 is assumed and said (ours).
    """
    for state in states:
        try:
            left, top, right, bottom = edge_numbers(state.hierarchy.root_bounds if state.hierarchy else None)
        except ValueError:
            continue
        if (left, top) == (0, 0) and right >= 1 and bottom >= 1:
            return Size(int(right), int(bottom))
    if any(state.hierarchy is not None for state in states):
        findings.add(
            f"no root starts at (0, 0) and {EXCEPTIONS} does not list the trace: boxes are placed as on {FRAME}",
            field="view_hierarchy",
        )
    return FRAME


def _place(frame: Size, size: Size) -> Placement:
    """x · w / frame_w; y · (h + 65) / frame_h − 65 (released `convert_view_to_screen_dims`)."""
    return Placement(size, size.width / frame.width, (size.height + STATUS_BAR) / frame.height, -STATUS_BAR)


def open_motif(path: Path) -> MotifSource:
    """A data set root, one app's folder, one trace, or the tables alone; ids are the trace ids."""
    return MotifSource(path)


def infer_typing(steps: list[Step]) -> list[Step]:
    """Typed text, which MoTIF does not record, from the text fields' contents.

    The released code books a typing where an EditText has a text that none had before. Here (ours): a tap on an
    EditText, or a state without a gesture, after which an EditText shows such a text, is the typing of that text;
    without a gesture the same field must be there before. Everything else stays what it was.
    """
    known: set[str] = set()
    found = list(steps)
    for place, (step, following) in enumerate(pairwise(steps)):
        known.update(field.text.lower() for field in _fields(step.observation))
        fresh = [field for field in _fields(following.observation) if field.text.lower() not in known | {""}]
        if fresh:
            found[place] = _typing(step, fresh) or step
    return found


def _fields(seen: Observation) -> list[UIElement]:
    return [element for element in seen.tree or () if element.editable and element.visible]


def _typing(step: Step, fresh: list[UIElement]) -> Step | None:
    fields = _fields(step.observation)
    if isinstance(step.action, Tap):
        tapped = step.action
        touched = [field for field in fields if tapped.point is not None and field.box.contains(tapped.point)]
        if touched:
            new = next((new for new in fresh if any(_same(new, field) for field in touched)), fresh[0])
            return replace(step, action=Type(new.text, tapped.point, tapped.target))
    elif step.action is None:
        new_again = next((new for new in fresh if any(_same(new, field) for field in fields)), None)
        if new_again is not None:
            return replace(step, action=Type(new_again.text))
    return None


def _same(one: UIElement, other: UIElement) -> bool:
    """Whether two elements of consecutive states are one field: by resource id, without one by place."""
    if one.resource_id or other.resource_id:
        return one.resource_id == other.resource_id
    return one.box == other.box
