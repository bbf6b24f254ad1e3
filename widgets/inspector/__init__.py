"""The inspector of a step and its episode.

StepInspector: tabs Step, Episode, Talk; StepDetails, RunCard, EvidenceLine, EpisodeDetails, TalkTurn, Choice: its
frozen values.
"""

from stepscope.widgets.inspector.values import Choice, EpisodeDetails, EvidenceLine, RunCard, StepDetails, TalkTurn
from stepscope.widgets.inspector.view import StepInspector

__all__ = ["Choice", "EpisodeDetails", "EvidenceLine", "RunCard", "StepDetails", "StepInspector", "TalkTurn"]
