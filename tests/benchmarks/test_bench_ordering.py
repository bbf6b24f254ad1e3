"""A hundred thousand documents of five steps with five right orders each: by columns against a loop over documents."""

from __future__ import annotations

import gc
import random
import time
from io import BytesIO
from typing import Any

import orjson
import pytest

from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import record_scorer, score_records
from tests.benchmarks.figures import Tell


def lines(documents: int, references: int, items: int) -> bytes:
    shuffled = random.Random(0).sample
    names = [f"s{number}" for number in range(items)]
    forms = (
        {
            "id": f"d{number}",
            "references": [shuffled(names, items) for _ in range(references)],
            "prediction": shuffled(names, items),
        }
        for number in range(documents)
    )
    return b"\n".join(map(orjson.dumps, forms))


def plain(form: dict[str, Any]) -> tuple[float, ...]:
    """A document against the best of its references, as tight as plain Python gets."""
    best: tuple[float, ...] = ()
    for reference in form["references"]:
        size = len(reference)
        place = {item: number for number, item in enumerate(reference)}
        at = [place[item] for item in form["prediction"]]
        right = sum(i == j for i, j in enumerate(at))
        distance = sum(abs(i - j) for i, j in enumerate(at))
        run = longest = 1
        ends = [1] * size
        wrong = 0
        for j in range(size):
            for i in range(j):
                if at[i] < at[j]:
                    ends[j] = max(ends[j], ends[i] + 1)
                else:
                    wrong += 1
            if j:
                run = run + 1 if at[j] == at[j - 1] + 1 else 1
                longest = max(longest, run)
        tau = 1 - 4 * wrong / (size * (size - 1))
        best = max(best, (right / size, float(right == size), longest, max(ends), tau, -distance / size))
    return best


@pytest.mark.parametrize(("documents", "references", "items"), [(100_000, 5, 5), (2_000, 5, 50), (40, 5, 1000)])
def test_documents_by_columns(capsys: Any, figure: Tell, documents: int, references: int, items: int) -> None:
    scorer = record_scorer("ordering")
    options = parse_options(scorer.info, {})
    data = lines(documents, references, items)
    gc.collect()
    began = time.perf_counter()
    result = score_records(scorer, Records.from_stream(BytesIO(data)), options)
    whole = time.perf_counter() - began
    began = time.perf_counter()
    values = [plain(orjson.loads(line)) for line in data.split(b"\n")]
    loop = time.perf_counter() - began
    figure(f"ordering, {items} steps: a bare loop over ours", loop / whole, more=True)
    with capsys.disabled():
        print(
            f"\n{documents:,} documents of {items} items, {references} references, parsed, checked and scored: "
            f"{whole:.2f} s; a bare loop over documents: {loop:.2f} s, {loop / whole:.1f} times as long"
        )
    columns = list(zip(*values, strict=True))
    accuracy, pmr, substring, subsequence, tau, distance = (sum(column) / documents for column in columns)
    wanted = [accuracy, pmr, -distance, subsequence, substring, tau]
    assert list(result.metrics.as_dict().values()) == pytest.approx(wanted)
