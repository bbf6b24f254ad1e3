"""`stepscope judgements`: what is wrong with goals that do not match, counted, agreed on, listed, written and read."""

from __future__ import annotations

import json

import pytest

from tests.app.cli.test_judgements import goals, line, write  # noqa: F401 - goals is a fixture


def test_classes_are_counted_and_agreed_on_and_kept_in_files(cli, recordings, goals, tmp_path) -> None:  # noqa: F811
    """Ann and Ben find no match for either and call the lamp the same, the chair not: equal in 1 of 2; by chance ann
    (general, wrong), ben (general, general) 1/2 · 1 = 1/2; kappa 0."""
    no = (True, False, False, False)
    said = write(
        tmp_path / "said.jsonl",
        line("ann", "lamp", *no, run=goals, error="too general"),
        line("ann", "chair", *no, run=goals, error="wrong detail"),
        line("ben", "lamp", *no, run=goals, error="too general"),
        line("ben", "chair", *no, run=goals, error="too general"),
        line("eve", "lamp", True, True, True, True, run=goals),
    )
    assert cli("judgements", "import", recordings, said).status == 0
    found = cli("judgements", "show", goals, "--json").json["errors"]
    by_judge = {one["judge"]: one for one in found["judged"]}
    assert set(by_judge) == {None, "ann", "ben"}, "eve found a match only"
    assert (by_judge["ann"]["mismatches"], by_judge["ann"]["tagged"]) == (2, 2)
    assert by_judge["ben"]["counts"] == {
        "too specific": 0, "too general": 2, "wrong detail": 0, "invented": 0, "navigational": 0
    }  # fmt: skip
    assert (by_judge[None]["mismatches"], by_judge[None]["tagged"]) == (2, 1), "of the chair as many say either"
    assert found["agreement"] == {"kappa": pytest.approx(0.0), "observed": 0.5, "people": 1, "n": 2}
    told = cli("judgements", "show", goals).out
    assert (
        "What is wrong where it does not match:" in told and "kappa of people 0.000, equal 0.500, over 2 pairs" in told
    )
    out = tmp_path / "out.jsonl"
    cli("judgements", "export", recordings, "-o", out)
    kept = [json.loads(row) for row in out.read_text().splitlines()]
    assert sorted((row["judgement"], row["episode"], row.get("error")) for row in kept) == [
        ("ann", "chair", "wrong detail"), ("ann", "lamp", "too general"), ("ben", "chair", "too general"),
        ("ben", "lamp", "too general"), ("eve", "lamp", None),
    ]  # fmt: skip
    assert cli("judgements", "import", recordings, out, "--json").json["replaced"] == 5
    assert cli("judgements", "show", goals, "--json").json["errors"] == found
    bad = write(tmp_path / "bad.jsonl", line("ann", "lamp", *no, run=goals, error="silly"))
    refused = cli("judgements", "import", recordings, bad)
    assert refused.status == 1 and "bad.jsonl:1: error must be one of too specific, too general" in refused.err


def test_each_pair_is_listed_with_what_the_rule_says(cli, recordings, goals, tmp_path) -> None:  # noqa: F811
    """Of “Get a lamp” only the one direction holds for ann: too general; “Sit down” is fulfilled, and shares no
    word with the chair."""
    assert "Nobody judged them yet" in cli("judgements", "show", goals, "--errors").out
    said = write(
        tmp_path / "said.jsonl",
        line("ann", "lamp", True, True, True, False, run=goals),
        line("ann", "chair", True, True, False, False, run=goals, error="invented"),
        line("gpt", "lamp", None, None, False, True, run=goals, by_model=True),
        line("ben", "lamp", True, run=goals),
    )
    assert cli("judgements", "import", recordings, said).status == 0
    found = cli("judgements", "show", goals, "--errors", "--json").json
    assert [(one["episode"], one["judge"], one["error"], one["proposed"]) for one in found["error_items"]] == [
        ("chair", "ann", "invented", None),
        ("lamp", "ann", None, "too general"),
    ]
    assert found["in_hand"] == 1, "ben has begun the lamp, so what the model said of it stays hidden"
    told = cli("judgements", "show", goals, "--errors").out
    assert "too general" in told and "1 pair left out" in told


def test_what_is_wrong_is_told_of_goals_only(cli, recordings) -> None:
    asks = cli("evaluate", "ask", recordings, "--model", "always-ask", "--json").json["run"]
    assert cli("judgements", "show", asks).status == 0
    refused = cli("judgements", "show", asks, "--errors")
    assert refused.status == 2 and "what is wrong is told of goals" in refused.err
