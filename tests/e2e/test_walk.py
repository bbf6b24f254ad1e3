"""The program as a person starts it, in processes of its own: the job without a display, and the real window on an X
server, worked with real keys. What the window did is read from outside: its files, its store, its title."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.sample_runs import shipped_runs
from stepscope.core.domain.run import RunState
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.settings import STORE_NAME, store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import run_list

Surroundings = Callable[..., dict[str, str]]
PATIENCE = 100.0
LOOK_EVERY = 0.05
Place = tuple[str, int]
FIVE = (
    ("cannot-video-call", 4), ("messages-new-chat", 0), ("quiet-then-write", 2), ("unclear-send-it", 0),
    ("unclear-send-it", 1),
)  # fmt: skip
"""Steps of Messages, which with Shop has the most for which the sample's first run takes another kind of action."""
SHIPPED = tuple(run.id for run in shipped_runs())

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not any(SAMPLE.glob("*/episode.json")), reason="the sample is not made here"),
]


def runs_in(store: Path) -> list[tuple[str, RunState, int, int | None]]:
    """Model, state, items done and total of the stored runs."""
    with Database.open(store_url(store)) as database, database.reading() as db:
        return [(row.run.spec.model, row.run.state, row.run.done, row.run.total) for row in run_list(db)]


def test_without_a_display_the_same_job_leaves_its_pictures_report_and_store(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "stepscope.app.gui.first_run"],
        cwd=tmp_path, env=surroundings(tmp_path / "home"), capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    out = tmp_path / "out"
    told = [Path(line) for line in done.stdout.splitlines()]
    assert {path.name for path in told} == {
        "window.png", "workspace-replay.png", "workspace-results.png", "report.html", "sample.db"
    }  # fmt: skip
    for picture in out.glob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG"), picture
    assert (out / "report.html").read_text("utf-8").lower().startswith("<!doctype html>")
    found = runs_in(out / "sample.db")
    assert sorted(model for model, *_ in found) == ["nearest-element", "text-match"]
    assert all(state is RunState.DONE and items == total and items > 0 for _, state, items, total in found)


# On a real display ----------------------------------------------------------------------------------------------------


class Hands:
    """Real keys for the program's window, and a look at what it keeps."""

    def __init__(self, environment: dict[str, str], home: Path) -> None:
        self.environment = environment
        self.store = home / "data" / STORE_NAME
        self.program: subprocess.Popen[str] | None = None

    def start(self, title: str) -> None:
        """Start the program and wait for a window of this title."""
        self.program = subprocess.Popen(
            [sys.executable, "-m", "stepscope.app.main"], env=self.environment, stderr=subprocess.PIPE, text=True
        )
        self.until(lambda: self._xdotool("search", "--onlyvisible", "--name", title), f"the window {title}")
        (window,) = self._xdotool("search", "--onlyvisible", "--name", title).split()
        self._xdotool("windowfocus", "--sync", window)

    def begin_run(self) -> None:
        """Ctrl+Return until there is a run: a form that does not know its models yet takes none."""
        for _ in range(5):
            self.press("ctrl+Return")
            end = time.monotonic() + PATIENCE / 5
            while time.monotonic() < end:
                if self.run_state():
                    return
                time.sleep(LOOK_EVERY)
        raise AssertionError("no run began")

    def show_ended(self) -> None:
        """Enter on *Show* in the message that tells of the end, once the window knows of the end."""
        self.until(self.new_runs, "the end of the run in the window")
        self.press("ctrl+shift+m", "Return")
        self.until(lambda: self.session().get("workspace") == "results", "the results")

    def press(self, *keys: str) -> None:
        self._xdotool("key", *keys)

    def write(self, text: str) -> None:
        self._xdotool("type", text)

    def choose_tiles(self, tiles: Sequence[Place]) -> None:
        """The first tile and with Shift the others, which follow it. Begun anew where a key led elsewhere, as it does
        while more tiles come in."""
        keys = ["Home", *["shift+Right"] * (len(tiles) - 1)]
        for _ in range(10):
            if all(self._leads_to(key, tile) for key, tile in zip(keys, tiles, strict=True)):
                return
        raise AssertionError(f"no keys led to {tiles}")

    def _leads_to(self, key: str, tile: Place) -> bool:
        self.press(key)
        end = time.monotonic() + PATIENCE / 10
        while time.monotonic() < end:
            if self.place() == tile:
                return True
            time.sleep(LOOK_EVERY)
        return False

    def until(self, fact: Callable[[], object], what: str) -> None:
        """Look from outside until it is so; the program must live meanwhile."""
        end = time.monotonic() + PATIENCE
        while not fact():
            assert self.program is not None
            assert time.monotonic() < end, f"{what} did not come"
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.program.wait(LOOK_EVERY)
                pytest.fail(f"the program ended before {what}: {self.program.communicate()[1]}")

    def end(self) -> tuple[int, str]:
        """Quit by key; returns exit status and what was printed on stderr."""
        assert self.program is not None
        self.press("ctrl+q")
        _, printed = self.program.communicate(timeout=PATIENCE)
        status, self.program = self.program.returncode, None
        return status, printed

    def session(self) -> dict[str, object]:
        """The session as it is stored; empty while there is none."""
        rows = self._ask("SELECT payload FROM session WHERE name = 'last'")
        return json.loads(rows[0][0]) if rows else {}

    def new_runs(self) -> list[str]:
        """The runs that ended and that nobody has looked at; of their ends messages tell."""
        looked_at = self.session().get("runs looked at") or {}
        assert isinstance(looked_at, dict)
        return list(looked_at.get("new", ()))

    def place(self) -> Place:
        """Episode and step that are shown."""
        session = self.session()
        return str(session["episode"]), int(str(session["step"]))

    def saved_at(self) -> str:
        """When the session was saved last."""
        rows = self._ask("SELECT updated FROM session WHERE name = 'last'")
        return str(rows[0][0]) if rows else ""

    def run_state(self) -> list[tuple[str, int]]:
        """State and items of the runs that did not come with the sample."""
        return self._ask(
            f"SELECT state, (SELECT count(*) FROM prediction WHERE run_id = run.id) FROM run WHERE id NOT IN {SHIPPED}"
        )

    def tagged(self) -> list[tuple[str, int, str]]:
        """Episode, step and tag of what was tagged."""
        return self._ask("SELECT episode, step, value FROM annotation WHERE kind = 'tag'")

    def scores(self) -> list[int]:
        """How many items have a score, for each rule that was put to a run that did not come with the sample."""
        return [count for (count,) in self._ask(
            "SELECT count(*) FROM score JOIN scoring ON scoring.id = score.scoring_id"
            f" WHERE run_id NOT IN {SHIPPED} GROUP BY scoring_id"
        )]  # fmt: skip

    def _ask(self, question: str) -> list[tuple]:
        if not self.store.exists():
            return []
        connection = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)
        try:
            return connection.execute(question).fetchall()
        except sqlite3.OperationalError:  # the tables are still being made
            return []
        finally:
            connection.close()

    def _xdotool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        return done.stdout.strip()


@pytest.fixture
def hands(display: str, tmp_path: Path, surroundings: Surroundings) -> Iterator[Hands]:
    hands = Hands(surroundings(tmp_path / "home", DISPLAY=display), tmp_path / "home")
    yield hands
    if hands.program is not None:
        hands.program.kill()
        hands.program.communicate()


def test_a_person_steps_evaluates_quits_and_finds_everything_again(hands: Hands) -> None:
    hands.start("Sample – Stepscope")
    hands.until(lambda: tuple(hands.session().get("runs", ())) == SHIPPED, "the sample's runs, shown")
    hands.press("Home", "Right", "Right")  # the first start opens a step where the sample's runs differ
    hands.until(lambda: hands.session().get("step") == 2, "the third step")

    hands.press("alt+a", "t")  # Evaluate ▸ Task Automation…
    hands.begin_run()
    hands.until(lambda: [state for state, _items in hands.run_state()] == ["done"], "the end of the run")
    hands.show_ended()
    hands.press("alt+a", "l")  # Evaluate ▸ Score under All Rules
    ((_state, items),) = hands.run_state()
    hands.until(lambda: hands.scores() == [items] * len(RULES), "scores under all rules")
    hands.press("ctrl+1", "Home", "End")
    hands.until(lambda: hands.session().get("workspace") == "replay", "the screen again")
    assert hands.end() == (0, "")

    before, ((_state, items),) = hands.session(), hands.run_state()
    assert items > 100
    assert before["runs"], "the run is shown as A"
    saved = hands.saved_at()
    hands.start("Sample – Stepscope")
    hands.until(lambda: hands.saved_at() != saved, "the session back in its place")
    hands.press("Left")
    hands.until(
        lambda: hands.session().get("step") == before["step"] - 1, "one step back from the place of the session"
    )
    assert hands.end() == (0, "")
    assert hands.session() == {**before, "step": before["step"] - 1}
    assert hands.run_state() == [("done", items)]


def test_a_newcomer_finds_wrong_steps_and_tags_five_errors_of_one_cause(hands: Hands) -> None:
    """From a fresh start, by real keys alone. The first run that comes with the sample takes 25 steps for another kind
    of action."""
    hands.start("Sample – Stepscope")
    hands.until(lambda: tuple(hands.session().get("runs", ())) == SHIPPED, "the sample's runs, shown")
    first = hands.place()
    hands.press("n")
    hands.until(lambda: hands.place() != first, "the next wrong step")
    hands.press("alt+2", "slash")
    hands.write("cause:kind")
    hands.press("Return")
    hands.until(lambda: hands.session().get("filter") == "cause:kind", "the filter")
    hands.press("alt+2")
    hands.choose_tiles(FIVE)
    hands.press("q")
    hands.write("another kind")
    hands.press("Return")
    hands.until(lambda: len(hands.tagged()) == 5, "five tagged steps")
    assert set(hands.tagged()) == {(*tile, "another kind") for tile in FIVE}
    hands.press("ctrl+z")
    hands.until(lambda: not hands.tagged(), "all five taken back by one key")
    assert hands.end() == (0, "")
