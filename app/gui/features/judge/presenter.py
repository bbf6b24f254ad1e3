"""Makes of judgements what the views of Judge show: rows, questions as they stand, tables of figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from stepscope.app.gui.features.judge.error_words import FEW, error_tables, judge_name
from stepscope.core.domain.episode import Platform
from stepscope.core.domain.judgement import QUESTIONS, JudgeId, Judgement, PairAnswers, TextPair, is_swapped
from stepscope.core.domain.prediction import Task
from stepscope.core.scoring.judged_pairs import COLUMNS, as_shown, outlook, verdict_of_answers
from stepscope.widgets import format as formats
from stepscope.widgets.judge.judge_values import (
    AgreementShown,
    JudgedPair,
    MatchBars,
    PairRow,
    QuestionWords,
)
from stepscope.widgets.scores.breakdown_values import Bar
from stepscope.widgets.scores.figure_values import FigureCell, FigureTable

if TYPE_CHECKING:
    from stepscope.app.services.judging import JudgingResult
    from stepscope.core.evaluation.judging import JudgedRate, JudgedRates
    from stepscope.core.scoring.intent_match import Relation
    from stepscope.core.scoring.judged_pairs import JudgeAgreement, KappaValue
    from stepscope.core.scoring.published_numbers import PublishedNumber

VERDICTS = {
    "match": ("match", "hit"),
    "partial_match": ("partial match", "warn"),
    "non_match": ("non match", "miss"),
}
"""Words and look of each verdict."""
SHORT = {"match": "match", "partial_match": "partial", "non_match": "non match"}
_GOALS = tuple(
    QuestionWords(*words)
    for words in (
        ("Is A fulfilled?", "Does the trajectory do what A asks?"),
        ("Is B fulfilled?", "Does the trajectory do what B asks?"),
        ("Does A satisfy B?", "Everything that fulfils A also fulfils B"),
        ("Does B satisfy A?", "Everything that fulfils B also fulfils A"),
    )
)
_ASKS = tuple(
    QuestionWords(*words)
    for words in (
        ("Does A ask for what is missing?", "With its answer the agent could go on"),
        ("Does B ask for what is missing?", "With its answer the agent could go on"),
        ("Does A cover B?", "Every answer to A also answers B"),
        ("Does B cover A?", "Every answer to B also answers A"),
    )
)


def questions_of(task: Task) -> tuple[QuestionWords, ...]:
    return _ASKS if task is Task.ASK else _GOALS


def row_of(number: int, app: str | None, steps: int, said: Judgement | None) -> PairRow:
    """A pair in the list: nothing in it tells a text."""
    where = f"{formats.app_name(app)} · " if app else ""
    return PairRow(f"Pair {number + 1}", f"{where}{formats.counted(steps, 'step')}", *state_of(said))


def writing_row(number: int, app: str | None, steps: int, written: bool) -> PairRow:
    where = f"{formats.app_name(app)} · " if app else ""
    state = ("written", "hit") if written else ("open", "neutral")
    return PairRow(f"Episode {number + 1}", f"{where}{formats.counted(steps, 'step')}", *state)


def state_of(said: Judgement | None) -> tuple[str, str]:
    """What was said of a pair in a word, and its look."""
    if said is None or not said.says_something:
        return "open", "neutral"
    if said.rejected:
        return "bad data", "neutral"
    found = verdict_of_answers(said.answers)
    if not said.done or found is None:
        return f"{said.answers.given} of 4", "neutral"
    return SHORT[found], VERDICTS[found][1]


def pair_shown(
    pair: TextPair,
    task: Task,
    said: Judgement | None,
    seed: int,
    chosen: int,
    models: Iterable[Judgement] = (),
    note: str = "",
) -> JudgedPair:
    """The pair with its sides as they were drawn. `models` are their judgements, where they may be shown."""
    left, right = (pair.second, pair.first) if is_swapped(seed) else (pair.first, pair.second)
    answers = as_shown(said.answers, seed) if said else PairAnswers()
    return JudgedPair(
        left,
        right,
        questions_of(task),
        tuple(answers),
        chosen,
        said.rejected if said else "",
        said.remark if said else "",
        _outlook(said.answers if said and not said.rejected else PairAnswers()),
        tuple(_model_words(one, seed) for one in models),
        said is not None and said.done,
        note,
    )


def _outlook(answers: PairAnswers) -> tuple[tuple[str, str], ...]:
    found = verdict_of_answers(answers)
    if found is not None:
        return (VERDICTS[found],)
    so_far = outlook(answers)
    if so_far is None:
        return ()
    return tuple(
        (f"{VERDICTS[then][0]} if {'yes' if answer else 'no'}", VERDICTS[then][1]) for answer, then in so_far.items()
    )


def _model_words(one: Judgement, seed: int) -> str:
    """What a model said, in the letters of the sides."""
    if one.rejected:
        return f"{one.judge.name} (model): bad data, {one.rejected}"
    answers = as_shown(one.answers, seed)
    about = ("A fulfilled", "B fulfilled", "A satisfies B", "B satisfies A")
    said = [
        f"{words} {'yes' if answer else 'no'}"
        for words, answer in zip(about, answers, strict=True)
        if answer is not None
    ]
    found = verdict_of_answers(one.answers)
    verdict = f" – {VERDICTS[found][0]}" if found else ""
    reasons = "".join(f"\n{words}: {why}" for words, why in zip(about, _reasons(one, seed), strict=True) if why)
    return f"{one.judge.name} (model): {', '.join(said) or 'no answer'}{verdict}{reasons}"


LONGEST_REASON = 300
"""Letters of a model's reason that are shown."""


def _reasons(one: Judgement, seed: int) -> tuple[str, ...]:
    """Why a model answered so, left and right, in the order of the questions; "" where it does not say."""
    try:
        told = json.loads(one.detail or "{}").get("questions")
        said = {each["question"]: str(each["why"]) for each in told or ()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return ("",) * len(QUESTIONS)
    whole = PairAnswers(*(said.get(name, "") for name in QUESTIONS))  # type: ignore[arg-type]
    return tuple(str(why)[:LONGEST_REASON] for why in as_shown(whole, seed))


def pace_words(said: Iterable[Judgement]) -> str:
    """How long a pair takes as a rule: the median of those that are finished."""
    spent = [one.seconds for one in said if one.done and one.seconds > 0]
    return f"{formats.duration(median(spent))} a pair" if spent else ""


# Figures -------------------------------------------------------------------------------------------------------------

_TITLES = {
    "fulfilled": "Fulfilled", "satisfies": "Satisfies", "verdict": "Verdict",
    "first_fulfilled": "1 fulfilled", "second_fulfilled": "2 fulfilled",
    "first_satisfies": "1 ⇒ 2", "second_satisfies": "2 ⇒ 1",
}  # fmt: skip
_SHORT_COLUMNS = COLUMNS[:3]
_RATE_TITLES = ("1 fulfilled", "2 fulfilled", "Match", "Partial match", "Non match")


MOST_CONFUSIONS = 4
"""Tables of two judges' verdicts on the page; the command has all."""


def agreement_shown(
    result: JudgingResult,
    first: str,
    second: str,
    papers: Sequence[PublishedNumber],
    spent: Mapping[str, tuple[int, int, float | None]],
    platform: Platform,
    bars: Sequence[MatchBars] = (),
    *,
    sample: bool,
) -> AgreementShown:
    """`first` and `second` are what the two texts are called; `bars` stand below the tables; `papers` printed
    kappas, none for the sample; `spent` by judge how many pairs are done, how many are theirs, and the seconds of
    one."""
    paper = _paper_rows(papers, platform)
    pairs = [_kappa_row(one, _SHORT_COLUMNS) for one in result.agreement]
    columns = ("Cohen’s κ", "Fulfilled", "Satisfies", "Verdict", "Pairs")
    start = len(pairs)
    marked = frozenset(range(start, start + len(paper)))
    nobody = "Agreement is told once two have judged the same pairs."
    short = FigureTable("Agreement", columns[:-1], tuple(row[:-1] for row in (*pairs, *paper)), marked, nobody)
    by_question = FigureTable(
        "Cohen’s κ of each question",
        ("Judges", *(_TITLES[name] for name in COLUMNS[3:]), "Pairs"),
        tuple(_kappa_row(one, COLUMNS[3:]) for one in result.agreement),
        empty=nobody,
    )
    return AgreementShown(
        short,
        (
            _rate_table(result, first, second),
            FigureTable("Cohen’s κ, pairwise", columns, (*pairs, *paper), marked, nobody),
            by_question,
            *_confusions(result),
            _progress_table(spent),
            *error_tables(result.errors, result.error_agreement),
        ),
        sample,
        _note(result, first, second),
        tuple(bars),
    )


_NOBODY = JudgeId("", by_model=False)


def match_bars(
    result: JudgingResult, by_app: Mapping[str, Sequence[JudgedRates]], by_kind: Mapping[str, Sequence[JudgedRates]]
) -> list[MatchBars]:
    """Figure 5 of the paper: the pairs that match, by app and by what the goal is after, as people together see it and
    as the first model does; nothing apart where there is one name only."""
    people = next((one.judge for one in result.rates if one.judge is None or not one.judge.by_model), _NOBODY)
    model = next((one.judge for one in result.rates if one.judge is not None and one.judge.by_model), _NOBODY)
    found = []
    for judge in (people, model):
        for what, groups in (("app", by_app), ("kind of goal", by_kind)):
            bars = [
                bar
                for name, rates in groups.items()
                if (bar := _match_bar(formats.app_name(name) or "no app", rates, judge))
            ]
            if len(bars) > 1:
                found.append(MatchBars(f"Match by {what}: {judge_name(judge)}", tuple(bars)))
    return found


def _match_bar(name: str, rates: Sequence[JudgedRates], judge: JudgeId | None) -> Bar | None:
    mine = next((one.rates["match"] for one in rates if one.judge == judge), None)
    if mine is None or mine.value is None:
        return None
    return Bar(name, round(mine.value * mine.n), mine.n, interval=(mine.low, mine.high))


def _confusions(result: JudgingResult) -> tuple[FigureTable, ...]:
    """Which verdict of one judge met which of another, of the first few two who judged the same pairs."""
    words: dict[Relation, str] = {"match": "Match", "partial_match": "Partial", "non_match": "None"}
    tables = []
    for one in [one for one in result.agreement if one.verdicts][:MOST_CONFUSIONS]:
        first, second = map(judge_name, one.judges)
        rows = tuple(
            (
                FigureCell(words[mine]),
                *(_count_cell(one.verdicts.get((mine, theirs), 0), mine == theirs) for theirs in words),
            )
            for mine in words
        )
        tables.append(FigureTable(f"Verdicts of {first} (down) and {second} (across)", ("", *words.values()), rows))
    return tuple(tables)


def _count_cell(count: int, same: bool) -> FigureCell:
    return FigureCell(formats.count(count), "The same verdict" if same else "Another verdict", "" if count else "dim")


def _note(result: JudgingResult, first: str, second: str) -> str:
    parts = [f"Text 1 is {first}, text 2 is {second}. Models count only where you have finished the pair."]
    if result.outdated:
        changed = formats.counted(result.outdated, "judgement is", "judgements are")
        parts.append(f"{changed} about words that have changed since, and not counted.")
    return " ".join(parts)


def _rate_table(result: JudgingResult, first: str, second: str) -> FigureTable:
    from stepscope.core.evaluation.judging import RATES

    rows = tuple(
        (
            FigureCell(judge_name(one.judge)),
            *(_rate_cell(one.rates[name]) for name in RATES),
            FigureCell(formats.count(one.rejected)),
            FigureCell(formats.count(one.pairs)),
        )
        for one in result.rates
    )
    title = f"How {second} compares with {first}"
    return FigureTable(title, ("Judge", *_RATE_TITLES, "Bad data", "Pairs"), rows, empty="Nobody judged a pair yet.")


def _rate_cell(rate: JudgedRate) -> FigureCell:
    if rate.value is None:
        return FigureCell(formats.NONE, "Nobody said so of any pair", "dim")
    few = ", few" if rate.n < FEW else ""
    below = f"{formats.interval((rate.low, rate.high))}\nn {formats.count(rate.n)}{few}"
    tip = "Over the pairs that have the answers it needs, with the 95 % interval after Wilson"
    return FigureCell(formats.score(rate.value), tip, "dim" if few else "", below)


def _kappa_row(one: JudgeAgreement, names: Sequence[str]) -> tuple[FigureCell, ...]:
    who = ", ".join(map(judge_name, one.judges))
    together = f"{who}: {formats.counted(one.pairs, 'pair')} judged by both"
    return (
        FigureCell(who, together),
        *(_kappa_cell(one.kappas[name]) for name in names),
        FigureCell(formats.count(one.pairs)),
    )


def _kappa_cell(value: KappaValue) -> FigureCell:
    if value.kappa is None:
        return FigureCell(formats.NONE, "No answers of both", "dim")
    few = ", few" if value.n < FEW else ""
    tip = f"{formats.counted(value.n, 'answer')} of both{few}; equal in {formats.share(value.observed)}"
    below = f"n {formats.count(value.n)}{few}"
    return FigureCell(formats.confidence(value.kappa), tip, "dim" if value.n < FEW else "", below)


def _paper_rows(papers: Sequence[PublishedNumber], platform: Platform) -> list[tuple[FigureCell, ...]]:
    """What the paper's people, on data like this, and its model judge came to."""
    data = "Mind2Web" if platform is Platform.WEB else "AitZ"
    printed = {(one.model, one.data): one for one in papers}
    rows = []
    for who, title, where in (
        ("Three people", f"Paper, people on {data}", f" on {data}"),
        ("A model as judge against people", "Paper, model judge", ""),
    ):
        found = [printed.get((who, what + where)) for what in ("fulfilment", "satisfaction")]
        if any(found):
            rest = FigureCell(formats.NONE, role="dim")
            rows.append((FigureCell(title), *map(_paper_cell, found), rest, rest))
    return rows


def _paper_cell(number: PublishedNumber | None) -> FigureCell:
    if number is None:
        return FigureCell(formats.NONE, role="dim")
    return FigureCell(formats.confidence(number.value), f"{number.source}: {number.model.lower()}, {number.data}")


def _progress_table(spent: Mapping[str, tuple[int, int, float | None]]) -> FigureTable:
    rows = tuple(
        (
            FigureCell(name),
            FigureCell(formats.count(done)),
            FigureCell(formats.count(theirs) if theirs else formats.NONE, role="" if theirs else "dim"),
            FigureCell(formats.duration(seconds) if seconds else formats.NONE, role="" if seconds else "dim"),
        )
        for name, (done, theirs, seconds) in spent.items()
    )
    return FigureTable(
        "Who judges", ("Person", "Done", "Given", "A pair takes"), rows, empty="Nobody judged a pair yet."
    )
