"""The window is usable within three times the life of a bare QMainWindow process.

Both are cold processes that show a window, paint once and end; the ratios are printed, nothing is asserted about
seconds. That of the processor time is of the least of each: what else the machine does only adds to it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

BARE = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.resize(1600, 1000)
window.show()
QTimer.singleShot(0, app.quit)
app.exec()
"""

OURS = """
import gc
gc.disable()  # as the command does
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.main import make_application
from stepscope.app.gui.workbench import Workbench
app = make_application()
home = Path(sys.argv[1])
bench = Workbench(app, AppFolders(home / "preferences.json", home / "window.ini", f"sqlite:///{home / 'store.db'}"))
bench.window.show()
heavy = ("numpy", "cv2", "sqlalchemy", "pyqtgraph", "superqt", "torch", "sklearn")
loaded = [name for name in heavy if name in sys.modules]
QTimer.singleShot(0, app.quit)
app.exec()
print("loaded before the first paint:", loaded or "none of the heavy ones")
sys.exit(bool(loaded))
"""


def processor_seconds() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def life(code: str, *arguments: str) -> tuple[float, float]:
    """Seconds that the process lived, and those of the processor."""
    began, used = time.perf_counter(), processor_seconds()
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began, processor_seconds() - used


def test_startup_against_a_bare_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    life(BARE), life(OURS, str(tmp_path))
    pairs = [(life(OURS, str(tmp_path)), life(BARE)) for _ in range(7)]
    ratios = [ours[0] / bare[0] for ours, bare in pairs]
    ours, bare = min(one[1] for one, _ in pairs), min(one[1] for _, one in pairs)
    with capsys.disabled():
        print(f"\nwindow over bare window: {median(ratios):.2f} (budget 3), {min(ratios):.2f} to {max(ratios):.2f}")
        print(f"processor time: {ours:.2f} s over {bare:.2f} s, {ours / bare:.2f} (budget 4)")
    assert ratios
