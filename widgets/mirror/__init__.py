"""The mirror of a live phone: its picture with a hand, what lies over it, and the rows around it."""

from widgets.mirror.centre import LiveCentre
from widgets.mirror.overlay import DEFAULT_LAYERS
from widgets.mirror.values import (
    SCREEN_OFF,
    SECURE_WINDOW,
    Choice,
    FrameSource,
    MirrorFrame,
    Proposal,
    reconnecting,
    starting,
)
from widgets.mirror.view import MirrorView

__all__ = [
    "DEFAULT_LAYERS",
    "SCREEN_OFF",
    "SECURE_WINDOW",
    "Choice",
    "FrameSource",
    "LiveCentre",
    "MirrorFrame",
    "MirrorView",
    "Proposal",
    "reconnecting",
    "starting",
]
