"""Names of models that can be set: `NAME?demos=3&html=relevant`. Whoever makes a name leaves out what is at its
default, so that one model with the same settings has one name (ours).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote


def with_settings(name: str, settings: Mapping[str, object] | Iterable[tuple[str, object]]) -> str:
    """The name with these settings in place of what it had, in their order."""
    pairs = settings.items() if isinstance(settings, Mapping) else settings
    query = "&".join(f"{quote(setting)}={quote(str(value))}" for setting, value in pairs)
    plain = split_name(name)[0]
    return f"{plain}?{query}" if query else plain


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """The name without settings, and what it sets; a setting without "=" is empty, of equal ones the last counts.

    A name that ends in no query is its own.
    """
    plain, mark, query = name.rpartition("?")
    if not mark:
        return name, {}
    pairs = (piece.partition("=") for piece in query.split("&") if piece)
    return plain, {unquote(setting): unquote(value) for setting, _, value in pairs}


LOCAL, SERVED, PAGES = "local:", "served:", "page:"
"""What the name begins with of a checkpoint out of a folder (local:NAME#TASK?SETTINGS), of a model behind a server
(served:SERVER/MODEL#TASK?SETTINGS), and of one of either kind that fills in web pages (page:SERVER/MODEL?SETTINGS)."""
TASK_MARK = "#"
"""Behind it stands the task in the name of a model that can be asked about several."""
ACTOR = "actor"
"""What an agent that only asks can be set to: the model that acts beside it."""
INSTRUCTIONS, HIDDEN = "instructions", "hidden"
"""What every model of task automation can be set to: step instructions are not shown to it."""


def is_asked(name: str) -> bool:
    """Whether a name is that of a model that is asked in words about several tasks."""
    return name.startswith((SERVED, LOCAL))


def models_in(name: str) -> tuple[str, ...]:
    """The models that a name is of: its own, and that of the actor beside it."""
    actor = split_name(name)[1].get(ACTOR, "")
    return (name, actor) if actor else (name,)


def asks_server(name: str) -> bool:
    """Whether a model or judge of that name, or the actor beside it, may ask a server."""
    return any(one.startswith((SERVED, PAGES)) for one in models_in(name))


def is_goal_alone(name: str) -> bool:
    """Whether the model of that name is shown no step instructions."""
    return split_name(name)[1].get(INSTRUCTIONS) == HIDDEN


def without_instructions(name: str) -> str:
    """The model of that name with the goal alone, its own settings as they are."""
    return with_settings(name, split_name(name)[1] | {INSTRUCTIONS: HIDDEN})
