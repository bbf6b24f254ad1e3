"""A model file on its way to the models.

AddModelPage: where it is, how it speaks, how it runs, and a trial beside it; the other names are what it is given.
"""

from stepscope.widgets.models.adding.page import AddModelPage
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
    "ShownPicture",
    "ShownTensor",
    "ShownTrial",
]
