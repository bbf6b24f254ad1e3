"""Campaigns and what they have. Whatever a change drops it returns, so that `replace` can put it back exactly.

A campaign has some thousand rows at most, and is read whole; ids of rows never leave this module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import RowMapping, Select, delete, func, insert, select, update
from sqlalchemy.orm import Session

from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentKey,
    AssignmentState,
    Campaign,
    CampaignContents,
    CampaignGoal,
    CampaignTask,
    Demonstration,
    GoalKey,
    Pair,
    PairKey,
    PairOrigin,
    WholeCampaign,
)
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.human_order import StepInput
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.store.campaign_tables import (
    CampaignAnnotatorRow,
    CampaignAppRow,
    CampaignAssignmentRow,
    CampaignDemonstrationRow,
    CampaignGoalRow,
    CampaignPairRow,
    CampaignRow,
)
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import Base, table_of

AnyRow = RowMapping


class ChangeConflictError(StoreError):
    """A change cannot be made, or taken back: others have changed the same rows, or gone on with them, since they were
    seen."""


# Campaigns ------------------------------------------------------------------------------------------------------------


def names(db: Session, task: CampaignTask | None = None) -> list[str]:
    """All campaigns by name, or those of one task."""
    wanted = select(CampaignRow.name)
    if task is not None:
        wanted = wanted.where(CampaignRow.task == task.value)
    return sorted(db.scalars(wanted), key=lambda name: (name.casefold(), name))


def get(db: Session, name: str) -> Campaign:
    """Raises UsageError for a campaign that is not there."""
    return _settings(_row(db, name))


def add(db: Session, campaign: Campaign) -> None:
    """Raises UsageError where there is one of this name."""
    _check_free(db, campaign.name)
    db.execute(insert(table_of(CampaignRow)), [_campaign(campaign)])


def change(db: Session, name: str, to: Campaign, *, seen: Campaign | None = None) -> Campaign:
    """Change settings and name; returns what was. Raises UsageError, and ChangeConflictError where there are other
    settings than were `seen`."""
    row = _row(db, name)
    now = _settings(row)
    if seen is not None and now not in (seen, to):
        parts = [(label, getattr(seen, one), getattr(now, one)) for one, label in _SETTINGS]
        told = "; ".join(f"{label} was “{was}”, and is “{there}” now" for label, was, there in parts if was != there)
        raise ChangeConflictError(f"Somebody else has changed the campaign meanwhile: {told}.", hint=_LOOK)
    if to.name != name:
        _check_free(db, to.name)
    db.execute(update(table_of(CampaignRow)).where(CampaignRow.id == row.id).values(_campaign(to)))
    return _settings(row)


def remove(db: Session, name: str) -> WholeCampaign:
    """Drop it with all that it has, and return that. Recordings stay where they are. Raises UsageError."""
    row = _row(db, name)
    whole = WholeCampaign(_settings(row), contents(db, name))
    db.execute(delete(table_of(CampaignRow)).where(CampaignRow.id == row.id))
    return whole


def restore(db: Session, whole: WholeCampaign) -> None:
    """What `remove` returned, as it was."""
    add(db, whole.campaign)
    replace(db, whole.campaign.name, CampaignContents(), whole.contents)


# Contents -------------------------------------------------------------------------------------------------------------


def contents(db: Session, name: str) -> CampaignContents:
    """All that the campaign has. Raises UsageError."""
    return _CampaignReader(db, _row(db, name).id).contents().sorted()


def replace(
    db: Session, name: str, before: CampaignContents, after: CampaignContents, *, seen: CampaignContents | None = None
) -> CampaignContents:
    """Drop what has a key of `before`, with all that hangs on it, and keep `after`; returns all that was dropped, and
    what was there under the keys of `after`. With `gone = replace(db, name, before, after)`, `replace(db, name, after,
    gone)` makes everything as it was.

    With `seen`, which is what the person knows of it, ChangeConflictError is raised rather than drop, or put something
    in the place of, what others have made or changed since. Raises UsageError where `after` speaks of an app, goal,
    annotator, pair or assignment that is not there.
    """
    campaign = _row(db, name).id
    reader = _CampaignReader(db, campaign)
    now = reader.contents()
    gone = now.hanging_on(before.without(after)).without(after)
    taken = now.among(after)
    if seen is not None:
        _check_seen(gone + taken, seen, after)
    _drop(db, reader, gone)
    _put(db, campaign, _CampaignReader(db, campaign) if gone else reader, after)
    return (gone + taken).sorted()


def input_to_order(db: Session, source: str, procedure: str, annotator: str) -> StepInput | None:
    """What of the procedure's steps the person is to be shown, None where nobody gave them the procedure to order."""
    query = (
        select(CampaignAssignmentRow.shown)
        .join(CampaignPairRow, CampaignPairRow.id == CampaignAssignmentRow.pair_id)
        .join(CampaignGoalRow, CampaignGoalRow.id == CampaignPairRow.goal_id)
        .join(CampaignAppRow, CampaignAppRow.id == CampaignPairRow.app_id)
        .join(CampaignAnnotatorRow, CampaignAnnotatorRow.id == CampaignAssignmentRow.annotator_id)
        .join(CampaignRow, CampaignRow.id == CampaignAppRow.campaign_id)
        .where(
            CampaignRow.task == CampaignTask.ORDERING.value,
            CampaignAppRow.package == source,
            CampaignGoalRow.text == procedure,
            CampaignAnnotatorRow.name == annotator,
        )
    )
    found = db.scalars(query).first()
    return StepInput(found) if found else None


def counts(db: Session) -> dict[str, tuple[int, int, int, int]]:
    """Apps, goals, pairs and demonstrations of each campaign."""
    app, goal, pair = table_of(CampaignAppRow), table_of(CampaignGoalRow), table_of(CampaignPairRow)
    given, shown = table_of(CampaignAssignmentRow), table_of(CampaignDemonstrationRow)
    goals, pairs = app.join(goal, goal.c.app_id == app.c.id), app.join(pair, pair.c.app_id == app.c.id)
    demonstrations = pairs.join(given, given.c.pair_id == pair.c.id).join(shown, shown.c.assignment_id == given.c.id)
    by_id: list[dict[int, int]] = []
    for joined in (app, goals, pairs, demonstrations):
        query = select(app.c.campaign_id, func.count()).select_from(joined).group_by(app.c.campaign_id)
        by_id.append({row[0]: row[1] for row in db.execute(query)})
    found = db.execute(select(CampaignRow.id, CampaignRow.name))
    return {name: (*(some.get(number, 0) for some in by_id),) for number, name in found}  # type: ignore[misc]


# Inside ---------------------------------------------------------------------------------------------------------------


class _CampaignReader:
    """Reads what is there with the ids of its rows."""

    def __init__(self, db: Session, campaign: int) -> None:
        self._db, self._campaign = db, campaign
        self.apps = self._all(CampaignAppRow, CampaignAppRow.campaign_id == campaign)
        here = CampaignAppRow.campaign_id == campaign
        self.goals = self._all(CampaignGoalRow, here, CampaignGoalRow.app_id)
        self.people = self._all(CampaignAnnotatorRow, CampaignAnnotatorRow.campaign_id == campaign)
        self.pairs = self._all(CampaignPairRow, here, CampaignPairRow.app_id)
        packages = {row["id"]: row["package"] for row in self.apps}
        names = {row["id"]: row["name"] for row in self.people}
        texts = {row["id"]: CampaignGoal(packages[row["app_id"]], row["text"], row["author"]) for row in self.goals}
        pairs = {row["id"]: _pair(row, packages, texts) for row in self.pairs}
        self.app_ids = {package: number for number, package in packages.items()}
        self.goal_ids = {goal.key: number for number, goal in texts.items()}
        self.person_ids = {name: number for number, name in names.items()}
        self.pair_ids = {pair.key: number for number, pair in pairs.items()}
        self._values = (tuple(texts.values()), tuple(pairs.values()))
        keys = {number: pair.key for number, pair in pairs.items()}
        self._read_work(keys, names)

    def contents(self) -> CampaignContents:
        goals, pairs = self._values
        apps = tuple(AppEntry(row["package"], row["title"], row["category"]) for row in self.apps)
        return CampaignContents(apps, goals, tuple(self.person_ids), pairs, self._assignments, self._demonstrations)

    def _read_work(self, pairs: Mapping[int, PairKey], people: Mapping[int, str]) -> None:
        mine = CampaignAnnotatorRow.campaign_id == self._campaign
        joined = select(*table_of(CampaignAssignmentRow).c).join(CampaignAnnotatorRow).where(mine)
        rows = self._db.execute(joined).mappings().all()
        given = {row["id"]: _assignment(row, pairs[row["pair_id"]], people[row["annotator_id"]]) for row in rows}
        shown = select(*table_of(CampaignDemonstrationRow).c).join(CampaignAssignmentRow).join(CampaignAnnotatorRow)
        self.assignment_ids = {one.key: number for number, one in given.items()}
        self._assignments = tuple(given.values())
        found = self._db.execute(shown.where(mine)).mappings()
        self._demonstrations = tuple(_demonstration(row, given[row["assignment_id"]].key) for row in found)

    def _all(self, row: type[Base], here: Any, to_app: Any = None) -> Sequence[AnyRow]:
        query: Select[*tuple[Any, ...]] = select(*table_of(row).c)
        if to_app is not None:
            query = query.join(CampaignAppRow, CampaignAppRow.id == to_app)
        return self._db.execute(query.where(here)).mappings().all()


_SETTINGS = (("name", "its name"), ("instructions", "what people are told"), ("k", "demonstrations of each pair"))
_LOOK = "Nothing was changed: look at it again."


def _check_seen(lost: CampaignContents, seen: CampaignContents, after: CampaignContents) -> None:
    """Raises ChangeConflictError for a row that would be lost and is not as it was seen, nor as it is to be."""
    for field in fields(CampaignContents):
        known = {_key_of(one): one for one in getattr(seen, field.name)}
        wanted = {_key_of(one): one for one in getattr(after, field.name)}
        for one in getattr(lost, field.name):
            was = known.get(_key_of(one))
            if one not in (was, wanted.get(_key_of(one))):
                words = _change_told(was, one)
                raise ChangeConflictError(f"This cannot be done, others have gone on since: {words}", hint=_LOOK)


def _key_of(one: Any) -> object:
    return one if isinstance(one, str) else one.key


def _change_told(was: Any, now: Any) -> str:
    """What somebody made of a row; of what is done by recording, and of assignments, also who and when."""
    match now:
        case Demonstration(made=made):
            return f"{now.assignment.annotator} recorded {_told(now.key)} on {made.astimezone():%Y-%m-%d at %H:%M}."
        case Assignment(state=state, annotator=who):
            before = f"was {was.state}, and " if was is not None else ""
            return f"{_told(PairKey(now.pair.app, now.pair.goal))} {before}is {state} by {who} now."
        case AppEntry(title=title, category=category):
            before = f" was “{was.title}” in “{was.category}”, and" if was is not None else ""
            return f"the app {now.package}{before} is “{title}” in “{category}” now."
        case CampaignGoal(text=text, author=author):
            return f"there is the goal “{text}” by {author or 'somebody without a name'} now."
        case Pair():
            return f"there is the pair {_told(now.key)} now."
        case _:
            return f"there is {_told(now)} now."


def _drop(db: Session, ids: _CampaignReader, gone: CampaignContents) -> None:
    given = [ids.assignment_ids[key] for one in gone.demonstrations if (key := one.key) in ids.assignment_ids]
    _delete(db, CampaignDemonstrationRow, "assignment_id", given)
    _delete(db, CampaignAssignmentRow, "id", [ids.assignment_ids[one.key] for one in gone.assignments])
    _delete(db, CampaignPairRow, "id", [ids.pair_ids[one.key] for one in gone.pairs])
    _delete(db, CampaignAnnotatorRow, "id", [ids.person_ids[one] for one in gone.annotators])
    _delete(db, CampaignGoalRow, "id", [ids.goal_ids[one.key] for one in gone.goals])
    _delete(db, CampaignAppRow, "id", [ids.app_ids[one.key] for one in gone.apps])


def _put(db: Session, campaign: int, ids: _CampaignReader, after: CampaignContents) -> None:
    """Kind after kind, since each speaks of rows of those before."""
    kinds: list[tuple[bool, Callable[[_CampaignReader], None]]] = [
        (bool(after.apps or after.annotators), lambda ids: _put_names(db, campaign, ids, after)),
        (bool(after.goals), lambda ids: _put_goals(db, ids, after)),
        (bool(after.pairs), lambda ids: _put_pairs(db, ids, after)),
        (bool(after.assignments), lambda ids: _put_assignments(db, ids, after)),
        (bool(after.demonstrations), lambda ids: _put_demonstrations(db, ids, after)),
    ]
    wanted = [put for there, put in kinds if there]
    for place, put in enumerate(wanted):
        put(_CampaignReader(db, campaign) if place else ids)


def _put_names(db: Session, campaign: int, ids: _CampaignReader, after: CampaignContents) -> None:
    _keep(db, CampaignAppRow, ids.app_ids, {app.key: _app_form(app, campaign) for app in after.apps})
    people = {name: {"campaign_id": campaign, "name": name} for name in after.annotators}
    _keep(db, CampaignAnnotatorRow, ids.person_ids, people)


def _put_goals(db: Session, ids: _CampaignReader, after: CampaignContents) -> None:
    goals = {
        goal.key: {"app_id": _known(ids.app_ids, goal.app, "app"), "text": goal.text, "author": goal.author}
        for goal in after.goals
    }
    _keep(db, CampaignGoalRow, ids.goal_ids, goals)


def _put_pairs(db: Session, ids: _CampaignReader, after: CampaignContents) -> None:
    _keep(db, CampaignPairRow, ids.pair_ids, {pair.key: _pair_form(pair, ids) for pair in after.pairs})


def _put_assignments(db: Session, ids: _CampaignReader, after: CampaignContents) -> None:
    work = {one.key: _assignment_form(one, ids) for one in after.assignments}
    _keep(db, CampaignAssignmentRow, ids.assignment_ids, work)


def _put_demonstrations(db: Session, ids: _CampaignReader, after: CampaignContents) -> None:
    forms = {
        _known(ids.assignment_ids, one.key, "assignment"): _demonstration_form(one) for one in after.demonstrations
    }
    _delete(db, CampaignDemonstrationRow, "assignment_id", list(forms))
    rows = [{"assignment_id": number} | form for number, form in forms.items()]
    db.execute(insert(table_of(CampaignDemonstrationRow)), rows)


def _keep(db: Session, row: type[Base], ids: Mapping[Any, int], wanted: Mapping[Any, dict[str, Any]]) -> None:
    table = table_of(row)
    new = [form for key, form in wanted.items() if key not in ids]
    if new:
        db.execute(insert(table), new)
    for key, form in wanted.items():
        if key in ids:
            db.execute(update(table).where(table.c.id == ids[key]).values(form))


def _delete(db: Session, row: type[Base], column: str, ids: Sequence[int]) -> None:
    table = table_of(row)
    for first in range(0, len(ids), IN_PIECES):
        db.execute(delete(table).where(table.c[column].in_(ids[first : first + IN_PIECES])))


def _row(db: Session, name: str) -> Any:
    row = db.execute(select(*table_of(CampaignRow).c).where(CampaignRow.name == name)).one_or_none()
    if row is None:
        there = ", ".join(f"“{one}”" for one in names(db)) or "none yet"
        raise UsageError(f"There is no campaign “{name}”.", hint=f"Campaigns: {there}.")
    return row


def _check_free(db: Session, name: str) -> None:
    if name in names(db):
        raise UsageError(f"There is a campaign “{name}” already.", hint="Choose another name.")


def _known(ids: Mapping[Any, int], key: Any, what: str) -> int:
    if key not in ids:
        raise UsageError(f"The campaign has no {what} {_told(key)}.", hint="Look at it again: somebody changed it.")
    return ids[key]


def _told(key: object) -> str:
    match key:
        case GoalKey(app, text):
            return f"“{text}” of {app}"
        case PairKey(app, goal):
            return f"“{goal.text}” in {app}"
        case AssignmentKey(pair, annotator):
            return f"“{pair.goal.text}” in {pair.app} of {annotator}"
        case _:
            return f"“{key}”"


# Values and rows ------------------------------------------------------------------------------------------------------


def _settings(row: Any) -> Campaign:
    return Campaign(row.name, row.instructions, row.k, CampaignTask(row.task))


def _campaign(campaign: Campaign) -> dict[str, Any]:
    task = campaign.task.value
    return {"name": campaign.name, "instructions": campaign.instructions, "k": campaign.k, "task": task}


def _app_form(app: AppEntry, campaign: int) -> dict[str, Any]:
    return {"campaign_id": campaign, "package": app.package, "title": app.title, "category": app.category}


def _pair(row: AnyRow, packages: Mapping[int, str], goals: Mapping[int, CampaignGoal]) -> Pair:
    return Pair(packages[row["app_id"]], goals[row["goal_id"]], PairOrigin(row["origin"]), row["cluster"])


def _pair_form(pair: Pair, ids: _CampaignReader) -> dict[str, Any]:
    return {
        "app_id": _known(ids.app_ids, pair.app, "app"),
        "goal_id": _known(ids.goal_ids, pair.goal.key, "goal"),
        "origin": pair.origin.value,
        "cluster": pair.cluster,
    }


def _assignment_form(one: Assignment, ids: _CampaignReader) -> dict[str, Any]:
    return {
        "pair_id": _known(ids.pair_ids, one.pair, "pair"),
        "annotator_id": _known(ids.person_ids, one.annotator, "annotator"),
        "state": one.state.value,
        "shown": one.shown.value if one.shown else "",
    }


def _assignment(row: AnyRow, pair: PairKey, annotator: str) -> Assignment:
    shown = StepInput(row["shown"]) if row["shown"] else None
    return Assignment(pair, annotator, AssignmentState(row["state"]), shown)


def _demonstration_form(one: Demonstration) -> dict[str, Any]:
    said = one.said
    return {
        "folder": one.folder,
        "episode": one.episode,
        "label": said.label.value if said.label else "",
        "reason": said.reason.value if said.reason else "",
        "follow_up": json.dumps(said.follow_up),
        "seconds": one.seconds,
        "made": one.made,
    }


def _demonstration(row: AnyRow, key: AssignmentKey) -> Demonstration:
    label = FeasibilityLabel(row["label"]) if row["label"] else None
    reason = InfeasibilityReason(row["reason"]) if row["reason"] else None
    said = Feasibility(label, reason, tuple(json.loads(row["follow_up"])))
    return Demonstration(key, row["folder"], row["episode"], said, row["seconds"], row["made"])
