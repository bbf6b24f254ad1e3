"""What a walk goes through, whatever it is made of."""

from __future__ import annotations

from typing import Protocol

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.walk import GoalCheck, World
from stepscope.core.evaluation.predictor import WalkRequest


class WalkWorld(Protocol):
    """One goal at a time. `human` are the screens of the demonstration, `human_actions` what was done on them, the word
    that it was done left out; all of it is about the goal that was begun last."""

    kind: World
    check: GoalCheck
    human: tuple[str, ...]
    human_actions: int

    def begin(self, request: WalkRequest) -> None:
        """Go to where the demonstration of this episode began. Raises UserError where there is nothing to walk on."""
        ...

    def look(self) -> tuple[str, Observation]:
        """The name of the screen that stands there, and what is to be seen of it."""
        ...

    def do(self, action: Action) -> bool:
        """Do the action; whether it led somewhere."""
        ...

    def holds(self, *, at_end: bool = False) -> bool:
        """Whether the goal is reached as things are now; at the end what is still on its way is waited for."""
        ...

    def way_on(self) -> bool | None:
        """Whether recorded actions lead from here to the goal; None where that is not known."""
        ...

    def shown(self) -> Action | None:
        """What the demonstration did here, None off its way."""
        ...

    def answer_to(self, question: str) -> str:
        """What the person answers, "" where the data has no answer."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...
