"""Makes of linked requirements what the list below the reasons shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.core.domain.judgement import is_swapped
from stepscope.widgets.judge.judge_values import RequirementGroup, RequirementShown

if TYPE_CHECKING:
    from stepscope.app.services.judged_requirements import LinkedRequirement

MOST_STEPS = 6
"""Steps that are named of one requirement; a click goes through all."""
_SAYS = {"supported": "Supported", "contradicted": "Contradicted"}


def groups_of(
    found: Sequence[LinkedRequirement], numbers: Mapping[int, int], seed: int
) -> tuple[tuple[RequirementGroup, ...], tuple[LinkedRequirement, ...]]:
    """The groups, judge by judge and A before B, and the requirements in the order in which they stand there.
    `numbers` of the steps by their places; the sides stand by `seed`."""
    groups: list[RequirementGroup] = []
    order: list[LinkedRequirement] = []
    for judge in dict.fromkeys(one.judge for one in found):
        for letter, second in zip("AB", (True, False) if is_swapped(seed) else (False, True), strict=True):
            mine = [one for one in found if one.judge == judge and one.of_second is second]
            if mine:
                title = f"What {letter} asks for, as {judge.name} took it apart"
                groups.append(RequirementGroup(title, tuple(_shown(one, numbers) for one in mine)))
                order += mine
    return tuple(groups), tuple(order)


def speaks_for(one: LinkedRequirement) -> bool:
    """Whether its steps support it; else they contradict it."""
    return one.link.mark.value == "supported"


def _shown(one: LinkedRequirement, numbers: Mapping[int, int]) -> RequirementShown:
    mark, evidence = one.link.mark.value, one.link.evidence
    if not evidence:
        return RequirementShown(one.text, mark, "No step shows it")
    steps = ", ".join(str(numbers[piece.place]) for piece in evidence[:MOST_STEPS])
    more = f" and {len(evidence) - MOST_STEPS} more" if len(evidence) > MOST_STEPS else ""
    word = "step" if len(evidence) == 1 else "steps"
    first = evidence[0]
    says = f"{_SAYS[mark]} at {word} {steps}{more}: {first.kind.value} “{first.words}”"
    return RequirementShown(one.text, mark, says, leads=True)
