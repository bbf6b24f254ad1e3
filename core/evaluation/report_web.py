"""What a report shows of a run over web tasks: means by type of field and by task, each row with its own drawing."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.breakdown import FieldGroup, by_task, by_type
from stepscope.core.evaluation.report_numbers import count_words, number_words
from stepscope.core.evaluation.report_plots import FEW, Figure, interval_svg
from stepscope.core.store.columns import RunColumns


def web_figures(columns: RunColumns) -> list[Figure]:
    """None for a run that is not over web tasks, or has no scored field."""
    if columns.task is not Task.WEBTASK:
        return []
    types, tasks = by_type(columns), sorted(by_task(columns), key=lambda task: (task.pages < FEW, task.mean))
    if not types:
        return []
    return [
        _figure("Mean by type of field", "Whiskers: 95 % bootstrap over tasks.", types),
        _figure("Mean by task", "Worst first. Whiskers: 95 % Wilson interval, pages as draws; pale: few pages.", tasks),
    ]


def _figure(title: str, about: str, groups: Sequence[FieldGroup]) -> Figure:
    fields = sum(group.fields for group in groups)
    return Figure(
        title,
        f"{count_words(fields)} scored fields. {about}",
        ("", "Mean", "95 % interval", "Pages", "Fields"),
        tuple(map(_row, groups)),
        bars=tuple(interval_svg(group.mean, group.interval) for group in groups),
        few=tuple(group.pages < FEW for group in groups),
    )


def _row(group: FieldGroup) -> tuple[str, ...]:
    between = " – ".join(map(number_words, group.interval)) if group.interval is not None else "–"
    return group.name, number_words(group.mean), between, count_words(group.pages), count_words(group.fields)
