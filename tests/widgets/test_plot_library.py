"""The plots' library comes in a piece a turn; pages show their other cards meanwhile. Each in a process of its own: in
this one it may have come in already."""

from __future__ import annotations

import subprocess
import sys

BEGIN = """
import sys
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
application = QApplication(["-", "-platform", "offscreen"])
from stepscope.widgets.plot_library import plot_library
library = plot_library()
loop = QEventLoop()
library.ready.connect(loop.quit)
"""

PAGES = """
from stepscope.widgets.results.breakdown_pages import Breakdown, StepsPage, SummaryCards
from stepscope.widgets.scores.breakdown_values import Bar, CalibrationDiagram, CurveDetails, CurveLine
from stepscope.widgets.scores.breakdown_values import StepBar, StepShares
found = Breakdown(
    apps=(Bar("mail", 3, 40),), curve=CurveDetails(CurveLine(0)), calibration=CalibrationDiagram(0),
    steps=StepShares((StepBar(1, 3, 40, key="first"),)),
)
summary, steps = SummaryCards(), StepsPage()
for page in (summary, steps):
    page.set_breakdown(found)
    page.set_chosen("first")
assert not library.is_loading, "nothing is in view"
summary.show()
steps.show()
assert library.is_loading and "pyqtgraph.widgets" not in sys.modules
assert summary.apps.shown() and summary.curve is None and steps.steps is None
loop.exec()
for _turn in range(1000):
    application.processEvents()
assert summary.curve.isVisible() and steps.steps.isVisible() and steps.calibration.isVisible()
assert steps.steps.plot._chosen == "first"
"""

PIECES = """
turns = []
turn = library._turn
library._timer.timeout.disconnect()
library._timer.timeout.connect(lambda: (turns.append(0), turn()))
library.begin()
while not turns:
    application.processEvents()
library.stop()
assert not library.is_loading and not library.is_ready
library.begin()
loop.exec()
assert len(turns) > 20 and library.is_ready and not library.is_loading
library.begin()
assert not library.is_loading
import pyqtgraph
whole = set(vars(pyqtgraph))
for name in [name for name in sys.modules if name.partition(".")[0] == "pyqtgraph"]:
    del sys.modules[name]
import pyqtgraph
assert set(vars(pyqtgraph)) - {"__cached__", "__builtins__"} <= whole, set(vars(pyqtgraph)) - whole
"""

AT_ONCE = """
library.finish()
assert library.is_ready and not library.is_loading
from stepscope.widgets.results.curves import CurveCard
CurveCard()
"""


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", BEGIN + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_page_shows_its_plots_when_the_library_has_come() -> None:
    run(PAGES)


def test_it_comes_in_many_turns_whole_and_can_be_stopped() -> None:
    run(PIECES)


def test_it_can_be_had_at_once() -> None:
    run(AT_ONCE)
