"""File ▸ Export of the step and the episode: what the screen shows, with its layers, strengths, rule and runs."""

from __future__ import annotations

import sys
import threading
from datetime import UTC, datetime

import numpy as np
import pytest
from lxml import html
from PIL import Image

import stepscope.app.services.export.episode_frames
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.layers import Layer
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import render_step
from stepscope.core.imaging.probe import probe_picture
from stepscope.core.store.repositories import annotations
from stepscope.widgets.export import AnimationChoice
from tests.app.gui.conftest import SIZE, shade_of
from tests.patience import PATIENCE


def told(person, words: str) -> None:
    person.until(lambda: any(words in text for text in person.told), f"“{words}”; told: {person.told}")
    person.settle()


def pixels_of(path) -> np.ndarray:
    return decode(Picture(path, probe_picture(path).size))


@pytest.fixture
def scored(person, guesses) -> str:
    """`guesses` are shown as run A over the first step of `lamp`."""
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.bench.viewer.open_step("lamp", 0)
    person.arrive("lamp", 0)
    return run


def test_the_picture_of_a_step_is_what_the_screen_shows(person, scored, pick, tmp_path) -> None:
    bar, out = person.window.replay.layers, tmp_path / "step.png"
    bar.set_strength(Layer.TARGET, 0.25)
    person.press("T")  # tolerance off
    person.choose("rule.next")
    person.settle()
    pick(out)
    person.press("Ctrl+E")
    told(person, "Wrote step.png")
    content = person.screen.content
    assert Layer.TOLERANCE not in {mark.layer for mark in content.marks}
    grey = np.full((SIZE.height, SIZE.width, 3), shade_of(0), np.uint8)
    assert (pixels_of(out) == render_step(grey, content.marks, strengths={Layer.TARGET: 0.25})).all()
    assert (pixels_of(out) != render_step(grey, content.marks)).any(), "as weak as on the screen"


def test_an_animation_of_the_episode(person, scored, pick, tmp_path) -> None:
    form, out = person.bench.export_episode.form, tmp_path / "lamp.webp"
    person.choose("export.animation")
    person.until(form.isVisible, "the questions")
    assert not form.isModal()
    texts = [label.text() for label in form.findChildren(type(form._name))]
    assert "Buy a lamp" in texts and "5 steps, 7.5 s" in texts
    assert "Drawn as on the screen: reference, tolerance, target, run A." in texts
    form.times.set_value("recorded")
    form.seconds.setValue(0.5)
    pick(out)
    person.click(form.export_button)
    told(person, "Wrote lamp.webp, 5 steps")
    assert not form.isVisible() and not person.window.task_chip.isVisible()
    with Image.open(out) as found:
        assert found.n_frames == 5
        found.load()
        assert found.info["duration"] == 1000, "recorded one second apart"


def test_a_video_of_the_episode(person, scored, tmp_path) -> None:
    out = tmp_path / "lamp.mp4"
    person.bench.export_episode.animation(AnimationChoice("mp4", "small", 0.5), out)
    told(person, "Wrote lamp.mp4, 5 steps")
    assert out.read_bytes()[4:8] == b"ftyp"


def test_a_cancel_leaves_no_file(person, scored, tmp_path, monkeypatch) -> None:
    gate, begun, draw = threading.Semaphore(1), [], stepscope.app.services.export.episode_frames.Frames.frame

    def frame(frames, place):
        begun.append(place)
        assert gate.acquire(timeout=PATIENCE)
        return draw(frames, place)

    monkeypatch.setattr(stepscope.app.services.export.episode_frames.Frames, "frame", frame)
    out, chip = tmp_path / "lamp.webp", person.window.task_chip
    out.write_bytes(b"old")
    person.bench.export_episode.animation(AnimationChoice("webp", "small"), out)
    person.until(lambda: chip.words().startswith("Writing lamp.webp 1 of 5"), "one of five in the chip")
    person.until(lambda: len(begun) == 2, "the second one begun")
    person.click(chip.cancel)
    gate.release(9)
    person.until(lambda: not chip.isVisible(), "the end of the work")
    person.settle()
    assert out.read_bytes() == b"old" and [path.name for path in tmp_path.glob("lamp*")] == ["lamp.webp"]


def test_a_page_of_the_episode_has_runs_notes_and_links(person, scored, pick, tmp_path) -> None:
    source = person.selection.source.key
    when = datetime(2026, 1, 2, tzinfo=UTC)
    with person.bench.context.database.unit_of_work() as db:
        annotations.put(db, Annotation(source, "lamp", 2, AnnotationKind.NOTE, "far too far", "me", when))
    pick(tmp_path / "lamp.html")
    person.choose("export.page")
    told(person, "Wrote lamp.html")
    page = html.document_fromstring((tmp_path / "lamp.html").read_text("utf-8"))
    said = [" ".join(" ".join(article.itertext()).split()) for article in page.xpath("//article")]
    assert len(said) == 5 == len(page.xpath("//img"))
    assert "✓ hit" in said[0] and "tap!" in said[0] and "✕ miss" in said[3] and "far too far" in said[2]
    link = page.xpath("//h2/a/@href")[3]
    assert link == f"stepscope://shop/lamp/3?runs=A&rule={person.selection.rule.id}&ids={scored}"
    person.bench.links.follow(link)
    person.arrive("lamp", 3)


def test_without_an_episode_there_is_nothing_to_export(person) -> None:
    person.choose("source.close")
    person.settle()
    actions = person.bench.commands.actions
    assert not any(actions[f"export.{what}"].isEnabled() for what in ("picture", "animation", "page"))


def test_without_pyav_a_message_says_what_to_install(person, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    person.choose("export.animation")
    told(person, "animations need PyAV")
    assert not person.bench.export_episode.form.isVisible()
