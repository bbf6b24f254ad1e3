"""The `ask` protocol: success and questions of agents that may ask, in dual-stream evaluation.

Rules and their sources: `ask_match`, `ask_content` (Navi-plus, paper, and ours), docs/protocols/ask.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring import fields
from stepscope.core.scoring.ask_actor import actor_parts
from stepscope.core.scoring.ask_content import (
    FindEmbedder,
    QuestionPair,
    QuestionSimilarity,
    cosines,
    meteors,
    no_embedder,
)
from stepscope.core.scoring.ask_match import AskEpisode, AskStep, AskVerdict, judge_episode
from stepscope.core.scoring.ask_steps import DueAsk, acts, parts_of, steps_by_episode
from stepscope.core.scoring.ask_streams import AskSetting, StreamRule
from stepscope.core.scoring.ask_tally import COLUMNS, STATISTICS, SUCCESS, counts_of, evaluated, success, timing
from stepscope.core.scoring.fields import Identity
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    AggregatingScorer,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray, quotient
from stepscope.core.scoring.tally import Tally

INFO = ProtocolInfo(
    name="ask",
    title="Navi-plus questions, dual-stream evaluation",
    task=Task.ASK,
    version="2",
    source="Navi-plus, section 2.3, algorithm 1 and appendix F",
    options=(
        Option("dual", "on", "whether an ask before the annotated step is taken back and the second stream replaces "
               "the steps from there", "paper", ("on", "off")),
        Option("early_ask", "neutral", "with dual=on: a taken-back ask counts as nothing, or the first as the right "
               "ask", "ours", ("neutral", "credit")),
    ),
    metrics=tuple(STATISTICS),
    main="ask_f1",
    second="ssr",
    rules=(
        Rule("ssr: mean over episodes of right steps by steps. sr: share of episodes that are right throughout.",
             "paper"),
        Rule("ssr_before, ssr_after: the same over the steps before and after the annotated ASK step.", "paper"),
        Rule("Episodes without such steps are left out of these two.", "ours"),
        Rule("The annotated step is right when the model asked there, or earlier with dual=on; its correct is not "
             "looked at.", "paper"),
        Rule("When the model asks at i before the annotated step j, the second stream's steps i to j replace the "
             "first's (dual=on).", "paper"),
        Rule("Steps without an entry there, or a second stream that is null, keep the first's.", "ours"),
        Rule("Timing over steps of the first stream: TP asked at j, FN j reached without an ask there, FP asked "
             "elsewhere, TN the rest.", "paper"),
        Rule("dual=on: an ask before j is neither FP nor TP and leaves a true negative; the published numbers imply "
             "it.", "ours"),
        Rule("early_ask=credit: the first ask before j is the TP, booked on j if j was reached.", "ours"),
        Rule("ask_f1 is 2TP/(2TP+FP+FN); empty denominators give null.", "ours"),
        Rule("reference_steps, which may be left out, says how many steps the episode has.", "ours"),
        Rule("A step that the first stream did not reach is wrong and has no part in the timing.", "ours"),
        Rule("An empty or null first stream is malformed and all wrong; unscored when no step is known.", "ours"),
        Rule("Content over the true positives: cosine of sentence embeddings and METEOR against the reference "
             "question.", "paper"),
        Rule("Where either text is null the pair is left out. The paper names neither the sentence model nor the "
             "METEOR: the result does.", "ours"),
        Rule("An evaluation judges when and what a model asks; where the model also says what it does, before and "
             "after an answer, each action is right or wrong by the rule of aitw with its default options. ssr, sr, "
             "ssr_before and ssr_after have no value for a model that only asks.", "ours"),
        Rule("There a step at which it asks is wrong in its first stream, but for the due one; after that one its "
             "action with the answer counts once it asked.", "ours"),
        Rule("A step without a usable answer counts there as one without an ask and is wrong; one whose reference no "
             "action can be compared with is left out of the success, unless a question is due at it.", "ours"),
        Rule("There an episode in which several questions are due falls into stretches, each up to its own question, "
             "the last to the end; a step that is in error is left out.", "ours"),
    ),
    lower_is_better=frozenset({"ask_fpr"}),
)  # fmt: skip


class AskScorer(RecordScorer, AggregatingScorer):
    """Scorer of `ask`, for records and for evaluations. Without `embedder` cos_sim has no value."""

    info = INFO

    def __init__(self, embedder: FindEmbedder = no_embedder) -> None:
        self._embedder = embedder

    def judge(self, records: Records, options: Options) -> RecordScores:
        dual, credit = options["dual"] == "on", options["early_ask"] == "credit"
        found = [_judged(episode, dual=dual, credit=credit) for episode in records.each(read_record)]
        scored = [one for one in found if one.verdict is not None]
        pairs = [one.pair for one in scored if one.pair is not None]
        cos_sim, meteor = cosines(pairs, self._embedder), meteors(pairs)
        compared = np.array([one.pair is not None for one in scored], dtype=np.bool_)
        sums = _sums([one.verdict for one in scored if one.verdict is not None], compared, cos_sim, meteor)
        has_verdict = np.array([one.verdict is not None for one in found], dtype=np.bool_)
        unit_of = np.where(has_verdict, np.cumsum(has_verdict) - 1, -1).astype(np.int64)
        likeness = _likeness(sums)
        return RecordScores(
            tally=Tally(sums, STATISTICS, unit_of, yes_no={"sr": sums[:, COLUMNS.index("all")]}),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=sum(one.empty for one in scored),
            null=sum(one.null for one in scored),
            details=LazyDetails(len(found), lambda row: _detail(found[row], likeness, int(unit_of[row]))),
            extra=_extra(sums, len(pairs), cos_sim, meteor),
            counts=counts_of(sums),
        )

    def score_item(self, reference: DueAsk, prediction: Prediction, options: Options) -> Score:
        """One step: right when the agent asks exactly where a question is due. No usable answer counts as no ask, and
        is wrong all the same. The parts are those of `parts_of` and `actor_parts`."""
        if not isinstance(prediction.answer, AskAnswer):
            acted, _ = actor_parts(reference.reference, None)
            return unusable(prediction, **parts_of(reference, asked=False), **acted, unread=1.0)
        question = prediction.answer.question
        likeness = {}
        credited = reference.later and options["dual"] == "on" and options["early_ask"] == "credit"
        # A question whose words the data does not have can be like none.
        if question is not None and reference.question.strip() and (reference.now or credited):
            likeness = self._likeness(QuestionPair(question, reference.question))
        asked = question is not None
        acted, words = actor_parts(reference.reference, prediction.answer)
        parts = parts_of(reference, asked=asked, **likeness) | acted
        why = " ".join(filter(None, (_why_step(reference, asked), words)))
        return Score(ScoreStatus.SCORED, float(asked == reference.now), why, parts=tuple(parts.items()))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Units are the episodes. Where the model only asks, no step is known to be right: ssr, sr, ssr_before and
        ssr_after have no value."""
        steps = steps_by_episode(items)
        setting = AskSetting.DUAL if options["dual"] == "on" else AskSetting.ASK
        sums, _ = evaluated(steps, StreamRule(setting, credit=options["early_ask"] == "credit"))
        if not acts(steps):
            sums[:, : len(SUCCESS)] = 0
        acting = int(sums[:, COLUMNS.index("episodes")].sum())
        of_metrics = {"ssr": acting, "sr": acting, "ask_f1": items.episodes, **counts_of(sums)}
        return Tally(sums, STATISTICS, items.unit), of_metrics

    def _likeness(self, pair: QuestionPair) -> dict[str, float]:
        """`cos_sim` and `meteor`, each where it can be measured here."""
        found = {"cos_sim": cosines([pair], self._embedder), "meteor": meteors([pair])}
        return {name: float(one.values[0]) for name, one in found.items() if one.values is not None}


def _why_step(reference: DueAsk, asked: bool) -> str:
    if reference.now:
        return "Asked, and a question was due." if asked else "A question was due, and none was asked."
    if not asked:
        return "Not asked, and no question was due."
    if reference.later:
        return f"Asked too early: a question is due at step {reference.due}."
    return "Asked, and nothing was missing."


class _AskRecordVerdict(NamedTuple):
    """A record that was judged; `verdict` None: unscored. `pair`: the questions to compare, if there are both."""

    line: int
    id: Identity
    verdict: AskVerdict | None
    empty: bool
    null: bool
    pair: QuestionPair | None


def _judged(episode: AskEpisode, *, dual: bool, credit: bool) -> _AskRecordVerdict:
    verdict = judge_episode(episode, dual=dual, credit=credit)
    pair = None
    if verdict is not None and verdict.counted is not None and episode.first:
        asked = episode.first[verdict.counted - episode.start].question
        if asked is not None and episode.reference_question is not None:
            pair = QuestionPair(asked, episode.reference_question)
    return _AskRecordVerdict(episode.line, episode.id, verdict, not episode.first, episode.first is None, pair)


def _sums(
    verdicts: Sequence[AskVerdict], compared: np.ndarray, cos_sim: QuestionSimilarity, meteor: QuestionSimilarity
) -> FloatArray:
    """One row an episode, with the columns of `COLUMNS`."""
    counts = np.array([verdict[: AskVerdict._fields.index("early")] for verdict in verdicts], dtype=np.float64)
    counts = counts.reshape(len(verdicts), 10)
    columns = [*success(counts[:, :6]), *counts[:, 6:].T]
    for measured in (cos_sim, meteor):
        values, has = np.zeros(len(verdicts)), np.zeros(len(verdicts))
        if measured.values is not None:
            values[compared], has[compared] = measured.values, 1.0
        columns += [values, has]
    return np.stack(columns, axis=1)


def _likeness(sums: FloatArray) -> dict[str, FloatArray]:
    """cos_sim and meteor of each scored episode, NaN where it has none."""
    return {
        name: quotient(sums[:, COLUMNS.index(name)], sums[:, COLUMNS.index(f"with_{name}")])
        for name in ("cos_sim", "meteor")
    }


def _extra(sums: FloatArray, pairs: int, cos_sim: QuestionSimilarity, meteor: QuestionSimilarity) -> dict[str, Any]:
    counted = timing(sums)
    extra: dict[str, Any] = {
        "timing": dict(counted),
        "content": {"n": pairs, "left_out": counted["tp"] - pairs},
        "measured_by": {"cos_sim": cos_sim.by, "meteor": meteor.by},
    }
    notes = [measured.missing for measured in (cos_sim, meteor) if measured.missing]
    return {**extra, "notes": notes} if notes else extra


def _detail(found: _AskRecordVerdict, likeness: Mapping[str, FloatArray], unit: int) -> Mapping[str, Any]:
    verdict = found.verdict
    return {
        "record": found.line,
        "id": found.id,
        "status": "unscored" if verdict is None else "scored",
        "malformed": verdict is not None and found.empty,
        "null": verdict is not None and found.null,
        "ssr": None if verdict is None else verdict.right / verdict.steps,
        "sr": None if verdict is None else float(verdict.right == verdict.steps),
        "ssr_before": verdict.right_before / verdict.before if verdict and verdict.before else None,
        "ssr_after": verdict.right_after / verdict.after if verdict and verdict.after else None,
        **{name: None if verdict is None else getattr(verdict, name) for name in ("tp", "fp", "fn", "tn")},
        **{name: _value(values, unit) for name, values in likeness.items()},
        "why": _why(found),
    }


def _value(values: FloatArray, unit: int) -> float | None:
    return None if unit < 0 or np.isnan(values[unit]) else float(values[unit])


def _why(found: _AskRecordVerdict) -> str:
    verdict = found.verdict
    if verdict is None:
        return "No steps, and neither an ASK step nor a length is known."
    if found.empty:
        return f"The first stream is {'null' if found.null else 'empty'}: {verdict.steps} steps wrong."
    words = [f"{verdict.right} of {verdict.steps} steps right."]
    if verdict.early:
        words.append(f"{verdict.early} asked too early and taken back.")
    if verdict.tp:
        words.append(f"The ask at step {verdict.counted} counts.")
    elif verdict.fn:
        words.append("Not asked at the ASK step.")
    if verdict.fp:
        words.append(f"{verdict.fp} asked where nothing was missing.")
    return " ".join(words)


def read_record(line: int, record: Mapping[str, Any]) -> AskEpisode:
    """Raises UserError with the line and the bad field."""
    due = fields.required(record, "ask_step", line)
    ask_step = None if due is None else _count(due, "ask_step", 0, line)
    first = _steps(fields.required(record, "first", line), "first", ask_step, line)
    second = _steps(fields.required(record, "second", line), "second", ask_step, line)
    question = fields.required(record, "reference_question", line)
    length = record.get("reference_steps")
    episode = AskEpisode(
        line,
        fields.identity(record, "id", line),
        ask_step,
        first,
        second,
        None if question is None else fields.text(question, "reference_question", line),
        None if length is None else _count(length, "reference_steps", 1, line),
    )
    _check_first(episode)
    return episode


def _check_first(episode: AskEpisode) -> None:
    """The first stream has every step from its first to its last, and contradicts neither the ask's place nor the
    length of the reference."""
    for place, step in enumerate(episode.first or ()):
        if step.step != episode.start + place:
            wanted = f"must be {episode.start + place}: the first stream's steps go up by one, without gaps"
            raise fields.bad_field(episode.line, f"first[{place}].step", f"is {step.step} and {wanted}")
    if episode.ask_step is not None and episode.ask_step < episode.start:
        raise fields.bad_field(episode.line, "ask_step", f"lies before the first stream's first step, {episode.start}")
    if episode.reference_steps is not None and episode.end > episode.start + episode.reference_steps:
        wrong = f"is {episode.reference_steps}, but there is a step {episode.end - 1}"
        raise fields.bad_field(episode.line, "reference_steps", wrong)


def _steps(value: object, name: str, ask_step: int | None, line: int) -> tuple[AskStep, ...] | None:
    if value is None:
        return None
    if type(value) is not list:
        raise fields.bad_field(line, name, f"must be a list of steps or null, not {fields.quoted_value(value)}")
    steps = tuple(_step(step, f"{name}[{place}]", ask_step, line) for place, step in enumerate(value))
    for place in range(1, len(steps)):
        if steps[place].step <= steps[place - 1].step:
            raise fields.bad_field(line, f"{name}[{place}].step", "must be higher than that of the step before")
    return steps


def _step(value: object, name: str, ask_step: int | None, line: int) -> AskStep:
    form = fields.mapping(value, name, line)
    step = _count(fields.required_in(form, "step", name, line), f"{name}.step", 0, line)
    ask = fields.flag(fields.required_in(form, "ask", name, line), f"{name}.ask", line)
    # At the annotated step only asking counts, so there the word on the action may lack.
    correct = form.get("correct", False) if step == ask_step else fields.required_in(form, "correct", name, line)
    if correct is None and step == ask_step:
        correct = False
    # Only an ask must say what it asked.
    question = fields.required_in(form, "question", name, line) if ask else form.get("question")
    return AskStep(
        step,
        ask,
        fields.flag(correct, f"{name}.correct", line),
        None if question is None else fields.text(question, f"{name}.question", line),
    )


def _count(value: object, name: str, least: int, line: int) -> int:
    number = fields.whole(value, name, line)
    if number < least:
        raise fields.bad_field(line, name, f"must be {least} or more, not {number}")
    return number
