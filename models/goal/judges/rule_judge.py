"""`rules`: a judge without weights, the baseline of those that are asked; with `?likeness=NAME` words are also met by
words that an encoder of texts finds alike.

Rule of this project; see `requirements`. A satisfies B where A's act includes B's, on and off are not against each
other, and every word of B that matters is met by one of A. A text is fulfilled where all of its words that matter
occur in what was done or shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.progress import CancelToken
from stepscope.models.chat.trajectory import kept_steps, step_words
from stepscope.models.features.screens import screen_texts
from stepscope.models.goal.judges.judge import JudgedQuestion, JudgedRequirement, PairVerdicts
from stepscope.models.goal.judges.requirements import Requirements, includes, is_number, requirements_of

VERSION = "1"
LIKE = 0.6
"""The cosine from which on a word is met by another (ours)."""
_TEXTS = 200
Alike = Callable[[str, Iterable[str]], str | None]
"""The word out of several that is like a word, None where none is."""


class RuleJudge:
    """See `GoalJudge`. The same texts have the same verdict, always."""

    at_once = 1

    def __init__(self, name: str = "rules", likeness: str = "") -> None:
        """`likeness` names an encoder of texts, "" for none. Raises as loading it."""
        self.name = name
        self.version = f"rules {VERSION}" + (f", words alike by {likeness} from {LIKE}" if likeness else "")
        self._alike: Alike = _Encoded(likeness) if likeness else lambda _word, _others: None

    def set_token(self, token: CancelToken) -> None:
        """It takes no time."""

    def judge(self, request: EpisodeRequest, first: str, second: str) -> PairVerdicts:
        """See `GoalJudge`."""
        one, other = requirements_of(first), requirements_of(second)
        seen = seen_terms(request)
        return PairVerdicts(
            (
                self._fulfilled("first_fulfilled", one, seen),
                self._fulfilled("second_fulfilled", other, seen),
                self._satisfies("first_satisfies", one, other),
                self._satisfies("second_satisfies", other, one),
            ),
            settings={"version": self.version},
        )

    def _satisfies(self, question: str, one: Requirements, other: Requirements) -> JudgedQuestion:
        acts = JudgedRequirement(f"act: {other.act}", includes(one.act, other.act), f"act: {one.act}")
        parts = [acts, *_states(one.state, other.state), *self._met(other, one.terms)]
        return _of(question, parts)

    def _fulfilled(self, question: str, one: Requirements, seen: Mapping[str, str] | None) -> JudgedQuestion:
        if seen is None:
            why = "The trajectory has no words: neither names of elements nor texts of screens."
            return JudgedQuestion(question, None, why)
        return _of(question, self._met(one, seen))

    def _met(self, wanted: Requirements, by: Mapping[str, str]) -> list[JudgedRequirement]:
        found = []
        for term, word in wanted.terms.items():
            other = by.get(term)
            if other is None and not is_number(term):
                like = self._alike(word, [one for key, one in by.items() if not is_number(key)])
                other = like
            found.append(JudgedRequirement(word, other is not None, other or ""))
        return found


def _states(one: bool | None, other: bool | None) -> list[JudgedRequirement]:
    if other is None:
        return []
    words = {True: "on", False: "off", None: ""}
    return [JudgedRequirement(f"state: {words[other]}", one is other, words[one])]


def _of(question: str, parts: list[JudgedRequirement]) -> JudgedQuestion:
    lacking = [one.text for one in parts if not one.met]
    why = f"Not met: {', '.join(lacking)}." if lacking else "Every requirement is met."
    return JudgedQuestion(question, not lacking, why, tuple(parts))


def seen_terms(request: EpisodeRequest) -> Mapping[str, str] | None:
    """The words of all that was done, and of the screens, by their terms; None where there are none."""
    texts: list[str] = [request.app.rpartition(".")[2] if request.app else "", *request.words]
    for _, seen, action in kept_steps(request.observations, request.actions):
        texts += [] if action is None else [step_words(seen, action, request.platform)]
        texts += screen_texts(seen, _TEXTS)
    if not any(texts[1:]):
        return None
    found: dict[str, str] = {}
    for text in texts:
        found |= requirements_of(text).terms
    return found


class _Encoded:
    """Words that an encoder puts close to each other; each is asked once."""

    def __init__(self, likeness: str) -> None:
        from stepscope.models.encoders.registry import load_texts

        (self._encoder,) = load_texts(likeness)
        self._known: dict[str, np.ndarray] = {}

    def __call__(self, word: str, others: Iterable[str]) -> str | None:
        names = list(dict.fromkeys(others))
        if not names:
            return None
        self._learn([word, *names])
        scores = np.stack([self._known[one] for one in names]) @ self._known[word]
        best = int(scores.argmax())
        return names[best] if scores[best] >= LIKE else None

    def _learn(self, words: list[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if not new:
            return
        for word, vector in zip(new, np.asarray(self._encoder.embed(new), np.float32), strict=True):
            self._known[word] = vector / max(float(np.linalg.norm(vector)), 1e-9)
