"""Opening recordings and walking through them, in the whole window."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Picture, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.layers import Layer
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.sources.recording import open_recording
from stepscope.widgets.common import ErrorCard, ShownVerdict
from stepscope.widgets.library.bars import MissingBar, PartialBar
from stepscope.widgets.timeline import Lane, LaneCell
from tests.app.gui.conftest import LAMP, write_episode
from tests.patience import PATIENCE

LIST = ["Buy a lamp", "Order a chair", "Take the tour"]


class WindowWatch(QObject):
    """Writes down every window that opens."""

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        self.opened: list[str] = []
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.opened.append(type(watched).__name__)
        return False


# Opening ------------------------------------------------------------------------------------------------------------


def test_a_path_shows_its_rows_and_the_first_step_in_one_window(qapp, open_window, shop) -> None:
    watch = WindowWatch(qapp)
    person = open_window(shop)
    assert person.goals == LIST
    assert person.place == ("lamp", 0)
    assert person.shade == 40
    assert person.window.windowTitle() == "shop – Stepscope"
    assert person.window.status.text("sources") == "shop 3"
    assert watch.opened == ["MainWindow"]
    assert qapp.focusWidget() is person.screen


def test_the_status_line_tells_no_measures_where_nothing_is_open(person) -> None:
    status = person.window.status
    person.press("Right")
    person.until(lambda: status.text("time").startswith("step") and status.text("cache"), "the measures")
    person.choose("source.close")
    person.until(lambda: status.text("sources") == "Nothing open", "nothing open")
    person.until(lambda: not status.text("time") and not status.text("cache"), "no measures")


def test_folders_are_opened_by_dialog_by_drop_and_from_the_recent_list(open_window, shop, own_shop, pick) -> None:
    person = open_window(fresh=True)
    assert person.place is not None, "the sample"
    pick(shop)
    person.choose("open.folder")
    person.arrive("lamp", 0)
    person.drop(own_shop)
    person.until(lambda: len(person.bench.context.sources) == 3, "the third source")
    person.arrive("lamp", 0)
    assert person.window.windowTitle() == "own shop – Stepscope"
    recent = next(menu for menu in person.window.findChildren(QMenu) if menu.title() == "Open &Recent")
    recent.aboutToShow.emit()
    assert [action.text() for action in recent.actions()] == [str(own_shop), str(shop)]
    recent.actions()[1].trigger()
    person.until(lambda: person.window.windowTitle() == "shop – Stepscope", "the recent folder")
    person.arrive("lamp", 0)


def test_one_episode_file_opens_as_a_folder_of_one(open_window, shop, pick) -> None:
    person = open_window()
    pick(shop / "2" / "episode.json")
    person.choose("open.file")
    person.settle()
    assert person.goals == ["Order a chair"]
    assert person.place == ("chair", 0)


@pytest.mark.parametrize(
    ("name", "words"),
    [("junk", "no known format"), ("empty", "is empty"), ("not there", "nothing at this place")],
)
def test_what_cannot_be_opened_is_told_once_and_nothing_is_lost(person, tmp_path, name, words) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk" / "readme.bin").write_bytes(bytes(range(256)))
    person.press("Right")
    person.drop(tmp_path / name)
    person.until(lambda: person.told, "a message")
    person.settle()
    assert len(person.told) == 1
    assert words in person.told[0]
    assert str(tmp_path / name) in person.told[0]
    assert person.alive()
    assert person.place == ("lamp", 1)
    assert person.goals == LIST
    assert str(tmp_path / name) not in person.bench.context.preferences.recent


def test_closing_a_source_shows_the_other_one_and_then_nothing(person, own_shop) -> None:
    person.drop(own_shop)
    person.until(lambda: person.window.windowTitle() == "own shop – Stepscope", "the second source")
    person.arrive("lamp", 0)
    person.press("Ctrl+W")
    person.arrive("lamp", 0)
    assert person.window.windowTitle() == "shop – Stepscope"
    person.press("Ctrl+W")
    person.settle()
    assert person.place is None
    assert person.goals == []
    assert person.window.windowTitle() == "Stepscope"
    for command in ("step.next", "source.close", "evaluate.automation", "copy.step"):
        assert not person.bench.commands.actions[command].isEnabled(), command


# Walking ------------------------------------------------------------------------------------------------------------


def test_keys_walk_through_steps_and_episodes(person) -> None:
    for key, step in (
        ("Right", 1), ("J", 2), ("Left", 1), ("K", 0), ("K", 0), ("End", 4), ("Right", 4), ("Home", 0),
        ("Shift+Right", 4), ("Shift+K", 0),
    ):  # fmt: skip
        person.press(key)
        assert person.place == ("lamp", step), key
    person.settle()
    person.press("PgDown")
    person.arrive("chair", 0)
    person.press("PgDown")
    person.arrive("tour", 0)
    person.press("Shift+Right")
    assert person.place == ("tour", 10)
    person.press("Shift+J")
    assert person.place == ("tour", 20)
    person.press("PgDown")
    person.settle()
    assert person.place == ("tour", 20), "there is no episode behind the last one"
    person.press("PgUp")
    person.arrive("chair", 0)
    assert person.window.episodes.current_position() == 1


def test_every_step_shows_its_own_picture(person) -> None:
    shades = []
    for _ in range(5):
        person.settle()
        shades.append(person.shade)
        person.press("Right")
    assert shades == [40, 70, 100, 130, 160]


def test_bare_keys_rest_in_the_filter_and_escape_leads_back(person) -> None:
    person.press("/")
    field = person.window.episodes.filter.line
    assert QApplication.focusWidget() is field
    person.write("j chair")
    assert field.text() == "j chair"
    assert person.place == ("lamp", 0)
    person.press("Esc")
    assert field.text() == ""
    person.press("Esc")
    assert QApplication.focusWidget() is person.screen
    person.press("J")
    assert person.place == ("lamp", 1)


def test_the_filter_leaves_rows_and_page_keys_stay_inside_it(person) -> None:
    person.press("/")
    person.write("app:org.example.tour | infeasible")
    person.until(lambda: person.goals == LIST[1:], "the filtered list")
    person.press("PgDown", person.screen)
    person.arrive("chair", 0)
    person.press("PgDown", person.screen)
    person.arrive("tour", 0)
    person.choose("filter.clear")
    person.until(lambda: person.goals == LIST, "all rows")
    assert person.place == ("tour", 0)
    assert person.window.episodes.current_position() == 2


def test_a_mistake_in_the_filter_keeps_the_last_result(person) -> None:
    person.press("/")
    person.write("goall:lamp")
    person.until(lambda: person.window.episodes.filter.message(), "the mistake")
    assert "goal" in person.window.episodes.filter.message()
    assert person.goals == LIST
    person.press("Ctrl+A")
    person.write("goal:lamp")
    person.until(lambda: person.goals == ["Buy a lamp"], "the filtered list")
    assert person.window.episodes.filter.message() == ""


def test_arrows_belong_to_the_focused_tree_and_j_still_steps(person) -> None:
    tree = person.window.tree.tree
    tree.setFocus()
    person.press("Home")
    person.press("Down")
    assert person.window.tree.selected_element() == 1
    person.press("Left")
    person.press("End")
    assert person.place == ("lamp", 0)
    person.press("J")
    assert person.place == ("lamp", 1)


def test_space_plays_to_the_end_and_stops(person) -> None:
    assert person.bench.context.preferences.speed == 1.0
    person.press(".")
    person.press(".")
    assert person.bench.context.preferences.speed == 4.0
    person.press(",")
    assert person.bench.context.preferences.speed == 2.0
    person.press(".")
    person.press("Home")
    person.press("Space")
    assert person.bench.playback.playing
    person.press("Space")
    assert not person.bench.playback.playing
    assert person.place == ("lamp", 0)
    person.window.timeline.setFocus()
    person.press("Space")
    assert person.bench.playback.playing
    person.until(lambda: person.place == ("lamp", 4), "the last step")
    person.until(lambda: not person.bench.playback.playing, "the end of playing")


def test_back_and_forward_lead_through_the_episodes(person) -> None:
    person.press("Right")
    person.press("PgDown")
    person.arrive("chair", 0)
    person.press("Ctrl+[")
    person.arrive("lamp", 1)
    assert not person.bench.commands.actions["go.back"].isEnabled()
    person.press("Ctrl+]")
    person.arrive("chair", 0)


def test_a_step_is_gone_to_by_its_number(person) -> None:
    person.press("Ctrl+G")
    person.write("4")
    person.press("Return")
    assert person.place == ("lamp", 3)
    assert QApplication.focusWidget() is person.screen


def test_a_click_on_the_timeline_shows_that_step(person) -> None:
    strip = person.window.timeline.strip
    person.click(strip.viewport(), strip._column(3).center())
    assert person.place == ("lamp", 3)


# Screen and tree ----------------------------------------------------------------------------------------------------


def test_zoom_stays_while_stepping_and_fit_undoes_it(person) -> None:
    fitted = person.screen.viewport.percent
    person.press("+")
    person.press("+")
    enlarged = person.screen.viewport.percent
    assert enlarged == pytest.approx(fitted * 1.25**2)
    person.press("Right")
    person.settle()
    assert person.screen.viewport.percent == pytest.approx(enlarged)
    person.press("F")
    assert person.screen.viewport.percent == pytest.approx(fitted)


def test_a_click_selects_the_element_and_clicking_again_cycles(person) -> None:
    person.choose("layer.reference")  # its mark lies on the button and takes clicks
    person.choose("layer.target")
    person.choose("layer.tolerance")
    chosen, named = [], []
    for _ in range(4):
        person.click_pixel(54, 120)
        chosen.append(person.window.tree.selected_element())
        named.append(person.screen._selected_words)
    assert named[:2] == ["Search · Button · 1 of 3 here", "LinearLayout · 2 of 3 here"], "and the screen says which"
    assert chosen == [2, 1, 0, 2], "the button, its panel, the screen, and the button again"
    person.press("Right")
    person.press("Left")
    person.settle()
    person.click_pixel(15, 95)
    assert person.window.tree.selected_element() == 1


def test_the_tree_selects_on_the_screen(person) -> None:
    row = person.window.tree.tree.visualRect(person.window.tree.model.index_of(2))
    person.click(person.window.tree.tree.viewport(), row.center())
    assert person.screen._selected_box == person.selection.step.observation.tree.elements[2].box


def test_layers_are_toggled_by_key_and_menu_and_chip_agree(person) -> None:
    layers, actions = person.window.replay.layers, person.bench.commands.actions
    for key, layer, command in (
        ("1", Layer.REFERENCE, "layer.reference"), ("T", Layer.TOLERANCE, "layer.tolerance"),
        ("U", Layer.TREE, "layer.tree"), ("G", Layer.TARGET, "layer.target"), ("L", Layer.LABELS, "layer.labels"),
    ):  # fmt: skip
        before = layer in layers.layers
        for wanted in (not before, before):
            person.press(key)
            assert (layer in layers.layers) is wanted, key
            assert layers.chip(layer).isChecked() is wanted, key
            assert actions[command].isChecked() is wanted, key
    person.press("U")
    assert {mark.layer for mark in person.screen.content.marks} >= {Layer.TREE, Layer.REFERENCE}
    person.press("1")
    assert Layer.REFERENCE not in {mark.layer for mark in person.screen.content.marks}


@pytest.mark.parametrize("focus", ["screen", "timeline"])
def test_o_held_shows_the_bare_picture(person, focus) -> None:
    (person.screen if focus == "screen" else person.window.timeline).setFocus()
    place = person.screen.viewport.to_view(person.selection.step.action.point)
    x, y = round(place[0]), round(place[1])

    def middle() -> tuple[int, int, int]:
        return person.screen.grab().toImage().pixelColor(x, y).getRgb()[:3]

    with_mark = middle()
    person.hold(Qt.Key.Key_O)
    assert middle() == (40, 40, 40)
    person.let_go(Qt.Key.Key_O)
    assert middle() == with_mark != (40, 40, 40)


def test_copies_of_a_step_and_of_a_link_to_it(person) -> None:
    person.press("Right")
    person.press("Ctrl+C")
    copied = json.loads(QGuiApplication.clipboard().text())
    assert (copied["index"], copied["action"]["kind"], copied["action"]["text"]) == (1, "type", "lamp")
    person.press("Ctrl+Shift+C")
    assert QGuiApplication.clipboard().text() == "stepscope://shop/lamp/1?rule=aitw"


# Rules --------------------------------------------------------------------------------------------------------------


def test_rules_are_changed_by_key_and_verdicts_follow(person, guesses) -> None:
    """15 pixels below the button's middle: within 0.14 of the screen, but 5 pixels outside the button."""
    person.score(guesses)
    person.choose("workspace.replay")
    person.press("Home", person.screen)
    seen = []
    for _ in RULES:
        (card,) = person.window.inspector.step_page.cards
        seen.append((person.selection.rule.id, card.accessibleName().split(": ")[1].split(".")[0]))
        person.press("]", person.screen)
    assert [rule for rule, _ in seen] == [rule.id for rule in RULES]
    told = {"aitw": "hit", "aitw-exact": "hit", "motif-object": "hit", "motif-point": "miss", "motif-box": "hit",
            "smallest_box": "miss", "radius14": "hit"}  # fmt: skip
    assert {rule: verdict for rule, verdict in seen if rule in told} == told
    assert person.selection.rule.id == "aitw", "once around"
    person.press("[", person.screen)
    assert person.selection.rule.id == RULES[-1].id
    assert person.window.inspector.step_page.rule() == RULES[-1].id


# What is broken -----------------------------------------------------------------------------------------------------


def screens(folder: Path) -> list[Path]:
    return sorted((folder / "1" / "screens").iterdir())


def test_a_truncated_picture_is_told_in_its_place_and_the_other_steps_work(open_window, own_shop) -> None:
    second = screens(own_shop)[1]
    second.write_bytes(second.read_bytes()[:60])
    person = open_window(own_shop)
    person.press("Right")
    person.settle()
    assert person.place == ("lamp", 1)
    title, text = person.error
    assert title.startswith("Cannot show step 2 of")
    assert second.name in text
    assert "The other 4 steps are open." in text
    person.press("Right")
    person.settle()
    assert person.error is None
    assert person.shade == 100


def test_a_missing_picture_is_told_in_its_place(open_window, own_shop) -> None:
    screens(own_shop)[2].unlink()
    person = open_window(own_shop)
    person.press("Right")
    person.press("Right")
    person.settle()
    title, text = person.error
    assert title.startswith("Cannot show step 3 of")
    assert "screens" in text
    assert "1 problem" in person.window.episodes.findChild(PartialBar).words()
    person.press("Left")
    person.settle()
    assert person.error is None
    assert person.shade == 70


def test_a_picture_that_goes_away_while_the_window_is_open(person, own_shop) -> None:
    person.drop(own_shop)
    person.until(lambda: person.window.windowTitle() == "own shop – Stepscope", "the second source")
    person.arrive("lamp", 0)
    for screen in screens(own_shop):
        screen.unlink()
    person.choose("cache.clear")
    person.press("End")
    person.settle()
    assert person.error[0].startswith("Cannot show step 5 of")
    assert person.alive()


def test_a_broken_tree_is_told_in_the_trees_place(open_window, own_shop) -> None:
    (own_shop / "1" / "trees" / "0000.json").write_text('{"elements": [', "utf-8")
    person = open_window(own_shop)
    assert "The UI tree of this step cannot be read" in person.window.tree.findChild(ErrorCard).words()
    assert person.shade == 40, "the picture is there all the same"


def test_an_unreadable_episode_is_counted_in_amber_and_listed(open_window, own_shop) -> None:
    (own_shop / "2" / "episode.json").write_text('{"format": "stepscope-recording", "version": 99}', "utf-8")
    person = open_window(own_shop)
    assert person.goals == ["Buy a lamp", "Take the tour"]
    bar = person.window.episodes.findChild(PartialBar)
    assert bar.isVisible()
    assert "1 of 3 skipped" in bar.words()
    person.click(bar)
    person.settle()
    page = person.bench.tools.pages["Check Source"]
    assert page.isVisible() and page.heading.text() == "Check Source: own shop"
    (row,) = [row.cells for row in page.shown() if len(row.cells) == 4]
    assert row[:2] == ("2/episode.json", "2")
    assert "version 99" in row[3]
    page.window().close()


# Slow and large sources -----------------------------------------------------------------------------------------------


class GatedSource:
    """Reads an episode only when its gate is open."""

    format = "recording"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inner = open_recording(path)
        self.gates = {name: threading.Event() for name in ("lamp", "chair", "tour")}
        self.asked: list[str] = []

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        for row in self._inner.scan():
            yield replace(row, checked=True) if isinstance(row, EpisodeSummary) else row

    def read(self, episode_id: str, place: str = "") -> Episode:
        self.asked.append(episode_id)
        assert self.gates[episode_id].wait(PATIENCE)
        return self._inner.read(episode_id)


def test_a_late_answer_for_an_episode_that_was_left_is_dropped(open_window, shop, read_here) -> None:
    gated = GatedSource(shop)
    read_here(gated)
    gated.gates["lamp"].set()
    gated.gates["chair"].set()
    person = open_window(shop)
    person.press("PgDown")
    person.until(lambda: person.place == ("chair", 0), "the episode that was read ahead")
    person.press("PgDown")
    person.press("PgUp")
    gated.gates["tour"].set()
    person.settle()
    assert person.place == ("chair", 0), "asked for last"


def test_an_episode_that_is_being_read_ahead_is_shown_when_it_comes(open_window, shop, read_here) -> None:
    gated = GatedSource(shop)
    read_here(gated)
    gated.gates["lamp"].set()
    gated.gates["chair"].set()
    person = open_window(shop)
    person.press("PgDown")
    person.until(lambda: gated.asked.count("tour") == 1, "the next one is being read")
    person.press("PgDown")
    gated.gates["tour"].set()
    person.arrive("tour", 0)
    person.settle()
    assert gated.asked.count("tour") == 1


def test_a_late_picture_of_a_step_that_was_left_is_dropped(person, monkeypatch) -> None:
    cache, gate = person.bench.context.cache, threading.Event()
    decode, slow = cache._decode, person.selection.episode.steps[1].observation.screenshot.path

    def decode_slowly(picture: Picture, size: Size | None) -> object:
        assert picture.path != slow or gate.wait(PATIENCE)
        return decode(picture, size)

    monkeypatch.setattr(cache, "_decode", decode_slowly)
    shown: list[int] = []
    person.choose("cache.clear")
    person.bench.viewer.picture_ready.connect(lambda picture: shown.append(picture.image.pixelColor(5, 5).red()))
    person.press("Right")
    person.press("Right")
    gate.set()
    person.until(lambda: person.shade == 100, "the picture of the third step")
    person.settle()
    assert shown == [100]


class EndlessSource:
    """10,000 episodes of one step, the last half of which waits behind a gate."""

    format = "recording"
    SIZE = Size(100, 200)

    def __init__(self, path: Path) -> None:
        self.path = path
        self.gate = threading.Event()

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        row = EpisodeSummary("", "", None, Platform.ANDROID, 1, 0, ())
        for number in range(10_000):
            if number == 5_000:
                assert self.gate.wait(PATIENCE)
            app = "odd" if number % 2 else "even"
            yield replace(row, id=f"e{number}", goal=f"Goal number {number}", app=app)

    def read(self, episode_id: str, place: str = "") -> Episode:
        seen = Step(0, Observation(self.SIZE))
        number = int(episode_id[1:])
        app = "odd" if number % 2 else "even"
        return Episode(episode_id, self.format, Platform.ANDROID, f"Goal number {number}", (seen,), app=app)


def test_ten_thousand_episodes_show_rows_while_they_are_read(open_window, tmp_path, read_here) -> None:
    source = EndlessSource(tmp_path)
    person = open_window()
    read_here(source)
    person.drop(tmp_path)
    model = person.window.episodes.model
    person.until(lambda: (first := model.value(0)) and first.goal == "Goal number 0", "the first rows")
    person.until(lambda: person.place == ("e0", 0), "the first episode")
    assert model.rowCount() <= 5_000, "half of them is not read yet"
    source.gate.set()
    person.until(lambda: model.rowCount() == 10_000, "all rows")
    person.settle()
    assert person.place == ("e0", 0)
    person.press("/")
    person.write("app:odd 777")
    numbers = [777, 1777, 2777, 3777, 4777, 5777, 6777, 7771, 7773, 7775, 7777, 7779, 8777, 9777]
    person.until(lambda: model.rowCount() == len(numbers), "the filtered list")
    person.until(lambda: "…" not in person.goals, "its words")
    assert person.goals == [f"Goal number {number}" for number in numbers]


def test_data_that_goes_while_it_is_looked_at_is_told_step_by_step_and_comes_back(open_window, own_shop) -> None:
    person = open_window(own_shop)
    person.arrive("lamp", 0)
    away = own_shop.with_name("away")
    own_shop.rename(away)
    person.bench.commands.run("cache.clear")
    for key in ("Right", "End", "PgDown", "Home", "PgUp"):
        person.press(key)
        person.settle()
    assert person.told == [
        f"own shop is not there any more. It was at {own_shop}. Connect its disk, put it back, or say where it is now."
    ]
    assert person.place == ("chair", 0), "read ahead"
    assert person.window.windowTitle() == "own shop (not there) – Stepscope"
    assert person.window.episodes.findChild(MissingBar).isVisible()
    assert person.error == ("The data is not there any more", f"It was at {own_shop}.")
    away.rename(own_shop)
    person.press("F5")
    person.settle()
    person.press("PgUp")
    person.arrive("lamp", 0)
    person.press("PgDown")
    person.arrive("chair", 0)
    assert person.told == [] and person.error is None
    assert person.window.windowTitle() == "own shop – Stepscope"
    assert not person.window.episodes.findChild(MissingBar).isVisible()


def test_the_picture_keeps_half_of_the_window_beside_many_runs(person) -> None:
    cells = (LaneCell(ShownVerdict.MISS, 0.5),) * 5
    for width, height, curved in ((1024, 680, False), (1024, 680, True), (1600, 1000, False)):
        person.window.resize(width, height)
        lanes = [Lane(run, f"run {run}", cells, curve=(0.5,) * 5 if curved else ()) for run in range(7)]
        person.window.timeline.set_lanes(lanes)
        person.settle()
        assert person.screen.height() >= height // 2, (width, height, curved)
        assert person.window.size().height() == height


def test_a_picture_that_is_painted_anew_is_no_step_change(person) -> None:
    person.press("Right")
    person.settle()
    took = person.bench._took
    assert 0 < took < 20
    person.bench.viewer.asked_at -= 240  # the key was pressed four minutes ago
    person.bench._measured = person.bench.viewer.asked_at
    person.choose("theme.light")
    person.choose("view.neighbours")
    person.settle()
    assert person.bench._took == took


def test_the_goal_has_the_room_of_the_title_row(open_window, tmp_path) -> None:
    """Where an episode comes from is told where the whole goal fits beside it; the goal is cut last."""
    write_episode(tmp_path / "lamps" / "1", "short", "Buy a lamp", LAMP)
    write_episode(tmp_path / "lamps" / "2", "long", "Buy the second lamp of the list, in brass", LAMP)
    person = open_window(tmp_path / "lamps")
    person.window.resize(1600, 1000)
    centre = person.window.replay
    said = {}
    for name in ("short", "long"):
        person.bench.viewer.open_episode(name, 0)
        person.until(lambda name=name: person.place[0] == name, name)
        person.settle()
        said[name] = centre._origin.isVisible(), centre._goal.width() >= centre._goal.sizeHint().width()
    assert said == {"short": (True, True), "long": (False, True)}
