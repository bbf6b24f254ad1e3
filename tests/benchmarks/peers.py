"""What people would use instead, on the same data and this machine, in one run: `make bench-peers`.

Each peer is a program of its own in a virtual environment of its own, at a pinned version, and nothing here depends on
one. Those with a window are driven as a person drives them, by keys on a screen of their own (`screen_watch`), and so
is the workbench. Prints a table in Markdown.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stepscope.core.domain.geometry import Size
from tests.benchmarks.long_recordings import write_long
from tests.benchmarks.screen_watch import Region, Screen, program, screen
from tests.benchmarks.test_bench_opening import write_traces

PINNED = {
    "labelme": ("labelme==6.3.1",),
    "inspect": ("inspect-ai==0.3.285",),
    "notebook": ("matplotlib==3.11.2", "scikit-learn==1.9.1", "orjson==3.11.4"),
}
"""What is installed for each peer."""
PHONE = Size(1080, 2400)
SCREENS, DIFFERENT, STEPS = 10_000, 100, 30
RECORDS = 1_000_000
HELD_S = 15.0
OPEN_QUIET_S, STEP_QUIET_S, MOST_S = 3.0, 0.4, 180.0
PICTURE: Region = (420, 130, 1240, 830)
"""A part of the window in which all show the picture."""


@dataclass(frozen=True)
class Line:
    """A row of the table."""

    what: str
    who: str
    told: str
    how: str


def windows(folder: Path, peers: Path) -> list[Line]:
    """A folder of 10,000 screens: opened, and a step to the next one."""
    lines: list[Line] = []
    home = {"HOME": str(folder / "home"), "STEPSCOPE_HOME": str(folder / "home" / "ours")}
    (folder / "home").mkdir()
    data = _screens(folder)
    ours = [str(Path(sys.executable).with_name("stepscope")), str(data)]
    labelme = [str(peers / "labelme" / "bin" / "labelme"), str(data), "--no-auto-save"]
    for who, command, title, key in (
        ("Stepscope", ours, "tepscope", "Right"),
        ("labelme", labelme, "abelme", "d"),
    ):
        if not Path(command[0]).exists():
            lines.append(Line("open 10,000 screens", who, "is not here", ""))
            continue
        lines += _driven(who, command, title, key, home)
    return lines


def _screens(folder: Path) -> Path:
    where = folder / "screens"
    return where if where.exists() else write_long(where, PHONE, "jpeg", DIFFERENT, SCREENS, elements=2)


def _driven(who: str, command: Sequence[str], title: str, key: str, home: dict[str, str]) -> list[Line]:
    how = f"key {key}, {STEPS} steps"
    opened = []
    with screen() as on:
        on.hand("mousemove 800 500")
        for _ in range(3):
            began = time.perf_counter()
            with program(on, command, home):
                opened.append(_opened(on) - began)
                if len(opened) == 3:
                    keep_picture(on, who, "opened")
                    steps = _steps(on, title, key)
                    keep_picture(on, who, "stepped")
    first, rest = zip(*steps, strict=True) if steps else ((float("nan"),), (float("nan"),))
    return [
        Line(
            "open 10,000 screens",
            who,
            f"{min(opened[1:]):.1f} s (first time {opened[0]:.1f})",
            "command to the picture",
        ),
        Line("next screen: first change", who, _spread(first), how),
        Line("next screen: at rest", who, _spread(rest), how),
    ]


def _opened(on: Screen) -> float:
    """When the picture came: the place of it changed last before it was quiet. A program may show nothing at first."""
    end = time.perf_counter() + MOST_S
    while time.perf_counter() < end:
        if (last := on.rest(OPEN_QUIET_S, PICTURE)) is not None:
            return last
    raise AssertionError("nothing was shown")


def _steps(on: Screen, title: str, key: str) -> list[tuple[float, float]]:
    on.fill_with(title)
    on.rest(1.0)
    found = []
    for _ in range(STEPS + 3):
        if (one := on.after(f"key {key}", STEP_QUIET_S, PICTURE)) is not None:
            found.append(one)
    return found[3:]


def keep_picture(on: Screen, who: str, what: str) -> None:
    """A picture of what was measured, to see that it was that."""
    import cv2

    where = Path("build/peers-pictures")
    where.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(where / f"{who}-{what}.png"), on.picture()[:, :, :3])


def _spread(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"median {statistics.median(ordered):.0f} ms, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.0f} ms"


def held_key(folder: Path, _peers: Path) -> list[Line]:
    """Frames of a recording of the screen: the arrow key is held at 40 a second, alone, and while 10,000 episodes are
    read and a model is evaluated in the same window."""
    long = write_long(folder / "held" / "walk", PHONE, "jpeg", DIFFERENT, 1_500)
    write_traces(folder / "traces", 10_000)
    ours = str(Path(sys.executable).with_name("stepscope"))
    lines = []
    for what, paths, keys in (
        ("nothing else", [long], ()),
        ("10,000 episodes read, a model at work", [long, folder / "traces"], ("alt+a", "t", "ctrl+Return", "ctrl+1")),
    ):
        home = {"STEPSCOPE_HOME": tempfile.mkdtemp(dir=folder)}
        with screen() as on, program(on, [ours, *map(str, paths)], home):
            on.hand("mousemove 800 500")
            _opened(on) if not keys else on.rest(0.5, PICTURE)
            while not on.has_window("tepscope"):
                on.rest(0.2)
            on.give_keys_to("tepscope")
            for key in keys:
                on.hand(f"key {key}")
                on.rest(0.3)
            keep_picture(on, "held", f"{len(keys)} keys before")
            on.hand("mousemove 800 500 click 1")
            gaps = on.held("Right", HELD_S, PICTURE)
            keep_picture(on, "held", f"{len(keys)} keys after")
        ordered = sorted(gaps)
        p = [ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.95, 0.99)]
        told = (
            f"{len(gaps) / HELD_S:.0f} frames a second; from one to the next p50 {p[0]:.0f}, p95 {p[1]:.0f}, "
            f"p99 {p[2]:.0f}, longest {ordered[-1]:.0f} ms"
        )
        lines.append(Line(f"arrow held at 40 a second: {what}", "Stepscope", told, f"{HELD_S:.0f} s of the screen"))
    return lines


LOG = """
import sys
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.scorer import Score
day, dataset = "2026-01-01T00:00:00+00:00", EvalDataset(samples=1000)
spec = EvalSpec(created=day, task="many", dataset=dataset, model="none/none", config=EvalConfig())
samples = [
    EvalSample(id=number, epoch=1, input=f"Step {number}: where to tap?", target="here",
               scores={"match": Score(value="I", answer="there")})
    for number in range(1000)
]
write_eval_log(EvalLog(status="success", eval=spec, samples=samples), sys.argv[1])
"""
BROWSER = """
import sys
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication
application = QApplication(["browser"])
view = QWebEngineView()
view.resize(1600, 1000)
view.load(QUrl(sys.argv[1]))
view.show()
application.exec()
"""
PORT = 7_611


def log(folder: Path, peers: Path) -> list[Line]:
    """A run of 1,000 items: from the command until what it shows rests."""
    what = "open a run of 1,000 items"
    home = {"STEPSCOPE_HOME": tempfile.mkdtemp(dir=folder), "QTWEBENGINE_DISABLE_SANDBOX": "1"}
    data = write_long(folder / "run" / "walk", PHONE, "jpeg", DIFFERENT, 1_000)
    ours = str(Path(sys.executable).with_name("stepscope"))
    with screen() as on:
        on.hand("mousemove 800 500")
        with program(on, [ours, str(data)], home) as running:
            _opened(on)
            on.give_keys_to("tepscope")
            for key in ("alt+a", "t", "ctrl+Return"):
                on.hand(f"key {key}")
                on.rest(1.0)
            on.rest(5.0)
            on.hand("key ctrl+2")
            on.rest(3.0)
            keep_picture(on, "Stepscope", "run before")
            on.hand("key ctrl+q")
            running.wait(30)
        began = time.perf_counter()
        with program(on, [ours], home):
            last = on.rest(OPEN_QUIET_S) or began
            keep_picture(on, "Stepscope", "run")
    lines = [Line(what, "Stepscope", f"{last - began:.1f} s", "the window of before, at its results")]
    inspect = peers / "inspect" / "bin" / "inspect"
    if not inspect.exists():
        return [*lines, Line(what, "Inspect View", "is not here", "")]
    logs = folder / "logs"
    logs.mkdir()
    written = logs / "many.eval"
    subprocess.run([inspect.with_name("python"), "-c", LOG, written], check=True)
    page = f"http://127.0.0.1:{PORT}/#/logs/{written.name}"
    with screen() as on:
        began = time.perf_counter()
        with program(on, [str(inspect), "view", "start", "--log-dir", str(logs), "--port", str(PORT)]):
            while not _answers(PORT):
                time.sleep(0.02)
            up = time.perf_counter()
            with program(on, [sys.executable, "-c", BROWSER, page], home):
                last = on.rest(OPEN_QUIET_S) or began
                keep_picture(on, "Inspect View", "run")
    told = f"{last - began:.1f} s, {last - up:.1f} of them the browser's"
    return [*lines, Line(what, "Inspect View", told, "its server, and the page in a new browser")]


def _answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


NOTEBOOK = """
import sys, time, statistics
from pathlib import Path
import matplotlib
matplotlib.use("agg")
import io
from matplotlib import pyplot
from matplotlib.patches import Rectangle
times = []
for path in sorted(Path(sys.argv[1]).rglob("*.jpg"))[:33]:
    began = time.perf_counter()
    figure, axes = pyplot.subplots(figsize=(5, 10))
    axes.imshow(pyplot.imread(path))
    axes.add_patch(Rectangle((300, 500), 200, 90, fill=False, edgecolor="red"))
    figure.savefig(io.BytesIO(), format="png")
    pyplot.close(figure)
    times.append(1e3 * (time.perf_counter() - began))
times = sorted(times[3:])
print(f"median {statistics.median(times):.0f} ms, p95 {times[int(.95 * (len(times) - 1))]:.0f} ms")
"""
"""A cell that shows a step, without the notebook: its server and browser come on top."""


def notebook(folder: Path, peers: Path) -> list[Line]:
    python = peers / "notebook" / "bin" / "python"
    if not python.exists():
        return [Line("next screen: at rest", "matplotlib in a notebook", "is not here", "")]
    told = subprocess.run([python, "-c", NOTEBOOK, _screens(folder)], capture_output=True, text=True, check=True).stdout
    return [
        Line("next screen: at rest", "matplotlib in a notebook", told.strip(), "imread, imshow, a box, PNG; no browser")
    ]


SCRIPT = """
import json, sys
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, precision_score, recall_score
truth, said, scores = [], [], []
with open(sys.argv[1]) as stream:
    for line in stream:
        record = json.loads(line)
        truth.append(record["reference"] == "infeasible")
        said.append(record["prediction"] == "infeasible")
        scores.append(record["score"])
print(f1_score(truth, said), precision_score(truth, said), recall_score(truth, said), accuracy_score(truth, said),
      average_precision_score(truth, scores))
"""


def scores(folder: Path, peers: Path) -> list[Line]:
    """A million records of feasibility, from the file to the numbers."""
    file = folder / "records.jsonl"
    chance = random.Random(0)
    with file.open("w") as stream:
        for number in range(RECORDS):
            truth = chance.random() < 0.3
            score = min(1.0, max(0.0, chance.gauss(0.6 if truth else 0.4, 0.2)))
            words = ["feasible", "infeasible"]
            form = {"id": str(number), "reference": words[truth], "prediction": words[score > 0.5], "score": score}
            stream.write(json.dumps(form) + "\n")
    ours = [str(Path(sys.executable).with_name("stepscope")), "score", "feasibility", str(file)]
    lines = [
        Line(
            "score 1,000,000 records (feasibility)",
            "Stepscope",
            _seconds(ours),
            "the whole command, checked record by record",
        )
    ]
    python = peers / "notebook" / "bin" / "python"
    if python.exists():
        lines.append(
            Line(
                lines[0].what,
                "json and scikit-learn",
                _seconds([str(python), "-c", SCRIPT, str(file)]),
                "a script of ten lines",
            )
        )
    return lines


def _seconds(command: Sequence[str]) -> str:
    times = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return f"{min(times):.2f} s"


def installed(peers: Path) -> None:
    """The virtual environments that are not there yet."""
    for name, wanted in PINNED.items():
        if not (peers / name).exists():
            subprocess.run([sys.executable, "-m", "venv", peers / name], check=True)
            subprocess.run([peers / name / "bin" / "pip", "install", "--quiet", *wanted], check=True)


PARTS: dict[str, Callable[[Path, Path], list[Line]]] = {
    "windows": windows,
    "notebook": notebook,
    "scores": scores,
    "held": held_key,
    "log": log,
}


def main() -> None:
    peers = Path(os.environ.get("STEPSCOPE_PEERS", "build/peers")).resolve()
    installed(peers)
    folder = Path(tempfile.mkdtemp())
    try:
        lines = [line for part in sys.argv[1:] or PARTS for line in PARTS[part](folder, peers)]
    finally:
        shutil.rmtree(folder)
    print("| what | who | measured | how |\n|---|---|---|---|")
    for line in lines:
        print(f"| {line.what} | {line.who} | {line.told} | {line.how} |")


if __name__ == "__main__":
    main()
