"""An example of a format of your own: tap logs, one folder per episode with `taps.csv` and its pictures.

<episode>/taps.csv     goal in the first line, then one line a step: picture,x,y (pixels of the picture)
<episode>/0.png …      the pictures that the lines name
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import read_text
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.look import Listing
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.source import Format, sniffer

_SCREEN = Size(1080, 2400)
"""The frame of a step whose picture is missing."""


def read_episode(folder: Path, episode_id: str) -> Episode:
    """The episode in a folder; SourceError when `taps.csv` cannot be read."""
    findings = Findings(episode_id, folder)
    try:
        rows = list(csv.reader(read_text(folder / "taps.csv").splitlines()))
    except csv.Error as error:
        raise SourceError(f"taps.csv is broken: {error}", place=folder / "taps.csv") from error
    if not rows:
        raise SourceError("taps.csv is empty", place=folder / "taps.csv")
    steps = []
    for index, row in enumerate(rows[1:]):
        picture = find_picture(folder, row[0], index, findings) if row else None
        size = picture.size if picture else _SCREEN
        action = None
        try:
            action = Tap(Point(float(row[1]), float(row[2]), size))
        except (ValueError, IndexError):
            findings.add("a line must be picture,x,y", step=index, field="action", file="taps.csv")
        steps.append(Step(index, Observation(size, picture), action))
    return Episode(
        id=episode_id,
        format="tap_log",
        platform=Platform.ANDROID,
        goal=",".join(rows[0]),
        steps=tuple(steps),
        problems=findings.as_tuple(),
    )


def locate(listing: Listing) -> Iterator[Path]:
    """A folder with a `taps.csv` is an episode."""
    if "taps.csv" in listing.files:
        yield listing.folder


def open_tap_log(path: Path) -> FolderSource:
    """The data set's root or one episode; ids are the folders' names."""
    return FolderSource("tap_log", path, locate=locate, identify=lambda folder: folder.name, load=read_episode)


FORMAT = Format(
    name="tap_log",
    title="Tap logs of our lab",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=open_tap_log,
)
