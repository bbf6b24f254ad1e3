"""What may be wrong with a predicted goal, proposed by rule from what a judge answered; a person decides. The rule is
ours; the classes are told in `core.domain.goal_error`.

Of a pair that does not match, the first that fits:

1. *Navigational*: the prediction's act is opening or going somewhere, the reference's is another one.
2. *Invented*: the trajectory does not fulfil the prediction, and it has a word that matters which neither what was done
   or shown nor the reference has.
3. *Too specific*: the prediction satisfies the reference only. *Too general*: the reference the prediction only.
4. Neither satisfies the other, but one has all words of the other and more: *too specific* or *too general* (people
   are told that neither satisfies then, figure 6 of the paper).
5. *Wrong detail*: neither satisfies the other, they share a word, and each has a word, a number or an on or off that
   the other has not.
"""

from __future__ import annotations

from collections.abc import Collection

from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import PairAnswers
from stepscope.models.goal.judges.requirements import Act, requirements_of


def proposed_error(
    answers: PairAnswers, reference: str, predicted: str, seen: Collection[str] | None
) -> GoalErrorClass | None:
    """`answers` about the reference (first) and the prediction (second); `seen` the stems of all that was done or shown
    (`rule_judge.seen_terms`), None where that has no words. None where nothing fits, the pair matches, or a direction
    is open."""
    forth, back = answers.second_satisfies, answers.first_satisfies
    if forth is None or back is None or (forth and back):
        return None
    wanted, said = requirements_of(reference), requirements_of(predicted)
    mine, theirs = said.terms.keys(), wanted.terms.keys()
    if said.act is Act.OPEN and wanted.act is not Act.OPEN:
        return GoalErrorClass.NAVIGATIONAL
    if answers.second_fulfilled is False and seen is not None and mine - theirs - set(seen):
        return GoalErrorClass.INVENTED
    if forth or (not back and mine > theirs):
        return GoalErrorClass.TOO_SPECIFIC
    if back or mine < theirs:
        return GoalErrorClass.TOO_GENERAL
    opposed = None not in (said.state, wanted.state) and said.state is not wanted.state
    if mine & theirs and (opposed or mine != theirs):
        return GoalErrorClass.WRONG_DETAIL
    return None
