"""`stepscope reproduce goal-table1|2|3`: goals judged by people and by a judge, every share counted by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.cli.output import json_lines, write_file
from stepscope.app.services.reproduction.tables import find_table
from stepscope.core.progress import CancelToken
from stepscope.models.goal.judges.rule_judge import RuleJudge
from tests.app.app_grid import shown, written

pytestmark = pytest.mark.usefixtures("store")

GOALS = {
    "d1": "Open rate in d",
    "d2": "Open rate",
    "b1": "Open share in b",
    "b2": "Send money to Eve",
}
ANSWERS = {"d": "Open rate in d", "b": "Open share in b"}
"""What `template` makes of each trajectory in the app: one tap on the first element."""

MATCH, PARTIAL, NON = (True, True), (False, True), (False, False)
BY_TEMPLATE = ("--model", "gpt-4=template")
NAMES = ("first_fulfilled", "second_fulfilled", "first_satisfies", "second_satisfies")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two trajectories in each of two apps; `template`'s answers to them are a match, a part, a match and none."""
    return written(tmp_path / "goals", [episode(id) for id in GOALS])


def episode(id: str, *splits: str) -> Any:
    return replace(shown(id[0], GOALS[id], id, splits), goal=GOALS[id])


def cells(form: dict) -> dict[tuple[str, str], dict]:
    return {(row["row"], cell["column"]): cell for row in form["rows"] for cell in row["cells"]}


def share(cell: dict) -> tuple[float, int]:
    return round(cell["ours"], 4), cell["n"]


def said(who: str, id: str, fulfilled: bool, verdict: tuple[bool, bool], origins: tuple, texts: tuple, **more: Any):
    answers = dict(zip(NAMES, (True, fulfilled, *verdict), strict=True))
    pair = {"episode": id, "first": origins[0], "second": origins[1], "first_text": texts[0], "second_text": texts[1]}
    return {"judgement": who, **pair, **answers, **more}


def of_run(who: str, id: str, fulfilled: bool, verdict: tuple[bool, bool], run: str, **more: Any):
    return said(who, id, fulfilled, verdict, ("reference", f"run:{run}"), (GOALS[id], ANSWERS[id[0]]), **more)


def take(cli, data: Path, file: Path, *lines: dict) -> None:
    write_file(file, json_lines(lines))
    ended = cli("judgements", "import", data, file)
    assert ended.status == 0, ended.err


def ann(run: str) -> list[dict]:
    """Two matches, one partial, one non match; three of four answers are fulfilled."""
    found = {"d1": (True, MATCH), "d2": (True, PARTIAL), "b1": (True, MATCH), "b2": (False, NON)}
    return [of_run("ann", id, *answers, run) for id, answers in found.items()]


def test_every_published_number_is_the_papers() -> None:
    """As printed: tables 1 and 2 of the paper; of figure 5 there are none."""

    def rows(name: str) -> dict[str, list[float | None]]:
        table = find_table(name)
        found = {row.id: [table.published(row, column) for column in table.columns] for row in table.rows}
        return {row: [number and number.value for number in numbers] for row, numbers in found.items()}

    assert rows("goal-table1") == {
        "h-g": [0.07, 0.13, 0.80, 0.02, 0.22, 0.76], "h1-h2": [0.09, 0.10, 0.81, 0.02, 0.04, 0.94],
    }  # fmt: skip
    assert rows("goal-table2") == {
        "gpt-4": [0.86, 0.14, 0.42, 0.44, 0.18, 0.40, 0.42, 0.78, 0.22, 0.19, 0.59, 0.32, 0.34, 0.34],
        "gemini-1.5": [0.87, 0.20, 0.22, 0.58, 0.18, 0.28, 0.54, 0.88, 0.17, 0.26, 0.57, 0.37, 0.27, 0.36],
    }
    assert rows("goal-table3") == {"gpt-4": [None, None], "gemini-1.5": [None, None]}


def test_people_and_a_judge_of_one_run(cli, data: Path, tmp_path: Path) -> None:
    """The judge's rules: the same words match, "Open rate" lacks the app, and sending is another act with other words.
    Wilson's interval for 2 of 4: (0.5 + 0.480) / 1.960 ± 1.960 · √(0.0625 + 0.0600) / 1.960."""
    out = tmp_path / "out"
    ended = cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--judge", "rules", "--out", out, "--json")
    assert ended.status == 0, ended.err
    assert ended.err.count("4 pairs judged") == 1, "one run fills all columns"
    found = cells(ended.json)
    by_judge = {what: found["gpt-4", f"aitz-judge-{what}"] for what in ("non", "partial", "match")}
    assert {what: share(cell) for what, cell in by_judge.items()} == {
        "non": (0.25, 4), "partial": (0.25, 4), "match": (0.5, 4),
    }  # fmt: skip
    one = by_judge["match"]
    assert one["interval"] == pytest.approx([0.1500, 0.8500], abs=1e-4) and one["judged"] == "judge"
    assert (one["published"], one["difference"], one["missing"], one["apps"]) == (0.34, None, None, 2)
    assert one["remarks"][0] == "On other data than the paper's, so there is no difference."
    assert {"4 of 4 pairs judged, by rules.", "The paper has 506 pairs."} <= set(one["remarks"])
    (run,) = one["runs"]
    assert found["gpt-4", "aitz-people-match"]["missing"].startswith(f"Nobody has judged run {run} yet.")
    assert "in the format multimodal_mind2web (or other web data)" in found["gpt-4", "mind2web-judge-match"]["missing"]
    take(cli, data, tmp_path / "ann.jsonl", *ann(run))
    ended = cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--json")
    found = cells(ended.json)
    manual = {what: share(found["gpt-4", f"aitz-people-{what}"]) for what in ("fulfilment", "non", "partial", "match")}
    assert manual == {"fulfilment": (0.75, 4), "non": (0.25, 4), "partial": (0.25, 4), "match": (0.5, 4)}
    assert "4 of 4 pairs judged, by 1 person." in found["gpt-4", "aitz-people-match"]["remarks"]
    assert share(found["gpt-4", "aitz-judge-match"]) == (0.5, 4), "the only judge needs no name"
    for end in ("html", "md", "tex"):
        text = (out / f"goal-table2.{end}").read_text()
        assert "Wilson over judged pairs" in text or end == "tex"
        assert "4 of 4 pairs judged, by rules." in text
    assert "0.34 & 0.50 & 0.15" in (out / "goal-table2.tex").read_text()


def test_people_together_are_the_vote(cli, data: Path, tmp_path: Path) -> None:
    """Ben takes the part for a match, so that one direction of it is open, and rejects what ann calls no match: one of
    two is not most. Left are two matches and a non match; three of four answers are fulfilled."""
    run = ran(cli, data)
    take(
        cli, data, tmp_path / "said.jsonl", *ann(run),
        of_run("ben", "d2", True, MATCH, run),
        of_run("ben", "b2", True, MATCH, run, rejected="a screen is missing"),
    )  # fmt: skip
    found = cells(cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--json").json)
    manual = {what: share(found["gpt-4", f"aitz-people-{what}"]) for what in ("fulfilment", "non", "partial", "match")}
    assert manual == {"fulfilment": (0.75, 4), "non": (0.3333, 3), "partial": (0.0, 3), "match": (0.6667, 3)}
    assert "4 of 4 pairs judged, by 2 people together." in found["gpt-4", "aitz-people-match"]["remarks"]


def test_what_is_missing_says_what_to_do(cli, data: Path, tmp_path: Path) -> None:
    """Not judged, judged by half, judged by two judges, of which one is named then."""
    run = ran(cli, data)

    def missing(*more: str) -> dict:
        found = cells(cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, *more, "--json").json)
        return found["gpt-4", "aitz-judge-match"]

    words = missing()["missing"]
    assert words.startswith(f"Run {run} was not judged by a judge yet.") and "Give --judge NAME" in words
    assert words.endswith(f"stepscope judgements ask {run} --judge NAME.")
    assert cli("judgements", "ask", run, "--judge", "rules", "--limit", "1").status == 0
    half = missing()
    assert half["missing"].startswith(f"rules has judged 1 of 4 pairs of run {run}.") and share(half) == (1.0, 1)
    take(cli, data, tmp_path / "m.jsonl", of_run("lab", "d1", True, NON, run, by_model=True))
    assert missing()["missing"].startswith(f"Run {run} was judged by lab, rules")
    assert share(missing("--judge", "rules")) == (0.5, 4)
    take(cli, data, tmp_path / "r.jsonl", *(of_run("eve", id, True, NON, run, rejected="bad") for id in GOALS))
    found = cells(cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--json").json)
    assert "was rejected" in found["gpt-4", "aitz-people-match"]["missing"]


def ran(cli, data: Path) -> str:
    """The id of a run of the first row that nobody judged."""
    ended = cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--json")
    assert ended.status == 0, ended.err
    (run,) = cells(ended.json)["gpt-4", "aitz-people-match"]["runs"]
    return run


def test_stopped_while_it_judges_it_asks_nothing_twice(cli, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.app.cli import reproduce

    asked: list[str] = []
    judge = RuleJudge.judge

    def counting(self, request, first, second):
        asked.append(request.episode)
        return judge(self, request, first, second)

    monkeypatch.setattr(RuleJudge, "judge", counting)
    command = ("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--judge", "rules", "--json")
    with pytest.MonkeyPatch.context() as patch:
        token = CancelToken()

        @contextmanager
        def signals() -> Iterator[CancelToken]:
            yield token

        def show(progress: Any, words: str) -> None:
            if words.startswith("Judging") and progress.done == 2:
                token.cancel()

        @contextmanager
        def bar(_doing: str) -> Iterator[Callable[..., None]]:
            yield show

        patch.setattr(reproduce, "cancelled_by_signals", signals)
        patch.setattr(reproduce, "bar", bar)
        ended = cli(*command)
    assert ended.status == 130 and "The same command goes on." in ended.err
    cell = cells(ended.json)["gpt-4", "aitz-judge-match"]
    assert 2 <= cell["n"] < 4 and cell["missing"].startswith(f"rules has judged {cell['n']} of 4 pairs")
    ended = cli(*command)
    assert ended.status == 0 and f"{cell['n']} known from before" in ended.err
    assert share(cells(ended.json)["gpt-4", "aitz-judge-match"]) == (0.5, 4)
    cli(*command)
    assert sorted(asked) == sorted(GOALS)


def test_a_judge_that_fails_on_a_pair_makes_it_end_with_one(cli, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.core.errors import UserError

    judge = RuleJudge.judge

    def failing(self, request, first, second):
        if request.episode == "b2":
            raise UserError("The judge is out.")
        return judge(self, request, first, second)

    monkeypatch.setattr(RuleJudge, "judge", failing)
    ended = cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--judge", "rules", "--json")
    assert ended.status == 1 and "warning: b2: The judge is out." in ended.err
    assert share(cells(ended.json)["gpt-4", "aitz-judge-match"]) == (0.6667, 3)


def test_what_people_wrote_against_the_goals_and_each_other(cli, data: Path, tmp_path: Path) -> None:
    """Ann wrote two goals, of which eve calls one a match and one a part: half. Ben's one is a match. The mean over
    people is 3/4 of three pairs, and Wilson's interval for that share (0.256 – 0.963). The two differ."""
    table = ("reproduce", "goal-table1", "--data", data, "--json")
    found = cells(cli(*table).json)
    assert found["h-g", "aitz-match"]["missing"].startswith("Nobody has written goals for this data yet.")
    texts = {("ann", "d1"): "Rate d", ("ann", "d2"): "Rate it", ("ben", "d1"): "Give d a rating"}
    wrote = [{"written": who, "episode": id, "text": text} for (who, id), text in texts.items()]
    take(cli, data, tmp_path / "ann.jsonl", *wrote[:2])
    found = cells(cli(*table).json)
    assert found["h1-h2", "aitz-match"]["missing"].startswith("Only one person has written goals.")
    assert found["h-g", "aitz-match"]["missing"].startswith("Nobody has judged what people wrote against the recorded")
    take(cli, data, tmp_path / "ben.jsonl", *wrote)

    def beside_goal(who: str, id: str, verdict: tuple[bool, bool]) -> dict:
        return said("eve", id, True, verdict, ("reference", f"person:{who}"), (GOALS[id], texts[who, id]))

    each_other = ("person:ann", "person:ben"), (texts["ann", "d1"], texts["ben", "d1"])
    take(
        cli, data, tmp_path / "eve.jsonl", beside_goal("ann", "d1", MATCH), beside_goal("ann", "d2", PARTIAL),
        beside_goal("ben", "d1", MATCH), said("eve", "d1", True, NON, *each_other),
    )  # fmt: skip
    ended = cli(*table)
    assert ended.status == 0, ended.err
    found = cells(ended.json)
    assert {(row, what): share(found[row, f"aitz-{what}"]) for row in ("h-g", "h1-h2") for what in
            ("non", "partial", "match")} == {
        ("h-g", "non"): (0.0, 3), ("h-g", "partial"): (0.25, 3), ("h-g", "match"): (0.75, 3),
        ("h1-h2", "non"): (1.0, 1), ("h1-h2", "partial"): (0.0, 1), ("h1-h2", "match"): (0.0, 1),
    }  # fmt: skip
    one = found["h-g", "aitz-match"]
    assert one["interval"] == pytest.approx([0.2561, 0.9632], abs=1e-4) and one["published"] == 0.76
    assert one["remarks"][-1] == "Written by 2 people: 3 of 3 pairs judged." and one["runs"] == []
    assert "Or take" not in cli("reproduce", "goal-table1", "--data", data).out


def test_figure_5_has_a_column_for_each_app(cli, data: Path, tmp_path: Path) -> None:
    """One of two pairs matches in each app, by the judge; where people judged the run, theirs are shown."""
    command = ("reproduce", "goal-table3", "--data", data, *BY_TEMPLATE, "--judge", "rules", "--json")
    ended = cli(*command)
    assert ended.status == 0 and "there is no table 3" in ended.json["place"], ended.err
    found = cells(ended.json)
    assert [column for row, column in found if row == "gpt-4"] == ["mind2web", "aitz-1", "aitz-2"]
    assert share(found["gpt-4", "aitz-1"]) == share(found["gpt-4", "aitz-2"]) == (0.5, 2)
    assert "2 of 2 pairs judged, by rules." in found["gpt-4", "aitz-1"]["remarks"]
    (run,) = found["gpt-4", "aitz-1"]["runs"]
    take(cli, data, tmp_path / "ann.jsonl", *(of_run("ann", id, True, MATCH, run) for id in ("d1", "d2")))
    found = cells(cli(*command).json)
    assert found["gpt-4", "aitz-1"]["missing"].startswith(f"No pair of it was judged in run {run}."), "app b"
    assert share(found["gpt-4", "aitz-2"]) == (1.0, 2) and found["gpt-4", "aitz-2"]["published"] is None
    words = cli(*command[:-1]).out
    assert "AitZ match in b" in words and "No numbers of the figure are published" in words


def test_only_the_test_split_where_the_data_has_one(cli, tmp_path: Path) -> None:
    data = written(tmp_path / "split", [episode("d1", "test"), episode("d2", "test"), episode("b1", "train")])
    found = cells(cli("reproduce", "goal-table2", "--data", data, *BY_TEMPLATE, "--judge", "rules", "--json").json)
    cell = found["gpt-4", "aitz-judge-match"]
    assert share(cell) == (0.5, 2) and not any("no such part" in remark for remark in cell["remarks"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["turkingbench", "--judge", "rules"], "No column of turkingbench is filled by a judge."),
        (["goal-table1", "--judge", "rules"], "No column of goal-table1 is filled by a judge."),
        (["goal-table2", "--judge", "nobody"], "There is no judge 'nobody'."),
        (["goal-table1", "--model", "h-g=template"], "The row h-g is what people wrote: no model can be named for it."),
    ],
)
def test_bad_usage_is_one_line(cli, arguments: list[str], words: str) -> None:
    ended = cli("reproduce", *arguments)
    assert (ended.status, ended.out) == (2, "") and words in ended.line


def test_the_tables_are_listed(cli) -> None:
    listed = {table["name"]: table for table in cli("reproduce", "list", "--json").json}
    (first, second) = listed["goal-table1"]["rows"]
    assert (first["kind"], first["model"], first["missing"], second["row"]) == ("written", None, None, "h1-h2")
    assert {column["judged"] for column in listed["goal-table2"]["columns"]} == {"people", "judge"}
    assert "texts that people wrote" in cli("reproduce", "list").out
