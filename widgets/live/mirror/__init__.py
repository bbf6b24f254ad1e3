"""The mirror of a live phone: its picture with a hand, what lies over it, and the rows around it."""

from stepscope.widgets.live.mirror.centre import LiveCentre
from stepscope.widgets.live.mirror.mirror_frame import (
    SCREEN_OFF,
    SECURE_WINDOW,
    ActionCandidate,
    FrameSource,
    MirrorFrame,
    Proposal,
    reconnecting,
    starting,
)
from stepscope.widgets.live.mirror.overlay import DEFAULT_LAYERS
from stepscope.widgets.live.mirror.view import MirrorView

__all__ = [
    "DEFAULT_LAYERS",
    "SCREEN_OFF",
    "SECURE_WINDOW",
    "ActionCandidate",
    "FrameSource",
    "LiveCentre",
    "MirrorFrame",
    "MirrorView",
    "Proposal",
    "reconnecting",
    "starting",
]
