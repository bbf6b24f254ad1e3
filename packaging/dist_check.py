"""Builds what people install and installs it as they do: into empty environments, without and with extras.

    python packaging/dist_check.py FOLDER

In each environment the main job is done there: without the window a data set is looked at, evaluated, exported and
scored; with it the workbench goes through the sample without a display. The wheel is also tried with the other
versions of Python that are here. Sizes of the environments stand beside their budgets. Nothing but the package index
is asked. The exit status is 1 where a job fails.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from built import CONSTRAINTS, JobError, build, run

BUDGETS = {"": 250, "gui": 700}
"""Megabytes that an installation may take, by extra."""
TOOLS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
"""What every environment begins with."""
RECORD = {
    "episode": "e1", "step": 0, "reference": {"type": 4, "touch": [0.5, 0.5], "lift": [0.5, 0.5]},
    "prediction": {"type": 4, "touch": [0.52, 0.5], "lift": [0.52, 0.5]},
}  # fmt: skip


@dataclass(frozen=True)
class Installed:
    """An environment with the package: `extra` is "" or the name of one, `budget` the most it may take in MB."""

    artifact: Path
    extra: str
    budget: int
    home: Path
    interpreter: Path = Path(sys.executable)

    @property
    def python(self) -> Path:
        return self.home / "bin" / "python"

    @property
    def name(self) -> str:
        kind = "wheel" if self.artifact.suffix == ".whl" else "sdist"
        return f"Python {version_of(self.interpreter)}, {kind}{f'[{self.extra}]' if self.extra else ''}"


def main(folder: Path) -> int:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wheel, source = build(folder)
    places = [
        Installed(artifact, extra, BUDGETS[extra], folder / "environment")
        for artifact in (wheel, source)
        for extra in BUDGETS
    ]
    places += [Installed(wheel, "", BUDGETS[""], folder / "environment", python) for python in other_pythons()]
    failed = [place for place in places if not check(place)]
    return int(bool(failed))


def check(place: Installed) -> bool:
    """Install it there, do the main job, and tell how that went."""
    began, done = time.monotonic(), False
    try:
        install(place)
        (with_the_window if place.extra else without_a_window)(place)
        words, done = "every job done", True
    except JobError as error:
        words = f"FAILED: {error}"
    size = megabytes(place)
    told = "" if size <= place.budget else ", missed"
    seconds = time.monotonic() - began
    print(f"{place.name}: {size} MB (budget {place.budget}{told}), {seconds:.0f} s: {words}", flush=True)
    shutil.rmtree(place.home, ignore_errors=True)
    return done


def other_pythons() -> list[Path]:
    """Interpreters of the other versions that Stepscope says it runs on, as far as they are here: on the path, or
    pyenv's."""
    found = []
    for version in ("3.11", "3.12", "3.13"):
        kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
        on_path = shutil.which(f"python{version}")
        candidates = [Path(on_path)] if on_path else []
        candidates += sorted(kept.glob(f"{version}.*/bin/python{version}"))
        works = [one for one in candidates if version_of(one) == version]
        if version == version_of(Path(sys.executable)):
            continue
        if works:
            found.append(works[0])
        else:
            print(f"Python {version} is not here: not tried")
    return found


def version_of(python: Path) -> str:
    """Major and minor number of an interpreter, "" for one that does not start."""
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def install(place: Installed) -> None:
    run([place.interpreter, "-m", "venv", place.home], place.home.parent)
    wanted = f"{place.artifact}[{place.extra}]" if place.extra else str(place.artifact)
    options = ("--quiet", "--no-compile", "--disable-pip-version-check", "--constraint", CONSTRAINTS)
    run([place.python, "-m", "pip", "install", *options, wanted], place.home)


def without_a_window(place: Installed) -> None:
    """A data set is looked at, evaluated, exported and scored; Qt is not there."""
    work = place.home / "work"
    work.mkdir()
    stepscope = place.home / "bin" / "stepscope"
    run([stepscope, "--version"], work)
    if subprocess.run([place.python, "-c", "import PySide6"], capture_output=True, check=False).returncode == 0:
        raise JobError("the window's library came along")
    sample = run(
        [place.python, "-c", "from stepscope.app.services import provenance as p; print(p.SAMPLE)"], work
    ).strip()
    found = json.loads(run([stepscope, "inspect", sample, "--json"], work))
    if not found["episodes"]:
        raise JobError("the sample has no episodes")
    rule = ("--model", "text-match", "--protocol", "aitw", "--json")
    done = json.loads(run([stepscope, "evaluate", "automation", sample, *rule], work))
    if not done["n"]:
        raise JobError("the evaluation scored nothing")
    run([stepscope, "runs", "export", "last", "-o", "report.html"], work)
    (work / "records.jsonl").write_text(json.dumps(RECORD) + "\n", "utf-8")
    scored = json.loads(run([stepscope, "score", "aitw", "records.jsonl", "--json"], work))
    if scored["metrics"]["step_accuracy"] != 1.0:
        raise JobError(f"the record was scored {scored['metrics']}")


def with_the_window(place: Installed) -> None:
    """The workbench goes through the sample without a display, and leaves its pictures."""
    work = place.home / "work"
    work.mkdir()
    run([place.python, "-m", "stepscope.app.gui.first_run"], work, QT_QPA_PLATFORM="offscreen")
    for name in ("window.png", "report.html", "sample.db"):
        if not (work / "out" / name).is_file():
            raise JobError(f"out/{name} was not written")


def megabytes(place: Installed) -> int:
    """What was installed, less what every environment begins with."""
    total = 0
    for packages in place.home.glob("lib/python*/site-packages"):
        for one in packages.iterdir():
            if one.name.partition("-")[0] not in TOOLS and one.name not in TOOLS:
                total += (
                    sum(file.stat().st_size for file in one.rglob("*") if file.is_file())
                    if one.is_dir()
                    else one.stat().st_size
                )
    return round(total / 1e6)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
