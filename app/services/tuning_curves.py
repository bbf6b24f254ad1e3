"""What fine-tuning brings, step by step: a checkpoint is tuned at several LoRA ranks, and it and every adapter that was
kept on the way are measured on the same episodes.

Tunings and evaluations are ordinary ones, kept under their names and in the store: what is done is not done again, what
was broken off goes on, so that the same request after a stop does the rest. Source: Navi-plus, appendix G.2, figure 4.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import orjson

from stepscope.app.services import checkpoint_tuning, evaluation
from stepscope.app.services.checkpoint_tuning import TunedCheckpoint, TuningEvent, TuningRequest
from stepscope.app.services.evaluation import EvaluationRequest, Load
from stepscope.app.services.reproduction.planning import PlannedRun, TableData
from stepscope.app.services.reproduction.running import begun_here, stored_run
from stepscope.app.services.tuning_lessons import TuningData
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.model_name import LOCAL
from stepscope.core.domain.partitions import TEST, part_of_partition
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.report_numbers import numbers_of
from stepscope.core.evaluation.runs import RunUpdate
from stepscope.core.evaluation.tuning_curve import UNTUNED, TuningCurve, TuningPoint
from stepscope.core.evaluation.tuning_curve_plot import curve_svg
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.models.agents import asked
from stepscope.models.checkpoints.lora_settings import LoraSettings
from stepscope.models.checkpoints.snapshots import CARD, named_snapshot

MOST_RANKS = 12
MOST_POINTS = 500
"""Models that one curve is made of (ours): each is an evaluation."""
FILES = ("curve.svg", "curve.csv", "curve.json")


@dataclass(frozen=True, slots=True)
class CurveRequest:
    """`tuning` says what is tuned, how, and after how many moves it is looked at (its snapshots); its name is the stem
    of the tuned models' names and its rank does not count. `split`, `limit` and `query` choose the episodes that are
    measured on; an empty `protocol` is the task's own."""

    tuning: TuningRequest
    ranks: tuple[int, ...]
    protocol: str = ""
    options: tuple[tuple[str, str], ...] = ()
    split: str = ""
    limit: int | None = None
    query: Query = EVERYTHING


@dataclass(frozen=True, slots=True)
class CurveTuning:
    """The checkpoint is being tuned at a rank."""

    rank: int
    name: str
    event: TuningEvent


@dataclass(frozen=True, slots=True)
class CurveMeasuring:
    """A model of the curve is being measured, as the `number`-th of `total`, None where that is not known yet.
    `finished`: it had been measured before."""

    rank: int
    moves: int
    model: str
    run: str
    number: int
    total: int | None
    progress: Progress
    finished: bool = False


@dataclass(frozen=True, slots=True)
class CurveStopped:
    """It was cancelled; what is done is kept."""


CurveEvent = CurveTuning | CurveMeasuring | CurveStopped | TuningCurve


def check_curve(request: CurveRequest) -> None:
    """Raises UsageError, as `draw_curve` does, before anything is read or loaded."""
    if not request.ranks or len(set(request.ranks)) != len(request.ranks) or len(request.ranks) > MOST_RANKS:
        raise UsageError("A curve needs ranks, each once.", hint=f"Give 1 to {MOST_RANKS}, such as 16,64.")
    if not request.tuning.settings.snapshots:
        raise UsageError("A curve needs to know after how many moves to look.", hint="Give --every N.")
    if request.tuning.merged is not None:
        raise UsageError("A curve is made of adapters, not of merged models.", hint="Leave --merged out.")
    evaluation.check_device(request.tuning.device)
    for rank in request.ranks:
        checkpoint_tuning.check_request(_at_rank(request, rank))
    evaluation.scorer_for(_task(request), request.protocol)


def draw_curve(
    database: Database,
    data: Sequence[TuningData],
    test: TuningData,
    request: CurveRequest,
    token: CancelToken,
    load: Load | None = None,
) -> Iterator[CurveEvent]:
    """Measure the untouched checkpoint, then tune it at each rank and measure what was kept on the way; last the
    TuningCurve, or CurveStopped. `load` makes the models that are measured. Raises as tunings and evaluations do."""
    check_curve(request)
    work = _CurveWork(database, test, request, token, load)
    yield from work.measure(UNTUNED, 0, 0.0, asked.asked_model(request.tuning.model).name)
    learned: set[str] = set()
    for place, rank in enumerate(request.ranks):
        if token.cancelled or work.stopped:
            break
        tuned: TunedCheckpoint | None = None
        wanted = _at_rank(request, rank)
        events = cast("Generator[TuningEvent]", checkpoint_tuning.tune(database, data, wanted, token))
        with closing(events):
            for event in events:
                yield CurveTuning(rank, wanted.name, event)
                tuned = event if isinstance(event, TunedCheckpoint) else tuned
        if tuned is None:
            break
        card = _card(tuned.folder)
        learned |= {one for part in card["data"] if part["path"] == str(test.source.path) for one in part["episodes"]}
        moves = wanted.settings.snapshot_moves(card["examples"])
        work.expect(1 + len(request.ranks) * len(moves))
        per_epoch = wanted.settings.moves(card["examples"]) / wanted.settings.epochs
        for each in moves:
            name = tuned.model.replace(f"{LOCAL}{wanted.name}", f"{LOCAL}{named_snapshot(wanted.name, each)}", 1)
            yield from work.measure(rank, each, each / per_epoch, name)
        work.done_ranks = place + 1
    if token.cancelled or work.stopped or work.done_ranks < len(request.ranks):
        yield CurveStopped()
        return
    yield work.curve(learned)


def write_curve(curve: TuningCurve, folder: Path) -> tuple[Path, ...]:
    """The drawing, the table and all numbers, each file whole or not at all; the folder is made. Raises UserError."""
    form = orjson.dumps(curve.form(), option=orjson.OPT_INDENT_2)
    texts = dict(zip(FILES, (curve_svg(curve).encode(), curve.csv().encode(), form), strict=True))
    for name, text in texts.items():
        try:
            write_whole(folder / name, text)
        except OSError as error:
            raise UserError(f"cannot be written: {reason(error)}.", place=folder / name, hint=advice(error)) from error
    return tuple(folder / name for name in texts)


class _CurveWork:
    """The measuring of one curve: its points so far."""

    def __init__(
        self, database: Database, test: TuningData, request: CurveRequest, token: CancelToken, load: Load | None
    ) -> None:
        self._database, self._token, self._begin = database, token, begun_here(load)
        self._data = TableData(test.source.path, test.source, test.source_id)
        scorer = evaluation.scorer_for(_task(request), request.protocol)
        self._protocol = scorer.info.name
        self._request = EvaluationRequest(
            protocol=self._protocol,
            options=request.options,
            query=request.query,
            filter=str(request.query),
            split=part_of_partition(request.split, TEST),
            limit=request.limit,
            device=request.tuning.device,
            task=_task(request),
        )
        self._episodes = evaluation.selection(database, test.source_id, self._request)
        self._points: list[TuningPoint] = []
        self._total: int | None = None
        self.stopped = False
        self.done_ranks = 0

    def expect(self, total: int) -> None:
        """So many models are measured in all. Raises UsageError for more than can be meant."""
        if total > MOST_POINTS:
            raise UsageError(
                f"{total:,} models would be measured, {MOST_POINTS} can be.", hint="Look after more moves (--every)."
            )
        self._total = total

    def measure(self, rank: int, moves: int, epochs: float, model: str) -> Iterator[CurveEvent]:
        """Evaluate one model, or find that it was evaluated; nothing where the work was stopped."""
        if self.stopped or self._token.cancelled:
            return
        planned = PlannedRun(self._data, replace(self._request, model=model), self._episodes)
        number, known = len(self._points) + 1, stored_run(self._database, planned)
        if known is not None and known.state is RunState.DONE:
            done = Progress(known.done, known.done)
            yield CurveMeasuring(rank, moves, model, known.id, number, self._total, done, finished=True)
            self._keep(rank, moves, epochs, model, known.id)
            return
        run = self._begin(self._database, planned, known, self._token)
        with closing(cast("Generator[RunUpdate]", run.updates)) as updates:  # closed, it keeps what is done
            for update in updates:
                yield CurveMeasuring(rank, moves, model, run.run_id, number, self._total, update.progress)
        with self._database.reading() as db:
            self.stopped = runs.get(db, run.run_id).state is not RunState.DONE
        if not self.stopped:
            self._keep(rank, moves, epochs, model, run.run_id)

    def curve(self, learned: set[str]) -> TuningCurve:
        """All points. `learned` are the episodes of this data that were learned from."""
        both = learned & set(self._episodes)
        return TuningCurve(
            self._points[0].model, self._request.task, self._protocol, self._data.path.name, self._request.split,
            len(self._episodes), len(both), tuple(self._points),
        )  # fmt: skip

    def _keep(self, rank: int, moves: int, epochs: float, model: str, run: str) -> None:
        found = numbers_of(self._database, run)
        metrics = found.metrics
        self._points.append(TuningPoint(rank, moves, epochs, model, run, metrics.n, metrics.errors, found.lines))


def _at_rank(request: CurveRequest, rank: int) -> TuningRequest:
    """The tuning at one rank; where it was done before, it is taken as it is."""
    settings: LoraSettings = replace(request.tuning.settings, rank=rank)
    name = f"{request.tuning.name}-r{rank}"
    return replace(request.tuning, name=name, settings=settings, takes_finished=not request.tuning.again)


def _task(request: CurveRequest) -> Task:
    return asked.asked_model(request.tuning.model).task


def _card(folder: Path) -> dict[str, Any]:
    """Raises UserError for one that cannot be read."""
    try:
        found: dict[str, Any] = orjson.loads((folder / CARD).read_bytes())
    except (OSError, ValueError) as error:
        raise UserError("is no card of a tuning.", place=folder / CARD, hint="Tune it again with --again.") from error
    return found
