"""Two descriptions of one trajectory's goal: how they relate, and what a model judge said. Knows no files.

Source: User goals from UI trajectories, section 3.1 for the relations, figure 9 (appendix E) for the judge's tag.
"""

from __future__ import annotations

import re
from typing import Literal

Relation = Literal["match", "partial_match", "non_match"]
RELATIONS: tuple[Relation, ...] = ("match", "partial_match", "non_match")

_FULFILLED = re.compile(r"\[FULFILLED\]\s*(YES|NO)\s*\[/FULFILLED\]")
_VERDICT = re.compile(r"\[SATISFACTION\]\s*(YES|NO)\s*\[/SATISFACTION\]")


def relation(forth: bool | None, back: bool | None) -> Relation | None:
    """Match when each description satisfies the other, partial when one does, none when neither does (paper).

    No relation without both verdicts (ours), though one "no" would rule the match out already.
    """
    if forth is None or back is None:
        return None
    if forth and back:
        return "match"
    return "partial_match" if forth or back else "non_match"


def judged_satisfaction(text: str) -> bool | None:
    """A model judge's verdict on one direction; None: malformed.

    The last `[SATISFACTION] YES [/SATISFACTION]` or `… NO …` counts (paper), since judges quote the examples of their
    instruction before they decide. Capitals are needed as the instruction shows them, white space within the tags is
    free; a tag with any other content is passed over (ours).
    """
    verdicts = _VERDICT.findall(text)
    return verdicts[-1] == "YES" if verdicts else None


def judged_fulfilment(text: str) -> bool | None:
    """A model judge's verdict on one text by the trajectory, tagged likewise (ours); None: malformed."""
    verdicts = _FULFILLED.findall(text)
    return verdicts[-1] == "YES" if verdicts else None
