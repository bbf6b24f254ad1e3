"""Opening the window."""

from __future__ import annotations

import gc
import logging
import os
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QCursor, QIcon
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.crash import CrashGuard
from stepscope.app.gui.shell.display import has_display
from stepscope.app.gui.shell.garbage import GarbageKeeper
from stepscope.app.gui.workbench import StartupRequest, Workbench
from stepscope.core.domain.link import is_link
from stepscope.core.plain_text import PlainFormatter, safe
from stepscope.core.settings import default_store_url, user_log_dir

STYLE = ("-style", "Fusion")
ICON = Path(__file__).resolve().parents[2] / "resources" / "icons" / "stepscope.svg"


def open_window(arguments: list[str], *, store_url: str = "", fresh: bool = False) -> int:
    """Show the workbench on the paths in `arguments`; returns the exit status when it was closed.

    `fresh` begins on the sample data instead of where the last session ended.
    """
    if not has_display() and not os.environ.get("QT_QPA_PLATFORM"):
        print(
            "stepscope: there is no display to open the window on. Use a subcommand (stepscope --help), or `make run`, "
            "which works offscreen.",
            file=sys.stderr,
        )
        return 2
    link = next(filter(is_link, arguments), "")
    paths = [Path(argument) for argument in arguments if not is_link(argument)]
    missing = [path for path in paths if not path.exists()]
    if missing:
        place = safe(str(missing[0]).replace("\n", " "))
        print(f"stepscope: {place}: there is nothing at this place. Check the spelling.", file=sys.stderr)
        return 2
    application = make_application()
    coming: tuple[AppFolders, StartupRequest] | None
    coming = AppFolders.of_user(store_url or default_store_url()), StartupRequest(tuple(paths), fresh, link)
    status = 0
    while coming is not None:
        status, coming = _one_window(application, *coming)
    return status


def _one_window(
    application: QApplication, places: AppFolders, beginning: StartupRequest
) -> tuple[int, tuple[AppFolders, StartupRequest] | None]:
    """Show a window until it is closed; its exit status, and with what another is to open after it."""
    workbench = Workbench(application, places)
    guard = CrashGuard(user_log_dir(), workbench.help.show_crash)
    left_behind = guard.install()
    workbench.begin(beginning)
    garbage = garbage_keeper(workbench)
    QTimer.singleShot(0, garbage, lambda: _collect_garbage_again(garbage))
    if left_behind:
        workbench.help.tell_of_crash(left_behind)
    status = application.exec()
    guard.remove()
    garbage.end()
    coming = workbench.succeeded_by
    if coming is not None:
        for thing in (workbench.window, workbench.context, workbench):
            thing.deleteLater()
    return status, coming


def garbage_keeper(workbench: Workbench) -> GarbageKeeper:
    """What says when garbage is collected in this window's process; somebody has to let it begin."""

    def signs() -> object:
        at_work = bool(workbench.context.tasks.tasks)  # somebody may be looking on
        return object() if at_work else (QCursor.pos().toTuple(), workbench.viewer.asked_at)

    return GarbageKeeper(workbench.context, signs)


def _collect_garbage_again(keeper: GarbageKeeper) -> None:
    """Collect garbage again after the first paint; what is there now stays, so the collector need not look at it."""
    gc.freeze()
    gc.enable()
    keeper.begin()


def make_application() -> QApplication:
    """The one application object, in our style. Threads switch often enough that none stalls the window."""
    sys.setswitchinterval(0.0005)
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    existing = QCoreApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication([*sys.argv[:1], *STYLE])
    application.setApplicationName("stepscope")
    application.setApplicationDisplayName("Stepscope")
    application.setDesktopFileName("stepscope")
    application.setWindowIcon(QIcon(str(ICON)))
    if existing is not None:  # else it came by its name: `setStyle` makes Python have all of QStyle
        application.setStyle("Fusion")
    return application
