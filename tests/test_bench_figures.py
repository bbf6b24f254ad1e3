"""Figures of the benches are compared as ratios, whatever machine they come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks import figures
from tests.benchmarks.figures import Figure, missed, read, worse, write

KEPT = {
    "share": Figure(0.9, more=True),
    "ratio": Figure(2.0, budget=3.0),
    "wait": Figure(10.0, "ms", machine=0.05),
    "rate": Figure(100.0, "a second", more=True, machine=0.05),
    "gone": Figure(1.0),
}


def test_what_is_a_fifth_worse_is_told() -> None:
    made = {
        "share": Figure(0.6, more=True),  # half as much again
        "ratio": Figure(2.3, budget=3.0),  # within a fifth
        "wait": Figure(21.0, "ms", machine=0.1),  # a machine half as fast: 5 % slower
        "rate": Figure(60.0, "a second", more=True, machine=0.1),  # as good as 120 there
        "new": Figure(9.0),
    }
    assert list(worse(made, KEPT)) == [("share", pytest.approx(1.5))]
    slow = made | {"wait": Figure(21.0, "ms", machine=0.05)}
    assert [name for name, _ in worse(slow, KEPT)] == ["wait", "share"]


def test_budgets_are_upper_or_lower_bounds() -> None:
    assert not missed(KEPT["ratio"]) and missed(Figure(3.1, budget=3.0)) and not missed(Figure(9.0))
    assert missed(Figure(0.8, more=True, budget=0.85)) and not missed(Figure(0.9, more=True, budget=0.85))


def test_kept_and_compared_by_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(figures, "MADE", tmp_path / "made.json")
    monkeypatch.setattr(figures, "KEPT", tmp_path / "kept.json")
    assert figures.main([]) == 2 and "run `make bench` first" in capsys.readouterr().err
    write(tmp_path / "made.json", KEPT)
    assert figures.main(["--keep"]) == 0 and read(tmp_path / "kept.json") == KEPT
    assert figures.main([]) == 0
    write(tmp_path / "made.json", KEPT | {"ratio": Figure(5.0, budget=3.0)})
    capsys.readouterr()
    assert figures.main([]) == 1
    assert "ratio: 5, was 2: 2.50 times as slow" in capsys.readouterr().out
