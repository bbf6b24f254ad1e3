"""Names of runs where there is little room: what tells a run from the others of its model stands at the end, and is
what is kept."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.plain_words import straight

JOINT = " · "
"""Between the parts of a name."""
LEAST_HEAD = "aa…"
"""With less room than for this the beginning tells nothing."""


def cut_run_name(metrics: QFontMetrics, name: str, width: int) -> str:
    """The name in one line, the beginning cut in favour of the parts behind it: "rando… · seed 3". A name without parts
    is cut in the middle."""
    line = straight(" ".join(name.split()))
    if metrics.horizontalAdvance(line) <= width:
        return line
    parts = line.split(JOINT)
    least = metrics.horizontalAdvance(LEAST_HEAD)
    for place in range(1, len(parts)):
        end = JOINT + JOINT.join(parts[place:])
        room = width - metrics.horizontalAdvance(end)
        if room >= least:
            return metrics.elidedText(JOINT.join(parts[:place]), Qt.TextElideMode.ElideRight, room) + end
    if len(parts) == 1:
        return metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, width)
    return metrics.elidedText(f"…{parts[-1]}", Qt.TextElideMode.ElideRight, width)


class RunNameLabel(ElidedLabel):
    """A run's name, cut as `cut_run_name` says."""

    def cut(self, width: int) -> str:
        return cut_run_name(self.fontMetrics(), self.text(), width)
