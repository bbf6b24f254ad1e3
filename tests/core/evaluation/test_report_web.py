"""A report's tables of web tasks, against numbers worked out by hand."""

from dataclasses import replace

import numpy as np

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.report import web_figures
from stepscope.core.store.column_reading import TextCodes
from stepscope.core.store.columns import RunColumns


def run(pages):
    """Pages given as (id, radio sum, radio fields)."""
    n, places = len(pages), TextCodes()
    names, sums, counts = zip(*pages, strict=True) if pages else ((), (), ())
    none, zeros = np.full(n, np.nan), np.zeros(n, np.int32)
    parts = {f"part {kind}{end}": none for kind in ("text", "textarea", "hidden", "select", "checkbox", "range")
             for end in ("", "_fields")}  # fmt: skip
    parts |= {"part radio": np.array(sums, float), "part radio_fields": np.array(counts, float)}
    return RunColumns(
        run_id="r", scoring_id=1, task=Task.WEBTASK, row=np.arange(n), episode=places.of(names),
        step=np.full(n, -1, np.int32), status=np.zeros(n, np.int8), value=none, right=none == 1,
        malformed=np.zeros(n, bool), null=np.zeros(n, bool), reference=zeros, predicted=zeros, confidence=none,
        episodes=tuple(places), kinds=("",), app=zeros, label=zeros, reason=zeros, steps=zeros, apps=("",),
        labels=("",), reasons=("",), _database=None, _source_id=None, _kept=parts,
    )  # fmt: skip


def test_types_and_tasks_with_the_worst_first():
    pages = [(f"Good/{place}", 1, 1) for place in range(10)] + [(f"Bad/{place}", place % 2, 2) for place in range(10)]
    types, tasks = web_figures(run([*pages, ("Few/0", 0, 3)]))
    assert types.rows == (("radio", "0.455", types.rows[0][2], "21", "33"),)
    assert [(row[0], row[1], row[3], row[4]) for row in tasks.rows] == [
        ("Bad", "0.250", "10", "20"), ("Good", "1.000", "10", "10"), ("Few", "0.000", "1", "3"),
    ]  # fmt: skip
    assert tasks.few == (False, False, True) and all(bar.startswith("<svg") for bar in tasks.bars)
    assert tasks.note.startswith("33 scored fields.")


def test_other_runs_have_no_such_tables():
    assert web_figures(run([])) == []
    assert web_figures(replace(run([("T/0", 1, 1)]), task=Task.GOAL)) == []
