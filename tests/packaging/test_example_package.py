"""The package that people are told to begin with passes its own tests, installed as they install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_package_passes_its_own_tests(tmp_path: Path) -> None:
    package, site = tmp_path / "tap_log", tmp_path / "site"
    shutil.copytree(ROOT / "docs" / "examples" / "tap_log", package)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        site,
        package,
    ]
    subprocess.run(pip, check=True)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))}
    environment.pop("PYTEST_ADDOPTS", None)
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(tests, cwd=package, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout + done.stderr
