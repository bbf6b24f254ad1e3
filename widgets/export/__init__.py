"""What an export asks before it begins.

AnimationForm: a small window, emits export_wanted(AnimationChoice); AnimationAbout: what it tells of the episode.
"""

from stepscope.widgets.export.animation_form import AnimationForm
from stepscope.widgets.export.values import AnimationAbout, AnimationChoice

__all__ = ["AnimationAbout", "AnimationChoice", "AnimationForm"]
