"""A conversation of a person and an agent: values in, signals out."""

from stepscope.widgets.live.conversation.conversation_turns import (
    AnswerSuggestion,
    Origin,
    PendingQuestion,
    Turn,
    TurnKind,
)
from stepscope.widgets.live.conversation.view import ConversationView

__all__ = ["AnswerSuggestion", "ConversationView", "Origin", "PendingQuestion", "Turn", "TurnKind"]
