"""The list of episodes and what is said beside it: rows, groups, how far the reading is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.annotation_edits import SIGNS
from stepscope.app.gui.shell.episode_judgements import WHOLE
from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.progress import Progress
from stepscope.core.sources.source import WebTaskSource
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.library import EpisodeGroup, EpisodeGrouping, EpisodeListRow

if TYPE_CHECKING:
    from stepscope.core.store.queries import StepVerdict


MOST_NAMED = 4
"""Steps that a tooltip names; it counts more of them."""


def episode_row(
    position: int,
    entry: EpisodeSummary,
    runs: RunLetters,
    judged: Mapping[str, Sequence[StepVerdict]],
    said: Sequence[Annotation],
    format_name: str,
) -> EpisodeListRow:
    """The row of an episode with one verdict per step and run; a step that is no item of the run stays grey. A run that
    answers about the whole episode has one verdict, one that has nothing here none."""
    feasibility = entry.feasibility
    kinds = {one.kind for one in said}
    return EpisodeListRow(
        position=position,
        id=entry.id,
        goal=entry.goal or entry.id,
        app=_app_name(entry),
        steps=entry.steps,
        label=str(feasibility.label or ""),
        reason=str(feasibility.reason or ""),
        asks=entry.asks,
        problems=len(entry.problems),
        verdicts=tuple(_cells(judged.get(run, ()), entry.steps) for run in runs),
        runs=tuple(runs.values()),
        signs=tuple(sign for kind, sign in SIGNS.items() if kind in kinds),
        said=tuple(_told(kind, said) for kind in AnnotationKind if kind in kinds),
        splits=entry.splits,
        format=format_name,
        confidences=tuple(_lowest(judged.get(run, ())) for run in runs),
    )


def _cells(judged: Sequence[StepVerdict], steps: int) -> tuple[ShownVerdict, ...]:
    by_step = {verdict.step: verdict.verdict for verdict in judged}
    if not by_step:
        return ()
    if set(by_step) == {WHOLE}:
        return (ShownVerdict(by_step[WHOLE].value),)
    return tuple(ShownVerdict(by_step[i].value) if i in by_step else ShownVerdict.UNSCORED for i in range(steps))


def _lowest(judged: Sequence[StepVerdict]) -> float | None:
    return min((verdict.confidence for verdict in judged if verdict.confidence is not None), default=None)


def _told(kind: AnnotationKind, said: Sequence[Annotation]) -> str:
    """One kind in words: "Star: the episode, step 2"."""
    here = [one for one in said if one.kind is kind]
    if kind is AnnotationKind.TAG:
        return f"Tags: {', '.join(dict.fromkeys(one.value for one in here))}"
    name = kind.value.capitalize()
    steps = sorted({one.step for one in here if one.step is not None})
    where = ["the episode"] if any(one.step is None for one in here) else []
    if len(steps) > MOST_NAMED:
        where.append(words.counted(len(steps), "step"))
    elif steps:
        where.append(f"step{'s' if len(steps) > 1 else ''} {', '.join(str(step + 1) for step in steps)}")
    return f"{name}: {', '.join(where)}"


def _app_name(entry: EpisodeSummary) -> str:
    """What the data says of where the episode happened, as a person may call it."""
    name = entry.app or ""
    return words.app_name(name) if entry.platform is Platform.ANDROID else words.site_name(name)


def group_of(grouping: EpisodeGrouping, key: str, count: int) -> EpisodeGroup:
    """The heading of a group, by the value that its episodes share."""
    named = words.app_name(words.site_name(key)) if grouping is EpisodeGrouping.APP else key
    return EpisodeGroup(key, named[:1].upper() + named[1:] if grouping is not EpisodeGrouping.SPLIT else named, count)


def distinct_names(sources: Sequence[OpenSource]) -> dict[str, str]:
    """What the sources are called, by their keys: titles, and of the folders above what tells equal ones apart."""
    names = {source.key: source.title for source in sources}
    alike = [source for source in sources if sum(other.title == source.title for other in sources) > 1]
    for source in alike:
        others = [one for one in alike if one.title == source.title and one.key != source.key]
        folders = source.source.path.parent.parts
        for depth in range(1, len(folders) + 1):
            end = folders[-depth:]
            if all(one.source.path.parent.parts[-depth:] != end for one in others) or depth == len(folders):
                names[source.key] = f"{source.title} ({'/'.join(end).replace('//', '/')})"
                break
    return names


def source_sign(source: OpenSource) -> str:
    """The icon of a source: procedures, pages, or recorded screens."""
    if source.as_procedures:
        return "ordering"
    return "app" if isinstance(source.source, WebTaskSource) else "replay"


def progress_words(progress: Progress) -> str:
    """How far, how fast, how long still."""
    done = words.count(progress.done)
    parts = [done if progress.total is None else f"{done} of {words.count(progress.total)}"]
    if progress.rate:
        parts.append(f"{words.count(round(progress.rate))}/s")
    if left := words.time_left(progress.seconds_left):
        parts.append(left)
    return " · ".join(parts)
