"""`stepscope episode … -o FILE`: an animation, a page or a sheet, or nothing."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import av
import numpy as np
import pytest
from lxml import html
from PIL import Image

from stepscope.core.domain.episode import Picture
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.probe import probe_picture


@pytest.fixture
def pictured(tmp_path: Path) -> Path:
    """Predictions for `lamp` with a map over all of the first screen."""
    bright = base64.b64encode(encode_png(np.full((20, 10, 3), 255, np.uint8))).decode()
    line = {"episode": "lamp", "step": 0, "action": {"kind": "tap", "point": [52, 104]}}
    path = tmp_path / "pictured.jsonl"
    path.write_text(json.dumps(line | {"pictures": [{"name": "occlusion", "data": bright}]}) + "\n")
    return path


def test_an_animation_of_each_kind(cli, recordings, predictions, tmp_path) -> None:
    for suffix in (".webp", ".MP4"):
        out = tmp_path / f"lamp{suffix}"
        ended = cli("episode", recordings, "lamp", "-o", out, "--predictions", predictions, "--seconds", "0.5")
        assert (ended.status, ended.out) == (0, f"{out}\n"), ended.err
    with Image.open(tmp_path / "lamp.webp") as found:
        assert found.n_frames == 4
    with av.open(str(tmp_path / "lamp.MP4")) as container:
        assert container.duration / av.time_base == pytest.approx(2.0, abs=0.1)


def test_a_page_with_runs_of_the_store_and_what_people_said(cli, store, recordings, predictions, tmp_path) -> None:
    cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw")
    cli("annotate", recordings, "lamp", "--step", "0", "--note", "look at the lamp")
    run = cli("runs", "list", "--json").json[0]["run"]
    out = tmp_path / "lamp.html"
    assert cli("episode", recordings, "lamp", "-o", out, "--run", "last").status == 0
    page = html.document_fromstring(out.read_text("utf-8"))
    said = " ".join(" ".join(page.itertext()).split())
    for part in ("recordings · lamp", "A elsewhere", "✓ hit", "✕ miss", "look at the lamp", "Which lamp?"):
        assert part in said, said
    assert page.xpath("//h2/a/@href")[1].endswith(f"recordings/lamp/1?runs=A&ids={run}")


def test_a_sheet_of_all_steps(cli, recordings, tmp_path) -> None:
    out = tmp_path / "lamp.png"
    assert cli("episode", recordings, "lamp", "-o", out, "--size", "small").status == 0
    size = probe_picture(out).size
    assert size.width == 4 * 360 + 3 * 12


def test_layers_and_attached_pictures(cli, store, recordings, pictured, tmp_path) -> None:
    def sheet(*more: object) -> np.ndarray:
        out = tmp_path / "lamp.png"
        ended = cli("episode", recordings, "lamp", "-o", out, *more)
        assert ended.status == 0, ended.err
        return decode(Picture(out, probe_picture(out).size)).astype(int)

    cli("evaluate", "automation", recordings, "--predictions", pictured)
    bare = sheet("--layer", "labels")
    from_file = sheet("--predictions", pictured, "--layer", "saliency,A")
    from_store = sheet("--run", "last", "--layer", "saliency,A")
    first = np.s_[10:150, 140:220]
    assert (bare[first] == 128).all()
    assert np.abs(from_file[first] - 128).max(axis=2).mean() > 80, "orange over grey"
    assert (from_file[first] == from_store[first]).all()


@pytest.mark.parametrize(
    ("output", "extra", "words"),
    [
        ("lamp.gif", [], "no kind of file that an episode can be written as. Name it .webp, .mp4, .html or .png."),
        ("lamp.html", ["--seconds", "2"], "--seconds and --recorded go with .webp and .mp4 only"),
        ("lamp.html", ["--recorded"], "--seconds and --recorded go with .webp and .mp4 only"),
        ("lamp.webp", ["--size", "huge"], "There is no size 'huge'"),
        ("lamp.webp", ["--layer", "silver"], "There is no layer 'silver'"),
        ("lamp.webp", ["--run", "abc"], "There is no run 'abc'"),
        ("lamp.webp", ["--predictions", "nowhere"], "there is no such file"),
        ("lamp.webp", ["--json"], "-o goes without --json"),
        ("no/lamp.webp", [], "the folder of this file is not there"),
        (None, ["--size", "small"], "options of a drawn episode mean nothing without a file"),
    ],
)
def test_nothing_is_made_on_an_error(cli, recordings, tmp_path, output, extra, words) -> None:
    before = sorted(tmp_path.iterdir())
    target = [] if output is None else ["-o", tmp_path / output]
    ended = cli("episode", recordings, "lamp", *target, *extra)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert sorted(tmp_path.iterdir()) == before


def test_an_episode_that_is_not_there_is_told_with_the_nearest(cli, recordings, tmp_path) -> None:
    ended = cli("episode", recordings, "lamb", "-o", tmp_path / "x.html")
    assert ended.status == 2 and "there is no episode 'lamb'" in ended.line


def test_a_file_without_the_episode_is_refused(cli, recordings, pictured, tmp_path) -> None:
    ended = cli("episode", recordings, "chair", "-o", tmp_path / "x.html", "--predictions", pictured)
    assert ended.status == 2 and "it has no prediction for the episode 'chair'" in ended.line


def test_an_episode_without_pictures_is_shown_in_words(cli, recordings, tmp_path) -> None:
    out = tmp_path / "chair.png"
    assert cli("episode", recordings, "chair", "-o", out).status == 0
    assert probe_picture(out).size.width == 2 * 360 + 12
