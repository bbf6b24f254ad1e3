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


def actor_parts(step: Step | None, answer: AskAnswer | None) -> tuple[dict[str, float], str]:
    """Parts of a step's score and words for them.

    `judged` is 1 where the step has a reference that the rule can speak of. There, and where the agent gave such an
    action, `right` says whether the first stream's is right and `right_after` whether the second's is.
    """
    reference = None if step is None else step.action
    if (
        step is None
        or reference is None
        or isinstance(reference, AskUser | Say)
        or aitw_actions.is_placeless(reference)
    ):
        return {}, ""
    parts, words = {"judged": 1.0}, []
    first, second = (None, None) if answer is None else (answer.action, answer.after)
    for part, name, action in (("right", "Its action", first), ("right_after", "Its action once answered", second)):
        if action is None:
            continue
        score = _score(step, action)
        parts[part] = float(score.right)
        words.append(f"{name} is {'right' if score.right else 'wrong'}: {score.why}")
    return parts, " ".join(words)


def _score(step: Step, action: Action) -> Score:
    return _RULE.score_step(step, Prediction("", step.index, ActionAnswer(action)), _OPTIONS)
