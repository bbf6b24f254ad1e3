"""Two processes that torchrun starts, on this machine's processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stepscope.models.training.batches import ALONE
from stepscope.models.training.distributed import agreed, any_of, joined
from stepscope.models.training.loop import fit
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.training.toy import Toy, toy_data

ROOT = Path(__file__).parents[3]


def test_alone_nothing_is_asked_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    assert joined() == ALONE
    assert agreed("this", ALONE) == "this" and any_of(True, ALONE) and not any_of(False, ALONE)


@pytest.mark.needs("torch")
@pytest.mark.chain
@pytest.mark.timeout(300)
def test_two_processes_learn_what_one_learns(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command += ["--local-addr", "localhost"]  # else the machine's own name is looked up, wherever that takes it
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    child = ["-m", "tests.models.training.ddp_child", str(tmp_path)]
    ended = subprocess.run([*command, *child], cwd=ROOT, env=environment, timeout=240, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[-8000:]
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text("utf-8")) for rank in (0, 1))
    assert (first["size"], second["size"]) == (2, 2)
    assert first["state"] == second["state"] and first["measure"] == second["measure"]
    # Of 60 items in batches of 8 the last batch has 4: each process has its half of every batch.
    *_, alone = fit(Toy(), {}, replace(Toy.hyper, epochs=3), 0, toy_data(60, 1), toy_data(32, 2))
    assert isinstance(alone, TrainingCheckpoint)
    for name, tensor in alone.state.items():
        np.testing.assert_allclose(first["state"][name], tensor.numpy(), atol=1e-5)
