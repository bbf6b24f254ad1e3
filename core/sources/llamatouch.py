"""LlamaTouch's recorded tasks: `<category>/trace_<n>/` with `<i>.png`, `.xml`, `.vh`, `.activity` per state.

`instruction.txt` (id, goal) and `eventStructs.txt` (line k is done on state k; there is one state more than lines).
Trees are in pixels of the screenshot; the events in the recorder's own "Screen Resolution" and are scaled up. Checked
against a real trace; the events it has none of follow the recorder's released source. Facts: Zhang et al.,
"LlamaTouch", UIST 2024; github.com/LlamaTouch (dataset README, Evaluator's `task_trace.py`, and the web recorder).
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.csv_table import check_columns
from stepscope.core.sources.files import bound_cells, check_steps, read_bytes, read_json, read_text, safe_join, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.llamatouch_events import event_action
from stepscope.core.sources.look import Listing, find_above, list_folder
from stepscope.core.sources.screens import common_size, find_picture
from stepscope.core.sources.sniffers.llamatouch import EVENTS, FORMAT, INSTRUCTION, locate
from stepscope.core.sources.tree_builder import Placement, TreeReading
from stepscope.core.sources.ui_dumps import parse_droidbot, parse_uiautomator

_METADATA = "llamatouch_task_metadata.tsv"
_STATE_FILE = re.compile(r"(\d{1,6})\.(png|xml|vh|activity)")
_WINDOW = re.compile(r"\bu0 ([^\s}]+)")
_FALLBACK = Size(1080, 2400)
"""The recorders' emulator, used where no state has a picture."""


@dataclass(frozen=True, slots=True)
class _MetadataRow:
    """A line of the metadata table."""

    category: str
    app: str


def read_episode(folder: Path, episode_id: str) -> Episode:
    """One trace; SourceError when the folder has no states."""
    findings = Findings(episode_id, folder)
    listing = list_folder(folder)
    count = _count_states(listing)
    pictures = [find_picture(folder, f"{index}.png", index, findings) for index in range(count)]
    default = common_size(pictures) or _FALLBACK
    events = _events(folder, count, findings)
    steps = []
    for index, picture in enumerate(pictures):
        observation = _observation(folder, index, picture, default, listing, findings)
        steps.append(Step(index, observation, _action(events, index, observation, findings)))
    own_id, goal = _words(folder, findings)
    row = _metadata_row(folder, own_id)
    return Episode(
        id=episode_id,
        format="llamatouch",
        platform=Platform.ANDROID,
        goal=goal,
        steps=tuple(steps),
        app=_app([step.observation.activity for step in steps], row),
        splits=_splits(row),
        problems=findings.as_tuple(),
    )


def outline(folder: Path, episode_id: str) -> EpisodeSummary:
    """The trace's index row from the files' names and its small text files; no picture and no tree is opened."""
    findings = Findings(episode_id, folder)
    listing = list_folder(folder)
    count = _count_states(listing)
    events = _events(folder, count, findings)
    unseen = Observation(_FALLBACK)
    kinds = Counter(
        action.kind for index in range(count) if (action := _action(events, index, unseen, findings)) is not None
    )
    own_id, goal = _words(folder, findings)
    row = _metadata_row(folder, own_id)
    return EpisodeSummary(
        id=episode_id,
        goal=goal,
        app=_app([_activity(folder, index, listing, findings) for index in range(count)], row),
        platform=Platform.ANDROID,
        steps=count,
        screens=sum(f"{index}.png" in listing.files for index in range(count)),
        actions=tuple(kinds.items()),
        splits=_splits(row),
        problems=findings.as_tuple(),
        checked=False,
    )


def _count_states(listing: Listing) -> int:
    """One more than the highest number; SourceError when there are none, or too few files for so many states."""
    count = 1 + max((int(match[1]) for name in listing.files if (match := _STATE_FILE.fullmatch(name))), default=-1)
    if not count:
        raise SourceError("the trace has no states (0.png, 1.png, …)", place=listing.folder)
    if count > len(listing.files):
        message = f"the states are numbered up to {count - 1}, but most are missing"
        raise SourceError(message, place=listing.folder)
    return count


def _identity(folder: Path) -> tuple[str, str]:
    """Episode id (text: 20 digits do not fit a number) and goal, both "" where the file says nothing."""
    lines = [line.strip() for line in read_text(safe_join(folder, INSTRUCTION)).splitlines()]
    if not lines:
        return "", ""
    return text_of(lines[0]), text_of(" ".join(line for line in lines[1:] if line))


def identify(folder: Path) -> str:
    """The id in `instruction.txt`, else the folder's name."""
    try:
        return _identity(folder)[0] or folder.absolute().name
    except SourceError:
        return folder.absolute().name


def _words(folder: Path, findings: Findings) -> tuple[str, str]:
    """The episode's own id and its goal, with a finding where there is none."""
    try:
        own_id, goal = _identity(folder)
    except SourceError as error:
        findings.add_error(error, field="goal", file=INSTRUCTION)
        return folder.absolute().name, ""
    if not goal:
        findings.add("there is no goal after the episode id", field="goal", file=INSTRUCTION)
    return own_id or folder.absolute().name, goal


def _observation(
    folder: Path, index: int, picture: Picture | None, default: Size, listing: Listing, findings: Findings
) -> Observation:
    size = picture.size if picture else default
    activity = _activity(folder, index, listing, findings)
    return Observation(size, picture, _tree(folder, index, size, listing, findings), activity=activity)


def _activity(folder: Path, index: int, listing: Listing, findings: Findings) -> str:
    name = f"{index}.activity"
    if name not in listing.files:
        return ""
    try:
        return activity_of(read_text(safe_join(folder, name)))
    except SourceError as error:
        findings.add_error(error, step=index, field="activity", file=name)
        return ""


def activity_of(text: str) -> str:
    """The activity that an `.activity` file names; "" for null. Older files quote the window manager's line."""
    line = text.strip().splitlines()[0].strip() if text.strip() else ""
    window = _WINDOW.search(line)
    name = window[1] if window else line.removeprefix("mObscuringWindow=")
    return "" if name == "null" else text_of(name)


def _tree(folder: Path, index: int, size: Size, listing: Listing, findings: Findings) -> UITree | None:
    """The uiautomator dump where it can be read, else the accessibility views, and a finding that says so."""
    for suffix, reader in ((".xml", _read_dump), (".vh", _read_views)):
        name = f"{index}{suffix}"
        if name not in listing.files:
            if suffix == ".xml":
                findings.add("no dump", step=index, field="view_hierarchy", file=name)
            continue
        try:
            reading = reader(safe_join(folder, name), Placement(size))
        except SourceError as error:
            findings.add_error(error, step=index, field="view_hierarchy", file=name)
            continue
        tree = findings.tree(reading.tree, reading.notes, step=index, file=name)
        if tree is not None and len(tree):
            return tree
    findings.add("no UI tree could be read", step=index, field="view_hierarchy")
    return None


def _read_dump(path: Path, placement: Placement) -> TreeReading:
    return parse_uiautomator(read_bytes(path), placement)


def _read_views(path: Path, placement: Placement) -> TreeReading:
    return parse_droidbot(read_json(path), placement)


def _events(folder: Path, states: int, findings: Findings) -> list[str]:
    """The lines of the event file, line k for state k; blank lines at its end are none."""
    try:
        text = read_text(safe_join(folder, EVENTS))
        check_steps(text.count("\n"), folder / EVENTS)
        lines = [line.strip() for line in text.split("\n")]
    except SourceError as error:
        findings.add_error(error, field="action", file=EVENTS)
        return []
    while lines and not lines[-1]:
        lines.pop()
    for number in range(states + 1, len(lines) + 1):
        findings.add(f"line {number} has no state that it was done on", field="action", file=EVENTS)
    return lines


def _action(events: list[str], index: int, seen: Observation, findings: Findings) -> Action | None:
    if index >= len(events):
        return None
    try:
        return event_action(events[index], seen.size, seen.tree)
    except ValueError as error:
        findings.add(f"line {index + 1}: {error}", step=index, field="action", file=EVENTS)
        return None


def _app(activities: list[str], row: _MetadataRow | None) -> str | None:
    """The package seen most often after the first state (which shows what was open before), launcher left out; the
    table's name where the activities give none."""
    seen = [name.split("/")[0] for name in activities[1:] or activities]
    apps = [name for name in seen if name and "launcher" not in name.lower() and "systemui" not in name.lower()]
    return Counter(apps).most_common(1)[0][0] if apps else (row.app if row else "") or None


def _splits(row: _MetadataRow | None) -> tuple[str, ...]:
    return (row.category,) if row and row.category else ()


def _metadata_row(folder: Path, episode: str) -> _MetadataRow | None:
    path = find_above(folder, _METADATA)
    try:
        return _metadata(path, path.stat().st_mtime_ns).get(episode) if path else None
    except (SourceError, OSError, csv.Error):
        return None


@lru_cache(maxsize=4)
def _metadata(path: Path, changed: int) -> Mapping[str, _MetadataRow]:
    """The table of all tasks by episode id: episode, category, path, description, nsteps, app."""
    text = read_text(path)
    check_columns(text, "\t", path)
    bound_cells()
    rows = csv.reader(text.splitlines(), delimiter="\t")
    return {row[0]: _MetadataRow(row[1], row[5]) for row in rows if len(row) >= 6 and row[0] != "episode"}


def open_llamatouch(path: Path) -> FolderSource:
    """The data set's root, one category or one trace; ids are the 20-digit episode numbers as text."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_episode, outline=outline)
