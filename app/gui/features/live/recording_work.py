"""What the window does with recordings off its thread, and what it asks before one is thrown away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services.live import recordings
    from stepscope.app.services.live.recording import RecordingSession
    from stepscope.app.services.live.recordings import UnfinishedRecording
    from stepscope.core.device.recorded import Survey
else:
    recordings = lazy_module("stepscope.app.services.live.recordings")


def unfinished_ones() -> tuple[UnfinishedRecording, ...]:
    """What earlier sessions left without a label."""
    return recordings.unfinished()


def complete_one(folder: Path, said: Survey | None) -> Path:
    """Write the final words of a recording that was left."""
    return recordings.complete(folder, said)


def remove(recording: RecordingSession | None, left: UnfinishedRecording | None) -> None:
    """Remove the recording that was made here, or one that was left."""
    if recording is not None:
        recording.discard()
    elif left is not None:
        recordings.delete(left.folder)


def may_discard(window: QWidget, steps: int) -> bool:
    """Ask before a recording is removed."""
    question = f"Discard this recording of {counted(steps, 'step')}?"
    return confirmed(window, question, "It is removed from the disk. This cannot be undone.", "Discard", "Keep")
