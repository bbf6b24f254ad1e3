"""A table of goals and plans that people rated is known by its columns."""

from __future__ import annotations

import csv

from stepscope.core.sources.files import bound_cells

GOAL, STEPS, ACHIEVABLE = "goal", "steps_html", "Answer.achievable"
INPUT = "Input."
"""Stands before the inputs in Mechanical Turk's own tables."""


def is_plan_table(head: bytes) -> bool:
    """Whether a file that begins so has the three columns; `head` is as much of it as was read."""
    line = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].decode("utf-8", errors="replace")
    bound_cells()
    try:
        header = next(csv.reader([line]), [])
    except csv.Error:
        return False
    return {GOAL, STEPS, ACHIEVABLE} <= {name.removeprefix(INPUT) for name in header}
