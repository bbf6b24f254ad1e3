"""The window is usable within three times the life of a bare QMainWindow process.

Both are cold processes that show a window, paint once and end; the ratio is printed, nothing is asserted about seconds.
"""

from __future__ import annotations

import os
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
loaded = [name for name in ("sqlalchemy", "pyqtgraph", "superqt", "torch", "sklearn") if name in sys.modules]
QTimer.singleShot(0, app.quit)
app.exec()
print("loaded before the first paint:", loaded or "none of the heavy ones")
sys.exit(bool(loaded))
"""


def life(code: str, *arguments: str) -> float:
    began = time.perf_counter()
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def test_startup_against_a_bare_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    life(BARE), life(OURS, str(tmp_path))
    ratios = [life(OURS, str(tmp_path)) / life(BARE) for _ in range(7)]
    with capsys.disabled():
        print(f"\nwindow over bare window: {median(ratios):.2f} (budget 3), {min(ratios):.2f} to {max(ratios):.2f}")
    assert ratios
