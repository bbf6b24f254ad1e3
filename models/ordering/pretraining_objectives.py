"""The objectives of the sequence-aware pretraining by name (Wu et al. 2022, section 4.2). Imports nothing large."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.errors import UsageError
from stepscope.core.scoring.names import did_you_mean


class Objective(StrEnum):
    """What a batch of the pretraining asks."""

    MLM = "mlm"
    ISP = "isp"
    PISP = "pisp"
    SMRM = "smrm"


TITLES = {
    Objective.MLM: "masked words",
    Objective.ISP: "swapped pictures",
    Objective.PISP: "swapped patches",
    Objective.SMRM: "masked regions",
}


def objectives_of(names: str, *, texts: bool, pictures: bool) -> tuple[Objective, ...]:
    """Those that are named with commas between them, all where none is; without those that need words or pictures where
    there are none. Raises UsageError for a name that there is not, and where none is left."""
    named = [one.strip() for one in names.split(",") if one.strip()]
    known = [one.value for one in Objective]
    if strange := [one for one in named if one not in known]:
        raise UsageError(
            f"There is no objective {strange[0][:60]!r} of pretraining.",
            hint=f"{did_you_mean(strange[0], known)}Objectives: {', '.join(known)}.",
        )
    chosen = [one for one in Objective if not named or one.value in named]
    found = tuple(one for one in chosen if (texts if one is Objective.MLM else pictures))
    if not found:
        hint = "Name mlm where there are words, isp, pisp or smrm where there are pictures."
        raise UsageError("There is nothing to pretrain by.", hint=hint)
    return found
