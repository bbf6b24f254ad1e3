"""What runs and metrics are called wherever they are shown."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from stepscope.app.services.provenance import is_sample
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run

DRAWS = 1000
"""Bootstrap draws of an interval, over whole episodes; the seed is 0."""

NOUNS = {Task.AUTOMATION: "step", Task.ASK: "step", Task.ORDERING: "procedure", Task.WEBTASK: "page"}

_ABBREVIATIONS = frozenset({"f1", "fpr", "lcs", "meteor", "pmr", "sr", "ssr"})


def metric_title(name: str) -> str:
    """step_accuracy as Step accuracy; abbreviations in capitals."""
    if name == "rouge_l":
        return "ROUGE-L"
    parts = [part.upper() if part in _ABBREVIATIONS else part for part in name.split("_")]
    title = " ".join(parts)
    return title[:1].upper() + title[1:]


def title_of(run: Run) -> str:
    return f"{run.spec.model} · {run.spec.protocol}"


def source_name(run: Run) -> str:
    return "Sample" if is_sample(run.spec.source) else Path(run.spec.source).name


def when_words(moment: datetime) -> str:
    """today 14:02, or the date."""
    local, now = moment.astimezone(), datetime.now().astimezone()
    return f"today {local:%H:%M}" if local.date() == now.date() else f"{local.day} {local:%b}"


def noun_of(run: Run) -> str:
    """What the run's items are."""
    return NOUNS.get(run.spec.task, "episode")
