"""The timeline of an episode.

Timeline: transport buttons, filmstrip and a lane per run; TimelineStep, Lane, LaneCell: its frozen values; SPEEDS of
playback; durations, has_times: how long steps took.
"""

from stepscope.widgets.timeline.columns import durations, has_times
from stepscope.widgets.timeline.timeline_step import SPEEDS, Lane, LaneCell, TimelineStep
from stepscope.widgets.timeline.view import Timeline

__all__ = ["SPEEDS", "Lane", "LaneCell", "Timeline", "TimelineStep", "durations", "has_times"]
