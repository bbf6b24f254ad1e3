"""`stepscope render`: a picture with marks, or nothing."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.recording_writer import RecordingWriter


def _pixels(path: Path) -> np.ndarray:
    return decode(Picture(path, Size(100, 200))).astype(int)


def test_marks_are_drawn_on_the_screenshot(cli, recordings, tmp_path):
    ended = cli("render", recordings, "lamp", "--step", "0", "-o", tmp_path / "step.png")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == f"{tmp_path / 'step.png'}\n"
    pixels = _pixels(tmp_path / "step.png")
    assert pixels.shape == (200, 100, 3)
    near, far = pixels[90:111, 40:61], pixels[190:, :10]
    assert (near != 128).any(), "the reference is at (50, 100)"
    assert (far == 128).all(), "nothing is drawn in the corner"


def test_layers_choose_what_is_drawn(cli, recordings, tmp_path):
    def drawn(*layers: str) -> np.ndarray:
        out = tmp_path / "step.png"
        assert cli("render", recordings, "lamp", "--step", "0", "-o", out, *layers).status == 0
        return _pixels(out) != 128

    everything, gold = drawn("--layer", "gold,tree,tolerance"), drawn("--layer", "gold")
    assert 0 < gold.sum() < everything.sum()
    assert (drawn("--layer", "gold", "--layer", "tolerance") == drawn()).all(), "these two unless others are named"
    assert not drawn("--layer", "pred").any(), "there is no prediction"


def test_what_changed_since_the_step_before_is_drawn(cli, tmp_path):
    """A dark button at (20..60, 20..44) appears; it touches the blocks of the picture in 16..64 × 16..48."""
    size, grey = Size(100, 200), np.full((200, 100, 3), 128, np.uint8)
    later = grey.copy()
    later[20:44, 20:60] = 20
    button = UIElement(0, Box(20, 20, 60, 44, size), text="OK", clickable=True)
    trees = [UITree(elements, TreeOrigin.DUMP, size) for elements in ((), (button,))]
    writer = RecordingWriter(tmp_path / "two")
    steps = [Step(i, Observation(size, tree=tree), None) for i, tree in enumerate(trees)]
    for step, pixels in zip(steps, (grey, later), strict=True):
        writer.add(step, encode_png(pixels))
    writer.save(Episode("two", "recording", Platform.ANDROID, "Press it", tuple(steps)))
    out = tmp_path / "diff.png"
    for step, touched in ((0, False), (1, True)):
        ended = cli("render", tmp_path / "two", "two", "--step", str(step), "-o", out, "--layer", "diff")
        assert ended.status == 0, ended.err
        drawn = _pixels(out) != (later if step else grey)
        assert drawn[16:48, 16:64].any() == touched
        assert not drawn[80:].any()


def test_a_layer_may_be_drawn_weakly(cli, recordings, tmp_path):
    def change(*more: str) -> int:
        out = tmp_path / "step.png"
        assert cli("render", recordings, "lamp", "--step", "0", "-o", out, "--layer", "tree", *more).status == 0
        return int(np.abs(_pixels(out) - 128).sum())

    assert 0 == change("--strength", "tree=0") < change("--strength", "tree=0.5") < change()
    assert change("--strength", "gold=0") == change()


def test_predictions_of_a_file_and_of_a_run_are_drawn_alike(cli, recordings, predictions, tmp_path):
    cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw")
    pictures = []
    for name, source in (("file", ["--predictions", predictions]), ("run", ["--run", "last"])):
        out = tmp_path / f"{name}.png"
        ended = cli("render", recordings, "lamp", "--step", "0", "-o", out, "--protocol", "aitw", *source)
        assert ended.status == 0, ended.err
        pictures.append(_pixels(out))
    assert (pictures[0] == pictures[1]).all()
    bare = tmp_path / "bare.png"
    cli("render", recordings, "lamp", "--step", "0", "-o", bare)
    assert (pictures[0] != _pixels(bare)).any()


def test_the_first_attached_picture_is_drawn_of_a_file_and_of_a_run(cli, recordings, tmp_path):
    bright, clear = (encode_png(np.full((4, 2, 3), shade, np.uint8)) for shade in (255, 0))
    pictures = [{"name": name, "data": base64.b64encode(data).decode()} for name, data in (("a", bright), ("b", clear))]
    line = {"episode": "lamp", "step": 0, "action": {"kind": "tap", "point": [52, 104]}, "pictures": pictures}
    file, drawn = tmp_path / "pictured.jsonl", []
    file.write_text(json.dumps(line) + "\n")
    cli("evaluate", "automation", recordings, "--predictions", file, "--protocol", "aitw")
    for source in (["--predictions", file], ["--run", "last"]):
        out = tmp_path / "step.png"
        ended = cli("render", recordings, "lamp", "--step", "0", "-o", out, "--layer", "saliency,A", *source)
        assert ended.status == 0, ended.err
        drawn.append(_pixels(out))
    orange = np.rint(128 + (np.array((255, 176, 32)) - 128) * 0.8)
    assert (drawn[0] == drawn[1]).all() and (drawn[0][190:, :10] == orange).all()
    folder = tmp_path / "pictures"
    cli("runs", "export", "last", "-o", folder, "--as", "pictures", "--show", "all", "--layer", "saliency,A")
    assert (_pixels(folder / "lamp-0.png") == drawn[1]).all()


def test_a_jpeg(cli, recordings, tmp_path):
    assert cli("render", recordings, "lamp", "--step", "1", "-o", tmp_path / "step.JPG").status == 0
    assert (tmp_path / "step.JPG").read_bytes().startswith(b"\xff\xd8\xff")


@pytest.mark.parametrize(
    ("episode", "step", "output", "extra", "words"),
    [
        ("lamp", "7", "x.png", [], "lamp: there is no step 7. It has steps 0 to 3."),
        ("lamp", "-1", "x.png", [], "Invalid value for '--step'"),
        ("lamp", "2", "x.png", [], "step 2 has no screenshot"),
        ("sofa", "0", "x.png", [], "there is no episode 'sofa'"),
        ("lamp", "0", "x.bmp", [], "Name it .png or .jpg."),
        ("lamp", "0", "no/x.png", [], "the folder of this file is not there"),
        ("lamp", "0", "x.png", ["--layer", "gold,silver"], "There is no layer 'silver'"),
        (
            "lamp",
            "0",
            "x.png",
            ["--strength", "tree=2"],
            "no strength of a layer. Give one such as tree=0.5.",
        ),
        ("lamp", "0", "x.png", ["--strength", "tree"], "'tree' is no strength of a layer"),
        ("lamp", "0", "x.png", ["--strength", "silver=1"], "There is no layer 'silver'"),
        ("lamp", "0", "x.png", ["--protocol", "eye"], "There is no protocol 'eye'"),
        ("lamp", "0", "x.png", ["--run", "abc"], "There is no run 'abc'"),
        ("lamp", "0", "x.png", ["--predictions", "nowhere"], "there is no such file"),
    ],
)
def test_nothing_is_made_on_an_error(cli, recordings, tmp_path, episode, step, output, extra, words):
    before = sorted(tmp_path.iterdir())
    ended = cli("render", recordings, episode, "--step", step, "-o", tmp_path / output, *extra)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert sorted(tmp_path.iterdir()) == before


def test_an_old_picture_stays_when_the_new_one_fails(cli, recordings, tmp_path):
    out = tmp_path / "x.png"
    out.write_bytes(b"old")
    (recordings / "1" / "screens" / "0000.png").write_bytes(b"broken")
    assert cli("render", recordings, "lamp", "--step", "0", "-o", out).status == 2
    assert out.read_bytes() == b"old"


def test_a_real_step(cli, real_data, tmp_path):
    out = tmp_path / "x.png"
    assert cli("render", real_data / "llamatouch", "18", "--step", "1", "-o", out, "--layer", "gold,tree").status == 0
    assert decode(Picture(out, Size(1080, 2400))).shape == (2400, 1080, 3)
