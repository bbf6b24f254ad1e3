"""A model that is asked in words for the goal behind a trajectory: settings in its name, what is put to it, and what
its answer says.

Source: Berkovitch et al. 2024, section 4.2 and figure 8: step-by-step descriptions and a concise task as JSON,
zero-shot or with one example (section 5.2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform
from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.evaluation.tasks.kind import done_in
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.models.agents.calls import objects
from stepscope.models.agents.whole_questions import WholeQuestion
from stepscope.models.chat import trajectory as tellings
from stepscope.models.chat.answers import ChatAnswer, is_marked_goal, sentence, spoken_text
from stepscope.models.chat.pictures import PAGE_SHARE
from stepscope.models.chat.trajectory import Inputs, Telling, ToldTrajectory, content, trajectory
from stepscope.models.goal.prompts import USUAL, GoalPrompt, example_folder, goal_prompt, goal_prompts

MOST_TOKENS = 2_048
"""Of an answer (ours): every step is described in it."""
ALL, MOST_LAST = "all", 40
"""Which of the last actions are told: all, or up to so many."""
KEYS = ("goal", "concise task", "concise_task")
"""Of the object that is answered: ours, and the paper's."""


@dataclass(frozen=True, slots=True)
class GoalSettings:
    """`telling`: how much of the trajectory is told; `example`: whether a solved one is shown before; `tokens`: the
    longest answer; `sees`: whether the model is shown pictures at all."""

    prompt: GoalPrompt
    telling: Telling
    sees: bool = True
    example: bool = False
    tokens: int = MOST_TOKENS

    @property
    def version(self) -> str:
        """Changes whenever something else may be sent, or an answer be read otherwise."""
        return f"trajectory {tellings.VERSION}, prompt {self.prompt.name} {self.prompt.version} ({self.prompt.digest})"

    @property
    def words(self) -> str:
        """What sets it apart, such as "one sentence, the last 3 steps"."""
        telling = self.telling
        parts = [] if self.prompt.name == USUAL else [self.prompt.title.lower()]
        parts += [] if telling.inputs == "both" or not self.sees else [f"{telling.inputs} alone"]
        parts += [f"the last {telling.last} actions" if telling.last > 1 else "the last action"] if telling.last else []
        parts += ["an example"] if self.example else []
        parts += [] if telling.pictures == tellings.PICTURES else [f"{telling.pictures} pictures at most"]
        parts += [] if telling.page == PAGE_SHARE else [f"pages {telling.page:g} × their width"]
        parts += [] if self.tokens == MOST_TOKENS else [f"{self.tokens:,} tokens"]
        return ", ".join(parts)

    @property
    def values(self) -> dict[str, object]:
        """As the options of these names have them."""
        telling = self.telling
        return {
            "prompt": self.prompt.name, "inputs": telling.inputs, "steps": str(telling.last or ALL),
            "example": int(self.example), "pictures": telling.pictures, "page": telling.page, "tokens": self.tokens,
        }  # fmt: skip


def options(names: Iterable[str], *, sees: bool) -> tuple[Option, ...]:
    """The settings, where the prompts have these names; `sees`: whether the model is shown pictures."""
    words = Option("prompt", USUAL, "The words in which it is asked: see stepscope goals prompts.", "paper",
                   choices=tuple(dict.fromkeys((USUAL, *names))))  # fmt: skip
    steps = Option("steps", ALL, "So many of the last actions are told, or all.", "ours",
                   choices=(ALL, *map(str, range(1, MOST_LAST + 1))))  # fmt: skip
    example = Option("example", 0, "Show it one solved trajectory first.", "paper", high=1)
    tokens = Option("tokens", MOST_TOKENS, "The longest answer, in tokens.", "ours", low=16, high=131_072)
    if not sees:
        return words, steps, example, tokens
    return (
        words,
        Option("inputs", "both", "What it is told of a trajectory: pictures, actions in words, or both.", "ours",
               choices=("both", "pictures", "words")),
        steps,
        example,
        Option("pictures", tellings.PICTURES, "Pictures of one trajectory at most, evenly out of more.", "ours", low=1,
               high=tellings.STEPS),
        Option("page", PAGE_SHARE, "Height of what is kept of a long web page, as a share of its width.", "ours",
               low=0.25, high=20.0),
        tokens,
    )  # fmt: skip


def goal_settings(owner: str, given: Mapping[str, str], *, sees: bool) -> tuple[GoalSettings, tuple[Option, ...]]:
    """The settings of the model of the whole name `owner`, and what can be set. Raises UsageError for one that there is
    not, a value that cannot be, and an example that the prompt does not have; UserError for a prompt that is broken."""
    known, _ = goal_prompts()
    named = given.get("prompt", USUAL)
    prompt = goal_prompt(named)
    offered = options((*known, named), sees=sees)
    values = checked(owner, offered, given)
    if values["example"] and not prompt.examples:
        raise UsageError(
            f"{owner}: the prompt {prompt.name} has no example.", hint="Leave example out, or name one there."
        )
    telling = Telling(last=0 if values["steps"] == ALL else int(values["steps"]))
    if sees:
        inputs, pictures, page = values["inputs"], int(values["pictures"]), float(values["page"])
        telling = replace(telling, inputs=cast(Inputs, inputs), pictures=pictures, page=page)
    else:
        telling = telling.blind
    return GoalSettings(prompt, telling, sees, bool(values["example"]), int(values["tokens"])), offered


def goal_question(request: EpisodeRequest, settings: GoalSettings) -> WholeQuestion:
    """What is put to the model. Raises SourceError for a picture that cannot be read, UserError for an example that is
    not there."""
    name, prompt = request.episode, settings.prompt
    told = trajectory(request, settings.telling)
    if told is None:
        why = "The trajectory has no pictures." if request.observations else "The trajectory has no steps."
        return WholeQuestion(name, None, lambda text: read_goal(name, text, prompt), why=why)
    before, steps = _example(request, settings)
    messages = [
        {"role": "system", "content": prompt.instruction(*_places(told, request.platform, settings))},
        *before,
        {"role": "user", "content": content([*told.parts, _text(prompt.user.strip())])},
    ]
    # A picture of a page that was cut otherwise than usual is kept, and not made again.
    of_steps = told.steps if settings.telling.page == PAGE_SHARE else (None,) * len(told.steps)
    return WholeQuestion(
        name, messages, lambda text: read_goal(name, text, prompt), (*steps, *of_steps), screens=(*steps, *told.steps)
    )


def read_goal(episode: str, text: str, prompt: GoalPrompt) -> Prediction:
    """The prediction that an answer in the prompt's form is."""
    if prompt.answer == "steps":
        return _read_steps(episode, text)
    return _told(episode, text, sentence(ChatAnswer(PredictionStatus.OK, text, raw=text)))


def _read_steps(episode: str, text: str) -> Prediction:
    """The last object that has a goal counts; an answer that is one line, or marks one as the goal, is taken without
    (ours)."""
    forms = [form for form, _ in objects(spoken_text(text)) if any(key in form for key in KEYS)]
    if not forms:
        lines = [line for line in spoken_text(text).splitlines() if line.strip()]
        if len(lines) > 1 and not any(map(is_marked_goal, lines)):
            return _malformed(episode, text, 'The answer has no JSON object with a "goal".')
        return _told(episode, text, sentence(ChatAnswer(PredictionStatus.OK, text, raw=text)))
    goals = [next(form[key] for key in KEYS if key in form) for form in forms]
    goal = goals[-1][0] if isinstance(goals[-1], list) and len(goals[-1]) == 1 else goals[-1]
    if isinstance(goal, list):
        return _malformed(episode, text, f"The answer gives {len(goal)} goals; one was asked for.")
    if not isinstance(goal, str):
        return _malformed(episode, text, "The goal in the answer is no text.")
    found = _told(episode, text, sentence(ChatAnswer(PredictionStatus.OK, goal or " ", raw=text)))
    different = len({str(one) for one in goals})
    if different > 1:
        found = replace(found, why=f"{found.why} It gives {different} goals; the last counts.".strip())
    return found


def _told(episode: str, text: str, found: ChatAnswer) -> Prediction:
    goal = GoalAnswer(found.text) if found.status is PredictionStatus.OK else None
    return Prediction(episode, None, goal, found.status, raw=text, why=found.why)


def _malformed(episode: str, text: str, why: str) -> Prediction:
    return Prediction(episode, None, None, PredictionStatus.MALFORMED, raw=text, why=why)


def _places(told: ToldTrajectory, platform: Platform, settings: GoalSettings) -> tuple[str, str]:
    """Of which data the sentences about pictures and about actions are told."""
    here = platform.value if platform.value in settings.prompt.seen else "none"
    actions = "none" if settings.telling.inputs == "pictures" else here
    return here if told.has_pictures else "none", actions


# The example ----------------------------------------------------------------------------------------------------------


def _example(request: EpisodeRequest, settings: GoalSettings) -> tuple[list[dict[str, Any]], tuple[None, ...]]:
    """A solved trajectory as a question and its answer, and a None for each of its pictures, which are no steps of this
    episode."""
    if not settings.example:
        return [], ()
    prompt = settings.prompt
    folders = [example_folder(prompt, name) for name in prompt.examples]
    episode = next((one for one in map(_episode, folders) if one.id != request.episode), None)
    told = None if episode is None else trajectory(goal_request(episode), settings.telling)
    if episode is None or told is None:
        return [], ()
    seen, actions = _places(told, episode.platform, settings)
    lead = " ".join(filter(None, ("An example.", prompt.seen[seen], prompt.actions[actions])))
    parts = [_text(lead), *told.parts, _text(prompt.user.strip())]
    asked = {"role": "user", "content": content(parts)}
    return [asked, {"role": "assistant", "content": solved(episode, prompt)}], (None,) * len(told.steps)


def solved(episode: Episode, prompt: GoalPrompt) -> str:
    """The answer that is right for an episode, in the prompt's form: where steps are to be described, by their
    instructions, else by what was done."""
    goal = episode.goal if episode.original_goal is None else episode.original_goal
    if prompt.answer == "sentence":
        return goal
    told = [
        step.instruction or (tellings.step_words(step.observation, action, episode.platform) if action else "")
        for step, action in zip(episode.steps, done_in(episode), strict=True)
    ]
    steps = [words for words in told if words]
    return json.dumps({"steps": steps, "goal": goal}, ensure_ascii=False)


@lru_cache(maxsize=4)
def _episode(folder: Path) -> Episode:
    """Raises SourceError for a folder that is no recording."""
    from stepscope.core.sources.registry import open_source

    source = open_source(folder)
    found = next((one for one in source.scan() if isinstance(one, EpisodeSummary)), None)
    if found is None:
        raise UserError("the example has no episode.", place=folder, hint="Put a recording there.")
    return source.read(found.id, found.place)


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}
