"""`stepscope judgements show --requirements`: what judges required, and the steps that speak for or against it."""

from __future__ import annotations

from tests.app.cli.test_judgements import goals, line, write  # noqa: F401 - goals is a fixture

DETAIL = {
    "questions": [
        {"question": "second_fulfilled", "requirements": [{"text": "a lamp", "met": True}, {"text": 5}, "?"]},
        {"question": "first_satisfies", "requirements": [{"text": "A lamp", "met": False, "by": "nothing"}]},
        {"question": "second_satisfies", "requirements": [{"text": "act: buy", "met": True}]},
        {"question": "other", "requirements": [{"text": "not ours", "met": True}]},
    ]
}


def test_requirements_have_their_steps_once_nobody_has_the_pair_in_hand(
    cli,
    recordings,
    goals,  # noqa: F811
    tmp_path,
) -> None:
    """`lamp`: a tap on a button, “lamp” typed, back, the last screen. The requirement is listed by two questions,
    and told once."""
    said = write(tmp_path / "said.jsonl", line("judge", "lamp", run=goals, by_model=True, detail=DETAIL))
    assert cli("judgements", "import", recordings, said).status == 0
    found = cli("judgements", "show", goals, "--requirements", "--json").json
    act, lamp = found["requirements"]
    assert (act["text"], act["requirement"], act["satisfied"], act["fulfilled"]) == ("first", "act: buy", True, None)
    assert (lamp["requirement"], lamp["fulfilled"], lamp["satisfied"]) == ("a lamp", True, False)
    assert lamp["mark"] == "supported"
    assert lamp["steps"] == [{"step": 1, "number": 2, "how": "typed", "words": "lamp"}]
    assert "requirements" not in cli("judgements", "show", goals, "--json").json
    told = cli("judgements", "show", goals, "--requirements").out
    assert "lamp:" in told and "2: typed “lamp”" in told
    begun = write(tmp_path / "begun.jsonl", line("ann", "lamp", True, run=goals))
    assert cli("judgements", "import", recordings, begun).status == 0
    hidden = cli("judgements", "show", goals, "--requirements", "--json").json
    assert (hidden["requirements"], hidden["in_hand"]) == ([], 1)
    assert "1 pair left out" in cli("judgements", "show", goals, "--requirements").out
    done = write(tmp_path / "done.jsonl", line("ann", "lamp", True, True, True, True, run=goals))
    cli("judgements", "import", recordings, done)
    assert len(cli("judgements", "show", goals, "--requirements", "--json").json["requirements"]) == 2
    cli("judgements", "share", goals, "--people", "ben")
    assert cli("judgements", "show", goals, "--requirements", "--json").json["in_hand"] == 1, "ben has not begun"


def test_the_rules_requirements_are_linked_too(cli, goals) -> None:  # noqa: F811
    assert "Nobody judged them yet" in cli("judgements", "show", goals, "--requirements").out
    assert cli("judgements", "ask", goals, "--judge", "rules").status == 0
    found = cli("judgements", "show", goals, "--requirements", "--json").json["requirements"]
    words = {(one["episode"], one["text"], one["requirement"]) for one in found}
    assert {("lamp", "first", "lamp"), ("lamp", "second", "lamp"), ("chair", "first", "chair")} <= words
