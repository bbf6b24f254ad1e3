"""Web tasks in a real window, by keys and mouse of an X server: one page by hand, three solvers from the menu, and the
worst field with what people had said; with real tasks where they are at hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.provenance import SAMPLE_WEB
from stepscope.core.settings import STORE_NAME
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import web_answers
from tests.models.chat.conftest import stage  # noqa: F401 - a fixture
from tests.models.chat.faults import Stage, completion

WALK = Path(__file__).with_name("webtask_walk.py")
TASKS = ("ANLI Generation", "Formalize sentence", "Essential Terms in Questions 2", "Goal feasibility", "RocStories 1")
PAGES = int(os.environ.get("STEPSCOPE_E2E_PAGES", "1"))
"""Of each task; the paper's were 20."""

pytestmark = [pytest.mark.needs("openai"), pytest.mark.e2e, pytest.mark.timeout(1800 if PAGES > 5 else 300)]

pytest.importorskip("PySide6.QtWebEngineWidgets", exc_type=ImportError)


@pytest.fixture
def tasks(tmp_path: Path, real_data_or_none: Path | None) -> Path:
    """Five real tasks, or those of the sample."""
    folder = tmp_path / "tasks"
    if real_data_or_none is None:
        shutil.copytree(SAMPLE_WEB / "tasks", folder)
        return folder
    for name in TASKS:
        (folder / name).mkdir(parents=True)
        for file in ("template.html", "batch.csv"):
            shutil.copyfile(real_data_or_none / "turkingbench" / "tasks" / name / file, folder / name / file)
    return folder


def shown(run: str, environment: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "stepscope.app.main", "runs", "show", run, "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.chain
def test_one_page_by_hand_three_solvers_and_the_worst_field(
    display: str, tmp_path: Path, surroundings: Callable[..., dict[str, str]], tasks: Path, stage: Stage  # noqa: F811
) -> None:  # fmt: skip
    home, picture = tmp_path / "home", tmp_path / "window.png"
    (home / "config").mkdir(parents=True)
    environment = surroundings(home, DISPLAY=display, QT_QPA_PLATFORM="xcb")
    added = [sys.executable, "-m", "stepscope.app.main", "servers", "add", "lab", stage.url, "--model", "small"]
    subprocess.run(added, env=environment, check=True, timeout=60, capture_output=True)
    stage.plays(completion('self.actions.modify_text("none_of_these", "tea")\nself.actions.scroll(0, 100)'))

    done = subprocess.run(
        [sys.executable, str(WALK), str(tasks), str(PAGES), str(picture)],
        env=environment, capture_output=True, text=True, timeout=1700 if PAGES > 5 else 280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stderr[-4000:]} (the window: {picture})"
    seen = json.loads(done.stdout)

    database = Database.open(f"sqlite:///{home / 'data' / STORE_NAME}")
    try:
        with database.reading() as db:
            (answer,) = web_answers.of_source(db, str(tasks))
    finally:
        database.close()
    assert answer.instance == seen["by hand"]["page"] and answer.submitted is not None
    assert sorted(answer.fields) == sorted(seen["by hand"]["fields"])
    assert all(call.startswith("modify_") for call in seen["by hand"]["calls"])

    count = len(list(tasks.iterdir()))
    runs = {model: shown(run, surroundings(home)) for model, run in seen["runs"].items()}
    assert {model: (run["n"], run["errors"]) for model, run in runs.items()} == dict.fromkeys(
        seen["runs"], (count * PAGES, 0)
    )
    best = runs["oracle"]["by_type"]
    assert {kind: score for kind, score in best.items() if kind != "range"} == pytest.approx(
        {kind: 1.0 for kind in best if kind != "range"}
    )
    assert best.get("range", 1.0) > 0.9, "where people chose different places of a scale, none is all of theirs"
    assert runs["do-nothing"]["metrics"]["score"] < 0.5
    assert runs["page:lab/small"]["metrics"]["score"] == pytest.approx(runs["do-nothing"]["metrics"]["score"]), (
        "a model that names no field of the page leaves it as it came"
    )
    worst = seen["worst"]
    assert worst["score"] == worst["lowest"] == 0
    assert worst["wrong on the page"] and worst["people"] and worst["why"]
