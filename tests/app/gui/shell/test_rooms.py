"""The window is made of features: what each says of itself, when it is built, and what it hears while it is hidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import stepscope
from stepscope.app.gui import workbench
from stepscope.app.gui.shell.commands.table import COMMANDS
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.events import Events, ModelsChanged, RunsChanged, RunsListed
from stepscope.app.gui.shell.feature import LateFeature, SessionPart
from stepscope.app.gui.shell.idle_loader import load_order
from stepscope.app.gui.shell.layouts import LATE_VIEWS, LATE_VIEWS_OF, WORKSPACES
from stepscope.app.gui.shell.main_window import MainWindow
from stepscope.app.gui.shell.session_controller import save_session
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

ROOT = Path(stepscope.__file__).parents[1]
BEFORE = Path(__file__).parents[3] / "data" / "sessions"
KEYS = {
    "results": "Ctrl+2",
    "compare": "Ctrl+3",
    "ordering": "Ctrl+4",
    "judge": "Ctrl+5",
    "live": "Ctrl+6",
    "webtask": "Ctrl+7",
    "start": "Ctrl+Shift+H",
    "preferences": "Ctrl+,",
}


@contextmanager
def files_run() -> Iterator[set[str]]:
    """The files of this program whose functions are called meanwhile, from the top of the repository."""
    found: set[str] = set()
    prefix = f"{ROOT}/"

    def look(frame: FrameType, event: str, _argument: Any) -> None:
        caller = frame.f_back.f_code.co_filename if frame.f_back is not None else ""
        if event == "call" and frame.f_code.co_filename.startswith(prefix) and not caller.startswith(f"{prefix}tests/"):
            found.add(frame.f_code.co_filename.removeprefix(prefix))

    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)


def of_hidden(files: set[str], shown: str) -> set[str]:
    """Those that belong to a workspace which is not in front."""
    hidden = [name for name in WORKSPACES if name != shown]
    rooms = tuple(f"{room}/{name}/" for room in ("app/gui/features", "widgets") for name in hidden)
    return {file for file in files if file.startswith(rooms)}


def made_of(window: MainWindow) -> set[str]:
    """The views that were made because somebody looks at them; the form for a run is made while the window rests."""
    return {view for view in LATE_VIEWS if window.is_made(view)} - {"evaluate"}


# What is built when -------------------------------------------------------------------------------------------------


def test_a_window_starts_without_what_is_not_looked_at(person) -> None:
    built = {feature.id for feature in person.bench.features if isinstance(feature, LateFeature) and feature.is_built}
    assert built == set()
    assert made_of(person.window) == set()


@pytest.mark.parametrize("name", KEYS)
def test_a_workspace_is_built_when_it_is_entered(person, name) -> None:
    feature = next(one for one in person.bench.features if one.id == name)
    assert not feature.is_built
    person.press(KEYS[name])
    person.settle()
    assert person.window.workspace == name and feature.is_built
    assert made_of(person.window) == set(LATE_VIEWS_OF.get(name, ()))


class StyleWatch(QObject):
    """How often widgets were told to find their style anew."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.told = 0
        application.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.told += event.type() == QEvent.Type.StyleChange
        return False


@pytest.mark.parametrize("name", KEYS)
def test_views_are_made_inside_their_rooms(person, qapp, name) -> None:
    """What gets its parent when it is whole has all its parts styled anew, at each level: Results took seven times."""
    before = len(person.window.findChildren(QWidget))
    watch = StyleWatch(qapp)
    person.window.set_workspace(name)
    told, made = watch.told, len(person.window.findChildren(QWidget)) - before
    watch.deleteLater()
    person.settle()
    assert made > 30 and told < 4 * made


def test_each_feature_declares_the_commands_that_it_handles(person) -> None:
    for feature in person.bench.features:
        if isinstance(feature, LateFeature):
            commands, keys = feature.build()
            assert set(commands) == set(feature.commands), feature.id
            assert set(keys) == set(feature.keys), feature.id
    known = {command.id for command in COMMANDS}
    assert all(set(feature.handlers()) | set(feature.own_keys()) <= known for feature in person.bench.features)


def test_features_have_names_of_their_own(person) -> None:
    names = [feature.id for feature in person.bench.features]
    assert len(set(names)) == len(names) and set(WORKSPACES) <= set(names)
    rooms = {
        folder.name for folder in (ROOT / "app" / "gui" / "features").iterdir() if (folder / "feature.py").exists()
    }
    assert rooms == set(names)


LIBRARIES = ("numpy", "cv2", "sqlalchemy", "pyqtgraph", "superqt", "torch", "sklearn", "scipy", "multiprocessing")
HIDDEN = (
    "app.gui.features.campaigns.campaign_", "app.gui.features.compare.compare",
    "app.gui.features.evaluate.evaluate_form", "app.gui.features.export.export", "app.gui.features.judge.judge",
    "app.gui.features.live.live",
    "app.gui.features.models.presenter", "app.gui.features.ordering.ordering", "app.gui.features.results.breakdown",
    "app.gui.features.start.presenter", "app.gui.features.start.sample_opening", "app.gui.features.start.start",
    "app.gui.features.start.tour", "app.services.recent", "app.services.sample_runs", "widgets.start",
    "app.gui.features.training.training", "app.gui.features.webtask.webtask", "app.services.worker",
    "core.scoring.rule", "core.store", "models", "widgets.compare", "widgets.evaluate.form", "widgets.judge",
    "widgets.live", "widgets.models", "widgets.ordering", "widgets.results.results_view", "widgets.results.runs_view",
    "widgets.training", "widgets.transcript", "widgets.webtask",
)  # fmt: skip
"""Beginnings of the names of modules that belong to what is not in front."""
MOST_MODULES = 295
"""of this program before the first paint: 290 when this was written"""


def test_the_window_is_shown_without_what_belongs_to_what_is_hidden(tmp_path: Path) -> None:
    """In a process of its own: pictures, the store, models and hidden workspaces bring their modules themselves."""
    code = f"""
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.workbench import Workbench
home = Path({str(tmp_path)!r})
application = make_application()
bench = Workbench(application, AppFolders(home / "preferences.json", home / "window.ini", "sqlite://"))
bench.window.show()
QTimer.singleShot(0, application.quit)
application.exec()
hidden = tuple("stepscope." + name for name in {HIDDEN!r})
print(*sorted(name for name in sys.modules if name in {LIBRARIES!r} or name.startswith(hidden)))
print(sum(name.startswith("stepscope.") for name in sys.modules))
bench.close()
"""
    own = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, env=own)
    assert done.returncode == 0, done.stderr
    hidden, number = done.stdout.split("\n")[:2]
    assert hidden == "" and int(number) <= MOST_MODULES


# What is heard ------------------------------------------------------------------------------------------------------


def test_an_arrow_key_in_replay_touches_nothing_of_a_hidden_workspace(person) -> None:
    for key in (*KEYS.values(), "Ctrl+1"):
        person.press(key)
        person.settle()
    person.press("Right")
    person.settle()
    timers = person.window.findChildren(QTimer)
    person.until(lambda: not any(one.isActive() and one.isSingleShot() for one in timers), "rest after entering them")
    step = person.selection.step_index
    with files_run() as files:
        person.press("Right")
        person.settle()
    assert person.selection.step_index == step + 1
    assert "app/gui/shell/episode_viewer.py" in files, "what is called is seen"
    assert of_hidden(files, "replay") == set()


@pytest.mark.parametrize("name", ["compare", "ordering"])
def test_what_a_workspace_missed_is_there_when_it_is_entered_again(person, name) -> None:
    person.press(KEYS[name])
    person.settle()
    person.press("Ctrl+1")
    person.bench.viewer.open_episode("chair")
    person.until(lambda: person.selection.episode.id == "chair", "the other episode")
    person.settle()
    with files_run() as files:
        person.press(KEYS[name])
        person.settle()
    assert any(file.startswith(f"app/gui/features/{name}/") for file in files)
    if name == "ordering":
        assert person.bench.ordering._read_for is person.selection.episode


def test_the_time_of_a_step_is_that_of_going_to_it_not_of_entering_a_workspace(person, guesses) -> None:
    for run in (person.score(guesses), person.score(guesses)):
        person.selection.show_run(run)
    person.press("Ctrl+1")
    person.settle()
    person.press("Right")
    person.settle()
    took = person.bench._took
    assert took > 0
    person.bench.viewer.asked_at -= 1000
    person.press("Ctrl+3")
    person.settle()
    assert person.bench._took == took


def test_whoever_is_asked_may_keep_the_window_open(qtbot: QtBot, tmp_path: Path) -> None:
    window = MainWindow(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat), str, lambda *_: "")
    qtbot.addWidget(window)
    window.set_menu_corner("", str)
    asked, stays = list[str](), [True]

    def stay(event: QCloseEvent) -> None:
        asked.append("first")
        if stays[0]:
            event.ignore()

    window.closing.connect(stay)
    window.closing.connect(lambda _event: asked.append("second"))
    assert not window.close() and asked == ["first", "second"]
    stays[0] = False
    assert window.close() and asked == ["first", "second"] * 2


class Told(QObject):
    said = Signal(int)


def test_events_reach_who_listens_and_a_hidden_workspace_hears_the_last_of_each_kind() -> None:
    shown, heard, told = ["replay"], list[object](), Told()
    events = Events(lambda: shown[0])
    events.on(RunsChanged, lambda event: heard.append(event))
    events.while_shown("compare", RunsListed, lambda event: heard.append(("compare", event)))
    events.while_shown("compare", ModelsChanged, lambda event: heard.append(("compare", event)))
    events.signal_while_shown("compare", told.said, lambda number: heard.append(number))
    events.signal_while_shown("compare", told.said, lambda number: heard.append(-number), later=False)
    events.publish(RunsChanged())
    for event in (ModelsChanged("a"), RunsListed(), ModelsChanged("b")):
        events.publish(event)
    told.said.emit(1)
    told.said.emit(2)
    assert heard == [RunsChanged()]
    shown[0] = "compare"
    events.tell("compare")
    assert heard[1:] == [("compare", RunsListed()), ("compare", ModelsChanged("b")), 2]
    told.said.emit(3)
    assert heard[4:] == [3, -3]
    events.tell("compare")
    assert len(heard) == 6, "it is told once"


def test_a_listener_that_breaks_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    events, heard, told = Events(lambda: "replay"), list[object](), list[str]()
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: told.append(f"{kind.__name__}: {error}"))

    def broken(_event: RunsChanged) -> None:
        raise ValueError("no")

    events.on(RunsChanged, broken)
    events.on(RunsChanged, heard.append)
    events.publish(RunsChanged())
    assert heard == [RunsChanged()] and told == ["ValueError: no"]


class Owner(QObject):
    changed = Signal()


def test_a_part_of_the_session_waits_for_its_owner() -> None:
    owner, restored, fired = Owner(), list[object](), list[bool]()
    part = SessionPart(owner)
    part.changed.connect(lambda: fired.append(True))
    assert part.state() == {}
    part.restore({"base": "A"})
    assert part.state() == {"base": "A"}, "it is saved again as it came"
    part.take_over(lambda: {"base": "B"}, restored.append, owner.changed)
    assert restored == [{"base": "A"}] and part.state() == {"base": "B"}
    owner.changed.emit()
    part.restore({"base": "C"})
    assert restored[1:] == [{"base": "C"}] and fired == [True]


# What was saved before ----------------------------------------------------------------------------------------------


def test_session_layout_and_preferences_of_before_open(open_window: Callable[..., Any], store: Path) -> None:
    """Saved by the last version whose controllers lay in one folder: on the sample, in Step ordering."""
    places = AppFolders.of_user(store_url(store))
    places.preferences.parent.mkdir(parents=True, exist_ok=True)
    places.preferences.write_bytes((BEFORE / "before_rooms_preferences.json").read_bytes())
    places.layout.write_bytes((BEFORE / "before_rooms.ini").read_bytes())
    saved = json.loads((BEFORE / "before_rooms.json").read_text().replace("SAMPLE", str(SAMPLE)))
    database = Database.open(store_url(store))
    save_session(database, saved)
    database.close()
    person = open_window()
    person.until(lambda: person.selection.episode is not None, "the episode")
    person.settle()
    assert (person.selection.episode.id, person.selection.step_index) == ("premature-checkout", 2)
    assert person.window.workspace == "ordering" and person.bench.library.filter_text == "app:shop"
    assert person.bench.context.preferences.speed == 2.0 and not person.bench.context.preferences.neighbours
    assert not person.window.docks["orders"].isHidden() and person.window.docks["timeline"].isHidden()
    assert person.bench.session.state()["compare screens"] == {"linked": False, "overlaid": False, "large": []}
    person.press("Ctrl+3")
    person.settle()
    assert not person.window.compare.linked.isChecked()


# Loading ahead ------------------------------------------------------------------------------------------------------


def test_modules_are_loaded_after_what_they_import() -> None:
    """Except that a package brings the modules that it imports itself, as it must."""
    code = """
import importlib, sys
from stepscope.app.gui.shell.idle_loader import load_order
order = load_order(["stepscope.app.gui.features.live.live_workspace", "stepscope.widgets.live.parts"])
for name in order:
    known = set(sys.modules)
    importlib.import_module(name)
    package = name.rpartition(".")[0]
    others = {one for one in set(sys.modules) - known if one.startswith("stepscope.")}
    strange = {one for one in others if not one.startswith(package) and one not in order}
    assert not strange, (name, strange)
print(len(order), "stepscope.widgets.live.parts" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    number, loaded = done.stdout.split()
    assert int(number) > 50 and loaded == "True"
    assert load_order(["stepscope.app.gui.shell.idle_loader", "json", "stepscope.no_such"]) == [], "loaded, or not ours"


def test_what_workspaces_need_is_loaded_in_the_background(shop) -> None:
    """In a process of its own, nothing is loaded yet."""
    code = f"""
import sys
from pathlib import Path
from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.feature import LateFeature
from stepscope.app.gui.workbench import StartupRequest, Workbench
from stepscope.app.gui.walk import wait_for
bench = Workbench(make_application(), AppFolders.of_user("sqlite://"))
late = [name for one in bench.features if isinstance(one, LateFeature) for name in one.modules]
print(sum(name in sys.modules for name in late), len(late))
bench.begin(StartupRequest((Path({str(shop)!r}),)))
wait_for(lambda: all(name in sys.modules for name in late), "the modules", 60)
print(any(one.is_built for one in bench.features if isinstance(one, LateFeature)), bench.close())
"""
    own = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, env=own)
    assert done.returncode == 0, done.stderr
    before, after = done.stdout.splitlines()
    loaded, number = map(int, before.split())
    assert loaded < number / 2 and after == "False True"


def test_a_window_gets_ready_for_what_comes_next_once(open_window, shop, monkeypatch) -> None:
    """What that loads is here from the first test on."""
    asked = []
    monkeypatch.setattr(workbench, "get_ready", asked.append)
    open_window(shop)
    assert len(asked) == 1


def test_who_enters_a_workspace_early_waits_for_it_while_the_window_answers(shop) -> None:
    """In a process of its own, nothing is loaded yet: turns of the event loop come between the modules, and who goes
    elsewhere meanwhile is not called back."""
    code = f"""
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.idle_loader import IdleLoader
from stepscope.app.gui.workbench import StartupRequest, Workbench
from stepscope.app.gui.walk import wait_for
bench = Workbench(make_application(), AppFolders.of_user("sqlite://"))
bench.begin(StartupRequest((Path({str(shop)!r}),)))
bench._loader.begin = lambda *_: None
run, window = bench.commands.run, bench.window
needed = {{feature.id: feature.modules for feature in bench.features if feature.id in ("live", "webtask")}}
turns = []
ticks = QTimer()
ticks.timeout.connect(lambda: turns.append(sum(name.startswith("stepscope.") for name in tuple(sys.modules))))
ticks.start(0)
run("workspace.webtask")
print(window.workspace, all(name in sys.modules for name in needed["webtask"]))
wait_for(lambda: window.workspace == "webtask", "Web task", 60)
print(all(name in sys.modules for name in needed["webtask"]), len(set(turns)) > 20)
run("workspace.live")
run("workspace.replay")
wait_for(lambda: all(name in sys.modules for name in needed["live"]), "what was wanted of Live", 60)
print(window.workspace, bench.close())
"""
    own = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, env=own)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["replay", "False", "True", "True", "replay", "True"]


def test_the_evaluate_form_is_made_while_the_window_rests(shop: Path) -> None:
    """So that who opens it waits for the filling alone."""
    code = f"""
from pathlib import Path
from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.workbench import StartupRequest, Workbench
from stepscope.app.gui.walk import wait_for
bench = Workbench(make_application(), AppFolders.of_user("sqlite://"))
bench.begin(StartupRequest((Path({str(shop)!r}),)))
wait_for(lambda: bench.context.selection.episode is not None, "the episode", 60)
print(bench.window.is_made("evaluate"))
wait_for(lambda: bench.window.is_made("evaluate"), "the form", 60)
print(bench.window.is_dock_hidden("evaluate"), bench.close())
"""
    own = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, env=own)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "True", "True"]
