"""The misbehaving server of the chat tests, and a model that says what a test wants."""

from tests.models.chat.conftest import own_home, ring, stage, waiting

__all__ = ["own_home", "ring", "stage", "waiting"]
