"""Recorded episodes opened as a device: `replay:PATH` or `replay:PATH#app`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from stepscope.app.services.recordings_consent import check_consent
from stepscope.core.device.device import DeviceError
from stepscope.core.device.replay import ReplayDevice
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.registry import open_source

PREFIX = "replay:"
MOST_EPISODES = 500
"""Later episodes of a large source are left out: their screens would have to be looked at first."""


def open_replay(serial: str) -> ReplayDevice:
    """The demonstrations at PATH, those of one app only where it is named; blocks while their screens are compared.

    Raises UsageError for an unknown app, SourceError for what cannot be read, DeviceError where nothing can be shown.
    """
    path, _, app = serial.removeprefix(PREFIX).partition("#")
    episodes = read_episodes(Path(path), app)
    name = app or Path(path).absolute().name
    return ReplayDevice(episodes, serial=serial, name=f"Recorded: {name}", title=_title)


def check_replayed(serial: str, models: Iterable[str]) -> None:
    """Before these models see what a device of that serial shows: screens that are replayed are data. Raises
    ConsentNeededError for recordings that a person has not agreed to send, and what opening the data raises."""
    if serial.startswith(PREFIX):
        source = open_source(Path(serial.removeprefix(PREFIX).partition("#")[0]))
        for model in models:
            check_consent(source, model)


def read_episodes(path: Path, app: str = "") -> list[Episode]:
    """The first episodes of phones at `path`, of `app` (package or the last part of it) where it is named."""
    source = open_source(path)
    rows = [row for row in source.scan() if isinstance(row, EpisodeSummary) and row.platform is Platform.ANDROID]
    wanted = [row for row in rows if not app or app.casefold() in (row.app or "", _title(row.app or "").casefold())]
    if app and not wanted:
        known = ", ".join(sorted({row.app for row in rows if row.app})) or "none"
        raise UsageError(f"there is no episode of the app {app!r}", place=path, hint=f"Apps: {known}.")
    found = []
    for row in islice(wanted, MOST_EPISODES):
        try:
            found.append(source.read(row.id, row.place))
        except SourceError:
            continue  # a broken episode costs itself
    if not found:
        raise DeviceError("there are no episodes of phones here", place=path, hint="Name recordings or a data set.")
    return found


def _title(package: str) -> str:
    """ "Shop" for org.example.shop."""
    return package.rsplit(".", 1)[-1].title()
