"""From two checkpoints of one's own to a model that is evaluated: added, trained on two data sets, stopped in the
middle of an epoch, killed in the middle of the next, gone on with to the same numbers, exported."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.process import children
from stepscope.models.learned.card import read_card
from tests.app.held_training import HELD
from tests.app.own_training import assert_same_weights, episodes
from tests.models.encoders.conftest import clip_folder, roberta  # noqa: F401 - fixtures

pytestmark = [pytest.mark.chain, pytest.mark.needs("torch", "transformers", "torchvision", "onnxscript")]


def interrupted(arguments: list[str], batch: int, number: signal.Signals) -> int:
    """Train until that batch is in hand, then send the signal; how it ended."""
    command = children.command("tests.app.held_training", str(batch), *arguments)
    environment = children.environment() | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, text=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if line == f"{HELD}\n":
                break
        else:
            pytest.fail("it ended before: " + "".join(told))
        process.send_signal(number)
        process.communicate(timeout=60)
        return process.returncode


def test_added_trained_stopped_killed_gone_on_with_and_evaluated(
    cli: Any,
    roberta: Path,  # noqa: F811
    clip_folder: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    first, second = episodes(tmp_path / "first", 0), episodes(tmp_path / "second", 100)
    assert cli("weights", "add", roberta, "--name", "words").status == 0
    assert cli("weights", "add", clip_folder, "--name", "eyes").status == 0
    settings = "--texts words+eyes --views eyes --epochs 4 --seed 0 --batch 8 --patience 9 --device cpu"
    train = ["models", "train", "feasibility", "--data", str(first), "--data", f"{second}:0.5", *settings.split()]
    straight = cli(*train, "--name", "straight", "--json")
    assert straight.status == 0, straight.err

    # Of 24 + 12 items in batches of 8 an epoch has 5 batches.
    mine = [*train, "--name", "mine"]
    assert interrupted(mine, 3, signal.SIGINT) == 130
    assert interrupted(mine, 5, signal.SIGKILL) == -signal.SIGKILL  # in the second epoch, after the rest of the first
    done = cli(*mine, "--json")
    assert done.status == 0, done.err
    assert straight.json["seeds"][0]["best_epoch"] > 2, "what is kept was learned after both interruptions"
    assert_same_weights(Path(done.json["folder"]), Path(straight.json["folder"]))
    assert done.json["held_out"]["metrics"] == pytest.approx(straight.json["held_out"]["metrics"], abs=1e-6)
    assert [one["source"] for one in done.json["held_out"]["also"]] == ["second"]

    card = read_card(Path(done.json["folder"]))
    assert card.config["encoders"] == {"texts": "words+eyes", "views": "eyes"}
    assert card.config["sizes"] == {"text": 28, "view": 12}
    assert cli("models", "export", "mine", "--format", "onnx").status == 0
    evaluated = {
        name: cli("evaluate", "feasibility", second, "--model", name, "--split", "app_unseen", "--json").json
        for name in ("mine", "straight", "always-feasible")
    }
    assert all(one["n"] == 10 and one["state"] == "done" for one in evaluated.values())
    assert evaluated["mine"]["metrics"] == pytest.approx(evaluated["straight"]["metrics"])

    # Other weights under the same name are other encoders.
    assert cli("weights", "remove", "words").status == 0
    gone = cli("evaluate", "feasibility", second, "--model", "mine", "--split", "app_unseen")
    assert gone.status == 2 and "There is no encoder 'words'" in gone.err
