"""What `seq2seq` and `moca` have in common: what they see of a step, what it teaches, how words are attended to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from stepscope.core.domain.action import Action, AskUser, DoubleTap, OpenApp, PressKey, Swipe, Tap, Target, Type
from stepscope.core.domain.episode import Observation, Picture
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.automation.navigation_answers import attention_stream, written_text
from stepscope.models.automation.navigation_features import (
    ACTIONS,
    CELLS,
    EARLIER,
    cells_of,
    collate,
    example,
    prepare,
    sees_whole_screens,
)
from stepscope.models.automation.navigation_targets import kind_number, place_of_action
from stepscope.models.automation.seq2act_text import GOAL, LENGTH, PIECES, pieces_of, read_text
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.features.vectors import Features
from stepscope.models.learned.predictor import vectors_of
from tests.models.automation.navigation_data import NO_VECTORS, NOTHING, VIEW, Quarters, on
from tests.models.automation.two_tower_data import SIZE, item, request, screen

network = lazy_module("stepscope.models.automation.navigation_network")
torch = lazy_module("torch")

LOOKING = Features([], [Quarters()])
BACK = PressKey("back")


def seen_by(asked: StepRequest, features: Features = NOTHING) -> Any:
    draft = prepare(asked, features)
    return example(draft, vectors_of(features, [draft]) if draft.views[-1] is not None else NO_VECTORS)


def pictured(tmp_path: Path, *greys: int) -> Observation:
    """A screen whose quarters have these greys, row by row."""
    pixels = np.kron(np.array(greys, np.uint8).reshape(2, 2), np.ones((300, 135), np.uint8))
    file = tmp_path / f"{'-'.join(map(str, greys))}.png"
    Image.fromarray(pixels).convert("RGB").save(file)
    return Observation(SIZE, Picture(file, SIZE))


def test_words_of_goal_and_instruction_stand_apart() -> None:
    found = seen_by(request(screen("a"), "Tap Wifi", "open wifi"))
    goal, instruction = (found[name].reshape(LENGTH, PIECES) for name in ("goal", "instruction"))
    assert goal[1].tolist() == list(pieces_of("open")) and goal[2].tolist() == instruction[2].tolist()
    assert (goal[:3, 0] > 0).all() and not goal[3:].any() and not instruction[3:].any()
    assert not seen_by(request(screen("a"), None, "open wifi"))["instruction"].any()
    assert not seen_by(request(screen("a"), "  ", "open wifi"))["instruction"].any()


def test_the_last_eight_actions_are_told_by_kind() -> None:
    assert seen_by(request(screen("a")))["earlier"].tolist() == [0] * EARLIER
    tap, back, other = KINDS.index("tap") + 1, KINDS.index("press_key back") + 1, ACTIONS - 1
    history = (Tap(None), BACK, AskUser("what?"), DoubleTap(None))
    assert seen_by(request(screen("a"), None, "", *history))["earlier"].tolist() == [0] * 4 + [tap, back, other, other]
    long = (*[Tap(None)] * 200, BACK)
    assert seen_by(request(screen("a"), None, "", *long))["earlier"].tolist() == [tap] * 7 + [back]


@pytest.mark.parametrize(("places", "wanted"), [
    (1, [0] * 7), (4, [0, 0, 0, 0.5, 1, 1, 1]), (5, [1, 1, 1, 1.5, 2, 2, 2]), (49, range(7)), (50, range(1, 8)),
    (196, np.arange(7) * 2 + 0.5), (197, np.arange(7) * 2 + 1.5),
])  # fmt: skip
def test_every_map_becomes_seven_by_seven_cells(places: int, wanted: Any) -> None:
    """By hand: the first row of cells of a map whose places are numbered, and stand beside a number that is 1, so that
    their relation outlives the length of 1; what stands before the largest square is left out. Of 2 × 2 places the
    fourth cell lies over two in each direction, of 14 × 14 each over 2 × 2."""
    numbered = np.stack([np.arange(places), np.ones(places)], 1).astype(np.float32)
    side = int(places**0.5)
    cells = cells_of(numbered if places > 1 else numbered[0])
    assert cells.shape == (CELLS, 2)
    across = cells[:7, 0] / cells[:7, 1]
    down = side / 2 if places >= 196 else 0  # two rows of places in the first row of cells
    assert across.tolist() == pytest.approx([one + down for one in wanted], rel=1e-4)
    assert np.linalg.norm(cells, axis=1).tolist() == pytest.approx([1] * CELLS)


SOME = st.just(0.0) | st.floats(0.125, 100, width=32)


@given(arrays.arrays(np.float32, st.tuples(st.integers(1, 30), st.just(3)), elements=SOME))
def test_cells_of_any_map_have_length_one_or_none(vectors: Any) -> None:
    lengths = np.linalg.norm(cells_of(vectors), axis=1)
    assert lengths.shape == (CELLS,) and ((lengths < 1e-6) | (np.abs(lengths - 1) < 1e-4)).all()


def test_the_screen_is_a_map_and_earlier_screens_are_its_mean(tmp_path: Path) -> None:
    """By hand: quarters of grey 0 and 255 are the vectors (1, 0, 0, 0) and (1, 1, 1, 1) / 2."""
    asked = request(
        pictured(tmp_path, 0, 255, 0, 255), "tap", "", Tap(None), past=(pictured(tmp_path, 255, 255, 0, 0),)
    )
    found = seen_by(asked, LOOKING)
    cells = found["map"].reshape(7, 7, VIEW)
    assert cells[3, 0].tolist() == [1, 0, 0, 0] and cells[3, 6].tolist() == [0.5] * 4
    screens = found["screens"].reshape(3, VIEW)
    assert not screens[:2].any()
    # 3 rows of (1, 1, 1, 1) / 2, 3 of (1, 0, 0, 0), the middle one (1, ½, ½, ½) at length 1
    middle = np.array([2, 1, 1, 1]) / 7**0.5
    assert screens[2].tolist() == pytest.approx((np.array([4.5, 1.5, 1.5, 1.5]) + middle) / 7, abs=1e-3)


def test_without_a_screen_the_cells_are_zeros(tmp_path: Path) -> None:
    found = seen_by(request(screen("a"), "tap", "", Tap(None), past=(screen("b"),)))
    assert found["map"].shape == (CELLS * VIEW,) and not found["map"].any() and not found["screens"].any()
    some = seen_by(request(pictured(tmp_path, 9, 9, 9, 9), "tap", "", Tap(None), past=(screen("b"),)), LOOKING)
    assert some["map"].any() and not some["screens"].any()
    goal, _, earlier, screens, maps = collate([found, some])
    assert (goal.shape, earlier.shape, screens.shape, maps.shape) == ((2, 32, 8), (2, 8), (2, 3, VIEW), (2, 49, VIEW))


def test_only_an_encoder_that_squashes_tells_where_its_cells_lie() -> None:
    assert sees_whole_screens({"encoders": {"texts": "", "views": "mobilenet-v2:map"}})
    assert not sees_whole_screens({"encoders": {"texts": "", "views": "resnet:map"}}) and not sees_whole_screens({})


def test_what_a_step_teaches_of_its_place() -> None:
    """By hand: the second row of 200 × 40 on a screen of 270 × 600."""
    seen = screen("a", "b")

    def placed(action: Action, shown: Observation = seen) -> Any:
        return place_of_action(item(request(shown), action).material)

    second = placed(on(seen, 1))
    assert second.point.tolist() == pytest.approx([100 / 270, 60 / 600]) and second.element == 1
    assert second.box.tolist() == pytest.approx([0, 40 / 600, 200 / 270, 80 / 600])
    bare = replace(seen, tree=None)
    named = placed(Tap(Point(30, 30, SIZE), Target(Box(0, 0, 54, 60, SIZE))), bare)
    assert named.element == -1 and named.box.tolist() == pytest.approx([0, 0, 0.2, 0.1])
    unknown = placed(Tap(Point(27, 300, SIZE)), bare)
    assert unknown.box.tolist() == pytest.approx([0.06, 0.46, 0.14, 0.54]), "0.04 around the touch"
    assert placed(Tap(Point(-5, 900, SIZE)), bare).point.tolist() == [0, 1], "kept on the screen"
    middle = Point(135, 300, SIZE)
    assert [placed(one) for one in (BACK, Type("x"), Tap(None), Swipe(middle, middle), OpenApp("x"))] == [None] * 5
    assert kind_number(BACK) == KINDS.index("press_key back")
    assert kind_number(None) is kind_number(DoubleTap(middle)) is kind_number(AskUser("?")) is None


def test_what_is_written_is_what_two_tower_would_write() -> None:
    seen = screen("a")
    assert written_text(request(seen, 'Type "Bike repair" into Title'), "type") == "Bike repair"
    assert written_text(request(seen, "Go on", 'search for "ham"'), "type") == "ham"
    assert written_text(request(seen, "Open the Clock app"), "open_app").lower() == "clock"
    assert written_text(request(seen, 'Tap "ham"'), "tap") == written_text(request(seen), "open_app") == ""


def test_attention_is_told_by_letters_and_sums_to_one() -> None:
    """By hand: the flag's half is left out, and 0.1 and 0.3 become a quarter and three quarters."""
    cells = np.zeros(CELLS)
    cells[8] = 0.5
    weights = np.array([0.5, 0.1, 0.3, 0.1])
    told = attention_stream("grounding", "goal", read_text("Tap Wi", GOAL), weights, cells)
    assert told["words"] == [[0, 3, 0.25], [4, 6, 0.75]] and (told["stream"], told["text"]) == ("grounding", "goal")
    assert len(told["cells"]) == CELLS and told["cells"][8] == [0.1429, 0.1429, 0.2857, 0.2857, 0.5]
    assert told["cells"][-1][:4] == [0.8571, 0.8571, 1.0, 1.0]
    alone = attention_stream("decoder", "instruction", read_text("", GOAL), np.ones(1))
    assert alone["words"] == alone["cells"] == []


@pytest.mark.needs("torch")
def test_what_stands_behind_the_last_word_changes_nothing() -> None:
    """Against torch's own bidirectional LSTM over the words alone."""
    torch.manual_seed(0)
    reader = network.WordReader(0.0).eval()
    words = torch.randint(1, 4096, (1, 5, 8))
    padded = torch.cat([words, torch.zeros(1, 3, 8, dtype=torch.long)], 1)
    states, there = reader(padded)
    assert there.tolist() == [[1.0] * 5 + [0.0] * 3] and not states[:, 5:].any()
    both = torch.nn.LSTM(network.WIDTH, network.WIDTH, batch_first=True, bidirectional=True)
    way = reader.both_ways
    parts = {"weight_ih_l0": way.entering, "weight_hh_l0": way.kept, "bias_ih_l0": way.bias}
    with torch.no_grad():
        for name, value in parts.items():
            for at, direction in enumerate(("", "_reverse")):
                getattr(both, name + direction).copy_(value[at].T if value[at].shape[0] > 1 else value[at, 0])
                both.get_parameter(f"bias_hh_l0{direction}").zero_()
    expected = both(reader.piece(words).sum(2) / 8**0.5)[0]
    assert torch.allclose(states[:, :5], expected, atol=1e-5)


@pytest.mark.needs("torch")
def test_attention_by_hand() -> None:
    """A query of ln 3 · √128 on the first number: the word with 1 there gets three times the weight of one with 0."""
    attention = network.SoftAttention().requires_grad_(False)
    with torch.no_grad():
        attention.query.weight.zero_()
        attention.query.bias.zero_()
        attention.query.bias[0] = float(np.log(3)) * network.STATES**0.5
    states = torch.zeros(1, 3, network.STATES)
    states[0, 0, 0] = states[0, 2, 0] = 1
    weights, attended = attention(torch.zeros(1, network.WIDTH), states, torch.tensor([[1.0, 1.0, 0.0]]))
    assert weights[0].tolist() == pytest.approx([0.75, 0.25, 0]) and float(attended[0, 0]) == pytest.approx(0.75)


@pytest.mark.needs("torch")
def test_the_decoder_runs_over_the_steps_that_there_were() -> None:
    earlier = torch.tensor([[0] * 8, [0] * 6 + [3, 5]])
    screens, cells = torch.zeros(2, 3, VIEW), torch.ones(2, CELLS, VIEW)
    screens[1, 2] = 1
    steps = network.decoder_steps(earlier, screens, cells)
    assert steps.actions.tolist() == [[0] * 9, [0] * 7 + [3, 5]]
    assert steps.run.tolist() == [[0] * 8 + [1], [0] * 6 + [1] * 3]
    assert steps.seen.tolist() == [[0] * 8 + [1], [0] * 7 + [1] * 2]
    maps = network.maps_of(screens, cells)
    assert len(maps) == 9 and not maps[4].any() and maps[7][1].tolist() == [[1] * VIEW] * CELLS
    cell = network.DecoderCell(2).requires_grad_(False)
    state = (torch.ones(2, network.WIDTH), torch.ones(2, network.WIDTH))
    hidden, _ = cell(torch.ones(2, 2), state, torch.tensor([0.0, 1.0]))
    assert hidden[0].tolist() == [1.0] * network.WIDTH and hidden[1].abs().max() < 1
