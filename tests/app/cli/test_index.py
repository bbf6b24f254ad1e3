"""`stepscope index`: read whole into the store, with vectors; what is there is not done again."""

from __future__ import annotations

import shutil

import pytest

from stepscope.app.services.provenance import SAMPLE

pytestmark = [pytest.mark.usefixtures("store"), pytest.mark.xdist_group("ray")]


@pytest.fixture
def data(tmp_path):
    """Three of the sample's episodes."""
    for episode in sorted(one for one in SAMPLE.iterdir() if one.is_dir())[:3]:
        shutil.copytree(episode, tmp_path / "set" / episode.name)
    return tmp_path / "set"


def test_a_data_set_is_read_whole_once(cli, data):
    ended = cli("index", data, "--json")
    form = ended.json
    assert ended.status == 0
    assert (form["path"], form["episodes"], form["problems"], form["vectors"]) == (str(data), 3, 0, None)
    assert cli("index", data).out == f"{data}: 3 episodes, {form['steps']} steps.\n"


def test_vectors_are_made_once_here_or_by_a_cluster(cli, data, two_nodes):
    there = cli("index", data, "--features", "--json", "--cluster", two_nodes.address)
    assert there.status == 0
    assert there.json["vectors"] > 0
    here = cli("index", data, "--features")
    assert here.out.endswith("No new words or screens.\n"), "those of the cluster are this machine's"


def test_a_broken_episode_is_told(cli, data):
    episode = next(data.iterdir())
    file = episode / "episode.json"
    file.write_bytes(file.read_bytes()[:3000])
    ended = cli("index", data)
    assert ended.status == 0
    assert "2 episodes" in ended.out and "1 problem: 'stepscope inspect' tells more." in ended.out


def test_an_encoder_needs_features(cli, data):
    ended = cli("index", data, "--texts", "minilm")
    assert ended.status == 2
    assert "--texts and --views name encoders for --features" in ended.err


def test_an_unknown_encoder_is_refused(cli, data):
    ended = cli("index", data, "--features", "--texts", "minilmm")
    assert ended.status == 2
    assert "minilm" in ended.err
