"""A model that loses to a rule on real data: this user's own copy of a shipped one, whose card says so."""

from __future__ import annotations

import shutil
from dataclasses import replace

from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import own_folder, shipped_folder
from stepscope.models.learned.real_sets import RealResult, RuleOnSet

NAME, SET = "two-tower", "UIBert refexp"
WORDS = "Below text-match on UIBert refexp: 0.403 against 0.649"
"""What version 2 of the shipped model had there."""


def keep_losing_model() -> None:
    """Put it where this user's models are; it goes before the shipped one of its name."""
    folder = own_folder() / NAME
    shutil.copytree(shipped_folder() / NAME, folder)
    lost = RuleOnSet(value=0.649, difference=-0.246, ci=(-0.364, -0.130), p=0.0001)
    result = RealResult(
        SET, "uibert", "held out", 77, 77, "0" * 64, "aitw", "step_accuracy", 0.403, (0.299, 0.519), None, None,
        {"text-match": lost},
    )  # fmt: skip
    replace(read_card(folder), real=(result,)).write(folder)
