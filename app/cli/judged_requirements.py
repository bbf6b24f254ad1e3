"""The requirements of a run's pairs with the steps that support or contradict them, as `judgements show` tells them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stepscope.app.cli.judged_errors import name_of_judge
from stepscope.app.cli.output import say, table
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import judged_requirements
    from stepscope.app.services.judged_requirements import LinkedRequirement, PairRequirements
    from stepscope.app.services.judging import JudgingResult, Origins
    from stepscope.core.domain.judgement import Judgement
    from stepscope.core.store.engine import Database
else:
    judged_requirements = lazy_module("stepscope.app.services.judged_requirements")

_COLUMNS = ("judge", "text", "requirement", "fulfilled", "satisfied", "steps say", "steps")
_WORDS = {True: "yes", False: "no", None: ""}


def told_judgements(database: Database, found: JudgingResult, origins: Origins) -> tuple[list[Judgement], int]:
    """The judgements of the pairs as they are now, without what models said of pairs that a person has in hand; and how
    many pairs these are."""
    from stepscope.core.evaluation.judging import current
    from stepscope.core.store.repositories import judgements as judgement_rows

    if not found.listed.pairs:
        return [], 0
    with database.reading() as db:
        given = judgement_rows.assignments_of(db, found.listed.pairs[0].pair.key.source, origins)
    said = current(found.judgements, [one.pair for one in found.listed.pairs])
    hidden = judged_requirements.pairs_in_hand(said, given) & {one.pair.key for one in said if one.judge.by_model}
    return [one for one in said if not (one.judge.by_model and one.pair.key in hidden)], len(hidden)


def show_requirements(pairs: Sequence[PairRequirements], hidden: int) -> None:
    """As tables, a pair each."""
    if not pairs and not hidden:
        say("", "No judge listed requirements: stepscope judgements ask lets one.")
    for pair in pairs:
        place = "" if pair.key.step < 0 else f", step {pair.key.step}"
        say("", f"{pair.key.episode}{place}:")
        if pair.trouble:
            say(pair.trouble)
        else:
            table(_COLUMNS, [_row(pair, one) for one in pair.requirements])


def requirement_forms(pairs: Sequence[PairRequirements]) -> list[dict[str, Any]]:
    """As JSON has them."""
    return [form for pair in pairs for form in _forms(pair)]


def _row(pair: PairRequirements, one: LinkedRequirement) -> Sequence[object]:
    steps = [f"{pair.numbers[piece.place]}: {piece.kind} “{piece.words}”" for piece in one.link.evidence]
    text = "second" if one.of_second else "first"
    said = _WORDS[one.fulfilled], _WORDS[one.satisfied]
    return [name_of_judge(one.judge), text, one.text, *said, one.link.mark.value, "; ".join(steps)]


def _forms(pair: PairRequirements) -> list[dict[str, Any]]:
    place = {"episode": pair.key.episode, "step": None if pair.key.step < 0 else pair.key.step}
    if pair.trouble:
        return [{**place, "trouble": pair.trouble}]
    return [
        {
            **place,
            "judge": one.judge.name,
            "by_model": one.judge.by_model,
            "text": "second" if one.of_second else "first",
            "requirement": one.text,
            "fulfilled": one.fulfilled,
            "satisfied": one.satisfied,
            "mark": one.link.mark.value,
            "steps": [
                {
                    "step": pair.steps[piece.place],
                    "number": pair.numbers[piece.place],
                    "how": piece.kind.value,
                    "words": piece.words,
                }
                for piece in one.link.evidence
            ],
        }
        for one in pair.requirements
    ]
