"""Steps painted before they are asked for, each as the whole view shows it: showing one is then a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QImage

from stepscope.widgets.screen.content import ScreenContent
from stepscope.widgets.screen.viewport import Viewport

_KEPT = 3
"""The step that is shown, the one before and the one after."""
_MOST_PIXELS = 8_000_000
"""Device pixels of a view for which frames are kept: a screen of 3840 × 2160 is all of them."""


class StepFrames:
    """Keeps the latest few frames, by what they show and where in the view it lies. Forget them when they would be
    painted otherwise for any other reason."""

    def __init__(self) -> None:
        self._kept: list[tuple[ScreenContent, Viewport, QImage]] = []

    def forget(self) -> None:
        self._kept.clear()

    def find(self, content: ScreenContent, viewport: Viewport) -> QImage | None:
        """The frame that shows just this."""
        for place, (shown, seen, image) in enumerate(self._kept):
            if seen == viewport and shown == content:
                self._kept.append(self._kept.pop(place))
                return image
        return None

    def missing(self, wanted: Sequence[tuple[ScreenContent, Viewport]]) -> list[tuple[ScreenContent, Viewport]]:
        """Which of the wanted frames are not there; those that are stay longest."""
        return [one for one in wanted if self.find(*one) is None]

    def keep(self, content: ScreenContent, viewport: Viewport, paint: Callable[[QImage], object]) -> bool:
        """Have `paint` paint the frame, unless it is there or would be too large: whether it was painted."""
        width, height = round(viewport.width * viewport.ratio), round(viewport.height * viewport.ratio)
        if width * height > _MOST_PIXELS or self.find(content, viewport) is not None:
            return False
        image = self._kept.pop(0)[2] if len(self._kept) == _KEPT else QImage()
        if (image.width(), image.height()) != (width, height):  # else painted over: fresh memory takes long to get
            image = QImage(width, height, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(viewport.ratio)
        paint(image)
        self._kept.append((content, viewport, image))
        return True
