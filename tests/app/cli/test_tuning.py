"""`stepscope models tune`: a small checkpoint learns the goals of recordings by heart, and is evaluated on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import stepscope.app.services.checkpoint_tuning
from stepscope.models.checkpoints import checkpoint
from stepscope.models.checkpoints.lora_training import STATE, LoraTraining
from tests.models.checkpoints.conftest import loud  # noqa: F401 - a fixture

pytestmark = [
    pytest.mark.usefixtures("store"),
    pytest.mark.needs("torch", "transformers", "torchvision", "peft"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]
ASKED = "local:loud?prompt=sentence&inputs=words&tokens=64"
QUICK = ("--rank", 16, "--rate", 0.005, "--batch", 1, "--epochs", 50, "--dropout", 0, "--device", "cpu")


@pytest.fixture
def added(loud: Path) -> None:  # noqa: F811 - the fixture
    checkpoint.add(checkpoint.Checkpoint("loud", str(loud)), replaces=True)


@pytest.mark.usefixtures("added")
def test_it_learns_goals_and_is_a_model_like_any_other(cli: Any, recordings: Path, tmp_path: Path) -> None:
    ended = cli(
        "models",
        "tune",
        ASKED,
        "--data",
        recordings,
        "--name",
        "wise",
        *QUICK,
        "--merged",
        tmp_path / "whole",
        "--json",
    )
    assert ended.status == 0, ended.err
    assert "2 examples; 100 moves of" in ended.err
    form = ended.json
    assert form["model"] == "local:wise?prompt=sentence&inputs=words&tokens=64"
    assert len(form["losses"]) == 100 and form["losses"][-1] < 0.1 < 4 < form["losses"][0]
    card = json.loads((Path(form["folder"]) / "stepscope-tuning.json").read_text("utf-8"))
    assert card["data"][0]["episodes"] == ["lamp", "chair"] and card["settings"]["alpha"] == 32
    kept = checkpoint.find("wise")
    assert (kept.folder, kept.lora) == (str(tmp_path / "whole"), "")
    found = cli("evaluate", "goal", recordings, "--model", form["model"], "--device", "cpu", "--json").json
    assert found["metrics"]["exact"] == 1.0
    again = cli("models", "tune", ASKED, "--data", recordings, "--name", "wise")
    assert again.status == 2 and "There is a checkpoint 'wise' already" in again.err


@pytest.mark.usefixtures("added")
def test_stopped_it_goes_on(cli: Any, recordings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ("models", "tune", ASKED, "--data", recordings, "--name", "late", *QUICK, "--epochs", 3)
    run = LoraTraining.run_in_parts

    def until_the_third(self: Any, examples: Any, token: Any) -> Any:
        for move in run(self, examples, token):
            if move.step == 3:
                token.cancel()
            yield move

    monkeypatch.setattr(LoraTraining, "run_in_parts", until_the_third)
    stopped = cli(*wanted)
    assert stopped.status == 130 and "stopped after 3 moves; the same command goes on from there." in stopped.err
    monkeypatch.setattr(LoraTraining, "run_in_parts", run)
    other = cli(*wanted, "--seed", 1)
    assert other.status == 2 and "Another tuning named late was stopped" in other.err
    ended = cli(*wanted)
    assert ended.status == 0 and "goes on after move 3" in ended.err
    folder = Path(checkpoint.find("late").lora)
    assert not (folder.parent / STATE).exists(), "the state is not needed any more"


@pytest.mark.usefixtures("added")
def test_begun_anew_the_model_that_there_is_stays_until_there_is_another(
    cli: Any, recordings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ("models", "tune", ASKED, "--data", recordings, "--name", "twice", *QUICK, "--epochs", 1)
    assert cli(*wanted).status == 0
    weights = Path(checkpoint.find("twice").lora, "adapter_model.safetensors")
    before, run = weights.read_bytes(), LoraTraining.run_in_parts

    def stopped_at_once(self: Any, examples: Any, token: Any) -> Any:
        token.cancel()
        yield from run(self, examples, token)

    monkeypatch.setattr(LoraTraining, "run_in_parts", stopped_at_once)
    assert cli(*wanted, "--seed", 1, "--again").status == 130
    assert weights.read_bytes() == before
    monkeypatch.setattr(LoraTraining, "run_in_parts", run)
    assert cli(*wanted, "--seed", 1, "--again").status == 0
    assert weights.read_bytes() != before


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("template", "--name", "x"), "is no checkpoint that can be tuned"),
        (("local:loud#feasibility", "--name", "x"), "is no checkpoint that can be tuned"),
        (("local:nothing", "--name", "x"), "nothing"),
        ((ASKED, "--name", "loud"), "There is a checkpoint 'loud' already"),
        ((ASKED, "--name", "a b"), "cannot be the name of a checkpoint"),
        ((ASKED, "--name", "x", "--split", "nowhere"), "nowhere"),
        ((ASKED, "--name", "x", "--limit", 1), "1 episodes with a goal are too few"),
    ],
)
def test_what_cannot_be(cli: Any, recordings: Path, arguments: tuple[Any, ...], words: str) -> None:
    ended = cli("models", "tune", *arguments, "--data", recordings)
    assert ended.status == 2 and words in ended.err


def test_nothing_heavy_is_loaded_to_refuse(cli: Any) -> None:
    assert not hasattr(stepscope.app.services.checkpoint_tuning, "torch")


@pytest.mark.usefixtures("added")
def test_an_agent_learns_actions_in_its_own_words(cli: Any, recordings: Path) -> None:
    """Five steps of two episodes have an action; chair has no pictures, which its two steps say."""
    quick = ("--rank", 8, "--rate", 0.005, "--batch", 1, "--epochs", 2, "--dropout", 0, "--device", "cpu")
    ended = cli("models", "tune", "local:loud#automation", "--data", recordings, "--name", "hand", *quick, "--json")
    assert ended.status == 0, ended.err
    assert "5 examples; 10 moves of" in ended.err
    form = ended.json
    assert form["model"] == "local:hand#automation" and form["losses"][-1] < form["losses"][0]
    assert all("no picture" in why for why in form["skipped"].values()) and form["skipped"]
    found = cli("evaluate", "automation", recordings, "--model", form["model"], "--protocol", "aitw", "--device", "cpu",
                "--limit", 1)  # fmt: skip
    assert found.status in (0, 1), found.err


@pytest.mark.usefixtures("added")
def test_a_preset_is_what_was_published_and_what_is_given_counts(cli: Any, recordings: Path) -> None:
    quick = ("--rank", 2, "--batch", 2, "--device", "cpu", "--snapshots", 2, "--epochs", 3)
    wanted = ("models", "tune", ASKED, "--data", recordings, "--preset", "navi-plus-8b", *quick)
    form = cli(*wanted, "--name", "large", "--json").json
    card = json.loads((Path(form["folder"]) / "stepscope-tuning.json").read_text("utf-8"))
    told = {name: card["settings"][name] for name in ("rank", "batch", "epochs", "rate")}
    assert told == {"rank": 2, "batch": 2, "epochs": 3, "rate": 5e-5}
    assert card["snapshots"] == [2, 3]
    asked = ASKED.replace("loud", "large@2")
    found = cli("evaluate", "goal", recordings, "--model", asked, "--device", "cpu", "--limit", 1, "--json")
    assert found.status == 0 and found.json["model"] == asked, found.err
    told = cli("models", "info", "local:large@2", "--json")
    assert told.status == 0 and told.json["name"] == "local:large@2", told.err
    missing = cli("evaluate", "goal", recordings, "--model", ASKED.replace("loud", "large@1"))
    assert missing.status == 2 and "Moves with one: 2, 3." in missing.err
    other = cli(*wanted, "--name", "x@3")
    assert other.status == 2 and "cannot be the name of a checkpoint" in other.err
    wrong = cli("models", "tune", ASKED, "--data", recordings, "--name", "y", "--preset", "navi")
    assert wrong.status == 2 and "Presets: navi-plus-3b, navi-plus-8b." in wrong.err
    mixed = cli("models", "tune", ASKED, "--data", recordings, "--name", "y", "--mixture", "full")
    assert mixed.status == 2 and "agents that ask only" in mixed.err
