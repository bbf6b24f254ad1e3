"""What goes and what stays when a model of the person's own is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.domain.model_name import LOCAL

if TYPE_CHECKING:
    from stepscope.models.registry import InstalledModel

FILES_STAY = "Its files stay, and so do runs that were made with it."
WEIGHTS_GO = "Its weights and its card are deleted. Runs that were made with it stay."
KEY_GOES = "Its key is taken out of the keyring. Runs that were made with it stay."


def removal_words(model: InstalledModel) -> str:
    """In words, "" for a model that is not the person's to remove."""
    if model.asked is not None:
        return FILES_STAY if model.info.name.startswith(LOCAL) else KEY_GOES
    if model.own is not None:
        return FILES_STAY
    return WEIGHTS_GO if model.trained is not None and not model.trained.shipped else ""
