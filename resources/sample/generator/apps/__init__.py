"""Goal templates, one module an app."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from stepscope.resources.sample.generator.plan import AppGoals

APPS = (
    "clock", "calendar",  # time
    "settings",  # system
    "shop", "market",  # shopping
    "messages", "mail",  # communication
    "player", "podcasts",  # audio
    "notes", "tasks",  # writing
)  # fmt: skip


@cache
def all_apps() -> tuple[AppGoals, ...]:
    """Every app with its templates, in the order of `APPS`; each module `apps/NAME.py` has its own as `GOALS`."""
    return tuple(import_module(f"{__name__}.{name}").GOALS for name in APPS)
