"""The window at the scales that desktops have: in a process of its own each, since Qt reads the scale once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.imaging.palette import REFERENCE

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not any(SAMPLE.glob("*/episode.json")), reason="the sample is not made here"),
]


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_marks_lie_where_they_belong_and_no_word_is_cut(
    scale: float, tmp_path: Path, surroundings: Callable[..., dict[str, str]]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.scaled_walk", str(tmp_path)],
        env=surroundings(tmp_path / "home", QT_SCALE_FACTOR=str(scale)),
        cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["ratio"] == scale
    assert seen["pixels"] == [pytest.approx(scale * side, abs=1) for side in seen["logical"]]
    assert seen["mark"].upper() == REFERENCE
    assert seen["cut"] == []
