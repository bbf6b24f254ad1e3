"""The wrong steps of a run with their causes and what is to be drawn of each; and what is known of causes, for filters.

Causes need the recorded steps, so they are worked out by reading the episodes again; they are kept as long as the
program runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Episode, Picture, Step
from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import Layer, Layers, run_layer
from stepscope.core.domain.mark import Mark
from stepscope.core.domain.run import Outcome
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.overlay import RunMarks, build_marks
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.error_cause import cause_of, place_of
from stepscope.core.store import queries
from stepscope.core.store.repositories import cause_labels, runs

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database

_AT_ONCE = 16
"""Episodes that are read before it is told how far this is."""

Place = tuple[str, int]
"""An episode and a step's index in it."""


@dataclass(frozen=True, slots=True)
class WrongStep:
    """A wrong step as a tile shows it. `target` and `taken` name what the reference and the run are on, or say the
    action; `label` is the cause that a person gave in the place of the one that was worked out; `distance` is between
    their points in shares of the screen; `points` are both, in pixels of `size`; `reference` and `action` are the
    actions. `picture` None: there is none. `marks` are the reference's and the run's."""

    place: Place
    number: int
    steps: int
    goal: str
    app: str
    worked_out: ErrorCause
    label: CauseLabel | None
    kind: str
    target: str
    taken: str
    why: str
    distance: float | None
    confidence: float | None
    reference: Action | None
    action: Action | None
    picture: Picture | None
    size: Size
    points: tuple[Point, ...]
    marks: tuple[Mark, ...]

    @property
    def cause(self) -> ErrorCause:
        """The one that counts."""
        return self.label.cause if self.label is not None else self.worked_out


@dataclass(frozen=True, slots=True)
class WrongSteps:
    """How far the episodes with errors are read; `found` are all until now, `unread` the episodes that could not be.
    `rule` is the title of the rule by which they are wrong, `others` are the ids of the rules besides under which the
    run has scores."""

    done: int
    total: int
    found: tuple[WrongStep, ...]
    unread: tuple[str, ...] = ()
    rule: str = ""
    others: tuple[str, ...] = ()


class CauseBook:
    """The causes of errors that were worked out, by run and the id of the rule that was asked for. Safe on any
    thread."""

    def __init__(self) -> None:
        self._causes: dict[tuple[str, str], Mapping[Place, ErrorCause]] = {}
        self._lock = Lock()

    def put(self, run: str, rule: str, causes: Mapping[Place, ErrorCause]) -> None:
        with self._lock:
            self._causes = {**self._causes, (run, rule): causes}

    def forget(self, run: str) -> None:
        """Its items or its scores are others."""
        with self._lock:
            self._causes = {known: causes for known, causes in self._causes.items() if known[0] != run}

    def get(self, run: str, rule: str) -> Mapping[Place, ErrorCause] | None:
        """None: nobody has looked."""
        return self._causes.get((run, rule))


CAUSES = CauseBook()
"""Of this program."""


def causes_of(db: Session, runs: Iterable[str], rule: MatchingRule | None) -> dict[str, Mapping[Place, ErrorCause]]:
    """The causes of the errors of those runs whose errors under the rule were looked at, with what people changed."""
    found: dict[str, Mapping[Place, ErrorCause]] = {}
    for run in runs:
        known = CAUSES.get(run, rule.id if rule is not None else "")
        if known is not None:
            by_hand = {place: one.cause for place, one in cause_labels.of_run(db, run).items() if place in known}
            found[run] = {**known, **by_hand}
    return found


def wrong_steps(
    database: Database, source: Source, run: str, index: int, token: CancelToken, rule: MatchingRule | None = None
) -> Iterator[WrongSteps]:
    """The run's wrong steps, in the order in which they were done: under `rule` where the run has scores under it, else
    under its own. `index` is the run's letter (0: A). Ends early when the token is cancelled; what was worked out whole
    is kept in CAUSES."""
    with database.reading() as db:
        by_hand = cause_labels.of_run(db, run)
        scoring, title, others = _scoring_of(db, run, rule)
        wrong = [one for one in queries.each_item(db, run, "wrong", scoring) if one.key.step >= 0]
    by_episode: dict[str, list[Outcome]] = {}
    for outcome in wrong:
        by_episode.setdefault(outcome.key.episode, []).append(outcome)
    episodes = list(by_episode)
    found: list[WrongStep] = []
    unread: list[str] = []
    for first in range(0, len(episodes), _AT_ONCE):
        for name in episodes[first : first + _AT_ONCE]:
            if token.cancelled:
                return
            try:
                episode = source.read(name)
            except UserError:
                unread.append(name)
                continue
            found += _of_episode(episode, by_episode[name], index, by_hand)
        done = min(first + _AT_ONCE, len(episodes))
        yield WrongSteps(done, len(episodes), tuple(found), tuple(unread), title, others)
    if not episodes:
        yield WrongSteps(0, 0, (), (), title, others)
    CAUSES.put(run, rule.id if rule is not None else "", {one.place: one.worked_out for one in found})


def _scoring_of(db: Session, run_id: str, rule: MatchingRule | None) -> tuple[int | None, str, tuple[str, ...]]:
    """The id of the scores that are read, None for the run's own, the title of their rule, and the ids of others."""
    from stepscope.core.evaluation import rules

    run = runs.get(db, run_id)
    scored, own = rules.rules_scored(db, run), rules.own_as_written(run)
    wanted = rules.scoring_of(rule.protocol, rule.options) if rule is not None else own
    taken = wanted if wanted in scored else own
    scoring = None if taken == own else rules.whole_under(db, [run_id], taken).get(run_id)
    names = (rules.rule_name(one) for one in scored if one != taken)
    return scoring, rules.rule_title(taken), tuple(sorted(name for name in names if name))


def _of_episode(
    episode: Episode, outcomes: Sequence[Outcome], index: int, by_hand: Mapping[Place, CauseLabel]
) -> Iterator[WrongStep]:
    for outcome in outcomes:
        place = episode.position_of(outcome.key.step)
        if place < 0:
            continue
        step = episode.steps[place]
        cause = cause_of(step, outcome.prediction, outcome.score)
        if cause is not None:
            label = by_hand.get((episode.id, step.index))
            yield _wrong_step(episode, place, step, outcome, cause, label, index)


def _wrong_step(
    episode: Episode, place: int, step: Step, outcome: Outcome, cause: ErrorCause, label: CauseLabel | None, index: int
) -> WrongStep:
    prediction, size = outcome.prediction, step.observation.size
    run = RunMarks(index, prediction, outcome.score)
    points = [place_of(action) for action in (step.action, prediction.action) if action is not None]
    here = tuple(point.rescaled(size) for point in points if point is not None)
    return WrongStep(
        place=(episode.id, step.index),
        number=place + 1,
        steps=len(episode.steps),
        goal=episode.goal,
        app=episode.app or "",
        worked_out=cause,
        label=label,
        kind=step.action.kind if step.action is not None else "",
        target=_name(step, step.action),
        taken=_name(step, prediction.action) if prediction.action is not None else prediction.status.value,
        why=outcome.score.why,
        distance=here[0].distance_in_fractions(here[1]) if len(here) == 2 else None,
        confidence=prediction.confidence,
        reference=step.action,
        action=prediction.action,
        picture=episode.shown_at(place),
        size=size,
        points=here,
        marks=build_marks(step, [run], None, Layers.of(Layer.REFERENCE, Layer.TARGET, run_layer(index))),
    )


def _name(step: Step, action: Action | None) -> str:
    """What the action is on, or the action where it is on nothing that has a name."""
    if action is None:
        return "no reference"
    point, tree = place_of(action), step.observation.tree
    element = tree.target_at(point) if tree is not None and point is not None else None
    return " ".join(element.label.split()) if element is not None and element.label else action.kind.replace("_", " ")
