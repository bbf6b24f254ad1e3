"""A run at work: bar, rate, time left; pause, resume, cancel."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from stepscope.core.domain.run import RunState
from stepscope.widgets import format as formats
from stepscope.widgets import icons
from stepscope.widgets.common import ElidedLabel, icon_button
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.common.thin_bar import ThinBar
from stepscope.widgets.results.result_rows import RunListRow


class RunProgress(QFrame):
    """One card per run at work; the signals carry the run's id."""

    pause_requested = Signal(str)
    resume_requested = Signal(str)
    cancel_requested = Signal(str)

    def __init__(self, run: RunListRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._run, self._paused = run, False
        self._name = ElidedLabel()
        self.pause = icon_button("pause", "Pause")
        self.cancel = icon_button("cancel", "Cancel: ends after the current item, keeps results", shortcut="Ctrl+.")
        self._bar = ThinBar()
        self._counts, self._left = ElidedLabel("", "tiny"), ElidedLabel("", "tiny")
        self._metric = ElidedLabel("", "tiny")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 8)
        column.setSpacing(4)
        for parts in ((self._name, self.pause, self.cancel), (self._bar,), (self._counts, self._left)):
            row = QHBoxLayout()
            row.setSpacing(2)
            for place, part in enumerate(parts):
                row.addWidget(part, 1 if place == 0 else 0)
            column.addLayout(row)
        column.addWidget(self._metric)
        self.pause.clicked.connect(self._pause_or_resume)
        self.cancel.clicked.connect(lambda: self.cancel_requested.emit(self._run.id))
        self.set_run(run)

    def set_run(self, run: RunListRow) -> None:
        """Newer numbers of the same run."""
        self._run = run
        paused = run.state is RunState.PAUSED
        self._name.setText(run.name)
        self._bar.set_progress(run.done, run.total, "stopped" if paused else "")
        done = (
            formats.count(run.done) if run.total is None else f"{formats.count(run.done)} of {formats.count(run.total)}"
        )
        self._counts.setText(" · ".join(filter(None, (done, formats.rate(run.rate)))))
        waiting = {RunState.PAUSED: "paused", RunState.QUEUED: "waiting"}.get(run.state, "")
        self._left.setText(waiting or formats.time_left(run.seconds_left))
        self._metric.setText(run.metric)
        self._metric.setVisible(bool(run.metric))
        if paused is not self._paused:
            self._paused = paused
            self.pause.setIcon(icons.icon("play" if paused else "pause"))
            name_button(self.pause, "Resume" if paused else "Pause")
        self._bar.setAccessibleName(f"{run.name}: {self._counts.text()}, {self._left.text()}")

    def words(self) -> str:
        return f"{self._counts.text()} {self._left.text()}".strip()

    def _pause_or_resume(self) -> None:
        signal = self.resume_requested if self._run.state is RunState.PAUSED else self.pause_requested
        signal.emit(self._run.id)
