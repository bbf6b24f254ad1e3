"""Tells whether the two encoders are here; imports neither."""

from __future__ import annotations

from stepscope.models.encoders import screen_files, sentence_files


def find() -> str:
    """Which encoders are here, in words. Raises UnavailableError with what to install."""
    return f"{sentence_files.find()}; {screen_files.find()}"
