"""Small pictures for the strip of the recording that is being made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.imaging.probe import probe_picture
from stepscope.widgets.screen import ScreenPicture

if TYPE_CHECKING:
    from stepscope.app.services.live.recording import RecordingSession
    from stepscope.widgets.live import RecordingStrip

THUMBNAIL = Size(72, 132)


class StripPictures(QObject):
    """Reads them from the recording's folder as the strip asks; those that are not written yet come when they are."""

    def __init__(
        self, context: Context, strip: RecordingStrip, recording: Callable[[], RecordingSession | None]
    ) -> None:
        super().__init__(context)
        self._context, self._strip, self._recording = context, strip, recording
        self._missing: set[int] = set()
        strip.thumbnails_wanted.connect(self._fetch)

    def ask_again(self) -> None:
        """Ask again for pictures that were missing: more have been written."""
        missing, self._missing = self._missing, set()
        self._fetch(sorted(missing))

    def _fetch(self, places: list[int]) -> None:
        recording = self._recording()
        entries = recording.recorded.entries if recording is not None else ()
        for place in places:
            step = entries[place].step if place < len(entries) else None
            path = recording.picture_of(step.index) if recording is not None and step is not None else None
            if path is not None and recording is not None:
                self._fetch_one(recording, place, path)
            elif step is not None:
                self._missing.add(place)

    def _fetch_one(self, recording: RecordingSession, place: int, path: Path) -> None:
        cache = self._context.thumbnails

        def small(_token: object) -> ScreenPicture | None:
            try:
                return cache.get(Picture(path, probe_picture(path).size), THUMBNAIL)
            except UserError:
                return None

        def arrived(picture: ScreenPicture | None) -> None:
            if picture is not None and recording is self._recording():
                self._strip.set_thumbnail(place, picture.image)

        self._context.start("thumbnail", small, arrived, priority=-1)
