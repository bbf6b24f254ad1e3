"""What is seen of a live screen besides its picture: the UI tree over it and beside it, screenshots, and an app that is
installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.live.live_controller import LiveController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import safe_name
from stepscope.core.device.device import Device, DeviceInfo
from stepscope.core.device.session import LiveSession, PerformedAction, ScreenSnapshot
from stepscope.core.domain.layers import Layer
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.imaging.decode import decode_bytes
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import duration
from stepscope.widgets.screen.picture import image_of

if TYPE_CHECKING:
    from stepscope.widgets import live as live_views
else:
    live_views = lazy_module("stepscope.widgets.live")

REST_MS = 400
"""The tree is read once the picture has stood still so long, or …"""
LONGEST_MS = 2000
"""… when it has moved so long without being read."""
OLD_SECONDS = 2.0
"""From here on the age of a tree is told."""
APK = "Android apps (*.apk)"


class LiveScreenController(QObject):
    """Reads the tree while somebody looks at it: its layer or its tab is shown. `seen(ScreenSnapshot)`: the newest
    look."""

    seen = Signal(object)

    _installing = Signal(float)

    def __init__(self, context: Context, live: LiveController) -> None:
        super().__init__(context)
        self._context, self._live = context, live
        self._seen: ScreenSnapshot | None = None
        self._looking = False
        self._connected = False
        self._moved = 0.0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._look)
        self._installing.connect(self._sent, Qt.ConnectionType.QueuedConnection)
        live.session_changed.connect(self._session_changed)
        live.frame_shown.connect(self._frame_shown)
        live.acted.connect(self._acted)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "device.screenshot": self.screenshot,
            "device.save_screen": self.save_screen,
            "device.install": self.ask_for_app,
        }

    def enter(self) -> None:
        """The workspace comes to the front for the first time."""
        if self._connected:
            return
        self._connected = True
        parts = self._live.parts
        view, side = parts.centre.view, parts.side
        parts.centre.tools.layers_changed.connect(lambda _layers: self._ask())
        side.currentChanged.connect(lambda _page: self._ask())
        view.element_hovered.connect(side.tree.hover_element)
        view.element_chosen.connect(self._chosen_on_screen)
        side.tree.element_hovered.connect(view.light_element)
        side.tree.element_selected.connect(view.choose_element)
        parts.centre.strip.wanted.connect(lambda tool: self.screenshot() if tool == "shot" else None)
        parts.left.drop.apk_dropped.connect(lambda path: self.install(Path(path)))
        parts.left.drop.browse_requested.connect(self.ask_for_app)
        view.apk_dropped.connect(lambda path: self.install(Path(path)))
        side.log.save_requested.connect(self.save_log)
        self._show_drop()

    # The tree --------------------------------------------------------------------------------------------------------

    @property
    def is_wanted(self) -> bool:
        """Somebody looks at the tree."""
        parts = self._live.parts
        layers = parts.centre.tools.layers
        return Layer.TREE in layers or Layer.LABELS in layers or parts.side.shows_tree

    def _session_changed(self) -> None:
        self._seen, self._looking = None, False
        self._rest.stop()
        if self._connected:
            self._live.parts.side.tree.set_tree(None)
            self._live.parts.centre.set_tree(None)
            self._show_drop()

    def _frame_shown(self) -> None:
        self._ask(REST_MS)

    def _acted(self, _acted: PerformedAction) -> None:
        self._live.parts.centre.set_tree_stale(True)
        self._ask(REST_MS)

    def _ask(self, milliseconds: int = 0) -> None:
        """Look once the picture rests; one that never does is looked at all the same."""
        if self._live.current is None or not self._connected or not self.is_wanted:
            return
        now = time.monotonic()
        if not self._rest.isActive():
            self._moved = now
        left = LONGEST_MS - (now - self._moved) * 1000
        self._rest.start(max(0, min(milliseconds, int(left))))

    def _look(self) -> None:
        session = self._live.current
        if session is None or self._looking:
            return
        self._looking = True
        self._live.answers.when(
            session.look(), lambda seen: self._take(session, seen), lambda error: self._not_seen(session, error)
        )

    def _take(self, session: LiveSession, seen: ScreenSnapshot) -> None:
        if session is not self._live.current:
            return
        self._looking = False
        parts = self._live.parts
        if seen is self._seen:
            parts.centre.set_tree_stale(False)
            return
        self._seen = seen
        parts.centre.set_tree(seen.tree)
        if seen.tree is not None:
            parts.side.tree.set_tree(seen.tree, others=True)
        else:
            parts.side.tree.set_error(
                "No UI tree of this screen", f"{seen.tree_problem[:1].upper()}{seen.tree_problem[1:]}."
            )
        age = time.monotonic() - seen.at
        parts.centre.tools.set_note(f"Tree of {duration(age)} ago" if age > OLD_SECONDS else "")
        self.seen.emit(seen)

    def _not_seen(self, session: LiveSession, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        if session is self._live.current:
            self._looking = False
            self._live.parts.centre.set_tree_stale(True)

    def _chosen_on_screen(self, element: int) -> None:
        self._live.parts.side.tree.select_element(element)

    # Pictures --------------------------------------------------------------------------------------------------------

    def screenshot(self) -> None:
        """Keep the screen as it is now: a file among the person's pictures, and the clipboard."""
        session, info = self._live.current, self._live.info
        if session is None or info is None:
            return

        def take(device: Device) -> tuple[bytes, Pixels]:
            return (picture := device.screenshot()), decode_bytes(picture)

        def shot(taken: tuple[bytes, Pixels]) -> None:
            picture, pixels = taken
            QGuiApplication.clipboard().setImage(image_of(pixels))
            path = _free(pictures_folder(), info, ".png")
            self._context.start(
                "save screenshot",
                lambda _token: _write(path, picture),
                lambda _nothing: self._context.messages.done(f"Saved {path.name} in {path.parent}, and copied it"),
                lane="writer",
            )

        self._live.answers.when(session.do(take), shot)

    def save_screen(self) -> None:
        """Screen and tree as a recording of one step, which any data set's window opens."""
        session, info = self._live.current, self._live.info
        if session is None or info is None:
            return
        start = str(_free(pictures_folder(), info, ""))
        chosen, _ = QFileDialog.getSaveFileName(
            self._context.dialog_parent, "Save screen and tree in a new folder", start
        )
        if not chosen:
            return

        def save(seen: ScreenSnapshot) -> None:
            self._context.start(
                "save screen",
                lambda _token: write_screen(Path(chosen), seen),
                lambda _nothing: self._context.messages.done(f"Saved the screen and its tree in {Path(chosen).name}"),
                lane="writer",
            )

        self._live.answers.when(session.look(fresh=True), save)

    def save_log(self) -> None:
        """The log as a text file."""
        chosen, _ = QFileDialog.getSaveFileName(
            self._context.dialog_parent, "Save the log", str(Path.home() / "device log.txt"), "Text (*.txt)"
        )
        if chosen:
            path, text = Path(chosen), self._live.parts.side.log.text()
            self._context.start(
                "save log",
                lambda _token: _write(path, text.encode()),
                lambda _nothing: self._context.messages.done(f"Wrote {path.name}"),
                lane="writer",
            )

    # Apps ------------------------------------------------------------------------------------------------------------

    def ask_for_app(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._context.dialog_parent, "Install an app", str(Path.home()), APK)
        if chosen:
            self.install(Path(chosen))

    def install(self, path: Path) -> None:
        """Send an app to the device and install it there."""
        session = self._live.current
        if session is None:
            return
        drop = self._live.parts.left.drop
        drop.show_state(live_views.InstallState(f"Sending {path.name}", 0.0))
        self._live.log("news", f"Installing {path.name}")

        def done(_nothing: object) -> None:
            drop.show_state(live_views.InstallState(f"{path.name} is installed", None, "done"))
            self._live.log("said", f"{path.name} is installed")

        def failed(error: Exception) -> None:
            words = str(error) if isinstance(error, UserError) else ""
            drop.show_state(live_views.InstallState(words, None, "error"))
            self._live.failed(error)

        self._live.answers.when(session.do(lambda device: device.install(path, self._installing.emit)), done, failed)

    def _sent(self, share: float) -> None:
        words = "Installing" if share >= 1 else "Sending the app"
        self._live.parts.left.drop.show_state(live_views.InstallState(words, share))

    def _show_drop(self) -> None:
        takes = self._context.conditions.holds("installs")
        why_not = "" if takes else "No phone is connected" if self._live.current is None else "This phone takes no apps"
        self._live.parts.left.drop.show_state(live_views.InstallState(why_not=why_not))

    def end(self) -> None:
        self._rest.stop()


def pictures_folder() -> Path:
    """Where screenshots go: the desktop's folder of pictures."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
    return Path(place or Path.home()) / "Stepscope"


def _free(folder: Path, info: DeviceInfo, suffix: str) -> Path:
    """A name that nobody has yet."""
    base = f"{safe_name(info.name)} {datetime.now():%Y-%m-%d %H.%M.%S}"
    path, number = folder / f"{base}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{base} {number}{suffix}"
    return path


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise UserError(f"it cannot be written: {reason(error)}", place=path, hint=advice(error)) from error


def write_screen(folder: Path, seen: ScreenSnapshot) -> None:
    """One look as a recording with one step and no action."""
    from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
    from stepscope.core.sources.recording_writer import RecordingWriter

    suffix = Path("screen.png")
    step = Step(0, Observation(seen.size, Picture(suffix, seen.size), seen.tree, 0.0, seen.activity), None)
    writer = RecordingWriter(folder)
    writer.add(step, seen.picture)
    writer.save(Episode(folder.name, "recording", Platform.ANDROID, "", (step,)))
