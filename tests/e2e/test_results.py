"""From two evaluations to a report in a real window, with real keys and mouse; then the same by commands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.app.cli.main import run
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.settings import store_url

WALK = Path(__file__).with_name("results_walk.py")
Surroundings = Callable[..., dict[str, str]]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not any(SAMPLE.glob("*/episode.json")), reason="the sample is not made here"),
]


@pytest.mark.chain
def test_two_runs_are_compared_a_reference_called_defective_and_the_report_written(
    display: str, tmp_path: Path, surroundings: Surroundings, capsys: pytest.CaptureFixture[str]
) -> None:
    report, home, store = tmp_path / "report.html", tmp_path / "home", store_url(tmp_path / "commands.db")
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
        capsys.readouterr()
        status = run([*map(str, arguments), "--store", store])
        said = capsys.readouterr()
        assert status == 0, said.err
        return said.out

    made = [
        json.loads(stepscope("evaluate", "automation", SAMPLE, "--model", model, "--json"))
        for model in ("text-match", "nearest-element")
    ]
    first, second = (one["run"] for one in made)
    compared = json.loads(stepscope("runs", "compare", second, first, "--json"))
    assert compared["n_common"] == made[0]["n"]
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
