"""What may be written in a filter: names of fields with what they mean, and values of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.run_letters import LETTERS, RunLetters
from stepscope.core.domain.annotation import Defect
from stepscope.core.domain.filter import FIELDS, FieldKind, Text
from stepscope.core.scoring.named_rules import RULES
from stepscope.widgets import format as words
from stepscope.widgets.library import FilterSuggestion

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MOST = 50
"""Values that are offered at once."""
LONGEST = 60
"""Longer values are not offered: nobody picks them from a list."""

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
    "tag": "a tag, or words of it",
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
    "tokens": "tokens read and written, of a run",
    "cost": "what a run paid for a step",
    "retries": "times that a run asked again",
    "cause": "why a run is wrong: row, near, far, kind, ask …",
    "flips": "the verdict is another under this rule",
}

_COMPARED = {"tokens": ">", "cost": ">", "retries": ">"}
"""Where more is what people look for."""


def field_suggestions() -> list[FilterSuggestion]:
    """The fields: bare names, and with a colon those that take a value."""
    bare = [(field.name, field.name) for field in FIELDS.values() if field.bare]
    valued = [(f"{field.name}:", field.name) for field in FIELDS.values() if field.kind is not FieldKind.FLAG]
    return [FilterSuggestion(text, MEANINGS[name]) for text, name in sorted([*bare, *valued])]


def suggestions(
    db: Session, source_id: int, field: str, prefix: str, runs: RunLetters, names: Mapping[str, str]
) -> list[FilterSuggestion]:
    """Values of the field that begin with `prefix`, then those that have it inside; the most frequent first where it is
    known how many there are. `names` are those of the `runs`."""
    known = FIELDS.get(field)
    if known is None:
        return []
    match known.kind:
        case FieldKind.RUN | FieldKind.RUN_NUMBER:
            ending = _COMPARED.get(field, "<") if known.kind is FieldKind.RUN_NUMBER else ""
            found = [FilterSuggestion(LETTERS[number] + ending, names.get(run, "")) for run, number in runs.items()]
        case FieldKind.RULE:
            found = [FilterSuggestion(rule.id, rule.title) for rule in RULES]
        case _ if field == "defect":
            found = [FilterSuggestion(str(Text(defect.value))) for defect in Defect]
        case _:
            return _stored(db, source_id, field, prefix)
    return _fitting(found, prefix)[:MOST]


def _fitting(found: Sequence[FilterSuggestion], prefix: str) -> list[FilterSuggestion]:
    wanted = prefix.casefold()
    beginning = [one for one in found if one.text.casefold().lstrip('"').startswith(wanted)]
    inside = [one for one in found if one not in beginning and wanted in f"{one.text} {one.words}".casefold()]
    return beginning + inside


def _stored(db: Session, source_id: int, field: str, prefix: str) -> list[FilterSuggestion]:
    """Values in the data, with how many episodes or steps have them."""
    from stepscope.core.store import suggestions as stored

    shown = words.app_name if field == "app" else str
    return [
        FilterSuggestion(str(Text(one.value)), "" if shown(one.value) == one.value else shown(one.value), one.count)
        for one in stored.suggestions(db, source_id, field, prefix, MOST)
        if len(one.value) <= LONGEST and one.value.isprintable()
    ]
