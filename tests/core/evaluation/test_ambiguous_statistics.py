"""Statistics of ambiguous tasks, as Navi-plus's appendix H tells them, worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime

from lxml import etree

from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    MissingPiece,
    PieceKind,
    StepReading,
    StepRole,
    TaskSlot,
)
from stepscope.core.evaluation.ambiguous_plots import statistics_svg
from stepscope.core.evaluation.ambiguous_statistics import ambiguous_statistics, statistics_json

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def task(
    episode: str, removed: int, steps: int, informative: int, app: str = "a", failed: tuple[str, ...] = ()
) -> AmbiguousTask:
    roles = [StepRole.INFORMATIVE] * informative + [StepRole.TRANSACTIONAL] * (steps - informative)
    readings = tuple(StepReading(index, "x", role) for index, role in enumerate(roles))
    kinds = (PieceKind.DATE, PieceKind.APP)
    pieces = tuple(MissingPiece(index, "v", "Q?", "v", kinds[index]) for index in range(removed))
    pieces = pieces if informative >= removed else ()
    slot = TaskSlot("data", episode, "rules", removed)
    return AmbiguousTask(slot, "Goal", "G", pieces, readings, NOON, app=app, failed=failed)


def test_lengths_and_enough_steps() -> None:
    tasks = [
        task("1", 1, 4, 2), task("1", 2, 4, 2, failed=("It is bad (step 1).",)),
        task("2", 1, 2, 1), task("2", 2, 2, 1),
        task("3", 1, 4, 0, "b"), task("3", 2, 4, 0, "b"),
    ]  # fmt: skip
    found = ambiguous_statistics(tasks)
    assert found.episodes == 3 and found.lengths == {2: 1, 4: 2} and found.informative == {0: 1, 1: 1, 2: 1}
    assert (found.mean_length, found.mean_informative) == (10 / 3, 1.0)
    assert [(one.removed, one.tasks, one.enough, one.share) for one in found.enough] == [
        (1, 3, 2, 2 / 3), (2, 3, 1, 1 / 3)
    ]  # fmt: skip
    assert found.kinds == {"date": 3, "app": 1} and found.failing == {"It is bad": 1}
    assert list(found.by_app) == ["a", "b"] and found.by_app["b"].enough[0].share == 0.0
    form = statistics_json(found)
    assert form["steps"] == {"2": 1, "4": 2} and list(form["by_app"]) == ["a", "b"]  # type: ignore[call-overload]


def test_bars_are_as_high_as_their_counts() -> None:
    """Of three tasks two have four steps, the most; one of two that were to leave out two steps had enough."""
    svg = statistics_svg(ambiguous_statistics([task("1", 2, 4, 2), task("2", 2, 4, 1), task("3", 1, 2, 0)]), "<t>")
    bars = [one for one in etree.fromstring(svg.encode()).iter("{*}rect") if one.get("class") != "back"]
    found = [(one.get("class"), one.findtext("{*}title"), float(one.get("height"))) for one in bars]
    assert ("all", "4: 2", 180.0) in found and ("all", "2: 1", 90.0) in found and ("some", "2: 1", 90.0) in found
    assert ("enough", "enough: 1 of 2", 90.0) in found and ("not", "not enough: 1", 180.0) in found


def test_of_nothing_there_are_no_means() -> None:
    found = ambiguous_statistics([])
    assert "0 tasks" in statistics_svg(found, "t")
    assert (found.episodes, found.mean_length, found.mean_informative, found.enough) == (0, None, None, ())
