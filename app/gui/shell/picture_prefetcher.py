"""The window's pictures: whole ones and small ones, each kept within a bound, and fetched before they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.cache import Gate, PictureCache
from stepscope.core.imaging.decode import decode_draft
from stepscope.core.imaging.fetcher import Fetcher, PictureRequest
from stepscope.widgets.screen import ScreenPicture, decode_for_screen

SMALL = Size(400, 600)
"""Small pictures fit into this: for the timeline, and for a step that one hurries past."""
STEP_THUMBNAIL = Size(96, 220)
"""Pictures of steps in lists and timelines fit into this."""
SMALL_BYTES = 64 * 2**20
"""Bound of the small pictures, apart so that neither kind pushes out the other."""

LARGE = 12_000_000
"""Pixels from which on a draft of the picture is worth its time: a page of 7.4 million takes 17 to 21 ms of
processor time, and its draft 9, for which the whole would wait."""
DRAFT_DIVISOR = 4

HELD_MS = 100
"""So long nothing is fetched ahead at most while a step is to be painted, which may be one that is not seen."""

STRIPS = ("timeline", "review")
"""Strips of small pictures; what one of them drops is no other's."""

Arrived = Callable[[Picture, ScreenPicture], object]


class PicturePrefetcher(QObject):
    """`whole` and `small` are caches. What is wished for the screen comes before what is for a strip; answers come in
    the GUI thread."""

    _came = Signal(object, object, object)

    def __init__(self, limit: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gate = gate = Gate()
        self.small: PictureCache[ScreenPicture] = PictureCache(self._decode_small, SMALL_BYTES)
        self.whole: PictureCache[ScreenPicture] = PictureCache(decode_for_screen, limit, gate, self._keep_small)
        self._fetcher: Fetcher[ScreenPicture] = Fetcher(gate, ("screen", *STRIPS))
        self._came.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._held = ExitStack()
        self._holding = QTimer(self)
        self._holding.setSingleShot(True)
        self._holding.setInterval(HELD_MS)
        self._holding.timeout.connect(self.go_on)

    def request(self, pictures: Iterable[Picture], arrived: Arrived, *, threads: int = 1) -> None:
        """Fetch whole pictures for the screen, in order, instead of those that were wanted before."""
        wishes = [self._wish(self.whole, picture, None, arrived) for picture in pictures]
        self._fetcher.request("screen", wishes, threads=threads)

    def want_small(self, strip: str, pictures: Iterable[Picture], arrived: Arrived) -> None:
        """Fetch small pictures for a strip too, once the screen has its own."""
        self._fetcher.want_more(strip, [self._wish(self.small, picture, SMALL, arrived) for picture in pictures])

    def drop_small(self, strip: str) -> None:
        """Drop a strip's requests for small pictures that were not fetched yet."""
        self._fetcher.drop(strip)

    def hold_back(self) -> None:
        """Begin to decode nothing ahead until `go_on`: a step is about to be painted, and a decoder that lets no other
        thread run would be waited for."""
        if not self._holding.isActive():
            self._held.enter_context(self._gate.waiting())
            self._holding.start()

    def go_on(self) -> None:
        self._holding.stop()
        self._held.close()

    def at_hand(self, picture: Picture) -> ScreenPicture | None:
        """The whole picture or a small version, whatever is kept."""
        return self.whole.peek(picture) or self.small.peek(picture, SMALL)

    def small_at_hand(self, picture: Picture) -> ScreenPicture | None:
        """The small version, if it is kept."""
        return self.small.peek(picture, SMALL)

    def draft(self, picture: Picture) -> ScreenPicture | None:
        """A large picture much reduced, where that is quicker to be had than the whole; for a worker's thread. Raises
        SourceError."""
        with self._gate.waiting():
            pixels = decode_draft(picture, DRAFT_DIVISOR) if picture.size.width * picture.size.height > LARGE else None
        return ScreenPicture.from_pixels(pixels) if pixels is not None else None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left to fetch."""
        return self._fetcher.wait_until_idle(0)

    def clear(self) -> None:
        self.whole.clear()
        self.small.clear()

    def close(self) -> None:
        self.go_on()
        self._fetcher.close()

    def _wish(
        self, cache: PictureCache[ScreenPicture], picture: Picture, size: Size | None, arrived: Arrived
    ) -> PictureRequest[ScreenPicture]:
        return PictureRequest(cache, picture, size, lambda fetched: self._came.emit(arrived, picture, fetched))

    def _tell(self, arrived: Arrived, picture: Picture, fetched: ScreenPicture) -> None:
        arrived(picture, fetched)

    def _decode_small(self, picture: Picture, size: Size | None) -> ScreenPicture:
        whole = self.whole.peek(picture)
        return whole.small if whole is not None else decode_for_screen(picture, size)

    def _keep_small(self, picture: Picture, size: Size | None, whole: ScreenPicture) -> None:
        if size is None:
            self.small.put(picture, SMALL, whole.small)
