"""The built wheel, installed alone: one name at the top, whatever else lies on the path."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "resources" / "sample" / "episodes"
ROOMS = ("app", "core", "models", "resources", "widgets")

pytestmark = pytest.mark.xdist_group("wheel")  # built once


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("setuptools", minversion="77")
    place = tmp_path_factory.mktemp("wheel")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    # The build leaves a folder beside what it reads: it reads a copy.
    copied = place / "project"
    copied.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "stepscope", "docs", *ROOMS):
        (copied / name).symlink_to(ROOT / name)
    _run([sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(place), str(copied)], cwd=place)
    return next(place.glob("stepscope-*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel; the libraries are those of the tests' own environment."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=True)
    found = place / "bin" / "python"
    packages = next(place.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(wheel) as file:
        file.extractall(packages)
    libraries = Path(pytest.__file__).parents[1]
    (packages / "libraries.pth").write_text(f"{libraries}\n")
    return found


@pytest.fixture
def research(tmp_path: Path) -> Path:
    """Somebody's repository with folders of the same names, none of which may be imported."""
    for room in ROOMS:
        for name in ("__init__", "registry", "errors", "main"):
            file = tmp_path / room / f"{name}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"raise SystemExit('{room} of somebody else was imported')\n")
    return tmp_path


def _run(command: Sequence[str], cwd: Path, **more: str) -> str:
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=own | more, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_nothing_but_the_package_is_installed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"stepscope"}
    assert {"stepscope/py.typed", "stepscope/core/errors.py", "stepscope/resources/templates/report.html"} <= set(names)
    assert not [name for name in names if name.endswith(".pyc") or "/tests/" in name]


def test_it_runs_among_folders_of_the_same_names(python: Path, research: Path) -> None:
    """Commands, the process that reads data, and the one that runs a stranger's reader find their own modules."""
    home = {"PYTHONPATH": ".", "STEPSCOPE_HOME": str(research / "home")}
    where = _run([python, "-c", "import stepscope.core; print(stepscope.core.__file__)"], research, **home)
    assert Path(where.strip()).is_relative_to(python.parents[1])
    command = [str(python), "-m", "stepscope"]
    assert "recording" in _run([*command, "formats"], research, **home)
    assert json.loads(_run([*command, "inspect", str(SAMPLE), "--json"], research, **home))["episodes"] == 52
    store = ("--store", f"sqlite:///{research / 'runs.db'}")
    run = ("evaluate", "automation", str(SAMPLE), "--model", "text-match", "--limit", "2", "--json", *store)
    assert '"done"' in _run([*command, *run], research, **home)


def test_the_window_is_found_among_them(python: Path, research: Path) -> None:
    pytest.importorskip("PySide6")
    home = {"PYTHONPATH": ".", "STEPSCOPE_HOME": str(research / "home"), "QT_QPA_PLATFORM": "offscreen"}
    code = "import stepscope.app.gui.main as main; print(main.__name__)"
    assert _run([str(python), "-c", code], research, **home) == "stepscope.app.gui.main\n"
