"""What the page of reasons shows of a feasibility run, as frozen values."""

from __future__ import annotations

from dataclasses import field

from stepscope.core.frozen import dataclass
from stepscope.widgets.scores.breakdown_values import Bar, ConfusionTable, Key


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A predicted follow-up question beside those of the annotators; "" and () where there is none. `cosine` and
    `meteor` say how like it is to the nearest of theirs, None where they cannot be compared."""

    key: Key
    goal: str
    app: str = ""
    reason: str = ""
    asked: str = ""
    annotators: tuple[str, ...] = ()
    cosine: float | None = None
    meteor: float | None = None


@dataclass(frozen=True, slots=True)
class ReasonDetails:
    """Reasons against reasons, and infeasible items that were called feasible in three groupings. `note` says what is
    missing altogether, `evidence_note` why there are no groups by evidence; `questions` counts the items with a
    question, `questions_note` says what they are or why there are none."""

    confusion: ConfusionTable = field(default_factory=ConfusionTable)
    note: str = ""
    reasons: tuple[Bar, ...] = ()
    apps: tuple[Bar, ...] = ()
    evidence: tuple[Bar, ...] = ()
    evidence_note: str = ""
    questions: int = 0
    questions_note: str = ""
