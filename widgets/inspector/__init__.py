"""The inspector of a step and its episode.

StepInspector: tabs Step, Episode, Talk; StepDetails, RunCard, EvidenceLine, EpisodeDetails, TalkTurn, Choice: its
frozen values.
"""

from stepscope.widgets.inspector.step_details import (
    EpisodeDetails,
    EvidenceLine,
    RuleOption,
    RunCard,
    StepDetails,
    TalkTurn,
)
from stepscope.widgets.inspector.view import StepInspector

__all__ = ["EpisodeDetails", "EvidenceLine", "RuleOption", "RunCard", "StepDetails", "StepInspector", "TalkTurn"]
