"""Whether what was done already holds something that the goal does not: that a person must have told. Source: ours."""

from __future__ import annotations

import numpy as np

from stepscope.core.domain.action import Action, Type, action_target, action_text
from stepscope.models.automation.grounding import stem, tokens
from stepscope.models.automation.tower_features import ElementQuery
from stepscope.models.learned.recipe import Array

GIVEN = 18
_PARTS = (
    "save done ok cancel close back more option menu open add new search next setting tab edit delete remove send "
    "navigate up home list title view share show start stop confirm apply create clear move choose select field text "
    "input button row item switch toggle plus icon page main name"
)
_PLAIN = frozenset(stem(word) for word in _PARTS.split())
"""Words of buttons, which nobody has to tell."""
_MOST = 0.5


def given_numbers(sought: ElementQuery) -> Array:
    """(18,): of what was typed and of what was touched, whether the last, any and how many have words that the goal
    does not, and that the goal has; of rows of lists the same; how many of the goal's words were used, and in the last
    three actions."""
    named = frozenset(tokens(sought.goal))
    typed = [_texts(action)[0] for action in sought.history if isinstance(action, Type)]
    touched = [_texts(action) for action in sought.history if not isinstance(action, Type)]
    rows = [words for words, name in touched if name]
    used = frozenset(word for action in sought.history for word in tokens(_texts(action)[0]))
    late = frozenset(word for action in sought.history[-3:] for word in tokens(_texts(action)[0]))
    share = len(named & used) / max(1, len(named))
    return np.array(
        [
            *_of(typed, named),
            *_of([words for words, _ in touched], named),
            *_of(rows, named),
            share,
            len(named & late) / max(1, len(named)),
            min(len(sought.history), 10) / 10,
        ],
        np.float32,
    )


def is_named(words: str, said: frozenset[str]) -> bool:
    """Whether the goal, whose stems are `said`, has at least half of the words."""
    own = tokens(words)
    return bool(own) and 2 * sum(word in said for word in own) >= len(own)


def strange_share(text: str, said: frozenset[str]) -> float:
    """The share of the words that the goal does not have, and that are no button's."""
    own = tokens(text)
    return sum(word not in said and word not in _PLAIN for word in own) / len(own) if own else 0.0


def _of(texts: list[str], said: frozenset[str]) -> tuple[float, ...]:
    """(5,): the strangest, the last one's strangeness, how many are strange, how many are named; whether there are
    any."""
    shares = [strange_share(text, said) for text in texts if text]
    return (
        max(shares, default=0.0),
        shares[-1] if shares else 0.0,
        min(3, sum(one > _MOST for one in shares)) / 3,
        min(3, sum(is_named(text, said) for text in texts)) / 3,
        float(bool(texts)),
    )


def _texts(action: Action) -> tuple[str, str]:
    """What the action was about, its text, else the words of what it was done on; and what the rows of its list share
    as their id, "" where it is no row."""
    target = action_target(action)
    row = ""
    if target is not None and target.id and any(letter.isdigit() for letter in target.id):
        row = target.id.rstrip("0123456789_")
    return action_text(action) or (target.text if target is not None else ""), row
