"""`stepscope orders people`, `references` and `run`: what the orders of several people come to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import (
    MOST_DRAWS,
    DataPath,
    DrawSeedOption,
    FormatOption,
    JsonFlag,
    SetOption,
    StoreOption,
)
from stepscope.app.cli.evaluate import done_with, index, read_index, start
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import opened
from stepscope.core.domain.human_order import StepInput
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.services import evaluation, human_orders, order_people
    from stepscope.app.services.order_people import OrderCollection
    from stepscope.core.scoring import order_people as order_figures
    from stepscope.core.scoring.order_people import FlagRules, OrderFigures
    from stepscope.core.store.engine import Database
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    human_orders = lazy_module("stepscope.app.services.human_orders")
    order_people = lazy_module("stepscope.app.services.order_people")
    order_figures = lazy_module("stepscope.core.scoring.order_people")

LeastAgreement = Annotated[
    float, typer.Option("--least-agreement", metavar="K", min=-1, max=1, help="Flag people of a lower mean kappa.")
]
LeastAccuracy = Annotated[
    float, typer.Option("--least-accuracy", metavar="A", min=0, max=1, help="Flag people of a lower mean accuracy.")
]
OfAlternatives = Annotated[
    bool, typer.Option("--of-alternatives", help="Flag by the agreement on orders that are right too.")
]
WithoutFlagged = Annotated[bool, typer.Option("--without-flagged", help="Leave the orders of flagged people out.")]
References = Annotated[
    str, typer.Option("--references", metavar="FILE", help="The right orders, from 'orders references'.")
]
_WORKERS = ("annotator", "orders", "accuracy", "kappa", "others", "alternatives", "seconds", "confidence", "flagged")
_CONDITIONS = ("shown", "orders", "people", "procedures", "accuracy", "pmr", "tau", "kappa", "seconds", "confidence")
_PROCEDURES = ("procedure", "orders", "accuracy", "kappa", "seconds", "confidence")
_TESTS = ("metric", "both", "text", "difference", "low", "high", "p", "p (Holm)", "test")


def people(
    path: DataPath,
    least_agreement: LeastAgreement = 0.2,
    least_accuracy: LeastAccuracy = 0.2,
    of_alternatives: OfAlternatives = False,
    without_flagged: WithoutFlagged = False,
    references: References = "data",
    procedures: Annotated[bool, typer.Option("--procedures", help="Tell every procedure, too.")] = False,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_DRAWS, help="Draws of procedures for the paired test.")
    ] = 2000,
    seed: DrawSeedOption = 0,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Only blind orders that were accepted count."""
    rules = order_figures.FlagRules(least_agreement, least_accuracy, of_alternatives)
    with opened(store) as database:
        found = _collection(database, path, format, rules if without_flagged else None)
        said = order_people.figures(found, rules, references=_whole(references), draws=bootstrap, seed=seed)
    if json:
        print_json({"source": str(path.resolve()), "left_out": list(found.left_out), **figures_form(said)})
    elif said.orders:
        _show(said, found.left_out, procedures=procedures)
    else:
        say("Nobody accepted a blind order here yet.")
    return DONE


def references(
    path: DataPath,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")],
    least: Annotated[
        int, typer.Option("--least", metavar="N", min=1, max=LARGEST_NUMBER, help="People who must give other orders.")
    ] = 2,
    least_agreement: LeastAgreement = 0.2,
    least_accuracy: LeastAccuracy = 0.2,
    of_alternatives: OfAlternatives = False,
    without_flagged: WithoutFlagged = False,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises UsageError where nobody called another order right."""
    check_output(output)
    rules = order_figures.FlagRules(least_agreement, least_accuracy, of_alternatives)
    with opened(store) as database:
        votes = order_people.voted(_collection(database, path, format, rules if without_flagged else None), least=least)
    if not votes:
        hint = "People keep orders that are right too with A in the Ordering workspace."
        raise UsageError("nobody called another order right here.", place=path, hint=hint)
    write_file(output, json_lines(order_people.reference_records(votes)))
    added = sum(one.added for one in votes)
    if json:
        print_json({"file": str(output), "procedures": len(votes), "added": added})
    else:
        say(str(output))
        more = number_of(added, "references")
        tell(f"stepscope: {number_of(len(votes), 'procedures')}, {more} more than in the data")
    return DONE


def run(
    path: DataPath,
    annotator: Annotated[str, typer.Option("--annotator", metavar="WHO", help="Only this person's orders.")] = "",
    shown: Annotated[
        str | None, typer.Option("--shown", metavar="text|picture|both", help="Only of those who saw this.")
    ] = None,
    one_of: Annotated[
        str,
        typer.Option(
            "--one-of", metavar="drawn|middle",
            help="Of several people's orders of a procedure: one drawn by the seed, or the one nearest to all others.",
        ),
    ] = "drawn",
    seed: DrawSeedOption = 0,
    least_agreement: LeastAgreement = 0.2,
    least_accuracy: LeastAccuracy = 0.2,
    of_alternatives: OfAlternatives = False,
    without_flagged: WithoutFlagged = False,
    set: SetOption = None,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:  # fmt: skip
    """Prints the run's result, as `evaluate` does. Gives 0, 1 where items failed, 130 when stopped."""
    from stepscope.core.scoring.options import parse_assignments

    condition = None if shown is None else _word(StepInput, shown, "--shown")
    which = _word(order_people.OneOfSeveral, one_of, "--one-of")
    settings = parse_assignments(set or ())
    rules = order_figures.FlagRules(least_agreement, least_accuracy, of_alternatives)
    with opened(store) as database, cancelled_by_signals() as token:
        found = _collection(database, path, format, rules if without_flagged else None)
        lines = order_people.prediction_records(found, annotator=annotator, shown=condition, one_of=which, seed=seed)
        indexed = index(database, path, format, token)
        if indexed is None:
            raise KeyboardInterrupt
        request = evaluation.EvaluationRequest(
            task=Task.ORDERING, predictions=order_people.kept_predictions(lines), options=tuple(settings.items())
        )
        return done_with(database, [start(database, indexed, request, token)], store, json)


def _collection(database: Database, path: Path, format: str | None, rules: FlagRules | None) -> OrderCollection:
    indexed = read_index(database, path, format, CancelToken())
    assert indexed is not None  # nobody cancels
    procedures = human_orders.cached_procedures(indexed.source)
    return order_people.collection(database, str(path.resolve()), procedures, rules)


def figures_form(said: OrderFigures) -> dict[str, Any]:
    """The figures as JSON."""
    from dataclasses import asdict

    form = asdict(said)
    form["flagged"] = list(said.flagged)
    form["helped"] = {word.value: count for word, count in said.helped.items()}
    form["confidence"] = {str(level): count for level, count in said.confidence.items()}
    return form


def _show(said: OrderFigures, left_out: tuple[str, ...], *, procedures: bool) -> None:
    if left_out:
        say(f"Left out as flagged: {', '.join(left_out)}", "")
    rows = [
        [one.annotator, one.orders, one.accuracy, one.kappa, one.others, one.alternative_kappa, one.seconds,
         one.confidence, " and ".join(f"low {flag}" for flag in one.flags)]
        for one in said.workers
    ]  # fmt: skip
    table(_WORKERS, rows, numbers=_WORKERS[1:-1])
    say("")
    rows = [
        [one.shown.value, one.orders, one.people, one.procedures, one.metrics["accuracy"], one.metrics["pmr"],
         one.metrics["kendall_tau"], one.kappa.kappa, one.seconds, one.confidence]
        for one in said.conditions
    ]  # fmt: skip
    table(_CONDITIONS, rows, numbers=_CONDITIONS[1:])
    answers = sum(said.helped.values())
    if answers:
        say("")
        rows = [[word.value, count, f"{100 * count / answers:.1f} %"] for word, count in said.helped.items()]
        table(("what helped", "answers", "share"), rows, numbers=("answers", "share"))
    if said.both_against_text:
        say("", f"Both against text, over {number_of(said.paired, 'procedures')} that people ordered under either:")
        rows = [
            [one.metric, one.a, one.b, one.difference, *(one.ci or (None, None)), one.p, one.p_holm, one.test]
            for one in said.both_against_text
        ]
        table(_TESTS, rows, numbers=_TESTS[1:-1])
    if procedures:
        say("")
        rows = [
            [one.procedure, one.orders, one.accuracy, one.kappa, one.seconds, one.confidence] for one in said.procedures
        ]
        table(_PROCEDURES, rows, numbers=_PROCEDURES[1:])


def _whole(references: str) -> str:
    return references if references == "data" else str(Path(references).resolve())


def _word(words: Any, given: str, flag: str) -> Any:
    try:
        return words(given)
    except ValueError:
        raise UsageError(f"{flag} cannot be {given!r}.", hint=f"Give {' or '.join(words)}.") from None
