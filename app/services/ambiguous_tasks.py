"""Making ambiguous tasks of a data set, for both faces: by rules or by a model, kept episode by episode, so that it
goes on where it was."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import field, replace
from datetime import UTC, datetime

from stepscope.app.services.evaluation import prediction_cache
from stepscope.app.services.library import passing
from stepscope.app.services.prices import load_prices
from stepscope.app.services.recordings_consent import check_consent
from stepscope.core.domain.ambiguous_task import MOST_REMOVED, RULES, AmbiguousTask, TaskSlot
from stepscope.core.domain.episode import Episode, FeasibilityLabel
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.model_name import TASK_MARK, split_name
from stepscope.core.domain.price import TokenPrice
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import ambiguous_tasks as rows
from stepscope.core.store.repositories import sources
from stepscope.models.ask.making.maker import AskTaskMaker, EpisodeDrafts
from stepscope.models.ask.making.named import MakerMeans, maker_name, maker_named
from stepscope.models.ask.making.question_budget import QuestionBudget
from stepscope.models.ask.making.step_texts import done_steps
from stepscope.models.ask.making.task_checks import failed_checks

log = logging.getLogger("stepscope")

_POLL_SECONDS = 0.2
UNLABELLED = "There is no episode here with a goal and with recorded actions, of which tasks could be made."


@dataclass(frozen=True, slots=True)
class MakingRequest:
    """What is to be made. `model` is RULES, `served:…` or `local:…`, with settings; `removed`: a task for each of these
    numbers of steps to leave out. `query` and `limit` choose the episodes. `most_questions`, and `budget` in the
    currency of the model's price, end the work. `seed` decides which steps are left out. `again`: also what is made
    already, and asked anew."""

    model: str = RULES
    removed: tuple[int, ...] = (1,)
    query: Query = EVERYTHING
    limit: int | None = None
    most_questions: int | None = None
    budget: float | None = None
    seed: int = 0
    again: bool = False
    device: str = "auto"

    def __post_init__(self) -> None:
        if not self.removed or not all(1 <= count <= MOST_REMOVED for count in self.removed):
            hint = f"Give whole numbers from 1 to {MOST_REMOVED}, with commas between them."
            raise UsageError("that is no number of steps to leave out.", hint=hint)


@dataclass(slots=True)
class MakingCount:
    """How far it is.

    Of `episodes`, `known` were made before, `made` now; `without` have no goal or no actions, `asking` have questions
    already, the goals of `infeasible` ones cannot be reached. Of the `tasks` made now `failing` do not stand a check;
    `not_enough` had too few informative steps. `failed`: by episode, what could not be made and why; `problems`: by
    episode and step, answers that could not be read. `over`: the questions or the money are spent.
    """

    episodes: int
    known: int = 0
    made: int = 0
    without: int = 0
    asking: int = 0
    infeasible: int = 0
    tasks: int = 0
    failing: int = 0
    not_enough: int = 0
    asked: int = 0
    remembered: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    over: bool = False
    failed: list[tuple[str, str]] = field(default_factory=list)
    problems: list[tuple[str, int, str]] = field(default_factory=list)


def make_tasks(
    database: Database,
    source_id: int,
    source: Source,
    known_as: str,
    request: MakingRequest,
    token: CancelToken | None = None,
) -> Generator[Progress, None, MakingCount]:
    """Make the tasks that are not there yet under the maker's version and keep each episode's at once; cancelled or
    killed, the same call goes on from there. Gives progress and returns the counts.

    Raises UsageError for a model, setting or budget that cannot be and for data without goals or actions,
    ConsentNeededError for recordings that a person has not agreed to send, and what loading raises.
    """
    check_consent(source, request.model)
    units = chosen_episodes(database, source_id, source, request)
    stop = token or CancelToken()
    budget = budget_of(request)
    maker = maker_named(
        request.model, MakerMeans(prediction_cache(), budget, request.again, request.device, request.seed)
    )
    maker.set_token(stop)
    todo = _todo(database, known_as, maker, request, units)
    count = MakingCount(len(units), len(units) - len(todo))
    meter = ProgressMeter(len(units), count.known)
    yield meter.snapshot()
    for name, episode, drafts in _made(source, maker, todo, request.removed, lambda: stop.cancelled or budget.spent):
        if isinstance(drafts, EpisodeDrafts) and drafts.unfinished:
            count.over = True
        elif not stop.cancelled or (isinstance(drafts, EpisodeDrafts) and not drafts.failed):
            _take(database, known_as, maker, name, episode, drafts, count)
        _add_spent(count, budget)
        yield meter.advance()
    if count.without == len(units):
        raise UsageError(UNLABELLED, place=source.path, hint="Open data with goals and step actions.")
    return count


def chosen_episodes(database: Database, source_id: int, source: Source, request: MakingRequest) -> tuple[str, ...]:
    """The episodes that are looked at, in the source's order. Raises UsageError where there are none, or none of which
    tasks could be made."""
    with database.reading() as db:
        units = passing(db, source_id, request.query)[: request.limit]
        counts = sources.counts_by_use(db, source_id, units)
    if not units:
        raise UsageError("No episode is left.", place=source.path, hint="Loosen the filter.")
    if not counts["unchecked"] and not (counts["actions"] and counts["goals"]):
        raise UsageError(UNLABELLED, place=source.path, hint="Open data with goals and step actions.")
    return tuple(units)


def budget_of(request: MakingRequest) -> QuestionBudget:
    """Raises UsageError for a budget of money where the model has no price."""
    maker_name(request.model)
    price = price_of_maker(request.model)
    if request.budget is not None and price is None:
        hint = "Enter one in the Transcript of one of its runs, or give a number of questions."
        raise UsageError(f"{request.model} has no price, so a budget ends nothing.", hint=hint)
    return QuestionBudget(request.most_questions, request.budget, price)


def price_of_maker(model: str) -> TokenPrice | None:
    """The price that was entered for the model, whatever it was asked about then; None for none."""
    plain = split_name(model)[0]
    try:
        known = load_prices()
    except UserError as error:
        log.warning("%s", error)
        return None
    return next((price for name, price in known.items() if split_name(name)[0].partition(TASK_MARK)[0] == plain), None)


def _todo(
    database: Database, known_as: str, maker: AskTaskMaker, request: MakingRequest, units: Sequence[str]
) -> list[str]:
    """The episodes that lack one of the tasks under the maker's version of now."""
    if request.again:
        return list(units)
    with database.reading() as db:
        known = rows.made_slots(db, known_as, maker.name)
    return [
        unit
        for unit in units
        if any(known.get(TaskSlot(known_as, unit, maker.name, count)) != maker.version for count in request.removed)
    ]


MadeOf = tuple[str, Episode | None, EpisodeDrafts | str]
"""An episode's id, the episode, and its drafts or why there are none; no episode: it could not be read."""
NO_GOAL, ASKS_ALREADY, INFEASIBLE = "no goal or no actions", "asks already", "infeasible"


def _made(
    source: Source, maker: AskTaskMaker, units: Sequence[str], removed: Sequence[int], is_over: Callable[[], bool]
) -> Iterator[MadeOf]:
    """Each episode as soon as it is done, as many at once as the maker takes; no further one is begun once it is
    over."""

    def one(unit: str) -> MadeOf:
        episode = None
        try:
            episode = source.read(unit)
            if not episode.goal.strip() or not done_steps(episode):
                return unit, episode, NO_GOAL
            if episode.asks:
                return unit, episode, ASKS_ALREADY
            if episode.feasibility.label is FeasibilityLabel.INFEASIBLE:
                return unit, episode, INFEASIBLE
            return unit, episode, maker.make(episode, removed)
        except UserError as error:
            return unit, episode, EpisodeDrafts(failed=str(error))

    waiting = iter(units)
    with ThreadPoolExecutor(maker.at_once, "ask tasks") as pool:
        under_way: set[Future[MadeOf]] = set()
        while True:
            while len(under_way) < maker.at_once and not is_over():
                unit = next(waiting, None)
                if unit is None:
                    break
                under_way.add(pool.submit(one, unit))
            if not under_way:
                return
            done, under_way = wait(under_way, _POLL_SECONDS, FIRST_COMPLETED)
            yield from (future.result() for future in done)


def _take(
    database: Database, known_as: str, maker: AskTaskMaker, unit: str, episode: Episode | None,
    drafts: EpisodeDrafts | str, count: MakingCount,
) -> None:  # fmt: skip
    if isinstance(drafts, str):
        count.without += drafts == NO_GOAL
        count.asking += drafts == ASKS_ALREADY
        count.infeasible += drafts == INFEASIBLE
        return
    count.problems += [(unit, problem.step, problem.why) for problem in drafts.problems]
    if drafts.failed or episode is None:
        count.failed.append((unit, drafts.failed))
        return
    tasks = tasks_of_drafts(episode, drafts, known_as, maker)
    with database.unit_of_work() as db:
        rows.keep(db, tasks)
    count.made += 1
    count.tasks += sum(task.is_enough for task in tasks)
    count.failing += sum(bool(task.failed) for task in tasks)
    count.not_enough += sum(not task.is_enough for task in tasks)


def tasks_of_drafts(
    episode: Episode, drafts: EpisodeDrafts, known_as: str, maker: AskTaskMaker
) -> tuple[AmbiguousTask, ...]:
    """The drafts as they are kept, each with the checks that it does not stand."""
    now = datetime.now(UTC)
    steps = {step.index for step in episode.steps}
    found = []
    for draft in drafts.drafts:
        slot = TaskSlot(known_as, episode.id, maker.name, draft.removed)
        task = AmbiguousTask(
            slot, episode.goal, draft.goal, draft.pieces, drafts.readings, now, maker.version, episode.app or ""
        )
        found.append(replace(task, failed=failed_checks(task, steps)))
    return tuple(found)


def _add_spent(count: MakingCount, budget: QuestionBudget) -> None:
    count.asked, count.remembered = budget.asked, budget.remembered
    count.tokens_in, count.tokens_out, count.cost = budget.tokens_in, budget.tokens_out, budget.cost
