"""Going through steps faster than their pictures can be decoded."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from tests.benchmarks.long_recordings import write_long
from tests.patience import PATIENCE


@pytest.fixture
def gate(person, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Whole pictures are forgotten, and none is decoded until the gate is opened; small ones are there."""
    opened, cache = threading.Event(), person.bench.context.cache
    decode = cache._decode

    def wait(picture: Picture, size: Size | None) -> object:
        assert opened.wait(PATIENCE)
        return decode(picture, size)

    person.settle()
    monkeypatch.setattr(cache, "_decode", wait)
    cache.clear()
    yield opened
    opened.set()
    person.settle()


def test_small_pictures_are_shown_at_once(person, gate) -> None:
    for step, shade in ((1, 70), (2, 100), (3, 130)):
        person.press("Right")
        assert person.place == ("lamp", step)
        assert person.shade == shade, "from the picture in the timeline"
    small = person.screen.content.picture
    gate.set()
    person.until(lambda: person.screen.content.picture is not small, "the whole picture")
    assert person.shade == 130
    assert person.bench.context.cache.peek(person.selection.episode.shown_at(3)) is person.screen.content.picture


def test_without_a_small_one_the_old_picture_stays_until_the_new_one_comes(person, gate) -> None:
    person.bench.context.thumbnails.clear()
    for _ in range(3):
        person.press("Right")
    assert person.place == ("lamp", 3)
    assert (person.screen.content.number, person.shade) == (1, 40)
    gate.set()
    person.until(lambda: person.shade == 130, "the picture of the fourth step")
    assert person.screen.content.number == 4


def test_who_lets_the_key_go_is_not_kept_waiting(person, gate) -> None:
    replay = person.bench.viewer
    person.hold(Qt.Key.Key_Right)
    person.hold(Qt.Key.Key_Right)
    assert replay._staying.isActive()
    person.let_go(Qt.Key.Key_Right)
    assert not replay._staying.isActive()
    assert "decode" in {task.name for task in person.bench.context.tasks.tasks}


def test_the_panels_tell_of_the_step_where_one_stays(person) -> None:
    for _ in range(3):
        person.press("Right")
    person.press("Home")
    person.settle()
    assert person.window.tree.model.tree is not None, "the first step has a UI tree"
    person.press("Right")
    person.press("Right")
    person.settle()
    assert person.window.tree.model.tree is None
    assert person.window.timeline.current() == 2


def test_a_damaged_picture_is_told_of_where_one_stays(open_window, own_shop) -> None:
    person = open_window(own_shop)
    person.settle()
    for place in range(1, 4):
        person.selection.episode.shown_at(place).path.write_bytes(b"not a picture")
    person.choose("cache.clear")
    for _ in range(3):
        person.press("Right")
    person.settle()
    assert person.error[0].startswith("Cannot show step 4 of")


def test_a_very_tall_page_is_shown_reduced_until_it_is_decoded(open_window, tmp_path, monkeypatch) -> None:
    page = Size(1000, 12_200)
    person = open_window(write_long(tmp_path / "pages", page, "jpeg", 2, elements=2))
    cache, opened = person.bench.context.cache, threading.Event()
    decode = cache._decode
    monkeypatch.setattr(cache, "_decode", lambda *what: decode(*what) if opened.wait(PATIENCE) else None)
    person.bench.context.pictures.clear()
    person.press("End")
    person.until(lambda: person.screen.content.number == 2, "the second page")
    assert person.screen.content.picture.size == Size(250, 3050)
    assert person.screen.viewport.fit_words == "Fit width"
    opened.set()
    person.until(lambda: person.screen.content.picture.size == page, "the whole page")
    person.settle()
