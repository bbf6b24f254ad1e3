"""A checkpoint of one's own from the command line: added, tried on one screen, evaluated here and behind a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.agent_trials import AgentTrialRequest, try_agent
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.errors import SourceError
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.generation import LoadedCheckpoint
from tests.models.chat.answering import answering
from tests.models.chat.conftest import ring  # noqa: F401 - a fixture
from tests.models.checkpoints.conftest import knowing, tiny  # noqa: F401 - fixtures
from tests.models.checkpoints.teaching import ANSWER, SMALL, png, put_short_adapter

from .conftest import Cli

pytestmark = [
    pytest.mark.needs("torch", "transformers", "torchvision", "peft", "openai"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]

PLACE = (56 / 140 * 224, 168 / 308 * 448)
"""What the checkpoint was taught, on the recorded screen."""


@pytest.fixture
def screens(tmp_path: Path) -> Path:
    """Two episodes of one step: in the second the right place is far from what the model says."""
    folder = tmp_path / "screens"
    folder.mkdir()
    (folder / "screen.png").write_bytes(png(SMALL))
    seen = Observation(SMALL, Picture(folder / "screen.png", SMALL))
    for name, place in (("near", PLACE), ("far", (200.0, 20.0))):
        step = Step(0, seen, Tap(Point(*place, SMALL)))
        write_recording(Episode(name, "recording", Platform.ANDROID, "Open", (step,)), folder / name)
    return folder


@pytest.fixture
def added(cli: Cli, knowing: Path) -> Any:  # noqa: F811
    put_short_adapter()
    ended = cli("models", "add", knowing, "--name", "mine", "--adapter", "short", "--batch", "2", "--json")
    assert ended.status == 0, ended.err
    return ended.json


@pytest.mark.chain
def test_a_checkpoint_is_added_tried_and_evaluated(cli: Cli, added: Any, screens: Path, knowing: Path) -> None:  # noqa: F811
    assert (added["model"], added["family"], added["adapter"]) == ("local:mine", "qwen2_5_vl", "short")
    tried = cli("agents", "try", "local:mine", screens, "--device", "cpu", "--episode", "near", "--json").json
    assert tried["raw"] == ANSWER and tried["recorded"] == [224, 448] and tried["sent"] == [140, 308]
    assert tried["action"]["point"] == pytest.approx(PLACE) and tried["right"] and tried["said"] == [[56, 168]]
    assert tried["prompt"] == [{"role": "user", "text": "Open", "pictures": 1}]
    spaces = {one["space"]: one for one in tried["spaces"]}
    assert spaces["adapter"]["right"] and spaces["original"]["point"] == [56, 168]
    assert spaces["unit"]["point"] is None and "outside the unit space" in spaces["unit"]["problem"]
    told = cli("agents", "try", "local:mine", screens, "--device", "cpu", "--episode", "near").out
    assert "140 × 308" in told and "right" in told and "The same answer in every space" in told

    form = cli(
        "evaluate", "automation", screens, "--model", "local:mine", "--protocol", "aitw", "--device", "cpu", "--json"
    )
    form = form.json
    assert form["metrics"]["step_accuracy"] == 0.5
    assert form["model"] == "local:mine#automation" and form["n"] == 2 and form["state"] == "done"
    listed = {one["name"]: one for one in cli("models", "list", "--json").json}
    assert listed["local:mine#automation"]["runtime"] == "torch" and listed["local:mine#ask"]["task"] == "ask"
    assert cli("models", "remove", "mine").status == 0
    assert (knowing / "config.json").is_file(), "its files stay"
    gone = cli("evaluate", "automation", screens, "--model", "local:mine")
    assert gone.status == 2 and "There is no checkpoint 'mine'" in gone.err


@pytest.fixture
def server(knowing: Path) -> Iterator[ChatServer]:  # noqa: F811
    """The same checkpoint behind a server that speaks as OpenAI's does."""
    loaded = LoadedCheckpoint(Checkpoint("behind", str(knowing)), "cpu")

    def answer(body: Any) -> str:
        found: Any = loaded.ask(body["messages"], body["max_tokens"])
        message = {"role": "assistant", "content": found.raw}
        usage = {"prompt_tokens": found.tokens_in, "completion_tokens": found.tokens_out}
        choice = {"index": 0, "finish_reason": found.stop, "message": message}
        return json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage})

    with answering(answer, "taught") as address:
        yield ChatServer("here", address, "taught", 60.0, 2)


@pytest.mark.chain
def test_behind_a_server_it_says_the_same(cli: Cli, added: Any, screens: Path, server: ChatServer) -> None:
    servers.add(server)
    rule = ("--protocol", "aitw", "--json")
    local = cli("evaluate", "automation", screens, "--model", "local:mine", "--device", "cpu", *rule).json
    served = cli(
        "evaluate", "automation", screens, "--model", "served:here", "--set-model", "adapter=short", *rule
    ).json
    assert served["model"] == "served:here/taught#automation?adapter=short"
    assert served["metrics"] == local["metrics"] and served["n"] == local["n"] == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--dtype", "int4"), "--dtype cannot be 'int4'"),
        (("--attention", "none"), "--attention cannot be 'none'"),
        (("--adapter", "shorter"), "no adapter 'shorter'"),
        (("--lora", "nowhere"), "has no adapter_config.json"),
        (("--name", "a/b"), "cannot be the name of a checkpoint"),
    ],
)
def test_what_cannot_be_is_told(cli: Cli, knowing: Path, arguments: tuple[str, ...], told: str) -> None:  # noqa: F811
    refused = cli("models", "add", knowing, *arguments)
    assert refused.status == 2 and told in refused.err


def test_a_folder_that_is_none_is_told(cli: Cli, tmp_path: Path) -> None:
    refused = cli("models", "add", tmp_path, "--batch", "2")
    assert refused.status == 2 and "has no config.json" in refused.err


def test_another_screen_is_the_next_on_which_something_is_touched(added: Any, screens: Path) -> None:
    tried = [try_agent(AgentTrialRequest("local:mine", screens, device="cpu", skip=skip)) for skip in (0, 1)]
    assert sorted(one.episode for one in tried) == ["far", "near"]
    with pytest.raises(SourceError, match="no screen on which something is touched"):
        try_agent(AgentTrialRequest("local:mine", screens, device="cpu", skip=2))


def test_what_is_no_agent_cannot_be_tried(cli: Cli) -> None:
    for model in ("text-match", "served:nowhere"):
        assert cli("agents", "try", model).status == 2


def test_a_goal_of_ones_own_is_neither_right_nor_wrong(cli: Cli, added: Any, screens: Path) -> None:
    ended = cli("agents", "try", "local:mine", screens, "--episode", "near", "--goal", "Close the moon", "--json")
    told = ended.json
    assert told["goal"] == "Close the moon" and "Close the moon" in told["prompt"][-1]["text"]
    assert told["right"] is None and told["reference"] is None
    assert told["spaces"] == [] or {one["right"] for one in told["spaces"]} == {None}
    words = cli("agents", "try", "local:mine", screens, "--episode", "near", "--goal", "Close the moon").out
    assert "cannot be scored: The goal is a person's own" in words


def test_what_is_known_of_it_is_told_again(cli: Cli, added: Any) -> None:
    told = cli("models", "info", "local:mine", "--json").json
    assert {name: told[name] for name in added} == added
    assert told["parameters"] > 1000 and told["memory"] == 4 * told["parameters"], "it is kept in float32"
