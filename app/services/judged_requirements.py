"""The requirements that judges listed, linked to the steps of the trajectory; for both faces.

Nobody is shown those of a pair that they have not finished: whoever asks sees to that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from stepscope.core.domain.episode import Episode
from stepscope.core.domain.judgement import JudgeAssignment, JudgeId, Judgement, TextPairKey
from stepscope.core.errors import UserError
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.frozen import dataclass
from stepscope.core.sources.source import Source
from stepscope.models.goal.judges.requirement_links import RequirementLink, link_of
from stepscope.models.goal.judges.step_evidence import StepEvidence, evidence_of

_ABOUT_SECOND = {
    "first_fulfilled": False, "second_fulfilled": True, "first_satisfies": True, "second_satisfies": False,
}  # fmt: skip
"""Whose requirements a question lists: whoever asks whether the first satisfies the second lists the second's."""


@dataclass(frozen=True, slots=True)
class LinkedRequirement:
    """A requirement of the first or the second text of a pair. `fulfilled` by the trajectory and `satisfied` by the
    other text, as the judge said; None where it said nothing. `link` is what the steps say, by rule."""

    judge: JudgeId
    of_second: bool
    text: str
    fulfilled: bool | None
    satisfied: bool | None
    link: RequirementLink


def linked_requirements(judgements: Iterable[Judgement], episode: Episode) -> tuple[LinkedRequirement, ...]:
    """Those of all judgements of a pair, judge by judge, the first text's before the second's, each once."""
    evidence = evidence_of(goal_request(episode))
    return tuple(found for one in judgements for found in _linked(one, evidence))


def _linked(judgement: Judgement, evidence: Sequence[StepEvidence]) -> list[LinkedRequirement]:
    listed: dict[tuple[bool, str], dict[str, Any]] = {}
    for question, text, met in listed_requirements(judgement.detail):
        of_second = _ABOUT_SECOND[question]
        kept = listed.setdefault((of_second, text.casefold()), {"text": text})
        kept.setdefault("fulfilled" if question.endswith("fulfilled") else "satisfied", met)
    pair = judgement.pair
    return [
        LinkedRequirement(
            judgement.judge,
            of_second,
            kept["text"],
            kept.get("fulfilled"),
            kept.get("satisfied"),
            link_of(kept["text"], pair.second if of_second else pair.first, evidence),
        )
        for (of_second, _), kept in sorted(listed.items(), key=lambda item: item[0][0])
    ]


def listed_requirements(detail: str) -> list[tuple[str, str, bool | None]]:
    """Question, words and whether it is met, of what a judge told besides its answers; what is not as a judge of this
    program writes it is passed over."""
    try:
        told = json.loads(detail or "{}")
    except ValueError:
        return []
    questions = told.get("questions") if isinstance(told, Mapping) else None
    found: list[tuple[str, str, bool | None]] = []
    for each in questions if isinstance(questions, list) else ():
        question = each.get("question") if isinstance(each, Mapping) else None
        if not isinstance(question, str) or question not in _ABOUT_SECOND:
            continue
        parts = each.get("requirements")
        for part in parts if isinstance(parts, list) else ():
            text = part.get("text") if isinstance(part, Mapping) else None
            if isinstance(text, str) and text.strip():
                met = part.get("met")
                found.append((question, text.strip(), met if isinstance(met, bool) else None))
    return found


# Of a whole run -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairRequirements:
    """The linked requirements of one pair; `numbers` of the steps as Judge counts them, by their place in the episode,
    and `steps` their indices. `trouble`: why the episode could not be read."""

    key: TextPairKey
    requirements: tuple[LinkedRequirement, ...] = ()
    numbers: Mapping[int, int] = field(default_factory=dict)
    steps: Mapping[int, int] = field(default_factory=dict)
    trouble: str = ""


def requirements_of_pairs(source: Source, judgements: Iterable[Judgement]) -> list[PairRequirements]:
    """Those of each pair of which a judge listed any, in the order of the judgements; episodes are read."""
    from stepscope.app.services.goal_trajectory import trajectory_of

    by_pair: dict[TextPairKey, list[Judgement]] = {}
    for one in judgements:
        if listed_requirements(one.detail):
            by_pair.setdefault(one.pair.key, []).append(one)
    found: list[PairRequirements] = []
    for key, said in by_pair.items():
        try:
            episode = source.read(key.episode)
        except UserError as error:
            found.append(PairRequirements(key, trouble=str(error)))
            continue
        numbers = {step.place: number for number, step in enumerate(trajectory_of(episode), start=1)}
        steps = {place: step.index for place, step in enumerate(episode.steps)}
        found.append(PairRequirements(key, linked_requirements(said, episode), numbers, steps))
    return found


def pairs_in_hand(judgements: Iterable[Judgement], given: Iterable[JudgeAssignment]) -> frozenset[TextPairKey]:
    """Pairs that some person has begun or was given and has not finished: what models said of them is not told."""
    people = [one for one in judgements if not one.judge.by_model]
    done = {(one.pair.key, one.judge.name) for one in people if one.done}
    begun = {(one.pair.key, one.judge.name) for one in people} | {(one.key, one.annotator) for one in given}
    return frozenset(key for key, _name in begun - done)
