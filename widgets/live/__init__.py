"""The panels of the Live workspace: devices, task, label, the recording, the log. Values in, signals out."""

from widgets.live.devices import SIMULATED, DevicesPanel
from widgets.live.drop_zone import DropZone
from widgets.live.label import LabelPanel
from widgets.live.log import DeviceLog
from widgets.live.recording import RecordingStrip
from widgets.live.side import LiveSide
from widgets.live.task import APPROVE, OWN, TaskPanel
from widgets.live.values import (
    NO_AGENT,
    AgentChoice,
    AgentPhase,
    CellKind,
    DeviceRow,
    GoalSuggestion,
    InstallState,
    LabelPhase,
    LabelState,
    LineKind,
    LogLine,
    RecordedCell,
    RecordingState,
    RowState,
    Survey,
    TaskState,
)

__all__ = [
    "APPROVE",
    "NO_AGENT",
    "OWN",
    "SIMULATED",
    "AgentChoice",
    "AgentPhase",
    "CellKind",
    "DeviceLog",
    "DeviceRow",
    "DevicesPanel",
    "DropZone",
    "GoalSuggestion",
    "InstallState",
    "LabelPanel",
    "LabelPhase",
    "LabelState",
    "LineKind",
    "LiveSide",
    "LogLine",
    "RecordedCell",
    "RecordingState",
    "RecordingStrip",
    "RowState",
    "Survey",
    "TaskPanel",
    "TaskState",
]
