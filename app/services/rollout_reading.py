"""The stored walks of a roll-out, read back for both faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stepscope.app.services.rollout import phone_goals
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.walk import WalkAnswer, courses
from stepscope.core.domain.wire import action_to_json
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.rollout import CLASSES, WalkClass
from stepscope.core.store import queries
from stepscope.core.store.engine import Database


def sample_apps() -> tuple[str, ...]:
    """The short names of the sample's apps that have goals."""
    return tuple(dict.fromkeys(script.app for script in phone_goals().values()))


@dataclass(frozen=True, slots=True)
class StoredWalk:
    """A goal's walk and what came of it; `walk` None where there was none, `kind` None where it is not scored."""

    outcome: Outcome
    walk: WalkAnswer | None
    kind: WalkClass | None

    @property
    def episode(self) -> str:
        return self.outcome.key.episode


def sample_goals() -> frozenset[str]:
    """The episodes whose goals the simulated phone can be asked for."""
    return frozenset(phone_goals())


def stored_walks(database: Database, run_id: str, episodes: Sequence[str] | None = None) -> Iterator[StoredWalk]:
    """Every goal of the run, or those of these episodes, in its order."""
    with database.reading() as db:
        found = (
            queries.each_item(db, run_id)
            if episodes is None
            else queries.items(db, run_id, episodes=list(episodes), limit=None).rows
        )
        for outcome in found:
            answer = outcome.prediction.answer
            place = dict(outcome.score.parts).get("class")
            kind = CLASSES[int(place)] if place is not None and 0 <= place < len(CLASSES) else None
            yield StoredWalk(outcome, answer if isinstance(answer, WalkAnswer) else None, kind)


def walk_forms(database: Database, run_id: str) -> list[dict[str, Any]]:
    """The walks of `rollout --json`."""
    return [_form(one) for one in stored_walks(database, run_id)]


def _form(one: StoredWalk) -> dict[str, Any]:
    walk = one.walk
    head = {
        "episode": one.episode,
        "class": one.kind.value if one.kind is not None else "error",
        "success": one.kind is not None and one.kind.success,
        "why": one.outcome.score.why,
    }
    if walk is None:
        return {**head, "actions": None, "human_actions": None, "steps": []}
    words = courses(walk)
    return {
        **head,
        "world": walk.world.value,
        "check": walk.check.value,
        "end": walk.end.value,
        "said": walk.said.value if walk.said else None,
        "reached": walk.reached,
        "goal_at": walk.goal_at,
        "way_on": walk.way_on,
        "actions": walk.actions,
        "human_actions": walk.human_actions,
        "human": list(walk.human),
        "steps": [
            {
                "screen": step.place,
                "to": walk.places[number + 1],
                "action": action_to_json(step.action) if step.action is not None else None,
                "led": step.led,
                "course": words[number].value,
                "why": step.why or None,
            }
            for number, step in enumerate(walk.steps)
        ],
    }
