"""Small screens for the tiles that are seen, decoded in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.core.domain.geometry import Size

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from stepscope.app.services.error_causes import Place, WrongStep
    from stepscope.core.domain.episode import Picture
    from stepscope.widgets.grid.tile_area import TileArea

LARGE = Size(900, 1600)
"""The room for the one that is shown large."""
SCREEN = Size(360, 1600)
"""The room that a screen is decoded for: a phone's is 360 × 800 then."""


class GridPictures(QObject):
    def __init__(self, context: Context, area: TileArea, step_of: Callable[[Place], WrongStep | None]) -> None:
        super().__init__(context)
        self._context, self._area, self._step_of = context, area, step_of
        area.pictures_wanted.connect(self._fetch)

    def _fetch(self, keys: list[Place]) -> None:
        for key in keys:
            step = self._step_of(key)
            if step is not None and step.picture is not None:
                self._fetch_one(key, step.picture)

    def fetch_large(self, key: Place, arrived: Callable[[Place, QImage], object]) -> None:
        """Tell the screen of one step in the size in which it is shown alone."""
        step = self._step_of(key)
        if step is not None and step.picture is not None:
            self._context.thumbnail(step.picture, LARGE, lambda image: arrived(key, image), priority=1)

    def _fetch_one(self, key: Place, picture: Picture) -> None:
        self._context.thumbnail(picture, SCREEN, lambda image: self._area.set_picture(key, image))
