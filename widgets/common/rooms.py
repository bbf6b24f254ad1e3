"""Views in rooms that were there before them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget


def put_into(rooms: Sequence[QWidget | None], views: Sequence[QWidget]) -> None:
    """Lay each view out in its room, which is its parent already: a view that gets its parent when it is whole has all
    its parts styled anew."""
    for room, view in zip(rooms, views, strict=True):
        layout = room.layout() if room is not None else None
        assert layout is not None
        layout.addWidget(view)
