"""`stepscope evaluate --cluster`: the same result on stdout, the workers on stderr, and what is refused."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.usefixtures("store"), pytest.mark.xdist_group("ray")]


def test_a_cluster_gives_the_same_result_and_its_workers_are_told_apart(cli, recordings, two_nodes):
    first = ("evaluate", "automation", recordings, "--model", "noisy-copy", "--protocol", "aitw")
    here = cli(*first, "--json")
    there = cli(*first, "--json", "--cluster", two_nodes.address, "--cluster-workers", "1")
    assert {**there.json, "run": ""} == {**here.json, "run": ""}
    assert there.status == 0
    assert "process " in there.err and ": 5 items, " in there.err


def test_a_preset_keeps_the_cluster(cli, recordings):
    words = ("--model", "noisy-copy", "--cluster", "127.0.0.1:1", "--save-preset", "there")
    assert cli("evaluate", "automation", recordings, *words).status == 2
    ended = cli("evaluate", "automation", recordings, "--preset", "there")
    assert ended.status == 2
    assert "127.0.0.1:1: The Ray cluster cannot be reached" in ended.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--cluster-cpus", "0"), "A worker cannot have 0 cores"),
        (("--cluster-gpus", "1.5"), "A worker cannot have 1.5 GPUs"),
        (("--cluster-data", "sometimes"), "Data cannot be 'sometimes'"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(cli, recordings, words, why):
    ended = cli("evaluate", "automation", recordings, "--model", "noisy-copy", "--cluster", "auto", *words)
    assert ended.status == 2
    assert why in ended.err


def test_answers_from_a_file_need_no_cluster(cli, recordings, predictions):
    ended = cli("evaluate", "automation", recordings, "--predictions", predictions, "--cluster", "auto")
    assert ended.status == 2
    assert "Predictions from a file are only scored" in ended.err
