"""Rules as runs are scored under them: a protocol with all its options, and where its scores are in the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.runs import options_as_text
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.named_rules import NAMED_RULES
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store import queries
from stepscope.core.store.repositories import runs
from stepscope.core.store.repositories.scorings import StoredScoring

NOT_SCORED = "Not scored under it yet."
OLD_VERSION = "Scored by version {} of the rule; this is version {}."


class UnscoredRunError(UsageError):
    """A run has not the scores under a rule that were asked for. `lacking` completes a sentence about the run, with
    {rule} for the rule."""

    def __init__(self, run_id: str, scoring: Scoring, lacking: str, hint: str) -> None:
        super().__init__(f"Run {run_id} {lacking.format(rule=scoring.words)}.", hint=hint)
        self.run_id, self.scoring, self.lacking = run_id, scoring, lacking


@dataclass(frozen=True, slots=True)
class Scoring:
    """A rule with all its options as text, by name."""

    protocol: str
    options: tuple[tuple[str, str], ...]

    @property
    def words(self) -> str:
        """The protocol with its options, for messages."""
        settings = ", ".join(f"{name}={value}" for name, value in self.options)
        return f"{self.protocol} ({settings})" if settings else self.protocol


def scoring_of(protocol: str, settings: Mapping[str, str]) -> Scoring:
    """The rule with these options, the others at their defaults; what an evaluation asks about is no part of it. Raises
    UsageError for what there is not, and for protocols that do not judge single steps."""
    info, of_run = run_scorer(protocol).info, options_of_runs(protocol)
    options = {name: value for name, value in parse_options(info, settings).items() if name not in of_run}
    return Scoring(info.name, options_as_text(options))


def options_of_runs(protocol: str) -> frozenset[str]:
    """The protocol's options that say how an evaluation asks. Raises UsageError for a protocol that there is not."""
    return frozenset(option.name for option in run_scorer(protocol).info.options if option.of_run)


def own_scoring(run: Run) -> Scoring:
    """The rule of the run itself. Raises UsageError when it is not known here."""
    return scoring_of(run.spec.protocol, dict(run.spec.options))


def named_scorings() -> dict[str, Scoring]:
    """Every rule with a short name."""
    return {rule.id: scoring_of(rule.protocol, rule.options) for rule in NAMED_RULES}


def named_scoring(rule_id: str) -> Scoring:
    """The rule of that short name. Raises UsageError naming the nearest."""
    for rule in NAMED_RULES:
        if rule.id == rule_id:
            return scoring_of(rule.protocol, rule.options)
    ids = [rule.id for rule in NAMED_RULES]
    raise UsageError(f"There is no rule {rule_id!r}.", hint=f"{did_you_mean(rule_id, ids)}Rules: {', '.join(ids)}.")


def rule_name(scoring: Scoring) -> str | None:
    """The rule's short name, None when it has none."""
    return next((rule.id for rule in NAMED_RULES if scoring_of(rule.protocol, rule.options) == scoring), None)


def rule_title(scoring: Scoring) -> str:
    """The rule in a few words for a heading: its title where it has a short name, else the protocol with options."""
    return next(
        (rule.title for rule in NAMED_RULES if scoring_of(rule.protocol, rule.options) == scoring), scoring.words
    )


def stored_scoring(db: Session, run_id: str, scoring: Scoring) -> StoredScoring | None:
    """The run's scores under the rule, None when there never were any."""
    return next((known for known in queries.scorings(db, run_id) if canonical(known) == scoring), None)


def scored_under(db: Session, run_id: str, scoring: Scoring, *, any_version: bool = False) -> StoredScoring:
    """The run's scores under the rule. Raises UnscoredRunError when there are none, UsageError when they are by another
    version of it."""
    runs.get(db, run_id)
    known, hint = stored_scoring(db, run_id, scoring), f"Make them: stepscope runs rescore {run_id} {_named(scoring)}."
    if known is None or not known.items:
        raise UnscoredRunError(run_id, scoring, "has no scores under {rule}", hint)
    if not any_version and (why := version_warning(known)):
        raise UsageError(f"Run {run_id}: {why}", hint=hint)
    return known


def _named(scoring: Scoring) -> str:
    """How the command line is told of the rule."""
    name = rule_name(scoring)
    settings = " ".join(f"{option}={value}" for option, value in scoring.options)
    return f"--rule {name}" if name else f"--protocol {scoring.protocol}" + (f" --set {settings}" if settings else "")


def scores_under(db: Session, run_ids: Iterable[str], scoring: Scoring) -> dict[str, int | None]:
    """Which stored scores say what the rule says, by run: the id of a scoring, None for the run's own. Of actions these
    are runs with scores under it for all their items; other tasks have their own, since rules for steps do not judge
    them. Runs without such scores, and those that are gone, are left out."""
    found: dict[str, int | None] = {}
    for run_id in run_ids:
        if not runs.exists(db, run_id):
            continue
        run = runs.get(db, run_id)
        known = stored_scoring(db, run_id, scoring) if run.spec.task is Task.AUTOMATION else None
        if run.spec.task is not Task.AUTOMATION or (known is not None and known.own):
            found[run_id] = None
        elif known is not None and not version_warning(known) and known.items >= run.done:
            found[run_id] = known.id
    return found


def whole_under(db: Session, run_ids: Iterable[str], scoring: Scoring) -> dict[str, int]:
    """The same of those that have another rule of their own: what is looked up besides the runs' own scores."""
    return {run: known for run, known in scores_under(db, run_ids, scoring).items() if known is not None}


def rules_scored(db: Session, run: Run) -> frozenset[Scoring]:
    """All rules under which the run has scores for all its items, by this version of them, its own included."""
    found = set()
    for known in queries.scorings(db, run.id):
        whole = known.own or (not version_warning(known) and known.items >= run.done)
        if whole:
            found.add(canonical(known))
    return frozenset(found)


def version_warning(known: StoredScoring) -> str:
    """Words when the scores are by another version of the rule."""
    try:
        version = run_scorer(known.protocol).info.version
    except UsageError as error:
        return str(error)
    return "" if version == known.version else OLD_VERSION.format(known.version, version)


def canonical(known: StoredScoring) -> Scoring:
    """The stored rule with options that it got since at their defaults; as it is when the rule is not known here."""
    try:
        return scoring_of(known.protocol, dict(known.options))
    except UsageError:
        return Scoring(known.protocol, known.options)


def own_as_written(run: Run) -> Scoring:
    """The rule of the run itself, as it is written there when it is not known here."""
    try:
        return own_scoring(run)
    except UsageError:
        return Scoring(run.spec.protocol, run.spec.options)
