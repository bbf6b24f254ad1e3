"""Shared by all tests: no display is needed, and nothing is left behind."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real research samples; tests that need it skip where it is absent."""
    named = os.environ.get("STEPSCOPE_REAL_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real samples are not here (STEPSCOPE_REAL_DATA or ../shared/data)")
    return folder


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, store and caches of a test lie in a folder of its own."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("STEPSCOPE_HOME", str(home))
    return home
