"""Stepping through an episode in the whole window: from the command to the painted picture.

Prefetched steps are those that a person comes to at reading speed; cold ones were never decoded, and are held against
decoding the same files alone.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median, quantiles

import pytest

from app.gui.walk import Walk, wait_for
from app.provenance import SAMPLE
from core.imaging.decode import decode
from core.sources.registry import open_source


def p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1] * 1000


def test_a_step_change_from_key_to_painted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = Walk(tmp_path)
    walk.open_sample()
    bench, view = walk.bench, walk.bench.window.replay.view
    painted: list[float] = []
    view.step_painted.connect(lambda _ms: painted.append(bench.replay.since_asked()))

    def go(way: str) -> float:
        before = len(painted)
        bench.commands.run(way)
        wait_for(lambda: len(painted) > before, "the painted step")
        return painted[-1]

    episodes = sorted(bench.library.ids)[:12]
    warm, cold = [], []
    for episode in episodes:
        bench.context.cache.clear()
        walk.open_episode(episode)
        steps = len(bench.context.selection.episode.steps)
        for _ in range(steps - 1):
            walk.settle()
            warm.append(go("step.next"))
        bench.context.cache.clear()
        cold.append(go("step.first"))
    walk.end()
    source = open_source(SAMPLE)
    alone = []
    for episode in episodes:
        picture = source.read(episode).steps[0].observation.screenshot
        began = time.perf_counter()
        decode(picture)
        alone.append(time.perf_counter() - began)
    with capsys.disabled():
        middle = median(warm) * 1000
        print(f"\nprefetched: p95 {p95(warm):.1f}, median {middle:.1f} ms over {len(warm)} steps (budget: p95 10)")
        print(f"cold: p95 {p95(cold):.1f} ms, decoding alone p95 {p95(alone):.1f} ms (budget: that + 20)")
    assert warm
    assert cold
