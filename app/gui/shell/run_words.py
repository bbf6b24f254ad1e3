"""What runs and metrics are called wherever they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from stepscope.app.services.provenance import is_sample
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run

DRAWS = 1000
"""Bootstrap draws of an interval, over whole episodes; the seed is 0."""

NOUNS = {
    Task.AUTOMATION: "step",
    Task.ASK: "step",
    Task.ORDERING: "procedure",
    Task.WEBTASK: "page",
    Task.GROUNDING: "step",
    Task.ROLLOUT: "goal",
    Task.AFFORDANCE: "screen",
}

_ABBREVIATIONS = frozenset({"ap", "f1", "fpr", "lcs", "meteor", "pmr", "sr", "ssr"})


def metric_title(name: str) -> str:
    """step_accuracy as Step accuracy; abbreviations in capitals."""
    if name == "rouge_l":
        return "ROUGE-L"
    if (share := name.removeprefix("average_precision_")) != name:
        return f"AP at {share} %"  # of the steps
    parts = [part.upper() if part in _ABBREVIATIONS else part for part in name.split("_")]
    title = " ".join(parts)
    return title[:1].upper() + title[1:]


def title_of(run: Run) -> str:
    """The run's own name, else its model and protocol."""
    return run.labels.name or f"{run.spec.model} · {run.spec.protocol}"


def names_of(runs: Sequence[Run], *, short: bool = False) -> dict[str, str]:
    """Names by the runs' ids, no two alike: own names, else model and protocol (`short`: the model alone where that is
    enough), and where these do not tell two apart, which of their settings differ, or when they were made. A name
    that a person gave stays as it is where all others of that name are archived."""
    found = {run.id: (run.labels.name or run.spec.model) if short else title_of(run) for run in runs}
    for longer in (_titles, _with_settings, _with_times):
        alike: dict[str, list[Run]] = {}
        for run in runs:
            alike.setdefault(found[run.id], []).append(run)
        for name, several in alike.items():
            if len(several) > 1:
                in_use = [run for run in several if not run.labels.archived]
                stays = in_use[0].id if len(in_use) == 1 and in_use[0].labels.name else None
                found |= longer(name, several) | ({} if stays is None else {stays: name})
    return found


def _titles(_name: str, runs: Sequence[Run]) -> dict[str, str]:
    return {run.id: title_of(run) for run in runs}


def _with_settings(name: str, runs: Sequence[Run]) -> dict[str, str]:
    """Each with those of its settings that are not the same in all."""
    settings = {run.id: _settings(run) for run in runs}
    differing = [one for one in _settings(runs[0]) if len({known.get(one) for known in settings.values()}) > 1]
    more = {one for known in settings.values() for one in known}.difference(_settings(runs[0]))
    words = {
        run: [known[one] for one in (*differing, *sorted(more)) if known.get(one)] for run, known in settings.items()
    }
    return {run: " · ".join((name, *said)) for run, said in words.items()}


def _settings(run: Run) -> dict[str, str]:
    """What may tell a run from another of the same model, by what it is, in words; "" for the usual."""
    spec = run.spec
    return {
        "model": spec.model,
        "protocol": spec.protocol,
        "seed": f"seed {spec.seed}",
        "predictions": Path(spec.predictions).name,
        "split": spec.split and f"split {spec.split}",
        "filter": spec.filter,
        "chosen": "" if spec.chosen is None else f"{spec.chosen:,} chosen",
        "limit": "" if spec.limit is None else f"limit {spec.limit:,}",
        "runtime": "" if spec.runtime == "auto" else spec.runtime,
        "device": "" if spec.device == "auto" else spec.device,
        "version": spec.code_version and f"version {spec.code_version}",
        **{f"option {name}": f"{name}={value}" for name, value in spec.options},
    }


def _with_times(name: str, runs: Sequence[Run]) -> dict[str, str]:
    """Each with when it was made, as exactly as it takes; those of the same second are counted."""
    for clock in ("%H:%M", "%H:%M:%S"):
        said = {run.id: f"{name} · {_moment_words(run.created, clock)}" for run in runs}
        if len(set(said.values())) == len(said):
            return said
    ordered = sorted(runs, key=lambda run: run.created)
    return {run.id: f"{said[run.id]} ({place})" for place, run in enumerate(ordered, start=1)}


def _moment_words(moment: datetime, clock: str) -> str:
    """The time by this format, after the day where it was not today, and the year where it was not this one."""
    local, now = moment.astimezone(), datetime.now().astimezone()
    year = "" if local.year == now.year else f" {local.year}"
    day = "" if local.date() == now.date() else f"{local.day} {local:%b}{year} "
    return f"{day}{local:{clock}}"


def source_name(run: Run) -> str:
    return "Sample" if is_sample(run.spec.source) else Path(run.spec.source).name


def when_words(moment: datetime) -> str:
    """today 14:02, or the date."""
    local, now = moment.astimezone(), datetime.now().astimezone()
    return f"today {local:%H:%M}" if local.date() == now.date() else f"{local.day} {local:%b}"


def noun_of(run: Run) -> str:
    """What the run's items are."""
    return NOUNS.get(run.spec.task, "episode")
