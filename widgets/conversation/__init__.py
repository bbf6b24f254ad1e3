"""A conversation of a person and an agent: values in, signals out."""

from widgets.conversation.values import Asking, Offer, Origin, Turn, TurnKind
from widgets.conversation.view import ConversationView

__all__ = ["Asking", "ConversationView", "Offer", "Origin", "Turn", "TurnKind"]
