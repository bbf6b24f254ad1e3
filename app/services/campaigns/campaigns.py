"""What one does with a campaign, for both faces: settings, contents, the next task, what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.services.campaigns.assigning import next_assignment
from stepscope.core.domain.campaign import (
    MAX_DEMONSTRATIONS,
    MAX_GOAL,
    Assignment,
    AssignmentKey,
    AssignmentState,
    Campaign,
    CampaignContents,
    CampaignGoal,
    CampaignTask,
    Demonstration,
    Pair,
    WholeCampaign,
    checked_name,
    tidy,
    titles,
)
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class CampaignChange:
    """The content of a campaign before and after a change. Made, it holds exactly what was dropped and what stands in
    its place."""

    before: CampaignContents = field(default_factory=CampaignContents)
    after: CampaignContents = field(default_factory=CampaignContents)

    def undone(self) -> CampaignChange:
        return CampaignChange(self.after, self.before)


@dataclass(frozen=True, slots=True)
class DemonstrationTask:
    """A demonstration that is to be made: the goal's words, in the app `package` that people call `title`."""

    campaign: str
    key: AssignmentKey
    goal: str
    package: str
    title: str
    instructions: str = ""


def make(
    database: Database, name: str, change: CampaignChange, *, seen: CampaignContents | None = None
) -> CampaignChange:
    """Drop what is named in `before` with all that hangs on it, keep `after`. `make` on the `undone()` result puts
    everything back; with `seen` it refuses where others have gone on since that was what is there. Raises UserError."""
    with database.unit_of_work() as db:
        _of_demonstrations(db, name)
        return CampaignChange(campaigns.replace(db, name, change.before, change.after, seen=seen), change.after)


def checked(campaign: Campaign) -> Campaign:
    """The campaign with tidy words. Raises UsageError."""
    try:
        name = checked_name(campaign.name, "the campaign's name")
    except ValueError as error:
        raise UsageError(f"{error}.", hint="Give it a name.") from None
    if not 1 <= campaign.k <= MAX_DEMONSTRATIONS:
        hint = f"Give 1 to {MAX_DEMONSTRATIONS:,}."
        raise UsageError(f"{campaign.k} demonstrations of each pair cannot be wanted.", hint=hint)
    return replace(campaign, name=name, instructions=campaign.instructions.replace("\0", " ").strip())


def read(database: Database, name: str) -> WholeCampaign:
    """The campaign with everything in it. Raises UsageError."""
    with database.reading() as db:
        return WholeCampaign(_of_demonstrations(db, name), campaigns.contents(db, name))


# Changes --------------------------------------------------------------------------------------------------------------


def renamed_goal(contents: CampaignContents, goal: CampaignGoal, to: CampaignGoal) -> CampaignChange:
    """The goal in other words or of another author, its pairs with it. Raises UsageError where it was demonstrated: the
    recordings show what was said then."""
    hanging = contents.hanging_on(CampaignContents(goals=(goal,)))
    if goal.key == to.key:
        return CampaignChange(CampaignContents(goals=(goal,)), CampaignContents(goals=(to,)))
    if hanging.demonstrations:
        count = len(hanging.demonstrations)
        raise UsageError(f"“{goal.text}” has {count} demonstrations already.", hint="Write a new goal beside it.")
    if any(other.key == to.key for other in contents.goals):
        raise UsageError(f"There is a goal “{to.text}” for this app already.", hint="Choose other words.")
    pairs = {pair.key: replace(pair, goal=to) for pair in hanging.pairs}
    given = tuple(replace(one, pair=pairs[one.pair].key) for one in hanging.assignments)
    return CampaignChange(
        CampaignContents(goals=(goal,)), CampaignContents(goals=(to,), pairs=tuple(pairs.values()), assignments=given)
    )


def checked_goal(app: str, text: str, author: str) -> CampaignGoal:
    """Raises UsageError."""
    try:
        return CampaignGoal(app, checked_name(text, "the goal", MAX_GOAL), author)
    except ValueError as error:
        raise UsageError(f"{error}.", hint="Write what is to be done, on one line.") from None


def paired(contents: CampaignContents, category: str, pairs: Sequence[Pair]) -> CampaignChange:
    """These pairs in place of the category's clustered ones. What was demonstrated or skipped stays, and what was
    paired by hand too; an app has the same words once."""
    apps = {app.package for app in contents.apps if app.category == category}
    begun = {one.pair for one in contents.assignments if one.state is not AssignmentState.OPEN}
    mine = [pair for pair in contents.pairs if pair.app in apps]
    stay = [pair for pair in mine if pair.cluster is None or pair.key in begun]
    wanted = {pair.key for pair in pairs}
    there = {(pair.app, pair.goal.text) for pair in stay if pair.key not in wanted}
    after = tuple(pair for pair in pairs if (pair.app, pair.goal.text) not in there)
    kept = {pair.key for pair in (*stay, *after)}
    return CampaignChange(
        CampaignContents(pairs=tuple(pair for pair in mine if pair.key not in kept)), CampaignContents(pairs=after)
    )


def without_annotator(contents: CampaignContents, name: str) -> CampaignChange:
    """The person is given nothing more. Who has demonstrated something stays among the annotators, without what is
    open."""
    mine = [one for one in contents.assignments if one.annotator == name]
    if any(one.state is AssignmentState.DONE for one in mine):
        return CampaignChange(
            CampaignContents(assignments=tuple(one for one in mine if one.state is AssignmentState.OPEN))
        )
    return CampaignChange(CampaignContents(annotators=(name,)))


# Work -----------------------------------------------------------------------------------------------------------------


def next_task(database: Database, name: str, annotator: str) -> DemonstrationTask | None:
    """What the person is to do next, assigned to them now where it was not before; None where there is nothing for
    them. Somebody new becomes an annotator. Raises UsageError."""
    person = _person(annotator)
    with database.unit_of_work() as db:
        campaign, contents = _of_demonstrations(db, name), campaigns.contents(db, name)
        found = next_assignment(contents, campaign.k, person)
        if found is None:
            return None
        campaigns.replace(db, name, CampaignContents(), CampaignContents(annotators=(person,), assignments=(found,)))
    return task_of(campaign, contents, found.key)


def task_of(campaign: Campaign, contents: CampaignContents, key: AssignmentKey) -> DemonstrationTask:
    """The assignment in words."""
    title = titles(contents.apps).get(key.pair.app, key.pair.app)
    return DemonstrationTask(campaign.name, key, key.pair.goal.text, key.pair.app, title, campaign.instructions)


def assign(database: Database, name: str, people: Iterable[str], given: Iterable[Assignment]) -> CampaignChange:
    """Assignments as planned, and whoever is new among the annotators."""
    people = tuple(dict.fromkeys(_person(one) for one in people))
    return make(
        database,
        name,
        CampaignChange(CampaignContents(), CampaignContents(annotators=people, assignments=tuple(given))),
    )


def demonstrated(
    recording: Path, key: AssignmentKey, now: datetime | None = None, *, same_goal: bool = False
) -> Demonstration:
    """What the recording in this folder says of the assignment: its label, and the time from its first step to its
    last. Raises SourceError for a folder without a recording, UsageError where the goal must be the `same_goal` and is
    another."""
    from stepscope.core.sources.recording import read_recording

    episode = read_recording(recording)
    if same_goal and tidy(episode.goal) != key.pair.goal.text:
        hint = "Record the task, or link this recording by hand if it belongs to it."
        raise UsageError(f"The recording shows “{episode.goal}”, the task is “{key.pair.goal.text}”.", hint=hint)
    times = [step.observation.time for step in episode.steps if step.observation.time is not None]
    seconds = max(times) - min(times) if len(times) > 1 else None
    place, made = str(recording.resolve()), now or datetime.now(UTC)
    return Demonstration(key, place, episode.id, episode.feasibility, seconds, made)


def done(database: Database, name: str, demonstration: Demonstration) -> CampaignChange:
    """The assignment is done by this recording. Raises UsageError where it is not there any more."""
    key = demonstration.assignment
    given = Assignment(key.pair, key.annotator, AssignmentState.DONE)
    after = CampaignContents(annotators=(key.annotator,), assignments=(given,), demonstrations=(demonstration,))
    return make(database, name, CampaignChange(CampaignContents(), after))


def skip(database: Database, name: str, key: AssignmentKey) -> CampaignChange:
    """The person leaves the pair to others. Raises ChangeConflictError where they have done it by now."""
    given = Assignment(key.pair, key.annotator, AssignmentState.SKIPPED)
    open_yet = CampaignContents(assignments=(Assignment(key.pair, key.annotator),))
    return make(
        database, name, CampaignChange(CampaignContents(), CampaignContents(assignments=(given,))), seen=open_yet
    )


def _of_demonstrations(db: Session, name: str) -> Campaign:
    """The campaign, if demonstrations are what it wants. Raises UsageError."""
    found = campaigns.get(db, name)
    if found.task is not CampaignTask.DEMONSTRATION:
        hint = "The Ordering workspace shows it, and 'stepscope orders assignments progress'."
        raise UsageError(f"In the campaign “{name}” people order steps.", hint=hint)
    return found


def _person(name: str) -> str:
    try:
        return checked_name(name, "the annotator's name")
    except ValueError as error:
        raise UsageError(f"{error}.", hint="Say who demonstrates.") from None
