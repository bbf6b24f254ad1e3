"""`stepscope runs compare` and `seeds`: two runs on their common items, and one setting over several seeds."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import MOST_DRAWS, DrawSeedOption, JsonFlag, SetOption, StoreOption
from stepscope.app.cli.evaluate import index, say_of_models
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.runs_rescore import keys_json
from stepscope.app.cli.runs_rules import ProtocolOption, RuleOption, chosen_rule, titled
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run
    from stepscope.core.evaluation import comparison
    from stepscope.core.evaluation.comparison import Comparison, SeedSummary
    from stepscope.core.scoring.paired_tests import Difference
    from stepscope.core.store.engine import Database
else:
    comparison = lazy_module("stepscope.core.evaluation.comparison")

_SMALLEST_P = 0.001


class ClusterBy(StrEnum):
    """What is drawn whole for intervals."""

    EPISODE = "episode"
    APP = "app"
    GOAL = "goal"


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="The start of a run's id, or 'last'.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The run that is subtracted from A.")],
    rule: RuleOption = None,
    protocol: ProtocolOption = None,
    set: SetOption = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_DRAWS, help="Draws for intervals; 0: none.")
    ] = 1000,
    seed: DrawSeedOption = 0,
    cluster: Annotated[ClusterBy, typer.Option(help="What is drawn whole.")] = ClusterBy.EPISODE,
    without_defects: Annotated[
        bool, typer.Option("--without-defects", help="Leave out the items that people called defective.")
    ] = False,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints A less B, metric by metric; gives 0. Raises UsageError for runs that cannot be compared."""
    scoring = chosen_rule(rule, protocol, set)
    with opened(store) as database:
        runs = find_run(database, a), find_run(database, b)
        if cluster is not ClusterBy.EPISODE:
            _make_known(database, runs[0])
        found = comparison.compare_runs(
            database,
            runs[0].id,
            runs[1].id,
            scoring=scoring,
            draws=bootstrap,
            seed=seed,
            cluster=cluster.value,
            without_defects=without_defects,
        )
    if runs[0].spec.source != runs[1].spec.source:
        tell("stepscope: warning: the two runs were made on data at different places.")
    settings = _settings(*runs)
    form = _form(found) | {"settings": settings, "cluster": cluster.value, "bootstrap": bootstrap, "seed": seed}
    if json:
        print_json(form)
    else:
        _show(form, runs)
    return DONE


def seeds(
    ids: Annotated[
        list[str], typer.Argument(metavar="RUN ...", help="Runs; a single one brings those of other seeds along.")
    ],
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints each metric's mean and standard deviation; gives 0. Raises UsageError for runs that differ in more than
    the seed or are not done."""
    with opened(store) as database:
        runs = [find_run(database, beginning) for beginning in ids]
        if len(runs) == 1:
            runs += comparison.siblings(database, runs[0])
        found = comparison.seed_summary(database, [run.id for run in runs])
    if json:
        print_json(_seeds_form(found))
    else:
        _show_seeds(found)
    return DONE


def _make_known(database: Database, run: Run) -> None:
    """The index of the run's data in the store, which knows apps and goals."""
    from stepscope.core.store.repositories import sources

    with database.reading() as db:
        source = sources.find(db, run.spec.source)
    if source is None or not source.fingerprint:
        index(database, Path(run.spec.source), run.spec.format, CancelToken())


def _form(found: Comparison) -> dict[str, Any]:
    from stepscope.core.evaluation.rules import rule_name

    return {
        "a": found.run_a,
        "b": found.run_b,
        "protocol": found.scoring.protocol,
        "options": dict(found.scoring.options),
        "rule": rule_name(found.scoring),
        "n_common": found.n_common,
        "only_a": keys_json(found.only_a),
        "only_b": keys_json(found.only_b),
        "unscored": keys_json(found.unscored),
        "metrics": {one.metric: _difference(one) for one in found.differences},
    }


def _settings(a: Run, b: Run) -> list[dict[str, str]]:
    """The settings that the two have otherwise, and how each is known to move scores."""
    from stepscope.core.evaluation.run_differences import settings_apart

    unequal, _equal = settings_apart(a, b)
    return [{"name": one.name, "a": one.a, "b": one.b, "effect": one.effect.value} for one in unequal]


def _difference(one: Difference) -> dict[str, Any]:
    return {
        "a": one.a,
        "b": one.b,
        "difference": one.difference,
        "ci": list(one.ci) if one.ci else None,
        "p": one.p,
        "p_holm": one.p_holm,
        "test": one.test,
    }


def _show(form: dict[str, Any], runs: tuple[Run, Run]) -> None:
    for name, run in zip("AB", runs, strict=True):
        say(f"{name}: run {run.id}, {run.spec.model}, {run.state}, {number_of(run.done, 'items')}")
    say_of_models(*(run.spec.model for run in runs))
    say(f"Under {titled(form)['protocol']}", "")
    only = f"only in A {len(form['only_a'])}, only in B {len(form['only_b'])}"
    say(f"{form['n_common']} common items scored in both; {len(form['unscored'])} not scored in both, {only}.", "")
    if not form["n_common"]:
        say("The two runs have no item in common, so there is nothing to compare.")
        return
    columns = ["metric", "A", "B", "A − B", "95 % interval", "p", "p (Holm)", "test"]
    rows = [
        [
            name, one["a"], one["b"], signed(one["difference"]), _interval(one["ci"]),
            p_words(one["p"]), p_words(one["p_holm"]), one["test"],
        ]
        for name, one in form["metrics"].items()
    ]  # fmt: skip
    table(columns, rows, numbers=columns[1:7])
    if form["settings"]:
        say("", "Settings that differ:")
        table(["setting", "A", "B", "effect"], [[one[key] for key in ("name", "a", "b", "effect")]
                                                for one in form["settings"]])  # fmt: skip


def _seeds_form(found: SeedSummary) -> dict[str, Any]:
    return {
        "n": len(found.runs),
        "runs": [run.id for run in found.runs],
        "seeds": [run.spec.seed for run in found.runs],
        "metrics": {
            name: {"mean": over.mean, "deviation": over.deviation, "n": over.n} for name, over in found.metrics
        },
    }


def _show_seeds(found: SeedSummary) -> None:
    spec = found.runs[0].spec
    numbers = ", ".join(str(run.spec.seed) for run in found.runs)
    say(f"{spec.model} under {spec.protocol}: {number_of(len(found.runs), 'runs')}, seeds {numbers}")
    say_of_models(spec.model)
    say("")
    rows = [[name, over.mean, over.deviation, over.n] for name, over in found.metrics]
    table(["metric", "mean", "SD", "runs"], rows, numbers=["mean", "SD", "runs"])


def signed(value: float | None) -> str | None:
    """A difference with its sign, four digits."""
    return None if value is None else f"{value:+.4f}".replace("-", "−") if round(value, 4) else "0.0000"


def p_words(p: float | None) -> str | None:
    """A p with three digits, or as smaller than what these can show."""
    return None if p is None else f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.3f}"


def _interval(ci: list[float] | None) -> str | None:
    return None if ci is None else f"{signed(ci[0])} … {signed(ci[1])}"
