"""What an agent remembers of its own questions: which were answered, by what it said at the steps before.

To ask changes neither the screen nor what was done, so that only its memory tells an agent that it has asked. In an
evaluation its question is put to nobody: where the data has one at the same step, no action is done there, and the
agent has its answer; elsewhere an action follows, and the question is taken back (Navi-plus, section 2.3). Source of
the rule: ours.
"""

from __future__ import annotations

import re
from itertools import pairwise

from stepscope.core.domain.action import AskUser, Say
from stepscope.core.evaluation.predictor import StepRequest

_TOLD = re.compile(r"; (?:asks for (?P<slot>\w+)|no question) after (?P<done>\d+) actions$")


def remembered(request: StepRequest, slot: str) -> str:
    """What is written behind an answer, to be read at the next step: what it asks for, "" for nothing, and how much
    was done by then."""
    asked = f"asks for {slot}" if slot else "no question"
    return f"{asked} after {len(request.history)} actions"


def answered_slots(request: StepRequest) -> frozenset[str]:
    """The kinds of values that it has asked for and was told. Nothing where it does not remember."""
    known = [(one.action, _TOLD.search(one.raw)) for one in request.own]
    if any(found is None for _, found in known):
        return frozenset()
    steps = [(action, found["slot"], int(found["done"])) for action, found in known if found is not None]
    found = set()
    for (action, slot, done), following in pairwise([*steps, (None, None, len(request.history))]):
        said = request.history[done : done + 1]
        if isinstance(action, AskUser) and slot and (following[2] == done or (said and isinstance(said[0], Say))):
            found.add(slot)
    return frozenset(found)
