"""What a model that is asked for goals would be sent of an episode: exactly, with words that are not kept yet too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stepscope.app.services.question_size import QuestionSize, parts_of, picture_of, question_size
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.evaluation.tasks.kind import done_in
from stepscope.core.frozen import dataclass
from stepscope.models.agents.asked import AskedModel, asked_model
from stepscope.models.chat.pictures import place_on_screen
from stepscope.models.chat.redaction_rules import RedactionRule, new_rule
from stepscope.models.chat.trajectory import is_done
from stepscope.models.goal.asking import GoalSettings, goal_question, goal_settings
from stepscope.models.goal.prompts import changed


@dataclass(frozen=True, slots=True)
class PreviewMessage:
    """Who speaks (system, user, assistant), and what: texts, and files of pictures, in their order."""

    role: str
    parts: tuple[str | bytes, ...]


@dataclass(frozen=True, slots=True)
class GoalPreview:
    """`why` there is nothing to send, "" where there is. `screens`: of the pictures, in their order, the places of the
    episode's steps that they show, None for one of an example."""

    episode: str
    model: str
    prompt: str
    messages: tuple[PreviewMessage, ...]
    size: QuestionSize
    why: str = ""
    screens: tuple[int | None, ...] = ()


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
    return GoalPreview(episode.id, model, named, messages, question_size(asked.messages), screens=asked.screens)


def rule_at(episode: Episode, settings: GoalSettings, place: int, share: tuple[float, float]) -> RedactionRule:
    """A rule that hides the element which the sent picture of the step at `place` shows at `share` of its width and
    height: by its id where it has one, else by its text, in its app where that is known. Raises UserError where there
    is no such element, or nothing tells it from others."""
    seen, action = episode.steps[place].observation, done_in(episode)[place]
    shown = action if is_done(action) else None
    point = place_on_screen(seen, shown, episode.platform, share, settings.telling.page)
    under = [] if seen.tree is None or point is None else seen.tree.at(point)
    if not under:
        raise UserError("There is no element here.", hint="Only what the screen's tree names can be redacted.")
    return _rule_of(under[0], episode)


def _rule_of(element: UIElement, episode: Episode) -> RedactionRule:
    text = " ".join((element.text or element.content_description).split())
    app = element.package or episode.app or ""
    if element.resource_id:
        return new_rule(element.short_id, id=element.resource_id, app=app)
    if text:
        return new_rule(text, text=text, app=app)
    raise UserError("This element has neither an id nor words.", hint="Name its class: stepscope servers redact add.")
