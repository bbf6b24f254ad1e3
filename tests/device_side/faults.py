"""What can be wrong with a device, as switches that a test turns while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.core.domain.geometry import Size

IDLE = "ERROR: could not get idle state."
NULL_ROOT = "ERROR: null root node returned by UiTestAutomationBridge."


@dataclass(slots=True)
class Faults:
    """All off at first.

    `dump_seconds`: what `uiautomator dump` takes. `dump_answer`: said instead of a dump; for the next
    `dump_failures` dumps, or for ever where that is None. `dump_cut`: bytes of the dump that come.
    `video_cut_after`: bytes of the next video after which it ends; `unplug_after`: bytes after which the cable is
    pulled (both turn themselves off). `video_garbage`: random bytes instead of video, without end; `flood`:
    pictures without end, as fast as they are taken. `black`: the window in front forbids pictures. `claimed_size`:
    what `wm size` and the like say instead of the truth. `endless`: every command talks without end. `silent`: no
    command says or ends anything. `cut_png`: bytes of a screenshot that come. `no_scrcpy`: the server does not
    start. `no_screenrecord`: there is no such program. `scrcpy_says`, `screenrecord_says`: all that comes instead of
    the video. `no_terminal`: a dump to /dev/tty does not reach the caller. `no_touch`: a computer may not touch it.
    `no_turn`: the app in front wants the screen as it is.
    """

    dump_seconds: float = 0.0
    dump_answer: str = ""
    dump_failures: int | None = None
    dump_cut: int | None = None
    video_cut_after: int | None = None
    unplug_after: int | None = None
    video_garbage: bool = False
    flood: bool = False
    black: bool = False
    claimed_size: Size | None = None
    endless: bool = False
    silent: bool = False
    cut_png: int | None = None
    no_scrcpy: bool = False
    no_screenrecord: bool = False
    scrcpy_says: bytes | None = None
    screenrecord_says: bytes | None = None
    no_terminal: bool = False
    no_touch: bool = False
    no_turn: bool = False

    def failed_dump(self) -> str:
        """What a dump says instead of its tree now, "" when it works."""
        if not self.dump_answer or self.dump_failures == 0:
            return ""
        if self.dump_failures is not None:
            self.dump_failures -= 1
        return self.dump_answer
