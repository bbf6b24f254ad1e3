"""Uses a built program as somebody would on a machine without Python of theirs, and raises JobError where it fails.

The program gets an environment of four variables: nothing of who builds it is to be found. Its command line evaluates
and scores, its window is opened and closed by keys on an X server, and it walks through itself there
(`stepscope.app.gui.whole_walk`): sample, evaluation, simulated phone and a web page.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from built import JobError, told

RECORD = {
    "episode": "e1", "step": 0, "reference": {"type": 4, "touch": [0.5, 0.5], "lift": [0.5, 0.5]},
    "prediction": {"type": 4, "touch": [0.52, 0.5], "lift": [0.52, 0.5]},
}  # fmt: skip
CHILDREN = (
    "stepscope.app.services.item_child", "stepscope.app.services.index_child", "stepscope.core.sources.reader_process",
    "stepscope.core.sources.plugin_process", "stepscope.core.scoring.part_child",
    "stepscope.models.webtask.local_process",
)  # fmt: skip
"""What runs as a process of its own only for larger data or other models than the sample's: each must load."""
TITLE = "Sample – Stepscope"
PATIENCE = 120.0
LOOK_EVERY = 0.1


def walk(program: Path, inside: Path, folder: Path) -> None:
    """Everything, with `folder` as the only place where anything is left. `inside` is the folder of the program, in
    which all that it starts must lie."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    surroundings = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    (folder / "home").mkdir()
    use_commands(program, inside, folder, surroundings)
    for module in CHILDREN:
        load_child(program, module, folder, surroundings)
    with display() as name:
        open_and_close(program, surroundings | {"DISPLAY": name})
        walk_through_window(program, inside, folder, surroundings | {"DISPLAY": name})


def use_commands(program: Path, inside: Path, folder: Path, surroundings: dict[str, str]) -> None:
    """A data set is looked at, evaluated by several processes, exported and scored."""

    def ask(*words: str) -> str:
        return told([str(program), *words], folder, surroundings)

    ask("--version")
    if "evaluate" not in ask("--help"):
        raise JobError("--help does not name the commands")
    sample = next(inside.glob("**/stepscope/resources/sample/episodes"))
    if not json.loads(ask("inspect", str(sample), "--json"))["episodes"]:
        raise JobError("the sample has no episodes")
    rule = ("--model", "text-match", "--protocol", "aitw", "--json")
    if not json.loads(ask("evaluate", "automation", str(sample), *rule))["n"]:
        raise JobError("the evaluation scored nothing")
    ask("runs", "export", "last", "-o", "report.html")
    (folder / "records.jsonl").write_text(json.dumps(RECORD) + "\n", "utf-8")
    scored = json.loads(ask("score", "aitw", "records.jsonl", "--json"))
    if scored["metrics"]["step_accuracy"] != 1.0:
        raise JobError(f"the record was scored {scored['metrics']}")
    facts = json.loads(ask("doctor", "--json"))
    if facts["onnxruntime"].get("CPUExecutionProvider") != "works" or not facts["window"]["web_engine"]:
        raise JobError(f"doctor says {facts['onnxruntime']} and {facts['window']}")


def load_child(program: Path, module: str, folder: Path, surroundings: dict[str, str]) -> None:
    """A child that hears nothing ends, once it has loaded what it works with, without a word."""
    done = subprocess.run(
        [str(program), "--child", module], cwd=folder, env=surroundings, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    if done.stderr:
        raise JobError(f"{module} does not load: {done.stderr.strip().splitlines()[-1]}")


def open_and_close(program: Path, surroundings: dict[str, str]) -> None:
    """A first start: the window comes by itself with the sample, and Ctrl+Q ends it."""
    with subprocess.Popen([str(program)], env=surroundings, stderr=subprocess.PIPE, text=True) as window:

        def keys(*words: str) -> str:
            return subprocess.run(
                ["xdotool", *words], env=surroundings, capture_output=True, text=True, check=False
            ).stdout.strip()

        try:
            (there, *_) = _until(lambda: keys("search", "--onlyvisible", "--name", TITLE).split(), window)
            keys("windowfocus", "--sync", there)
            keys("key", "ctrl+q")
            _, said = window.communicate(timeout=PATIENCE)
        finally:
            window.kill()
        if window.returncode or said:
            raise JobError(f"the window ended with {window.returncode} and said: {said}")


def _until(fact: Callable[[], list[str]], window: subprocess.Popen[str]) -> list[str]:
    """What `fact` gives once it gives something; the window must live meanwhile."""
    end = time.monotonic() + PATIENCE
    while not (found := fact()):
        if time.monotonic() > end:
            raise JobError(f"no window {TITLE} came")
        try:
            window.wait(LOOK_EVERY)
        except subprocess.TimeoutExpired:
            continue
        raise JobError(f"the program ended before there was a window: {window.communicate()[1]}")
    return found


def walk_through_window(program: Path, inside: Path, folder: Path, surroundings: dict[str, str]) -> None:
    """Sample, evaluation, phone and page; the results must be in the store, and the pages drawn by what is bundled."""
    command = [str(program), "--child", "stepscope.app.gui.whole_walk", str(folder / "walked")]
    done = json.loads(told(command, folder, surroundings | {"STEPSCOPE_HOME": str(folder / "settings")}))
    for file in done["files"]:
        if not Path(file).stat().st_size:
            raise JobError(f"{file} is empty")
    engines = [Path(one) for one in done["engines"]]
    if not any(one.is_relative_to(inside) for one in engines):
        raise JobError(f"pages were drawn by {engines}, nothing of it in {inside}")
    with sqlite3.connect(folder / "walked" / "sample.db") as store:
        evaluated = store.execute(
            "SELECT count(*) FROM run JOIN prediction ON prediction.run_id = run.id WHERE run.state = 'done'"
        ).fetchone()[0]
    if not evaluated:
        raise JobError("the evaluation left nothing in the store")


@contextmanager
def display() -> Iterator[str]:
    """The name of an X server that runs meanwhile."""
    reading, writing = os.pipe()
    # without -noreset the server begins anew, and is away for a moment, whenever the last client has left
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        try:
            if not number:
                raise JobError("the X server did not start")
            yield f":{number}"
        finally:
            server.terminate()
