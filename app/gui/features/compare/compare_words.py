"""A comparison as its panel shows it: rows of runs, what one should know of them, cells, menus, filters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from stepscope.app.gui.features.compare.compare_data import (
    CELLS,
    DIFFERS,
    BaselineComparison,
    RunPair,
    RunStanding,
    names_of,
    why_apart,
)
from stepscope.app.gui.shell.run_words import title_of
from stepscope.app.gui.shell.selection import LETTERS
from stepscope.core.domain.run import Run
from stepscope.widgets import format as words
from stepscope.widgets.compare import CompareMenus, MenuEntry
from stepscope.widgets.results.breakdown_values import PairCell, PairCounts, RunScore

FILTERS = {
    "both_right": "right:{a} right:{b}",
    "only_a": "right:{a} wrong:{b}",
    "only_b": "wrong:{a} right:{b}",
    "both_wrong": "wrong:{a} wrong:{b}",
    DIFFERS: "differs:{a},{b}",
}
"""The steps of a cell, as the filter language calls them."""
FULL = "eight runs are shown"


def letter_of(run: str, shown: Sequence[str]) -> str:
    """The run's letter; one that has just lost its place counts as A."""
    return LETTERS[shown.index(run) if run in shown else 0]


def run_rows(compared: BaselineComparison, shown: Sequence[str], names: Sequence[str]) -> list[RunScore]:
    """The base first. `shown` are the runs by letter, with their names."""
    ordered = sorted(compared.standings, key=lambda one: one.run.id != compared.base.id)
    numbers = {run: number for number, run in enumerate(shown)}
    return [_row(compared, one, numbers.get(one.run.id, 0), names) for one in ordered]


def _row(compared: BaselineComparison, one: RunStanding, number: int, names: Sequence[str]) -> RunScore:
    gap, name = one.gap, names[number] if number < len(names) else title_of(one.run)
    if one.run.id == compared.base.id:
        return RunScore(number, name, compared.score, one.run.id, lower_is_better=compared.lower_is_better)
    if gap is None:
        return RunScore(number, name, None, one.run.id, tip=f"Not compared: {one.why}.")
    test = "McNemar's test" if gap.test == "mcnemar" else "paired bootstrap over episodes"
    return RunScore(
        number, name, gap.a, one.run.id, gap.difference, gap.ci, gap.p, compared.lower_is_better, f"p by {test}"
    )


def note_of(compared: BaselineComparison, shown: Sequence[str]) -> str:
    """What one should know of the numbers: another rule than the chosen one, runs that are left out."""
    said = []
    if not compared.chosen:
        said.append(f"Under {compared.scoring.words}: the runs are not all scored under the current rule.")
    said += [f"{letter_of(one.run.id, shown)} is left out: {one.why}." for one in compared.standings if one.why]
    if compared.left_out:
        said.append("Without what people called defective.")
    return " ".join(said)


def apart_words(compared: BaselineComparison, shown: Sequence[str]) -> str:
    """Why no run can be compared with the base, a line for each."""
    return "\n".join(f"{letter_of(one.run.id, shown)}: {one.why}." for one in compared.standings if one.why)


def can_rescore(compared: BaselineComparison, rule: str) -> bool:
    """Whether scoring all runs under all rules would bring more of them together, or under the current rule."""
    from stepscope.app.services.rescoring import rules_for

    unscored = any(one.why.startswith("not scored") for one in compared.standings)
    return unscored or (not compared.chosen and rule in rules_for(compared.base))


def counts_of(compared: BaselineComparison, pair: RunPair, shown: Sequence[str]) -> PairCounts:
    """Two by two, each cell with its name as key."""
    counted = {which: pair.count(which) for which in CELLS[:4]}
    both, only_a, only_b, none = (PairCell(count, which if count else None) for which, count in counted.items())
    p = f"McNemar p {words.p_value(pair.p)}" if pair.p is not None else ""
    a, b = (LETTERS.index(letter_of(run, shown)) for run in (pair.a, pair.b))
    return PairCounts(both, only_a, only_b, none, a, b, compared.noun, p)


def filter_words(pair: RunPair, which: str, shown: Sequence[str]) -> str:
    return FILTERS[which].format(a=letter_of(pair.a, shown), b=letter_of(pair.b, shown))


def menus_of(
    shown: Sequence[Run], stored: Sequence[Run], base: Run | None, pair: RunPair | None, comparable: Sequence[str]
) -> CompareMenus:
    """What can be added, held against, paired and taken away. `shown` by letter; `stored` are all runs."""
    ids = [run.id for run in shown]
    full = FULL if len(shown) >= len(LETTERS) else ""
    further = [
        MenuEntry(run.id, title_of(run), full or (why_apart(base, run) if base else ""))
        for run in stored
        if run.id not in ids
    ]
    named = {run.id: f"{LETTERS[n]}  {name}" for n, (run, name) in enumerate(zip(shown, names_of(shown), strict=True))}
    taken = (pair.a, pair.b) if pair else ("", "")
    pairs = [
        MenuEntry((a, b), f"{letter_of(a, ids)} and {letter_of(b, ids)}", chosen=(a, b) == taken)
        for a, b in combinations(comparable, 2)
    ]
    return CompareMenus(
        tuple(sorted(further, key=lambda entry: bool(entry.why))),
        tuple(MenuEntry(run, name, chosen=base is not None and run == base.id) for run, name in named.items()),
        tuple(pairs),
        tuple(MenuEntry(run, name) for run, name in named.items()),
    )
