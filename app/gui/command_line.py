"""The evaluation of the form as a command line, so that it can be repeated on a server."""

from __future__ import annotations

import shlex
from pathlib import Path

from widgets.evaluate import PREDICTIONS, EvaluateRequest


def command_line(source: Path | None, form: EvaluateRequest) -> str:
    """The same evaluation on the command line."""
    words = ["stepscope", "evaluate", form.task.value, str(source or "PATH")]
    words += ["--predictions", form.predictions] if form.model == PREDICTIONS else ["--model", form.model]
    words += ["--protocol", form.protocol]
    for name, value in form.options:
        words += ["--set", f"{name}={value}"]
    if form.seed:
        words += ["--seed", str(form.seed)]
    if form.limit is not None:
        words += ["--limit", str(form.limit)]
    if form.device != "auto":
        words += ["--device", form.device]
    return shlex.join(words)
