"""From two evaluations to a report in a real window, with real keys and mouse; then the same by commands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.app.services.provenance import SAMPLE

WALK = Path(__file__).with_name("results_walk.py")
Surroundings = Callable[..., dict[str, str]]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),  # a dozen programs one after the other
    pytest.mark.skipif(not any(SAMPLE.glob("*/episode.json")), reason="the sample is not made here"),
]


def test_two_runs_are_compared_a_reference_called_defective_and_the_report_written(
    display: str, tmp_path: Path, surroundings: Surroundings
) -> None:
    report, home = tmp_path / "report.html", tmp_path / "home"
    done = subprocess.run(
        [sys.executable, str(WALK), str(report)],
        env=surroundings(home, DISPLAY=display, QT_QPA_PLATFORM="xcb"),
        capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["without"] != seen["with"]
    text = report.read_text("utf-8")
    assert "nearest-element" in text and "leaves out 1 item" in text

    def stepscope(*arguments: object) -> str:
        command = [sys.executable, "-m", "stepscope.app.main", *map(str, arguments)]
        ended = subprocess.run(
            command, env=surroundings(other), capture_output=True, text=True, timeout=110, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    other = tmp_path / "commands"
    runs = [
        json.loads(stepscope("evaluate", "automation", SAMPLE, "--model", model, "--json"))
        for model in ("text-match", "nearest-element")
    ]
    first, second = (run["run"] for run in runs)
    compared = json.loads(stepscope("runs", "compare", second, first, "--json"))
    assert compared["n_common"] == runs[0]["n"]
    episode, step = seen["item"]
    wrong = json.loads(stepscope("runs", "show", second, "--show", "wrong", "--json"))
    assert (episode, step) in {(item["episode"], item["step"]) for item in wrong["items"]}
    stepscope("annotate", SAMPLE, episode, "--step", step, "--defect", "wrong reference")
    shown = json.loads(stepscope("runs", "show", second, "--json"))
    assert shown["metrics"]["both_partial"] == pytest.approx(seen["with"])
    assert shown["without_defects"]["metrics"]["both_partial"] == pytest.approx(seen["without"])
    assert shown["without_defects"]["defective"] == 1
    stepscope("runs", "export", second, "-o", tmp_path / "commands.html")
    assert "leaves out 1 item" in (tmp_path / "commands.html").read_text("utf-8")
