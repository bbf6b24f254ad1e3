"""Stored runs of `ask` as what the four settings, the curve and the lanes are made from."""

from __future__ import annotations

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.ask_lanes import AskLanes, ask_lanes
from stepscope.core.evaluation.ask_settings import AskedEpisodes, AskSwitches, asked_episodes
from stepscope.core.evaluation.rules import version_warning
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs


def asked_of_run(database: Database, run_id: str) -> AskedEpisodes:
    """The scored steps of a run. Raises UsageError for one of another task, and for one whose scores are by an earlier
    version of the rule, which knew less of what an answer says."""
    with database.reading() as db:
        run = runs.get(db, run_id)
        check_asks(run)
        own = next((known for known in queries.scorings(db, run_id) if known.own), None)
    if own is not None and (why := version_warning(own)):
        raise UsageError(f"Run {run_id}: {why}", hint=f"Score it again: stepscope runs rescore {run_id}.")
    return asked_episodes(load_columns(database, run_id, index=False))


def check_asks(run: Run) -> None:
    """Raises UsageError for a run of another task."""
    if run.spec.task is not Task.ASK:
        raise UsageError(f"Run {run.id} is about {run.spec.task}, not about asking.", hint="Name a run of ask.")


def lanes_of_run(
    database: Database, run_id: str, source: Source, episode: str, switches: AskSwitches | None = None
) -> AskLanes:
    """An episode of a run as lanes. Raises UsageError for an episode that the run does not have, SourceError where it
    cannot be read."""
    with database.reading() as db:
        check_asks(runs.get(db, run_id))
        items = queries.items(db, run_id, episodes=[episode], limit=None).rows
    if not items:
        raise UsageError(f"Run {run_id} has no episode {episode!r}.", hint="'stepscope runs show' lists its items.")
    return ask_lanes(source.read(episode), items, switches)
