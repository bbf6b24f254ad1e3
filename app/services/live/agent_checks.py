"""What holds an agent's action back in the moment before it is done."""

from __future__ import annotations

from stepscope.app.services.live.agent_screens import has_moved
from stepscope.core.device.confirmation_policy import ConfirmationPolicy
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Action
from stepscope.core.domain.prediction import Candidate, Prediction
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass


class ScreenMoved(UserError):  # noqa: N818 - a fact
    """Under the finger is no longer what the action was proposed for."""


class MustConfirm(UserError):  # noqa: N818
    """On the screen as it is now the action is one that always asks."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True, eq=False)
class PendingProposal:
    """A proposal, or a question where there is one, that waits for a person or is on its way to the device."""

    number: int
    prediction: Prediction
    choices: tuple[Candidate, ...]
    seen: ScreenSnapshot
    reasons: tuple[str, ...] = ()
    question: str = ""
    unsure: bool = False


def check(offer: PendingProposal, guard: ConfirmationPolicy, action: Action, now: ScreenSnapshot) -> None:
    """Whether the action may be done on the screen as it is `now`: raises ScreenMoved, or MustConfirm for what always
    asks and was not asked about."""
    if has_moved(action, offer.seen, now):
        raise ScreenMoved("The screen has changed since the action was proposed", hint="Let it look again.")
    reasons = guard.reasons(action, now.tree, now.activity)
    missing = tuple(one for one in reasons if one not in offer.reasons)
    if missing:
        raise MustConfirm((*offer.reasons, *missing))
