"""What a run took and was made with: prices that a person entered, the machine, the weights' digest, seconds worked."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from stepscope.app.services import made_with, prices
from stepscope.app.services.run_costs import RunCosts, costs_rows, machine_rows, money
from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.price import TokenPrice
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.errors import UserError
from stepscope.core.store.repositories.model_calls import CallTotals
from stepscope.models.learned.model_folders import find_trained
from stepscope.models.runtimes.weight_digest import FILE_NAME, digest_of_files


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_price_is_kept_by_model_and_taken_away_again(own_home: Path) -> None:
    assert prices.load_prices() == {} and prices.set_price("m", TokenPrice(2.5, 10, "EUR")) is None
    prices.set_price("other", TokenPrice(0, 1))
    assert prices.load_prices() == {"m": TokenPrice(2.5, 10, "EUR"), "other": TokenPrice(0, 1)}
    assert prices.set_price("m", None) == TokenPrice(2.5, 10, "EUR")
    assert list(prices.load_prices()) == ["other"]
    file = prices.prices_file()
    file.write_text(json.dumps({"prices": {"a": [1, "x", "USD"], "b": [1, 2, "USD"], "c": [-1, 2, "USD"], "d": 5}}))
    assert prices.load_prices() == {"b": TokenPrice(1, 2)}, "an entry that is none costs only itself"
    file.write_text("{")
    with pytest.raises(UserError, match="cannot be read"):
        prices.load_prices()


def test_a_million_tokens_cost_the_price_and_what_was_remembered_nothing() -> None:
    costs = RunCosts(CallTotals(2, 3_000_000, 500_000, 1_000_000, 100_000, 1, 1), TokenPrice(2.5, 10, "EUR"))
    assert costs.cost == 3.5 and money(3.5, "EUR") == "3.50 EUR" and money(0.00321, "USD") == "0.0032 USD"
    assert RunCosts(CallTotals(2), TokenPrice(1, 1)).cost is None, "no server told any tokens"
    rows = dict(costs_rows(RUN, costs))
    assert rows["Cost"] == "3.50 EUR" and rows["Worked"] == "12.5 s"
    assert rows["Tokens"] == "3,000,000 in, 500,000 out, 1 answers known from earlier runs"


RUN = Run(
    "r", RunSpec(Task.GOAL, "m", "data", "fake", "goal_text", seed=7), RunState.DONE, None, machines=(  # type: ignore[arg-type]
        MachineFacts("A processor", 8, 16 << 30, ("A GPU",), "Linux", "3.11", (("numpy", "2.0"),)),
    ), weights="ab" * 32, worked_s=12.5,
)  # fmt: skip


def test_the_machine_and_the_weights_in_words() -> None:
    assert dict(machine_rows(RUN)) == {
        "Weights": f"SHA-256 {'ab' * 32}",
        "Machine": "A processor, 8 cores, 16 GB, A GPU",
        "System": "Linux, Python 3.11",
        "Libraries": "numpy 2.0",
    }


def test_weights_are_hashed_once_until_they_change(tmp_path: Path, own_home: Path, monkeypatch) -> None:
    one, two = tmp_path / "a.bin", tmp_path / "b.bin"
    one.write_bytes(b"one")
    two.write_bytes(b"two")
    alone = hashlib.sha256(b"one").hexdigest()
    assert digest_of_files([one]) == alone and digest_of_files([]) == ""
    both = f"a.bin {alone}\nb.bin {hashlib.sha256(b'two').hexdigest()}\n"
    assert digest_of_files([one, two]) == hashlib.sha256(both.encode()).hexdigest()
    read: list[Path] = []
    real = hashlib.sha256(b"other").hexdigest()
    monkeypatch.setattr("stepscope.models.runtimes.weight_digest.sha256", lambda file: read.append(file) or real)
    digest_of_files([one, two])
    assert read == [], "known by path, size and time of change"
    one.write_bytes(b"another")
    assert digest_of_files([one]) == real and read == [one]
    (own_home / "cache" / FILE_NAME).write_text("[]")
    assert digest_of_files([one]) == real, "what cannot be read is hashed anew"


def test_a_trained_model_has_a_digest_and_rules_have_none() -> None:
    trained = find_trained("two-tower")
    assert trained is not None
    found = made_with.weights_digest("two-tower")
    assert len(found) == 64 and found == made_with.weights_digest(str(trained.folder))
    assert made_with.weights_digest("nearest-element") == "" == made_with.weights_digest("served:lab/m")

    class Brought:
        weight_files = (str(trained.weights),)

    assert made_with.weights_digest("brought", Brought()) == hashlib.sha256(trained.weights.read_bytes()).hexdigest()


def test_this_machine_is_told_without_its_name() -> None:
    found = made_with.this_machine()
    assert found.processor and found.cores >= 1 and found.memory > 1 << 28 and dict(found.libraries)["numpy"]
