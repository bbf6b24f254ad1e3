"""A model that is asked to make ambiguous tasks: `served:SERVER/MODEL` or `local:CHECKPOINT`.

Source: Navi-plus, section 2.2 and appendix D: an instruction for each step from screen, action and box; then for one
step informative or not, the goal without it, question and answer in one call. Ours: a step's instruction that the data
has is not asked for; keys, waiting and scrolling are transactional without asking; several steps are left out one after
another, each from the goal that the one before left.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from stepscope.core.domain.ambiguous_task import Cut, MissingPiece, StepReading, StepRole
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.goal_words import cuts_between
from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.prediction_cache import PredictionCache
from stepscope.core.progress import CancelToken
from stepscope.models.ask.making.ask_prompts import AskPrompt
from stepscope.models.ask.making.maker import EpisodeDrafts, StepProblem, TaskDraft
from stepscope.models.ask.making.question_budget import QuestionBudget
from stepscope.models.ask.making.rewriting import (
    Rewriting,
    UnreadableAnswerError,
    read_instruction,
    read_rewriting,
)
from stepscope.models.ask.making.rules import drawn
from stepscope.models.ask.making.shared_words import (
    StepText,
    TextSource,
    goal_words,
    holds,
    kind_of_value,
    plain_words,
    value_words,
)
from stepscope.models.ask.making.step_texts import can_inform, done_steps, instruction_of, texts_of
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.chat import Chat
from stepscope.models.chat.client import ServerError
from stepscope.models.chat.pictures import picture_url
from stepscope.models.chat.redaction import without_secret_words
from stepscope.models.chat.redaction_rules import Redaction, mark, redaction_of
from stepscope.models.chat.trajectory import content, step_words
from stepscope.models.features.screens import screen_texts

FORM = "making 1"
"""Changes whenever the same prompt is put or read otherwise."""
MOST_TOKENS = 1_024
"""Of an answer (ours)."""
_TEXTS = 40
"""Texts of a screen that a model without eyes is told (ours)."""


class AskedMakerSettings(NamedTuple):
    """`prompt`: the words; `sees`: whether the model is shown pictures; `tokens`: the longest answer; `anew`: whether
    instructions are asked for that the data has, and answers that are remembered; `seed` decides which steps are left
    out."""

    prompt: AskPrompt
    sees: bool = True
    tokens: int = MOST_TOKENS
    every_instruction: bool = False
    anew: bool = False
    seed: int = 0


class _SpentError(Exception):
    """No question may be put any more."""


class _NoAnswerError(Exception):
    """The server gave no answer: the episode is tried another time."""


class _Informative(NamedTuple):
    """A step that the goal decides, and how the goal reads without it."""

    step: Step
    instruction: str
    rewriting: Rewriting


class AskedTaskMaker:
    """See `AskTaskMaker`."""

    def __init__(
        self,
        name: str,
        chat: Chat,
        settings: AskedMakerSettings,
        *,
        at_once: int = 1,
        fingerprint: str = "",
        cache: PredictionCache | None = None,
        budget: QuestionBudget | None = None,
    ) -> None:
        """`fingerprint` tells this model's answers from all others' in the cache."""
        self.name, self.at_once = name, at_once
        self._chat, self._settings, self._fingerprint, self._cache = chat, settings, fingerprint, cache
        self.budget = budget or QuestionBudget()

    @property
    def version(self) -> str:
        """With what a person's rules keep from being sent, as they are now."""
        prompt, seed = self._settings.prompt, self._settings.seed
        drawn_by = f", seed {seed}" if seed else ""
        return f"{FORM}, prompt {prompt.name} {prompt.version} ({prompt.digest}){drawn_by}{mark()}"

    def set_token(self, token: CancelToken) -> None:
        self._chat.set_token(token)

    def make(self, episode: Episode, removed: Sequence[int]) -> EpisodeDrafts:
        """See `AskTaskMaker`. Nothing is raised for a server's fault: the drafts say so."""
        problems: list[StepProblem] = []
        try:
            readings, found = self._read(episode, problems)
            order = drawn(found, self._settings.seed, episode.id)
            drafts = []
            for count in removed:
                draft = self._draft(episode, order, count, problems)
                if draft.pieces or not problems:
                    drafts.append(draft)
        except _SpentError:
            return EpisodeDrafts(unfinished=True)
        except _NoAnswerError as error:
            return EpisodeDrafts(failed=str(error), problems=tuple(problems))
        return EpisodeDrafts(tuple(drafts), readings, problems=tuple(problems))

    # The two questions -----------------------------------------------------------------------------------------------

    def _read(
        self, episode: Episode, problems: list[StepProblem]
    ) -> tuple[tuple[StepReading, ...], list[_Informative]]:
        redaction = redaction_of(episode.app)
        readings, found = [], []
        for step in done_steps(episode):
            assert step.action is not None
            if not can_inform(step.action):
                readings.append(StepReading(step.index, instruction_of(episode, step, redaction)))
                continue
            instruction = self._instruction(episode, step, redaction, problems)
            rewriting = self._rewriting(episode.goal, instruction, step, problems)
            if rewriting is None:
                readings.append(StepReading(step.index, instruction))
                continue
            value = _value(episode.goal, rewriting)
            readings.append(StepReading(step.index, instruction, StepRole.INFORMATIVE, value))
            found.append(_Informative(step, instruction, rewriting))
        return tuple(readings), found

    def _instruction(self, episode: Episode, step: Step, redaction: Redaction, problems: list[StepProblem]) -> str:
        """As the data has it, else as the model says it; in our words where its answer cannot be read."""
        if step.instruction and not asks_instruction(step, self._settings):
            return step.instruction
        try:
            return read_instruction(self._asked(step_messages(episode, step, self._settings, redaction)))
        except UnreadableAnswerError as error:
            problems.append(StepProblem(step.index, str(error)))
            return instruction_of(episode, step, redaction)

    def _rewriting(self, goal: str, instruction: str, step: Step, problems: list[StepProblem]) -> Rewriting | None:
        try:
            return read_rewriting(self._asked(rewriting_messages(goal, instruction, self._settings)))
        except UnreadableAnswerError as error:
            problems.append(StepProblem(step.index, str(error)))
            return None

    def _asked(self, messages: list[dict[str, Any]]) -> str:
        """The model's answer, remembered where it gave one to the same before."""
        key = hashlib.blake2b(orjson.dumps([FORM, self._fingerprint, messages]), digest_size=16).digest()
        known = self._cache.get(key) if self._cache is not None and not self._settings.anew else None
        if known is not None:
            self.budget.known()
            return known.raw
        if not self.budget.take():
            raise _SpentError
        found = self._chat.ask(messages, self._settings.tokens)
        if isinstance(found, ServerError):
            raise _NoAnswerError(str(found))
        self.budget.paid(found.tokens_in, found.tokens_out)
        return self._kept(key, found)

    def _kept(self, key: bytes, found: ChatAnswer) -> str:
        if found.status is not PredictionStatus.OK:
            raise UnreadableAnswerError(found.why or "The model gave no answer.")
        if self._cache is not None:
            self._cache.put([(key, Prediction("", None, GoalAnswer(""), raw=found.text))])
        return found.text

    # Leaving out -----------------------------------------------------------------------------------------------------

    def _draft(
        self, episode: Episode, order: Sequence[_Informative], count: int, problems: list[StepProblem]
    ) -> TaskDraft:
        """The first steps of the order that say different things."""
        goal, chosen = episode.goal, list[_Informative]()
        order = order if len(order) >= count else ()
        for one in order:
            if len(chosen) == count:
                break
            if not chosen:
                goal, chosen = one.rewriting.goal, [one]
                continue
            if _says_the_same(episode.goal, one.rewriting, [other.rewriting for other in chosen]):
                continue
            rewriting = self._rewriting(goal, one.instruction, one.step, problems)
            if rewriting is not None:
                goal = rewriting.goal
                chosen.append(one._replace(rewriting=rewriting._replace(overlap=one.rewriting.overlap)))
        if len(chosen) < count:
            return TaskDraft(count, episode.goal)
        return TaskDraft(count, goal, tuple(sorted(_pieces(episode.goal, goal, chosen), key=lambda one: one.step)))


def step_messages(
    episode: Episode, step: Step, settings: AskedMakerSettings, redaction: Redaction
) -> list[dict[str, Any]]:
    """The question what was done: the screen with the action and its box drawn on it; the words of the elements where
    it is not shown. Raises SourceError for a picture that cannot be read."""
    assert step.action is not None
    prompt, seen = settings.prompt, step.observation
    url = picture_url(seen, step.action, episode.platform, redaction=redaction) if settings.sees else None
    place = episode.platform.value if url and episode.platform.value in prompt.seen else "none"
    texts = () if url else screen_texts(without_secret_words(seen, redaction), _TEXTS)
    values = {
        "task": episode.goal,
        "action": step_words(seen, step.action, episode.platform, redaction),
        "elements": f"On the screen: {' · '.join(texts)}" if texts else "",
        "seen": prompt.seen[place],
    }
    system, user = prompt.words("instruction", values)
    pictures = [{"type": "image_url", "image_url": {"url": url}}] if url else []
    return _messages(system, [*pictures, _text(user)])


def rewriting_messages(goal: str, instruction: str, settings: AskedMakerSettings) -> list[dict[str, Any]]:
    """The question whether goal and step share anything, and how the goal reads without it."""
    system, user = settings.prompt.words("rewriting", {"task": goal, "step": instruction})
    return _messages(system, [_text(user)])


def asks_instruction(step: Step, settings: AskedMakerSettings) -> bool:
    """Whether the step's instruction is asked for."""
    return settings.every_instruction or not step.instruction


def _pieces(original: str, goal: str, chosen: Sequence[_Informative]) -> list[MissingPiece]:
    values = [_value(original, one.rewriting) for one in chosen]
    cuts = _shared_out(original, cuts_between(original, goal), values)
    return [
        MissingPiece(
            one.step.index, value, one.rewriting.question, one.rewriting.answer, _kind(original, value, one.step), mine
        )
        for one, value, mine in zip(chosen, values, cuts, strict=True)
    ]


def _value(original: str, rewriting: Rewriting) -> str:
    """What the model says that it took out, as it stands in the goal; else the longest of what is gone."""
    words = goal_words(original)
    said = plain_words(rewriting.overlap)
    at = holds([word.plain for word in words], said)
    if at >= 0:
        return original[words[at].start : words[at + len(said) - 1].end]
    gone = [original[cut.start : cut.end] for cut in cuts_between(original, rewriting.goal)]
    longest = max(gone, key=lambda text: len(value_words(plain_words(text))), default="")
    return longest.strip(" ,.;:") if value_words(plain_words(longest)) else rewriting.overlap


def _shared_out(original: str, cuts: Sequence[Cut], values: Sequence[str]) -> list[tuple[Cut, ...]]:
    """Each cut goes to the value with which it has the most words; one that has none with any, to the first."""
    shares: list[list[Cut]] = [[] for _ in values]
    words = [set(plain_words(value)) for value in values]
    for cut in cuts:
        gone = set(plain_words(original[cut.start : cut.end]))
        shares[max(range(len(values)), key=lambda place: (len(gone & words[place]), -place))].append(cut)
    return [tuple(share) for share in shares]


def _kind(original: str, value: str, step: Step) -> Any:
    texts = texts_of(step)
    text = texts[0] if texts else StepText(value, TextSource.NAME)
    words = goal_words(original)
    at = holds([word.plain for word in words], plain_words(value))
    return kind_of_value(original, value, text, words[at - 1].plain if at > 0 else "")


def _says_the_same(original: str, one: Rewriting, others: Sequence[Rewriting]) -> bool:
    """Whether what it leaves out is left out already."""
    mine = set(value_words(plain_words(_value(original, one))))
    gone = {word for other in others for word in value_words(plain_words(_value(original, other)))}
    return not mine - gone


def _messages(system: str, parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": content(parts)}]


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}
