"""One million AitW step records, scored by columns against scoring them one by one in plain Python."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from typing import Any

from core.scoring.options import parse_options
from core.scoring.registry import record_scorer

STEPS = 1_000_000


def records(count: int) -> Iterator[tuple[int, dict[str, Any]]]:
    draw = random.Random(0).random
    for line in range(1, count + 1):
        reference, prediction = ([draw(), draw()] for _ in range(2))
        yield (
            line,
            {
                "episode": str(line // 8),
                "step": line % 8,
                "reference": {"type": 4, "touch": reference, "lift": reference, "text": ""},
                "prediction": {"type": 4, "touch": prediction, "lift": prediction, "text": ""},
                "boxes": [[0.1, 0.1, 0.2, 0.2], [0.4, 0.4, 0.1, 0.3]],
            },
        )


def plain(record: dict[str, Any]) -> bool:
    """The two-tap case of the rule, as tight as plain Python gets."""
    (py, px), (ry, rx) = record["prediction"]["touch"], record["reference"]["touch"]
    if math.hypot(py - ry, px - rx) <= 0.14:
        return True
    for y, x, h, w in record["boxes"]:
        top, left = max(0.0, y - 0.7 * h), max(0.0, x - 0.7 * w)
        bottom, right = top + min(1.0, 2.4 * h), left + min(1.0, 2.4 * w)
        if top <= py <= bottom and left <= px <= right and top <= ry <= bottom and left <= rx <= right:
            return True
    return False


def test_a_million_records_by_columns(capsys: Any) -> None:
    scorer = record_scorer("aitw")
    options = parse_options(scorer.info, {})
    data = list(records(STEPS))
    began = time.perf_counter()
    result = scorer.score_records(iter(data), options)
    whole = time.perf_counter() - began
    began = time.perf_counter()
    right = sum(plain(record) for _, record in data)
    loop = time.perf_counter() - began
    with capsys.disabled():
        print(f"\n1,000,000 records, checked and scored: {whole:.2f} s; the bare rule in a plain loop: {loop:.2f} s")
    assert result.metrics.as_dict()["step_accuracy"] == right / STEPS
