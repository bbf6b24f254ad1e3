"""A step's screenshot: found, measured, or missing for a reason that is kept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import probe_picture
from stepscope.core.sources.files import safe_join
from stepscope.core.sources.findings import Findings

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


def find_picture(folder: Path, name: str, step: int, findings: Findings) -> Picture | None:
    """The picture called `name` below `folder`, measured; None with a finding when it cannot be shown.

    A picture that several steps name is measured once: looking for the end of a hostile one takes tenths of a second.
    """
    found = findings.pictures.get((folder, name))
    if found is None:
        found = findings.pictures[folder, name] = _measured(folder, name)
    if isinstance(found, Picture):
        return found
    findings.add_error(found, step=step, field="screenshot", file=folder / name)
    return None


def _measured(folder: Path, name: str) -> Picture | SourceError:
    try:
        path = safe_join(folder, name)
        return Picture(path, probe_picture(path).size)
    except SourceError as error:
        return error.with_traceback(None)


def common_size(pictures: Iterable[Picture | None]) -> Size | None:
    """The size of the first picture that has one: the frame of steps whose own picture is missing."""
    return next((picture.size for picture in pictures if picture is not None), None)
