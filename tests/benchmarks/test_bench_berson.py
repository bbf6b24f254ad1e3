"""BERSON's decoder over encodings that are there, and its share of an order's time beside the encoder's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stepscope.core.lazy import lazy_module
from tests.benchmarks.figures import Tell

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch", "transformers")

PROCEDURES, STEPS, AT_ONCE = 10_000, 5, 64
TOKENS, MEASURED, ROUNDS = 26, 32, 3


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def test_ten_thousand_procedures_through_the_decoder(capsys: Any, figure: Tell) -> None:
    """Steps and relations of 384 numbers are drawn; a beam of 64 as in the paper, a narrow one, and the exact search,
    which has to agree with itself."""
    from stepscope.models.ordering.berson_decoder import BersonDecoder
    from stepscope.models.ordering.berson_search import beam, exact

    torch.manual_seed(0)
    decoder = BersonDecoder(384).eval()
    drawn = torch.randn(AT_ONCE, STEPS, STEPS, 384)
    spent = {"beam 64": 0.0, "beam 1": 0.0, "exact": 0.0}
    missed = 0
    with torch.inference_mode():
        for part in range(0, PROCEDURES, AT_ONCE):
            count = min(AT_ONCE, PROCEDURES - part)
            given = drawn[torch.randperm(AT_ONCE)[:count]]
            memory = decoder.memory(
                decoder.relations(given.repeat(1, 1, 1, 3)), given.flip(1), torch.ones(count, STEPS)
            )
            found: dict[str, Any] = {}
            for name, search in (
                ("beam 64", lambda m=memory: beam(decoder, m)), ("beam 1", lambda m=memory: beam(decoder, m, 1)),
                ("exact", lambda m=memory: exact(decoder, m)),
            ):  # fmt: skip
                begun = time.perf_counter()
                found[name] = search()
                spent[name] += time.perf_counter() - begun
            assert bool((found["exact"][1] >= found["beam 64"][1] - 1e-5).all())
            missed += int((found["beam 1"][1] < found["exact"][1] - 1e-5).sum())
    figure("BERSON: beam 64 over beam 1", spent["beam 64"] / spent["beam 1"])
    figure("BERSON: exact over beam 64", spent["exact"] / spent["beam 64"])
    with capsys.disabled():
        for name, took in spent.items():
            times = took / spent["beam 1"]
            print(f"\n{PROCEDURES:,} procedures of {STEPS} steps, {name}: {took:.1f} s, {times:.2f} x beam 1")
        print(f"the best order was missed by beam 1 in {missed:,}")


def test_the_encoder_is_most_of_an_order(capsys: Any, figure: Tell) -> None:
    """The whole model against the bare encoder over the same pairs of steps of 13 tokens, one thread."""
    from stepscope.models.ordering.berson_recipe import RECIPE
    from stepscope.models.ordering.step_encoder import Rows

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        config = {"encoders": {"texts": "minilm", "views": ""}, "sizes": {"text": 60, "view": 320}}
        module = RECIPE.network(config).eval()
        pairs = MEASURED * STEPS * (STEPS - 1)
        length = TOKENS // 2
        ids = torch.randint(1000, 9000, (MEASURED, STEPS, length))
        lengths = torch.full((MEASURED, STEPS), length)
        nothing = torch.zeros(MEASURED, STEPS, 1, 320), torch.zeros(MEASURED, STEPS)
        rows = Rows(ids[:, :2].repeat(-(-pairs // MEASURED), 1, 1)[:pairs], torch.full((pairs, 2), length))
        with torch.inference_mode():

            def bare() -> None:
                for at in range(0, pairs, 64):
                    module.encoder(Rows(rows.ids[at : at + 64], rows.lengths[at : at + 64]))

            def whole() -> None:
                module(ids, lengths, *nothing, torch.zeros(MEASURED, dtype=torch.long))

            alone = min(seconds(bare) for _ in range(ROUNDS))
            together = min(seconds(whole) for _ in range(ROUNDS))
    finally:
        torch.set_num_threads(threads)
    figure("BERSON: whole model's share of the bare encoder's speed", alone / together, budget=0.9, more=True)
    with capsys.disabled():
        print(
            f"\n{MEASURED / alone:.1f} procedures a second through the bare encoder, {MEASURED / together:.1f} whole: "
            f"{alone / together:.2f}"
        )
    assert np.isfinite(together)
