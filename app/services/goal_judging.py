"""A judge goes through the pairs of a run; what it says is kept pair by pair, so that it goes on where it was."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime

from stepscope.app.services.judging import JudgingChange, Origins, make
from stepscope.app.services.recordings_consent import check_consent
from stepscope.core.domain.judgement import JudgeId, Judgement, TextPair, same_texts
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.judging import list_pairs
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import judgements as judgement_rows
from stepscope.models.chat.redaction_rules import redacted_in
from stepscope.models.goal.judges.judge import GoalJudge, PairVerdicts

_POLL_SECONDS = 0.2


@dataclass(slots=True)
class JudgingCount:
    """How far it is: pairs that are judged now, were judged before, could not be, and by episode why not. `malformed`
    answers had no verdict; of `swapped` directions, which were asked twice, `same` had the same verdict both times."""

    pairs: int
    known: int = 0
    judged: int = 0
    malformed: int = 0
    swapped: int = 0
    same: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


def ask_judge(
    database: Database,
    source_id: int,
    source: Source,
    known_as: str,
    origins: Origins,
    judge: GoalJudge,
    *,
    again: bool = False,
    limit: int | None = None,
    token: CancelToken | None = None,
) -> Generator[Progress, None, JudgingCount]:
    """Judge the pairs of two origins that this judge has not judged in these words, under the rules of what is never
    sent that are in force, or all of them `again`; the first `limit` of the data. Gives progress, and returns the
    counts. Raises UsageError for texts that are no goals, ConsentNeededError for recordings that a person has not
    agreed to send."""
    check_consent(source, judge.name)
    stop = token or CancelToken()
    judge.set_token(stop)
    with database.reading() as db:
        listed = list_pairs(db, source_id, source, known_as, origins)
        said = judgement_rows.of_pairs(db, known_as, origins)
    if listed.task is not Task.GOAL:
        raise UsageError("a judge reads goals, and this run's answers are questions.", hint="Choose a run of goals.")
    pairs = [one.pair for one in listed.pairs][:limit]
    who = JudgeId(judge.name, by_model=True)
    known = {one.pair.key: one for one in said if one.judge == who}
    open_pairs = [
        pair
        for pair in pairs
        if again or (one := known.get(pair.key)) is None or not (same_texts(one, pair) and _shown_alike(one, judge))
    ]
    count = JudgingCount(len(pairs), len(pairs) - len(open_pairs))
    meter = ProgressMeter(len(pairs), count.known)
    yield meter.snapshot()
    for pair, found, seconds in _judged(source, judge, open_pairs, stop):
        if isinstance(found, PairVerdicts) and not found.failed:
            kept = Judgement(pair, who, found.answers, datetime.now(UTC), seconds=seconds, detail=found.detail)
            make(database, JudgingChange(after=(kept,)))
            _add(count, found)
        elif not stop.cancelled:
            count.failed.append((pair.key.episode, str(found) if isinstance(found, UserError) else found.failed))
        yield meter.advance()
    return count


def _shown_alike(judgement: Judgement, judge: GoalJudge) -> bool:
    """Whether the judge was kept from the same elements as it is now."""
    detail = json.loads(judgement.detail) if judgement.detail else {}
    before = detail.get("settings", {}).get("version", "")
    return redacted_in(str(before)) == redacted_in(judge.version)


PairOutcome = tuple[TextPair, PairVerdicts | UserError, float]


def _judged(source: Source, judge: GoalJudge, pairs: Sequence[TextPair], token: CancelToken) -> Iterator[PairOutcome]:
    """Each pair as soon as it is judged, as many at once as the judge takes; cancelled, no further one is begun."""

    def one(pair: TextPair) -> PairOutcome:
        begun = time.monotonic()
        try:
            request = goal_request(source.read(pair.key.episode))
            found: PairVerdicts | UserError = judge.judge(request, pair.first, pair.second)
        except UserError as error:
            found = error
        return pair, found, time.monotonic() - begun

    waiting = iter(pairs)
    with ThreadPoolExecutor(judge.at_once, "judge") as pool:
        under_way: set[Future[PairOutcome]] = set()
        while True:
            while len(under_way) < judge.at_once and not token.cancelled:
                pair = next(waiting, None)
                if pair is None:
                    break
                under_way.add(pool.submit(one, pair))
            if not under_way:
                return
            done, under_way = wait(under_way, _POLL_SECONDS, FIRST_COMPLETED)
            yield from (future.result() for future in done)


def _add(count: JudgingCount, found: PairVerdicts) -> None:
    count.judged += 1
    count.malformed += sum(vote is None for one in found.questions for vote in one.votes)
    count.swapped += len(found.swapped)
    count.same += sum(found.swapped)
    count.tokens_in += found.tokens_in or 0
    count.tokens_out += found.tokens_out or 0
