"""The verdict on an asking agent's action, for `ask` in evaluations.

The records of Navi-plus say it themselves and name no rule of their own for it; here it is that of Android in the Wild
(`aitw`) with its default options (ours).
"""

from __future__ import annotations

from stepscope.core.domain.action import Action, AskUser, Say
from stepscope.core.domain.episode import Step
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction
from stepscope.core.domain.score import Score
from stepscope.core.scoring import aitw_actions
from stepscope.core.scoring.aitw import AitwScorer
from stepscope.core.scoring.options import parse_options

_RULE = AitwScorer()
_OPTIONS = parse_options(_RULE.info, {})
_ACTIONS = (
    ("right", "action", "Its action"),
    ("right_after", "after", "Its action once answered"),
    ("right_whole", "whole", "Its action when told the whole goal"),
    ("right_unasked", "unasked", "Its action when it may not ask"),
)
"""Parts of the score, the answer's actions that they are about, and what these are called."""


def actor_parts(step: Step | None, answer: AskAnswer | None) -> tuple[dict[str, float], str]:
    """Parts of a step's score and words for them.

    `chance` is the agent's P(a question is due), where it says one. `asks_after` and `asks_whole` are there where it
    said what it does once answered, and when told the whole goal: 1 where that is another question.

    `judged` is 1 where the step has a reference that the rule can speak of. There, and where the agent gave such an
    action, `right` says whether the first stream's is right, `right_after` whether the second's is, `right_whole` the
    same of what it does when told the whole goal, and `right_unasked` of what it does when it may not ask. To ask is
    never right there (ours).
    """
    parts = _said(answer)
    reference = None if step is None else step.action
    if (
        step is None
        or reference is None
        or isinstance(reference, AskUser | Say)
        or aitw_actions.is_placeless(reference)
    ):
        return parts, ""
    parts["judged"], words = 1.0, []
    for part, field, name in _ACTIONS if answer is not None else ():
        action: Action | None = getattr(answer, field)
        if action is None:
            continue
        score = _score(step, action)
        parts[part] = float(score.right)
        words.append(f"{name} is {'right' if score.right else 'wrong'}: {score.why}")
    return parts, " ".join(words)


def _said(answer: AskAnswer | None) -> dict[str, float]:
    """What the answer says of asking, besides its question."""
    parts: dict[str, float] = {}
    if answer is None:
        return parts
    if answer.score is not None:
        parts["chance"] = float(answer.score)
    for part, action in (("asks_after", answer.after), ("asks_whole", answer.whole)):
        if action is not None:
            parts[part] = float(isinstance(action, AskUser))
    return parts


def _score(step: Step, action: Action) -> Score:
    return _RULE.score_step(step, Prediction("", step.index, ActionAnswer(action)), _OPTIONS)
