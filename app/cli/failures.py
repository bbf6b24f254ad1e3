"""Expected trouble in one line: `FILE[:RECORD]: what is wrong. What to do.`"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.drafts import is_full, reason
from stepscope.core.errors import SourceError, StoreError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain import filter as filters
else:
    filters = lazy_module("stepscope.core.domain.filter")

_HINTS: tuple[tuple[type[UserError], str], ...] = (
    (StoreError, "Choose another store with --store."),
    (SourceError, "Check the path, or correct the data."),
    (UserError, "See 'stepscope --help'."),
)
"""What to do where the error itself does not say."""


def failure_line(error: UserError) -> str:
    """`FILE[:RECORD]: what is wrong. What to do.`"""
    record, hint = error.record, error.hint
    if isinstance(error, filters.FilterError):
        record, hint = str(error.position + 1), hint or "Correct the filter at this character."
    where = error.place + (f":{record}" if record else "")
    hint = hint or next(words for kind, words in _HINTS if isinstance(error, kind))
    said = f"{sentence(error.message)} {sentence(hint)}"
    return f"{where}: {said}" if where else said


def system_line(error: OSError) -> str:
    """The operating system's refusal, in the same form."""
    where = f"{error.filename}: " if error.filename else ""
    hint = "Make room, then try again." if is_full(error) else "Check the path and its permissions."
    return f"{where}{sentence(reason(error) or 'cannot be used')} {hint}"


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends as a sentence does."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
