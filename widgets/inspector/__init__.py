"""The inspector of a step and its episode.

StepInspector: tabs Step, Episode, Talk. The frozen values that it shows (StepDetails, RunCard, EvidenceLine,
EpisodeDetails, TalkTurn) are in `step_details`: they come with the first step.
"""

from stepscope.widgets.inspector.view import StepInspector

__all__ = ["StepInspector"]
