"""Naming a rule on the command line, and a run's summary under it: shared by the commands on stored runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.output import tell
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run
    from stepscope.core.domain.score import Metrics
    from stepscope.core.evaluation import rules as scoring_rules
    from stepscope.core.evaluation.rules import Scoring
    from stepscope.core.store.engine import Database
else:
    scoring_rules = lazy_module("stepscope.core.evaluation.rules")

RunId = Annotated[str, typer.Argument(metavar="RUN", help="The start of the run's id, or 'last'.")]
RuleOption = Annotated[
    str | None, typer.Option("--rule", metavar="ID", help="A rule with a short name, such as aitw-exact.")
]
RulesOption = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="ID", help="A rule with a short name, such as aitw-exact; repeat it for several."),
]
ProtocolOption = Annotated[
    str | None, typer.Option("--protocol", metavar="P", help="A protocol, with its options behind --set.")
]


def chosen_rule(rule: str | None, protocol: str | None, settings: list[str] | None) -> Scoring | None:
    """The rule that is named, None for none. Raises UsageError for what does not go together or is not there."""
    found = chosen_rules([rule] if rule else [], protocol, settings)
    return found[0] if found else None


def chosen_rules(rules: list[str], protocol: str | None, settings: list[str] | None) -> list[Scoring]:
    """The same for several rules with short names."""
    from stepscope.core.scoring.options import parse_assignments

    if rules and (protocol or settings):
        raise UsageError(
            "--rule names a protocol with all its options already.", hint="Give --rule, or --protocol with --set."
        )
    if settings and not protocol:
        raise UsageError("--set needs a protocol here.", hint="Add --protocol P, or name a rule with --rule ID.")
    if protocol:
        given = parse_assignments(settings or ())
        if asking := scoring_rules.options_of_runs(protocol) & given.keys():
            name = min(asking)
            hint = "Leave it out, or evaluate anew with it."
            raise UsageError(f"{name} says how a run asks, and its answers stand.", hint=hint)
        return [scoring_rules.scoring_of(protocol, given)]
    return [scoring_rules.named_scoring(rule) for rule in rules]


def rule_form(run: Run, scoring: Scoring, metrics: Metrics | None) -> dict[str, Any]:
    """A run's counts and metrics under one rule: the object of `evaluate --json` with the rule's options and short
    name. Counts are null where it was not scored."""
    spec = run.spec
    return {
        "run": run.id,
        "task": spec.task.value,
        "model": spec.model,
        "protocol": scoring.protocol,
        "options": dict(scoring.options),
        "rule": scoring_rules.rule_name(scoring),
        "state": run.state.value,
        "n": metrics and metrics.n,
        "errors": metrics and metrics.errors,
        "unscored": metrics and metrics.unscored,
        "malformed": metrics and metrics.malformed,
        "null": metrics and metrics.null,
        "metrics": metrics.as_dict() if metrics else {},
    }


def summary_under(database: Database, run: Run, scoring: Scoring) -> dict[str, Any]:
    """The object of `runs list` for a run under a rule that it was scored under. Raises UsageError when it was not."""
    from stepscope.core.evaluation.rescore import metrics_under

    form = rule_form(run, scoring, metrics_under(database, run.id, scoring))
    judged = form["n"] + form["unscored"] + form["errors"]
    if judged < run.done:
        tell(
            f"stepscope: warning: {judged} of {run.done} items are scored under {scoring.words} so far: "
            f"'stepscope runs rescore {run.id}' goes on."
        )
    return {**form, "created": run.created.isoformat()}


def scoring_id(database: Database, run: Run, scoring: Scoring) -> int:
    """Where the run's scores under the rule are. Raises UsageError when there are none."""
    with database.reading() as db:
        return scoring_rules.scored_under(db, run.id, scoring).id


def titled(form: dict[str, Any]) -> dict[str, Any]:
    """The form for a reader, who sees the rule with its options in the place of the bare protocol."""
    options = ", ".join(f"{name}={value}" for name, value in form["options"].items())
    rule = f"{form['rule']}: " if form["rule"] and form["rule"] != form["protocol"] else ""
    return {**form, "protocol": f"{rule}{form['protocol']}" + (f" ({options})" if options else "")}
