"""`stepscope record`: lines in, a recording out, one answer a line."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from stepscope.app.cli.record_words import action_of, find
from stepscope.core.device.session import LiveSession, ScreenSnapshot
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.errors import UsageError
from stepscope.core.sources.recording import read_recording, recording_meta
from tests.core.device.fake import FakeDevice

ROOT = Path(__file__).parents[3]
SIZE = Size(100, 200)


@pytest.fixture
def phone(monkeypatch):
    device = FakeDevice()
    monkeypatch.setattr("stepscope.app.services.live.devices.open_device", lambda serial: device)
    monkeypatch.setattr("stepscope.core.device.session.REST_SECONDS", 0.0)
    rested = LiveSession.__init__
    monkeypatch.setattr(LiveSession, "__init__", lambda *given, **words: rested(*given, **words, rest=0.0))
    return device


@pytest.fixture
def record(cli, phone, monkeypatch, tmp_path):
    def call(lines, *options):
        monkeypatch.setattr(sys, "stdin", io.StringIO(textwrap.dedent(lines).lstrip()))
        return cli("record", "fake", tmp_path / "out", *options)

    return call


def test_a_demonstration_in_words(record, phone, tmp_path):
    ended = record(
        """
        tap Shop
        tap "Search"
        type Kettle, steel
        undo
        redo
        note I looked for it
        {"kind": "tap", "point": [50, 45]}
        home
        done "Shall I buy it?"
        """,
        "--goal", "Find a kettle", "--annotator", "Ines",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    episode = read_recording(tmp_path / "out")
    assert episode.problems == ()
    assert [step.action.kind for step in episode.steps if step.action] == [
        "tap",
        "tap",
        "type",
        "tap",
        "press_key",
        "finish",
    ]
    assert episode.goal == "Find a kettle"
    assert episode.feasibility.follow_up == ("Shall I buy it?",)
    assert recording_meta(tmp_path / "out")["annotator"] == "Ines"
    assert ended.out.splitlines() == [
        "0: tap (54, 28) on “Shop”",
        "1: tap (54, 28) on “Search”",
        "2: type “Kettle, steel” on “Search”",
        "taken back; the device stays as it is",
        "there again",
        "noted",
        "3: tap (50, 45) on “Kettle”",
        "4: press_key home",
        "done",
        f"{tmp_path / 'out'}: 5 actions",
    ]
    assert ended.line.startswith("stepscope: recording; actions: tap")


def test_asks_logins_pauses_and_looks(record, tmp_path):
    ended = record(
        """
        ask "Which shop?"
        answer The first.
        login
        tap Shop
        login end
        pause
        back
        resume
        say I go on
        look
        infeasible unclear "Which one?" "And when?"
        """
    )
    assert ended.status == 0, ended.out
    episode = read_recording(tmp_path / "out")
    assert [(ask.step, ask.question, ask.answer) for ask in episode.asks] == [(0, "Which shop?", "The first.")]
    assert episode.feasibility.follow_up == ("Which one?", "And when?")
    assert episode.feasibility.reason == "unclear"
    assert episode.steps[-1].action == Finish(FinishStatus.IMPOSSIBLE)
    assert [problem.message for problem in episode.problems] == ["1 action was done while the recording was paused"]
    assert "org.example.launcher/.Home, 108 × 240, 3 elements: Shop, Clock" in ended.out
    assert ended.out.count("done, not recorded") == 2


def test_what_cannot_be_done_is_said_and_the_rest_goes_on(record, tmp_path):
    ended = record("tap Nothing\nfly\ninfeasible\ntype x\nopen Nowhere\ntap Shop\ndone\n", "--json")
    assert ended.status == 1
    assert ended.json == {
        "path": str(tmp_path / "out"), "goal": "", "actions": 1, "failed": 5, "outcome": "done",
    }  # fmt: skip
    said = [line for line in ended.err.splitlines() if line.startswith("not done")]
    assert said[0] == "not done: there is no element 'Nothing' on this screen. There are: 'Shop', 'Clock'."
    assert "'fly' is no action" in said[1]
    assert "why is missing" in said[2]
    assert "Tap a field first." in said[3]
    assert "no app 'Nowhere'" in said[4]


def test_a_password_is_not_answered_with(record, phone, tmp_path):
    phone.page = "login"
    ended = record("tap Secret\ntype hunter2\ntap Enter\ndone\n")
    assert ended.status == 0
    everything = ended.out + ended.err + "".join(
        path.read_text() for path in (tmp_path / "out").rglob("*.json")
    )  # fmt: skip
    assert "hunter2" not in everything
    assert "1: type “••••••••”" in ended.out


def test_the_end_of_the_lines_ends_it_without_a_survey(record, tmp_path):
    ended = record("tap Shop\n")
    assert ended.status == 0
    episode = read_recording(tmp_path / "out")
    assert [type(step.action) for step in episode.steps] == [Tap, type(None)]
    assert episode.feasibility.label is None


def test_discarding_leaves_nothing(record, tmp_path):
    ended = record("tap Shop\ndiscard\n", "--json")
    assert (ended.status, ended.json["path"]) == (0, None)
    assert not (tmp_path / "out").exists()


def test_a_lost_device_is_said_and_its_return_marked(record, phone, monkeypatch, tmp_path):
    def unplug(name):
        if name == "perform" and len(phone.done) == 1 and not phone.lost:
            phone.lose()

    phone.before = unplug
    ended = record("tap Shop\nback\ndone\n")
    assert ended.status == 1
    assert "the device is away" in ended.out
    messages = [problem.message for problem in read_recording(tmp_path / "out").problems]
    assert any("did not come back" in message for message in messages)
    assert any("last action is missing" in message for message in messages)


def test_errors_are_one_line(cli, tmp_path, phone):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    full = cli("record", "fake", tmp_path / "full")
    assert (full.status, full.out) == (2, "")
    assert full.line == f"stepscope: {tmp_path / 'full'}: the folder is not empty. Name a new one."
    file = cli("record", "fake", tmp_path / "full" / "x")
    assert (file.status, file.line) == (2, f"stepscope: {tmp_path / 'full' / 'x'}: this is a file. Name a new folder.")


def test_an_unknown_replay_is_bad_usage(cli, tmp_path):
    ended = cli("record", f"replay:{tmp_path / 'nothing'}", tmp_path / "out")
    assert ended.status == 2
    assert not (tmp_path / "out").exists()
    assert ended.line.startswith("stepscope: ")


def test_ctrl_c_keeps_what_there_is_and_it_can_be_finished(cli, recordings, tmp_path):
    """In a process of its own, on recorded screens."""
    command = [sys.executable, "-m", "stepscope.app.main", "record", f"replay:{recordings}", str(tmp_path / "out")]
    with subprocess.Popen(
        command, cwd=ROOT, env=dict(os.environ), text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        child.stdin.write('{"kind": "tap", "point": [50, 100]}\n')
        assert "0: tap (50, 100) on “Search”" in child.stdout.readline()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (130, "")
    assert f"interrupted with 1 step in {tmp_path / 'out'}." in err
    assert "Traceback" not in err
    finished = cli(
        "recordings", "finish", tmp_path / "out", "premature", "--question", "Log in first?", "--why", "shut"
    )
    assert finished.status == 0
    episode = read_recording(tmp_path / "out")
    assert [type(step.action) for step in episode.steps] == [Tap]
    assert (episode.feasibility.reason, episode.feasibility.follow_up) == ("premature", ("Log in first?",))
    assert ["last action is missing" in problem.message for problem in episode.problems] == [True]


# Words --------------------------------------------------------------------------------------------------------------


def element(index: int, top: float, **words: object) -> UIElement:
    return UIElement(index, Box(10, top, 90, top + 20, SIZE), 0 if index else -1, min(index, 1), **words)  # type: ignore[arg-type]


TREE = UITree(
    (
        element(0, 0),
        element(1, 20, text="Buy now", clickable=True, resource_id="app:id/buy"),
        element(2, 40, content_description="Go back", clickable=True),
        element(3, 60, resource_id="app:id/search_field", editable=True),
        element(4, 80, text="Item", clickable=True),
        element(5, 100, text="Item", clickable=True),
        element(6, 120, text="Buy later"),
        element(7, 140, text="Hidden", visible=False),
    ),
    TreeOrigin.DUMP,
    SIZE,
)
SEEN = ScreenSnapshot(b"", SIZE, TREE, "", 0.0, 0)
BUY = Tap(Point(50, 30, SIZE), Target(Box(10, 20, 90, 40, SIZE), "Buy now", "app:id/buy"))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ('tap "buy NOW"', BUY),
        ("tap Buy n", BUY),
        ("tap now", BUY),
        ("long_press 5 7.5", LongPress(Point(5, 7.5, SIZE))),
        ("double_tap 5, 7", DoubleTap(Point(5, 7, SIZE))),
        ("type  two words", Type("two words")),
        ('type "in quotes"', Type("in quotes")),
        ("type it's", Type("it's")),
        ("swipe 1 2 3 4", Swipe(Point(1, 2, SIZE), Point(3, 4, SIZE))),
        ("scroll down", Scroll(Direction.DOWN)),
        ("back", PressKey("back")),
        ("recents", PressKey("recents")),
        ("key volume_up", PressKey("volume_up")),
        ('open "Clock"', OpenApp("Clock")),
        ("wait", Wait()),
        (json.dumps({"kind": "press_key", "key": "enter"}), PressKey("enter")),
    ],
)
def test_lines_are_actions(line: str, action: Action) -> None:
    assert action_of(line, SEEN) == action


@pytest.mark.parametrize("words", ["go back", "search field", "search_field", "buy later"])
def test_elements_are_found_by_text_description_and_id(words: str) -> None:
    assert words.replace("_", " ") in find(words, SEEN).label.lower()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tap", "is missing"),
        ("tap Item", "2 elements are called 'Item'"),
        ("tap Hidden", "no element 'Hidden'"),
        ("tap nothing", "There are: 'Buy now', 'Go back', 'Item'"),
        ("swipe down", "needs X Y X Y"),
        ("scroll", "needs up, down, left or right"),
        ("scroll sideways", "needs up, down, left or right"),
        ("back twice", "'twice' is too much"),
        ("type", "the text is missing"),
        ("open", "the app's name is missing"),
        ("jump", "'jump' is no action"),
        ("{", "this is no action"),
        ('{"kind": "fly"}', "this is no action"),
        ("{" * 100_000, "this is no action"),
    ],
)
def test_lines_that_are_no_actions_say_why(line: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        action_of(line, SEEN)
    assert said in str(raised.value)


def test_without_a_tree_places_are_needed() -> None:
    with pytest.raises(UsageError, match="X Y"):
        find("Buy", ScreenSnapshot(b"", SIZE, None, "", 0.0, 0))
