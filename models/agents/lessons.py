"""What an agent is to answer at a step, as it would say it itself: the example that a checkpoint is tuned on.

The question is the one that is put when it is evaluated, with the history as it was recorded. Source of what is learned
at steps where something is missing: Navi-plus, section 2 (the question), section 4 (the step once it is answered).
"""

from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.action import Action
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.sources.procedures import action_words
from stepscope.models.agents.prompts import put_in
from stepscope.models.agents.question import question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.chat.redaction import without_named_password, without_secrets
from stepscope.models.chat.redaction_rules import redaction_of
from stepscope.models.checkpoints.lora_settings import TuningExample


def agent_lesson(name: str, request: StepRequest, action: Action, settings: AskingSettings) -> TuningExample:
    """The step's question, and the action in the adapter's words; a typed password is in neither. Raises SourceError
    for a picture that cannot be read, UserError for an action that the adapter has no words for."""
    if settings.history == "predicted":
        settings = replace(settings, history="recorded")
    asked = question(request, settings)
    told = without_secrets(without_named_password(action), request.observation, redaction_of(request.app))
    wrote = settings.adapter.written(told, asked.screen, asked.sent, request.platform)
    if wrote is None:
        raise UserError(f"The adapter {settings.adapter.name} has no words for the action {action.kind}.")
    template = settings.adapter.prompt_on(request.platform)
    values = {"number": str(len(request.history) + 1), "words": action_words(told), "action": wrote}
    return TuningExample(name, asked.messages, put_in(template.answer, values))
