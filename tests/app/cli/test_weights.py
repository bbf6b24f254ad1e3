"""`stepscope weights`."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path

import pytest

from stepscope.app.services import weight_downloads
from stepscope.models.encoders import added

SHIPPED = ["ask-timing", "feasibility-mlp", "goal-retrieval", "pairwise-pointer", "seq2act", "two-tower"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    """A folder as transformers writes one: enough to be recognised."""
    folder = tmp_path / "bert"
    folder.mkdir()
    header = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "hidden_size": 16, "license": "mit"}))
    (folder / "tokenizer.json").write_text("{}")
    return folder


def test_every_encoder_and_model_says_what_it_wants(cli):
    rows = {one["name"]: one for one in cli("weights", "list", "--json").json}
    assert list(rows) == ["minilm", "mobilenet-v2", "ui-elements", *SHIPPED]
    encoded = [one for one in SHIPPED if one != "seq2act"]
    assert rows["minilm"]["wanted_by"] == [*encoded, "sentence-match"]
    assert rows["minilm"]["licence"] == "Apache-2.0"
    tower = rows["two-tower"]
    assert (tower["sort"], tower["kind"], tower["here"], tower["wanted_by"]) == ("model", "automation", True, [])
    (file,) = tower["paths"]
    assert tower["bytes"] == Path(file).stat().st_size
    shown = cli("weights", "list").out
    assert all(name in shown for name in rows)


def test_an_encoder_is_added_listed_found_and_removed(cli, bert):
    done = cli("weights", "add", str(bert), "--name", "my-bert", "--json")
    assert (done.status, done.json["taken_for"]) == (0, "texts of transformers (bert)")
    listed = next(one for one in cli("weights", "list", "--json").json if one["name"] == "my-bert")
    assert {**listed, "taken_for": done.json["taken_for"]} == done.json
    assert (listed["licence"], listed["own"], listed["outputs"]) == ("mit", True, ["pooled", "cls", "tokens"])
    assert cli("weights", "where", "my-bert").out.strip() == str(bert)
    assert cli("weights", "where", "--json").json["my-bert"] == [str(bert)]
    again = cli("weights", "add", str(bert))
    assert "added bert: texts of transformers (bert)" in again.err
    assert cli("weights", "remove", "bert").status == 0
    assert [one.name for one in added.load()] == ["my-bert"]
    assert bert.is_dir()
    assert cli("weights", "remove", "minilm").status == 2


def test_a_check_reads_everything_again_and_ends_with_1_when_something_is_wrong(cli, bert):
    cli("weights", "add", str(bert))
    cli("weights", "add", str(bert), "--name", "second")
    right = cli("weights", "check", "bert", "--json")
    assert (right.status, right.json) == (0, [{"name": "bert", "right": True, "problem": None}])
    weights = bert / "model.safetensors"
    state = weights.stat()
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    os.utime(weights, ns=(state.st_atime_ns, state.st_mtime_ns))  # as if nothing had happened
    wrong = cli("weights", "check", "bert", "--json")
    assert (wrong.status, wrong.json[0]["right"]) == (1, False)
    assert "has changed since it was added" in wrong.json[0]["problem"]
    assert "has changed since it was added" in wrong.err
    shutil.rmtree(bert)
    every = cli("weights", "check", "--json")
    assert every.status == 1
    assert {one["name"] for one in every.json if not one["right"]} == {"bert", "second"}
    assert {"two-tower", "bert"} <= {one["name"] for one in every.json}
    assert cli("weights", "check", "no-such").status == 2


def test_what_cannot_be_added_is_bad_usage(cli, bert, tmp_path):
    assert "Give either a PATH or --download" in cli("weights", "add").line
    assert cli("weights", "add", str(bert), "--download", "lab/little").status == 2
    assert "there is nothing" in cli("weights", "add", str(tmp_path / "gone")).line
    assert "no family 'bertt'" in cli("weights", "add", str(bert), "--as", "bertt").line
    assert "has no option 'tag'" in cli("weights", "add", str(bert), "--tag", "openai").line
    added.list_file().parent.mkdir(parents=True, exist_ok=True)
    added.list_file().write_text("{")
    refused = cli("weights", "list", "--json")
    assert (refused.status, refused.out) == (2, "")
    assert "encoders.json: cannot be read" in refused.line


def test_a_download_is_said_and_then_added(cli, bert, monkeypatch):
    asked = []

    def download(name: str) -> Path:
        asked.append(name)
        return bert

    monkeypatch.setattr(weight_downloads, "download", download)
    done = cli("weights", "add", "--download", "lab/Little-BERT")
    assert (done.status, asked) == (0, ["lab/Little-BERT"])
    assert "fetching tensors, configs and tokenizer of lab/Little-BERT from its hub" in done.err
    assert added.find("little-bert").path == str(bert)
