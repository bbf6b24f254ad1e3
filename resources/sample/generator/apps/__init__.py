"""Goal templates, one module an app."""

from __future__ import annotations

APPS = (
    "clock", "calendar",  # time
    "settings",  # system
    "shop", "market",  # shopping
    "messages", "mail",  # communication
    "player", "podcasts",  # audio
    "notes", "tasks",  # writing
)  # fmt: skip
