"""What may be written in a filter: names of fields with what they mean, and values of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.gui.selection import LETTERS
from core.domain.action import ACTION_TYPES
from core.domain.filter import FIELDS, FieldKind, Text
from core.scoring.named_rules import RULES
from widgets import format as words
from widgets.episodes import Suggestion

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from core.store.sorting import GroupKey

MOST = 50
"""Values that are offered at once."""

COUNTED: dict[str, GroupKey] = {
    "app": "app", "split": "split", "label": "label", "reason": "reason", "platform": "platform",
}  # fmt: skip
"""Fields whose values the index can count."""

MEANINGS = {
    "app": "app or site",
    "goal": "words of the goal",
    "id": "the episode's name",
    "source": "path of the data",
    "split": "part of the data set",
    "platform": "phone, web, …",
    "reason": "why it is infeasible",
    "label": "feasible or infeasible",
    "steps": "how many steps",
    "tau": "agreement of an order, of a run",
    "feasible": "the goal can be reached",
    "infeasible": "the goal cannot be reached",
    "star": "starred",
    "checked": "ticked off",
    "note": "a note, or words of it",
    "defect": "marked as defective, or why",
    "ask": "questions, or how many",
    "text": "words on the screen",
    "target": "words of the target",
    "typed": "typed text",
    "action": "kind of the reference action",
    "key": "pressed key",
    "step": "number of the step",
    "wrong": "a run is wrong",
    "right": "a run is right",
    "malformed": "a run's answer makes no sense",
    "unscored": "a run has no score",
    "differs": "runs disagree",
    "conf": "confidence of a run",
    "dist": "distance to the reference, of a run",
    "latency": "milliseconds that a run took",
    "flips": "the verdict is another under this rule",
}


def field_suggestions() -> list[Suggestion]:
    """The fields: bare names, and with a colon those that take a value."""
    bare = [(field.name, field.name) for field in FIELDS.values() if field.bare]
    valued = [(f"{field.name}:", field.name) for field in FIELDS.values() if field.kind is not FieldKind.FLAG]
    return [Suggestion(text, MEANINGS[name]) for text, name in sorted([*bare, *valued])]


def suggestions(db: Session, source_id: int, field: str, prefix: str, runs: Sequence[str]) -> list[Suggestion]:
    """Values of the field that begin with `prefix`, or have it inside; the most frequent first where it is known how
    many episodes have them."""
    known = FIELDS.get(field)
    if known is None:
        return []
    match known.kind:
        case FieldKind.RUN | FieldKind.RUN_NUMBER:
            ending = "<" if known.kind is FieldKind.RUN_NUMBER else ""
            found = [Suggestion(LETTERS[place] + ending, name) for place, name in enumerate(_models(db, runs))]
        case FieldKind.RULE:
            found = [Suggestion(rule.id, rule.title) for rule in RULES]
        case _ if field == "action":
            found = [Suggestion(kind) for kind in ACTION_TYPES]
        case _:
            found = _stored(db, source_id, field)
    return _fitting(found, prefix)[:MOST]


def _fitting(found: Sequence[Suggestion], prefix: str) -> list[Suggestion]:
    wanted = prefix.casefold()
    beginning = [one for one in found if one.text.casefold().lstrip('"').startswith(wanted)]
    inside = [one for one in found if one not in beginning and wanted in f"{one.text} {one.words}".casefold()]
    return beginning + inside


def _models(db: Session, runs: Sequence[str]) -> list[str]:
    """The models of the shown runs."""
    from core.errors import UsageError
    from core.store.repositories import runs as run_rows

    names = []
    for run in runs:
        try:
            names.append(run_rows.get(db, run).spec.model)
        except UsageError:  # deleted meanwhile
            names.append("")
    return names


def _stored(db: Session, source_id: int, field: str) -> list[Suggestion]:
    """Values in the data, with how many episodes have them."""
    from core.store.sorting import value_counts

    column = COUNTED.get(field)
    if column is None:
        return []
    shown = words.app_name if field == "app" else str
    return [
        Suggestion(str(Text(value)), "" if shown(value) == value else shown(value), count)
        for value, count in value_counts(db, source_id, column)
    ]
