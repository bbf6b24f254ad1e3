"""What an export asks before it begins.

AnimationForm: a small window, emits export_wanted(AnimationChoice); AnimationAbout: what it tells of the episode.
"""

from stepscope.widgets.export.animation_choice import AnimationChoice, AnimationSubject
from stepscope.widgets.export.animation_form import AnimationForm

__all__ = ["AnimationChoice", "AnimationForm", "AnimationSubject"]
