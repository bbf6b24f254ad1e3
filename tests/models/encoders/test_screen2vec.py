"""Screen2Vec on drawn screens: what it reads, that it learns, and that what is written is what was learned."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.encoders.encoder import TextEncoder, TreeEncoder
from stepscope.models.encoders.screen2vec import FILE_NAME, KEY, load
from stepscope.models.encoders.screen2vec_inputs import CLASSES, class_of, components_of, layout_of
from stepscope.models.encoders.screen2vec_training import Screen2VecEpoch, train_screen2vec
from stepscope.models.encoders.word_vectors import load as load_words

torch = lazy_module("torch")
safetensors = lazy_module("safetensors.torch")
pytestmark = pytest.mark.needs("torch")

SIZE = Size(560, 1000)
"""A cell of the layout is ten pixels."""
WORDS = (
    "open the menu",
    "search",
    "share the photo",
    "delete",
    "settings",
    "new alarm",
    "go back",
    "save it",
    "message",
)
KINDS = {"text": "android.widget.TextView", "button": "android.widget.Button", "image": "android.widget.ImageView"}
WIDTHS = (64, 32)


@pytest.fixture(scope="module")
def texts() -> TextEncoder:
    """fastText's small model of the tests."""
    return load_words(Path(__file__).resolve().parents[2] / "data" / "word_vectors" / "tiny.bin")


def screen(boxes: Sequence[tuple[int, int, int, int, str, str]]) -> Observation:
    """A root with leaves: their edges, kind and text."""
    nodes = [UIElement(0, Box(0, 0, 560, 1000, SIZE), class_name="android.widget.FrameLayout")]
    for left, top, right, bottom, kind, text in boxes:
        box = Box(left, top, right, bottom, SIZE)
        nodes.append(UIElement(len(nodes), box, 0, 1, text=text, class_name=KINDS[kind]))
    return Observation(SIZE, tree=UITree(tuple(nodes), TreeOrigin.VIEW_HIERARCHY, SIZE))


def drawn(layout: int, rng: np.random.Generator) -> Observation:
    """A screen of one of three layouts (rows, tiles, a form), its texts drawn from one pool for all of them."""

    def word() -> str:
        return str(rng.choice(WORDS))

    shift = int(rng.integers(0, 3)) * 10
    if layout == 0:
        rows = range(int(rng.integers(6, 9)))
        return screen([(0, 100 * at + shift, 560, 100 * at + 90, "text", word()) for at in rows])
    if layout == 1:
        tiles = [(x, y) for y in range(0, 900, 300) for x in (0, 280)]
        return screen([(x + shift, y, x + 260, y + 280, "image", "") for x, y in tiles])
    return screen([(100, 300, 460, 380 + shift, "text", word()), (200, 700, 360, 780 + shift, "button", word())])


def traces(count: int, seed: int) -> list[list[Observation]]:
    """Traces of three screens of one layout."""
    rng = np.random.default_rng(seed)
    return [[drawn(layout, rng) for _ in range(3)] for _ in range(count) for layout in range(3)]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, texts: TextEncoder) -> tuple[Path, list[Screen2VecEpoch]]:
    folder = tmp_path_factory.mktemp("screen2vec")
    return folder, list(
        train_screen2vec(traces(8, 0), texts, folder, seed=1, epochs=15, layout_widths=WIDTHS, device="cpu")
    )


# what is read


def test_components_are_visible_leaves_and_what_has_words() -> None:
    seen = screen([(0, 0, 280, 100, "button", "Save  IT"), (0, 100, 280, 600, "image", ""), (0, 0, 9, 9, "text", "x")])
    assert seen.tree is not None
    root, save, picture, hidden = seen.tree.elements
    hidden = replace(hidden, visible=False)
    seen = replace(seen, tree=UITree((root, save, picture, hidden), TreeOrigin.DUMP, SIZE))
    found = components_of(seen)
    assert found.texts == ("save it", "")
    assert [list(CLASSES)[one] for one in found.classes] == ["button", "image"]
    assert found.places == pytest.approx(np.array([[0, 0, 0.5, 0.1], [0, 0.1, 0.5, 0.6]]))
    assert found.nearest[:, :2].tolist() == [[1, -1], [0, -1]]
    assert len(components_of(Observation(SIZE))) == 0


def test_the_nearest_are_those_with_the_fewest_edges_between() -> None:
    # root 0 ─ group 1 ─ leaves 2, 3; root ─ leaf 4; root ─ group 5 ─ leaf 6: from 2 there are 2, 3, 4 edges
    parents = (-1, 0, 1, 1, 0, 0, 5)
    box = Box(0, 0, 100, 100, SIZE)
    nodes = [UIElement(index, box, parent, text="t" * (index in (2, 3, 4, 6))) for index, parent in enumerate(parents)]
    found = components_of(Observation(SIZE, tree=UITree(tuple(nodes), TreeOrigin.DUMP, SIZE)))
    assert found.nearest[:, :4].tolist() == [[1, 2, 3, -1], [0, 2, 3, -1], [1, 3, 0, -1], [2, 1, 0, -1]]


def test_a_layout_has_a_plane_of_text_and_one_of_the_rest() -> None:
    planes = layout_of(screen([(20, 50, 60, 90, "text", "a"), (50, 70, 80, 100, "image", "")])).reshape(2, 100, 56)
    wanted = np.zeros((2, 100, 56))
    wanted[0, 5:9, 2:6] = 1
    wanted[1, 7:10, 5:8] = 1
    assert np.array_equal(planes, wanted)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("AppCompatImageButton", "image button"), ("MaterialButton", "button"), ("TextView", "text"),
        ("EditText", "input"), ("a", "link"), ("Canada", "other"), ("RelativeLayout", "container"), ("", "other"),
        ("RadioButton", "radio button"), ("img", "image"),
    ],
)  # fmt: skip
def test_class_names_of_several_toolkits(name: str, kind: str) -> None:
    assert list(CLASSES)[class_of(name)] == kind


# what is learned


def test_all_three_losses_fall(trained: tuple[Path, list[Screen2VecEpoch]]) -> None:
    first, last = trained[1][0], trained[1][-1]
    assert len(trained[1]) == 15
    assert last.component_loss < 0.8 * first.component_loss
    assert last.layout_loss < 0.5 * first.layout_loss
    assert last.screen_loss < 0.8 * first.screen_loss


def test_screens_of_one_layout_are_nearer_than_those_of_two(
    trained: tuple[Path, list[Screen2VecEpoch]], texts: TextEncoder
) -> None:
    encoder: TreeEncoder = load(trained[0], device="cpu", texts=texts)
    rng = np.random.default_rng(77)
    layouts = [layout for layout in range(3) for _ in range(8)]
    vectors = np.stack(encoder.embed([drawn(layout, rng) for layout in layouts]))
    assert vectors.shape == (24, encoder.size)
    lengths = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    likeness = lengths @ lengths.T
    same = np.equal.outer(layouts, layouts)
    np.fill_diagonal(likeness, -2)
    nearest = likeness.argmax(1)
    assert [layouts[place] for place in nearest] == layouts
    np.fill_diagonal(likeness, 1)
    assert likeness[same].mean() > likeness[~same].mean() + 0.2


def test_what_is_beside_a_screen_does_not_change_its_vector(
    trained: tuple[Path, list[Screen2VecEpoch]], texts: TextEncoder
) -> None:
    encoder = load(trained[0] / FILE_NAME, device="cpu", texts=texts)
    rng = np.random.default_rng(5)
    seen = [drawn(layout, rng) for layout in (0, 1, 2)] * 14
    together = encoder.embed([*seen, Observation(SIZE)])
    alone = [encoder.embed([one])[0] for one in seen[:3]]
    assert np.stack(together[:3]) == pytest.approx(np.stack(alone), abs=1e-5)
    assert np.stack(together[39:42]) == pytest.approx(np.stack(alone), abs=1e-5)
    assert not together[-1].any()
    assert encoder.embed([]) == []


def test_seed_and_traces_decide_and_what_is_read_is_what_was_written(tmp_path: Path, texts: TextEncoder) -> None:
    made = {}
    for name, seed in (("first", 1), ("again", 1), ("other", 2)):
        options: dict[str, Any] = {"epochs": 1, "layout_widths": WIDTHS, "device": "cpu"}
        list(train_screen2vec(traces(1, 0), texts, tmp_path / name, seed=seed, **options))
        made[name] = load(tmp_path / name, device="cpu", texts=texts)
    seen = traces(1, 9)[0]
    first, again, other = (np.stack(one.embed(seen)) for one in made.values())
    assert first == pytest.approx(again, abs=1e-6)
    assert made["first"].fingerprint == made["again"].fingerprint != made["other"].fingerprint
    assert np.abs(first - other).max() > 1e-3


def test_the_vector_is_that_of_the_written_tensors(
    trained: tuple[Path, list[Screen2VecEpoch]], texts: TextEncoder
) -> None:
    """Added up in numpy: a linear layer over text and class, a plain RNN, the layout's layers."""
    state = {name: one.numpy() for name, one in safetensors.load_file(trained[0] / FILE_NAME).items()}
    seen = drawn(2, np.random.default_rng(3))
    read = components_of(seen)

    def linear(name: str, value: Any) -> Any:
        return state[f"{name}.weight"] @ value + state[f"{name}.bias"]

    hidden = np.zeros(texts.size)
    for text, kind, place in zip(texts.embed(read.texts), read.classes, read.places, strict=True):
        component = linear("component", np.concatenate([text, state["classes.weight"][kind]]))
        inside = state["along.weight_ih_l0"] @ np.concatenate([component, place]) + state["along.bias_ih_l0"]
        hidden = np.tanh(inside + state["along.weight_hh_l0"] @ hidden + state["along.bias_hh_l0"])
    layout = np.maximum(linear("layout.0", read.layout), 0)
    layout = linear("layout.4", np.maximum(linear("layout.2", layout), 0))
    wanted = linear("screen", np.concatenate([hidden, layout]))
    (found,) = load(trained[0], device="cpu", texts=texts).embed([seen])
    assert found == pytest.approx(wanted, abs=1e-5)


def test_a_cancelled_training_leaves_nothing(tmp_path: Path, texts: TextEncoder) -> None:
    token = CancelToken()
    found = []
    for epoch in train_screen2vec(
        traces(1, 0), texts, tmp_path / "new", epochs=5, layout_widths=WIDTHS, device="cpu", token=token
    ):
        found.append(epoch)
        token.cancel()
    assert len(found) == 1
    assert not (tmp_path / "new").exists()
    assert list(train_screen2vec(traces(1, 0), texts, tmp_path, device="cpu", token=token)) == []


def test_data_from_which_nothing_can_be_learned(tmp_path: Path, texts: TextEncoder) -> None:
    with pytest.raises(UserError, match="0 screens have components"):
        list(train_screen2vec([[Observation(SIZE)]], texts, tmp_path, device="cpu"))
    words = load_words(Path(__file__).resolve().parents[2] / "data" / "word_vectors" / "tiny.bin", output="tokens")
    with pytest.raises(UsageError, match="one vector a text"):
        list(train_screen2vec(traces(1, 0), words, tmp_path, device="cpu"))


def test_screens_without_any_text_can_be_learned_from(tmp_path: Path, texts: TextEncoder) -> None:
    tiles = [[drawn(1, np.random.default_rng(seed)) for seed in range(3)]]
    found = list(train_screen2vec(tiles, texts, tmp_path, epochs=2, layout_widths=WIDTHS, device="cpu"))
    assert all(np.isfinite(one.component_loss) for one in found)


# files that cannot be


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda state, config: config.update(version=9), "not of version 1"),
        (lambda state, config: config.pop("text_size"), "what it says of itself cannot be"),
        (lambda state, config: config.update(text_size=10**9), "sizes that no network has"),
        (lambda state, config: config.update(text_size=True), "sizes that no network has"),
        (lambda state, config: config.update(layout_widths=[16000, 16000]), "tensors are of other sizes"),
        (lambda state, config: config.update(layout_widths=5), "what it says of itself cannot be"),
        (lambda state, config: config.update(texts=None), "names no text encoder"),
        (lambda state, config: config.update(texts="other words"), "another text encoder: other words"),
        (lambda state, config: state.pop("screen.bias"), "its tensors do not fit"),
        (lambda state, config: state.pop("layout.0.weight"), "what it says of itself cannot be"),
        (lambda state, config: state["screen.bias"].fill_(float("inf")), "what is no number"),
    ],
)
def test_files_that_cannot_be(
    trained: tuple[Path, list[Screen2VecEpoch]],
    texts: TextEncoder,
    tmp_path: Path,
    change: Callable[[dict[str, Any], dict[str, Any]], None],
    words: str,
) -> None:
    from safetensors import safe_open

    with safe_open(trained[0] / FILE_NAME, "pt") as stream:
        config = json.loads(stream.metadata()[KEY])
    state = safetensors.load_file(trained[0] / FILE_NAME)
    change(state, config)
    place = tmp_path / FILE_NAME
    safetensors.save_file(state, place, metadata={KEY: json.dumps(config)})
    with pytest.raises(UserError, match=words) as caught:
        load(tmp_path, device="cpu", texts=texts)
    assert caught.value.place == str(place)


def test_what_is_no_such_folder(
    trained: tuple[Path, list[Screen2VecEpoch]], texts: TextEncoder, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="is not there"):
        load(tmp_path, device="cpu", texts=texts)
    whole = (trained[0] / FILE_NAME).read_bytes()
    (tmp_path / FILE_NAME).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match="is no model that can be loaded"):
        load(tmp_path, device="cpu", texts=texts)
    with pytest.raises(UsageError, match="no output 'tokens'"):
        load(trained[0], device="cpu", texts=texts, output="tokens")
