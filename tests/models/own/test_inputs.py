"""What goes into a network, held against the libraries that people train with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("PIL")

from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.models.own.batch_inputs import BatchInputs
from stepscope.models.own.manifest import ScreenInput, TokensInput, parse
from stepscope.models.own.request_rows import MOST_STEPS, prepared
from stepscope.models.own.screen_input import as_array, fitted, place_on_screen
from stepscope.models.own.text_input import TextTokens
from tests.models.own.forms import SCREEN, episode, form_of, observation, screen, step, text

RANDOM = np.random.default_rng(0).integers(0, 256, (200, 100, 3), dtype=np.uint8)


@pytest.mark.parametrize(("filter", "number"), [("bilinear", 2), ("bicubic", 3)])
def test_squashed_pictures_are_those_of_pillow(filter: str, number: int):
    from PIL import Image

    wanted = ScreenInput("image", 16, 24, filter=filter)
    expected = np.asarray(Image.fromarray(RANDOM).resize((16, 24), Image.Resampling(number)))
    assert np.array_equal(fitted(RANDOM, wanted), expected)


@pytest.mark.needs("torch", "transformers")
def test_numbers_are_those_of_a_transformers_image_processor():
    from transformers import ViTImageProcessorPil

    processor = ViTImageProcessorPil(
        size={"height": 24, "width": 16}, image_mean=[0.5, 0.4, 0.3], image_std=[0.2, 0.3, 0.4], resample=2
    )
    expected = np.asarray(processor(RANDOM, return_tensors="np")["pixel_values"][0])
    wanted = ScreenInput("i", 16, 24, scale=1 / 255, mean=(0.5, 0.4, 0.3), std=(0.2, 0.3, 0.4))
    assert np.abs(as_array(fitted(RANDOM, wanted), wanted) - expected).max() < 1e-5


def test_colours_layout_and_kind():
    one = np.array([[[10, 20, 40]]], np.uint8)
    assert as_array(one, ScreenInput("i", 1, 1, colours="bgr", dtype="uint8")).tolist() == [[[40]], [[20]], [[10]]]
    nhwc = ScreenInput("i", 1, 1, layout="nhwc", scale=0.1, mean=(1.0, 0, 0), std=(1.0, 2.0, 4.0))
    assert as_array(one, nhwc).tolist() == [[[0.0, 1.0, 1.0]]]  # (1 - 1) / 1, 2 / 2, 4 / 4
    grey = as_array(one, ScreenInput("i", 1, 1, colours="grey", layout="nhwc"))
    assert grey.tolist() == [[[19.0]]]  # 2.99 + 11.74 + 4.56 = 19.29
    assert as_array(one, ScreenInput("i", 1, 1, dtype="float16")).dtype == np.float16


def test_a_letterbox_keeps_the_form_and_is_black_beside_it():
    sent = fitted(np.full((200, 100, 3), 255, np.uint8), ScreenInput("i", 40, 40, fit="letterbox"))
    assert sent.shape == (40, 40, 3)
    assert (sent[:, 10:30] == 255).all() and not sent[:, :10].any() and not sent[:, 30:].any()


@pytest.mark.parametrize(
    ("wanted", "sent", "screen"),
    [
        # 100 × 200 to 50 × 50: x twice, y four times
        (ScreenInput("i", 50, 50), (10, 10), (20, 40)),
        # to 40 × 40 within bars of 10 at either side: a fifth of the size
        (ScreenInput("i", 40, 40, fit="letterbox"), (10, 0), (0, 0)),
        (ScreenInput("i", 40, 40, fit="letterbox"), (20, 20), (50, 100)),
        # the short side becomes 50, so 50 × 100, of which the middle 50 × 50 is kept: y from 25 on
        (ScreenInput("i", 50, 50, fit="crop"), (0, 0), (0, 50)),
        # the short side becomes 60: 60 × 120, of which 5..55 × 35..85 is kept
        (ScreenInput("i", 50, 50, fit="crop", side=60), (25, 25), (50, 100)),
    ],
)
def test_the_way_back_to_the_screenshot(wanted: ScreenInput, sent: Any, screen: Any):
    point = place_on_screen(*map(float, sent), wanted, SCREEN)
    assert (point.x, point.y) == pytest.approx(screen)


@pytest.mark.parametrize("fit", ["squash", "letterbox", "crop"])
def test_a_mark_on_the_screenshot_is_found_where_it_is_sent(fit: str):
    pixels = np.zeros((200, 100, 3), np.uint8)
    pixels[92:108, 32:48] = 255  # middle at 40, 100
    wanted = ScreenInput("i", 50, 50, fit=fit)
    rows, columns = np.nonzero(fitted(pixels, wanted)[:, :, 0] > 127)
    found = place_on_screen(columns.mean() + 0.5, rows.mean() + 0.5, wanted, Size(100, 200))
    assert (found.x, found.y) == pytest.approx((40, 100), abs=2)


# Texts --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """A tokenizer of whole words with the signs of BERT."""
    pytest.importorskip("tokenizers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "buy", "a", "lamp", "red"]
    sign = {"id": "", "ids": [0], "tokens": [""]}
    signs = {"[CLS]": {**sign, "id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
             "[SEP]": {**sign, "id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}  # fmt: skip

    def part(name: str, kind: int) -> dict[str, Any]:
        return {name: {"id": "A" if kind == 0 else "B", "type_id": kind}} if name == "Sequence" else {
            "SpecialToken": {"id": name, "type_id": kind}}  # fmt: skip

    single = [part("[CLS]", 0), part("Sequence", 0), part("[SEP]", 0)]
    form = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "TemplateProcessing", "single": single,
                           "pair": [*single, part("Sequence", 1), part("[SEP]", 1)], "special_tokens": signs},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {one: place for place, one in enumerate(words)}, "unk_token": "[UNK]"},
    }  # fmt: skip
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(form), encoding="utf-8")
    return file


def test_rows_of_tokens(tokenizer: Path):
    wanted = TokensInput("ids", "goal", "t", 6)
    assert TextTokens(tokenizer, wanted).rows(["Buy a lamp", "red"]).tolist() == [[2, 4, 5, 6, 3], [2, 7, 3, 0, 0]]
    fixed = TokensInput("ids", "goal", "t", 6, padding="fixed", pad=9, dtype="int32")
    found = TextTokens(tokenizer, fixed).rows(["red"])
    assert (found.tolist(), found.dtype) == ([[2, 7, 3, 9, 9, 9]], np.int32)
    mask = TokensInput("mask", "goal", "t", 6, part="mask", padding="fixed", pad=9)
    assert TextTokens(tokenizer, mask).rows(["red"]).tolist() == [[1, 1, 1, 0, 0, 0]]
    short = TokensInput("ids", "goal", "t", 4)
    assert TextTokens(tokenizer, short).rows(["buy a red lamp"]).tolist() == [[2, 4, 5, 3]]


def test_pairs_of_texts(tokenizer: Path):
    wanted = TokensInput("types", "goal", "t", 8, part="types")
    assert TextTokens(tokenizer, wanted).rows(["buy"], ["a lamp"]).tolist() == [[0, 0, 0, 1, 1, 1]]
    assert TextTokens(tokenizer, TokensInput("ids", "goal", "t", 8)).rows(["buy \ud800"]).shape == (1, 4)


@pytest.mark.needs("torch", "transformers")
def test_tokens_are_those_of_transformers(tokenizer: Path):
    from transformers import PreTrainedTokenizerFast

    theirs = PreTrainedTokenizerFast(tokenizer_file=str(tokenizer), pad_token="[PAD]")
    texts, pairs = ["Buy a lamp", "red"], ["red lamp", "unheard of words that are cut"]
    expected = theirs(texts, pairs, padding=True, truncation=True, max_length=8, return_tensors="np",
                      return_token_type_ids=True)  # fmt: skip
    for part, name in (("ids", "input_ids"), ("mask", "attention_mask"), ("types", "token_type_ids")):
        found = TextTokens(tokenizer, TokensInput(name, "goal", "t", 8, part=part)).rows(texts, pairs)
        assert found.tolist() == expected[name].tolist()


@pytest.mark.parametrize("data", ["", "{", "[]", '{"model": {"type": "WordLevel"}}'])
def test_a_tokenizer_that_is_none(tmp_path: Path, data: str):
    pytest.importorskip("tokenizers")
    (tmp_path / "t.json").write_text(data)
    with pytest.raises(UserError, match=r"t\.json"):
        TextTokens(tmp_path / "t.json", TokensInput("ids", "goal", "t", 8))


# Requests -----------------------------------------------------------------------------------------------------------


def test_the_screen_of_an_episode_is_the_last_or_the_first_that_has_a_picture(picture):
    black, white = picture((0, 0, 0)), picture((255, 255, 255))
    seen = episode(observation(white), observation(black), observation())
    for which, level in (("last", 0), ("first", 255)):
        manifest = parse(form_of(inputs=[screen(which=which)]), "m")
        assert prepared(seen, manifest).rows[0].sent.max() == level
    assert "no screenshots" in prepared(episode(observation()), manifest).why


def test_texts_of_an_episode(tokenizer: Path):
    manifest = parse(form_of(inputs=[text(pair="screen", length=9)]), "m")
    row = prepared(episode(observation(None, (0, 0, 9, 9), (0, 10, 9, 19))), manifest).rows[0]
    assert (row.texts["goal"], row.texts["screen"]) == ("Buy a lamp", "e0. e1")
    assert BatchInputs(manifest, tokenizer.parent).arrays([row])[0].tolist() == [[2, 4, 5, 6, 3, 1, 1, 1, 3]]


def test_boxes_of_the_elements_that_can_be_acted_on():
    boxes = {"name": "boxes", "holds": "elements", "count": 3}
    outputs = [{"name": "s", "means": "element", "reading": "scores"}]
    seen = step(observation(None, (0, 0, 50, 100), (50, 100, 100, 200)))
    manifest = parse(form_of(task="automation", inputs=[boxes], outputs=outputs), "m")
    found = BatchInputs(manifest, Path()).arrays(prepared(seen, manifest).rows)[0]
    assert found.tolist() == [[[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1], [0, 0, 0, 0]]]
    centred = parse(form_of(task="automation", inputs=[{**boxes, "boxes": "centre and size"}], outputs=outputs), "m")
    found = BatchInputs(centred, Path()).arrays(prepared(seen, centred).rows)[0]
    assert found.tolist() == [[[0.25, 0.25, 0.5, 0.5], [0.75, 0.75, 0.5, 0.5], [0, 0, 0, 0]]]
    assert "no UI elements" in prepared(step(observation()), manifest).why


def test_pairs_of_very_many_steps_are_refused():
    from stepscope.core.domain.procedure import ProcedureStep
    from stepscope.core.evaluation.predictor import OrderRequest

    inputs = [text(text="step", pair="other step")]
    outputs = [{"name": "b", "means": "before", "reading": "probability"}]
    manifest = parse(form_of(task="ordering", inputs=inputs, outputs=outputs), "m")
    steps = tuple(ProcedureStep(str(place), f"step {place}") for place in range(MOST_STEPS + 1))
    with pytest.raises(UserError, match="61 steps"):
        prepared(OrderRequest("p", "", steps), manifest)
    pairs = [(row.texts["step"][-1], row.texts["other step"][-1])
             for row in prepared(OrderRequest("p", "", steps[:3]), manifest).rows]  # fmt: skip
    assert pairs == [("0", "1"), ("0", "2"), ("1", "0"), ("1", "2"), ("2", "0"), ("2", "1")]
