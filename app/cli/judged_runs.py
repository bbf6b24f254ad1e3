"""A judge goes through a run's texts: what `evaluate --judge` and `judgements ask` share."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.cli.output import tell
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import find_run
from stepscope.core.domain.judgement import REFERENCE, JudgeId, OriginKind, TextOrigin, origin_of
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress

if TYPE_CHECKING:
    from stepscope.app.services import judging
    from stepscope.app.services.goal_judging import JudgingCount
    from stepscope.app.services.judging import JudgingResult, Origins
    from stepscope.core.evaluation.judging import JudgedRate
    from stepscope.core.store.engine import Database
    from stepscope.models.goal.judges.judge import GoalJudge
else:
    judging = lazy_module("stepscope.app.services.judging")

ReadIndex = Callable[..., Any]
"""Opens the data of a path in a format; None where it was stopped."""
_FAILED_SHOWN = 20


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run that a judge has gone through: which texts, how it went, and what all judges say of it now."""

    origins: Origins
    count: JudgingCount
    found: JudgingResult

    @property
    def status(self) -> int:
        """1 where a pair could not be judged or an answer had no verdict."""
        return SOME_FAILED if self.count.failed or self.count.malformed else DONE

    def form(self, judge: GoalJudge) -> dict[str, Any]:
        """How it went, as JSON has it."""
        return _count_form(judge.name, judge.version, self.count)

    def metrics(self, judge: GoalJudge) -> dict[str, Any]:
        """What this judge says, under the names of the protocol `intent`: value, n and interval."""
        rates = next((one.rates for one in self.found.rates if one.judge == JudgeId(judge.name, True)), {})
        names = {"fulfillment": "second_fulfilled", **{name: name for name in ("match", "partial_match", "non_match")}}
        return {metric: rate_form(rates[name]) for metric, name in names.items() if name in rates}


def judge_run(
    database: Database,
    id: str,
    judge: GoalJudge,
    token: CancelToken,
    read: ReadIndex,
    *,
    against: str = REFERENCE.code,
    again: bool = False,
    limit: int | None = None,
) -> JudgedRun:
    """Let the judge go through a run's texts, whose data `read` opens, telling how far it is and what could not be
    judged. Raises KeyboardInterrupt where it was stopped: what was said is kept."""
    from stepscope.app.cli.progress import bar
    from stepscope.app.services import goal_judging

    origins = origins_of(database, id, against)
    path = source_of(database, id)
    indexed = read(database, Path(path), find_run(database, id).spec.format, token)
    if indexed is None:
        raise KeyboardInterrupt
    work = goal_judging.ask_judge(
        database, indexed.source_id, indexed.source, path, origins, judge, again=again, limit=limit, token=token
    )
    with bar(f"Judging by {judge.name}") as show:
        count = _gone_through(work, show)
    if token.cancelled:
        tell("stepscope: stopped; what was said is kept, and the same command goes on from there.")
        raise KeyboardInterrupt
    for episode, why in count.failed[:_FAILED_SHOWN]:
        tell(f"stepscope: warning: {episode}: {why}")
    return JudgedRun(origins, count, judging.judged(database, indexed.source_id, indexed.source, path, origins))


def _gone_through(work: Generator[Progress, None, JudgingCount], show: Callable[[Progress], None]) -> JudgingCount:
    """Do the work, showing how far it is; what it returns."""
    while True:
        try:
            show(next(work))
        except StopIteration as ended:
            found: JudgingCount = ended.value
            return found


def rate_form(rate: JudgedRate) -> dict[str, Any]:
    return {"value": rate.value, "n": rate.n, "interval": [rate.low, rate.high] if rate.n else None}


def _count_form(name: str, version: str, count: JudgingCount) -> dict[str, Any]:
    return {
        "judge": name,
        "version": version,
        "judged": count.judged,
        "known": count.known,
        "failed": [{"episode": episode, "why": why} for episode, why in count.failed],
        "malformed": count.malformed,
        "swapped": count.swapped,
        "same_when_swapped": count.same,
        "tokens_in": count.tokens_in,
        "tokens_out": count.tokens_out,
    }


def origins_of(database: Database, id: str, against: str) -> Origins:
    """A run's texts and the others, in the order that judgements have. Raises UsageError."""
    mine = TextOrigin(OriginKind.RUN, find_run(database, id).id)
    if against == REFERENCE.code:
        other = REFERENCE
    elif against.startswith(f"{OriginKind.PERSON}:"):
        try:
            other = origin_of(against)
        except ValueError as error:
            raise UsageError(f"{error}.", hint="Give --against person:NAME.") from None
    else:
        other = TextOrigin(OriginKind.RUN, find_run(database, against.removeprefix(f"{OriginKind.RUN}:")).id)
    if mine == other:
        raise UsageError("a run is not judged against itself.", hint="Give another one with --against.")
    first, second = sorted((mine, other), key=lambda origin: origin.rank)
    return first, second


def source_of(database: Database, id: str) -> str:
    return find_run(database, id).spec.source
