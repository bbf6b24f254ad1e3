"""Makes the sample episodes: performs every script on the simulated phone and writes recordings.

`python -m stepscope.resources.sample.make` builds all of them into `resources/sample/episodes`, `--only ID` one or
several, `--check` builds into a temporary folder and compares with what is there.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from stepscope.core.domain.episode import Episode
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.resources.sample.director import Director, ScriptError
from stepscope.resources.sample.goals import all_scripts
from stepscope.resources.sample.phone import SIZE, PhoneError, SimulatedPhone, prepare_environment
from stepscope.resources.sample.pictures import encode
from stepscope.resources.sample.script import Script

EPISODES = Path(__file__).resolve().parent / "episodes"
MANIFEST = "README.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 0 done, 1 the check found differences."""
    parser = argparse.ArgumentParser(prog="python -m stepscope.resources.sample.make", description=__doc__)
    parser.add_argument("--only", action="append", metavar="ID", help="build this episode; may be given again")
    parser.add_argument("--check", action="store_true", help="build elsewhere and compare, write nothing here")
    parser.add_argument("--into", type=Path, default=EPISODES, metavar="FOLDER", help="where the recordings go")
    options = parser.parse_args(arguments)
    scripts = _chosen(parser, options.only)
    if not options.check:
        episodes = build(scripts, options.into)
        if not options.only:
            _clear_others(options.into, {script.id for script in scripts})
            (options.into / MANIFEST).write_text(manifest(episodes), encoding="utf-8")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        episodes = build(scripts, Path(folder))
        pairs = [(options.into / script.id, Path(folder) / script.id) for script in scripts]
        differences = [line for there, made in pairs for line in compare(there, made)]
    if not options.only and (options.into / MANIFEST).read_text(encoding="utf-8") != manifest(episodes):
        differences.append(f"{MANIFEST} differs")
    for line in differences:
        print(line)
    print(f"{len(differences)} differences" if differences else "no difference")
    return 1 if differences else 0


def build(scripts: Iterable[Script], into: Path) -> list[Episode]:
    """Perform `scripts` and write each as a recording below `into`; a line of progress for each goes to stderr."""
    prepare_environment()
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    phone = SimulatedPhone()
    try:
        episodes, failed = [], []
        for script in scripts:
            try:
                episode, size = _record(phone, script, into)
            except (ScriptError, PhoneError) as error:
                failed.append(str(error))
                print(f"{script.id}: failed", file=sys.stderr, flush=True)
                continue
            episodes.append(episode)
            print(f"{script.id}: {len(episode.steps)} steps, {size // 1024} KiB", file=sys.stderr, flush=True)
        if failed:
            raise SystemExit("\n".join(failed))
        return episodes
    finally:
        phone.close()
        application.processEvents()


def _record(phone: SimulatedPhone, script: Script, into: Path) -> tuple[Episode, int]:
    """One recording, put in its place only when the whole script went well."""
    into.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=into, prefix=f".{script.id}."))
    try:
        writer = RecordingWriter(draft, {"device": "Stepscope sample phone", "seed": script.seed})
        director = Director(phone, script)
        for take in director.takes():
            writer.add(take.step, encode(take.pixels, SIZE))
        episode = director.episode()
        writer.save(episode)
        draft.chmod(0o755)
        shutil.rmtree(into / script.id, ignore_errors=True)
        draft.rename(into / script.id)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return episode, sum(file.stat().st_size for file in (into / script.id).rglob("*") if file.is_file())


def compare(there: Path, made: Path) -> list[str]:
    """How the two recordings differ, one line a file."""
    names = {file.relative_to(root) for root in (there, made) for file in root.rglob("*") if file.is_file()}
    lines = []
    for name in sorted(names):
        old, new = there / name, made / name
        if not (old.is_file() and new.is_file()):
            lines.append(f"{made.name}/{name} is only {'there' if old.is_file() else 'in the new build'}")
        elif not filecmp.cmp(old, new, shallow=False):
            lines.append(f"{made.name}/{name} differs")
    return lines


def manifest(episodes: Sequence[Episode]) -> str:
    """The table of all sample episodes as Markdown."""
    steps = sum(len(episode.steps) for episode in episodes)
    rows = [
        f"| `{episode.id}` | {episode.goal} | {(episode.app or '').rsplit('.', 1)[-1]} | {_kind(episode)} "
        f"| {len(episode.steps)} |"
        for episode in episodes
    ]
    head = (
        "# Sample episodes\n\n"
        "Made by `python -m stepscope.resources.sample.make` on the simulated phone (docs/sample.md); this page too. "
        f"{len(episodes)} episodes, {steps} steps.\n"
        "They are samples: no score on them is a finding.\n\n"
        "| id | goal | app | kind | steps |\n|---|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


def _kind(episode: Episode) -> str:
    if episode.feasibility.reason is not None:
        return f"infeasible: {episode.feasibility.reason.value}"
    return "ambiguous, asks" if episode.asks else "feasible"


def _chosen(parser: argparse.ArgumentParser, names: Sequence[str] | None) -> tuple[Script, ...]:
    scripts = all_scripts()
    unknown = set(names or ()) - {script.id for script in scripts}
    if unknown:
        parser.error(f"no episode is called {', '.join(sorted(unknown))}")
    return tuple(script for script in scripts if not names or script.id in names)


def _clear_others(folder: Path, kept: set[str]) -> None:
    """Recordings of scripts that are gone."""
    for other in folder.iterdir():
        if other.is_dir() and other.name not in kept:
            shutil.rmtree(other)


if __name__ == "__main__":
    sys.exit(main())
