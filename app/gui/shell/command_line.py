"""An evaluation of the form as a command line, so that it can be repeated on a server."""

from __future__ import annotations

import shlex
from pathlib import Path

from stepscope.widgets.forms.evaluate_choices import PREDICTIONS, EvaluateRequest


def command_line(source: Path | None, form: EvaluateRequest) -> str:
    """The same evaluation on the command line; data below the working folder is named from there."""
    words = ["stepscope", "evaluate", form.task.value, named_path(source)]
    words += ["--predictions", form.predictions] if form.model == PREDICTIONS else ["--model", form.model]
    if form.instructions != "given":
        words += ["--instructions", form.instructions]
    words += ["--protocol", form.protocol]
    for name, value in form.options:
        words += ["--set", f"{name}={value}"]
    if form.split:
        words += ["--split", form.split]
    if form.filter:
        words += ["--filter", form.filter]
    if form.seed:
        words += ["--seed", str(form.seed)]
    if form.limit is not None:
        words += ["--limit", str(form.limit)]
    if form.per_app is not None:
        words += ["--per-app", str(form.per_app)]
    if form.device != "auto":
        words += ["--device", form.device]
    if form.runtime != "auto":
        words += ["--runtime", form.runtime]
    if form.cluster:
        words += ["--cluster", form.cluster]
    if form.workers is not None:
        words += ["--cluster-workers", str(form.workers)]
    return shlex.join(words)


def named_path(source: Path | None) -> str:
    """As it is written from the working folder."""
    if source is None:
        return "PATH"
    here = Path.cwd()
    return str(source.relative_to(here)) if source != here and source.is_relative_to(here) else str(source)
