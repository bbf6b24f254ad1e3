"""The switch of rules in the whole window: another rule for stored predictions, flips, all rules side by side.

`guesses` under `aitw`: hit, hit, hit, miss (lamp), malformed, miss (chair). By hand under the others:
`aitw-exact`: the typed text differs, so step 1 of lamp is a miss: one flip. `motif-point`: step 0 of lamp lies 5 pixels
below the button: a miss, one flip, so 2 of 4 and 0 of 2 are right.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox

from stepscope.core.evaluation.rescore import changes, scoring_of
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.widgets.results.items_filter import ItemsFilter


def rows(person) -> list[tuple[str, int | None, str, str | None]]:
    """Episode, step, verdict and, where it is another one, the verdict under the run's own rule."""
    person.window.results.show_page("items")
    person.settle()
    model = person.window.results.items
    found = [model.value(place) for place in range(model.rowCount())]
    return [
        (row.episode, row.step, row.verdict.value, row.before.value if row.before else None) for row in found if row
    ]


def take(person, rule: str) -> None:
    """Choose a rule in the protocol box and wait for its results."""
    box = person.window.results.rule_bar.findChild(QComboBox)
    place = box.findData(rule)
    assert place >= 0, f"{rule} is not offered"
    box.setCurrentIndex(place)
    box.activated.emit(place)
    person.until(lambda: shown(person) == rule, f"the results under {rule}")
    person.settle()


def shown(person) -> str:
    return person.bench.results.results.rule


def metrics(person) -> dict[str, float | None]:
    return person.bench.results.results.metrics.as_dict()


def cells(person, goal: str) -> list[str]:
    """The verdicts in an episode's row."""
    person.choose("workspace.replay")
    person.settle()
    model = person.window.episodes.model
    (row,) = [row for row in map(model.value, range(model.rowCount())) if row.goal == goal]
    person.choose("workspace.results")
    return [verdict.value for verdict in row.verdicts[0]]


def badges(person) -> dict[str, str]:
    return {kind: badge.text() for kind, badge in person.window.results.title.badges.items() if badge.isVisible()}


@pytest.fixture
def scored(person, guesses):
    person.score(guesses)
    return person


def test_the_run_that_was_just_chosen_is_scored_though_another_one_is_still_shown(scored, guesses) -> None:
    first = scored.bench.results.current.id
    second = scored.score(guesses)
    results = scored.bench.results
    assert results.current.id == second
    scored.window.runs.run_toggled.emit(second)  # else it would be scored too, to be comparable
    scored.settle()
    results.choose(first)
    scored.choose("run.rescore_all")
    assert results.results.run.id == second, "the first one's results are on their way"
    scored.settle()
    assert results.results.run.id == first and results.is_scored_by_all
    results.choose(second)
    scored.settle()
    assert not results.is_scored_by_all


def test_another_rule_takes_no_model_and_shows_what_flips(scored, monkeypatch) -> None:
    monkeypatch.setattr("stepscope.models.registry.load", lambda *_, **__: pytest.fail("a model was loaded"))
    assert shown(scored) == "aitw" and metrics(scored)["step_accuracy"] == pytest.approx(0.5)
    assert badges(scored) == {"malformed": "⚠ 1 malformed"}
    take(scored, "aitw-exact")
    assert metrics(scored)["step_accuracy"] == pytest.approx(2 / 6)
    flips = scored.window.results.items_page.flips
    assert flips.text().startswith("1 item flips against AitW, radius 0.14 or box × 2.4: 0 now right, 1 now wrong")
    flips.click()
    scored.settle()
    assert rows(scored) == [("lamp", 1, "miss", "hit")]
    assert scored.bench.context.selection.rule.id == "aitw-exact", "Replay shows the same rule"
    assert cells(scored, "Buy a lamp")[:4] == ["hit", "miss", "hit", "miss"], "and so does the list of episodes"
    take(scored, "aitw")
    assert metrics(scored)["step_accuracy"] == pytest.approx(0.5)
    assert cells(scored, "Buy a lamp")[:4] == ["hit", "hit", "hit", "miss"]
    assert len(rows(scored)) == 6 and not scored.window.results.items_page.flips.isVisible()


def test_no_answer_and_nonsense_are_two_things(person, tmp_path) -> None:
    lines = [
        {"episode": "chair", "step": 0, "action": None, "raw": "???"},
        {"episode": "chair", "step": 1, "action": None},
    ]
    path = tmp_path / "nothing.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    person.score(path)
    assert badges(person)["malformed"] == "⚠ 1 malformed" and badges(person)["null"] == "⚠ 1 no answer"
    assert [row[2] for row in rows(person)] == ["malformed", "null"]
    person.bench.results.set_filter(ItemsFilter.NULL)
    person.settle()
    assert rows(person) == [("chair", 1, "null", None)]


def test_all_rules_side_by_side_are_stored(scored) -> None:
    scored.choose("run.rescore_all")
    scored.until(lambda: all(one.scored for one in scored.bench.results.results.choices), "scores under all rules")
    scored.settle()
    scored.window.results.show_page("rules")
    scored.settle()
    model = scored.window.results.rules.model
    table = {model.row(place).id: model.row(place) for place in range(model.rowCount())}
    assert table["aitw"].own and table["aitw"].value == pytest.approx(0.5)
    assert (table["aitw-exact"].value, table["aitw-exact"].flips) == (pytest.approx(1 / 3), 1)
    assert (table["motif-point"].n, table["motif-point"].value, table["motif-point"].flips) == (
        6,
        pytest.approx(0.25),
        1,
    )
    assert all(row.scored for row in table.values())
    run = scored.bench.results.current
    stored = changes(scored.bench.context.database, run.id, scoring_of("aitw", {"text": "exact", "direction": "exact"}))
    assert [(flip.key.episode, flip.key.step) for flip in stored.flips] == [("lamp", 1)]


def test_the_filter_lists_episodes_whose_verdicts_flip(scored) -> None:
    take(scored, "aitw-exact")
    scored.bench.library.set_filter("flips:aitw-exact", tell_view=True)
    scored.until(lambda: len(scored.bench.library.ids) == 1, "the filtered list")
    assert list(scored.bench.library.ids) == ["lamp"]


def test_data_that_is_gone_is_told_and_changes_nothing(open_window, own_shop: Path, guesses) -> None:
    person = open_window(own_shop)
    person.score(guesses)
    person.choose("source.close")
    person.settle()
    shutil.rmtree(own_shop)
    person.bench.rescoring.choose("aitw-exact")
    person.until(lambda: any("not there any more" in told for told in person.told), "the message")
    person.settle()
    assert shown(person) == "aitw" and person.window.results.rule_bar.rule == "aitw"
    assert not person.bench.rescoring.is_running


def test_two_shown_runs_are_compared_on_their_common_items(scored, guesses, tmp_path) -> None:
    """`guesses` has 3 of 6 right; the better file mends step 3 of lamp and leaves chair out."""
    better = [json.loads(line) for line in guesses.read_text().splitlines()[1:5]]
    better[3]["action"] = {"kind": "press_key", "key": "back"}
    path = tmp_path / "better.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in better))
    run = scored.score(path)
    found = scored.bench.results
    scored.until(lambda: found.results.run.id == run and found.results.baseline is not None, "the comparison")
    compared = scored.bench.results.results.baseline.comparison
    assert (compared.n_common, len(compared.only_a), len(compared.only_b)) == (4, 0, 2)
    gap = next(one for one in compared.differences if one.metric == "step_accuracy")
    assert (gap.a, gap.b, gap.difference, gap.test, gap.p) == (1.0, 0.75, 0.25, "mcnemar", 1.0)
    note = scored.window.results._note.text()
    assert "over 4 common items (2 only in the baseline)" in note


def test_a_run_without_scores_under_the_rule_is_named_with_what_to_do(person, guesses) -> None:
    other = person.evaluate("random", "aitw")
    own = person.score(guesses, "motif")
    person.selection.set_runs((other, own))
    person.bench.results.choose(own)
    person.settle()
    assert person.bench.results.results.baseline.run == other
    title = rule_by_id("motif-object").title
    said = f"Not compared with random · aitw: it has no scores under {title}. Open it and choose this rule there"
    assert said in person.window.results._result.note and other not in person.window.results._result.note
