"""A conversation of a person and an agent: values in, signals out."""

from stepscope.widgets.live.conversation.values import Asking, Offer, Origin, Turn, TurnKind
from stepscope.widgets.live.conversation.view import ConversationView

__all__ = ["Asking", "ConversationView", "Offer", "Origin", "Turn", "TurnKind"]
