"""A model file on its way to the models.

AddModelPage: where it is, how it speaks, how it runs, and a trial beside it; PromptDialog: the words that a model is
asked in. The other names are what they are given.
"""

from stepscope.widgets.models.adding.page import AddModelPage
from stepscope.widgets.models.adding.prompt_dialog import PromptDialog
from stepscope.widgets.models.adding.values import (
    AddModelState,
    FoundModel,
    ListedModel,
    ManifestGroup,
    ManifestRow,
    ShownPicture,
    ShownTensor,
    ShownTrial,
)

__all__ = [
    "AddModelPage",
    "AddModelState",
    "FoundModel",
    "ListedModel",
    "ManifestGroup",
    "ManifestRow",
    "PromptDialog",
    "ShownPicture",
    "ShownTensor",
    "ShownTrial",
]
