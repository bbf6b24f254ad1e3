"""A model that is asked to judge: `served:SERVER/MODEL` or `local:CHECKPOINT`, with settings such as `?samples=3`.

Source: Berkovitch et al. 2024, figure 9: asked once for each direction, requirements, counter-example, and the last
tagged verdict counts. Fulfilment is asked likewise, each text by itself; samples and swapping are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from stepscope import resources
from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_toml
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.intent_match import judged_fulfilment, judged_satisfaction
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.core.typed_forms import dataclass_of
from stepscope.models.chat.answers import ChatAnswer, spoken_text
from stepscope.models.chat.chat import Chat
from stepscope.models.chat.client import ServerError
from stepscope.models.chat.redaction_rules import mark
from stepscope.models.chat.trajectory import (
    PICTURES,
    STEPS,
    USUAL,
    Inputs,
    Telling,
    ToldTrajectory,
    content,
    trajectory,
)
from stepscope.models.chat.trajectory import VERSION as TOLD
from stepscope.models.goal.judges.judge import JudgedQuestion, JudgedRequirement, PairVerdicts

PROMPT = Path(resources.__file__).resolve().parent / "judge_prompts" / "judge.toml"
WARM = 1.0
"""The temperature where several answers are wanted to one question (ours)."""
OPTIONS = (
    Option("samples", 1, "Answers to each question, of which the majority counts; an odd number.", "ours", low=1,
           high=15),
    Option("swap", 0, "Ask both directions again with the texts named the other way round.", "ours", high=1),
    Option("fulfilment", 1, "Ask whether the trajectory fulfils each text.", "paper", high=1),
    Option("inputs", "both", "What it is told of the trajectory: pictures, actions in words, or both.", "ours",
           choices=("both", "pictures", "words")),
    Option("pictures", PICTURES, "Pictures of one trajectory at most, evenly out of more.", "ours", low=1, high=STEPS),
    Option("tokens", 1_024, "The longest answer, in tokens.", "ours", low=16, high=131_072),
)  # fmt: skip
_LINE = re.compile(r"^[-*•\d.)\s]*(.+?)\s*(?:->|=>|→|:|\|)\s*(yes|no)\b[\s:.,;–-]*(.*)$", re.IGNORECASE)
_LISTED = re.compile(r"\[REQUIREMENTS\](.*?)\[/REQUIREMENTS\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """The system's words for both kinds of question, and the sentence about the pictures by platform."""

    title: str
    version: str
    source: str
    satisfaction: str
    fulfilment: str
    seen: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How a model is asked to judge; see `OPTIONS`."""

    samples: int = 1
    swap: bool = False
    fulfilment: bool = True
    telling: Telling = USUAL
    tokens: int = 1_024


@cache
def judge_prompt() -> JudgePrompt:
    """The program's own."""
    return dataclass_of(JudgePrompt, read_toml(PROMPT))


def judge_settings(owner: str, given: Mapping[str, str], *, sees: bool) -> JudgeSettings:
    """Raises UsageError for a setting that there is not, a value that cannot be, and an even number of samples."""
    values = checked(owner, OPTIONS, given)
    samples = int(values["samples"])
    if samples % 2 == 0:
        raise UsageError(f"{owner}: samples must be odd, so that there is a majority.", hint="Give 1, 3 or 5.")
    telling = Telling(inputs=cast(Inputs, values["inputs"]), pictures=int(values["pictures"]))
    return JudgeSettings(
        samples, bool(values["swap"]), bool(values["fulfilment"]), telling if sees else telling.blind,
        int(values["tokens"]),
    )  # fmt: skip


def judge_name(name: str) -> str:
    """The name with the settings that are not at their defaults, in their order."""
    plain, given = split_name(name)
    usual = {one.name: str(one.default) for one in OPTIONS}
    return with_settings(plain, {one: given[one] for one in usual if given.get(one, usual[one]) != usual[one]})


@dataclass(frozen=True, slots=True)
class _JudgeQuestion:
    """A question as it is put: the texts under the letters A and B, and what is asked about them."""

    question: str
    system: str
    lead: str
    end: str


class AskedJudge:
    """See `GoalJudge`. Nothing is raised for a server's fault: the pair says so."""

    def __init__(self, name: str, chat: Chat, settings: JudgeSettings, at_once: int) -> None:
        """`at_once`: pairs that may be asked about at once."""
        self.name, self.at_once = name, at_once
        self._chat, self._settings = chat, settings

    @property
    def version(self) -> str:
        """With what a person's rules keep from being sent, as they are now."""
        return f"judge {judge_prompt().version}, trajectory {TOLD}{mark()}"

    def set_token(self, token: CancelToken) -> None:
        self._chat.set_token(token)

    def judge(self, request: EpisodeRequest, first: str, second: str) -> PairVerdicts:
        """See `GoalJudge`."""
        version, told = self.version, trajectory(request, self._settings.telling)
        seen = _seen(told, request)
        found: list[JudgedQuestion] = []
        tokens = [0, 0]
        for one in self._questions(first, second, seen):
            answers = [
                self._chat.ask(_messages(one, told), self._settings.tokens) for _ in range(self._settings.samples)
            ]
            broken = next((answer for answer in answers if isinstance(answer, ServerError)), None)
            if broken is not None:
                return PairVerdicts(failed=str(broken))
            said = [answer for answer in answers if isinstance(answer, ChatAnswer)]
            tokens = [tokens[0] + sum(a.tokens_in or 0 for a in said), tokens[1] + sum(a.tokens_out or 0 for a in said)]
            found.append(_judged(one.question, [answer.raw or answer.text for answer in said]))
        kept = tuple(one for one in found if not one.question.endswith(_SWAPPED))
        again = {one.question.removesuffix(_SWAPPED): one.answer for one in found if one.question.endswith(_SWAPPED)}
        same = tuple(one.answer is again[one.question] for one in kept if one.question in again)
        settings = {"version": version, "samples": str(self._settings.samples)}
        return PairVerdicts(kept, swapped=same, tokens_in=tokens[0], tokens_out=tokens[1], settings=settings)

    def _questions(self, first: str, second: str, seen: str) -> Iterator[_JudgeQuestion]:
        prompt = judge_prompt()
        if self._settings.fulfilment:
            system = prompt.fulfilment.strip().replace("{seen}", seen)
            for question, text in (("first_fulfilled", first), ("second_fulfilled", second)):
                yield _JudgeQuestion(
                    question, system, f"The description: {text}", "Do these steps fulfil the description?"
                )
        system = prompt.satisfaction.strip().replace("{seen}", seen)
        for question, one, other in (("first_satisfies", first, second), ("second_satisfies", second, first)):
            yield _JudgeQuestion(question, system, f"A: {one}\nB: {other}", "Does A satisfy B?")
            if self._settings.swap:
                yield _JudgeQuestion(f"{question}{_SWAPPED}", system, f"A: {other}\nB: {one}", "Does B satisfy A?")


_SWAPPED = " swapped"


def _messages(asked: _JudgeQuestion, told: ToldTrajectory | None) -> list[dict[str, Any]]:
    parts = [_text(asked.lead), *([] if told is None else [_text("The steps:"), *told.parts]), _text(asked.end)]
    return [{"role": "system", "content": asked.system}, {"role": "user", "content": content(parts)}]


def _seen(told: ToldTrajectory | None, request: EpisodeRequest) -> str:
    seen = judge_prompt().seen
    here = request.platform.value if told is not None and told.has_pictures else "none"
    return seen.get(here, seen["none"])


def _judged(question: str, raw: Sequence[str]) -> JudgedQuestion:
    """The majority of what was answered; nothing where as many say yes as no, counting those that have a verdict."""
    read = judged_fulfilment if question.endswith("fulfilled") else judged_satisfaction
    votes = tuple(read(spoken_text(one)) for one in raw)
    yes, no = votes.count(True), votes.count(False)
    answer = None if yes == no else yes > no
    chosen = next((one for one, vote in zip(raw, votes, strict=True) if vote is answer), raw[0] if raw else "")
    found = JudgedQuestion(question, answer, requirements=_requirements(chosen), raw=tuple(raw), votes=votes)
    if answer is None:
        return replace(found, why="No verdict was found in the answer." if yes + no == 0 else "As many say yes as no.")
    return replace(found, why=_explanation(chosen))


def _requirements(text: str) -> tuple[JudgedRequirement, ...]:
    """The lines of the last list of requirements, as far as they can be read."""
    lists = _LISTED.findall(spoken_text(text))
    lines = lists[-1].splitlines() if lists else []
    found = [match for line in lines if (match := _LINE.match(line.strip()))]
    return tuple(JudgedRequirement(one[1].strip(), one[2].lower() == "yes", one[3].strip()) for one in found)


def _explanation(text: str) -> str:
    """What stands between the requirements and the verdict."""
    rest = _LISTED.split(spoken_text(text))[-1]
    return " ".join(re.split(r"\[(?:SATISFACTION|FULFILLED)\]", rest)[0].split())


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}
