"""Steps of a kind that a person goes through one after the other: in the episode that is shown, and in the next one of
the list that has any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.annotation_edits import Annotations
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode, is_wrong
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import ASKS, answer_word
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.named_rules import MatchingRule

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.core.store import step_search
    from stepscope.core.store.engine import Database
    from stepscope.core.store.step_search import Ends
else:
    step_search = lazy_module("stepscope.core.store.step_search")

LOOKS = (32, 500)
"""Episodes that the store is asked about first and second, each by its name, for the next one is near most often; where
these have none such steps are rare, and it is asked where there are any at all."""
PIECE = 500


class StepKind(StrEnum):
    """The kind of step that a search goes to. `flagged`: with a star, a note or a defect; `asks`: a question came or
    was due; `matching`: the filter means it."""

    WRONG = "wrong"
    UNCHECKED = "unchecked"
    DIFFERS = "differs"
    ASKS = "asks"
    FLAGGED = "flagged"
    MATCHING = "matching"

    @property
    def words(self) -> str:
        """What a person calls such a step."""
        return {
            StepKind.WRONG: "wrong step",
            StepKind.UNCHECKED: "unchecked step",
            StepKind.DIFFERS: "step on which the runs disagree",
            StepKind.ASKS: "step with a question",
            StepKind.FLAGGED: "step with a star, a note or a defect",
            StepKind.MATCHING: "step that the filter means",
        }[self]


StepsOf = Callable[[str], Sequence[int]]
"""Indices of the steps of an episode that the filter means."""


@dataclass(frozen=True)
class StepSearchRequest:
    """A search for a step in other episodes; `way` is 1 (forwards in the list) or -1. `source` is the source's row in
    the store, `path` what annotations call it."""

    kind: StepKind
    way: int
    source: int
    path: str
    runs: tuple[str, ...]
    rule: MatchingRule
    matching: StepsOf


@dataclass(frozen=True)
class StepSearchHit:
    """An episode with such a step; `place_in` tells its place there once the episode has been read. `around`: the way
    led over the end of the list to its other end."""

    episode: str
    place_in: Callable[[Episode], int]
    around: bool = False


# In the episode that is shown ----------------------------------------------------------------------------------------


def places_here(sought: StepSearchRequest, episode: Episode, judged: JudgedEpisode, said: Annotations) -> list[int]:
    """Places of all such steps of an episode, by what the rule that is chosen says of it now."""
    rule, runs = sought.rule, sought.runs
    match sought.kind:
        case StepKind.WRONG:
            wanted = set(judged.wrong_steps(rule, runs))
        case StepKind.DIFFERS:
            wanted = {step.index for step in episode.steps if _differs(judged, rule, runs, step.index)}
        case StepKind.ASKS:
            wanted = {step.index for step in episode.steps if _asks(judged, runs, step)} | _recorded_asks(episode)
        case StepKind.FLAGGED:
            flags = (AnnotationKind.STAR, AnnotationKind.NOTE, AnnotationKind.DEFECT)
            wanted = {one.step for one in said if one.kind in flags and one.step is not None}
        case StepKind.UNCHECKED:
            checked = {one.step for one in said if one.kind is AnnotationKind.CHECKED}
            wanted = set() if None in checked else {step.index for step in episode.steps} - checked
        case StepKind.MATCHING:
            wanted = set(sought.matching(episode.id))
    return [place for place, step in enumerate(episode.steps) if step.index in wanted]


def _differs(judged: JudgedEpisode, rule: MatchingRule, runs: Sequence[str], step: int) -> bool:
    scores = [score for run in runs if (score := judged.score(rule, run, step)) is not None]
    right = [score.right for score in scores if score.status is ScoreStatus.SCORED]
    return any(right) and any(is_wrong(score) for score in scores)


def _asks(judged: JudgedEpisode, runs: Sequence[str], step: Step) -> bool:
    said = (judged.prediction(run, step.index) for run in runs)
    return any(prediction is not None and answer_word(prediction.answer) == ASKS for prediction in said)


def _recorded_asks(episode: Episode) -> set[int]:
    done = {step.index for step in episode.steps if step.action is not None and step.action.kind == ASKS}
    return done | {ask.step for ask in episode.asks}


# In the others -------------------------------------------------------------------------------------------------------


def look_elsewhere(
    database: Database, sought: StepSearchRequest, episodes: Sequence[str], here: int, token: CancelToken
) -> StepSearchHit | None:
    """The nearest episode of the list, from place `here` (-1: not in the list) on, that has such a step by what is
    stored; behind the end the list is gone through from its other end. None: no other episode has one."""
    for around, places in enumerate(_ways(len(episodes), here, sought.way)):
        for piece, is_rest in _pieces(places):
            if token.cancelled:
                return None
            names = [episodes[place] for place in piece]
            with database.reading() as db:
                found = _landing(db, sought, _candidates(db, sought, names) if is_rest else names)
            if found is not None:
                return StepSearchHit(*found, around=bool(around))
    return None


def _ways(many: int, here: int, way: int) -> tuple[range, range]:
    """Places ahead, and those that follow around the end of the list."""
    if way > 0:
        return range(here + 1, many), range(max(here, 0))
    return range(here - 1, -1, -1), range(many - 1, here, -1)


def _pieces(places: range) -> Iterator[tuple[range, bool]]:
    """The nearest ones, and then the rest at once."""
    start = 0
    for size in LOOKS:
        if start < len(places):
            yield places[start : start + size], False
        start += size
    if start < len(places):
        yield places[start:], True


def _candidates(db: Session, sought: StepSearchRequest, episodes: Sequence[str]) -> list[str]:
    """Those of the episodes, in their order, that may have such a step: the first that surely has one is enough."""
    by_score = sought.kind in (StepKind.WRONG, StepKind.DIFFERS)
    scored: tuple[list[str], dict[str, int]] = _scored(db, sought) if by_score else ([], {})
    match sought.kind:
        case StepKind.MATCHING:
            return [name] if (name := next(filter(sought.matching, episodes), None)) is not None else []
        case StepKind.UNCHECKED:
            some: Iterable[str] = step_search.unchecked(db, sought.source, sought.path, None)
        case StepKind.FLAGGED:
            some = step_search.flagged(db, sought.path, None)
        case StepKind.ASKS:
            some = step_search.asking(db, sought.runs, None).keys() | step_search.with_questions(
                db, sought.source, None
            )
        case _:
            some = step_search.wrong(db, scored[0], None, scored[1])
    known = set(some)
    fitting = [name for name in episodes if name in known]
    if sought.kind is not StepKind.DIFFERS:
        return fitting[:1]
    for start in range(0, len(fitting), PIECE):
        piece = fitting[start : start + PIECE]
        if found := step_search.differing(db, scored[0], piece, scored[1]):
            return [name for name in piece if name in found][:1]
    return []


def _landing(
    db: Session, sought: StepSearchRequest, episodes: Sequence[str]
) -> tuple[str, Callable[[Episode], int]] | None:
    """The first of these episodes that has such a step."""
    if sought.kind is StepKind.UNCHECKED:
        name = _first(episodes, step_search.unchecked(db, sought.source, sought.path, episodes))
        if name is None:
            return None
        checked = step_search.checked_steps(db, sought.path, name)
        return name, lambda episode: _end([step.index for step in episode.steps], checked, episode, sought.way)
    if sought.kind is StepKind.MATCHING:
        name = _first(episodes, (episode for episode in episodes if sought.matching(episode)))
        if name is None:
            return None
        return name, lambda episode: _end(sought.matching(episode.id), (), episode, sought.way)
    ends = _ends(db, sought, episodes)
    asked = set[str]()
    if sought.kind is StepKind.ASKS:
        asked = step_search.with_questions(db, sought.source, episodes)
    name = _first(episodes, ends.keys() | asked)
    if name is None:
        return None
    steps = ends.get(name, ())
    recorded = _recorded_asks if sought.kind is StepKind.ASKS else _nothing
    return name, lambda episode: _end([*steps, *recorded(episode)], (), episode, sought.way)


def _ends(db: Session, sought: StepSearchRequest, episodes: Sequence[str]) -> Ends:
    if sought.kind is StepKind.FLAGGED:
        return step_search.flagged(db, sought.path, episodes)
    if sought.kind is StepKind.ASKS:
        return step_search.asking(db, sought.runs, episodes)
    look = step_search.wrong if sought.kind is StepKind.WRONG else step_search.differing
    runs, scorings = _scored(db, sought)
    return look(db, runs, episodes, scorings)


def _scored(db: Session, sought: StepSearchRequest) -> tuple[list[str], dict[str, int]]:
    """The runs that have scores under the chosen rule, and the ids of these where they are not the runs' own: by
    another rule than that of the timeline no step is wrong."""
    from stepscope.core.evaluation.rules import scores_under, scoring_of

    scored = scores_under(db, sought.runs, scoring_of(sought.rule.protocol, sought.rule.options))
    return list(scored), {run: scoring for run, scoring in scored.items() if scoring is not None}


def _nothing(_episode: Episode) -> set[int]:
    return set()


def _first(episodes: Iterable[str], wanted: Iterable[str]) -> str | None:
    known = set(wanted)
    return next((episode for episode in episodes if episode in known), None)


def _end(steps: Iterable[int], without: Iterable[int], episode: Episode, way: int) -> int:
    """The place of the first (way 1) or the last of these steps; 0 where there is none, as of an answer about the whole
    episode."""
    places = [place for index in set(steps) - set(without) if (place := episode.position_of(index)) >= 0]
    return min(places, default=0) if way > 0 else max(places, default=0)
