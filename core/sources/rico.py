"""RICO interaction traces: `<app>/trace_<n>/{screenshots,view_hierarchies}/` and `gestures.json`.

Gestures are fractions of the screen; boxes lie in a 1440 × 2560 frame whatever the picture's size (and whatever the
root element covers: it often leaves out the navigation bar or is a dialog). Checked against real traces. There is no
task text and no feasibility label. Facts: Deka et al., "Rico", UIST 2017, and the traces themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.small_files import ABSENT, read_small_json
from stepscope.core.sources.sniffers.rico import FORMAT, GESTURES, locate
from stepscope.core.sources.traces import (
    FRAME,
    TraceLayout,
    TraceMetadata,
    TraceState,
    outline_trace,
    read_trace,
    trace_id,
)
from stepscope.core.sources.tree_builder import Placement


def _gestures(folder: Path) -> Mapping[str, Any]:
    form = read_small_json(folder, GESTURES)
    if not isinstance(form, dict):
        message = "the file is not there" if form is ABSENT else "the gestures are no JSON object"
        raise SourceError(message, place=folder / GESTURES, field="gestures")
    return form


def _task(folder: Path, findings: Findings) -> TraceMetadata:
    return TraceMetadata()


def _frame(folder: Path, states: list[TraceState], findings: Findings) -> Size:
    return FRAME


def _place(frame: Size, size: Size) -> Placement:
    return Placement.stretched(frame.width, frame.height, size)


LAYOUT = TraceLayout(FORMAT.name, "screenshots", _gestures, _task, _frame, _place, numbered=True, gesture_file=GESTURES)


def open_rico(path: Path) -> FolderSource:
    """A data set root, one app's folder or one trace; ids are `<app>/<trace>`."""
    return FolderSource(
        FORMAT.name,
        path,
        locate=locate,
        identify=trace_id,
        load=lambda folder, name: read_trace(folder, name, LAYOUT),
        outline=lambda folder, name: outline_trace(folder, name, LAYOUT),
    )
