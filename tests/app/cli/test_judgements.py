"""`stepscope judgements`: pairs of a run, shared out, judged in files, and what comes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stepscope.app.cli.output import json_lines, write_file
from stepscope.models.chat import redaction_rules, servers
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Act, completion

YES, NO = (
    "So: [SATISFACTION] YES [/SATISFACTION]",
    "[SATISFACTION] YES [/SATISFACTION]? [SATISFACTION]NO[/SATISFACTION]",
)


@pytest.fixture
def goals(cli, recordings, store, tmp_path: Path) -> str:
    """The id of a run of goal identification that answered both episodes of the recordings."""
    file = tmp_path / "goals.jsonl"
    write_file(file, json_lines([{"episode": "lamp", "goal": "Get a lamp"}, {"episode": "chair", "goal": "Sit down"}]))
    ended = cli("evaluate", "goal", recordings, "--predictions", file, "--json")
    assert ended.status == 0, ended.err
    return ended.json["run"]


def line(who, episode, *answers, run, **more):
    texts = {"lamp": ("Buy a lamp", "Get a lamp"), "chair": ("Order a chair", "Sit down")}[episode]
    names = ("first_fulfilled", "second_fulfilled", "first_satisfies", "second_satisfies")
    pair = {"episode": episode, "first": "reference", "second": f"run:{run}"}
    said = dict(zip(names, answers, strict=False))
    return {"judgement": who, **pair, "first_text": texts[0], "second_text": texts[1], **said, **more}


def write(path: Path, *rows) -> Path:
    write_file(path, json_lines(rows))
    return path


def test_judgements_become_rates_and_agreement(cli, recordings, goals, tmp_path) -> None:
    """ann and ben agree on the lamp; ben rejects the chair, so that people together have half the pairs open there."""
    assert "Nobody judged them yet" in cli("judgements", "show", goals).out
    file = write(
        tmp_path / "said.jsonl",
        line("ann", "lamp", True, True, True, True, run=goals),
        line("ben", "lamp", True, True, True, False, run=goals),
        line("ann", "chair", True, False, False, False, run=goals, seconds=12),
        line("ben", "chair", run=goals, rejected="a screen is missing"),
        line("judge", "lamp", None, None, YES, NO, run=goals, by_model=True),
        line("judge", "chair", None, None, "perhaps", NO, run=goals, by_model=True),
    )
    taken = cli("judgements", "import", recordings, file, "--json")
    assert (taken.status, taken.json["imported"], taken.json["malformed"]) == (0, 6, 1)
    found = cli("judgements", "show", goals, "--json").json
    assert (found["pairs"], found["without"], found["outdated"]) == (2, 0, 0)
    by_judge = {one["judge"]: one for one in found["judged"]}
    people, ann, ben, judge = (by_judge[name] for name in (None, "ann", "ben", "judge"))
    assert [ann["rates"][name]["value"] for name in ("match", "partial_match", "non_match")] == [0.5, 0.0, 0.5]
    assert ann["rates"]["match"]["interval"] == pytest.approx([0.0945, 0.9055], abs=1e-4), "Wilson's for 1 of 2"
    assert (ben["rejected"], ben["rates"]["partial_match"]["n"]) == (1, 1)
    assert ben["rates"]["partial_match"]["interval"] == pytest.approx([0.2065, 1.0], abs=1e-4), "Wilson's for 1 of 1"
    assert (people["pairs"], people["rejected"], people["unscored"]) == (2, 0, 1)
    assert people["rates"]["non_match"]["value"] == 1 and people["rates"]["non_match"]["n"] == 1
    assert judge["by_model"] and judge["rates"]["second_fulfilled"] == {"value": None, "n": 0, "interval": None}
    assert (judge["rates"]["partial_match"]["n"], judge["unscored"]) == (1, 2)
    (pair,) = [one for one in found["agreement"] if not any(judge["by_model"] for judge in one["judges"])]
    assert (pair["pairs"], pair["kappa"]["satisfies"]["n"], pair["kappa"]["satisfies"]["observed"]) == (1, 2, 0.5)
    shown = cli("judgements", "show", goals).out
    assert "people together" in shown and "0.500 (0.095 – 0.905, n 2)" in shown and "judge (model)" in shown


def test_what_is_exported_can_be_imported_and_bad_lines_are_told(cli, recordings, goals, tmp_path) -> None:
    given = cli("judgements", "share", goals, "--people", "ann, ben", "--overlap", "1", "--json").json
    assert given == {"pairs": 2, "overlap": 1, "given": {"ann": 2, "ben": 1}}
    write(
        tmp_path / "said.jsonl",
        line("ann", "lamp", True, run=goals),
        {"written": "ann", "episode": "lamp", "text": "Mine"},
    )
    assert cli("judgements", "import", recordings, tmp_path / "said.jsonl").status == 0
    out = tmp_path / "all.jsonl"
    assert cli("judgements", "export", recordings, "-o", out).out == f"{out}\n"
    kinds = [next(iter(json.loads(row))) for row in out.read_text().splitlines()]
    assert kinds == ["assigned", "assigned", "assigned", "written", "judgement"]
    again = cli("judgements", "import", recordings, out, "--json").json
    assert (again["imported"], again["replaced"], again["bad_lines"]) == (5, 5, [])
    bad = write(tmp_path / "bad.jsonl", line("ann", "lamp", "yes", run=goals), {"judgement": "ann"})
    refused = cli("judgements", "import", recordings, bad)
    assert refused.status == 1 and "bad.jsonl:1: first_fulfilled must be true, false or null" in refused.err
    changed = line("eve", "lamp", True, run=goals, second_text="Something else")
    cli("judgements", "import", recordings, write(tmp_path / "old.jsonl", changed))
    assert cli("judgements", "show", goals, "--json").json["outdated"] == 1


def test_a_written_text_is_judged_against_a_run_and_runs_of_other_tasks_are_refused(
    cli, recordings, goals, evaluated_steps, tmp_path
) -> None:
    cli(
        "judgements",
        "import",
        recordings,
        write(tmp_path / "w.jsonl", {"written": "ann", "episode": "lamp", "text": "Mine"}),
    )
    found = cli("judgements", "show", goals, "--against", "person:ann", "--json").json
    assert (found["first"], found["second"], found["pairs"], found["without"]) == ("person:ann", f"run:{goals}", 1, 1)
    assert "against itself" in cli("judgements", "show", goals, "--against", goals).err
    assert "the answers of this run (automation) are no texts" in cli("judgements", "show", evaluated_steps).err


@pytest.fixture
def evaluated_steps(cli, recordings, predictions, goals) -> str:
    ended = cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw", "--json")
    return ended.json["run"]


def test_rules_judge_a_run_beside_people_and_only_what_is_open(cli, recordings, goals, tmp_path) -> None:
    """Buy a lamp and get a lamp: the acts are not the same, so that only one direction holds."""
    file = write(tmp_path / "said.jsonl", line("ann", "lamp", True, True, True, False, run=goals))
    assert cli("judgements", "import", recordings, file).status == 0
    first = cli("judgements", "ask", goals, "--judge", "rules", "--limit", "1", "--json")
    assert first.status == 0 and (first.json["asked"]["judged"], first.json["asked"]["known"]) == (1, 0)
    asked = cli("judgements", "ask", goals, "--judge", "rules", "--json").json
    assert (asked["asked"]["judged"], asked["asked"]["known"], asked["asked"]["failed"]) == (1, 1, [])
    by_judge = {one["judge"]: one for one in asked["judged"]}
    assert by_judge["rules"]["by_model"] and by_judge["rules"]["rates"]["match"]["n"] == 2
    (pair,) = asked["agreement"]
    assert [one["name"] for one in pair["judges"]] == ["ann", "rules"]
    assert cli("judgements", "ask", goals, "--judge", "rules", "--json").json["asked"]["judged"] == 0
    assert cli("judgements", "ask", goals, "--judge", "rules", "--again", "--json").json["asked"]["judged"] == 2
    out = tmp_path / "out.jsonl"
    cli("judgements", "export", recordings, "-o", out)
    kept = [json.loads(row) for row in out.read_text().splitlines()]
    (lamp,) = [row for row in kept if row.get("judgement") == "rules" and row["episode"] == "lamp"]
    questions = {one["question"]: one for one in lamp["detail"]["questions"]}
    assert {"text": "lamp", "met": True, "by": "lamp"} in questions["first_satisfies"]["requirements"]
    assert cli("judgements", "import", recordings, out).status == 0, "the detail comes back"
    wrong = cli("judgements", "ask", goals, "--judge", "nobody")
    assert wrong.status == 2 and "no judge 'nobody'" in wrong.err


@pytest.mark.needs("openai")
def test_a_model_judges_and_is_asked_again_only_where_it_failed(cli, goals, stage, ring) -> None:  # noqa: F811
    servers.add(stage.server(parallel=1))
    done, yes = "[FULFILLED] YES [/FULFILLED]", "[SATISFACTION] YES [/SATISFACTION]"
    stage.plays(completion(done), completion(done), completion(yes), completion(yes), Act(status=401))
    ended = cli("judgements", "ask", goals, "--judge", "served:lab/m", "--json")
    assert ended.status == 1 and (ended.json["asked"]["judged"], len(ended.json["asked"]["failed"])) == (1, 1)
    assert "key" in ended.err
    before = len(stage.seen)
    stage.plays(completion(done), completion("?"), completion(yes), completion(yes))
    again = cli("judgements", "ask", goals, "--judge", "served:lab/m", "--json")
    assert again.status == 1 and again.json["asked"]["malformed"] == 1, "an answer without a verdict is told"
    assert (again.json["asked"]["judged"], again.json["asked"]["known"]) == (1, 1) and len(stage.seen) == before + 4
    (rates,) = again.json["judged"]
    assert rates["rates"]["match"] == {"value": 1.0, "n": 2, "interval": pytest.approx([0.342, 1.0], abs=1e-3)}
    assert (rates["rates"]["first_fulfilled"]["n"], rates["rates"]["second_fulfilled"]["n"]) == (2, 1)

    redaction_rules.add(redaction_rules.RedactionRule("mail", id_has="email"))
    anew = cli("judgements", "ask", goals, "--judge", "served:lab/m", "--json")
    assert (anew.json["asked"]["judged"], anew.json["asked"]["known"]) == (2, 0), "it is shown something else now"


def test_an_evaluation_is_judged_at_its_end(cli, recordings, store, tmp_path) -> None:
    """Of two answers one is the reference in other words: it matches, the other does not."""
    file = write(
        tmp_path / "goals.jsonl", {"episode": "lamp", "goal": "Order a lamp"}, {"episode": "chair", "goal": "Sit"}
    )
    asked = ("evaluate", "goal", recordings, "--predictions", file, "--protocol", "intent", "--json")
    none = cli(*asked)
    assert none.status == 2 and "none is named" in none.err
    found = cli(*asked, "--judge", "rules")
    assert found.status == 0 and found.json["protocol"] == "goal_text", found.err
    assert found.json["judge"]["judged"] == 2 and found.json["judge"]["judge"] == "rules"
    intent = found.json["intent"]
    assert [intent[name]["value"] for name in ("match", "partial_match", "non_match")] == [0.5, 0.0, 0.5]
    assert set(intent) == {"fulfillment", "match", "partial_match", "non_match"} and intent["match"]["n"] == 2
    table = cli("evaluate", "goal", recordings, "--predictions", file, "--judge", "rules")
    assert "intent, judged by rules:" in table.out and "rouge_l" in table.out
    wrong = cli("evaluate", "automation", recordings, "--model", "text-match", "--judge", "rules")
    assert wrong.status == 2 and "only goals are judged" in wrong.err


def test_verdicts_are_told_apart_by_app_and_by_what_is_wanted(cli, goals) -> None:
    """Both goals of the recordings are transactions, of one app."""
    cli("judgements", "ask", goals, "--judge", "rules")
    shown = cli("judgements", "show", goals, "--by", "kind", "--json").json
    apart = shown["by_kind"]
    assert shown["kinds_from"] == "rule"
    ((kind, (rules,)),) = apart.items()
    assert kind == "transactional" and rules["judge"] == "rules" and rules["rates"]["match"]["n"] == 2
    by_app = cli("judgements", "show", goals, "--by", "app", "--json").json["by_app"]
    assert sum(one["pairs"] for (one,) in by_app.values()) == 2
    told = cli("judgements", "show", goals, "--by", "kind").out
    assert "transactional:" in told and "Kinds by our rule" in told
    assert "kinds_from" not in cli("judgements", "show", goals, "--by", "app", "--json").json
    wrong = cli("judgements", "show", goals, "--by", "mood")
    assert wrong.status == 2 and "app or kind" in wrong.err
