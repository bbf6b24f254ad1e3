"""Whether a run's places would be right in another space: the stored answers read again in each, and scored.

Nothing is asked again: the raw outputs are kept. A run of predictions that came as pixels is read as if its numbers
were those of another space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import stepscope.models.registry
from stepscope.app.services import evaluation, scoring
from stepscope.app.services.evaluation import EvaluationRequest, PreparedRun
from stepscope.app.services.stored_answers import StoredAnswers, sent_size
from stepscope.core.domain.action import Action, action_end, action_point, action_target
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.model_name import split_name, with_settings
from stepscope.core.domain.prediction import WITH_PLACES, ActionAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, Run
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.runner import score_item
from stepscope.core.evaluation.tasks import setting_of, task_kind
from stepscope.core.evaluation.tasks.kind import Item
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.grounding import MeantElement
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls, readings, runs
from stepscope.core.store.repositories.readings import RunReading
from stepscope.models.agents.predictor import prediction_of
from stepscope.models.agents.spaces import AS_SAID, READINGS, SWAPPED, TWICE, Space, reading_of

if TYPE_CHECKING:
    from stepscope.core.evaluation.predictor import Predictor
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.agents import asked
    from stepscope.models.agents.adapter import Adapter
else:
    asked = lazy_module("stepscope.models.agents.asked")
    adapters = lazy_module("stepscope.models.agents.adapter")

FEW = 20
"""Places below which nothing is warned of."""
CLEARLY = 0.1
"""The difference in the share of right places from which another space is a clear winner."""
_SURE = 0.05
"""The p-value from which two spaces cannot be told apart (McNemar's exact test)."""


@dataclass(frozen=True, slots=True)
class SpaceCandidate:
    """`name` is a word of `READINGS`. Of the run's `points` steps with a place, `right` ones are right in this space,
    and `on_screen` lie on the screen; `accuracy` is over all steps. `same_as_best`: it cannot be told apart from the
    best. `gained` steps are right here and wrong as it is read now, `lost` ones the other way round; in `whole`
    episodes every step is right, and `malformed` answers cannot be read."""

    name: str
    chosen: bool
    points: int
    right: int
    on_screen: int
    accuracy: float
    same_as_best: bool = False
    gained: int = 0
    lost: int = 0
    whole: int = 0
    malformed: int = 0

    @property
    def share(self) -> float | None:
        return self.right / self.points if self.points else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % by Wilson."""
        return wilson(self.right, self.points) if self.points else None


@dataclass(frozen=True, slots=True)
class MeantPlace:
    """What a step is about: the `reference` action, None in grounding, where `expression` names what is meant; its box
    and the screen, None where they are not known."""

    reference: Action | None
    expression: str
    target: Box | None
    picture: Picture | None


@dataclass(frozen=True, slots=True)
class SpaceTurn:
    """A step that would be right in the best space and is wrong now, or the other way round (`better` False): where it
    is read now and where it would be, in pixels of the recorded screen; `said` is the place as the model said it."""

    key: ItemKey
    better: bool
    now: Point | None
    then: Point | None
    said: tuple[float, float] | None
    meant: MeantPlace


@dataclass(frozen=True, slots=True)
class CoordinateCheck:
    """`candidates`, the best first. `winner`: the space in which the places would clearly be right, "" where none is.
    `steps` were scored, `unscored` not, in so many `episodes`, which can be whole or not where
    there are such (`has_episodes`); `said` are the numbers as the model said them; `sent` is
    the highest picture that it was sent, `recorded` the highest screen."""

    run_id: str
    rule: str
    steps: int
    unscored: int
    candidates: tuple[SpaceCandidate, ...]
    winner: str
    turns: tuple[SpaceTurn, ...]
    said: tuple[tuple[float, float], ...]
    sent: Size | None
    recorded: Size | None
    episodes: int
    has_episodes: bool
    raw: bool

    @property
    def chosen(self) -> SpaceCandidate:
        return next(one for one in self.candidates if one.chosen)

    @property
    def few(self) -> bool:
        return self.chosen.points < FEW

    @property
    def explains(self) -> bool:
        """Whether any space has places right at all."""
        return any(one.right for one in self.candidates)


@dataclass(frozen=True, slots=True)
class CheckUpdate:
    """How far the check is; `result` comes with the last."""

    progress: Progress
    result: CoordinateCheck | None = None


def candidates_of(adapter: Adapter | None) -> tuple[str, ...]:
    """The readings that can be tried. Without an adapter there are pixels alone."""
    if adapter is not None:
        return candidates_of_adapter(adapter)
    return (AS_SAID, *(space.value for space in (Space.THOUSAND, Space.NINE99, Space.UNIT)), SWAPPED)


def candidates_of_adapter(adapter: Adapter) -> tuple[str, ...]:
    """The same for raw outputs that this adapter reads: its own space first."""
    return (AS_SAID, *(one for one in READINGS if one not in (AS_SAID, adapter.space.value)))


def check(
    database: Database, run: Run, source: Source, *, adapter: str = "", token: CancelToken | None = None
) -> Iterator[CheckUpdate]:
    """Read and score all steps of the run in every space. `adapter` is the one that the raw outputs of imported
    predictions are read with. Ends early when cancelled. Raises UsageError for a run of another task."""
    if run.spec.task not in WITH_PLACES:
        raise UsageError(
            f"Run {run.id} is about {run.spec.task}: its answers have no places.", hint="Name another run."
        )
    work = _Check(database, run, source, adapter_of(run, adapter), token or CancelToken())
    yield from work.updates()


def adapter_of(run: Run, named: str = "") -> Adapter | None:
    """The adapter that the run's answers were read with; None for predictions that came as pixels. Raises UsageError
    for one that there is not."""
    if named:
        return adapters.adapter_named(named)
    settings = asked.settings_of(run.spec.model)
    return None if settings is None else settings.adapter


@dataclass
class _Tally:
    """What one space makes of the steps: for each step with a place, whether it is right and on the screen; the
    episodes in which a step is wrong."""

    right: dict[ItemKey, bool] = field(default_factory=dict)
    on_screen: int = 0
    total: float = 0.0
    malformed: int = 0
    broken: set[str] = field(default_factory=set)

    def take(self, key: ItemKey, prediction: Prediction, value: float, right: bool) -> None:
        self.total += value
        self.malformed += prediction.status is PredictionStatus.MALFORMED
        if not right:
            self.broken.add(key.episode)


@dataclass
class _Check:
    database: Database
    run: Run
    source: Source
    adapter: Adapter | None
    token: CancelToken

    def __post_init__(self) -> None:
        spec = self.run.spec
        self._scorer = scoring.with_measures(run_scorer(spec.protocol))
        self._options = parse_options(self._scorer.info, dict(spec.options))
        self._kind, self._setting = task_kind(spec.task), setting_of(spec)
        given = split_name(spec.model)[1].get("space", AS_SAID)
        names = candidates_of(self.adapter)
        self._chosen = given if given in names else AS_SAID
        self._tallies = {name: _Tally() for name in names}
        self._places: dict[str, dict[ItemKey, Point | None]] = {name: {} for name in names}
        self._meant: dict[ItemKey, MeantPlace] = {}
        self._said: dict[ItemKey, tuple[float, float]] = {}
        self._sent: Size | None = None
        self._recorded: Size | None = None
        self._episodes: set[str] = set()
        self._steps = self._unscored = 0
        self._raw = False

    def updates(self) -> Iterator[CheckUpdate]:
        with self.database.reading() as db:
            episodes = runs.selection(db, self.run.id)
        meter = ProgressMeter(len(episodes))
        for episode in episodes:
            self.token.wait_if_paused()
            if self.token.cancelled:
                return
            self._episode(episode)
            meter.advance()
            yield CheckUpdate(meter.snapshot())
        yield CheckUpdate(meter.snapshot(), self._result())

    def _episode(self, episode: str) -> None:
        with self.database.reading() as db:
            outcomes = queries.items(db, self.run.id, episodes=[episode], limit=None).rows
            calls = model_calls.of_episode(db, self.run.id, episode)
        if not outcomes:
            return
        items = {item.key: item for item in self._kind.items(self.source, episode, self._setting)}
        for outcome in outcomes:
            item = items.get(outcome.key)
            if item is None or outcome.score.value is None:
                self._unscored += 1
                continue
            self._steps += 1
            self._episodes.add(episode)
            self._step(item, outcome, calls.get(outcome.key.step, ()))

    def _step(self, item: Item, outcome: Outcome, calls: Sequence[ModelCall]) -> None:
        assert isinstance(item.request, StepRequest) and outcome.score.value is not None
        screen = item.request.observation.size
        self._recorded = _higher(self._recorded, screen)
        read = {name: self._read(name, outcome.prediction, screen, calls) for name in self._tallies}
        if not any(_has_place(one.action) for one in read.values()):  # the same in every space
            for name, tally in self._tallies.items():
                tally.take(item.key, read[name], outcome.score.value, outcome.score.right)
            return
        for name, prediction in read.items():
            score = score_item(self._kind, item, prediction, self._scorer, self._options)
            tally = self._tallies[name]
            tally.right[item.key] = score.right
            tally.on_screen += _has_place(prediction.action)
            tally.take(item.key, prediction, score.value or 0.0, score.right)
            self._places[name][item.key] = None if prediction.action is None else action_point(prediction.action)
        if len({tally.right[item.key] for tally in self._tallies.values()}) > 1:  # else it turns in none
            self._meant[item.key] = _meant(item, item.request)

    def _read(self, name: str, prediction: Prediction, screen: Size, calls: Sequence[ModelCall]) -> Prediction:
        key = ItemKey(prediction.episode, prediction.step or 0)
        if self.adapter is None:
            place = None if prediction.action is None else action_point(prediction.action)
            if place is not None:
                self._said[key] = (place.x, place.y)
            return _as_if(prediction, name)
        sent = sent_size(calls)
        self._sent = _higher(self._sent, sent)
        if not prediction.raw:
            return prediction
        self._raw = True
        read = adapters.read_answer(self.adapter, prediction.raw, screen, sent, reading_of(name, self.adapter.space))
        if read.said:
            self._said.setdefault(key, read.said[0])
        return prediction_of(prediction.episode, prediction.step, read, prediction.raw)

    def _result(self) -> CoordinateCheck:
        from stepscope.core.scoring.paired_tests import mcnemar

        now = self._tallies[self._chosen].right
        found = [
            SpaceCandidate(
                name,
                name == self._chosen,
                len(tally.right),
                sum(tally.right.values()),
                tally.on_screen,
                tally.total / self._steps if self._steps else 0.0,
                gained=sum(right and not now[key] for key, right in tally.right.items()),
                lost=sum(now[key] and not right for key, right in tally.right.items()),
                whole=len(self._episodes - tally.broken),
                malformed=tally.malformed,
            )
            for name, tally in self._tallies.items()
        ]
        found.sort(key=lambda one: (-one.right, -one.accuracy, not one.chosen))
        best = found[0]
        right = self._tallies[best.name].right
        keys = list(right)

        def unlike(name: str) -> bool:
            import numpy as np

            ours = np.array([right[key] for key in keys], float)
            theirs = np.array([self._tallies[name].right[key] for key in keys], float)
            p = mcnemar(ours, theirs)
            return p is not None and p < _SURE

        told = [
            replace(one, same_as_best=one is not best and bool(best.right) and not unlike(one.name)) for one in found
        ]
        chosen = next(one for one in told if one.chosen)
        winner = best.name if _wins(best, chosen) else ""
        return CoordinateCheck(
            self.run.id,
            self.run.spec.protocol,
            self._steps,
            self._unscored,
            tuple(told),
            winner,
            tuple(self._turns(best.name, chosen.name)),
            tuple(self._said.values()),
            self._sent,
            self._recorded,
            len(self._episodes),
            self.run.spec.task is Task.AUTOMATION,
            self._raw,
        )

    def _turns(self, best: str, chosen: str) -> Iterator[SpaceTurn]:
        for key, right in self._tallies[best].right.items():
            if right != self._tallies[chosen].right[key]:
                now, then = self._places[chosen][key], self._places[best][key]
                yield SpaceTurn(key, right, now, then, self._said.get(key), self._meant[key])


def _wins(best: SpaceCandidate, chosen: SpaceCandidate) -> bool:
    """Whether the best lies clearly above the chosen one."""
    if best.chosen or best.points < FEW or best.interval is None or chosen.interval is None:
        return False
    return best.interval[0] > chosen.interval[1] and (best.right - chosen.right) / best.points >= CLEARLY


def _meant(item: Item, request: StepRequest) -> MeantPlace:
    picture = request.observation.shown
    if isinstance(item.material, MeantElement):
        return MeantPlace(None, request.goal, item.material.box, picture)
    action: Action | None = item.material.action
    target = None if action is None else action_target(action)
    return MeantPlace(action, "", None if target is None else target.box, picture)


def _higher(one: Size | None, other: Size | None) -> Size | None:
    """The higher of two pictures."""
    return max((size for size in (one, other) if size is not None), key=lambda size: size.height, default=None)


def _has_place(action: Action | None) -> bool:
    return action is not None and action_point(action) is not None


def _as_if(prediction: Prediction, name: str) -> Prediction:
    """A prediction in pixels as if its numbers were those of another space."""
    action = prediction.action
    if action is None or name == AS_SAID:
        return prediction
    changes: dict[str, Any] = {}
    for part, place in (("point", action_point(action)), ("to", action_end(action))):
        if place is None:
            continue
        try:
            reading = reading_of(name, Space.ORIGINAL)
            changes[part] = reading.on_screen(place.x, place.y, place.size, place.size)
        except ValueError as error:
            return replace(prediction, answer=None, status=PredictionStatus.MALFORMED, why=f"{error}.")
    return replace(prediction, answer=ActionAnswer(replace(action, **changes))) if changes else prediction


# Reading again --------------------------------------------------------------------------------------------------------


def read_again(
    database: Database, run: Run, source: Source, source_id: int, space: str, token: CancelToken | None = None
) -> PreparedRun:
    """A run whose answers are those of `run`, read in another space; nothing is asked. When it is whole it takes the
    place of `run`, which is put away with its scores (`readings`). Raises UsageError for a run whose raw outputs are
    not there, and for a space that there is not."""
    if space not in READINGS:
        raise UsageError(f"There is no space {space!r}.", hint=f"Choose one of {', '.join(READINGS)}.")
    settings = asked.settings_of(run.spec.model)
    if settings is None:
        hint = "Evaluate the model itself, or give its raw outputs to 'stepscope agents parse --space'."
        raise UsageError(f"Run {run.id} has no raw outputs of an agent that could be read again.", hint=hint)
    plain, given = split_name(run.spec.model)
    given.pop("space", None)
    if space != AS_SAID:
        given["space"] = space
    name = stepscope.models.registry.model_info(with_settings(plain, given)).name
    with database.reading() as db:
        episodes = runs.selection(db, run.id)
    spec = run.spec
    request = EvaluationRequest(
        protocol=spec.protocol, model=name, options=spec.options, episodes=episodes, filter=spec.filter,
        split="", limit=spec.limit, seed=spec.seed, device=spec.device, task=spec.task,
    )  # fmt: skip

    def load(model: str, **_: Any) -> Predictor[Any]:
        return StoredAnswers(database, run.id, model)

    prepared = evaluation.start(database, source, source_id, request, token, load)
    title = space_words(space, settings.adapter)
    with database.unit_of_work() as db:
        readings.put(db, prepared.run.run_id, RunReading(run.id, space))
        runs.add_note(db, prepared.run.run_id, f"The answers of run {run.id}, read again as {title}, chosen by hand.")
    return prepared


SPACE_WORDS = {
    AS_SAID: "as its adapter says",
    Space.UNIT.value: "0 – 1",
    Space.THOUSAND.value: "0 – 1000",
    Space.NINE99.value: "0 – 999",
    Space.RESIZED.value: "Pixels of the picture sent",
    Space.ORIGINAL.value: "Pixels recorded",
    SWAPPED: "x and y swapped",
    TWICE: "Scaled twice",
}
"""What spaces are called where people read."""


def space_words(name: str, adapter: Adapter | None) -> str:
    """The space's name for people; the adapter's own by what it is."""
    if name == AS_SAID:
        return SPACE_WORDS[(adapter.space if adapter is not None else Space.ORIGINAL).value]
    return SPACE_WORDS[name]


def rule_title(name: str) -> str:
    """The rule by which the steps were scored, for people."""
    return run_scorer(name).info.title
