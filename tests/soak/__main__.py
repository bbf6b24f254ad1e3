"""A long time of use at random: a window, programs on the same store beside it, all of them killed now and then.

    python -m tests.soak MINUTES [OUT]

Watches what the window's processes take of the memory, and in the end holds the store against what was done: every run
that was not finished is resumed, and every finished one must have all its items. OUT gets `soak.csv` (the curve) and
`soak.json`. Ends with 1 where something was lost, a program said that it is at fault (70), or a window died by itself.
"""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stepscope.app.services.provenance import SAMPLE, SAMPLE_WEB
from stepscope.core.errors import UserError
from stepscope.core.process.memory import descendants, resident_bytes
from stepscope.core.sources.registry import open_source

ROOT = Path(__file__).resolve().parents[2]
LOOK_SECONDS = 2.0
LIFE_SECONDS = 40.0, 400.0
"""How long a window lives before it is closed or killed."""
MODELS = ("automation text-match", "automation random", "feasibility never-feasible", "goal template", "ask never-ask")
PROGRAM_SECONDS = 120.0
"""The longest that a program runs: one that takes longer is killed as well, and counted."""


@dataclass
class Soak:
    """What is being done, and what came of it."""

    folder: Path
    minutes: float
    seeded_random: random.Random = field(default_factory=lambda: random.Random(17))
    curve: list[tuple[float, int, float, int, int]] = field(default_factory=list)
    """Seconds since the beginning, number of the window, seconds it lived, bytes of the window, bytes of all of it."""
    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.store = f"sqlite:///{self.folder / 'soak.db'}"
        self.began = time.monotonic()
        self.until = self.began + self.minutes * 60
        self.environment = {
            **os.environ, "STEPSCOPE_HOME": str(self.folder / "home"), "PYTHONPATH": str(ROOT), "STEPSCOPE_ADB": "none",
            "QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_DISABLE_SANDBOX": "1",
        }  # fmt: skip
        self.data = [SAMPLE, SAMPLE_WEB, *self._copies(), *self._real()]

    def _copies(self) -> list[Path]:
        copies = [self.folder / "data" / name for name in ("first copy", "second copy")]
        return [Path(shutil.copytree(SAMPLE, copy)) for copy in copies]

    def _real(self) -> list[Path]:
        root = Path(os.environ.get("STEPSCOPE_REAL_DATA") or ROOT.parent / "shared" / "data")
        folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
        return [folder for folder in folders if _opens(folder)]

    def left(self) -> float:
        return self.until - time.monotonic()

    # Windows

    def windows(self) -> None:
        number = 0
        while self.left() > 5:
            number += 1
            life = min(self.seeded_random.uniform(*LIFE_SECONDS), self.left())
            self.window(number, life, killed=self.seeded_random.random() < 0.5)

    def window(self, number: int, life: float, *, killed: bool) -> None:
        command = [sys.executable, "-m", "tests.soak.window", str(self.folder / "window"), self.store, str(number)]
        command += [str(life + (3600 if killed else 0)), *map(str, self.data)]
        log = self.folder / f"window-{number}.log"
        with (
            log.open("w") as told,
            subprocess.Popen(
                command, env=self.environment, stdout=subprocess.PIPE, stderr=told, text=True, cwd=ROOT
            ) as process,
        ):
            listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
            listener.start()
            began = time.monotonic()
            while process.poll() is None:
                lived = time.monotonic() - began
                own, all_of_it = resident_bytes([process.pid]), resident_bytes(descendants(process.pid))
                self.curve.append((time.monotonic() - self.began, number, lived, own, all_of_it))
                if killed and lived > life:
                    process.kill()
                elif lived > life + 240:
                    self.faults.append(f"window {number} did not close within 240 s")
                    process.kill()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_SECONDS)
            listener.join(5)
        self.ends[f"window {'killed' if killed else 'closed'}"] += 1
        if process.returncode != (-9 if killed else 0) and not (killed and process.returncode == 0):
            self.faults.append(f"window {number} ended with {process.returncode}: {log.read_text()[-2000:]}")

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with suppress(ValueError):
                self.did[json.loads(line)["did"].split()[0]] += 1

    # Programs beside it

    def programs(self) -> None:
        seeded_random = random.Random(18)
        while self.left() > 5:
            words = seeded_random.choice((
                ["runs", "list", "--json"], ["inspect", str(seeded_random.choice(self.data)), "--json"],
                *(["evaluate", *seeded_random.choice(MODELS).split(), "--json"] for _ in range(2)),
            ))  # fmt: skip
            if words[0] == "evaluate":
                _, task, model, json_ = words
                words = [
                    "evaluate",
                    task,
                    str(seeded_random.choice(self.data[:1] + self.data[2:4])),
                    "--model",
                    model,
                    json_,
                ]
            patience = seeded_random.uniform(0.5, 8) if seeded_random.random() < 0.4 else PROGRAM_SECONDS
            self.program(words, patience)

    def program(self, words: list[str], patience: float) -> subprocess.CompletedProcess[str] | None:
        command = [sys.executable, "-m", "stepscope.app.main", *words]
        if words[0] != "inspect":
            command += ["--store", self.store]
        try:
            done = subprocess.run(
                command, env=self.environment, capture_output=True, text=True, timeout=patience, check=False, cwd=ROOT
            )
        except subprocess.TimeoutExpired:
            self.ends[f"{words[0]} killed"] += 1
            return None
        self.ends[f"{words[0]} {done.returncode}"] += 1
        if done.returncode not in (0, 1):
            self.faults.append(f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-600:]}")
        return done

    # What is left

    def check(self) -> dict[str, Any]:
        """Resume what was not finished, then hold every run against the others of its kind."""
        unfinished = [run for run in self.listed() if run["state"] not in ("done", "cancelled")]
        for run in unfinished:
            words = ["evaluate", run["task"], run["data"], "--model", run["model"], "--resume", run["run"], "--json"]
            self.program(words, 600)
        with sqlite3.connect(self.folder / "soak.db") as db:
            items = dict(db.execute("select run_id, count(*) from prediction group by run_id"))
            (sound,) = db.execute("pragma integrity_check").fetchone()
        if sound != "ok":
            self.faults.append(f"the store: {sound}")
        runs = self.listed()
        counts: dict[tuple[Any, ...], Counter[int]] = {}
        for run in runs:
            if run["state"] == "done":
                kind = run["data"], run["task"], run["chosen"]
                counts.setdefault(kind, Counter())[items.get(run["run"], 0)] += 1
            elif run["state"] != "cancelled":
                self.faults.append(f"run {run['run']} is {run['state']} after it was resumed")
        for kind, seen in counts.items():
            if len(seen) > 1:
                self.faults.append(f"runs of {kind} have unlike numbers of items: {dict(seen)}")
        return {"runs": len(runs), "resumed": len(unfinished), "kinds": len(counts)}

    def listed(self) -> list[dict[str, Any]]:
        done = self.program(["runs", "list", "--json"], PROGRAM_SECONDS)
        return json.loads(done.stdout) if done is not None and done.returncode == 0 else []

    def growth(self) -> dict[str, float]:
        """Of windows that lived five minutes: megabytes a minute of the window's own process after its first two."""
        slopes = {}
        for number in {row[1] for row in self.curve}:
            rows = [
                (lived / 60, own / 2**20) for _, life, lived, own, _ in self.curve if life == number and lived > 120
            ]
            if rows and rows[-1][0] > 5:
                middle = sum(minute for minute, _ in rows) / len(rows), sum(mb for _, mb in rows) / len(rows)
                above = sum((minute - middle[0]) * (mb - middle[1]) for minute, mb in rows)
                slopes[f"window {number}"] = round(above / sum((minute - middle[0]) ** 2 for minute, _ in rows), 2)
        return slopes


def _opens(folder: Path) -> bool:
    """Whether there is data in it; of some data sets the samples are lists of names alone."""
    try:
        open_source(folder)
    except UserError:
        return False
    return True


def main(minutes: str, out: str = "out") -> int:
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        for part in ("home", "window", "data"):
            (folder / part).mkdir()
        soak = Soak(folder, float(minutes))
        beside = threading.Thread(target=soak.programs)
        beside.start()
        soak.windows()
        beside.join()
        found = soak.check()
    with (target / "soak.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("second", "window", "lived", "bytes_of_window", "bytes_of_all_its_processes"))
        writer.writerows(soak.curve)
    largest = max((row[4] for row in soak.curve), default=0)
    report = {
        "minutes": float(minutes), **found, "ends": dict(soak.ends), "did": dict(soak.did),
        "largest_mb": round(max((row[3] for row in soak.curve), default=0) / 2**20),
        "largest_mb_of_all_its_processes": round(largest / 2**20),
        "mb_a_minute": soak.growth(), "faults": soak.faults,
    }  # fmt: skip
    (target / "soak.json").write_text(json.dumps(report, indent=1), "utf-8")
    print(json.dumps(report, indent=1))
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
