"""The timeline of an episode.

Timeline: transport buttons, filmstrip and a lane per run; TimelineStep, Lane, LaneCell: its frozen values.
"""

from widgets.timeline.values import Lane, LaneCell, TimelineStep
from widgets.timeline.view import Timeline

__all__ = ["Lane", "LaneCell", "Timeline", "TimelineStep"]
