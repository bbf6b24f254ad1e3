"""The panels of the Live workspace: devices, task, label, the recording, the log. Values in, signals out."""

from stepscope.widgets.live.devices import SIMULATED, DevicesPanel
from stepscope.widgets.live.drop_zone import DropZone
from stepscope.widgets.live.label import LabelPanel
from stepscope.widgets.live.live_state import (
    NO_AGENT,
    AgentChoice,
    AgentPhase,
    CellKind,
    DeviceRow,
    GoalSuggestion,
    InstallState,
    LabelPhase,
    LabelState,
    LogLine,
    LogLineKind,
    RecordedCell,
    RecordingState,
    RowState,
    SurveyAnswers,
    TaskState,
)
from stepscope.widgets.live.log import DeviceLog
from stepscope.widgets.live.recording import RecordingStrip
from stepscope.widgets.live.side import LiveSide
from stepscope.widgets.live.task import APPROVE, OWN, TaskPanel

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
    "LiveSide",
    "LogLine",
    "LogLineKind",
    "RecordedCell",
    "RecordingState",
    "RecordingStrip",
    "RowState",
    "SurveyAnswers",
    "TaskPanel",
    "TaskState",
]
