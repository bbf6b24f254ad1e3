"""What people install, built out of git's files, and processes that see nothing of who builds it."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"


class JobError(Exception):
    """A job was not done; the words say which and how it ended."""


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution, of a copy: a build leaves folders beside what it reads."""
    copied = folder / "project"
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, kept.split("\0")):
        if (ROOT / name).is_file():
            (copied / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copied / name)
    tool = folder / "tool"
    venv.create(tool, with_pip=True)
    run([tool / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build"], folder)
    run([tool / "bin/python", "-m", "build", "--outdir", folder / "files", copied], folder)
    shutil.rmtree(copied)
    (wheel,), (source,) = (list((folder / "files").glob(f"*.{kind}")) for kind in ("whl", "tar.gz"))
    print(f"built {wheel.name} ({megabytes_of(wheel)} MB) and {source.name} ({megabytes_of(source)} MB)", flush=True)
    return wheel, source


def run(command: list[object], cwd: Path, **more: str) -> str:
    """What it prints. It sees nothing of the environment in which this script runs. Raises JobError."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STEPSCOPE", "PYTEST"))}
    return told([str(part) for part in command], cwd, own | {"STEPSCOPE_HOME": str(cwd / "home")} | more)


def told(command: list[str], cwd: Path, environment: dict[str, str]) -> str:
    """What it prints with just this environment. Raises JobError."""
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise JobError(f"{' '.join(command[:6])} ended with {done.returncode}: {' '.join(last)}")
    return done.stdout


def megabytes_of(place: Path) -> int:
    """What a file takes, or all files in a folder."""
    files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file() and not one.is_symlink()]
    return round(sum(one.stat().st_size for one in files) / 1e6)
