"""Who is to order which procedure, and what of its steps they are to be shown; as contents of a campaign.

In a campaign of ordering the data is the app, a procedure in it the goal, and a person has it once: so nobody sees one
procedure under two conditions in one campaign (Wu et al. 2022, appendix B.2.1, let a week go by between two).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentKey,
    CampaignContents,
    CampaignGoal,
    Pair,
    PairOrigin,
)
from stepscope.core.domain.human_order import StepInput
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class OrderAssignment:
    """A procedure that somebody is to order, seeing no more of its steps than `shown`."""

    annotator: str
    procedure: str
    shown: StepInput

    @property
    def key(self) -> tuple[str, str]:
        """Procedure and annotator: nobody has a procedure twice."""
        return self.procedure, self.annotator


def assignments_as_contents(source: str, given: Iterable[OrderAssignment]) -> CampaignContents:
    """The contents of a campaign that say so; `source` is the path of the data."""
    found = list(given)
    goals = {name: CampaignGoal(source, name) for name in dict.fromkeys(one.procedure for one in found)}
    pairs = {name: Pair(source, goal, PairOrigin.BY_HAND) for name, goal in goals.items()}
    return CampaignContents(
        (AppEntry(source, PurePath(source).name or source),) if found else (),
        tuple(goals.values()),
        tuple(dict.fromkeys(one.annotator for one in found)),
        tuple(pairs.values()),
        tuple(Assignment(pairs[one.procedure].key, one.annotator, shown=one.shown) for one in found),
    )


def assignments_in(contents: CampaignContents, source: str) -> tuple[OrderAssignment, ...]:
    """The reverse of `assignments_as_contents`: those of the data at `source`, in the campaign's order."""
    return tuple(
        OrderAssignment(one.annotator, one.pair.goal.text, one.shown or StepInput.BOTH)
        for one in contents.assignments
        if one.pair.app == source
    )


def assignments_dropped(contents: CampaignContents, source: str, gone: Iterable[OrderAssignment]) -> CampaignContents:
    """What goes from the campaign with these: procedures and people that nothing else in it is about go too."""
    keys = {one.key for one in gone}
    mine = [one for one in contents.assignments if one.pair.app == source]
    dropped = [one for one in mine if (one.pair.goal.text, one.annotator) in keys]
    left: set[AssignmentKey] = {one.key for one in contents.assignments} - {one.key for one in dropped}
    pairs, people = {key.pair for key in left}, {key.annotator for key in left}
    goals, apps = {pair.goal for pair in pairs}, {pair.app for pair in pairs}
    return CampaignContents(
        tuple(one for one in contents.apps if one.key == source and source not in apps),
        tuple(one for one in contents.goals if one.app == source and one.key not in goals),
        annotators=tuple(one for one in contents.annotators if one not in people),
        pairs=tuple(one for one in contents.pairs if one.app == source and one.key not in pairs),
        assignments=tuple(dropped),
    )
