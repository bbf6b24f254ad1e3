"""The Live workspace with a scripted phone: it is seen and touched, recorded with its survey, lost and found again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

import stepscope.app.services.live.devices
import stepscope.app.services.live.recording
from stepscope.app.gui.features.live import live_screen_controller
from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.device.device import DeviceError, DeviceInfo, DeviceKind, DeviceState
from stepscope.core.device.mirror import MirrorPhase
from stepscope.core.device.session import PerformedAction
from stepscope.core.domain.action import Finish, FinishStatus, LongPress, OpenApp, PressKey, Swipe, Tap, Type
from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.layers import Layer
from stepscope.core.errors import SourceError
from stepscope.core.settings import user_data_dir
from stepscope.widgets.live import RowState, SurveyAnswers
from tests.app.gui.conftest import OpenWindow, Person
from tests.core.device.fake import SIZE, FakeDevice

PHONE = DeviceInfo("fake", "Fake phone", DeviceKind.USB, detail="108 × 240")
LOCKED = DeviceInfo(
    "locked", "Locked phone", DeviceKind.USB, DeviceState.UNAUTHORISED, hint="Unlock the phone and allow USB debugging."
)


class NoWatch:
    """adb tells nothing new."""

    def __init__(self, tell: Callable[[object], object]) -> None:
        del tell

    def start(self) -> None:
        """Nothing to watch."""

    def close(self) -> None:
        """Nothing to end."""


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    device = FakeDevice()
    monkeypatch.setattr(stepscope.app.services.live.devices, "list_devices", lambda: ((PHONE, LOCKED), ""))
    monkeypatch.setattr(stepscope.app.services.live.devices, "DeviceWatch", NoWatch)
    monkeypatch.setattr(stepscope.app.services.live.devices, "open_device", lambda serial: device)
    return device


class LivePerson:
    """Somebody at the Live workspace."""

    def __init__(self, person: Person, phone: FakeDevice) -> None:
        self.person, self.phone, self.until = person, phone, person.until
        self.bench, self.window = person.bench, person.window
        self.live, self.recording = person.bench.live.device, person.bench.live.recording

    @property
    def parts(self):
        return self.window.live

    @property
    def view(self):
        return self.parts.centre.view

    def connect(self) -> None:
        self.person.choose("workspace.live")
        panel = self.parts.left.devices
        self.until(lambda: self.rows(), "the list of devices")
        panel.connect_requested.emit("fake")
        self.until(lambda: self.view.frame is not None and not self.view.notice, "the picture")

    def rows(self) -> dict[str, RowState]:
        model = self.parts.left.devices.list.model()
        found = [model.row(place) for place in range(model.rowCount())]
        return {row.serial: row.state for row in found}

    def spot(self, point: Point) -> QPoint:
        left, top = self.view.viewport.to_view(point)
        return QPointF(left, top).toPoint()

    def touch(self, text: str) -> None:
        """Click on the row of that text and wait until the phone has seen it."""
        done = len(self.phone.done)
        QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, pos=self.spot(self.phone.place(text)))
        self.until(lambda: len(self.phone.done) > done, f"the tap on {text}")
        self.until(self.newest_is_shown, "the picture after it")

    def newest_is_shown(self) -> bool:
        return self.view.frame is self.live.current.mirror.newest.latest

    def record(self, goal: str) -> None:
        self.parts.left.task.set_goal(goal)
        self.person.choose("record.toggle")
        self.until(lambda: self.recording.is_running, "the recording")

    def recorded(self) -> list[str]:
        """Kinds of the recorded actions."""
        steps = self.recording.session.recorded.steps
        return [step.action.kind if step.action else "" for step in steps]

    def steps(self, number: int) -> None:
        self.until(lambda: len(self.recorded()) == number, f"{number} recorded steps")

    def stop(self) -> None:
        self.person.choose("record.toggle")
        self.until(lambda: self.parts.left.label.save.isVisible() and not self.recording.is_running, "the survey")

    def save(self, survey: SurveyAnswers) -> Path:
        folders: list[Path] = []
        self.recording.finished.connect(lambda folder, _episode: folders.append(folder))
        self.parts.left.label.show_survey(survey)
        self.parts.left.label.save.click()
        self.until(lambda: folders, "the recording on the disk")
        return folders[0]


@pytest.fixture
def somebody(open_window: OpenWindow, shop: Path, phone: FakeDevice) -> Iterator[LivePerson]:
    found = LivePerson(open_window(shop), phone)
    found.connect()
    yield found
    phone.come_back()


def test_what_is_touched_on_the_picture_is_touched_on_the_phone(somebody: LivePerson) -> None:
    somebody.touch("Shop")
    assert somebody.phone.page == "list"
    (tap,) = somebody.phone.done
    aimed = FakeDevice().place("Shop")
    assert isinstance(tap, Tap) and tap.point is not None and tap.point.size == SIZE
    assert abs(tap.point.x - aimed.x) <= 0.5 and abs(tap.point.y - aimed.y) <= 0.5
    assert somebody.rows() == {"fake": RowState.LIVE, "locked": RowState.UNAUTHORISED}
    told = [line for line in somebody.parts.side.log.text().splitlines() if "The picture comes" not in line]
    assert told[-1].endswith("Tap"), "the first picture may be told after it"


def test_the_status_line_tells_the_size_of_the_picture_in_front(somebody: LivePerson) -> None:
    shown = somebody.window.status
    somebody.until(lambda: shown.text("mirror") == f"{SIZE}", "the size of the mirror")
    assert not shown._labels["picture"].isVisible()
    somebody.person.choose("workspace.replay")
    somebody.person.settle()
    assert shown.text("mirror") == "" and shown._labels["picture"].isVisible()


def test_what_one_interceptor_leaves_the_next_may_take_and_the_phone_gets_the_rest(somebody: LivePerson) -> None:
    asked: list[tuple[str, object]] = []

    def interceptor(name: str, key: str) -> Callable[[object, int | None], bool]:
        def takes_over(action: object, _milliseconds: int | None) -> bool:
            asked.append((name, action))
            return action == PressKey(key)

        return takes_over

    somebody.live.add_interceptor(interceptor("first", "back"))
    somebody.live.add_interceptor(interceptor("second", "home"))
    back, home, recents = PressKey("back"), PressKey("home"), PressKey("recents")
    for key in ("back", "home", "recents"):
        somebody.live.press(key)
    somebody.until(lambda: somebody.phone.done, "the key that nobody took over")
    assert asked == [("first", back), ("first", home), ("second", home), ("first", recents), ("second", recents)]
    assert somebody.phone.done == [recents]


def test_a_recording_and_others_hear_what_is_done(somebody: LivePerson) -> None:
    heard: list[PerformedAction] = []
    somebody.record("Buy a kettle")
    somebody.live.current.performed.add(heard.append)
    somebody.touch("Shop")
    somebody.steps(1)
    somebody.stop()
    somebody.touch("Kettle")
    somebody.until(lambda: len(heard) == 2, "both actions")
    assert [acted.action.kind for acted in heard] == ["tap", "tap"]
    assert [kind for kind in somebody.recorded() if kind] == ["tap"], "the recording had ended"


def test_trouble_that_came_before_the_recording_was_known_is_told(
    somebody: LivePerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = SourceError("the disk is full")

    class FullDisk(RecordingSession):
        """Has told of its trouble when it is handed over."""

        def __init__(self, *values: Any, **more: Any) -> None:
            super().__init__(*values, **more)
            self._trouble = full

    monkeypatch.setattr(stepscope.app.services.live.recording, "RecordingSession", FullDisk)
    somebody.parts.left.task.set_goal("Buy a kettle")
    somebody.person.choose("record.toggle")
    somebody.until(lambda: somebody.recording._message, "the trouble")
    assert not somebody.recording.is_running
    assert "The disk is full" in somebody.recording._message


def test_a_picture_that_does_not_show_what_is_there_says_so_and_takes_touches(somebody: LivePerson) -> None:
    somebody.phone.condition = "The screen is off. Press Power to light it."
    somebody.phone.notes = ("scrcpy: it is not installed",)
    somebody.until(lambda: somebody.view.notice.startswith("The screen is off"), "the words over the picture")
    assert "scrcpy: it is not installed" in somebody.parts.side.log.text()
    somebody.phone.condition = ""
    somebody.until(lambda: somebody.view.notice == "", "the picture again")


def test_right_click_is_back_and_middle_click_home(somebody: LivePerson) -> None:
    somebody.touch("Shop")
    middle = somebody.spot(Point(54, 120, SIZE))
    QTest.mouseClick(somebody.view, Qt.MouseButton.RightButton, pos=middle)
    QTest.mouseClick(somebody.view, Qt.MouseButton.MiddleButton, pos=middle)
    somebody.until(lambda: len(somebody.phone.done) == 3, "both keys")
    assert somebody.phone.done[1:] == [PressKey("back"), PressKey("home")]


def test_keys_of_the_workspace_mean_the_phone_here_and_something_else_elsewhere(somebody: LivePerson) -> None:
    person = somebody.person
    somebody.view.setFocus()
    for key in ("B", "H"):
        person.press(key)
    somebody.until(lambda: len(somebody.phone.done) == 2, "both keys")
    assert somebody.phone.done == [PressKey("back"), PressKey("home")]
    person.press("U")
    assert Layer.TREE in somebody.parts.centre.tools.layers
    shown = person.layers()
    person.press("Ctrl+1")
    person.press("U")
    assert person.layers() ^ shown == {Layer.TREE.value}
    assert len(somebody.phone.done) == 2


def test_keys_go_to_the_device_until_esc(somebody: LivePerson) -> None:
    somebody.touch("Shop")
    somebody.touch("Search")
    somebody.person.press("Ctrl+Shift+K")
    QTest.keyClicks(somebody.view, "tea b")
    QTest.keyClick(somebody.view, Qt.Key.Key_Return)
    somebody.until(lambda: PressKey("enter") in somebody.phone.done, "Enter on the phone")
    assert Type("tea b") in somebody.phone.done and somebody.phone.typed == {"Search": "tea b"}
    QTest.keyClick(somebody.view, Qt.Key.Key_Escape)
    assert not somebody.view.keys_mode
    assert "tea" not in somebody.parts.side.log.text()


def test_a_demonstration_with_a_question_is_recorded_labelled_found_and_replayed(somebody: LivePerson) -> None:
    somebody.record("Buy a kettle")
    told = somebody.window.status.text("recording")
    assert told == f"Recording to {somebody.recording.session.folder.name}"
    for text in ("Shop", "Kettle", "Buy now"):
        somebody.touch(text)
    somebody.steps(3)
    somebody.person.press("Ctrl+Z")
    somebody.steps(2)
    somebody.person.press("Ctrl+Y")
    somebody.steps(3)
    somebody.parts.recording.note_given.emit(1, "the steel one")
    somebody.stop()
    folder = somebody.save(SurveyAnswers("infeasible", "unclear", "there are two", ("Which kettle?",)))
    assert folder.parent == user_data_dir() / "recordings"
    somebody.person.choose("record.open")
    somebody.person.arrive(folder.name, 0)
    episode = somebody.person.selection.episode
    assert episode is not None and episode.goal == "Buy a kettle" and episode.problems == ()
    assert [type(step.action) for step in episode.steps] == [Tap, Tap, Tap, Finish]
    assert [step.action.target.text for step in episode.steps[:3]] == ["Shop", "Kettle", "Buy now"]  # type: ignore[union-attr]
    assert episode.steps[3].action == Finish(FinishStatus.IMPOSSIBLE)
    assert [step.observation.activity for step in episode.steps] == [
        "org.example.launcher/.Home", "org.example.shop/.List", "org.example.shop/.Kettle", "org.example.shop/.Bought"
    ]  # fmt: skip
    assert episode.feasibility.label is FeasibilityLabel.INFEASIBLE
    assert episode.feasibility.reason is InfeasibilityReason.UNCLEAR
    assert episode.feasibility.follow_up == ("Which kettle?",)
    assert somebody.window.workspace == "replay" and somebody.person.goals == ["Buy a kettle"]
    assert "the steel one" in json.dumps(json.loads((folder / "episode.json").read_text("utf-8"))["meta"])


def test_a_survey_that_is_answered_at_once_ends_the_recording_with_its_last_screen(somebody: LivePerson) -> None:
    somebody.record("Open the shop")
    somebody.touch("Shop")
    somebody.steps(1)
    folder = somebody.save(SurveyAnswers("feasible"))
    form = json.loads((folder / "episode.json").read_text("utf-8"))
    assert [step["action"]["kind"] for step in form["steps"]] == ["tap", "finish"]


def test_a_recording_without_a_goal_asks_for_it_before_it_is_saved(somebody: LivePerson) -> None:
    somebody.record("")
    somebody.touch("Shop")
    somebody.steps(1)
    somebody.stop()
    somebody.parts.left.label.show_survey(SurveyAnswers("feasible"))
    somebody.parts.left.label.save.click()
    assert somebody.recording.session is not None
    somebody.parts.left.task.set_goal("Open the shop")
    folder = somebody.save(SurveyAnswers("feasible"))
    assert json.loads((folder / "episode.json").read_text("utf-8"))["goal"] == "Open the shop"


def test_pauses_and_logins_are_left_out(somebody: LivePerson) -> None:
    somebody.record("Look at the kettle")
    somebody.person.choose("record.pause")
    somebody.until(lambda: somebody.recording.session.recorded.paused, "the pause")
    somebody.touch("Shop")
    somebody.person.choose("record.pause")
    somebody.person.choose("record.login")
    somebody.touch("Log in")
    somebody.touch("Enter")
    somebody.person.choose("record.login")
    somebody.touch("Kettle")
    somebody.steps(1)
    assert [cell.kind.value for cell in somebody.parts.recording.film.cells()] == ["gap", "login", "action"]


def test_a_phone_that_is_unplugged_while_recording_loses_nothing(somebody: LivePerson) -> None:
    somebody.record("Buy a kettle")
    somebody.touch("Shop")
    somebody.steps(1)
    somebody.phone.lose()
    somebody.until(lambda: somebody.rows()["fake"] is RowState.BACK_SOON, "the loss")
    assert somebody.view.notice == "Reconnecting, attempt 1"
    somebody.phone.come_back()
    somebody.parts.centre.title.reconnect.click()
    somebody.until(lambda: somebody.rows()["fake"] is RowState.LIVE and not somebody.view.notice, "the phone again")
    somebody.until(somebody.newest_is_shown, "its picture")
    somebody.touch("Kettle")
    somebody.steps(2)
    kinds = [cell.kind.value for cell in somebody.parts.recording.film.cells()]
    assert kinds == ["action", "gap", "action"]
    somebody.stop()
    folder = somebody.save(SurveyAnswers("feasible"))
    form = json.loads((folder / "episode.json").read_text("utf-8"))
    assert [step["action"]["kind"] for step in form["steps"]] == ["tap", "tap", "finish"]
    assert any("away" in problem["message"] for problem in form["problems"])


def test_a_window_that_is_closed_while_recording_leaves_it_for_the_next(
    somebody: LivePerson, open_window: OpenWindow, shop: Path
) -> None:
    somebody.record("Buy a kettle")
    somebody.touch("Shop")
    somebody.steps(1)
    somebody.person.close()
    again = LivePerson(open_window(shop), somebody.phone)
    somebody.phone.closed = False
    again.connect()
    again.until(lambda: any("was not finished" in told for told in again.person.told), "the offer")
    folder = again.save(SurveyAnswers("feasible"))
    form = json.loads((folder / "episode.json").read_text("utf-8"))
    assert form["goal"] == "Buy a kettle" and len(form["steps"]) == 1
    assert form["feasibility"]["label"] == "feasible"


def test_a_recording_is_thrown_away_after_asking(somebody: LivePerson, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody.record("Buy a kettle")
    somebody.touch("Shop")
    somebody.steps(1)
    folder = somebody.recording.session.folder
    somebody.stop()
    answers = ["Keep", "Discard"]

    def answer(box: QMessageBox) -> None:
        wanted = answers.pop(0)
        next(button for button in box.buttons() if button.text() == wanted).click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    somebody.parts.left.label.discard_requested.emit()
    assert somebody.recording.session is not None and folder.is_dir()
    somebody.parts.left.label.discard_requested.emit()
    somebody.until(lambda: not folder.exists(), "the folder gone")
    assert somebody.recording.session is None and somebody.parts.recording.film.cells() == ()


def test_the_tree_of_the_live_screen_is_listed_and_linked(somebody: LivePerson) -> None:
    side = somebody.parts.side
    side.setCurrentWidget(side.tree)
    somebody.until(lambda: somebody.view.tree is not None, "the tree")
    assert [element.label for element in somebody.view.tree][1:] == ["Shop", "Clock"]
    side.tree.element_selected.emit(1)
    somebody.touch("Shop")
    somebody.until(lambda: any(e.label == "Kettle" for e in somebody.view.tree or ()), "the tree of the next screen")
    somebody.phone.has_tree = False
    somebody.phone.go("clock")
    somebody.until(lambda: somebody.view.tree is None, "no tree")


def test_bare_letters_act_on_the_phone_while_the_picture_has_the_keyboard_only(somebody: LivePerson) -> None:
    actions, goal = somebody.person.bench.commands.actions, somebody.parts.left.task
    goal.set_goal("Buy a lamp")
    asked: list[str] = []
    for letter, command in (("R", "record.toggle"), ("H", "device.home"), ("C", "device.screenshot")):
        actions[command].triggered.disconnect()
        actions[command].triggered.connect(lambda _checked=False, letter=letter: asked.append(letter))
    for elsewhere in (somebody.parts.left.devices, somebody.person.window.rail, somebody.parts.side.tabBar()):
        elsewhere.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        elsewhere.setFocus()
        for letter in "RHC":
            somebody.person.press(letter)
    assert asked == []
    somebody.view.setFocus()
    for letter in "RHC":
        somebody.person.press(letter)
    assert asked == ["R", "H", "C"]


def test_a_screenshot_is_saved_and_copied(
    somebody: LivePerson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_screen_controller, "pictures_folder", lambda: tmp_path / "shots")
    somebody.view.setFocus()
    somebody.person.press("C")
    somebody.until(lambda: list((tmp_path / "shots").glob("Fake?phone *.png")), "the file")
    somebody.person.settle()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (SIZE.width, SIZE.height)


def test_the_log_is_saved(somebody: LivePerson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "log.txt"
    monkeypatch.setattr(live_screen_controller.QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    somebody.touch("Shop")
    somebody.parts.side.log.save_requested.emit()
    somebody.until(lambda: any("log.txt" in told for told in somebody.person.told), "the end")
    assert target.read_text("utf-8").splitlines()[-1].endswith("Tap")


def test_screen_and_tree_are_saved_as_a_recording(
    somebody: LivePerson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "one screen"
    monkeypatch.setattr(live_screen_controller.QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    somebody.person.choose("device.save_screen")
    somebody.until(lambda: any("one screen" in told for told in somebody.person.told), "the end")
    somebody.person.open(target)
    episode = somebody.person.selection.episode
    assert episode is not None and len(episode.steps) == 1 and episode.steps[0].observation.tree is not None


def test_a_phone_that_may_not_be_used_says_what_to_do(somebody: LivePerson) -> None:
    somebody.parts.left.devices.connect_requested.emit("locked")
    assert any("allow USB debugging" in told for told in somebody.person.told)
    assert somebody.live.current is not None


def test_a_phone_that_cannot_be_opened_is_told_once(somebody: LivePerson, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(serial: str) -> FakeDevice:
        raise DeviceError(f"{serial} does not answer", hint="Plug it in again.")

    somebody.person.choose("device.disconnect")
    somebody.until(lambda: somebody.phone.closed, "the phone let go")
    assert somebody.parts.centre.is_empty
    monkeypatch.setattr(stepscope.app.services.live.devices, "open_device", refuse)
    somebody.parts.left.devices.connect_requested.emit("fake")
    somebody.until(lambda: any("does not answer" in told for told in somebody.person.told), "the message")
    assert somebody.parts.centre.is_empty and somebody.live.current is None


def test_a_campaigns_task_fills_the_panel_and_opens_the_app_once_a_phone_is_there(somebody: LivePerson) -> None:
    somebody.person.choose("device.disconnect")
    somebody.until(lambda: somebody.phone.closed, "the phone let go")
    somebody.phone.closed = False
    somebody.bench.campaigns.task_wanted.emit("Buy a kettle", "Shop")
    assert somebody.parts.left.task.goal() == "Buy a kettle"
    somebody.connect()
    somebody.until(lambda: somebody.phone.done == [OpenApp("Shop")], "the app")
    assert somebody.phone.page == "list"


def test_goals_of_the_open_data_are_offered(somebody: LivePerson) -> None:
    field = somebody.parts.left.task.goal_field
    somebody.until(lambda: field.suggested(), "the goals")
    assert field.suggested() == ["Buy a lamp", "Order a chair", "Take the tour"]


def test_drags_and_long_presses_reach_the_phone(somebody: LivePerson) -> None:
    somebody.view.swiped.emit(Point(54, 200, SIZE), Point(54, 60, SIZE), 250)
    somebody.view.long_pressed.emit(Point(54, 60, SIZE))
    somebody.until(lambda: len(somebody.phone.done) == 2, "both")
    assert somebody.phone.done == [
        Swipe(Point(54, 200, SIZE), Point(54, 60, SIZE)), LongPress(Point(54, 60, SIZE))
    ]  # fmt: skip


def test_the_window_closes_with_a_phone_that_is_lost(somebody: LivePerson) -> None:
    somebody.phone.lose()
    mirror = somebody.live.current.mirror
    somebody.until(lambda: mirror.state.phase is MirrorPhase.LOST, "the loss")
    somebody.person.close()
    assert mirror.state.phase is MirrorPhase.STOPPED and somebody.phone.closed
