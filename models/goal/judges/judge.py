"""What a judge is: it is shown a trajectory and two texts about it, and answers four questions.

Source: Berkovitch et al. 2024, section 3.1: fulfilment by the trajectory, satisfaction in both directions.
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any, Protocol

from stepscope.core.domain.judgement import PairAnswers
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken


@dataclass(frozen=True, slots=True)
class JudgedRequirement:
    """A requirement of the text that is to be satisfied; `met` by the other one, None where nothing was said. `by` is
    what it is met by, in words."""

    text: str
    met: bool | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """One of the four questions (a name of `QUESTIONS`) as it was judged: `answer` None where no verdict was found.
    `requirements` and `why` in words; `raw` are the model's answers whole, and `votes` what each says."""

    question: str
    answer: bool | None
    why: str = ""
    requirements: tuple[JudgedRequirement, ...] = ()
    raw: tuple[str, ...] = ()
    votes: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class PairVerdicts:
    """What a judge said of a pair. `failed`: why it could not be asked, "" where it was. `swapped`: whether the
    verdicts on the same directions stayed the same with the texts named the other way round; None where that was not
    asked. `tokens_in`, `tokens_out` of all that was asked."""

    questions: tuple[JudgedQuestion, ...] = ()
    failed: str = ""
    swapped: tuple[bool, ...] = ()
    tokens_in: int | None = None
    tokens_out: int | None = None
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def answers(self) -> PairAnswers:
        return PairAnswers(**{one.question: one.answer for one in self.questions})

    @property
    def detail(self) -> str:
        """As it is kept with the judgement: a JSON object as text."""
        form: dict[str, Any] = {
            "questions": [
                {
                    "question": one.question,
                    "answer": one.answer,
                    "why": one.why,
                    "requirements": [{"text": each.text, "met": each.met, "by": each.by} for each in one.requirements],
                    "votes": list(one.votes),
                    "raw": list(one.raw),
                }
                for one in self.questions
            ],
            "settings": self.settings,
        }
        if self.swapped:
            form["same_when_swapped"] = list(self.swapped)
        return json.dumps(form, ensure_ascii=False)


class GoalJudge(Protocol):
    """`name` is what its judgements stand under; `version` changes whenever it may answer otherwise. `at_once` pairs
    may be given to `judge` from several threads."""

    name: str
    at_once: int

    @property
    def version(self) -> str:
        """What its answers hang on besides the texts and the trajectory."""
        ...

    def set_token(self, token: CancelToken) -> None:
        """A run begins, which this token may end."""
        ...

    def judge(self, request: EpisodeRequest, first: str, second: str) -> PairVerdicts:
        """`first` and `second` are the texts in the data's order. Raises SourceError for a picture that cannot be
        read."""
        ...
