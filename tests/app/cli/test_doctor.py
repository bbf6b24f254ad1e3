"""`stepscope doctor`: looks and changes nothing."""

from __future__ import annotations

import platform
import sys

import pytest

from stepscope.app.services.machine import examine_store, installed
from stepscope.models.runtimes import providers
from stepscope.models.runtimes.providers import ProviderTrial


def test_what_this_machine_has(cli, own_home):
    ended = cli("doctor", "--json")
    assert (ended.status, ended.err) == (0, "")
    form = ended.json
    assert {"stepscope", "python", "libraries", "window", "gpu", "onnxruntime", "adb", "fonts", "store"} <= set(form)
    assert form["python"]["version"] == platform.python_version()
    assert form["libraries"]["numpy"] == installed("numpy")
    assert (form["store"]["exists"], form["store"]["writable"], form["store"]["schema"]) == (False, True, None)
    assert list(own_home.iterdir()) == [], "no store is made by looking"


@pytest.mark.needs("onnxruntime")
def test_every_provider_of_onnx_runtime_is_tried(cli, monkeypatch):
    monkeypatch.setattr(providers, "installed_packages", lambda: ("onnxruntime 1.31.1", "onnxruntime-gpu 1.31.0"))
    tried = (
        ProviderTrial("CUDAExecutionProvider", "libcudnn.so.9: no such file"),
        ProviderTrial("CPUExecutionProvider"),
    )
    monkeypatch.setattr(providers, "trials", lambda: tried)
    form = cli("doctor", "--json").json["onnxruntime"]
    assert form["providers"] == ["CUDAExecutionProvider", "CPUExecutionProvider"]
    assert form["CUDAExecutionProvider"] == "does not work: libcudnn.so.9: no such file"
    assert form["CPUExecutionProvider"] == "works"
    assert "installed together" in form["problem"]
    assert "CUDAExecutionProvider: does not work: libcudnn.so.9" in cli("doctor").out


def test_the_words_name_the_same(cli):
    out = cli("doctor").out
    assert f"executable: {sys.executable}" in out
    assert "numpy: " in out


def test_a_store_and_its_schema(cli, recordings, own_home):
    cli("evaluate", "automation", recordings, "--model", "random")
    form = cli("doctor", "--json").json["store"]
    assert form["exists"]
    assert form["schema"] == form["newest_schema"]
    assert form["problem"] is None


def test_stores_that_cannot_be_used(tmp_path):
    (tmp_path / "notes.db").write_text("milk" * 1000)
    assert "not a database" in examine_store(f"sqlite:///{tmp_path / 'notes.db'}")["problem"]
    assert examine_store("results")["problem"]
    secret = examine_store("postgresql+nodriver://me:secret@nowhere/x")
    assert secret["problem"]
    assert "secret" not in str(secret)
