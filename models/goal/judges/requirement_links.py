"""Which steps of a trajectory support or contradict a requirement that a judge listed.

The rule is ours, and knows words only: it says where to look, no verdict depends on it. A requirement's words are those
that matter (`requirements`), stemmed. In this order:

1. *On or off*, where the requirement sets something or ends in one of them: a touch that switched what it names (or,
   where it names nothing, what the description names) supports it or contradicts it. Of several touches of one name the
   last counts. Without one, what was touched, chosen or typed and itself says on or off. Else nothing shows it.
2. *A value that differs* contradicts: none of the requirement's value (`named_values`) was typed, chosen or in a
   touched name, and another of its kind was, which the description does not name. Numbers count where they were typed
   or chosen, other values also as the whole name of what was touched. What was typed over in the same field does not
   count.
3. *Done* supports: what was typed, chosen, touched or opened at a step, or the name of the field, has all of the words;
   else some of them, and the screen of that step the others.
4. *Shown* supports: the screen of a step has all of the words. At the first step the app's name counts too.
5. A requirement of an act alone ("act: buy") is supported where what was touched or opened names the same act.

Anything else: nothing shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.models.goal.judges.named_values import NamedValue, is_value_alone, values_of
from stepscope.models.goal.judges.requirements import Act, Requirements, requirements_of
from stepscope.models.goal.judges.step_evidence import EvidenceKind, StepEvidence

_NAMED_ACT = re.compile(r"^act: (\w+)$")
_NAMED_STATE = re.compile(r"^state: (on|off)$")
_ENDS_IN_STATE = re.compile(r"\b(?:on|off)\W*$", re.IGNORECASE)
_GIVEN = (EvidenceKind.TYPED, EvidenceKind.CHOSEN)


class LinkMark(StrEnum):
    """What the steps say of a requirement."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RequirementLink:
    """`evidence` is one piece a step, in the order of the steps; none where the mark is NOTHING."""

    mark: LinkMark
    evidence: tuple[StepEvidence, ...] = ()


NO_LINK = RequirementLink(LinkMark.NOTHING)


def link_of(requirement: str, description: str, evidence: Sequence[StepEvidence]) -> RequirementLink:
    """The steps that speak for or against a requirement of a description."""
    wanted = _wanted(requirement)
    done = [one for one in evidence if one.kind.is_done]
    if wanted.state is not None and (wanted.act is Act.SET or _ENDS_IN_STATE.search(requirement)):
        return _state(wanted, frozenset(requirements_of(description).terms), done)
    if not wanted.terms:
        return _supported(_same_act(wanted.act, done))
    against = _differing(requirement, description, done)
    if against:
        return RequirementLink(LinkMark.CONTRADICTED, _one_a_step(against))
    return _supported(_named(frozenset(wanted.terms), evidence))


def _wanted(requirement: str) -> Requirements:
    act, state = _NAMED_ACT.match(requirement), _NAMED_STATE.match(requirement)
    if act is not None:
        return Requirements(Act(act[1]) if act[1] in set(Act) else Act.OTHER, None, {})
    if state is not None:
        return Requirements(Act.SET, state[1] == "on", {})
    return requirements_of(requirement)


def _supported(found: Sequence[StepEvidence]) -> RequirementLink:
    return RequirementLink(LinkMark.SUPPORTED, _one_a_step(found)) if found else NO_LINK


def _one_a_step(found: Iterable[StepEvidence]) -> tuple[StepEvidence, ...]:
    first: dict[int, StepEvidence] = {}
    for one in found:
        first.setdefault(one.place, one)
    return tuple(first[place] for place in sorted(first))


def _state(wanted: Requirements, described: frozenset[str], done: Sequence[StepEvidence]) -> RequirementLink:
    terms = frozenset(wanted.terms)
    meant = [one for one in done if _is_meant(terms, described, one.terms)]
    switched = {one.words: one for one in meant if one.turned is not None}  # the last of a name
    says = [(one, one.turned) for one in switched.values()]
    says = says or [(one, state) for one in meant if (state := requirements_of(one.words).state) is not None]
    for mark, state in ((LinkMark.SUPPORTED, wanted.state), (LinkMark.CONTRADICTED, not wanted.state)):
        found = [one for one, said in says if said is state]
        if found:
            return RequirementLink(mark, _one_a_step(found))
    return NO_LINK


def _is_meant(terms: frozenset[str], described: frozenset[str], name: frozenset[str]) -> bool:
    return terms <= name if terms else not name or bool(described & name)


def _same_act(act: Act, done: Sequence[StepEvidence]) -> list[StepEvidence]:
    if act is Act.OTHER:
        return []
    named = [one for one in done if one.kind not in _GIVEN]
    return [
        one for one in named if (Act.OPEN if one.kind is EvidenceKind.OPENED else requirements_of(one.words).act) is act
    ]


def _differing(requirement: str, description: str, done: Sequence[StepEvidence]) -> list[StepEvidence]:
    named = (*values_of(requirement), *values_of(description))
    told = [one for one in done if one.kind is not EvidenceKind.FIELD]  # what stood in it before is no value
    there = [(one, value) for one in told for value in values_of(one.words)]
    counted = [(one, value) for place, (one, value) in enumerate(there) if not _is_replaced(one, value, there[place:])]
    found: list[StepEvidence] = []
    for wanted in values_of(requirement):
        if any(value.equals(wanted) for _one, value in counted):
            continue
        found += [
            one
            for one, value in counted
            if value.kind == wanted.kind and _counts(one) and not any(value.equals(other) for other in named)
        ]
    return found


def _counts(one: StepEvidence) -> bool:
    return one.kind in _GIVEN or (one.kind is EvidenceKind.TOUCHED and is_value_alone(one.words))


def _is_replaced(one: StepEvidence, value: NamedValue, later: Sequence[tuple[StepEvidence, NamedValue]]) -> bool:
    """Whether another value of its kind was put into the same field afterwards."""
    if one.kind not in _GIVEN or one.box is None:
        return False
    return any(
        other.kind in _GIVEN and other.box == one.box and other.place > one.place and said.kind == value.kind
        for other, said in later
    )


def _named(terms: frozenset[str], evidence: Sequence[StepEvidence]) -> list[StepEvidence]:
    """The best piece of each step that has the words: steps that did all of them, else those that did some and show the
    others, else those that show all."""
    steps: dict[int, list[StepEvidence]] = {}
    for one in evidence:
        if terms & one.terms:
            steps.setdefault(one.place, []).append(one)
    done = {place: [one for one in found if one.kind.is_done] for place, found in steps.items()}
    whole = [found for found in done.values() if terms <= _all_words(found)]
    partly = [done[place] for place, found in steps.items() if done[place] and terms <= _all_words(found)]
    shown = [found for found in steps.values() if terms <= _all_words(found)]
    return [max(found, key=lambda one: len(terms & one.terms)) for found in whole or partly or shown]


def _all_words(found: Iterable[StepEvidence]) -> frozenset[str]:
    return frozenset().union(*(one.terms for one in found))
