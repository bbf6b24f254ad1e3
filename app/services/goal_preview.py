"""What a model that is asked for goals would be sent of an episode: exactly, with words that are not kept yet too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from stepscope.app.services.question_size import QuestionSize, parts_of, picture_of, question_size
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.models.agents.asked import AskedModel, asked_model
from stepscope.models.goal.asking import GoalSettings, goal_question, goal_settings
from stepscope.models.goal.prompts import changed


@dataclass(frozen=True, slots=True)
class PreviewMessage:
    """Who speaks (system, user, assistant), and what: texts, and files of pictures, in their order."""

    role: str
    parts: tuple[str | bytes, ...]


@dataclass(frozen=True, slots=True)
class GoalPreview:
    """`why` there is nothing to send, "" where there is."""

    episode: str
    model: str
    prompt: str
    messages: tuple[PreviewMessage, ...]
    size: QuestionSize
    why: str = ""


def settings_of_model(name: str) -> GoalSettings:
    """How a model of this name is asked for goals. Raises UsageError for one that is not, and as `asked_model`."""
    found: AskedModel = asked_model(name)
    if found.task is not Task.GOAL or not isinstance(found.settings, GoalSettings):
        raise UsageError(f"{name} is not asked for goals.", hint="Name a model behind a server, or a checkpoint.")
    return found.settings


def settings_of_prompt(name: str, *, sees: bool = True) -> GoalSettings:
    """The usual settings with the prompt of this name. Raises as `goal_prompt`."""
    return goal_settings("goals", {"prompt": name}, sees=sees)[0]


def preview(
    episode: Episode, settings: GoalSettings, model: str = "", words: Mapping[str, str] | None = None
) -> GoalPreview:
    """What is sent with these settings, in the place of the prompt's words `words` by where they stand. Raises
    UserError for words that are no prompt and for a picture that cannot be read."""
    prompt = settings.prompt
    if words is not None:
        try:
            prompt = changed(prompt, words)
        except ValueError as error:
            raise UserError(f"These words are no prompt: {error}.") from error
    asked = goal_question(goal_request(episode), replace(settings, prompt=prompt))
    named = f"{prompt.name}, version {prompt.version}"
    if asked.messages is None:
        return GoalPreview(episode.id, model, named, (), QuestionSize(), asked.why)
    messages = tuple(
        PreviewMessage(
            str(one["role"]),
            tuple(
                picture_of(part) if part.get("type") == "image_url" else str(part.get("text", ""))
                for part in parts_of(one)
            ),
        )
        for one in asked.messages
    )
    return GoalPreview(episode.id, model, named, messages, question_size(asked.messages))
