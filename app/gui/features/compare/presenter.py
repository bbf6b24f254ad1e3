"""A comparison as its workspace shows it: rows of runs and steps, what one should know of them, cells, menus, filters,
and the lanes of actions side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from stepscope.app.gui.features.compare.compare_rules import FlipSteps
from stepscope.app.gui.features.compare.run_comparison import (
    CELLS,
    DIFFERS,
    BaselineComparison,
    RunPair,
    RunStanding,
    StepsOf,
    Summaries,
    why_apart,
)
from stepscope.app.gui.shell.answers import short_words
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.run_letters import LETTERS, RunLetters
from stepscope.app.gui.shell.run_words import names_of, title_of
from stepscope.app.gui.shell.step_words import element_words, verdict_of
from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.domain.run import ItemKey, Run
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.compare import (
    AlignedCell,
    AlignedLane,
    AlignedStep,
    CompareMenus,
    DifferenceRow,
    FlipRow,
    MenuEntry,
)
from stepscope.widgets.scores.breakdown_values import PairCell, PairCounts, RunScore

if TYPE_CHECKING:
    from stepscope.core.store.columns import RunColumns


FILTERS = {
    "both_right": "right:{a} right:{b}",
    "only_a": "right:{a} wrong:{b}",
    "only_b": "wrong:{a} right:{b}",
    "both_wrong": "wrong:{a} wrong:{b}",
    DIFFERS: "differs:{a},{b}",
}
"""The steps of a cell, as the filter language calls them."""
FULL = "eight runs are shown"


def letter_of(run: str, shown: RunLetters) -> str:
    """The run's letter; one that is shown no more counts as A."""
    return LETTERS[shown.get(run, 0)]


def run_rows(
    compared: BaselineComparison, shown: RunLetters, names: Mapping[str, str], doubts: Mapping[str, str]
) -> list[RunScore]:
    """The base first, those that cannot be compared with it last. `names` are those of the shown runs; `doubts` say why
    the places of some may be misread."""
    ordered = sorted(compared.standings, key=lambda one: (one.run.id != compared.base.id, bool(one.why)))
    rows = [(one.run.id, _row(compared, one, shown.get(one.run.id, 0), names)) for one in ordered]
    return [replace(row, doubt=doubts.get(run, "")) for run, row in rows]


def _row(compared: BaselineComparison, one: RunStanding, number: int, names: Mapping[str, str]) -> RunScore:
    gap, name = one.gap, names.get(one.run.id) or title_of(one.run)
    if one.run.id == compared.base.id:
        return RunScore(number, name, compared.score, one.run.id, lower_is_better=compared.lower_is_better)
    if gap is None:
        return RunScore(number, name, None, one.run.id, tip=f"Not compared: {one.why}.", is_apart=True)
    test = "McNemar's test" if gap.test == "mcnemar" else "paired bootstrap over episodes"
    return RunScore(
        number, name, gap.a, one.run.id, gap.difference, gap.ci, gap.p, compared.lower_is_better, f"p by {test}"
    )


def note_of(compared: BaselineComparison, shown: RunLetters) -> str:
    """What one should know of the numbers: another rule than the chosen one, runs that are left out of them."""
    from stepscope.core.evaluation.rules import rule_title

    said = []
    if not compared.chosen:
        rule = rule_title(compared.scoring)
        said.append(f"Under {rule}: the runs are not all scored under the current rule.")
    if compared.others():
        for letters, why in _reasons(compared, shown):
            left = "is" if len(letters) == 1 else "are"
            said.append(f"{_enumerated(letters)} {left} left out: {why}.")
    if compared.left_out:
        said.append("Without what people called defective.")
    return " ".join(said)


def apart_words(compared: BaselineComparison, shown: RunLetters) -> str:
    """Why no run can be compared with the base, a line for each reason."""
    return "\n".join(f"{_enumerated(letters)}: {why}." for letters, why in _reasons(compared, shown))


def _reasons(compared: BaselineComparison, shown: RunLetters) -> list[tuple[list[str], str]]:
    """Why runs cannot be compared with the base, each reason with the letters of all of which it holds."""
    found: dict[str, list[str]] = {}
    for one in compared.standings:
        if one.why:
            found.setdefault(one.why, []).append(letter_of(one.run.id, shown))
    return [(letters, why) for why, letters in found.items()]


def _enumerated(letters: Sequence[str]) -> str:
    """B; B and C; B, C and D."""
    *first, last = letters
    return f"{', '.join(first)} and {last}" if first else last


def can_rescore(compared: BaselineComparison, rule: str) -> bool:
    """Whether scoring all runs under all rules would bring more of them together, or under the current rule."""
    from stepscope.app.services.rescoring import rules_for

    unscored = any(one.why.startswith("not scored") for one in compared.standings)
    return unscored or (not compared.chosen and rule in rules_for(compared.base))


def counts_of(compared: BaselineComparison, pair: RunPair, shown: RunLetters) -> PairCounts:
    """Two by two, each cell with its name as key."""
    counted = {which: pair.count(which) for which in CELLS[:4]}
    both, only_a, only_b, none = (PairCell(count, which if count else None) for which, count in counted.items())
    p = f"McNemar p {words.p_value(pair.p)}" if pair.p is not None else ""
    a, b = (shown.get(run, 0) for run in (pair.a, pair.b))
    return PairCounts(both, only_a, only_b, none, a, b, compared.noun, p)


def filter_words(pair: RunPair, which: str, shown: RunLetters) -> str:
    return FILTERS[which].format(a=letter_of(pair.a, shown), b=letter_of(pair.b, shown))


def menus_of(
    shown: Sequence[Run],
    letters: RunLetters,
    stored: Sequence[Run],
    base: Run | None,
    pair: RunPair | None,
    comparable: Sequence[str],
) -> CompareMenus:
    """What can be added, held against, paired and taken away. `stored` are all runs."""
    full = FULL if len(shown) >= len(LETTERS) else ""
    further = [
        MenuEntry(run.id, title_of(run), full or (why_apart(base, run) if base else ""))
        for run in stored
        if run.id not in letters
    ]
    named = {run: f"{letter_of(run, letters)}  {name}" for run, name in names_of(shown, short=True).items()}
    taken = (pair.a, pair.b) if pair else ("", "")
    pairs = [
        MenuEntry((a, b), f"{letter_of(a, letters)} and {letter_of(b, letters)}", chosen=(a, b) == taken)
        for a, b in combinations(comparable, 2)
    ]
    return CompareMenus(
        tuple(sorted(further, key=lambda entry: bool(entry.why))),
        tuple(MenuEntry(run, name, chosen=base is not None and run == base.id) for run, name in named.items()),
        tuple(pairs),
        tuple(MenuEntry(run, name) for run, name in named.items()),
    )


CSV_HEAD = ("run", "model", "episode", "step", "goal", "rule", "verdict", "other_rule", "other_verdict")
PAGE = 500

Shown = Sequence[tuple[int, str]]
"""Runs by their number (0 is A) and id."""
Scores = Mapping[str, Mapping[str, float]]
"""Score by letter, for each rule under which all runs have one."""


def verdict_at(columns: RunColumns, row: int) -> ShownVerdict:
    """What came of the item at an index of the columns."""
    from stepscope.core.store.columns import ERROR, UNSCORED

    status = int(columns.status[row])
    if status == ERROR:
        return ShownVerdict.ERROR
    if status == UNSCORED:
        return ShownVerdict.UNSCORED
    if columns.malformed[row]:
        return ShownVerdict.NULL if columns.null[row] else ShownVerdict.MALFORMED
    return ShownVerdict.HIT if columns.right[row] else ShownVerdict.MISS


def difference_rows(
    about: Summaries, pair: RunPair, columns: Mapping[str, RunColumns], steps: StepsOf, page: range, shown: Shown
) -> list[DifferenceRow]:
    """The rows of a page; `page` are places in `steps`."""
    rows = []
    for place in page:
        key = steps.key(place)
        verdicts = []
        for number, run in shown:
            row = int(pair.places[run][steps.rows[place]]) if run in pair.places else -1
            verdicts.append((number, verdict_at(columns[run], row) if row >= 0 else None))
        rows.append(DifferenceRow(key, _goal(key, about), _where(key, about), tuple(verdicts)))
    return rows


def flip_rows(about: Summaries, flips: FlipSteps, page: range) -> list[FlipRow]:
    """The rows of a page of what flips."""
    rows = []
    for place in page:
        key = flips.key(place)
        turn = _turn(flips.now_right(place))
        rows.append(FlipRow(key, flips.number(place), _goal(key, about), _where(key, about), *turn))
    return rows


def flip_table(
    about_of: Callable[[Sequence[ItemKey]], Summaries],
    flips: FlipSteps,
    models: Mapping[str, str],
    rules: tuple[str, str],
) -> Iterator[tuple[str, ...]]:
    """The lines of a CSV file; `rules` are the current one and the other, `models` names by run."""
    yield CSV_HEAD
    for first in range(0, len(flips), PAGE):
        page = range(first, min(first + PAGE, len(flips)))
        keys = [flips.key(place) for place in page]
        about = about_of(keys)
        for place, key in zip(page, keys, strict=True):
            before, after = _turn(flips.now_right(place))
            run = flips.run(place)
            cells = (run, models[run], key.episode, "" if key.step < 0 else str(key.step), _goal(key, about))
            yield (*cells, rules[0], before.word, rules[1], after.word)


def aligned(
    episode: Episode, judged: JudgedEpisode, names: Mapping[str, str], rule: MatchingRule
) -> tuple[tuple[AlignedStep, ...], tuple[AlignedLane, ...], str]:
    """Reference and runs, a column for each step of the episode, and which runs lack steps.

    Every stored answer belongs to a step of the data, so that runs are aligned by it, however many steps they answer.
    """
    steps = []
    for step in episode.steps:
        words = action_words(step.action, element=_plain(element_words(step, step.action)))
        steps.append(AlignedStep(words.icon, f"{words.word} {words.detail}".strip()))
    lanes = [_lane(run, names.get(run, run), judged, episode, rule) for run in judged.runs]
    notes = []
    for lane in lanes:
        asked = sum(step.action is not None for step in episode.steps)
        there = sum(cell is not None for cell in lane.cells)
        if lane.cells and there < asked:
            missing = "nothing here" if not there else f"no answer for {asked - there} of {asked} steps"
            notes.append(f"{lane.name}: {missing}")
    return tuple(steps), tuple(lanes), " · ".join(notes)


def action_said(step: Step, prediction: Prediction | None) -> str:
    """What a run does at a step, with its coordinates."""
    if prediction is None:
        return ""
    action = _action_of(prediction)
    if action is None:
        return f"nothing usable ({prediction.status})" if prediction.answer is None else "does nothing"
    return action_words(action).exact


def _lane(run: str, name: str, judged: JudgedEpisode, episode: Episode, rule: MatchingRule) -> AlignedLane:
    number = judged.runs[run]
    whole = judged.whole(run)
    if whole is not None:
        return AlignedLane(number, name, words=short_words(whole), verdict=verdict_of(whole.score))
    return AlignedLane(number, name, tuple(_cell(judged, run, step, rule) for step in episode.steps))


def _cell(judged: JudgedEpisode, run: str, step: Step, rule: MatchingRule) -> AlignedCell | None:
    prediction, score = judged.prediction(run, step.index), judged.score(rule, run, step.index)
    if prediction is None or score is None:
        return None
    action = _action_of(prediction)
    if action is None:
        said = "asks" if isinstance(prediction.answer, AskAnswer) and prediction.answer.question else "no action"
        return AlignedCell(said, verdict_of(score), score.why)
    words = action_words(action, element=_plain(element_words(step, action)))
    return AlignedCell(f"{words.word} {words.detail}".strip(), verdict_of(score), score.why)


def _action_of(prediction: Prediction) -> Action | None:
    answer = prediction.answer
    return answer.action if isinstance(answer, AskAnswer) else prediction.action


def _plain(element: str) -> str:
    """`#id “text”` as its text, where it has one: lanes are narrow."""
    _name, quoted, rest = element.partition(" “")
    return rest.removesuffix("”") if quoted else element


def _goal(key: ItemKey, about: Summaries) -> str:
    summary = about.get(key.episode)
    return summary.goal if summary and summary.goal else key.episode


def _where(key: ItemKey, about: Summaries) -> str:
    if key.step < 0:
        return "whole episode"
    summary = about.get(key.episode)
    return f"step {key.step + 1}" + (f" of {summary.steps}" if summary else "")


def _turn(now_right: bool) -> tuple[ShownVerdict, ShownVerdict]:
    return (ShownVerdict.MISS, ShownVerdict.HIT) if now_right else (ShownVerdict.HIT, ShownVerdict.MISS)


# The order of runs under several rules --------------------------------------------------------------------------------


def order_words(scores: Scores) -> str:
    """Whether the order of the runs by their scores depends on the rule, in a sentence or two; "" without two rules
    or two runs. Runs with the same score are in neither order."""
    if len(scores) < 2 or len(next(iter(scores.values()))) < 2:
        return ""
    turned = _turned(scores)
    leaders = {rule: _leader(row) for rule, row in scores.items()}
    count = words.count(len(scores))
    top = set(leaders.values())
    if len(top) == 1 and "" not in top:
        (leader,) = top
        lead = f"{leader} leads under all {count} rules"
        if not turned:
            return f"No. {lead}; {_gap(scores, leader)}."
        return f"Yes, behind the first. {lead}, but {_pairs(turned)}."
    if not turned:
        return f"No. Some runs have the same score under some of the {count} rules, but none changes places."
    (first, most), *others = _by_leader(leaders)
    named = "; ".join(f"{name or 'none alone'} under {_rules(rules)}" for name, rules in others)
    return f"Yes. {first or 'None alone'} leads under {words.count(len(most))} of {count} rules; {named}."


def _leader(row: Mapping[str, float]) -> str:
    """The letter with the highest score, "" when several have it."""
    best = max(row.values())
    first = [letter for letter, score in row.items() if score == best]
    return first[0] if len(first) == 1 else ""


def _by_leader(leaders: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """The rules of each leader, those with most rules first."""
    found: dict[str, list[str]] = {}
    for rule, leader in leaders.items():
        found.setdefault(leader, []).append(rule)
    return sorted(found.items(), key=lambda one: -len(one[1]))


def _turned(scores: Scores) -> list[tuple[str, str, list[str]]]:
    """Pairs that are in one order under most rules and in the other under those that are named."""
    found = []
    for a, b in combinations(next(iter(scores.values())), 2):
        ahead = [rule for rule, row in scores.items() if row[a] > row[b]]
        behind = [rule for rule, row in scores.items() if row[a] < row[b]]
        if ahead and behind:
            few = (b, a, behind) if len(behind) <= len(ahead) else (a, b, ahead)
            found.append(few)
    return found


def _pairs(turned: Sequence[tuple[str, str, list[str]]]) -> str:
    return "; ".join(f"{first} is before {second} under {_rules(rules)}" for first, second, rules in turned)


def _rules(rules: Sequence[str]) -> str:
    """aitz; or aitz and motif; or 5 rules, where their names would fill the panel."""
    if len(rules) > 3:
        return f"{words.count(len(rules))} rules"
    return " and ".join(rules) if len(rules) < 3 else f"{rules[0]}, {rules[1]} and {rules[2]}"


def _gap(scores: Scores, leader: str) -> str:
    """How far the last run is behind the first: "the gap A to C is 0.075 to 0.110"."""
    row = next(iter(scores.values()))
    last = min(row, key=lambda letter: row[letter])
    gaps = sorted(one[leader] - one[last] for one in scores.values())
    return f"the gap {leader} to {last} is {words.score(gaps[0])} to {words.score(gaps[-1])}"
